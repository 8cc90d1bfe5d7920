"""pyproject.toml, the locks and environment.yml say the same; the wheel is the library alone."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from write_environment import CONDA_NAMES, locked_versions

import kappacurve

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
RUNTIME = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["pipeline"]]


@pytest.mark.parametrize(
    ("lock", "ranges"), [("runtime", RUNTIME), ("test", PROJECT["optional-dependencies"]["test"])]
)
def test_locks_are_inside_the_ranges(lock, ranges):
    locked = locked_versions(ROOT / "requirements" / f"{lock}.lock")
    for requirement in map(Requirement, ranges):
        assert requirement.specifier.contains(locked[requirement.name.lower()]), requirement


@pytest.mark.parametrize("lock", ["test", "cluster", "docs"])
def test_the_other_locks_keep_the_runtime_versions(lock):
    runtime = locked_versions(ROOT / "requirements" / "runtime.lock")
    other = locked_versions(ROOT / "requirements" / f"{lock}.lock")
    assert runtime.items() <= other.items()


def test_environment_has_the_locked_versions():
    text = (ROOT / "environment.yml").read_text()
    assert (ROOT / "studies/many-data-sets/environment.yml").read_text() == text
    environment = yaml.safe_load(text)
    assert environment["channels"] == ["conda-forge", "bioconda", "nodefaults"]
    *conda, from_pypi = [entry for entry in environment["dependencies"] if entry != "pip"]
    pins = dict(entry.split("=") for entry in conda)
    pins |= dict(entry.split("==") for entry in from_pypi["pip"])
    assert SpecifierSet(PROJECT["requires-python"]).contains(pins.pop("python"))
    locked = locked_versions(ROOT / "requirements" / "runtime.lock")
    names = [Requirement(line).name.lower() for line in RUNTIME]
    assert pins == {CONDA_NAMES.get(name, name): locked[name] for name in names}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_have_hashes_and_no_address(lock):
    text = lock.read_text()
    packages = re.split(r"\n(?=[A-Za-z])", text.strip())
    assert packages
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"://|index-url|find-links", text)


@pytest.mark.parametrize("stamp", [".venv/.runtime", ".venv-cluster/.ready", ".venv-3.12/.ready"])
def test_an_environment_whose_python_is_gone_is_rebuilt(tmp_path, stamp):
    """As after an upgrade of the system, by whatever target."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    python = (tmp_path / stamp).parent / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / stamp).touch()
    for present in (True, False):
        python.unlink(missing_ok=True)
        python.symlink_to(sys.executable if present else "/nowhere/python3")
        subprocess.run(["make", "help"], cwd=tmp_path, check=True, capture_output=True)
        assert (tmp_path / stamp).exists() == present


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
