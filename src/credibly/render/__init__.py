"""Figures drawn: the only package that imports Altair, vl-convert and matplotlib, each when it draws."""
