"""The sources: what they print and what we find."""
