"""The code of this folder is tested, whether or not it is installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
