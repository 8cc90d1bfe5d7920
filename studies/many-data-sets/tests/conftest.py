"""Settings as Snakemake merges them from the default config and a user's file."""

from copy import deepcopy
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from many_data_sets.settings import checked

HOUSE = Path(__file__).parents[1]
DEFAULT = yaml.safe_load((HOUSE / "config/config.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def settings_with():
    def settings_with(own):
        """The settings with what a text or a file changes in them."""
        text = own.read_text(encoding="utf-8") if isinstance(own, Path) else own
        config = deepcopy(DEFAULT)
        update_config(config, yaml.safe_load(text) or {})
        return checked(config)

    return settings_with
