"""Page, verdict and appendix say what the tables hold, in every format."""

import re
import subprocess
from html import unescape
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pypdfium2
import pytest

from study.errors import ExperimentError
from study.text.documents import Writer
from study.text.own_data import answer_budget, answer_cost, answer_leads
from study.text.settings import assumption_table, read_assumptions
from study.text.summary import (
    answer_printed_numbers,
    answer_reversal,
    describe_stars,
    kappa_at_printed_rates,
    pick_reversals,
    table_of_sensitivity,
)

NAMES = {"minority": "bad", "majority": "good"}
NUMBER = re.compile(r"\d+\.\d+")


@pytest.fixture(scope="module")
def made(request):
    """What conftest.py makes tables with."""
    return request.getfixturevalue("tables_by_hand")


def text_of_page(path):
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", path.read_text(), flags=re.DOTALL)
    return words_of(unescape(text))


def words_of(text):
    return " ".join(text.replace("\u00a0", " ").split())


def text_of_pdf(path):
    pages = pypdfium2.PdfDocument(path)
    return " ".join(page.get_textpage().get_text_range() for page in pages)


@pytest.mark.parametrize(
    ("possible", "word"),
    [
        ((True, True, True), "hold"),
        (
            (False, True, True),
            "only if the good customers are the positive class, or the two class shares were "
            "swapped",
        ),
        ((False, True, False), "only if the good customers are the positive class"),
        ((False, False, True), "fail"),
    ],
)
def test_the_answer_on_the_printed_numbers_follows_the_explanations(made, possible, word):
    assert answer_printed_numbers(made.explanations(*possible), NAMES).word == word


def test_the_answer_on_the_reversal_follows_counts_and_claims(made):
    reversals, claims = made.reversals(), made.claims()
    reversals.loc[reversals["pattern"] == "published", "reversals"] = 77
    claims.loc[claims["key"] == "reversal", "verdict"] = "holds"
    printed = pick_reversals(reversals, "both", "published")
    assert answer_reversal(printed, claims)[1:] == ("holds", "It happens in 77 of 1000 splits.")
    claims.loc[claims["key"] == "reversal", "verdict"] = None
    assert answer_reversal(printed, claims).word == "not judged under these settings"


def test_the_caption_of_the_stars_follows_the_tables(made):
    both = pd.concat([made.areas(4), made.areas(5)], ignore_index=True)
    assert "every star is on its line; with bad ones (red) the" in describe_stars(both, NAMES)
    both.loc[both["model"] == "linear", "low"] = 0.9
    caption = describe_stars(both, NAMES)
    assert "lie 4 of 8 stars with good customers positive (green), and 2 with bad ones" in caption


def test_kappa_at_the_printed_rates():
    """By hand: 2 p q (t - f) / (p + (1 - 2p) f + p (1 - 2p)(t - f)), p = 0.11: 0.0642 / 0.6061."""
    kappa = kappa_at_printed_rates(0.11)
    assert (kappa["stated"], kappa["other"]) == ("0.106", "0.331")


def test_a_network_whose_numbers_depend_on_the_cpu_gains_no_digits(made):
    table = table_of_sensitivity(made.sensitivity())
    assert table["linear AUC"].tolist() == ["0.730", "0.73", ""]
    assert table["distance"].tolist() == ["3.3", "3.6", ""]
    assert table["farther"].tolist() == ["202", "25", ""]
    assert words_of(table["reversed (95 % interval)"][0]).startswith("0.9 % (")
    assert table["reversed (95 % interval)"][2] == "too few rows"


def test_page_and_verdict_show_the_numbers_of_the_tables(paper_results):
    page = text_of_page(paper_results / "index.html")
    verdict = (paper_results / "verdict.md").read_text()
    for number in (4, 5):
        table = pd.read_csv(paper_results / f"tables/table{number}.csv")
        for row in table[table["positive_class"] == "majority"].itertuples():
            if row.measure == "h" and number == 5:
                continue
            ours = f"{row.mean:.3f} ({row.low:.3f} to {row.high:.3f})"
            assert ours in page and ours in verdict
            if row.measure != "h":
                assert f"{row.published:.4f}" in page and f"{row.published:.4f}" in verdict
    for sentence in (
        "It happens in 9 of 1000 splits.",
        "AUK beat AUC by 2.2 points (0.4 to 4.0) on 43 data sets, and not on 13 others",
        "Holds 1, partly 1, only if 1, rare 1, fails 1, open 1.",
        "Deleting bad rows to 11 % leaves 786; the paper says 768.",
        "only if 89 % are positive",
    ):
        assert sentence in page and sentence in words_of(verdict)


def test_changed_tables_change_the_page(tmp_path, made, paper_results):
    reversals = made.reversals()
    reversals.loc[reversals["pattern"] == "as_large", "reversals"] = 3
    claims = made.claims()
    claims.loc[claims["key"] == "better_measure", "verdict"] = "holds"
    changed = made.PAPER | {
        "tables/explanations": made.explanations(text=True),
        "tables/rank_reversal": reversals,
        "tables/claims": claims,
        "study/earlier_rounds": made.study("choice_25_at_5_new", 1.0, 0.5, 1.5, 20),
    }
    page = text_of_page(made.write_run(tmp_path, changed, paper=True) / "index.html")
    for sentence in (
        "The printed numbers: hold.",
        "that AUK is the better measure: holds.",
        "on the curve and on its hull; in 3 by as much",
        "and also on 20 others (1.0, 0.5 to 1.5)",
        "Can the printed numbers be right?",
    ):
        assert sentence in page
        assert sentence not in text_of_page(paper_results / "index.html")


def test_prose_of_the_page_is_short(paper_results):
    """At most 480 words outside tables, captions and closed rows, as they are without figures."""
    page = (paper_results / "index.html").read_text()
    for element in ("style", "title", "table", "figcaption", "details"):
        page = re.sub(rf"<{element}\b.*?</{element}>", " ", page, flags=re.DOTALL)
    assert len(unescape(re.sub(r"<[^>]*>", " ", page)).split()) <= 480


def test_typst_latex_and_html_show_the_same_numbers(paper_results):
    folder = paper_results / "appendix"
    pdf = text_of_pdf(folder / "appendix.pdf").replace("\u2212", "-")
    page = text_of_page(folder / "appendix.html").replace("\u2212", "-")
    tables = sorted((folder / "tables").glob("*.tex"))
    assert {"table4", "table5", "claims", "errors", "sensitivity"} <= {path.stem for path in tables}
    for path in tables:
        assert rf"\input{{tables/{path.stem}}}" in (folder / "appendix.tex").read_text()
        cells = re.sub(r"p\{[\d.]+\\textwidth\}", "", path.read_text())
        for number in NUMBER.findall(cells):
            assert number in pdf and number in page, path.name


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
    printed = letters(text_of_pdf(pdf))
    for part in re.split(r"</?(?:p|li|ul|ol|h\d|div|section|summary|figcaption)\b[^>]*>", page):
        text = unescape(re.sub(r"<[^>]*>", "", part))
        words = [word for word in map(letters, text.split()) if word]
        runs = ("".join(words[i : i + 4]) for i in range(len(words) - 3))
        if sum(run not in printed for run in runs) > 6:
            yield " ".join(text.split())


def letters(text):
    return re.sub(r"[\W_]", "", normalize("NFKC", text))


def test_no_prose_is_lost_in_print(paper_results):
    folder = paper_results / "appendix"
    assert list(lost_prose(folder, folder / "appendix.pdf")) == []


def test_two_runs_write_the_same_bytes(tmp_path, made, paper_results):
    again = made.write_run(tmp_path, made.PAPER, paper=True)
    for name in ("index.html", "verdict.md", "appendix/appendix.pdf", "appendix/appendix.tex"):
        assert (again / name).read_bytes() == (paper_results / name).read_bytes(), name


def test_every_link_has_its_target(paper_results, own_results):
    for results in (paper_results, own_results):
        for name in ("index.html", "verdict.md"):
            text = (results / name).read_text()
            links = re.findall(r'href="([^"]*)"|\]\(([^)\s]*)\)', text)
            for link in filter(None, (a or b for a, b in links)):
                assert link.startswith("https://") or (results / link).exists(), link
        page = (results / "index.html").read_text()
        assert not re.search(r'(src|srcset)="(?!data:)|@import|url\(|<script', page)


def test_a_text_links_only_to_what_the_run_made():
    with pytest.raises(ExperimentError, match=r"links to results/tables/none\.csv, which this run"):
        Writer("html", {}, links=["tables/table4.csv"]).link("text", "tables/none.csv")
    with pytest.raises(ExperimentError, match="the figure none, which this run did not draw"):
        Writer("html", {}).figure("none", "caption")


# ---- own data ----


def test_own_data_have_three_answers_and_no_word_of_the_paper(own_results):
    page = text_of_page(own_results / "index.html")
    verdict = (own_results / "verdict.md").read_text()
    pdf = words_of(text_of_pdf(own_results / "appendix/appendix.pdf"))
    answers = (
        "Who leads: linear, by AUC, AUK and H. No lead over another model is significant.",
        "At your cost: for|est_*1*. If a missed de_fault* costs 10 false alarms, the expected loss "
        "is smallest: 64 false alarms per 1,000 rows; on the split shown linear did not differ "
        "significantly.",
        "At your budget: linear. Flagging at most 10 % of the rows finds 31 % of the de_fault* "
        "rows; on the split shown for|est_*1* did not differ significantly.",
    )
    for answer in answers:
        assert answer in page
        assert letters(answer) in letters(pdf)  # which may break a word
    for text in (page, verdict, pdf):
        assert not re.search(r"paper(?! is)|Kaymak|German|published|reversal|bad\b", text), text
    assert page.startswith("Which *loans* | default?")


def test_who_leads_depends_on_the_tests_over_splits(made):
    assert answer_leads(made.leads(0.01)).sentence.startswith("Significant: AUC of linear over for")
    few = made.leads(None, "Nothing can be said by 2 distinct splits: 5 are needed.")
    assert answer_leads(few).sentence == few["note"].iloc[0]
    assert answer_leads(made.leads(None)).sentence == "No lead varies over the splits."
    alone = few[few["model"] == "linear"]
    assert "only model" in answer_leads(alone).sentence
    other = made.leads()
    is_auk = other["measure"] == "auk"
    other.loc[is_auk, "model"] = other.loc[is_auk, "model"].to_numpy()[::-1]
    assert answer_leads(other).word == "linear, by AUC and H; for|est_*1*, by AUK"


def test_cost_and_budget_depend_on_the_split_shown(made):
    intervals, tests = made.intervals(), made.paired_tests(0.001)
    cost = answer_cost(intervals, tests, 4, "loan")
    assert cost.word == "for|est_*1*"
    assert cost.sentence.endswith("on the split shown all others were significantly worse.")
    equal = intervals.assign(value=71.0)
    both = answer_cost(equal, tests, 4, "loan")
    assert both.word == "linear and for|est_*1*" and both.sentence.endswith("1,000\u00a0rows.")
    note = "No p value: 4 rows of a class, 20 needed."
    few = answer_budget(intervals, made.paired_tests(None, note), "flagged<=0.1", "loan")
    assert few.sentence.endswith(f" of the loan rows. {note}")
    recall = answer_budget(
        intervals.assign(measure="flagged", at="recall>=0.9"), tests, "recall>=0.9", "loan"
    )
    assert words_of(recall.sentence).startswith(
        "To find at least 90 % of the loan rows, 28 % of all rows are flagged"
    )
    nobody = answer_budget(intervals, tests, "precision>=0.99", "loan")
    assert nobody[1:] == ("no model", "No threshold keeps precision>=0.99 and flags a loan row.")
    precision = answer_budget(
        intervals.assign(at="precision>=0.5"), tests, "precision>=0.5", "loan"
    )
    assert words_of(precision.sentence).startswith(
        "At a precision of at least 50 %, 31 % of the loan rows are found"
    )


# ---- settings and LaTeX ----


def test_assumptions_are_those_of_the_config():
    text = "a:\n  # ASSUME: one,\n  # two.\n  b: 3\n  c: 4\n# ASSUME: gone\nd: 5\n"
    assumptions = read_assumptions(text)
    assert assumptions == {"a.b": "one, two.", "d": "gone"}
    table = assumption_table({"a": {"b": None}}, assumptions)
    assert table.to_numpy().tolist() == [["a.b", "derived", "one, two."]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["article", "IEEEtran"])
def test_the_appendix_compiles(tmp_path, paper_results, own_results, latex, name):
    if not subprocess.run(["kpsewhich", f"{name}.cls"], capture_output=True, check=False).stdout:
        pytest.skip(f"{name}.cls is not installed (Debian: texlive-publishers)")
    for results in (paper_results, own_results):
        folder = tmp_path / results.parent.name
        subprocess.run(["cp", "-r", results / "appendix", folder], check=True)
        source = Path(folder / "appendix.tex")
        if name == "IEEEtran":
            text = re.sub(
                r"\\documentclass.*\n", r"\\documentclass[journal]{IEEEtran}\n", source.read_text()
            )
            source.write_text(re.sub(r"\\usepackage.*\{geometry\}\n", "", text))
        assert latex(source) < 10
