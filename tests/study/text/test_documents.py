"""Page, verdict and appendix say what the tables hold, in every format."""

import re
import shutil
import subprocess
from html import unescape
from unicodedata import normalize

import pandas as pd
import pypdfium2
import pytest
from write_verdict import PAGE, write_verdict

from study.errors import ExperimentError
from study.settings import read_config
from study.text.documents import Writer, takes_both_columns
from study.text.own_data import (
    describe_certainty,
    describe_limit,
    describe_loss,
    describe_probabilities,
    describe_ranking,
)
from study.text.summary import (
    POSSIBLE,
    answer_cheaper,
    answer_printed_numbers,
    answer_reversal,
    describe_assumptions,
    describe_stars,
    pick_reversals,
    table_of_sensitivity,
)
from study.text.tables import typst_table
from study.text.values import describe_failures

NAMES = {"minority": "bad", "majority": "good"}


def text_of_page(path):
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", path.read_text(), flags=re.DOTALL)
    return words_of(unescape(text))


def words_of(text):
    return " ".join(text.split())


def text_of_pdf(path):
    pages = pypdfium2.PdfDocument(path)
    return " ".join(page.get_textpage().get_text_range() for page in pages)


def letters(text):
    """Letters and digits alone: a PDF may break words and write ligatures."""
    return re.sub(r"[\W_]", "", normalize("NFKC", text))


# ---- answers and tables of the paper ----


FIT = "hey fit if good customers are the positive class."
RATES = (
    "Areas and rates do if good customers are the positive class; 0.328 is perhaps the difference "
)
RATES += "of the rates."
TEXT, GOOD = "as the text says", "good is the positive class"


@pytest.mark.parametrize(
    ("explanation", "possible", "words"),
    [
        (TEXT, dict.fromkeys(POSSIBLE, True), ("Yes", "")),
        (GOOD, {}, ("No", RATES)),
        (GOOD, {"kappa_possible": True}, ("No", f"T{FIT}")),
        (GOOD, {"difference_possible": False}, ("No", f"Nor do t{FIT}")),
        (GOOD, {"table_4_possible": False}, ("No", f"Nor do t{FIT}")),
    ],
)
def test_the_answer_on_the_printed_numbers_follows_the_explanations(
    made, explanation, possible, words
):
    table = made.change("tables/explanations", "explanation", explanation, **possible)
    assert answer_printed_numbers(table, NAMES)[1:] == words


def test_the_answer_on_the_reversal_follows_counts_and_claims(made):
    counted = made.change("tables/rank_reversal", "pattern", "printed", reversals=77)
    printed = pick_reversals(counted, "both", "printed")
    for verdict, word in (("holds", "Yes"), (None, "Not judged under these settings")):
        claims = made.change("tables/claims", "key", "reversal", verdict=verdict)
        answer = answer_reversal(printed, claims)
        assert answer[1:] == (word, "As printed, in 77 of 1000 splits.")


OF_RUN = "loses less in 875 of 1000 splits, the network in 106. Per 1,000 rows the linear model's "
OF_RUN += "errors cost 370 false alarms, the network's 428, using no model 548; "
OF_NETWORK = "loses less in 106 of 1000 splits, the linear model in 875. Per 1,000 rows the "
OF_NETWORK += "network's errors cost 300 false alarms, the linear model's 370, using no model 548; "


@pytest.mark.parametrize(
    ("changes", "word", "parts"),
    [
        (
            {},
            "The linear model, but not significantly",
            (OF_RUN, "Difference: 58 (95 % interval \u221214 to 130, corrected for shared rows)."),
        ),
        (
            {"loss_difference": {"low": 2.4, "high": 113}},
            "The linear model",
            (OF_RUN, "Difference: 58 (95 % interval 2 to 113, corrected for shared rows)."),
        ),
        (
            {
                "loss_neural_net": {"value": 300},
                "loss_difference": {"value": -70, "low": -120, "high": -20},
            },
            "The network",
            (OF_NETWORK, "Difference: 70 (95 % interval 20 to 120, corrected for shared rows)."),
        ),
        (
            {"loss_difference": {"low": None, "high": None}},
            "The linear model, but not significantly",
            (OF_RUN, "; the test rows choose the thresholds."),
        ),
    ],
    ids=["run", "linear", "network", "one split"],
)
def test_the_cheaper_model_at_the_cost_of_uci_follows_the_cases(made, changes, word, parts):
    table = made.PAPER["tables/cases"].set_index("key")
    for key, values in changes.items():
        table.loc[key, list(values)] = list(values.values())
    answer = answer_cheaper(table.reset_index(), NAMES)
    assert (answer.question, answer.word) == ("Which model at a cost of 5?", word)
    assert parts[0] in answer.sentence and answer.sentence.endswith(parts[1])


def test_without_splits_no_model_is_called_cheaper(made):
    cases = made.PAPER["tables/cases"].assign(cases=0)
    assert answer_cheaper(cases, NAMES)[1:] == ("Not judged under these settings", "")


def test_the_caption_of_the_stars_follows_the_tables(made):
    tables = [made.PAPER[f"tables/table{number}"] for number in (4, 5)]
    both = pd.concat(tables, ignore_index=True)
    said = "8 of 8 stars lie on their line with good customers positive (AUK: green), and 6 with"
    assert said in describe_stars(both, NAMES)
    both.loc[both["model"] == "linear", "low"] = 0.9
    caption = describe_stars(both, NAMES)
    said = "4 of 8 stars lie on their line with good customers positive (AUK: green), and 2 with"
    assert said in caption


def test_a_network_whose_numbers_depend_on_the_cpu_gains_no_digits(made):
    paper = made.PAPER["tables/sensitivity"].head(1)
    network = paper.assign(model_b="neural_net_lm", auc_a=0.73, distance=3.6, splits_farther=25)
    numbers = ["auc_a", "auk_a", "auc_b", "auk_b", "share", "distance", "splits_farther"]
    none = paper.assign(replicates=0, **dict.fromkeys(numbers))
    table = table_of_sensitivity(pd.concat([paper, network, none], ignore_index=True))
    assert table["linear AUC"].tolist() == ["0.796", "0.73", ""]
    assert table["distance"].tolist() == ["3.3", "3.6", ""]
    assert table["farther"].tolist() == ["202", "25", ""]
    assert words_of(table["reversed (95 % interval)"][0]) == "0.9 % (0.5 to 1.7)"
    assert table["reversed (95 % interval)"][2] == "not possible"


def test_assumptions_are_those_of_the_settings_where_the_config_keeps_them():
    kept = dict(describe_assumptions(read_config({}), NAMES))
    assert len(kept) == 10
    assert kept["Split"] == "random, as the paper says; the class ratio is not kept."
    changed = read_config({"experiment": {"encoding": "onehot"}})
    assert dict(describe_assumptions(changed, NAMES))["Columns"] == (
        "experiment.encoding is onehot in this run."
    )
    lines = describe_assumptions(changed, NAMES)
    others = {name: text for name, text in lines if name != "Columns"}
    assert others.items() <= kept.items()


# ---- documents of the paper ----


def test_page_and_verdict_say_what_the_tables_hold(paper_results, tmp_path):
    """docs/verdict.md is that of the default run."""
    text = (paper_results / "verdict.md").read_text()
    made = tmp_path / PAGE.name
    made.write_text(write_verdict(text), encoding="utf-8", newline="\n")
    assert made.read_text() == PAGE.read_text(), f"if this is meant: cp {made} {PAGE}"
    assert re.search(r"^\|:-+\|(-+:\|){4}$", text, re.MULTILINE)  # words left, numbers right
    page = text_of_page(paper_results / "index.html")
    assert not re.search(r"(Table|Figure) \d\.", page)  # numbers are the appendix's
    plain = re.sub(r"\]\([^)]*\)", "", text)
    paragraphs = [letters(part) for part in plain.split("\n\n") if part[0] not in "|!"]
    assert len(paragraphs) > 20
    assert [part for part in paragraphs if part not in letters(page)] == []
    for cell in re.findall(r"\d\.\d{3} \(.*?\)", text):
        assert cell in page


def test_the_study_has_the_verdicts_that_the_page_tells(made):
    results, earlier = (made.PAPER[f"study/{name}"] for name in ("results", "earlier_rounds"))
    registered = results.dropna(subset="registered").set_index("key")
    assert len(registered) == 8
    for_auk = registered[registered["measure"] == "auk"]
    assert sorted(for_auk.index) == ["choice_own_cost", "power_5", "power_own_cost"]
    assert for_auk["registered"].str.endswith(": confirmed").all()
    assert (for_auk["holm"] > 0.05).all()
    assert for_auk.index[for_auk["equal_packages_low"] > 0].tolist() == ["power_5"]
    refuted = earlier[earlier["registered"].fillna("").str.endswith(": refuted")]
    assert refuted["key"].tolist() == ["choice_25_at_2_new"]


def test_what_no_split_shows_is_not_said(tmp_path, made):
    """Without a reversal the figure has one split; where all disagree, closeness explains none."""
    gaps = made.PAPER["tables/reversal_by_gap"].assign(reversals=[0, 3, 9] * 4)
    none = made.change("tables/rank_reversal", "pattern", "printed", reversals=0)
    tables = made.PAPER | {"tables/rank_reversal": none, "tables/reversal_by_gap": gaps}
    results = made.write_run(tmp_path, tables, paper=True)
    page = text_of_page(results / "index.html")
    appendix = text_of_page(results / "appendix/appendix.html")
    for said in ("models are close", "clearest reversal", "(b, d)", "both splits"):
        assert said not in page
        assert said not in appendix
    assert "When the measures disagree" in page and "has the typical split at any cost" in page
    assert "A typical split; none reverses as printed." in page
    assert "No split reverses as printed." in appendix
    assert "Table 5 counts these splits by the difference in AUC." in appendix


def test_the_classes_have_their_names_wherever_the_paper_is_told(tmp_path, made):
    results = made.write_run(tmp_path, made.PAPER, paper=True, names=("late", "punctual"))
    for name in ("index.html", "appendix/appendix.html"):
        text = text_of_page(results / name)
        assert not re.search(r"\b(good|bad)\b(?! rows [\d.]+)", text)  # the change 87_bad_rows
        assert "kappa is taken at the share of punctual customers" in text


def test_methods_that_the_appendix_names_are_cited(paper_results, own_results):
    nadeau, wilson = "Inference for the generalization error", "Probable inference, the law"
    texts = [text_of_page(path / "appendix/appendix.html") for path in (paper_results, own_results)]
    assert [text.count(nadeau) for text in texts] == [1, 1]
    assert [text.count(wilson) for text in texts] == [1, 0]


def test_the_kit_names_the_figures_without_a_caption(tmp_path, made):
    results = made.write_run(tmp_path, made.PAPER, paper=True)
    assert "but not of" not in (results / "appendix/README.md").read_text()
    made.write_run(tmp_path / "more", made.PAPER, paper=True, figures=("figure1", "sensitivity"))
    readme = words_of((tmp_path / "more/results/appendix/README.md").read_text())
    assert "stand in `appendix.tex`, but not of `figure1` and `sensitivity`, which" in readme


@pytest.mark.parametrize(
    ("width", "said"),
    [
        ("229pt", "The width 229pt fits `article` on letter paper and `IEEEtran`. For"),
        ("252pt", "The width 252pt fits `IEEEtran`. For"),
        ("120mm", "references} ``` For another column"),
    ],
)
def test_the_kit_names_the_classes_that_its_width_fits(tmp_path, made, width, said):
    results = made.write_run(tmp_path, made.OWN, paper=False, width=width)
    assert said in words_of((results / "appendix/README.md").read_text())


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (["linear", "neural_net"], "the models linear and network"),
        (["logistic"], "the model logistic"),
        (["neural_net", "logistic", "linear"], "all models"),
    ],
)
def test_captions_name_the_models_that_are_drawn(tmp_path, made, drawn, said):
    results = made.write_run(tmp_path, made.PAPER, paper=True, drawn=drawn)
    appendix = text_of_page(results / "appendix/appendix.html")
    assert appendix.count(f" of {said} on the test rows of one split") == 4
    own = made.write_run(tmp_path / "own", made.OWN, paper=False, drawn=drawn)
    assert f"curves (b) of {said} on" in text_of_page(own / "appendix/appendix.html")
    assert f"curves (b) of {said} on" in (own / "appendix/README.md").read_text()


HARD = {"verdict": "holds", "claim": "“as <it> *says*”", "evidence": "-0.9 %, of 786 & more"}


def test_changed_tables_change_the_page(tmp_path, made, paper_results):
    changed = made.PAPER | {
        name: made.change(name, column, level, **values)
        for name, column, level, values in (
            ("tables/explanations", "explanation", TEXT, dict.fromkeys(POSSIBLE, True)),
            ("tables/rank_reversal", "pattern", "as_large", {"reversals": 3}),
            ("tables/claims", "key", "better_measure", HARD),
        )
    }
    page = text_of_page(made.write_run(tmp_path, changed, paper=True) / "index.html")
    for sentence in (
        "Do the printed numbers fit the text? Yes.",
        "Is AUK the better measure? Yes.",
        "“as <it> *says*”",
        "\u22120.9 %, of 786 & more",
        "on the curve and on its hull, in 9, and by as much in 3.",
    ):
        assert sentence in page
        assert sentence not in text_of_page(paper_results / "index.html")


@pytest.mark.parametrize(
    ("experiment", "words"),
    [
        ({"skew": 0.05, "cost_ratio": 5}, "5 % bad customers"),
        ({"skew": None}, "all bad customers kept"),
    ],
)
def test_other_settings_leave_what_the_page_says_of_the_paper(tmp_path, made, experiment, words):
    counts = made.PAPER["tables/rank_reversal"].query("pattern != 'as_large'")
    tables = made.PAPER | {"tables/rank_reversal": counts}
    results = made.write_run(tmp_path, tables, paper=True, experiment=experiment)
    page = text_of_page(results / "index.html")
    assert f"We repeated it on 1000 random splits, with {words}." in page
    assert "German Credit with 11 % bad customers, AUC prefers" in page
    assert "= 0.106; the paper prints 0.328. At 89 % positives" in page
    at_cost = "good customers positive, where missing a bad one costs 5 false alarms. Table 5"
    assert (at_cost in page) == ("cost_ratio" in experiment)
    fewer = "15.3 % (at 2 %)."  # than in the run
    if experiment["skew"] is None:
        fewer = "0.6 % (at 20 %), 4.2 % (at 11 %), 10.8 % (at 5 %) and 15.3 % (at 2 %)."
    said = f"on its hull, in 9. Of splits with fewer bad customers they disagree in {fewer}"
    assert said in page
    appendix = text_of_page(results / "appendix/appendix.html")
    assert "with 11 % bad customers" in appendix and "0.106 with 11 % positives" in appendix
    assert ("in the kappa of our areas" in appendix) == ("cost_ratio" in experiment)


def test_prose_of_the_page_is_short(paper_results):
    """At most 795 words outside tables, captions and closed rows, as they are without figures."""
    page = (paper_results / "index.html").read_text()
    for element in ("style", "title", "table", "figcaption", "details"):
        page = re.sub(rf"<{element}\b.*?</{element}>", " ", page, flags=re.DOTALL)
    assert len(unescape(re.sub(r"<[^>]*>", " ", page)).split()) <= 795


def test_typst_latex_and_html_show_the_same(paper_results):
    folder = paper_results / "appendix"
    pdf = text_of_pdf(folder / "appendix.pdf").replace("\u2212", "-")
    page = text_of_page(folder / "appendix.html").replace("\u2212", "-")
    latex = (folder / "appendix.tex").read_text()
    tables = sorted((folder / "tables").glob("*.tex"))
    assert {"table4", "table5", "claims_example", "explanations", "sensitivity"} <= {
        path.stem for path in tables
    }
    for path in tables:
        assert rf"\input{{tables/{path.stem}}}" in latex
        cells = re.sub(r"p\{[\d.]+\\textwidth\}", "", path.read_text())
        assert not re.search(r"(?<!\\)[%_#]", cells), path.name
        for number in re.findall(r"\d+\.\d+", cells):
            assert number in pdf and number in page, path.name
    assert r"Table~\ref{kappacurve:table4}" in latex
    assert page.count("In these rows 26 of 286 are bad (9.1 %).") == 4
    assert "Reproducing “AUK: a simple alternative to the AUC”" in page
    assert "500 rows train and the other ones test" in page
    html = (folder / "appendix.html").read_text()
    assert html.count("<h1") == 1
    assert '<th scope="col" class="n">splits</th>' in html
    assert '<th scope="col">change</th>' in html
    for kind in ("Table", "Figure"):
        numbers = re.findall(rf"<strong>{kind} (\d+)\.</strong>", html)
        assert list(map(int, numbers)) == list(range(1, len(numbers) + 1)) and len(numbers) > 5
    # What stands between two marks begins in print as on the page; its end may cross pages.
    body = html.partition("<body>")[2].partition('id="refs"')[0]
    parts = re.split(r"<(?:table|math|a ).*?</(?:table|math|a)>|<[^>]*>", body, flags=re.DOTALL)
    starts = [letters(unescape(part))[:40] for part in parts]
    starts = [start for start in starts if len(start) == 40]
    assert len(starts) > 20
    assert [start for start in starts if start not in letters(pdf)] == []


def test_every_link_has_its_target(paper_results, own_results):
    for results in (paper_results, own_results):
        for name in ("index.html", "verdict.md", "appendix/appendix.html"):
            text = (results / name).read_text()
            links = [a or b for a, b in re.findall(r'href="([^"]*)"|\]\(([^)\s]*)\)', text)]
            assert links
            for link in links:
                path, _, place = link.partition("#")
                target = (results / name).parent / path
                assert link.startswith("https://") or not path or target.exists(), link
                assert not place or f'id="{place}"' in text, link
            assert not re.search(r'(src|srcset)="(?!data:)|@import|url\(|<script', text)


def test_a_text_links_only_to_what_the_run_made():
    with pytest.raises(ExperimentError, match=r"links to results/tables/none\.csv, which this run"):
        Writer("html", {}, links=["tables/table4.csv"]).link("text", "tables/none.csv")
    with pytest.raises(ExperimentError, match="the figure none, which this run did not draw"):
        Writer("html", {}).figure("none", "caption")


def test_two_columns_hold_pairs_of_narrow_figures(made, paper_results):
    figures = {name: paper_results / f"figures/{name}.pdf" for name in made.FIGURES}
    for names, n_cells in (
        (["printed"], 0),
        (["printed", "prevalences"], 2),
        (["printed", "prevalences", "measures_by_skew", "figure2_majority"], 2),
        (["none", "measures_by_skew"], 0),
    ):
        writer = Writer("typst", {}, figures, numbered=True)
        text = writer.figures_side_by_side([(name, "caption") for name in names])
        assert (text.count("grid("), text.count("```{=typst}\n],\n")) == (n_cells > 0, n_cells)
        assert list(writer.numbers) == [name for name in names if name in figures]


@pytest.mark.parametrize(
    ("inches", "column", "is_wide"),
    [(3.17, "229pt", False), (6.48, "229pt", True), (6.48, "7in", False), (3.35, "40mm", True)],
)
def test_a_figure_is_wide_by_the_column_of_the_document(inches, column, is_wide):
    assert takes_both_columns(inches, column) == is_wide


def find_latex(name):
    """Skip a test without pdflatex, the class or its fonts."""
    for program in ("pdflatex", "kpsewhich"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian: texlive-latex-recommended)")
    for file in (f"{name}.cls", "ptmr7t.tfm"):
        if not subprocess.run(["kpsewhich", file], capture_output=True, check=False).stdout:
            pytest.skip(
                f"{file} is missing (Debian: texlive-publishers, texlive-fonts-recommended)"
            )


def compile_latex(folder, name):
    """The log of a document, which has no unknown reference or letter."""
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name]
    for command in (latex, ["bibtex", name], latex, latex):
        subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=True)
    log = (folder / f"{name}.log").read_text(errors="replace")
    flaws = "undefined (references|citations)|multiply|Missing character|too large for page"
    assert not re.search(flaws, log)
    return log


@pytest.mark.slow
@pytest.mark.parametrize("name", ["article", "IEEEtran"])
def test_the_appendix_compiles(tmp_path, paper_results, own_results, name):
    find_latex(name)
    for results in (paper_results, own_results):
        folder = tmp_path / results.parent.name
        shutil.copytree(results / "appendix", folder)
        text = (folder / "appendix.tex").read_text()
        if name == "IEEEtran":
            text = re.sub(r"\\documentclass.*", r"\\documentclass[journal]{IEEEtran}", text)
            text = re.sub(r"\\usepackage.*\{geometry\}", "", text)
        (folder / "appendix.tex").write_text(text)
        log = compile_latex(folder, "appendix")
        assert all(float(width) < 10 for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["article", "IEEEtran"])
def test_a_paper_that_follows_the_readme_compiles(tmp_path, paper_results, own_results, name):
    """Its blocks go into a paper of two columns as they stand; all figures and tables fit, too."""
    find_latex(name)
    for results in (paper_results, own_results):
        folder = tmp_path / results.parent.name
        shutil.copytree(results / "appendix", folder / "appendix")
        readme = (folder / "appendix/README.md").read_text()
        packages, floats, bibliography = re.findall(r"```latex\n(.*?)```", readme, re.DOTALL)
        figures = [path.stem for path in (folder / "appendix/figures").glob("*.pdf")]
        wide = re.findall(r"`(\w+)`", re.search(r"so do(?:es)? (`.*?)\.", readme, re.DOTALL)[1])
        assert set(wide) < set(figures)
        rest = [
            rf"\begin{{{kind}}}\includegraphics{{appendix/figures/{figure}}}\end{{{kind}}}"
            for figure in figures
            for kind in ["figure*" if figure in wide else "figure"]
        ]
        look = re.search(r"\\footnotesize\S*", floats)[0]
        rest += [
            rf"\begin{{table*}}{look}\input{{appendix/tables/{path.stem}}}\end{{table*}}"
            for path in (folder / "appendix/tables").glob("*.tex")
        ]
        label = re.search(r"\\label\{(.*?)\}", floats)[1]
        options = {"article": "twocolumn", "IEEEtran": "journal"}[name]
        lines = [rf"\documentclass[{options}]{{{name}}}", packages, r"\begin{document}"]
        lines += [rf"See \ref{{{label}}}.", floats, r"\clearpage", *rest, bibliography]
        (folder / "paper.tex").write_text("\n".join([*lines, r"\end{document}"]))
        assert "Overfull" not in compile_latex(folder, "paper")


@pytest.mark.slow
def test_each_table_of_claims_fits_a_page_of_one_column(tmp_path, paper_results):
    find_latex("article")
    lines = [r"\documentclass{article}\usepackage{array,booktabs}\begin{document}"]
    for path in (paper_results / "appendix/tables").glob("claims_*.tex"):
        table = rf"\footnotesize\setlength{{\tabcolsep}}{{3pt}}\input{{{path.as_posix()}}}"
        lines += [rf"\begin{{table}}{table}\end{{table}}"]
    assert len(lines) == 4
    (tmp_path / "paper.tex").write_text("\n".join([*lines, r"\end{document}"]))
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    subprocess.run(latex, cwd=tmp_path, capture_output=True, timeout=120, check=True)
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert not re.search("Overfull|too large for page", log)


@pytest.mark.parametrize(
    ("widths", "columns"),
    [((), "auto, auto"), ((0.25, None), "25%, auto")],
    ids=["narrow", "wraps"],
)
def test_a_typst_table_has_its_widths_and_numbers_to_the_right(widths, columns):
    table = typst_table(pd.DataFrame({"a_b": ["#x"], "n": ["0.5"]}), widths)
    assert table.startswith(f"table(columns: ({columns}), align: (left, right,),\n")
    assert table.endswith("[a\\_b], [n]), table.hline(),\n[\\#x], [0.5])")


# ---- own data ----


def test_own_data_begin_with_the_loss_and_have_no_word_of_the_paper(own_results):
    page = text_of_page(own_results / "index.html")
    verdict = (own_results / "verdict.md").read_text()
    pdf = words_of(text_of_pdf(own_results / "appendix/appendix.pdf"))
    for answer in (
        f"{LOSS} {SURE}",
        LIMIT,
        PROBABILITIES,
        "Ranked best over 200 splits: linear by AUC, AUK and H. No lead over another model is "
        "significant.",
        "random splits that keep all rows of one no_of*loan together.",
        "At the cost, rows are flagged from a probability of 0.0909 on.",  # 1 / (1 + 10)
    ):
        assert page.count(answer) == 1
        assert letters(answer) in letters(pdf)
    for text in (page, verdict, pdf):
        assert not re.search(r"paper(?! is)|Kaymak|German|printed|reversal|bad\b", text), text
    assert page.startswith(f"{'Which *loans* | default? ' * 2}{LOSS}")  # title, heading, answer
    # Of the loss, and of probabilities and ranking, which have no interval.
    assert page.count("significant") == 3


LOSS = (
    "Where a missed de_fault* costs 10 false alarms, for|est_*1* loses least: 212 false alarms per "
    "1,000 rows over 200 splits, 31 fewer than linear (95 % interval 12 to 50), 88 fewer than "
    "flagging nobody."
)
SURE, UNSURE = "All its leads are significant.", "None of its leads is significant."
LIMIT = (
    "With thresholds that keep flagged<=0.1 on the training rows, linear finds most: 31 % of the "
    "de_fault* rows over 200 splits, flagging 12 % of all rows, 3 points more than for|est_*1* "
    "(95 % interval \u22121 to 7). As many rows at random hold 12 % of them."
)
PROBABILITIES = (
    "The probabilities of for|est_*1*, the only ones, have a Brier score of 0.080 over 200 "
    "splits, 0.020 less than the share alone."
)
FEW = "Nothing can be said by 2 distinct splits: 5 of each are needed."


def answers(section):
    return words_of(section.sentence), section.certainty


def test_the_loss_is_answered_over_splits(made):
    leads = made.leads()
    assert answers(describe_loss(leads, 10, "de_fault*")) == (LOSS, SURE)
    # A model that loses more than flagging nobody is not to be used.
    is_loss = leads["measure"] == "expected_loss"
    changed = leads[is_loss].iloc[[2, 0, 1]].assign(mean=[200.0, 212, 243])
    changed[["difference", "lower", "upper"]] = [[None] * 3, [-12, -30, 6.0], [-43, -90, 4.0]]
    changed["p_value"] = [None, 0.2, 0.1]
    nobody = (
        "Where a missed loan costs 10 false alarms, flag nobody: no model loses less. That costs "
        "200 false alarms per 1,000 rows over 200 splits, 12 fewer than for|est_*1* (95 % interval "
        "\u22126 to 30)."
    )
    assert answers(describe_loss(changed, 10, "loan")) == (nobody, UNSURE)
    changed["p_value"] = [None, 0.2, 0.04]
    only = "Only its lead over linear is significant."
    assert describe_loss(changed, 10, "loan").certainty == only
    few = made.leads(None, FEW)
    few[["difference", "lower", "upper"]] = None
    alone = (
        "Where a missed loan costs 10 false alarms, for|est_*1* loses least: 212 false alarms per "
        "1,000 rows over 200 splits."
    )
    assert answers(describe_loss(few, 10, "loan")) == (alone, FEW)
    assert describe_certainty(few[few["measure"] == "brier"].iloc[:1]) == FEW


def test_a_recall_is_answered_by_the_rows_that_are_flagged(made):
    leads = made.leads()
    leads["measure"] = leads["measure"].replace(
        {
            "flagged at flagged<=0.1": "recall at recall>=0.3",
            "recall at flagged<=0.1": "flagged at recall>=0.3",
        }
    )
    ends = ["difference", "lower", "upper"]
    is_rival = (leads["measure"] == "flagged at recall>=0.3") & leads["difference"].notna()
    leads.loc[is_rival, ends] = [-0.03, -0.07, 0.01]
    section = describe_limit(leads, "recall>=0.3", "loan", 0.2)
    assert answers(section)[0] == (
        "With thresholds that keep recall>=0.3 on the training rows, linear flags fewest: 31 % of "
        "all rows over 200 splits, finding 12 % of the loan rows, 3 points fewer than for|est_*1* "
        "(95 % interval \u22121 to 7). At random it would take 12 % of all rows."
    )
    (table,) = section.tables.values()
    assert table["points behind"].tolist() == ["", "3 (\u22121 to 7)"]
    # A lead that does not vary over the splits has no interval.
    leads.loc[is_rival, ends] = [0.0, None, None]
    (table,) = describe_limit(leads, "recall>=0.3", "loan", 0.2).tables.values()
    assert table["points behind"].tolist() == ["", "0"]
    is_missed = leads["measure"].str.endswith("at recall>=0.3") & (leads["model"] == "linear")
    leads.loc[is_missed, "note"] = "Not compared: on the test rows it has recall 0.12."
    sentence = words_of(describe_limit(leads, "recall>=0.3", "loan", 0.125).sentence)
    assert "for|est_*1* flags 28 % of all rows" in sentence  # the only one left
    assert sentence.endswith(
        "More than 12.5 % off the limit on the test rows, so left out: linear (recall 12 %)."
    )
    leads["note"] = "Not compared: on the test rows it has recall 0.12."
    assert answers(describe_limit(leads, "recall>=0.3", "loan", 0.2))[0] == (
        "With thresholds that keep recall>=0.3 on the training rows, every model is more than 20 % "
        "off it on the test rows: linear (recall 12 %)."
    )


def test_the_probabilities_may_be_no_better_than_the_share_alone(made):
    leads = made.leads()
    section = describe_probabilities(leads, "loan")
    assert answers(section) == (PROBABILITIES, "Its lead is significant.")
    brier = leads[leads["measure"] == "brier"]
    two = pd.concat([brier, brier.iloc[1:].assign(model="linear")])
    assert "for|est_*1* are the most accurate: a Brier" in describe_probabilities(two, "loan")[1]
    (table,) = section.tables.values()
    assert table.to_numpy().tolist() == [
        ["for|est_*1*", 0.08, "", "1.25", "0.81"],
        ["the share alone", 0.1, "0.020 (0.010 to 0.030)", "", ""],
    ]
    changed = leads[leads["measure"] == "brier"].iloc[::-1].assign(difference=[None, -0.02])
    assert describe_probabilities(changed, "loan").sentence == (
        "No model's probabilities are more accurate than the share of loan rows alone, which has a "
        "Brier score of 0.100 over 200 splits, 0.020 less than for|est_*1*."
    )


@pytest.mark.parametrize(
    ("describe", "sentence"),
    [
        (lambda leads: describe_loss(leads, 10, "loan"), "costs 10 false alarms, no model has"),
        (
            lambda leads: describe_limit(leads, "flagged<=0.1", "loan", 0.2),
            "training rows, no model",
        ),
        (lambda leads: describe_probabilities(leads, "loan"), "Of the probabilities, no model has"),
        (lambda leads: describe_ranking(ranking(leads)), "No model has values in more than half"),
    ],
    ids=["loss", "limit", "probabilities", "ranking"],
)
def test_models_without_values_in_half_of_the_splits_are_not_ranked(made, describe, sentence):
    """What needs no model has values in all of them."""
    leads = made.leads()
    is_model = ~leads["model"].str.startswith("(")
    leads.loc[is_model, "note"] = "Not compared: it has values in 80 of 200 splits."
    section = describe(leads)
    assert sentence in section.sentence and section.certainty == ""


def ranking(leads):
    return leads[leads["measure"].isin(["auc", "auk", "h"])]


def test_the_ranking_depends_on_the_tests_over_splits(made):
    assert describe_ranking(ranking(made.leads(0.01))).certainty == (
        "Significant is the lead over for|est_*1* by AUC, AUK and H."
    )
    few = ranking(made.leads(None, FEW))
    assert describe_ranking(few).certainty == FEW
    assert (
        describe_ranking(ranking(made.leads(None))).certainty == "No lead varies over the splits."
    )
    alone = few[few["model"] == "linear"]
    assert answers(describe_ranking(alone)) == (
        "Ranked best over 200 splits: linear by AUC, AUK and H.",
        "It is the only model, so there is nothing to compare.",
    )
    other = ranking(made.leads(0.01))
    is_auk = other["measure"] == "auk"
    other.loc[is_auk, "model"] = other.loc[is_auk, "model"].to_numpy()[::-1]
    assert answers(describe_ranking(other)) == (
        "Ranked best over 200 splits: linear by AUC and H; for|est_*1* by AUK.",
        "Significant is the lead over for|est_*1* by AUC and H, and that over linear by AUK.",
    )


SVM = ("svm", 10, 2, "Requesting 3-fold cross-validation")


def test_a_model_that_fails_is_named_where_the_answers_stand(made, tmp_path):
    tables = {**made.OWN, "tables/failed_fits": made.failed_fits(("experiment", *SVM))}
    results = made.write_run(tmp_path, tables, paper=False)
    sentence = "svm could not be fitted in 2 of 10 splits (Requesting 3-fold cross-validation)."
    verdict = words_of((results / "verdict.md").read_text().replace("\n> ", " "))
    assert f"**2 models.** {sentence}" in verdict
    for page in ("index.html", "appendix/appendix.html"):
        assert sentence in text_of_page(results / page)
    skews = [(f"skew_{n}", *SVM) for n in range(5)]
    assert describe_failures(made.failed_fits(("paper", *SVM), *skews)).startswith(
        "svm could not be fitted in 2 of 10 splits, in 2 of 10 splits of skew_0, in 2 of 10 splits "
        "of skew_1 and in 3 other scenarios (Req"
    )


def test_the_page_of_related_papers_has_their_numbers_and_what_does_not_agree(made, paper_results):
    page = text_of_page(paper_results / "companions/index.html")
    assert (paper_results / "companions/index.html").read_text().count("<h1") == 1
    n_wrong = 0
    for name in ("baker", "ben_david2008", "hand2009", "silipo_widmann"):
        agrees = made.PAPER[f"companions/{name}/printed"].set_index("quantity")["agrees"]
        assert f"Of {len(agrees)} printed numbers {(agrees == 'yes').sum()} agree" in page
        wrong = agrees.index[agrees == "no"]
        assert all(page.count(quantity) >= 2 for quantity in wrong)  # of all, and of the wrong ones
        n_wrong += len(wrong)
    assert f"{n_wrong} do not agree; a note says why." in page
    assert "companions/index.html" in (paper_results / "index.html").read_text()
