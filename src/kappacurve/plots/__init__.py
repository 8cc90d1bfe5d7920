"""Displays, figures and their style."""
