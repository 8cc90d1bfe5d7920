"""Thresholds, net benefit and costs."""
