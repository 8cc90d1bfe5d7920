"""What the wheel holds: the library, and nothing of the study."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import kappacurve

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    command = ["wheel", ".", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", *command], cwd=source, check=True)
    (built,) = source.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        return archive.namelist()


def test_the_wheel_holds_the_library_alone(wheel):
    folders = {name.partition("/")[0] for name in wheel}
    assert folders == {"kappacurve", f"kappacurve-{kappacurve.__version__}.dist-info"}


def test_every_module_of_the_library_is_in_the_wheel(wheel):
    library = ROOT / "src" / "kappacurve"
    wanted = {*library.rglob("*.py"), library / "__init__.pyi", library / "py.typed"}
    assert {str(path.relative_to(ROOT / "src")) for path in wanted} <= set(wheel)


def test_the_citation_names_this_version_and_the_address_that_readme_clones():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert citation["version"] == kappacurve.__version__
    assert citation["repository-code"] == project["urls"]["Repository"]
    assert f"git clone {project['urls']['Repository']}\n" in (ROOT / "README.md").read_text()
    assert f"\n## {kappacurve.__version__}" in (ROOT / "CHANGELOG.md").read_text()
