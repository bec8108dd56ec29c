"""What there is to know of estimates."""

from credibly._core.findings import finding

FEW_REPLICATES = finding(
    "few-replicates",
    "caution",
    "{replicates} of a bootstrap leave fewer than {beyond} beyond either limit of a {level:.6g} % interval: another seed would move the limits.",
    "Draw at least <replicates={needed}>.",
)
FEW_CASES = finding(
    "few-cases",
    "caution",
    "Fewer than {least} cases of class {classes}{where}: intervals other than Wilson's may be too narrow.",
)
BINNED_WITHOUT_BOUND = finding(
    "binned-without-bound",
    "caution",
    "{what} made from bins of scores; how far it may be off is not known.",
    "Ask for exact counts.",
)
DEVICE = finding(
    "device",
    "note",
    "<device='gpu'> was not used: it is for the replicates of <interval='bootstrap'>.",
)
NOT_AVERAGED = finding(
    "not-averaged",
    "note",
    "<average={average}> is over measures of one class; those about all classes stay as they are.",
    "Ask for one of them by name, and it is averaged over each class against the rest.",
)
AVERAGED = finding(
    "averaged",
    "note",
    "{measures} averaged over each class against the rest.",
    "Without <average=> it is about all classes.",
)
UNCLASSIFIED = finding(
    "unclassified", "note", "{cases} no label: {treated}.", "See <unclassified=...>."
)
UNCLASSIFIED_LEFT_OUT = finding(
    "unclassified-left-out", "caution", "{cases} no label: left out of measures of labels."
)
UNDEFINED_FOLDS = finding(
    "undefined-folds",
    "caution",
    "{measure} is undefined in {undefined} of {folds}: {why}.",
    "See <estimate='pooled'>.",
)
POOLED_MODELS = finding(
    "pooled-models",
    "problem",
    "Within each of {folds} all predictions are the same. {measure} of all folds pooled compares one training part with another, and says nothing about cases: the larger the truth in a test part, the smaller it is in what is left to train on.",
    "A model that predicts the same for every case cannot be judged by it.",
)
POOLED_RANKS = finding(
    "pooled-ranks",
    "problem",
    "{measure} compares the scores of {models}, each fitted without the case it scores: a rule that predicts the prior alone gets an AUC of 0 this way.",
    "Use <resampling='leave_pair_out'>, or folds.",
)
LEAVE_ONE_OUT_MAJORITY = finding(
    "leave-one-out-majority",
    "caution",
    "Every label is the largest class of its training part. Leaving out a case makes its own class rarer, so where classes are of equal size such a rule errs always, although its true error is a half.",
    "Use stratified folds.",
)
PAIRS = finding(
    "pairs", "note", "{measure}: left-out pairs give an AUC alone.", "Ask for <estimate='pooled'>."
)
MEMORISER = finding(
    "memoriser",
    "problem",
    "On its training cases the model's {measure} is perfect: a rule that memorises gets 0.368 of that perfection however little it learned.",
    "Use <estimate='632+'> or <estimate='oob'>.",
)
REPLICATES_ON_TRAINING_CASES = finding(
    "replicates-on-training-cases",
    "problem",
    "Each replicate is judged on all cases, of which its sample holds 63 %: these estimates are too good.",
    "Use <estimate='oob'> or <estimate='632+'>.",
)
