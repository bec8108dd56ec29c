"""What there is to know of comparisons."""

from credibly._core.findings import caution, note, problem

NO_VARIATION = caution(
    "no-variation",
    "The two models {same}, so there is no variation to test.",
    "Check that you compared two different models.",
)
NO_STANDARD_ERROR = problem(
    "no-standard-error",
    "The difference is {difference:.6g} without any variation, so its standard error is 0 and this test does not apply.",
    "Use more cases, or a test that needs no standard error (<test='permutation'>, <test='sign_test'>).",
)
SAME_DIFFERENCE = caution(
    "same-difference",
    "The difference is {difference:.6g} in all {n:,.10g} pairs of values. Without variation there is no standard error; the p-value is that of the sign test over {what}.",
)
FEW_DECIDE = caution(
    "few-cases-decide",
    "A few of the cases, or groups, make up most of the standard error of the difference (about {freedom:.2g} degrees of freedom): other cases may show another difference.",
    "Use more cases, or a measure that depends less on single ones, such as the absolute error.",
)
CANNOT_BE_TESTED = caution(
    "untestable",
    "{first} and {second} differ by {difference:.4g} in every fold: without variation the difference cannot be tested, and there are too few folds for a sign test.",
    "Use more folds, or compare the cases.",
)
NOT_ADJUSTED = note(
    "not-adjusted",
    "Each dataset is tested by itself, without adjusting for the number of tests: some datasets on which two schemes are equally good will be counted as won or lost.",
    "Use compare(DatasetTable.of(...)) for a conclusion about all datasets.",
)
NO_TEST = problem("no-test", "{models}: {error}")
IMPROPER = caution(
    "improper-comparison",
    "This measure rewards probabilities close to 0 or 1 whether they are right or not, so a badly calibrated model may appear to be the better one.",
    "Compare brier or log_loss as well, and look at the calibration of both.",
)
FEW_DATASETS = note(
    "few-datasets",
    "With {n} datasets and {k} schemes the chi-square is a rough and conservative approximation.",
    "Use <test='iman_davenport'>.",
)
FEW_FOR_HORIZON = caution(
    "few-for-horizon",
    "{n:,} cases are few for a horizon of {horizon}: at a level of 5 %, this test calls equally good forecasts different in 6 to 12 % of samples.",
    "Leave out <test=...>: the default looks how long losses hang together, and keeps its level.",
)
NO_CHOICE = note(
    "no-choice",
    "There is one model and no threshold was tuned, so there is no choice to allow for.",
    "Give all models that were tried, or tune thresholds with <thresholds=True>.",
)
NO_CORRECTION = note(
    "no-correction",
    "The chosen model is as good on cases that were not used to choose it as on those that were: no correction is needed.",
)
UNSETTLED_CHOICE = note(
    "unsettled-choice",
    "{model} is the best in {percent:.3g} % of the {samples}: with other cases, another model would often be chosen.",
    "Report the value that allows for the choice, not that of the model that happened to be best.",
)
UNCHECKED_ORDER = caution(
    "unchecked-order",
    "Rows have no identifiers, and outcomes have nothing else that distinguishes cases: the models were compared row by row in the given order.",
    "Set <row=...> to be sure that they are the same cases.",
)
OUTCOMES_OF_TWO_KINDS = caution(
    "outcomes-of-two-kinds",
    "Every outcome of {passes} is pass or fail, and those of {others} are other numbers.",
    "Check that both were scored by the same metric.",
)
OTHER_TASKS = caution(
    "other-tasks",
    "{rows} of the same name are of the task {task} for {first} and of {another} for {other}.",
    "Check that they are the same cases: a difference between different cases says nothing about "
    "the models.",
)
SKEWED_DIFFERENCES = caution(
    "skewed-differences",
    "A few large differences lie on one side, and {n:,.10g} {units} are too few to allow for them: the verdict may be wrong more often than stated.",
    "Judge more cases, or set <bounds=...> (the ends of the outcomes) and <sequential=True>: its limits hold for any distribution.",
)
NOT_SEEN = note(
    "rare-losses-not-seen",
    "Up to {share:.1%} of all cases may be of a kind that does not occur among these {n:,.10g} {units}. The limits assume that such cases have the worst, or the best, outcome seen.",
)
FEW_CASES_OF_TASKS = caution(
    "few-cases-of-tasks",
    "Some tasks have fewer than {least} independent cases or groups: {tasks}. Their intervals may be too narrow.",
    "Join small tasks, or judge more cases.",
)
NO_CHANGE_IN_TASK = caution(
    "no-change-in-task",
    "On {tasks} the models differ by the same amount in every case. Nothing shows how the difference varies, so there is no interval.",
)
NO_DIRECTION = caution(
    "no-direction",
    "It is not known whether a higher or a lower {measure} is better: a case counts as gained where it is higher.",
    "Set <better='higher'> or <better='lower'> when you make the outcomes.",
)
ANY_TIME = note(
    "any-time",
    "The limits stay valid however often you look while cases are added, for this candidate and this baseline ({method}).",
)
NO_ENDS = caution(
    "no-ends",
    "The range of {measure} is not known, so no limits are valid at every look. In a simulation where 2 in 100 cases had a large loss, limits made for many cases passed 25 % of the candidates that should fail.",
    "Set <bounds=...> when you make the outcomes, choose a measure with ends, or look once, without <sequential=True>.",
)
ALIKE = caution(
    "differ-alike",
    "All {n:,.10g} {units} differ by {difference:.6g}, and it is not known how far others could differ: there are no limits.",
    "Set <bounds=...> when you make the outcomes, or choose a measure with ends.",
)
FEW_LOOKED_AT = caution(
    "few-looked-at",
    "There are {n:,.10g} {units}: for a measure that is not a mean over cases, limits that are valid at every look need at least {fewest}.",
    "Add cases, or choose a mean over cases, such as a rate.",
)
EPOCHS_AVERAGED = note(
    "epochs-averaged",
    "The models have different numbers of epochs ({epochs}), so the mean outcome of each case is compared.",
)
ROUGH_PILOT = caution(
    "rough-pilot",
    "The pilot has {n:,.10g} {unit}: the variance, and with it the number of cases, may be off by a third and more.",
    "Judge more of them before you plan.",
)
