"""What there is to know of experiments and of their results."""

from credibly._core.findings import caution, note, problem

STAY = "The old results stay in the folder until `credibly experiment gc`."
UNFIT = (
    "Sizes that do not fit {name}: {sizes}. A size, whether a number of rows or a share such as "
    "0.5, must give from 1 to {most} rows there."
)

FAILED_DATASET = problem("failed-dataset", "The dataset {name} cannot be used: {error}", "{so}")
UNDEFINED_MEASURE = note(
    "undefined-measure",
    "{measure} is undefined for {scheme} on {datasets}: it needs {lack}, and the scheme only gives {given}.",
)
DAMAGED_DATA = caution(
    "damaged-data",
    "The data of {name} were read and stored again, because the copy in the folder was damaged: {damage}.",
    "Run `credibly experiment verify`: it refits a sample and says whether results depend on the damaged copy.",
)
CHANGED_DATA = caution(
    "changed-data",
    "The data of {name} have changed since the last run: {again} are run again.",
    STAY,
)
NO_LONGER_ASKED_FOR = note(
    "no-longer-asked-for",
    "{cells} with results from the last run are no longer in the plan: {which}.",
    STAY,
)
MEASURE_DOES_NOT_APPLY = caution(
    "measure-does-not-apply", "{measure} does not apply everywhere: {why}. {so}"
)
SIZE_DOES_NOT_FIT = caution("size-does-not-fit", UNFIT, "Nothing is fitted with them there.")
NO_SIZE_FITS = problem("no-size-fits", UNFIT, "Nothing is fitted there.")
CHOSEN_BY_SPLITS = caution(
    "chosen-by-splits",
    "The settings were compared on these splits. The value of the best one is too optimistic, because the same splits chose it.",
    "See the value that allows for the choice (choices of the analysis), or estimate the search as a whole: pass the search object to credibly.run as a scheme.",
)
WEKA_UNITS = note(
    "weka-units",
    "Weka's percentages were divided by 100. Precision, recall, F-measure and areas are about the class that was set in the Experimenter, by default the first.",
)
AVERAGED = note(
    "averaged-results",
    "Values are means over splits, which hide how results vary from one to the next: schemes are compared over datasets, not on each of them.",
    "Give the results of single splits for tests on each dataset.",
)
INCOMPLETE = problem(
    "incomplete",
    "Only {done} of {total} fits have been run: these predictions are incomplete.",
    "Resume the experiment before drawing conclusions.",
)
CHANGED_STORE = problem(
    "changed-store",
    "{store} has changed since Credibly wrote it: another program changed it, or it is damaged.",
    "Run `credibly experiment verify` to check its contents. If you changed it yourself, remove {seal}.",
)
NOT_ANALYSED = note("not-analysed", "{what}: {error}")
UNKNOWN_DIRECTION = note(
    "unknown-direction",
    "Left out, because it is not known whether higher or lower is better: {measures}.",
    "Set <directions=...>.",
)
FAILED_FITS_STAY = note(
    "failed-fits-stay",
    "Failed before and not tried again, even if the limits have changed: {fits}.",
    "--retry-failed runs them again; in Python run(folder, retry_failed=True).",
)
INCOMPLETE_GRID = caution(
    "incomplete-grid", "{cells} of {measure} lack values: {which}. {rule}", "{so}"
)
