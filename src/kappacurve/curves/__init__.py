"""Curves of one set of scores: kernels, measures, bounds and counts."""
