"""The smallest data sets of one's own, from their table to their documents."""

import numpy as np
import pandas as pd
import pytest
import yaml

BROKEN = {"estimator": "sklearn.svm.SVC", "parameters": {"kernel": "precomputed"}}


@pytest.mark.slow
def test_one_model_two_replicates_and_no_skew_make_a_document(snakemake, tmp_path):
    """Four rows of each class: two to train on, and two to test."""
    doses = [1, 2, 4, 2.5, 3, 5, 6.5, 2.2]
    own = pd.DataFrame({"dose": doses, "sick": 4 * ["no"] + 4 * ["yes"]})
    own.to_csv(tmp_path / "own.csv", index=False)
    declared = {"source": "file", "path": "own.csv", "target": "sick", "positive": "yes"}
    declared |= {"replicates": 2, "n_train": 4}
    models = {"alone": ["linear"], "beside": ["linear", "broken"]}
    datasets = {name: declared | {"models": own} for name, own in models.items()}
    config = tmp_path / "own.yaml"
    config.write_text(yaml.safe_dump({"models": {"broken": BROKEN}, "datasets": datasets}))
    done = snakemake(tmp_path, "own_data", config=config)
    assert done.returncode == 0, done.stdout
    for name, fitted in models.items():
        place = tmp_path / "results/datasets" / name
        assert (place / "appendix/appendix.pdf").read_bytes().startswith(b"%PDF")
        said = " ".join((place / "appendix/body.tex").read_text().split())
        assert ("broken could not be fitted" in said) == ("broken" in fitted)
        summary = pd.read_csv(place / "replicates/summary.csv").set_index("model")
        assert np.isfinite(summary.loc["linear", "mean"]).any()
        assert (summary["undefined"] == np.where(summary.index == "broken", 2, 0)).all()
    # Without pairs there are whole tables, of no rows.
    for table in ("replicates/wins", "tables/tests"):
        assert pd.read_csv(tmp_path / f"results/datasets/alone/{table}.csv").empty
