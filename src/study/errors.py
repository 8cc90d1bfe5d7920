"""An error that the user can fix, shown without a traceback, and the warning of a fit cut short."""


class ExperimentError(Exception):
    """The data or the settings do not allow what was asked; the message says what to do."""


class ConvergenceWarning(UserWarning):
    """A model was stopped by its limit of iterations; as scikit-learn's, without importing that."""
