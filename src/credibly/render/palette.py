"""Colours that people with any colour vision can distinguish, on light and on dark ground."""

from __future__ import annotations

from collections.abc import Iterable

# Okabe & Ito (2008), without the yellow and the black that vanish on one of the grounds.
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F", "#332288")
DARK_SERIES = (
    "#56B4E9",
    "#F0914A",
    "#2DC79A",
    "#E3A3C9",
    "#9BD3F5",
    "#F2C14E",
    "#B0B0B0",
    "#A79FE1",
)
GROUND = {"light": "#ffffff", "dark": "#0d1117"}
INK = {"light": "#1f2328", "dark": "#e6e8ea"}
FAINT = {"light": "#d5d9de", "dark": "#3d444d"}
QUIET = {"light": "#8b949e", "dark": "#8b949e"}
HEAT = {"light": ("#f4f8fb", "#083050"), "dark": ("#15202b", "#6aaed9")}
# Negative to positive; either end has the contrast with its text that the ends above have.
DIVERGING = {
    "light": ("#521f00", "#f6f6f6", "#083050"),
    "dark": ("#e8935a", "#1b2129", "#6aaed9"),
}
# Text on a cell is black or white; beyond this part of the way the other reads better, at 4.5 to 1.
FULL_SHADE = 0.637
ON_FAINT = {"light": "#000000", "dark": "#ffffff"}
ON_FULL = {"light": "#ffffff", "dark": "#000000"}


def shades(values: Iterable[float | None]) -> tuple[float, float]:
    """Return the numbers at the ends of a scale of shades, which lie around 0 where some are negative."""
    known = [v for v in values if v is not None]
    low, high = min([0.0, *known]), max([0.0, *known])
    if low < 0:
        return min(low, -high), max(high, -low)
    return low, high or 1.0


def colours(theme: str) -> tuple[str, ...]:
    """Return the colours of series on a ground."""
    return DARK_SERIES if theme == "dark" else SERIES
