"""Write environment.yml: the direct dependencies of pyproject.toml at the versions of the lock."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
FROM_PYPI = {"typst", "pypandoc-binary"}  # what the conda channels lack or call otherwise
HEADER = """\
# For conda and mamba users: conda env create -f environment.yml
# Written by tools/write_environment.py from pyproject.toml and requirements/runtime.lock.
name: kappacurve
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python=3.12
"""


def direct_dependencies() -> list[str]:
    """Names of the run-time dependencies, in the spelling of the lock."""
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = [*stated["project"]["dependencies"], *stated["dependency-groups"]["pipeline"]]
    return [re.split(r"[<>=!~\[; ]", requirement)[0].lower() for requirement in listed]


def locked_versions(lock: Path) -> dict[str, str]:
    """Version of each package in a lock file."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ \\;]+)", lock.read_text(), re.MULTILINE))


def environment_text() -> str:
    """Text of environment.yml."""
    versions = locked_versions(ROOT / "requirements" / "runtime.lock")
    conda, pip = [], []
    for name in direct_dependencies():
        if name in FROM_PYPI:
            pip.append(f"      - {name}=={versions[name]}\n")
        else:
            conda.append(f"  - {CONDA_NAMES.get(name, name)}={versions[name]}\n")
    conda.append("  - pip\n")
    return HEADER + "".join(sorted(conda)) + "  - pip:\n" + "".join(sorted(pip))


if __name__ == "__main__":
    (ROOT / "environment.yml").write_text(environment_text())
