"""Sampling, splitting, fitting and measuring, again and again."""
