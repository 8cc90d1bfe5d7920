"""What the sections of a config share: their strictness, and the kinds of values they hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from study.data.german_credit import ENCODINGS
from study.models.registry import Scaling as Scaling
from study.replicates.counts import Scheme as Scheme

T = TypeVar("T")
# The tests hold the measures to exact fractions at prevalences from this to one minus it.
LEAST = 1e-6
# For a key that may be left out without a value standing here: the model's own default holds.
LEFT_OUT: Any = Field(default_factory=lambda: None)


class Section(BaseModel):
    """Refuses unknown keys, numbers in quotes, nan and inf; a key's docstring is its meaning."""

    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        """Keys below the section whose values do not fit the others, each with the reason."""
        yield from ()

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if reasons := list(self._disagreements()):
            raise PydanticCustomError(
                "disagreement", "values do not fit", {"disagreements": reasons}
            )
        return self


def one_of(names: Iterable[str]) -> GetPydanticSchema:
    """As Literal, for the names of a registry."""
    return GetPydanticSchema(lambda *_: core_schema.literal_schema(list(names)))


def _or_false(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Besides its settings, false leaves a model out; editors are offered both."""
    settings = handler(source)
    either = core_schema.union_schema([settings, core_schema.literal_schema([False])])
    return core_schema.no_info_wrap_validator_function(
        lambda value, check: value if value is False else check(value),
        settings,
        json_schema_input_schema=either,
    )


def _distinct(values: list[T]) -> list[T]:
    if len(set(values)) < len(values):
        raise ValueError("it should hold nothing twice")
    return values


def _ascending(pair: list[T]) -> list[T]:
    if sorted(pair) != pair:  # type: ignore[type-var]
        raise ValueError("it should begin with the smaller number")
    return pair


def _is_prevalence(value: Any) -> Any:
    number = isinstance(value, float | int) and not isinstance(value, bool)
    if value not in ("test", "nominal") and not (number and LEAST <= value <= 1 - LEAST):
        raise ValueError(f"it should be test, nominal, or a share from {LEAST:g} to 1 - {LEAST:g}")
    return value


def _rows_or_share(number: float) -> float:
    if number < 1:
        return number
    if number != int(number):
        raise ValueError("it should be a number of rows or a share below one")
    return int(number)


def _is_constraint(text: str) -> str:
    """As kappacurve.operating.check_at, whose NumPy the config must do without."""
    budget, _, most = text.partition("<=")
    goal, _, least = text.partition(">=")
    with suppress(ValueError):
        if budget in ("fpr", "flagged") and 0 <= float(most) <= 1:
            return text
        if goal in ("recall", "precision", "specificity") and 0 < float(least) <= 1:
            return text
    raise ValueError(
        "it should be fpr<= or flagged<=, or recall>=, precision>= or specificity>=, with a number "
        "up to 1"
    )


def _is_there(path: str) -> str:
    with suppress(OSError):  # the system refuses some paths
        if Path(path).is_file():
            return path
    raise ValueError("there is no such file")


def _is_model(name: str, info: ValidationInfo[Any]) -> str:
    models = info.context["models"]
    if name not in models and name not in info.context["switched_off"]:
        raise ValueError(f"the models are {', '.join(models)}")
    return name


def _switched_on(names: list[str], info: ValidationInfo[Any]) -> list[str]:
    """Those that are switched off are taken out."""
    on = [name for name in names if name in info.context["models"]]
    if not on:
        raise ValueError("all of these models are switched off")
    return on


def _is_plain(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(
            "it should be made of text, finite numbers, true, false and null"
        ) from None
    return value


def _is_single(value: Any) -> Any:
    if not isinstance(value, str | int | float):
        raise ValueError("it should be text, a number, true or false")
    return _is_plain(value)


Distinct = Annotated[
    list[T], AfterValidator(_distinct), Field(json_schema_extra={"uniqueItems": True})
]
Levels = Annotated[Distinct[T], Field(min_length=1)]
Pair = Annotated[list[T], Field(min_length=2, max_length=2), AfterValidator(_ascending)]
Text = Annotated[str, Field(min_length=1)]
# Snakemake takes no path with braces or a line's end.
FilePath = Annotated[str, Field(pattern=r"^[^{}\n]+$")]
FileThere = Annotated[FilePath, AfterValidator(_is_there)]
ModelName = Annotated[str, AfterValidator(_is_model)]
SwitchedOn = AfterValidator(_switched_on)
ModelNames = Annotated[Levels[ModelName], SwitchedOn]
Plain = Annotated[Any, AfterValidator(_is_plain)]
Single = Annotated[Any, AfterValidator(_is_single)]

Switched = Annotated[T, GetPydanticSchema(_or_false)]

Share = Annotated[float, Field(ge=LEAST, le=1 - LEAST)]
Prevalence = Annotated[
    Any,
    AfterValidator(_is_prevalence),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["test", "nominal"]},
                {"type": "number", "minimum": LEAST, "maximum": 1 - LEAST},
            ]
        }
    ),
]
Constraint = Annotated[str, AfterValidator(_is_constraint)]
CostRatio = Annotated[float, Field(gt=0, le=1_000_000)]
Count = Annotated[int, Field(ge=2, le=1_000_000)]
PerJob = Annotated[int, Field(ge=1)]
Rows = Annotated[int, Field(ge=2)]
RowsOrShare = Annotated[float, Field(gt=0), AfterValidator(_rows_or_share)]
Encoding = Annotated[str, one_of(ENCODINGS)]
