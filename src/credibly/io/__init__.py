"""Predictions from files and frames."""
