"""The page to open first, from the facts that the repository keeps and from poorer ones."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from study.pages.landing import landing_page

KEPT = Path(__file__).parents[2] / "reference" / "forensics" / "verdict.json"
FIGURES = dict.fromkeys(("published", "prevalences"), "<svg></svg>")


@pytest.fixture
def facts():
    return json.loads(KEPT.read_text(encoding="utf-8"))


def sentences(page):
    found = re.search(r'<ol class="answer">(.*?)</ol>', page, re.DOTALL)[1]
    return [
        " ".join(unescape(one).split()) for one in re.findall(r"<li>(.*?)</li>", found, re.DOTALL)
    ]


def test_sentences_follow_the_facts(facts):
    facts |= {"single": ["good positive", "p and 1 - p interchanged"], "text_status": "no"}
    claim = facts["claims"][0] | {"paper": facts["paper"]}
    verdicts = ["holds"] * 3 + ["does not hold"] * 2 + ["undecided"]
    facts["claims"] = [claim | {"verdict": verdict} for verdict in verdicts]
    facts["reversal"] |= {"least": 0.001, "most": 0.045, "low": 0.019, "high": 0.083}
    assert sentences(landing_page(facts, FIGURES)) == [
        "Of 6 claims of the paper 3 hold, 2 do not, and 1 is undecided.",
        "The numbers that it prints cannot have been computed as its text says.",
        "They fit with one departure from the text (good positive; or p and 1 \N{MINUS SIGN} p "
        "interchanged), and nothing printed decides between the ways that fit.",
        "That AUC and AUK put the two models in opposite order, as printed, happens in "
        "0.1 to 4.5 % of random splits, depending on the way that fits (95 % interval of the "
        "largest: 1.9 to 8.3 %).",
    ]


def test_a_run_that_says_little_has_its_page(facts):
    facts |= {"claims": [], "published": [], "reversal": None, "single": [], "pairs": []}
    facts["text_status"] = "yes"
    page = landing_page(facts, FIGURES, datasets=["clinic"])
    assert sentences(page) == [
        "The numbers that it prints can have been computed as its text says.",
        "No single departure from the text fits better.",
        "This run has too few splits to say how rare the printed reversal of AUC and AUK is.",
    ]
    assert "Published numbers" not in page
    assert "datasets/clinic/appendix/appendix.pdf" in page


def test_every_claim_is_shown_with_its_verdict(facts):
    facts["claims"][0]["claim"] = "less <b> is more"
    page = landing_page(facts, FIGURES)
    front = sum(claim["front"] for claim in facts["claims"])
    assert len(re.findall(r'<td class="verdict', page)) == len(facts["claims"]) + front
    assert "less &lt;b&gt; is more" in page
