"""What there is to know of what engines counted."""

from credibly._core.findings import caution, note

ENGINE = note("engine", "{done} by {engine}: {what}.")
LEFT_OUT_ROWS = caution(
    "left-out-rows",
    "{what} in {rows} of {all:,.10g}: left out.",
    "If they are bad for a reason, the rest does not represent the whole.",
)
SAME_PARTS = caution(
    "same-parts",
    "Of {parts}, {equal} equal to another.",
    "If it is the same part twice, its cases are counted twice: merge each part once.",
)
MANY_SLICES = caution(
    "many-slices",
    "{slices:,} slices are judged at once: about {missed:.2g} of as many {level:.4g} % intervals miss by chance, and the best and the worst slice look more extreme than they are.",
    "For intervals that hold in all slices at once ask for <confidence_level={everywhere}>.",
)
