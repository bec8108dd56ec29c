"""What there is to know of sets of labels and of rankings."""

from credibly._core.findings import caution, note

UNDEFINED_CASES = note(
    "score-undefined",
    "{title} is not defined for {cases} ({why}); they are left out.",
)
NOT_SHOWN = caution("score-not-shown", "{title} is not shown. {why}")
NEVER_TRUE = caution(
    "labels-never-true",
    "No case has these labels in truth: {labels}. Their recall is not defined, nor is a mean over all labels.",
    "Leave them out with <labels=...>, or take the mean over the labels that occur.",
)
NOT_LISTED = caution(
    "cases-not-listed",
    "{cases} that occur elsewhere are not in {role} ({names}), and count as cases without labels.",
    "Leave them out, or list them with no label, to show that they were looked at.",
)
NOT_JUDGED = note(
    "unjudged-documents",
    "{share:.1%} of the ranked documents{where} have no judgement and count as not relevant.",
    "Judge the documents at the top of each ranking before two systems are compared.",
)
QUERIES_LEFT_OUT = note(
    "queries-without-judgements",
    "{queries} without a judged document: {names}. They are left out.",
)
QUERIES_MISSING = caution(
    "queries-missing",
    "{model} ranks nothing for {queries}: {names}. They count as empty rankings.",
    "Leave them out of all runs, or find out why they failed.",
)
SMALL_GRADES = caution(
    "grades-below-one",
    "Grades between 0 and 1 ({documents}) count in gains, but a document is relevant from a grade of 1 on.",
    "Multiply the grades, or give whole ones.",
)
TIED_SCORES = note(
    "tied-documents",
    "{share:.1%} of the ranked documents of {model} are tied; ties are ordered by falling identifiers, as in trec_eval.",
)
NO_FORECAST = note(
    "no-forecast",
    "{cases} of {model} have no truth or no forecast, and are left out.",
    "Find out why: forecasts are often missing where they are hard to make.",
)
EMPTY_SETS = note(
    "empty-sets",
    "{whose}{sets} no class, and so cannot contain the truth.",
)
COVERED_TOO_SELDOM = caution(
    "covered-too-seldom",
    "The sets contain the truth in {share:.1%} of {n:,} cases ({where}), clearly less often than the level of {level:.4g}.",
    "Fit thresholds by class or by the column that matters, or on cases like these.",
)
TOO_FEW_FOR_LEVEL = caution(
    "too-few-for-level",
    "{n:,} cases ({where}) are too few for a level of {level:.6g}, so every class or value is predicted there. At least {fewest:,} are needed.",
    "Use more cases, or a lower <level=...>.",
)
WEIGHTS_COST = note(
    "weights-of-threshold",
    "The {n:,} weighted cases that set the threshold count as much as {worth:.3g} of equal weight. The guarantee assumes that the weights are known, not estimated.",
)
WEIGHS_TOO_MUCH = caution(
    "weighs-too-much",
    "{cases} weigh so much more than the cases that set the threshold that, at a level of {level:.6g}, every class or value is predicted for them.",
    "Use more cases like these for the threshold, or a lower <level=...>.",
)
CASES_TOGETHER = caution(
    "guarantee-of-groups",
    "Cases come in groups, so the guarantee is about new cases of the same groups, not about new groups.",
    "Calibrate on cases of other groups than those of the training, one case per group.",
)
SURVIVAL_RISES = caution(
    "survival-rises",
    "The chance of survival rises with time in {cases} of {model}.",
    "Look at how it was computed: it can only fall.",
)
CENSORING_ELSEWHERE = note(
    "censoring-elsewhere",
    "The chance of being censored was estimated from other cases; the intervals treat it as known.",
)
