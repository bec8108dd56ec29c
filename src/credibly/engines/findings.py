"""What there is to know of what engines counted."""

from credibly._core.findings import caution, note

ENGINE = note("engine", "{done} by {engine}: {what}.")
LEFT_OUT_ROWS = caution(
    "left-out-rows",
    "{what} in {rows} of {all:,.10g}: these rows were left out.",
    "If these rows have something in common, the rest does not represent all rows.",
)
SAME_PARTS = caution(
    "same-parts",
    "Of the {parts}, {equal} equal to another one.",
    "If the same part was given twice, its cases are counted twice: merge each part only once.",
)
