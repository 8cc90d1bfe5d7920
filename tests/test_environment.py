"""pyproject.toml, the locks and environment.yml say the same; packages are the library alone."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import kappacurve

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
STATED = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT, GROUPS = STATED["project"], STATED["dependency-groups"]
RUNTIME = [*PROJECT["dependencies"], *GROUPS["pipeline"]]


def locked_versions(lock):
    """Version of each package in a lock file."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ \\;]+)", lock.read_text(), re.MULTILINE))


def test_locks_are_inside_the_ranges_and_keep_the_runtime_versions():
    locked = {path.stem: locked_versions(path) for path in LOCKS}
    for lock, ranges in (("runtime", RUNTIME), ("test", GROUPS["test"])):
        for needed in map(Requirement, ranges):
            assert needed.specifier.contains(locked[lock][needed.name.lower()]), needed
    for lock in ("test", "cluster", "docs"):
        assert locked["runtime"].items() <= locked[lock].items(), lock


def test_environment_has_the_locked_versions():
    text = (ROOT / "environment.yml").read_text()
    environment = yaml.safe_load(text)
    assert environment["channels"] == ["conda-forge", "bioconda", "nodefaults"]
    *conda, from_pypi = [entry for entry in environment["dependencies"] if entry != "pip"]
    pins = dict(entry.split("=") for entry in conda)
    pins |= dict(entry.split("==") for entry in from_pypi["pip"])
    assert SpecifierSet(PROJECT["requires-python"]).contains(pins.pop("python"))
    locked = locked_versions(ROOT / "requirements" / "runtime.lock")
    names = {Requirement(line).name.lower() for line in RUNTIME}
    assert {name.removesuffix("-base") for name in pins} == names
    assert all(locked[name.removesuffix("-base")] == pin for name, pin in pins.items())
    study = yaml.safe_load((ROOT / "studies/many-data-sets/environment.yml").read_text())
    assert {entry for entry in study["dependencies"] if "=" in entry} <= {*conda}
    rules = yaml.safe_load((ROOT / "workflow/envs/kappacurve.yaml").read_text())["dependencies"]
    *of_rules, rules_from_pypi = [entry for entry in rules if entry != "pip"]
    assert set(of_rules) == {entry for entry in conda if not entry.startswith("snakemake=")}
    assert rules_from_pypi == from_pypi


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_have_hashes_and_no_address(lock):
    text = lock.read_text()
    packages = re.split(r"\n(?=[A-Za-z])", text.strip())
    assert packages
    assert all("--hash=sha256:" in package for package in packages)
    assert not re.search(r"://|index-url|find-links", text)


def install_lines(target):
    """What make would run for a target whose environment is not there."""
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", target]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [line.removeprefix("@") for line in done.stdout.splitlines() if " -m pip " in line]


@pytest.mark.parametrize("environment", ["/.test", "/.docs", "-cluster/.ready", "-3.12/.ready"])
def test_locks_are_installed_as_they_are_and_checked(environment):
    lines = install_lines(f".venv{environment}")
    locks = [line for line in lines if "requirements/" in line]
    assert len(locks) >= 2
    assert all({"--no-deps", "--require-hashes"} <= {*line.split()} for line in locks)
    assert all("--no-deps" in line for line in lines if " install " in line)
    assert " check" in lines[-1]


def test_an_environment_whose_python_is_gone_is_rebuilt(tmp_path):
    """As after an upgrade of the system, by whatever target."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    stamps = [tmp_path / name for name in (".venv/.runtime", ".venv-3.12/.ready")]
    for stamp, python in zip(stamps, (sys.executable, "/nowhere/python3"), strict=True):
        (stamp.parent / "bin").mkdir(parents=True)
        (stamp.parent / "bin/python").symlink_to(python)
        stamp.touch()
    subprocess.run(["make", "help"], cwd=tmp_path, check=True, capture_output=True)
    assert [stamp.exists() for stamp in stamps] == [True, False]


@pytest.fixture
def packed(tmp_path):
    """Packs a clone as a wheel or an sdist; returns the file."""
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "src", clone / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    shutil.copytree(ROOT / "tests", clone / "tests")
    names = ["pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "conftest.py"]
    for name in [*names, "CHANGELOG.md", "CITATION.cff"]:
        shutil.copy(ROOT / name, clone)
    (clone / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "two_models.csv", clone / "docs")

    def pack(kind):
        code = f"from setuptools import build_meta; build_meta.build_{kind}('{tmp_path}')"
        subprocess.run([sys.executable, "-c", code], cwd=clone, check=True, capture_output=True)
        (made,) = tmp_path.glob("kappacurve-*.*")
        return made

    return pack


def test_the_wheel_holds_and_offers_the_library_alone(packed):
    with zipfile.ZipFile(packed("wheel")) as archive:
        wheel = archive.namelist()
        (name,) = (name for name in wheel if name.endswith("/METADATA"))
        about = message_from_bytes(archive.read(name))
    assert sorted(about.get_all("Provides-Extra")) == ["files", "plots"]
    # Where the package is listed there are no files beside the text, and no address is invented.
    links = re.findall(r"\]\(([^)]*)\)", about.get_payload())
    assert all(link.startswith("https://") for link in links)
    assert about.get_all("Project-URL", []) == []
    folders = {name.partition("/")[0] for name in wheel}
    assert folders == {"kappacurve", f"kappacurve-{kappacurve.__version__}.dist-info"}
    library = ROOT / "src" / "kappacurve"
    wanted = {library / name for name in ("explorer/page.js", "explorer/page.html")}
    wanted |= {library / "__init__.pyi", library / "py.typed"}
    wanted |= {*library.rglob("*.py")}
    assert {str(path.relative_to(ROOT / "src")) for path in wanted} <= set(wheel)


@pytest.mark.slow
def test_the_sdist_passes_its_tests(packed, tmp_path):
    with tarfile.open(packed("sdist")) as archive:
        archive.extractall(tmp_path / "sdist", filter="data")
    (folder,) = (tmp_path / "sdist").iterdir()
    assert not (folder / "src" / "study").exists()
    assert (folder / "CHANGELOG.md").exists() and (folder / "CITATION.cff").exists()
    command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-m", "not slow", "-n", "2"]
    # That all it needs is packed: what the tests find, they find here.
    environment = os.environ | {"HYPOTHESIS_PROFILE": "few"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout[-3000:]
