"""The models, by the names of study.models.registry, and those of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from study.errors import ExperimentError
from study.models.registry import RESAMPLING, check_estimator
from study.settings.values import (
    LEFT_OUT,
    Plain,
    Section,
    Switched,
    one_of,
)

HiddenUnits = Annotated[int, Field(ge=1, le=1000)]
MOST_MODELS = 36
Iterations = Annotated[int, Field(ge=1, le=1_000_000)]


class Linear(Section):
    """Least squares on the 0/1 label; it has no settings."""


class Logistic(Section):
    """Logistic regression with a ridge penalty."""

    C: Annotated[float, Field(gt=0)] = LEFT_OUT
    """Inverse of the penalty's weight."""


class NeuralNet(Section):
    """One hidden layer of logistic units, trained on the log-loss by L-BFGS."""

    hidden_units: HiddenUnits = LEFT_OUT
    """Units of the hidden layer."""
    alpha: Annotated[float, Field(ge=0)] = LEFT_OUT
    """Weight of the ridge penalty."""
    max_iter: Iterations = LEFT_OUT
    """Most steps of L-BFGS."""


class NeuralNetLM(Section):
    """The same network, trained on squared error by Levenberg-Marquardt as in MATLAB 2010."""

    hidden_units: HiddenUnits = LEFT_OUT
    """Units of the hidden layer."""
    early_stopping: bool = LEFT_OUT
    """Whether validation rows end the training; false fits all training rows."""
    patience: Iterations = LEFT_OUT
    """Steps without a better fit of the validation rows after which training stops."""
    validation_fraction: Annotated[float, Field(gt=0, lt=1)] = LEFT_OUT
    """Share of the training rows that validates."""
    unused_fraction: Annotated[float, Field(ge=0, lt=1)] = LEFT_OUT
    """Share of the training rows that MATLAB set aside as a test set of its own."""
    initialization: Literal["nguyen_widrow", "uniform"] = LEFT_OUT
    """How initial weights are drawn."""
    max_iter: Iterations = LEFT_OUT
    """Most steps."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        if (self.validation_fraction or 0) + (self.unused_fraction or 0) >= 1:
            yield "unused_fraction", "with validation_fraction it leaves no rows to train on"


class OwnModel(Section):
    """A scikit-learn classifier under a name of your own."""

    estimator: str
    """Import path of its class, such as sklearn.svm.SVC."""
    parameters: dict[str, Plain] = Field(default={})
    """Arguments of the class."""
    resampling: Annotated[str, one_of(RESAMPLING)] | None = None
    """How imbalanced-learn balances the training rows; null leaves them as they are."""

    @model_validator(mode="before")
    @classmethod
    def _names_an_estimator(cls, settings: Any) -> Any:
        if isinstance(settings, dict) and "estimator" not in settings:
            raise PydanticCustomError("not_a_model", "it names no estimator")
        return settings

    @model_validator(mode="after")
    def _can_be_built(self, info: ValidationInfo[Any]) -> Self:
        try:
            check_estimator(self.model_dump(), info.context["packages"])
        except ExperimentError as error:
            raise ValueError(str(error)) from None
        return self


class Models(Section):
    """Models to fit, each with its settings ({} for the defaults).

    false leaves out a model that another config file brings in. Under any other name: a model of
    your own.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[
        Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$", max_length=60)], Switched[OwnModel]
    ]

    linear: Switched[Linear] = LEFT_OUT
    """Least squares."""
    logistic: Switched[Logistic] = LEFT_OUT
    """Logistic regression, the linear baseline of today."""
    neural_net: Switched[NeuralNet] = LEFT_OUT
    """The paper's network, trained as scikit-learn does."""
    neural_net_lm: Switched[NeuralNetLM] = LEFT_OUT
    """The paper's network, trained as MATLAB did by default."""

    def _disagreements(self) -> Iterator[tuple[str, str]]:
        on = [settings for _, settings in self if settings is not False]
        if len(on) > MOST_MODELS:
            yield "", f"figures tell {MOST_MODELS} models apart, not {len(on)}: set some to false"
