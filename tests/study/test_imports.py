import subprocess
import sys
from pathlib import Path

from study.imports import ROOT, modules_used_by

SCRIPTS = ROOT / "workflow" / "scripts"
FIGURES = {"plot_curves", "plot_replicates", "examine_paper", "make_kit"}
# Seconds each; the functions that need one of them import it.
SLOW = {"sklearn", "imblearn", "scipy.stats", "scipy.signal", "bokeh", "numba"}
# The models of the experiment are built, after the scripts of its tables and after all.
PROGRAM = """
import sys
from importlib import import_module
sys.path.insert(0, sys.argv[1])
for scripts in sys.argv[2:]:
    for name in scripts.split():
        import_module(name)
    print(*sys.modules)
from study.models.registry import MODELS
for name in ("linear", "neural_net", "neural_net_lm"):
    MODELS[name](seed=0)
print(*sys.modules)
"""


def test_a_script_depends_on_what_it_imports_and_on_nothing_else():
    download, split, tables = (
        {Path(path).stem for path in modules_used_by(script)}
        for script in ("prepare_data", "draw_split", "make_tables")
    )
    # Indirect imports, a module's data, and what is behind public names of the library.
    assert {"german_credit", "uci", "errors"} <= download
    assert {"evaluation", "roc", "measures", "_validation"} <= split
    assert "published" in tables - split
    # A public name alone leads to its module.
    assert "explorer" in {Path(path).parent.name for path in modules_used_by("build_explorer")}
    assert not {"figures", "registry", "uci"} & tables


def test_scripts_import_nothing_slow_that_they_may_not_need():
    names = {path.stem for path in SCRIPTS.glob("[a-z]*.py")}
    groups = [" ".join(sorted(group)) for group in (names - FIGURES, FIGURES)]
    command = [sys.executable, "-c", PROGRAM, SCRIPTS, *groups]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    tables, whole, models = (set(line.split()) for line in done.stdout.splitlines())
    assert not (SLOW | {"matplotlib"}) & tables
    assert not SLOW & whole
    assert "numba" in models  # the compiled trainer
    assert not {"sklearn", "imblearn", "scipy.stats"} & models
