"""The command ``kappacurve``."""
