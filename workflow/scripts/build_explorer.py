"""The explorer: one offline page on which a reader moves the prevalence and sees what follows."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
from bokeh.resources import Resources
from jinja2 import Environment, StrictUndefined

from _job import run
from study.pages.explorer import explorer_payload
from study.pages.explorer_plots import explorer_plots

REPLICATES_SHOWN = 20


def build_explorer(
    *,
    paper_scores: Path,
    replicate_scores: list[Path],
    template: Path,
    parts: list[Path],
    page: Path,
    models: list[str],
    skew: float | None,
) -> None:
    """Write the page; ``parts`` are its style sheet and its scripts, in the order of loading."""
    payload = explorer_payload(
        pd.read_csv(paper_scores), _first(replicate_scores), pair=models, skew=skew
    )
    style, *scripts = (part.read_text(encoding="utf-8") for part in parts)
    filled = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    html = filled.from_string(template.read_text(encoding="utf-8")).render(
        style=style,
        scripts=[_bokeh(), *scripts],
        payload=_inside_script(payload),
        plots=_inside_script(explorer_plots()),
        own_label="test set's own" if skew is None else "nominal, as in the tables",
    )
    page.write_text(html, encoding="utf-8")


def _first(parts: list[Path]) -> pd.DataFrame:
    """The replicates that the page shows: all of them would make it too heavy to load."""
    few = [("replicate", "<", REPLICATES_SHOWN)]
    found: pd.DataFrame = pd.read_parquet(parts[0].parent, filters=few)
    return found


def _bokeh() -> str:
    """BokehJS without its widgets and tables, which the page does not use."""
    return "\n".join(Resources("inline", components=["bokeh"], log_level="warn").js_raw)


def _inside_script(content: Any) -> str:
    """JSON that can't end the script element in which it stands."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


if __name__ == "__main__":
    run(build_explorer)
