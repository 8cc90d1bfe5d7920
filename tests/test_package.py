"""What the wheel holds: the library, and nothing of the study."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import kappacurve

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_the_library_and_that_alone(tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    command = ["wheel", ".", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", *command], cwd=tmp_path, check=True)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        wheel = archive.namelist()
    folders = {name.partition("/")[0] for name in wheel}
    assert folders == {"kappacurve", f"kappacurve-{kappacurve.__version__}.dist-info"}
    library = ROOT / "src" / "kappacurve"
    wanted = {*library.rglob("*.py"), library / "__init__.pyi", library / "py.typed"}
    assert {str(path.relative_to(ROOT / "src")) for path in wanted} <= set(wheel)
