"""The whole config, and the JSON schema by which editors complete and explain its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field
from pydantic.json_schema import GenerateJsonSchema

from study.settings import experiment as sections
from study.settings.cells import specification_levels, sweep_levels
from study.settings.companions import Companions
from study.settings.models import Models
from study.settings.own_datasets import Dataset, Scores
from study.settings.values import Distinct, FilePath, Name, Section


class Config(Section):
    """What each key of config/config.yaml means, and what it may hold."""

    seed: Annotated[int, Field(ge=0, lt=2**32)]
    """Root of every random number. A replicate is seeded by this and its own number."""
    data: sections.Data
    experiment: sections.Experiment
    original: sections.Original
    models: Models
    replicates: sections.Replicates
    sweep: sections.Sweep
    specification: sections.Specification
    correction: sections.Correction
    figures: sections.Figures
    forensics: sections.Forensics
    companions: Companions
    estimator_packages: Distinct[Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]]
    """Packages whose classes may be named as a model's estimator. Naming one runs its code, so read
    a config that somebody gives you before you add a package here."""
    datasets: dict[Name, Dataset]
    """Data sets of your own, by a name of small letters, digits and underscores. Each goes through
    the same steps (undersampling, split, the models, curves, measures, replicates) into
    results/datasets/<name>/."""
    scores: dict[Name, Scores]
    """Scores of your own models, without training, by a name of small letters, digits and
    underscores. Results as for datasets, but no replicates."""

    bakeoff: FilePath | None = None
    """A file that changes or adds to config/bakeoff.yaml, the study of many data sets."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        for name in self.datasets.keys() & self.scores.keys():
            yield f"scores.{name}", "there is a data set of that name too"
        values = self.model_dump(warnings=False)  # a model that is switched off is false
        sweep = sweep_levels(values)
        if not sweep.levels:
            first = sweep.skipped[0]
            reason = f"the data can give none of its cells; {first['cell']}: {first['reason']}"
            yield "sweep", reason
        if not specification_levels(values):
            reason = "the data can give none of these at the skew under experiment"
            yield "specification.sampling", reason


class _Generator(GenerateJsonSchema):
    """Without titles, which would only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False


def schema_text() -> str:
    """The JSON schema of a config, one line for each section."""
    schema = Config.model_json_schema(schema_generator=_Generator)
    sections = schema.pop("$defs")
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **schema}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(sections[name])}" for name in sections)
    return f'{json.dumps(schema)[:-1]},\n"$defs": {{\n{lines}\n}}}}\n'
