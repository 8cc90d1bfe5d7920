"""The smallest data set of one's own, from its table to its appendix, job by job."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from build_appendix import FILES, build_appendix
from compare_models import compare_models
from draw_curves import draw_curves
from draw_split import draw_split
from prepare_dataset import prepare_dataset
from run_replicates import draw_part
from study.settings.own_datasets import Dataset
from summarise_dataset import summarise_dataset

ROOT = Path(__file__).parents[2]
BROKEN = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}
MODELS = {"linear": {}, "broken": BROKEN}
FORMATS = ("csv", "md", "tex", "html")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Four rows of each class: two to train on, and two to test."""
    monkeypatch.chdir(tmp_path)
    doses = [1, 2, 4, 2.5, 3, 5, 6.5, 2.2]
    pd.DataFrame({"dose": doses, "sick": 4 * ["no"] + 4 * ["yes"]}).to_csv("own.csv", index=False)
    return tmp_path / "results" / "datasets" / "mine"


@pytest.mark.slow
@pytest.mark.parametrize("names", [["linear"], ["linear", "broken"]])
def test_one_model_two_replicates_and_no_skew_make_a_document(folder, names):
    for place in ("data", "paper", "tables", "figures", "replicates/measures.parquet"):
        (folder / place).mkdir(parents=True)
    place = folder.relative_to(folder.parents[2])
    declared = {"source": "file", "path": "own.csv", "target": "sick", "positive": "yes"}
    declared |= {"models": names, "replicates": 2, "n_train": 4}
    context = {"models": names, "switched_off": set()}
    declared = Dataset.model_validate(declared, context=context).model_dump()
    features, provenance = place / "data/features.csv", place / "data/provenance.json"
    prepare_dataset(
        own=folder.parents[2] / "own.csv", features=features, provenance=provenance,
        name="mine", declaration=declared, uci_url="", timeout_seconds=1,
    )  # fmt: skip
    cell = {"models": {name: MODELS[name] for name in names}, "dataset": "mine", "encoding": "own"}
    cell |= {"trainer": "", "n_train": 4} | dict.fromkeys(("skew", "prevalence"))
    cell |= {"stratify": True, "scaling": "standard"}
    shared = {"provenance": provenance}
    split = {name: place / f"paper/{name}.csv" for name in ("scores", "curves", "measures")}
    rows = {"features": features, "cell": cell, "seed": 1}
    draw_split(**rows, **shared, **split, sample=place / "paper/sample.csv")
    part = place / "replicates/measures.parquet/part-00000.parquet"
    draw_part(**rows, **shared, bounds=(0, 2), measures=part)
    made = [provenance]

    def outputs(where, *stems, formats=FORMATS):
        found = {stem: [place / where / f"{stem}.{end}" for end in formats] for stem in stems}
        made.extend(path for paths in found.values() for path in paths)
        return found

    tables = outputs("tables", "intervals", "ranks", "tests", "bounds")
    of_test = {"scores": split["scores"], "measures": split["measures"], "seed": 1}
    compare_models(**of_test, **shared, **tables, prevalence=None, n_resamples=50)
    stems = [f"figure{n}_{side}" for n in (2, 3) for side in ("positive", "negative")]
    figures = outputs("figures", *stems, "auk_by_prevalence", formats=("pdf",))
    draw_curves(curves=split["curves"], measures=split["measures"], **shared, **figures)
    tables = outputs("replicates", "summary") | outputs("tables", "rank_reversal", "certainty")
    summarise_dataset(parts=[part], expected=dict.fromkeys(names, 2), **tables)
    own = ["own_question", "measures", "own_tables", "own_curves", "own_replicates", "rerun"]
    appendix = ROOT / "workflow" / "appendix"
    (folder / "appendix").mkdir()
    build_appendix(
        texts=[appendix / f"text/{name}.rst" for name in own],
        sources=[
            *(ROOT / "workflow/report").rglob("*.rst"),
            *appendix.glob("*.*"),
            *(ROOT / name for name in ("config/config.yaml", "pyproject.toml", "CITATION.cff")),
            ROOT / "tests/reference/bakeoff/headline.csv",
        ],
        results=made,
        files=[folder / "appendix" / name for name in FILES],
        title="Models",
        config={"seed": 1, "companions": {}, "datasets": {"mine": declared}, "scores": {}},
        dataset="mine",
    )
    assert (folder / "appendix/appendix.pdf").read_bytes().startswith(b"%PDF")
    said = (folder / "appendix/body.tex").read_text()
    assert ("broken could not be fitted" in " ".join(said.split())) == ("broken" in names)
    summary = pd.read_csv(place / "replicates/summary.csv").set_index("model")
    assert np.isfinite(summary.loc["linear", "mean"]).any()
    assert (summary["undefined"] == np.where(summary.index == "broken", 2, 0)).all()
