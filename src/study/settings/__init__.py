"""The config: its sections, checks and cells."""
