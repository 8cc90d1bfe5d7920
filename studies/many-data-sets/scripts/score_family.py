"""Read a family of data, train every model on each split and score the other half."""

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _running import job
from kappacurve import read_scores
from kappacurve.io import ScoreFileError
from many_data_sets._experiment import ExperimentError, write_parquet
from many_data_sets.archives import UnobtainableError, read_family
from many_data_sets.scores import score_family as score, stored_family

log = logging.getLogger(__name__)


def score_family(
    name: str, settings: dict[str, Any], archive: Path | None, scores: Path, status: Path
) -> None:
    """Write the scores, and how many rows there are or why there are none.

    `archive` is the record of its wheel.
    """
    family = settings["family"]
    told = {key: family[key] for key in ("tier", "round")}
    told = {"family": name, **told, "source": family["archive"] or family["source"] or "own"}
    keys = {key: settings[key] for key in ("seed", "splits", "most_rows")}
    try:
        record = {"wheel": None, "problem": None}
        if archive:
            record = json.loads(archive.read_text(encoding="utf-8"))
        if record["problem"]:
            raise UnobtainableError(record["problem"])
        wheel = record["wheel"] and Path(record["wheel"])
        if family["predictions"]:
            columns = {"label": family["target"], "exclude": family["drop"]}
            stored = read_scores(family["path"], positive=family["positive"], **columns)
            label: Any = stored.positive
            table = stored_family(stored, name, **keys)
        else:
            data = read_family(family, wheel, **settings["uci"])
            label = data.positive
            table = score(data, name, settings["models"], settings["recalibrated"], **keys)
        told |= {"rows": len(label), "positives": int(label.sum())}
    except ScoreFileError as error:
        raise ExperimentError(f"families.{name}.path: {error}") from None
    except UnobtainableError as error:
        log.warning("%s is missing: %s", name, error)
        told["problem"] = str(error)
        table = pd.DataFrame({"split": [], "part": [], "positive": []})
    write_parquet(table, scores)
    status.write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake.log[0]):
        score_family(
            snakemake.wildcards.family,
            snakemake.params.settings,
            Path(snakemake.input.archive) if snakemake.input.archive else None,
            Path(snakemake.output.scores),
            Path(snakemake.output.status),
        )
