"""What there is to know of experiments and of their results."""

from credibly._core.findings import finding

STAY = "The old results stay in the folder until `credibly experiment gc`."
UNFIT = (
    "Sizes that do not fit {name}: {sizes}. A size, be it a number of rows or a share such as 0.5, "
    "must come to 1 to {most} rows there."
)

FAILED_DATASET = finding(
    "failed-dataset", "problem", "The dataset {name} cannot be used: {error}", "{so}"
)
UNDEFINED_MEASURE = finding(
    "undefined-measure",
    "note",
    "{measure} is undefined for {scheme} on {datasets}: it needs {lack}, and the scheme gives {given} alone.",
)
DAMAGED_DATA = finding(
    "damaged-data",
    "caution",
    "The data of {name} were read and kept again, since those in the folder were damaged: {damage}.",
    "`credibly experiment verify` fits a sample again, and says whether results rest on what was damaged.",
)
CHANGED_DATA = finding(
    "changed-data",
    "caution",
    "The data of {name} are not those of the last run: {again} are run again.",
    STAY,
)
NO_LONGER_ASKED_FOR = finding(
    "no-longer-asked-for",
    "note",
    "{cells} with results of the last run are not asked for any more: {which}.",
    STAY,
)
MEASURE_DOES_NOT_APPLY = finding(
    "measure-does-not-apply", "caution", "{measure} does not apply everywhere: {why}. {so}"
)
SIZE_DOES_NOT_FIT = finding(
    "size-does-not-fit",
    "caution",
    UNFIT,
    "Nothing is fitted with them there.",
)
NO_SIZE_FITS = finding(
    "no-size-fits",
    "problem",
    UNFIT,
    "Nothing is fitted there.",
)
CHOSEN_BY_SPLITS = finding(
    "chosen-by-splits",
    "caution",
    "The settings were compared on these splits. If the best of them is taken, its value here is too good: the same splits chose it.",
    "Estimate the search as a whole: credibly.run with the search object as a scheme.",
)
WEKA_UNITS = finding(
    "weka-units",
    "note",
    "Percentages of Weka were divided by 100. Precision, recall, F-measure and areas are those of the class that the Experimenter was set to, the first unless it was told otherwise.",
)
INCOMPLETE = finding(
    "incomplete",
    "problem",
    "{done} of {total} fits have been run: these predictions are incomplete.",
    "Resume the experiment before judging.",
)
CHANGED_STORE = finding(
    "changed-store",
    "problem",
    "{store} is not as Credibly left it: it was changed by another program, or it is damaged.",
    "`credibly experiment verify` compares what it holds. If you changed it yourself, remove {seal}.",
)
NOT_ANALYSED = finding("not-analysed", "note", "{what}: {error}")
UNKNOWN_DIRECTION = finding(
    "unknown-direction",
    "note",
    "Left out, since it is not known which way they are better: {measures}.",
    "Set <directions=...>.",
)
FAILED_FITS_STAY = finding(
    "failed-fits-stay",
    "note",
    "Not tried again unless asked, whatever the limits are now: {fits}.",
    "--retry-failed runs them again; in Python run(folder, retry_failed=True).",
)
INCOMPLETE_GRID = finding(
    "incomplete-grid", "caution", "{cells} of {measure} lack values: {which}. {rule}", "{so}"
)
