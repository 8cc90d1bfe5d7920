"""Errors the user can fix."""


class StudyError(Exception):
    """A data set is missing or not as declared; the message is a sentence."""
