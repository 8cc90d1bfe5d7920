"""The error that a user can do something about."""


class StudyError(Exception):
    """A data set cannot be had or is not the declared one; the message is one sentence."""
