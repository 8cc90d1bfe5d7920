"""The error of a config that can't work."""


class ConfigError(ValueError):
    """A value in the config that can't be used; the message names its key."""
