"""One text: a fact has one form in every document; tables and figures in every format."""

import re
import shutil
from dataclasses import replace
from html import unescape
from math import nan
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pypdfium2
import pytest
import yaml
from write_findings import BLOCKS, KEPT, ROOT, filled

from study.errors import ExperimentError
from study.labels import WITHHELD
from study.text import documents
from study.text.documents import Sources, Writer, web_page, write_appendix
from study.text.facts import (
    facts_as_tables,
    facts_of_data,
    facts_of_paper,
    facts_of_run,
    from_json,
    short_answer,
    to_json,
)
from study.text.kit import wide, write_kit
from study.text.numbers import Fact
from study.text.settings import read_assumptions, setting_tables
from study.text.tables import read_table

REFERENCE = ROOT / "tests" / "reference"
CONFIG = ROOT / "config" / "config.yaml"
TABLE = pd.DataFrame({"model": ["linear", "neural_net"], "auc": [0.75, -0.5], "n": [3, 4]})
TEXT = """# First

{{ ref("tables/one") }}: *then* **stop**; [@kappacurve:cohen1960] and [@kappacurve:wilson1927].
"Its" $p/2$ is `a_b`, {{ word }}, 3-4 of {{ share }}.

{{ table("tables/one", "A caption with 11 % [@kappacurve:cohen1960].", group="model") }}
{{ figure("figures/one") }}
{% for name in ("figures/one", "figures/two") if name is shown %}Drawn: {{ name }}.{% endfor %}

{{ table("tables/long", "Long.") }}
"""


def named(folder, suffix):
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob(f"*{suffix}"))
    }


@pytest.fixture(scope="module")
def facts():
    return from_json(KEPT)


@pytest.fixture
def sources(facts):
    """Of the kept run: its tables, and figures that are not looked at."""
    tables = {name: read_table(path) for name, path in named(REFERENCE, ".csv").items()}
    config = yaml.safe_load(CONFIG.read_text())
    assumptions = read_assumptions(CONFIG.read_text())
    assert len(assumptions) == CONFIG.read_text().count("# ASSUME:")
    tables["assumptions"], tables["settings"] = setting_tables(config, assumptions, {})
    results = ROOT / "studies/many-data-sets/results.csv"
    tables["many_data_sets/results"] = pd.read_csv(results)
    counts = {facts["words"]["majority"]: 700, facts["words"]["minority"]: 300}
    data = {"rows": 1000, "class_counts": counts, "sha256_of_canonical_table": "0" * 64}
    context = facts | {"config": config, "data": data, "version": "1", "versions": {"numpy": "2"}}
    context |= facts_of_data(facts, data, config)
    captions = named(ROOT / "workflow" / "report", ".rst")
    sides = (facts["minority"], facts["majority"])
    drawn = {"companions/silipo/kappa_by_prevalence", *(captions.keys() - tables.keys())}
    drawn |= {f"figures/figure{number}_{side}" for number in (2, 3) for side in sides}
    return Sources(context, tables, {name: Path(f"{name}.pdf") for name in drawn}, captions)


def every_document(sources):
    """README's block, the findings, the page, the verdict and the appendix of some facts."""
    pages = {
        page: filled((ROOT / page).read_text(encoding="utf-8"), templates, sources.facts)
        for page, templates in BLOCKS.items()
    }
    pages["verdict"] = Writer(sources, plain=True).fill("verdict.md")
    pages["index"] = Writer(sources).fill("index.md")
    return pages | {"appendix": Writer(sources, "S").fill("appendix.md")}


def test_a_changed_fact_changes_in_every_document(sources):
    claims = sources.facts["claims"]
    place, claim = next(
        (i, one)
        for i, one in enumerate(claims)
        if one["front"] and one["number"] and one["number"].unit == "share"
    )
    before, after = (replace(claim["number"], value=value) for value in (0.76543, 0.54321))
    for number, said, unsaid in ((before, "76.5", "54.3"), (after, "54.3", "76.5")):
        claims[place] = claim | {"number": number}
        for page, text in every_document(sources).items():
            if page != "docs/reproduce.md":
                assert said in text, page
            assert unsaid not in text, page
    claims[place] = claim


def test_splits_at_another_setting_judge_nothing_of_the_paper_on_any_page(sources):
    differs = "The paper's minority share is 0.11, this run's 0.3."
    facts = sources.facts | dict.fromkeys(("differs", "no_splits"), differs)
    facts |= dict.fromkeys(("reversal", "coincidence"))
    shown = sources.facts["shown"]
    facts["shown"] = [row | {"distances": dict.fromkeys(row["distances"])} for row in shown]
    pages = every_document(sources._replace(facts=facts))
    for page in ("docs/reproduce.md", "verdict", "index", "appendix"):
        assert f"cannot be judged: {differs}" in pages[page], page
        assert "explains them" not in pages[page], page
    splits = f"{sources.facts['counts']['replicates']} random splits"
    for page in ("verdict", "index", "appendix"):
        assert "not at the paper's setting" in pages[page], page
        assert "splits of the paper's setting" not in pages[page], page
        assert splits in pages[page], page


@pytest.mark.parametrize(
    ("status", "single", "pairs", "answer", "flags"),
    [
        ("no", "ab", [], "Not as its text says, but with one departure from it (a; or b)", "101"),
        ("no", "", ["c, d"], "Not as its text says", "100"),
        ("no", "", [], "Not as its text says", "110"),
        ("open", "a", ["c"], "Perhaps as its text says, or with one departure from it (a)", "001"),
        ("open", "", [], "Perhaps as its text says", "010"),
        ("yes", "", [], "As its text says", "000"),
    ],
)
def test_the_short_answer(status, single, pairs, answer, flags):
    readings = {"text_status": status, "single": single, "pairs": pairs, "kappa": 1, "printed": []}
    reversal = {"key": "reversal", "verdict": "rare", "number": Fact(0.01, "share", 0.005, 0.02)}
    reversal["why"] = "of the other class: 2 %"
    told = short_answer(readings, [reversal | {"verdict": WITHHELD}])
    assert told.pop("short_answer") == f"{answer}."
    names = ("contradicted", "unexplained", "several_ways")
    assert "".join(str(int(told[name])) for name in names) == flags
    said = short_answer(readings, [reversal])["short_answer"]
    share = "1.0 % [0.5, 2.0] (of the other class: 2 %)"
    assert said == f"{answer}. The rank reversal is rare in our splits: {share}."
    for missing in ("kappa", "printed"):
        assert not short_answer(readings | {missing: None}, [])["contradicted"]


@pytest.mark.parametrize("page", BLOCKS)
def test_pages_say_what_was_found(page, facts):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert filled(text, BLOCKS[page], facts) == text


def test_the_kept_facts_follow_from_the_kept_tables(sources, facts, tmp_path):
    readings = from_json(REFERENCE / "forensics/readings.json")
    found = facts_of_run(sources.tables, sources.facts["config"], 1000, facts["words"])
    found |= facts_of_paper(sources.tables, readings)
    for name, kept in facts.items():
        assert found[name] == kept, name
    (tmp_path / "facts.json").write_text(to_json(found))
    assert from_json(tmp_path / "facts.json") == facts


def test_facts_that_a_run_does_not_have_are_none(sources, facts):
    config = sources.facts["config"]
    config = config | {"experiment": config["experiment"] | {"cost_ratio": 0.25}}
    needed = ("tables/answer", "paper/measures", "paper/sample", "many_data_sets/results")
    tables = {name: sources.tables[name] for name in needed}
    found = facts_of_run(tables, config, 1000, facts["words"])
    assert {found[name] for name in ("reversal_shares", "family", "sweep", "rarity")} == {None}
    printed = {"place": "Table 4", "number": "AUC", "printed": "0.75", "minority": None}
    cells = facts_as_tables(facts | {"published": [printed]})["facts/published"]
    assert cells.iloc[0, 2:].tolist() == ["0.75", *[None] * 4]
    cost = [str(found["cost"][name]) for name in ("ratio", "minority", "majority", "beta")]
    assert cost == ["0.25", "0.200", "0.800", "8, 2"]
    profile = sources.tables["tables/cost_profile"]
    tables["tables/cost_ties"] = sources.tables["tables/cost_ties"].head(0)
    tables["tables/cost_profile"] = profile.assign(
        ahead=profile["ahead"].where(profile["mark"] != "5:1")
    )
    family = facts_of_run(tables, config, 1000, facts["words"])["family"]
    assert family["ties"] is family["ahead"]["5:1"] is None and family["ahead"]["AUK"]
    tables["tables/cost_profile"] = profile.assign(ahead=nan)
    assert facts_of_run(tables, config, 1000, facts["words"])["family"] is None


def test_facts_are_of_the_right_rows(sources, facts):
    """Of tables in which every number is another, and rows that do not count have the largest."""
    shares = {"reversal_share_both": [0.03, 0.01, 0.02], "reversal_share_hull": [0.2, 0.3, 0.25]}
    counts = {"replicates": [20, 30, 25], "as_large_both": [3, 1, 5]}
    specification = pd.DataFrame(shares | counts | {"reversal_share_raw": [0.4, 0.1, 0.2]})
    reversals = pd.DataFrame(
        [
            *(("as_large", "both", 7, 90, 0.05), ("as_large", "both", 9, 80, 0.02)),
            *(("as_large", "raw", 99, 99, 0.9), ("any", "both", 99, 99, 0.9)),
        ],
        columns=["pattern", "curve", "reversals", "replicates", "high"],
    )
    readings = from_json(REFERENCE / "forensics/readings.json")
    tables = sources.tables | {"tables/specification": specification}
    tables["tables/rank_reversal"] = reversals
    as_large = {"reversals": 9, "replicates": 90, "high": Fact(0.05, "share"), "specifications": 5}
    assert facts_of_paper(tables, readings)["specification"] == {
        **{"replicates": 30, "least": Fact(0.01, "share"), "most": Fact(0.03, "share")},
        **{"on_one": Fact(0.4, "share"), "as_large": as_large},
    }
    tables["tables/rank_reversal"] = reversals[2:]
    assert facts_of_paper(tables, readings)["specification"]["as_large"] is None
    sizes = {"left_out": [0, 3, 1], "n_train": [500, 300, 500], "test": [286, 200, 400]}
    sizes = pd.DataFrame(sizes | {"minority_in_test": [31.2, 4.0, 90.6]})
    ties = {"curve": ["raw"] * 6 + ["hull"], "positive_class": ["majority"] * 5 + ["minority"] * 2}
    ties |= {"replicate": [1, 1, 2, 3, 4, 5, 6], "cost": [0.9, 0.6, 5 / 6, 0.8, 0.7, 0.1, 0.95]}
    tables = sources.tables | {"sweep/sizes": sizes, "tables/cost_ties": pd.DataFrame(ties)}
    tables["paper/sample"] = pd.DataFrame({"minority": [1] * 150 + [0] * 250})
    tables["tables/tests"] = pd.DataFrame({"measure": ["auk", "auc", "auk"]})
    found = facts_of_run(tables, sources.facts["config"], 1000, facts["words"])
    assert found["sweep"] == {
        **{"left_out": 3, "train": [300, 500], "test": [200, 400]},
        "minority_in_test": [Fact(4.0, "count"), Fact(90.6, "count")],
    }
    named = {"least": Fact(0.6, "cost"), "median": Fact(0.8, "cost"), "most": Fact(0.9, "cost")}
    assert found["family"]["ties"] == named | {"splits": 4, "below": 3, "all": 5}
    assert (found["split"]["train"].value, found["split"]["is_rare"]) == (114, True)
    tables["paper/sample"] = pd.DataFrame({"minority": [1, 0] * 200})
    tables["tables/tests"] = pd.DataFrame({"measure": ["auk", "auc", "auc"]})
    even = facts_of_run(tables, sources.facts["config"], 1000, facts["words"])
    assert not even["split"]["is_rare"]
    assert (found["several_tests"], even["several_tests"]) == (False, True)


def test_definitions_are_those_at_the_cost(sources):
    cost = {"ratio": Fact(5, "plain"), "beta": "2, 10"}
    cost |= {"minority": Fact(5 / 6, "cost"), "majority": Fact(1 / 6, "cost")}
    costly = sources._replace(facts=sources.facts | {"cost": cost})
    usual, at_cost = (Writer(one, "S").fill("measures.md") for one in (sources, costly))
    for words, in_usual in (("Beta(2, 2)", True), (r"\kappa_c", False), ("0.833", False)):
        assert [words in usual, words in at_cost] == [in_usual, not in_usual]
    assert "Beta(2, 10)" in at_cost and "2p(1-p)" not in at_cost


@pytest.mark.parametrize(
    ("used", "columns", "skew", "train", "deleted", "told"),
    [
        # Of 300 of the minority and 700 others: none, some minority rows, one of the others too.
        ((1000, 300), "ncc", [0.1, 0.5], [500, 1], (False, True), ("1 is a number", True, True)),
        ((768, 68), "nnc", [0.1, 0.49], [0.5], (True, True), ("2 are numbers", False, True)),
        ((767, 68), "c", [0.5], [0.25], (True, False), ("0 are numbers", False, False)),
        ((900, 300), "", [], None, (True, False), ("0 are numbers", False, False)),
    ],
)
def test_what_was_done_with_rows_and_columns(used, columns, skew, train, deleted, told):
    split = {name: Fact(n, "count") for name, n in zip(("rows", "minority"), used, strict=True)}
    facts = {"split": split, "words": {"majority": "well"}, "sweep": train and {"train": train}}
    data = {"rows": 1000, "class_counts": {"well": 700, "ill": 300}}
    if columns:
        kinds = {"n": {"kind": "number"}, "c": {"kind": "category", "levels": 4}}
        data["columns"] = {f"{kind}{i}": kinds[kind] for i, kind in enumerate(columns)}
    found = facts_of_data(facts, data, {"sweep": {"skew": skew}})
    assert (found["deleted"]["any"], found["deleted"]["of_minority_alone"]) == deleted
    sweep = found["shares_reach_half"], found["several_shares"]
    assert (found["numbers"], *sweep) == told
    assert found["categories"] == {f"c{i}": 4 for i, kind in enumerate(columns) if kind == "c"}
    sizes = {500: "500 rows", 1: "1 rows", 0.5: "50 % of the rows", 0.25: "25 % of the rows"}
    assert found["training_sizes"] == [sizes[n] for n in train or []]


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (
            {"groups": 7, "missing_values": {"x": 2, "y": 1}, "rows_dropped": 3},
            "Models were trained on random groups of rows and measured on the others. Rows with "
            "the same day (7 groups) are on one side. Intervals and tests take whole groups as "
            "drawn, not rows. Missing values (such rows were dropped): x 2, y 1.",
        ),
        (
            {"trained_until": "May", "missing_values": {"x": 2}, "rows_dropped": 0},
            "The models were trained on the rows of which day is at most May, and measured on the "
            "later ones: one split. Missing values (imputed): x 2.",
        ),
        ({"missing_values": {}}, "Models were trained on random rows and measured on the others."),
    ],
)
def test_data_of_ones_own_are_described(record, told):
    experiment = {"skew": 0.2, "n_minority": None, "test_path": None, "split": {"column": "day"}}
    facts = {"data": {"place": "P", "class_counts": {"ill": 3, "well": 7}, **record}}
    facts |= {"config": {"experiment": experiment}, "words": {"minority": "ill"}}
    facts |= {"minority": "minority", "counts": {"data": 10}, "split": {"rows": 8, "minority": 1}}
    facts |= {"numbers": "2 are numbers", "categories": {"c": 4, "d": 5}}
    text = " ".join(Writer(Sources(facts), plain=True).fill("data.md").split())
    assert text == (
        "The data (P) have 10 rows: 3 ill and 7 well. 8 of them are used, 1 ill: the others were "
        f"deleted at random for a share of 20 %. {told} "
        "Of the columns, 2 are numbers; categories, with their levels: c (4), d (5)."
    )


def test_claims_have_the_colour_of_their_verdict_and_their_number_says_of_how_many(sources):
    verdicts = {
        **{"holds": "yes", "usual here": "yes", "shown": "yes", "supported": "yes"},
        **{"holds if p < 0.5": "open", "rare": "open", WITHHELD: "open"},
        **{"does not hold": "no", "not supported": "no"},
    }
    columns = {
        **{"verdict": [*verdicts], "cause": ["x", nan, "x", "y", nan, nan, "y", "z", "x"]},
        **{"value": [0.25, *[nan] * 8], "in_brief": ["brief", *[nan] * 8]},
        **{"n": [nan, 12345, *[4] * 7], "limit": [nan, 0.5, *[nan] * 7]},
        **{"number": "splits", "unit": "share", "low": 0.1, "high": 0.5, "why": "why"},
    }
    claims = sources.tables["forensics/claims"].head(1)
    claims = pd.concat([claims] * 9, ignore_index=True).assign(
        **columns, paper=[claims["paper"][0], *["Other"] * 8]
    )
    tables = sources.tables | {"forensics/claims": claims}
    tables = {name: one for name, one in tables.items() if not name.startswith("companions/")}
    found = facts_of_paper(tables, from_json(REFERENCE / "forensics/readings.json"))
    assert [claim["outcome"] for claim in found["claims"]] == [*verdicts.values()]
    of = [claim["of"] for claim in found["claims"][:3]]
    assert of == ["splits", "splits, n = 12,345", "splits, n = 4"]
    first, second = found["claims"][:2]
    assert (first["number"], first["limit"]) == (Fact(0.25, "share", 0.1, 0.5), None)
    assert (second["number"], second["limit"], second["cause"]) == (None, Fact(0.5, "share"), "")
    said = [Writer(sources).shown_by(first | {"unit": unit}) for unit in ("share", "count")]
    assert said == ["25.0 % [10.0, 50.0], splits", "25.0 % [10.0, 50.0] splits"]
    assert found["causes"] == {"x": 3, "y": 1, "z": 1}  # one of y is withheld
    assert (found["statements"], found["other_checks"]) == ([], {})
    nothing = dict.fromkeys(("change", "as_large"))
    smote = {"before_split": nothing, "after_split": nothing}
    assert found["companions"] == {"example3": {}, "leak": None, "smote": smote}
    shown = facts_as_tables(sources.facts | found)["facts/claims"]
    assert shown["evidence"].tolist()[:2] == ["brief", "why"]
    assert shown["related"].tolist()[:2] == [False, True]
    others = first | {"in_brief": ""}
    shown = facts_as_tables(sources.facts | found | {"claims": [first, others]})["facts/claims"]
    assert shown["evidence"][1] == "25.0 % [10.0, 50.0]: splits"


def test_a_cause_of_rarity_raises_the_share_if_it_does_for_either_class(sources, facts):
    rarity = sources.tables["sweep/rarity"]
    of_base = (rarity["skew"] == rarity["base"]) & (rarity["curve"] == "raw")
    least = (rarity["skew"] == rarity["skew"].min()) & (rarity["curve"] == "raw")
    of_majority = rarity["positive_class"] == "majority"
    rarity.loc[of_base, "high"] = 0.2
    for both, raised in ((0.3, True), (0.1, False)):
        rarity.loc[least, "low"] = 0.3
        rarity.loc[least & of_majority, "low"] = both
        found = facts_of_run(sources.tables, sources.facts["config"], 1000, facts["words"])
        assert found["rarity"]["prevalence"]["raised"] == raised
        assert found["rarity"]["base"]["skew"].value == rarity["base"].iloc[0]


def test_prose_of_a_table_is_listed_as_sentences():
    rows = {"group": ["a", "a", "b"], "of": ["x_y", "z", "u"], "why": ["as is", "so?", "It is."]}
    frame = pd.DataFrame(rows | {"more": ["1", None, "2"]})
    text = Writer(Sources({"words": {}}, {"t/x": frame})).listed(
        "t/x", labels={"more": "then"}, columns=["of", "why", "more"], group="group"
    )
    assert text.splitlines() == [
        *("", "*group: a*", "", r"- **x\_y.** as is. Then: 1.", "- **z.** so?"),
        *("", "*group: b*", "", "- **u.** It is. Then: 2."),
    ]
    frame = frame[["of", "why"]]
    text = Writer(Sources({"words": {}}, {"t/x": frame})).listed("t/x")
    assert text.splitlines()[0] == r"- **x\_y.** as is."


def test_a_claim_leads_to_its_tables_drawings_and_place_in_the_appendix(tmp_path):
    (tmp_path / "c.rst").write_text("C.")
    figure = "figures/rank_reversal"
    tables = dict.fromkeys(("tables/rank_reversal", "tables/choice"), TABLE)
    drawn = {figure: tmp_path / "one.pdf"}
    words = {"words": {}, "config": {}}
    sources = Sources(words, tables, drawn, {figure: tmp_path / "c.rst"}, ["tables/rank_reversal"])
    appendix = Writer(sources, "S")
    claim = {"file": "tables/rank_reversal.csv; tables/choice.csv"}
    links = "[Table](tables/rank_reversal.html) · [Figure](figures/rank_reversal.svg)"
    place = "(appendix/appendix.html#kappacurve"
    assert Writer(sources).behind(claim) == links
    writer = Writer(sources, appendix=appendix)
    assert writer.behind(claim) == f"{links} · [Appendix, Table S1]{place}:tab:claims)"
    appendix.table("tables/choice", "C.")
    appendix.figure(figure)
    places = [f"[Appendix, Table S1]{place}:tab:choice)"]
    places.append(f"[Appendix, Figure S1]{place}:fig:rank-reversal)")
    assert writer.behind(claim) == " · ".join([links, *places])
    other = writer.behind({"file": "tables/other.csv"})
    assert other == f"[Appendix, Table S2]{place}:tab:claims)"


@pytest.mark.parametrize("numbered", [None, "S"])
def test_a_drawing_is_a_link_on_a_page_and_narrow_on_a_phone(tmp_path, numbered):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" {}height="2pt"></svg>'
    for name, width in (("one", 'width="12.5pt" '), ("narrow", 'width="3pt" '), ("two", "")):
        (tmp_path / f"{name}.svg").write_text(drawing.format(width))
    (tmp_path / "c.rst").write_text("`C` one.")
    figures = {f"figures/{name}": tmp_path / f"{name}.pdf" for name in ("one", "two")}
    captions = dict.fromkeys(figures, tmp_path / "c.rst")
    narrow = {"figures/one": tmp_path / "narrow.svg"}
    sources = Sources({"words": {}, "config": {}}, {}, figures, captions, narrow=narrow)
    writer = Writer(sources, numbered)
    text = "".join(writer.figure(name) for name in figures)
    assert [f'<a href="{name}.svg"><' in text for name in figures] == [numbered is None] * 2
    assert text.count("<picture>") == 1 and text.count('alt="&#x27;C&#x27; one."') == 2
    assert text.count("<strong>Figure S1.</strong>") == (numbered is not None)
    assert ('id="kappacurve:fig:two"' in text) == (numbered is not None)
    page = web_page(writer, text, "T")
    assert page.count("--drawn:") == 1 and 'style="--drawn: 12.5pt" src="data:image' in page
    assert str(tmp_path) not in page and page.count('srcset="data:image/svg') == 1


@pytest.fixture
def write_template(tmp_path, monkeypatch):
    """Put a text in the place of a template."""
    templates = tmp_path / "templates"
    shutil.copytree(documents.TEMPLATES, templates)
    monkeypatch.setattr(documents, "TEMPLATES", templates)
    return lambda name, text: (templates / name).write_text(text)


@pytest.fixture
def made(tmp_path, write_template):
    """The documents of a small text, written twice."""
    write_template("appendix.md", TEXT)
    figure = plt.figure()
    figure.savefig(tmp_path / "one.pdf", metadata={"CreationDate": None})
    with plt.rc_context({"svg.hashsalt": "one"}):
        figure.savefig(tmp_path / "one.svg", metadata={"Date": None})
    plt.close()
    (tmp_path / "one.rst").write_text("Seed\n{{ snakemake.config['seed'] }}.")
    facts = {"words": {}, "config": {"seed": 7}, "word": "<b>_*x*", "share": Fact(0.5, "share")}
    tables = {"tables/one": TABLE, "tables/long": pd.concat([TABLE] * 60)}
    sources = Sources(
        facts, tables, {"figures/one": tmp_path / "one.pdf"}, {"figures/one": tmp_path / "one.rst"}
    )
    for name in ("first", "second"):
        write_appendix(sources, tmp_path / name, "“A” & B", "x_1")
    return tmp_path / "first"


def pdf_text(path):
    with pypdfium2.PdfDocument(path) as pdf:
        return " ".join(page.get_textpage().get_text_bounded() for page in pdf)


def test_every_format_shows_everything_and_has_the_same_bytes_each_time(made):
    page = (made / "appendix.html").read_text(encoding="utf-8")
    words = unescape(re.sub(r"<script.*|<style.*?</style>|<[^>]+>", " ", page))
    for part in (
        "“A” & B x_1",
        "Table S1 : then stop ; [1] and [2] . “Its”",
        "is a_b , <b>_*x*, 3\u20134 of 50.0 %.",
        "Table S1. A caption with 11 % [1] .",
        "AUC n linear 0.750 3 neural net \u22120.500 4",
        "Figure S1. Seed 7.",
        "Drawn: figures/one.",
        "Table S2. Long.",
        "[2] E. B. Wilson (1927).",
    ):
        for text in (words, pdf_text(made / "appendix.pdf").replace("\ufffe", "-")):
            assert "".join(part.split()) in "".join(text.split()), part
    assert 'alt="Seed 7."' in page
    assert page.count("<details") == 1  # the long table
    second = made.with_name("second")
    for path in sorted(made.rglob("*.*")):
        assert path.read_bytes() == (second / path.relative_to(made)).read_bytes(), path.name
    assert not (made / "appendix.typ").exists()


def test_latex_of_the_parts(made):
    body = (made / "body.tex").read_text(encoding="utf-8")
    assert "\\section{First}\n" in body  # without a label
    assert (
        r"\ref{kappacurve:tab:one}: \emph{then} \textbf{stop}; \citep{kappacurve:cohen1960}" in body
    )
    caption = r"\caption{A caption with 11\,\% \citep{kappacurve:cohen1960}.}"
    label = r"\label{kappacurve:tab:one}\fitted{\input{tables/one}}\end{results}"
    assert rf"\begin{{results}}{{table}}{caption}{label}" in body
    assert r"\fitted{\includegraphics{figures/one.pdf}}" in body
    assert (made / "tables" / "one.tex").read_text(encoding="utf-8").splitlines() == [
        r"\begin{tabular}{rr}",
        r"\toprule",
        r"AUC & n \\",
        r"\midrule",
        r"\multicolumn{2}{l}{\emph{linear}} \\",
        r"0.750 & 3 \\",
        r"\addlinespace",
        r"\multicolumn{2}{l}{\emph{neural net}} \\",
        r"\ensuremath{-}0.500 & 4 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{{ table("tables/two", "No.") }}', "table tables/two, which there isn't"),
        ('{{ table("tables/one", "No.", columns=["b"]) }}', "table tables/one has no 'b'"),
        ('{{ figure("figures/two") }}', "figure figures/two, which there isn't"),
        ('See {{ ref("tables/one") }}.', "refers to tables/one, which it doesn't show"),
        ("{{ nobody }}", "'nobody' is undefined"),
        ("As in [@kappacurve:nobody].", "nobody"),
    ],
)
def test_what_a_text_may_not_hold(write_template, text, message):
    write_template("page.md", text)
    writer = Writer(Sources({"words": {}}, {"tables/one": TABLE}))
    with pytest.raises(ExperimentError, match=message):
        web_page(writer, writer.fill("page.md"), "T")


def test_words_of_the_data_are_no_markup(tmp_path, write_template):
    evil = '<script>alert("x")</script> `x`{=html} \\input{/etc/passwd} [a](b) ~~~\n~~~{=html}'
    write_template("appendix.md", '{{ evil }}\n\n{{ table("tables/evil", "C.") }}')
    table = pd.DataFrame({evil: [1.0], "model": [evil]})
    sources = Sources({"words": {}, "evil": evil}, {"tables/evil": table})
    write_appendix(sources, tmp_path / "evil", evil, evil)
    assert "<script>a" not in (tmp_path / "evil/appendix.html").read_text()
    for path in (tmp_path / "evil").rglob("*.tex"):
        assert r"\input{/etc" not in path.read_text(), path.name


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (None, ("29.7", "120.0", "210.3", "165.2", "start", "0.0 %")),
        (Fact(0.5, "share"), ("210.3", "29.7", "150.1", "89.9", "end", "limit 50.0 %")),
        (Fact(0.3, "share"), ("120.0", "29.7", "210.3", "120.0", "end", "limit 30.0 %")),
    ],
)
def test_an_interval_is_drawn_beside_the_limit_of_its_rule(limit, expected):
    """The marks and an eighth of room on either side fill the width from 8 to 232."""
    claim = {"number": Fact(0.3, "share", 0.2, 0.4), "limit": limit}
    sources = Sources({"words": {}}, {})
    drawn = str(Writer(sources).strip(claim))
    mark, low, high, value, side, words = expected
    assert f'd="M{mark} 2V22"' in drawn
    assert f'd="M{low} 12H{high}"' in drawn
    assert f'cx="{value}"' in drawn
    assert f'x="{mark}" y="32" text-anchor="{side}">{words}</text>' in drawn.replace("\u202f", " ")
    assert 'aria-label="30.0' in drawn and (limit is None) == ("limit" not in words)
    nothing = {"number": Fact(0.3, "share"), "limit": limit}
    assert Writer(sources).strip(nothing) == Writer(sources, plain=True).strip(claim) == ""


@pytest.mark.parametrize(
    ("rows", "options", "folded", "parts"),
    [
        *((14, {}, False, 1), (15, {}, True, 1), (24, {}, True, 1), (25, {}, True, 2)),
        *((2, {"fold": 1}, True, 1), (2, {"fold": 2}, False, 1)),
    ],
)
def test_a_long_table_is_folded_on_a_page_and_goes_on_in_print(rows, options, folded, parts):
    long = pd.concat([TABLE] * 13)[:rows]
    text = Writer(Sources({"words": {}}, {"tables/one": long})).table("tables/one", "C.", **options)
    assert (f"<summary>{rows} rows" in text) == folded
    assert text.count(r"\fitted{\input") == parts
    assert ("breakable: true" in text) == (parts > 1)


def test_the_kit_has_its_figures_in_order_and_the_rows_of_its_tables(tmp_path):
    names = ("auk_by_prevalence", "figure2_b", "figure2_a", "figure3_b", "figure3_a", "rank")
    about = {"title": "A & B", "author": None, "width": "240pt", "paper": False}
    about |= dict.fromkeys(("place", "sha256", "data_licence"), "")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    columns = ["positive_class", "model", "measure", "published", "value", "p_adjusted"]
    rows = [
        ("minority", "linear", "auk", nan, 0.15, nan),
        ("minority", "linear", "auc", 0.7, 0.6, nan),
        ("minority", "mine", "auc", nan, 0.8, 0.04),
        ("majority", "linear", "auc", 0.7, 0.3, nan),
    ]
    table = wide(pd.DataFrame(rows, columns=columns), {"minority": "ill", "majority": "well"}, True)
    write_kit(tmp_path, {"table4": table}, dict.fromkeys((*names, "table4"), "C."), about, citation)
    text = (tmp_path / "snippet.tex").read_text(encoding="utf-8")
    assert r"Figures~\ref{kappacurve:kit:figure2-b} to~\ref{kappacurve:kit:figure3-a}." in text
    assert text.count(r"\includegraphics") == 6 and r"\input{tables/table4}" in text
    article = (tmp_path / "article.tex").read_text(encoding="utf-8")
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert path.read_text(encoding="utf-8").endswith("\n"), path.name
    assert r"\title{A \& B}" in article and r"\author{}" in article
    assert [*table.rows()] == [
        ("ill positive", ("linear", "published", "0.7", "")),
        (None, ("", "one split", "0.600", "0.150")),
        ("well positive", ("linear", "published", "0.7", "")),
        (None, ("", "one split", "0.300", "")),
    ]
    alone = wide(pd.DataFrame(rows[2:3], columns=columns), {"minority": "ill"}, False)
    first = ("ill positive", ("mine", "one split", "0.800"))
    assert [*alone.rows()] == [first, (None, ("", "adjusted p", "0.04"))]
