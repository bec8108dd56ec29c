"""What there is to know of experiments and of their results."""

from credibly._core.findings import caution, note, problem

STAY = "The old results stay in the folder until `credibly experiment gc`."
UNFIT = (
    "Sizes that do not fit {name}: {sizes}. A size, be it a number of rows or a share such as 0.5, "
    "must come to 1 to {most} rows there."
)

FAILED_DATASET = problem("failed-dataset", "The dataset {name} cannot be used: {error}", "{so}")
UNDEFINED_MEASURE = note(
    "undefined-measure",
    "{measure} is undefined for {scheme} on {datasets}: it needs {lack}, and the scheme gives {given} alone.",
)
DAMAGED_DATA = caution(
    "damaged-data",
    "The data of {name} were read and kept again, since those in the folder were damaged: {damage}.",
    "`credibly experiment verify` fits a sample again, and says whether results rest on what was damaged.",
)
CHANGED_DATA = caution(
    "changed-data", "The data of {name} are not those of the last run: {again} are run again.", STAY
)
NO_LONGER_ASKED_FOR = note(
    "no-longer-asked-for",
    "{cells} with results of the last run are not asked for any more: {which}.",
    STAY,
)
MEASURE_DOES_NOT_APPLY = caution(
    "measure-does-not-apply", "{measure} does not apply everywhere: {why}. {so}"
)
SIZE_DOES_NOT_FIT = caution("size-does-not-fit", UNFIT, "Nothing is fitted with them there.")
NO_SIZE_FITS = problem("no-size-fits", UNFIT, "Nothing is fitted there.")
CHOSEN_BY_SPLITS = caution(
    "chosen-by-splits",
    "The settings were compared on these splits. If the best of them is taken, its value here is too good: the same splits chose it.",
    "Estimate the search as a whole: credibly.run with the search object as a scheme.",
)
WEKA_UNITS = note(
    "weka-units",
    "Percentages of Weka were divided by 100. Precision, recall, F-measure and areas are those of the class that the Experimenter was set to, the first unless it was told otherwise.",
)
AVERAGED = note(
    "averaged-results",
    "Values are means over splits, which hide how results vary from one to the next: schemes are compared over datasets, not on each of them.",
    "Give the results of single splits for tests on each dataset.",
)
INCOMPLETE = problem(
    "incomplete",
    "{done} of {total} fits have been run: these predictions are incomplete.",
    "Resume the experiment before judging.",
)
CHANGED_STORE = problem(
    "changed-store",
    "{store} is not as Credibly left it: it was changed by another program, or it is damaged.",
    "`credibly experiment verify` compares what it holds. If you changed it yourself, remove {seal}.",
)
NOT_ANALYSED = note("not-analysed", "{what}: {error}")
UNKNOWN_DIRECTION = note(
    "unknown-direction",
    "Left out, since it is not known which way they are better: {measures}.",
    "Set <directions=...>.",
)
FAILED_FITS_STAY = note(
    "failed-fits-stay",
    "Not tried again unless asked, whatever the limits are now: {fits}.",
    "--retry-failed runs them again; in Python run(folder, retry_failed=True).",
)
INCOMPLETE_GRID = caution(
    "incomplete-grid", "{cells} of {measure} lack values: {which}. {rule}", "{so}"
)
