"""The facts that the documents of a run say: one dictionary, from its tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from kappacurve.algebra import kappa_from_rates
from study.companions.checks import printed_outcomes
from study.companions.kaymak2010_experiment import point_if_published
from study.data.classes import CLASSES, Names
from study.labels import MEASURE_LABELS, WITHHELD
from study.published import MODEL_LABELS, PAPER_PAIR, published_numbers
from study.sources import STUDY_LABELS
from study.tables.rarity import rarest
from study.text.numbers import Fact, fact_of
from study.text.tables import choose

Facts = dict[str, Any]
Tables = Mapping[str, pd.DataFrame]
MAJORITY, MINORITY = CLASSES
ENDS = ("low", "high")
# How a card is coloured if its verdict begins so, the first that fits; else as one that is open.
OUTCOMES = {
    ("holds if",): "open",
    ("holds", "usual", "shown", "supported"): "yes",
    ("does not hold", "not supported"): "no",
}


def facts_of_run(tables: Tables, config: Mapping[str, Any], rows: int, names: Names) -> Facts:
    """What the tables of any data set's run say; None where the run has not the rows."""
    counts = {"data": rows, "replicates": config["replicates"]["count"]}
    counts["sweep"] = config["sweep"]["count"]
    return {
        "minority": MINORITY,
        "majority": MAJORITY,
        "words": dict(names),
        "counts": {name: Fact(count, "count") for name, count in counts.items()},
        "cost": _cost(config["experiment"]["cost_ratio"]),
        "answer": list(tables["tables/answer"]["sentence"]),
        "split": _split(tables),
        "several_tests": "tables/tests" in tables
        and len(choose(tables["tables/tests"], {"measure": "auc"})) > 1,
        "reversal_shares": _reversal(tables),
        "family": _family(tables),
        "sweep": _sweep(tables),
        "rarity": _rarity(tables),
        "advice": _advice(tables),
    }


def facts_of_paper(tables: Tables, readings: Facts) -> Facts:
    """What the tables say of the paper: the claims, printed statements, and our values."""
    table = tables["forensics/claims"]
    claims = [_claim(row) for row in table.to_dict("records")]
    beside = pd.concat(
        tables[f"tables/{name}"].assign(curve=curve)
        for name, curve in (("table4", "hull"), ("table5", "raw"), ("operating_point", "hull"))
    )
    checks = tables.get("companions/checks")
    return {
        **readings,
        "paper": STUDY_LABELS["kaymak"],
        **short_answer(readings, claims),
        "claims": claims,
        "causes": dict(
            Counter(one["cause"] for one in claims if one["cause"] and one["verdict"] != WITHHELD)
        ),
        "statements": [] if checks is None else printed_statements(checks),
        "other_checks": {} if checks is None else checks["kind"].value_counts().to_dict(),
        "published": beside_ours(beside),
        "layout": in_the_papers_layout(beside),
        "network": _network(tables),
        "star": _star(tables),
        "specification": _specification(tables),
        "companions": _companions(tables),
    }


def facts_of_data(facts: Facts, data: Mapping[str, Any], config: Mapping[str, Any]) -> Facts:
    """What texts alone ask: which rows were deleted, the kinds of columns, the reach of the sweep.

    `data` is the record of the data, which tells the columns of a data set of the user's own.
    """
    rows, minority = (facts["split"][name].value for name in ("rows", MINORITY))
    columns = data.get("columns", {})
    n_numbers = sum(column["kind"] == "number" for column in columns.values())
    shares = config["sweep"]["skew"]
    return {
        "deleted": {
            "any": rows < data["rows"],
            "of_minority_alone": rows - minority == data["class_counts"][facts["words"][MAJORITY]],
        },
        "numbers": f"{n_numbers} {'is a number' if n_numbers == 1 else 'are numbers'}",
        "categories": {
            name: column["levels"]
            for name, column in columns.items()
            if column["kind"] == "category"
        },
        "several_shares": len(shares) > 1,
        "shares_reach_half": any(one < 0.5 for one in shares) and any(one >= 0.5 for one in shares),
        "training_sizes": [
            f"{n:g} rows" if n >= 1 else f"{100 * n:g} % of the rows"
            for n in (facts["sweep"] or {"train": []})["train"]
        ],
    }


def to_json(facts: Mapping[str, Any]) -> str:
    """The facts for programs, and for the pages that the repository keeps."""
    return json.dumps(facts, indent=1, default=vars) + "\n"


def from_json(path: Path) -> Facts:
    """The facts of a file that :func:`to_json` wrote."""
    names = set(Fact.__dataclass_fields__)
    facts: Facts = json.loads(
        path.read_text(encoding="utf-8"),
        object_hook=lambda found: Fact(**found) if found.keys() == names else found,
    )
    return facts


def facts_as_tables(facts: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Facts that documents show as tables."""
    if not facts.get("paper"):
        return {}
    claims = [
        {
            **claim,
            "evidence": claim["in_brief"]
            or (claim["why"] if claim["number"] is None else "{number}: {of}".format(**claim)),
        }
        for claim in facts["claims"]
    ]
    published = []
    for row in facts["published"]:
        cells = {"place": row["place"], "number": row["number"], "published": row["printed"]}
        for side in (facts["majority"], facts["minority"]):
            estimate = row.get(side)
            word = facts["words"][side]
            cells[f"{word}: ours"] = estimate and str(estimate["mean"])
            cells[f"{word}: percentile"] = estimate and str(estimate["percentile"])
        published.append(cells)
    layout = [
        {"table": row["table"], "measure": row["measure"]}
        | {
            f"{MODEL_LABELS[model]}, {what}": str(row[model][what] or "")
            for model in PAPER_PAIR
            for what in ("printed", "ours")
        }
        for row in facts["layout"]
    ]
    signs = [{"departure from the text": row["words"], **row["signs"]} for row in facts["shown"]]
    joint = []
    for row in facts["shown"]:
        if eleven := row["distances"]["eleven numbers"]:
            cells = {"departure from the text": row["words"]}
            cells["distance"] = f"{eleven['near']} to {eleven['far']}"
            cells |= {"typical": str(eleven["typical"]), "farther out": str(eleven["share"])}
            joint.append(cells | {"areas alone": str(row["distances"]["eight areas"]["share"])})
    return {
        "facts/claims": pd.DataFrame(claims),
        "facts/published": pd.DataFrame(published),
        "facts/layout": pd.DataFrame(layout),
        "facts/readings": pd.DataFrame(signs),
        "facts/joint": pd.DataFrame(joint),
    }


def _one(
    table: pd.DataFrame | None,
    column: str,
    unit: str,
    where: Mapping[str, Any],
    ends: Sequence[str] = (),
) -> Fact | None:
    """A cell of the only row with these values in other columns; None if there is none."""
    if table is None or (rows := choose(table, where)).empty or column not in rows:
        return None
    (row,) = rows.to_dict("records")
    return fact_of(row[column], unit, *map(row.get, ends))


def short_answer(readings: Facts, claims: Sequence[Facts]) -> Facts:
    """Whether the printed numbers can be what the text says, and the answer in two sentences."""
    status, single, pairs = (readings[name] for name in ("text_status", "single", "pairs"))
    known = readings["kappa"] is not None and readings["printed"] is not None
    ways = len(single) + len(pairs)
    answer = {
        "no": "Not as its text says",
        "open": "Perhaps as its text says",
        "yes": "As its text says",
    }[status]
    if single:
        joined = "but" if status == "no" else "or"
        answer += f", {joined} with one departure from it ({'; or '.join(single)})"
    reversal = next((claim for claim in claims if claim["key"] == "reversal"), None)
    if reversal and reversal["verdict"] != WITHHELD:
        answer += ". The rank reversal is {verdict} in our splits: {number}".format(**reversal)
        answer += f" ({reversal['why']})" if reversal["why"] else ""
    return {
        "short_answer": f"{answer}.",
        "contradicted": status == "no" and known,
        "unexplained": status != "yes" and not ways,
        "several_ways": ways > 1,
    }


def _claim(row: Mapping[Any, Any]) -> Facts:
    """A claim with the number that shows it (None if it has none), and what that number is."""
    cells = {str(name): "" if pd.isna(value) else value for name, value in row.items()}
    number = fact_of(row["value"], row["unit"], row["low"], row["high"])
    of = cells["number"] if pd.isna(row["n"]) else f"{cells['number']}, n = {row['n']:,.0f}"
    cells |= {"of": of, "limit": fact_of(row["limit"], row["unit"])}
    cells["related"] = row["paper"] != STUDY_LABELS["kaymak"]
    fits = (way for begins, way in OUTCOMES.items() if row["verdict"].startswith(begins))
    cells["outcome"] = next(fits, "open")
    return {**cells, "section": str(row["section"]), "number": number}


def beside_ours(tables: pd.DataFrame) -> list[Facts]:
    """Each published number with our mean, central 95 % and percentile, for either class."""
    rows: list[Facts] = []
    for (place, curve, model, measure), printed in published_numbers().items():
        ours = choose(tables, {"model": model, "measure": measure, "curve": curve})
        ours = ours[ours["published"].notna()].set_index("positive_class")
        if len(ours):
            label = f"{MODEL_LABELS[model]}, {MEASURE_LABELS[measure]}"
            row: Facts = {"place": place, "number": label, "printed": printed.text}
            for side, of in ours.to_dict("index").items():
                mean = fact_of(of["mean"], "measure", of["low"], of["high"])
                row[str(side)] = mean and {
                    "mean": mean,
                    "percentile": Fact(of["percentile"], "percentile"),
                }
            rows.append(row)
    return rows


def in_the_papers_layout(tables: pd.DataFrame) -> list[Facts]:
    """Tables 4 and 5 as the paper prints them, with ours and H beside: rows are measures.

    Ours have the majority positive, with which the printed areas are possible.
    """
    rows: list[Facts] = []
    printed = published_numbers()
    for place, curve in (("Table 4", "hull"), ("Table 5", "raw")):
        ours = choose(tables, {"curve": curve, "positive_class": MAJORITY})
        for measure in ("auc", "auk", "h"):
            cells: Facts = {"table": place, "measure": measure}
            for model in PAPER_PAIR:
                number = printed.get((place, curve, model, measure))
                cells[model] = {
                    "printed": "" if number is None else number.text,
                    "ours": _one(
                        ours, "mean", "measure", {"model": model, "measure": measure}, ENDS
                    ),
                }
            rows.append(cells)
    return rows


def printed_statements(checks: pd.DataFrame) -> list[Facts]:
    """How many printed statements of each source agree, disagree, and are undecided."""
    counts: Any = printed_outcomes(checks).to_dict("index")
    return [
        {"source": label, **counts[study]}
        for study, label in STUDY_LABELS.items()
        if study in counts
    ]


def _cost(ratio: float | None) -> Facts | None:
    """What a missed row of either class costs of two errors, and the weight of H at that cost."""
    if ratio is None:
        return None
    share = ratio / (1 + ratio)
    return {
        "ratio": Fact(ratio, "plain"),
        "minority": Fact(share, "cost"),
        "majority": Fact(1 - share, "cost"),
        "beta": f"{max(2, 2 / ratio):g}, {max(2, 2 * ratio):g}",
    }


def _split(tables: Tables) -> Facts:
    """The rows of the split shown."""
    row = choose(tables["paper/measures"], {"curve": "raw", "positive_class": MINORITY}).iloc[0]
    test = int(row["n_positive"] + row["n_negative"])
    minority = int(row["n_positive"])
    sample = tables["paper/sample"]
    counts = {"rows": len(sample), "minority": int(sample[MINORITY].sum()), "test": test}
    counts |= {"train": len(sample) - test, "minority_in_test": minority}
    facts: Facts = {name: Fact(count, "count") for name, count in counts.items()}
    facts["is_rare"] = 2 * counts["minority"] < counts["rows"]
    return {**facts, "prevalence": Fact(minority / test, "share")}


def _reversal(tables: Tables) -> Facts | None:
    """How often the published reversal is seen, and how often AUC and AUK differ, by class."""
    if (table := tables.get("tables/rank_reversal")) is None:
        return None
    kinds = {
        "published": {"pair": "auc-auk", "curve": "both", "pattern": "published"},
        "differ": {"pair": "auc-auk", "curve": "raw", "pattern": "any"},
    }
    return {
        side: {
            kind: _one(table, "share", "share", where | {"positive_class": side}, ENDS)
            for kind, where in kinds.items()
        }
        for side in (MINORITY, MAJORITY)
    }


def _family(tables: Tables) -> Facts | None:
    """How often the first model leads at some costs, and where the two tie."""
    table = tables.get("tables/cost_profile", pd.DataFrame(columns=["ahead"]))
    if table["ahead"].isna().all():  # no profile, or a model that could not be fitted
        return None
    model = table["model"].iloc[0]
    where = {"curve": "raw", "model": model, "positive_class": MAJORITY}
    ends = ("ahead_low", "ahead_high")
    ahead = {
        mark: _one(table, "ahead", "share", where | {"mark": mark}, ends)
        for mark in ("AUK", "5:1", "AUC - 1/2")
    }
    rows = choose(tables["tables/cost_ties"], {"curve": "raw", "positive_class": MAJORITY})
    costs = sorted(rows["cost"])
    ties = None
    if costs:
        named = {"least": costs[0], "median": costs[len(costs) // 2], "most": costs[-1]}
        ties = {name: Fact(cost, "cost") for name, cost in named.items()} | {
            "splits": rows["replicate"].nunique(),
            "below": sum(cost < 5 / 6 for cost in costs),
            "all": len(costs),
        }
    return {
        "first": MODEL_LABELS[model],
        "splits": _one(table, "splits", "count", where | {"mark": "AUK"}),
        "ahead": ahead,
        "ties": ties,
    }


def _sweep(tables: Tables) -> Facts | None:
    """The sizes of the sweep's cells."""
    if "sweep/sizes" not in tables or (sizes := tables["sweep/sizes"]).empty:
        return None
    in_test = sizes[f"{MINORITY}_in_test"]
    return {
        "left_out": int(sizes["left_out"].max()),
        "train": sorted(set(sizes["n_train"])),
        "test": [int(sizes["test"].min()), int(sizes["test"].max())],
        "minority_in_test": [Fact(in_test.min(), "count"), Fact(in_test.max(), "count")],
    }


def _rarity(tables: Tables) -> Facts | None:
    """Which of the things that make a class rare raises the share of splits that disagree."""
    if "sweep/rarity" not in tables or not (by_design := rarest(tables["sweep/rarity"])):
        return None
    return {
        name: {
            "skew": Fact(rows["skew"].iloc[0], "stated share"),
            "minority_in_test": Fact(rows["minority_in_test"].iloc[0], "count"),
            "shares": [Fact(share, "share") for share in sorted(rows["share"])],
            "raised": bool(rows["raised"].all()),
        }
        for name, rows in by_design.items()
    }


def _network(tables: Tables) -> Facts:
    """Mean AUK on the hull of both networks, the majority class positive."""
    where = {"measure": "auk", "positive_class": MAJORITY}
    return {
        name: _one(tables["tables/table4"], "mean", "measure", where | {"model": name}, ENDS)
        for name in ("neural_net", "neural_net_lm")
    }


def _star(tables: Tables) -> Facts:
    """Kappa at the printed rates, at the prevalence of the test rows of the split shown."""
    rows = choose(tables["paper/measures"], {"positive_class": MINORITY, "curve": "hull"})
    if (point := point_if_published()) is None:
        return {"kappa": None}
    fpr, tpr, _ = (printed.value for printed in point)
    return {"kappa": Fact(float(kappa_from_rates(fpr, tpr, rows["prevalence"].iloc[0])), "measure")}


def _specification(tables: Tables) -> Facts | None:
    """The published reversal over all specifications."""
    rows = tables.get("tables/specification", pd.DataFrame())
    if rows.empty:
        return None
    both = rows["reversal_share_both"]
    on_one = max(rows[f"reversal_share_{curve}"].max() for curve in ("hull", "raw"))
    as_large = choose(tables["tables/rank_reversal"], {"pattern": "as_large", "curve": "both"})
    return {
        "replicates": int(rows["replicates"].max()),
        "least": Fact(both.min(), "share"),
        "most": Fact(both.max(), "share"),
        "on_one": Fact(on_one, "share"),
        "as_large": None
        if as_large.empty
        else {
            "reversals": int(as_large["reversals"].max()),
            "replicates": int(as_large["replicates"].max()),
            "high": Fact(as_large["high"].max(), "share"),
            "specifications": int(rows["as_large_both"].max()),
        },
    }


def _companions(tables: Tables) -> Facts:
    """The numbers of the related papers that the appendix names."""
    example = tables.get("companions/hand/example3")
    change = tables.get("companions/silipo/change")
    leak = {"draw": "before_split", "class": MAJORITY}
    return {
        "example3": {
            f"{model}_{name}": _one(example, "found", "measure", {"model": model, "measure": name})
            for model in ("first", "second")
            for name in ("auc", "h", "auk")
            if example is not None and "found" in example
        },
        "leak": _one(tables.get("companions/silipo/leak"), "mean", "share", leak),
        "smote": {
            draw: {
                name: _one(change, column, unit, {"draw": draw, "measure": "kappa"})
                for name, column, unit in (
                    ("change", "mean", "measure"),
                    ("as_large", "as_large", "count"),
                )
            }
            for draw in ("before_split", "after_split")
        },
    }


def _advice(tables: Tables) -> Facts:
    """What choosing by AUK and by log loss brought against AUC in the study of many data sets."""
    table = tables["many_data_sets/results"]
    keys = ("log_loss_25", "log_loss_25_trees", "choice_25_at_5")
    return {
        "data_sets": _one(table, "data_sets", "count", {"key": "choice_25_at_5"}),
        **{key: _one(table, "estimate", "points", {"key": key}, ENDS) for key in keys},
    }
