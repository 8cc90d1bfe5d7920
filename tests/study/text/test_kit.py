"""The LaTeX kit compiles in the classes of papers, and nothing sticks out."""

import shutil
import subprocess

import pytest
from matplotlib.figure import Figure

from study.paper.tables import paper_tables
from study.text.documents import write_kit

CLASSES = {
    "article": r"\documentclass{article}",
    "two columns": r"\documentclass[twocolumn]{article}",
    "IEEEtran": r"\documentclass{IEEEtran}",
    "LNCS": r"\documentclass{llncs}",
}
WIDTHS = {"measures_by_skew": 478, "printed": 229}  # of figures, in points


@pytest.fixture(scope="module")
def kit(paper, tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    paths = []
    for name, width in WIDTHS.items():
        figure = Figure(figsize=(width / 72.27, 2))
        figure.subplots()
        paths.append(folder / f"{name}.pdf")
        figure.savefig(paths[-1])
    tables, claims = paper
    write_kit(paper_tables(tables, claims), paths, folder / "appendix")
    return folder


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex on the PATH")
@pytest.mark.parametrize("name", CLASSES)
def test_floats_compile_without_an_overfull_box(kit, name):
    floats = sorted(path.stem for path in (kit / "appendix/floats").iterdir())
    assert {"tab_table4", "tab_claims", "fig_measures_by_skew"} <= {*floats}
    lines = [CLASSES[name], r"\usepackage{booktabs,graphicx}\begin{document}", r"\nocite{*}Text."]
    lines += [rf"\input{{appendix/floats/{stem}}}\clearpage" for stem in floats]
    lines += [r"\bibliographystyle{plain}\bibliography{appendix/references}\end{document}"]
    (kit / "paper.tex").write_text("\n".join(lines), encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    for command in (latex, ["bibtex", "paper"], latex, latex):
        done = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    log = (kit / "paper.log").read_text(encoding="latin-1")
    boxes = log.partition("paper.bbl")[0]  # addresses of references have no place to break
    assert "Overfull" not in boxes and "undefined" not in log and "Float too large" not in log
