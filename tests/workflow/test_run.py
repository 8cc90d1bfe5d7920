"""The whole workflow with a small config, in an empty folder, through Snakemake itself."""

import json
import re
import shutil
from hashlib import sha256
from html import unescape
from importlib.metadata import version
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pypdfium2
import pytest
from compare_manifests import compare_digests, different_settings
from matplotlib.image import imread

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "config" / "small.yaml"
MODELS = ["linear", "neural_net", "neural_net_lm", "bayes"]


def read(run, path):
    return pd.read_csv(run / "results" / path)


def manifest(run):
    return json.loads((run / "results" / "manifest.json").read_text())


def test_figures_are_one_or_two_columns_wide_and_nothing_is_cut_off(run):
    images = {path.stem: imread(path) for path in run.glob("results/**/*.png")}
    assert len(images) > 15
    assert {image.shape[1] for image in images.values()} <= {1020, 2100}  # 300 dots an inch
    for name, image in images.items():
        image[2:-2, 2:-2] = 1
        assert image.min() == 1, name
    narrow = sorted(run.glob("results/figures/narrow/*.svg"))  # those that a phone shows
    for path in narrow:
        both = (path, path.parents[1] / path.name)
        assert len({re.search("<title>(.*?)</title>", one.read_text())[1] for one in both}) == 1
    assert len(narrow) == 6


def pdf_pages(path):
    """The text of each page, without its number."""
    with pypdfium2.PdfDocument(path) as pdf:
        texts = [" ".join(page.get_textpage().get_text_bounded().split()) for page in pdf]
    return [text.removesuffix(f" {number}") for number, text in enumerate(texts, 1)]


def lost_prose(folder, pdf):
    """Paragraphs, items and captions of the web page that lack a line's worth of words in print.

    Four words in a row are looked for, letters and digits alone. The end of a page costs a
    paragraph three such runs, and a table at the top of the next page three more.
    """
    page = (folder / "appendix.html").read_text(encoding="utf-8").partition("<body>")[2]
    page = page.partition('<div id="refs"')[0]
    page = re.sub(r"<script.*?</script>|<table.*?</table>", "", page, flags=re.DOTALL)
    # Each writer sets formulas and references in its own way.
    page = re.sub(r"<math.*?</math>|<a .*?</a>|\[\d.*?\]", "<p>", page, flags=re.DOTALL)
    printed = letters(" ".join(pdf_pages(pdf)))
    for part in re.split(r"</?(?:p|li|ul|ol|h\d|div|section|summary|figcaption)\b[^>]*>", page):
        text = unescape(re.sub(r"<[^>]*>", "", part))
        words = [word for word in map(letters, text.split()) if word]
        runs = ("".join(words[i : i + 4]) for i in range(len(words) - 3))
        if sum(run not in printed for run in runs) > 6:
            yield " ".join(text.split())


def letters(text):
    return re.sub(r"[\W_]", "", normalize("NFKC", text))


def test_no_prose_is_lost_in_print(run):
    folder = run / "results/appendix"
    assert list(lost_prose(folder, folder / "appendix.pdf")) == []


def test_appendix_shows_the_numbers_of_the_tables(run):
    pages = pdf_pages(run / "results/appendix/appendix.pdf")
    text = " ".join(pages)
    row = read(run, "tables/table4.csv").iloc[0]
    numbers = " ".join(f"{row[name]:.3f}" for name in ("reproduced", "mean", "sd"))
    row_shown = f"linear AUC 0.7493 {numbers} {row['low']:.3f} to {row['high']:.3f}"
    assert f"{row_shown} {row['percentile']:.1f}" in text.replace("\u2212", "-")
    checks = read(run, "companions/checks.csv")
    printed = checks.query("kind == 'printed' and study == 'baker'")["holds"].astype(str)
    counted = f"Baker: of {len(printed)} printed statements that we could recompute, "
    assert f"{counted}{(printed == 'True').sum()} agree" in text
    assert "The AUK and the class ratio" not in text  # kaymak is switched off


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "columns"),
    [("pdflatex", "onecolumn"), ("pdflatex", "twocolumn"), ("lualatex", "onecolumn")],
)
def test_latex_of_the_appendix_compiles(run, tmp_path, latex, program, columns):
    shutil.copytree(run / "results/appendix", tmp_path / "appendix")
    source = tmp_path / "appendix/appendix.tex"
    source.write_text(source.read_text().replace("a4paper]", f"a4paper,{columns}]"))
    latex(source, program)
    assert list(lost_prose(run / "results/appendix", source.with_suffix(".pdf"))) == []


@pytest.mark.slow
def test_the_kit_fits_the_columns_of_papers(run, latex, paper):
    source = paper(run / "results/appendix/kit")
    assert latex(source) <= 1
    text = " ".join(pdf_pages(source.with_suffix(".pdf")))
    assert "ERIM Report Series ERS-2010-024-LIS" in text
    assert "AUK: A simple" in text  # capitals that BibTeX leaves alone
    printed = re.findall(r"published 0\.7493 0\.1672 percentile", text)
    assert len(printed) == 2  # of the hull, with each positive class


def test_figures_of_the_kit_are_as_wide_as_asked_with_letters_of_eight_points(run, snakemake):
    asked = "document={kit: {width: 3in, font: sans}}"
    snakemake(run, "--config", asked, "--", "results/kit")
    for kit, inches, font in (("appendix/kit", 240 / 72.27, "STIX"), ("kit", 3, "DejaVuSans")):
        drawn = sorted((run / "results" / kit / "figures").glob("*.pdf"))
        assert len(drawn) == 7
        for path in drawn:
            with pypdfium2.PdfDocument(path) as pdf:
                assert pdf[0].get_width() == pytest.approx(72 * inches, abs=0.01)
                text = pdf[0].get_textpage()
                letters_of = [i for i, one in enumerate(text.get_text_range()) if one.strip()]
                sizes = {pypdfium2.raw.FPDFText_GetFontSize(text, i) for i in letters_of}
            assert sizes == {8}, path
            assert font.encode() in path.read_bytes()


def test_documents_and_kit_say_whose_they_are(run):
    results = run / "results"
    assert "<title>Was the paper reproduced?</title>" in (results / "index.html").read_text()
    appendix = (results / "appendix/appendix.tex").read_text()
    assert r"\title{Reproducing ``AUK: a simple alternative to the AUC''}" in appendix
    assert rf"\centering made by kappacurve {version('kappacurve')}}}}}" in appendix
    sha256_of_table = manifest(run)["data_sha256"]
    kit = " ".join((results / "appendix/kit/README.md").read_text().split())
    assert f"from Statlog German Credit (SHA-256 of the table: {sha256_of_table})" in kit
    assert (results / "appendix/kit/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_companion_study_that_is_switched_off_makes_nothing(run):
    folders = (path for path in (run / "results/companions").iterdir() if path.is_dir())
    made = {path.name for path in folders}
    assert made == {"ben_david", "baker", "silipo"}
    assert set(read(run, "companions/checks.csv")["study"]) == made


def test_there_are_as_many_rows_and_replicates_as_asked_for(run):
    sample, scores = read(run, "paper/sample.csv"), read(run, "paper/scores.csv")
    assert (len(sample), sample["minority"].sum()) == (786, 86)
    # Stratified: 86 of 786, so 42 of the 386 test rows.
    counted = scores.groupby("model", sort=False)["minority"].agg(["size", "sum"])
    assert counted.T.to_dict("list") == {model: [386, 42] for model in MODELS}
    rows = pd.read_parquet(run / "results/replicates/scores.parquet")
    drawn = rows.groupby("model").size() / 386
    assert drawn.to_dict() == dict.fromkeys(MODELS, 12) | {"neural_net_lm": 4}


def test_forensics_follow_the_run(run):
    readings = read(run, "forensics/readings.csv").set_index(["departures", "prevalence"])
    assert readings.loc[("as in the text", "test rows"), "triple: digits"] == "no"
    # Twelve replicates say nothing about eleven numbers.
    assert readings.loc[("good positive", "test rows"), "both: in our splits"] == "undecided"
    verdict = (run / "results/forensics/verdict.md").read_text()
    assert "4. **The rank reversal** cannot be judged" in verdict
    claims = read(run, "forensics/claims.csv")
    assert {"holds", "does not hold"} <= set(claims["verdict"])
    files = set(claims["file"].str.split("; ").explode())
    made = [file for file in files if not file.startswith("studies/")]
    assert all((run / "results" / file).is_file() for file in made)


SWEPT = {"sweep_cell": "1"}


@pytest.mark.parametrize(
    ("change", "drawn"),
    [
        ("sweep: {skew: [0.05, 0.2, 0.3]}\nfigures: {figure1: {prevalence: 0.4}}", SWEPT),
        # Its own two parts; the one split has all models.
        (
            "models: {near: {estimator: sklearn.neighbors.KNeighborsClassifier}}",
            {"draw_replicates": "2", "split": "1", "split_original": "1"},
        ),
        ("document: {title: Ours, author: A. Author}", {}),
        ("data: {names: {minority: default, majority: paid}}", {}),
        # In another order, and how UCI is asked.
        ("experiment: {scaling: minmax, n_train: 400}\ndata: {timeout_seconds: 20}", None),
    ],
    ids=["a level and a figure", "a model", "a title", "names", "a time-out"],
)
def test_a_change_reruns_what_depends_on_it(run, tmp_path, snakemake, planned, change, drawn):
    (tmp_path / "more.yaml").write_text(change)
    plan = snakemake(run, "--dry-run", config=[SMALL, tmp_path / "more.yaml"])
    jobs = planned(plan)
    costly = {"prepare_data", "split", "split_original", "draw_replicates"}
    costly |= {"sweep_cell", "specification_cell"}
    assert {name: jobs[name] for name in costly & jobs.keys()} == (drawn or {})
    words = {"documents", "kit", "manifest", "all", "total"}
    if "title" in change:
        assert jobs.keys() == words
    if "names" in change:
        plots = {"plot_curves", "plot_replicates", "plot_sweep", "plot_specification"}
        assert jobs.keys() == words | plots | {"pages", "compare_models", "explorer"}
    assert ("Nothing to be done" in plan) == (drawn is None)


def test_report_is_one_page_without_addresses_to_load(run, snakemake):
    snakemake(run, "--report", "results/report.html")
    page = (run / "results" / "report.html").read_text()
    assert not re.search(r"""<(script|img)[^>]*\ssrc=["']https?:""", page)
    assert len(page) < 15e6
    # Every table's page and figure once.
    results = run / "results"
    made = {path.relative_to(run).as_posix() for path in results.rglob("*.*")}
    page_or_drawing = r"(?!.*/appendix).*\.html|.*\.svg|.*/appendix\.pdf"
    outside = r"results/((index|report|explorer)\.html|figures/narrow/.*)"
    made = {name for name in made if re.fullmatch(page_or_drawing, name)}
    shown, categories = (
        json.JSONDecoder().raw_decode(page, re.search(rf"var {name} = (?={{\")", page).end())[0]
        for name in ("results", "categories")
    )
    assert set(shown) == {name for name in made if not re.fullmatch(outside, name)}
    for one in shown.values():
        assert len(one["caption"]) > 40 and set(one["labels"]) == {"what"}
    listed = [name for parts in categories.values() for part in parts.values() for name in part]
    assert sorted(listed) == sorted(shown)


def test_manifest_has_the_checksum_of_every_table_and_figure(run):
    results = run / "results"
    found = manifest(run)
    kinds = re.compile(r"\.(csv|json|md|tex|bib|html|pdf|svg|png|parquet)")
    made = [path for path in results.rglob("*") if kinds.fullmatch(path.suffix)]
    made = {path.relative_to(results).as_posix() for path in made}
    # Steps on the way (features, parts of replicates), the report, what has the time in it, and
    # the kit, which is rebuilt in another width.
    outside = r"data/features_\w+.csv|.*\.parquet|report.html|logs/.*|(appendix/)?kit/.*"
    outside += r"|manifest.json|.*provenance.json"
    assert set(found["files"]) == {name for name in made if not re.fullmatch(outside, name)}
    table = results / "tables" / "table4.csv"
    assert found["files"]["tables/table4.csv"] == sha256(table.read_bytes()).hexdigest()
    assert found["seed"] == found["config"]["seed"] == 7
    assert "kaymak" in found["config"]["companions"]
    assert found["versions"]["scikit-learn"] == version("scikit-learn")
    provenance = json.loads((results / "data" / "provenance.json").read_text())
    assert found["data_sha256"] == provenance["sha256_of_canonical_table"]
    text = json.dumps(found, indent=1, sort_keys=True)  # whatever the order of the rules
    assert (results / "manifest.json").read_text() == f"{text}\n"


@pytest.mark.slow
def test_the_quick_run_says_which_model_to_take(tmp_path, snakemake):
    snakemake(tmp_path, config=ROOT / "config" / "quick.yaml")
    rows = pd.read_parquet(tmp_path / "results/replicates/measures.parquet")
    assert rows["replicate"].nunique() == 100
    answer = read(tmp_path, "tables/answer.csv")
    assert {"rows", "leader", "threshold"} <= set(answer["about"])


@pytest.mark.slow
def test_same_bytes_on_four_cores_in_other_parts_with_four_threads(run, tmp_path, snakemake):
    chunks = tmp_path / "chunks.yaml"
    chunks.write_text("replicates: {per_job: 12}\nsweep: {per_job: 1}\n")
    # Snakemake gives a job as many BLAS threads as its rule has, else one.
    threads = ["split", "split_original", "draw_replicates", "specification_cell", "forensics"]
    cores = ("--cores", "4", "--set-threads", *(f"{rule}=4" for rule in threads))
    snakemake(tmp_path, *cores, config=[SMALL, chunks])
    found = different_settings(manifest(run)["config"], manifest(tmp_path)["config"])
    assert found == ["replicates.per_job", "sweep.per_job"]
    changed, *missing = compare_digests(manifest(run)["files"], manifest(tmp_path)["files"])
    assert missing == [[], []]
    # The appendix prints all settings, these among them.
    assert not [name for name in changed if not name.startswith(("appendix/", "facts"))]
