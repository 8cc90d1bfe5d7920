"""The error that a user can mend: its message is shown without a traceback."""


class ExperimentError(Exception):
    """The data or the settings do not allow what was asked; the message says what to do."""
