"""Read a family of data, train every model on each split and score the other half."""

import json
import logging
from pathlib import Path
from typing import Any

import pandas as pd

from _job import job
from study.bakeoff.scores import score_family as score
from study.data.archives import UnobtainableError, read_family
from study.parquet import write_parquet

log = logging.getLogger(__name__)


@job
def score_family(
    *,
    archive: Path | list[Path],
    own: Path | list[Path],  # noqa: ARG001  for Snakemake, which runs the job again if it changes
    scores: Path,
    status: Path,
    name: str,
    settings: dict[str, Any],
    uci: dict[str, Any],
) -> None:
    """Write the scores, and how many rows there are or why there are none."""
    family = settings["family"]
    told = {"family": name, "tier": family["tier"], "archive": family["archive"] or "own"}
    try:
        record = {"wheel": None, "problem": None}
        if isinstance(archive, Path):
            record = json.loads(archive.read_text(encoding="utf-8"))
        if record["problem"]:
            raise UnobtainableError(record["problem"])
        wheel = record["wheel"] and Path(record["wheel"])
        data = read_family(family, wheel, **uci)
    except UnobtainableError as error:
        log.warning("%s is missing: %s", name, error)
        told["problem"] = str(error)
        table = pd.DataFrame({"split": [], "part": [], "positive": []})
    else:
        told |= {"rows": len(data.positive), "positives": int(data.positive.sum())}
        keys = ("seed", "splits", "most_rows")
        table = score(data, name, settings["models"], **{key: settings[key] for key in keys})
    write_parquet(table, scores)
    status.write_text(json.dumps(told), encoding="utf-8")
