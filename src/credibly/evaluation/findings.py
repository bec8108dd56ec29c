"""What there is to know of estimates."""

from credibly._core.findings import caution, note, problem

FEW_REPLICATES = caution(
    "few-replicates",
    "{replicates} of a bootstrap leave fewer than {beyond} beyond each limit of a {level:.6g} % interval, so another seed would move the limits.",
    "Draw at least <replicates={needed}>.",
)
SMALL_PILOT = caution(
    "small-pilot",
    "How much {measure} varies is known from a pilot of only {n}, so {needed} may be too few.",
    "Plan for {assured}, which are enough in about {share:.0f} of 100 such pilots.",
)
MANY_ATTRIBUTES = caution(
    "many-attributes",
    "{sizes}: what is learned from so few may change with every training set, and a single "
    "cross-validation does not show how much. Measures without an upper end, such as squared "
    "errors, therefore have no interval.",
    "Use <resampling={call}>, which takes {price}: its intervals allow for it.",
)
CHOICES_CHANGE = caution(
    "choices-change",
    "The models of different folds disagree on the same cases{whose}: what is learned changes abruptly with the training set, as when one column is chosen. Standard errors over folds were multiplied by {times:.2f}.",
    "Average many such models (bagging), use a scheme that does not choose, or add cases.{instead}",
)
ONE_CHOICE = caution(
    "one-choice",
    "Each model gives only one of two outputs{whose}, as a single cut does. Which cut it makes "
    "depends on the training set, and folds that agree do not show this. Standard errors over folds "
    "allow for two cuts that are equally good. Measures that depend on how many cases are labelled "
    "positive, such as F, may change by more.",
    "Average many such models (bagging), or use a scheme that does not choose.",
)
ONE_CLASS = problem(
    "one-class-truth",
    "{cases} of class {there}: the error rate, recall and losses are about this class alone, and nothing shows how well the model distinguishes it from {others}. An area under a curve, specificity, kappa or a choice of threshold is undefined or meaningless.",
    "Add cases of class {others}.",
)
FEW_CASES = caution(
    "few-cases",
    "Fewer than {least} cases of class {classes}{where}: intervals other than Wilson's may be too narrow.",
)
FEW_CARRY = note(
    "few-carry-the-error",
    "The standard error of {measure}{where} rests on {what}: it has about {freedom:.2g} degrees of freedom, so its interval is {times:.1f} times as wide as if the error were known.",
    "{remedy}",
)
HEAVY_TAILS = caution(
    "heavy-tails",
    "{measure}{where}: a few of {n:,.0f} cases make up most of its standard error (about {freedom:.2g} degrees of freedom). New cases may have larger errors than any of these: mean errors tend to be too low, and the interval may be too narrow.",
    "Use more cases, or a measure that depends less on single ones, such as the median absolute error.",
)
BINNED_WITHOUT_BOUND = caution(
    "binned-without-bound",
    "{what} computed from bins of scores; the error this causes is not known.",
    "Ask for exact counts.",
)
FEW_LABELLED_POSITIVE = caution(
    "few-labelled-positive",
    "The labels call {labelled:,.10g} of {cases} positive, where {actual:,.10g} are: recall, precision and the error rate are about this threshold, not about how well the scores rank the cases.",
    "Choose a threshold by what mistakes cost with <decide()>.",
)
NOT_DRAWN = note(
    "not-drawn", "{argument} had no effect: it is for the replicates of <interval='bootstrap'>."
)
NOT_AVERAGED = note(
    "not-averaged",
    "<average={average}> is over measures of one class; those about all classes stay as they are.",
    "Ask for one of them by name to average it over each class against the rest.",
)
AVERAGED = caution(
    "averaged",
    "{measures} averaged over each class against the rest: another number than that of all classes together.",
    "Leave <average=> out for the usual one.",
)
UNCLASSIFIED = note("unclassified", "{cases} no label: {treated}.", "See <unclassified=...>.")
UNCLASSIFIED_LEFT_OUT = caution(
    "unclassified-left-out", "{cases} no label: measures of labels leave such cases out."
)
UNDEFINED_FOLDS = caution(
    "undefined-folds",
    "{measure} is {state} in {undefined} of {folds}: {why}.",
    "See <estimate='pooled'>.",
)
LEFT_OUT_FOLDS = caution(
    "left-out-folds",
    "{measure} is {state} in {undefined} of {folds}, which are left out of the mean: {why}.",
    "Use fewer folds.",
)
SAME_CASES = caution(
    "same-cases",
    "{datasets} hold the same cases but are averaged as separate datasets.",
    "If they are models, make them alike (columns, classes, weights), so that they can be joined.",
)
OVERLAPPING_CASES = caution(
    "overlapping-cases",
    "{datasets} hold mostly the same cases but are averaged as separate datasets.",
    "If they are models, keep the rows that all of them have, so that they can be joined.",
)
UNDEFINED_DATASETS = caution(
    "undefined-datasets",
    "{measure} is undefined for {datasets}, and so is its mean over datasets.",
    "Leave out these datasets, or choose a measure that is defined everywhere.",
)
POOLED_MODELS = problem(
    "pooled-models",
    "Within each of {folds} all predictions are the same. {measure} over the pooled folds only compares the training parts and says nothing about cases: the larger the true values in a test part, the smaller those left to train on.",
    "Do not use it for a model that predicts the same for every case.",
)
POOLED_RANKS = problem(
    "pooled-ranks",
    "{measure} compares the scores of {models}, each fitted without the case it scores: in this way, a rule that only predicts the prior gets an AUC of 0.",
    "Use <resampling='leave_pair_out'>, or folds.",
)
LEAVE_ONE_OUT_MAJORITY = caution(
    "leave-one-out-majority",
    "Every label is the most common class of its training part. Leaving out a case makes its class rarer, so with classes of equal size this rule is always wrong, although its true error rate is 0.5.",
    "Use stratified folds.",
)
PAIRS = note(
    "pairs",
    "{measure}: leave-pair-out predictions only give an AUC.",
    "Ask for <estimate='pooled'>.",
)
MEMORISER = problem(
    "memoriser",
    "The model's {measure} is perfect on its training cases: this estimate credits a rule that only memorises with 0.368 of that perfect value.",
    "Use <estimate='632+'> or <estimate='oob'>.",
)
MISLED_BY_TRAINING = caution(
    "misled-by-training",
    "This interval relies on the value on training cases. In simulations, 95 % intervals of .632 held the error of single nearest neighbours, which memorise them, in 0 to 43 of 100 samples and that of other schemes in 60 to 98; those of .632+ in 78 to 95; those of optimism in none, in 43 of trees and in 85 to 98 of linear models.",
    "Use <estimate='oob'>.",
)
REPLICATES_ON_TRAINING_CASES = problem(
    "replicates-on-training-cases",
    "Each replicate is evaluated on all cases, 63 % of which are in its sample: these estimates are too optimistic.",
    "Use <estimate='oob'> or <estimate='632+'>.",
)
BEST_OF_MANY = note(
    "best-of-many",
    "{models} models were evaluated on the same cases: the best of them looks better here than it is.",
    "<best_of()> estimates how good it is, allowing for the choice.",
)
UNSETTLED_ERROR = caution(
    "unsettled-error",
    "The standard error of nested cross-validation comes from {repeats}, which are too few: another seed may change it by half or more.",
    "Ask for <resampling={call}>, which takes {price}.",
)
UNCORRECTED = caution(
    "uncorrected",
    "{measure} differs so much between models trained on fewer cases that correcting it to all "
    "cases would move it out of its range: the mean over folds is shown, which is too pessimistic.",
    "Use more folds, or a scheme that needs fewer cases.",
)
OTHER_CLASS = caution(
    "other-class",
    "Larger scores go with {other!r}{where}, clearly more often than by chance: is this the score or probability of {other!r}?",
    "Name the class that it is about with <positive=...>; if they are about {positive!r}, the model ranks the cases in the wrong order.",
)
MANY_SLICES = caution(
    "many-slices",
    "{slices:,} slices are evaluated at once: {missed}. By chance alone, the best and the worst of them look more extreme than they are.",
    "Use <slices()>, whose intervals hold in all slices at once, or set <confidence_level={everywhere}> here.",
)
FEWER_ATTEMPTS = caution(
    "fewer-attempts",
    "{cases} have fewer than {k} attempts with an outcome and are left out.",
    "Ask for fewer attempts, or try these cases again.",
)
EPOCHS = note(
    "epochs",
    "{what}: each of {cases:,} cases was judged {times:.3g} times. Of the variance of the mean {between:.3g} % is between cases and {within:.3g} % within them: more epochs of the same cases leave a standard error of at least {least:.3g}.",
)
