"""What there is to know of estimates."""

from credibly._core.findings import caution, note, problem

FEW_REPLICATES = caution(
    "few-replicates",
    "{replicates} of a bootstrap leave fewer than {beyond} beyond either limit of a {level:.6g} % interval: another seed would move the limits.",
    "Draw at least <replicates={needed}>.",
)
FEW_CASES = caution(
    "few-cases",
    "Fewer than {least} cases of class {classes}{where}: intervals other than Wilson's may be too narrow.",
)
BINNED_WITHOUT_BOUND = caution(
    "binned-without-bound",
    "{what} made from bins of scores; how far it may be off is not known.",
    "Ask for exact counts.",
)
DEVICE = note(
    "device", "<device='gpu'> was not used: it is for the replicates of <interval='bootstrap'>."
)
NOT_AVERAGED = note(
    "not-averaged",
    "<average={average}> is over measures of one class; those about all classes stay as they are.",
    "Ask for one of them by name, and it is averaged over each class against the rest.",
)
AVERAGED = note(
    "averaged",
    "{measures} averaged over each class against the rest.",
    "Without <average=> it is about all classes.",
)
UNCLASSIFIED = note("unclassified", "{cases} no label: {treated}.", "See <unclassified=...>.")
UNCLASSIFIED_LEFT_OUT = caution(
    "unclassified-left-out", "{cases} no label: left out of measures of labels."
)
UNDEFINED_FOLDS = caution(
    "undefined-folds",
    "{measure} is {state} in {undefined} of {folds}: {why}.",
    "See <estimate='pooled'>.",
)
SAME_CASES = caution(
    "same-cases",
    "{datasets} hold the same cases, and are averaged as datasets.",
    "If they are models, join them with Predictions.joined before they are evaluated.",
)
UNDEFINED_DATASETS = caution(
    "undefined-datasets",
    "{measure} is undefined for {datasets}, and so is its mean over datasets.",
    "Leave out what has no value, or choose a measure that has one everywhere.",
)
POOLED_MODELS = problem(
    "pooled-models",
    "Within each of {folds} all predictions are the same. {measure} of all folds pooled compares one training part with another, and says nothing about cases: the larger the truth in a test part, the smaller it is in what is left to train on.",
    "A model that predicts the same for every case cannot be judged by it.",
)
POOLED_RANKS = problem(
    "pooled-ranks",
    "{measure} compares the scores of {models}, each fitted without the case it scores: a rule that predicts the prior alone gets an AUC of 0 this way.",
    "Use <resampling='leave_pair_out'>, or folds.",
)
LEAVE_ONE_OUT_MAJORITY = caution(
    "leave-one-out-majority",
    "Every label is the largest class of its training part. Leaving out a case makes its own class rarer, so where classes are of equal size such a rule errs always, although its true error is a half.",
    "Use stratified folds.",
)
PAIRS = note(
    "pairs", "{measure}: left-out pairs give an AUC alone.", "Ask for <estimate='pooled'>."
)
MEMORISER = problem(
    "memoriser",
    "On its training cases the model's {measure} is perfect: a rule that memorises gets 0.368 of that perfection however little it learned.",
    "Use <estimate='632+'> or <estimate='oob'>.",
)
REPLICATES_ON_TRAINING_CASES = problem(
    "replicates-on-training-cases",
    "Each replicate is judged on all cases, of which its sample holds 63 %: these estimates are too good.",
    "Use <estimate='oob'> or <estimate='632+'>.",
)
UNSETTLED_ERROR = caution(
    "unsettled-error",
    "The standard error of nested cross-validation comes from {repeats}, too few to settle it: another seed may move it by half or more.",
    "Ask for <resampling={call}>, which takes {fits} fits.",
)
UNCORRECTED = caution(
    "uncorrected",
    "{measure} differs so much between models of fewer cases that correcting it for models of all cases would carry it beyond its range: it is the mean over folds, which is too pessimistic.",
    "Use more folds, or a scheme that can do with fewer cases.",
)
