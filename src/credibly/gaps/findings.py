"""What there is to know of slices and of gaps between them."""

from credibly._core.findings import caution, note

SMALL_SLICES = caution(
    "small-slices",
    "Too small to judge: {slices}. {why}",
    "Join slices, or collect more cases of them.",
)
NO_GAP_INTERVAL = note(
    "no-gap-interval",
    "{title} has no interval in {slices}: {why}. Gaps to these have none either.",
)
SEARCHED = note(
    "searched-slices",
    "{candidates} slices by {columns} were searched; p-values and intervals allow for all of them.",
)
NOT_SEARCHED = note(
    "columns-not-searched",
    "Not searched: {columns}, of which nearly every case has its own value.",
    "Give a column of ranges or of fewer values; name numbers with <by=...> to search ranges of them.",
)
