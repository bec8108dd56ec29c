"""What there is to know of schemes and of the columns they learn from."""

from credibly._core.findings import caution, note

DATES_AS_DAYS = note(
    "dates-as-days", "{inputs} dates as text, which named schemes read as days: {named}."
)
PREPARED = note(
    "prepared-columns",
    "The data have {what}. In each training part the columns become, {how}.",
    "Prepare them in another way with a pipeline of scikit-learn as the scheme.",
)
IDENTIFIER = caution(
    "identifier",
    "{inputs}, with a different value in every row: {named}. What is learned from an identifier does not hold for new cases.",
    "Leave it out {how} if it is one.{text}",
)
MANY_CATEGORIES = caution(
    "many-categories",
    "{inputs} text with a different value in most rows: {named}. Named schemes ignore such text.",
    "Leave it out {how} for all others, or turn decimal commas into numbers first.",
)
INNER_GROUPS_WHOLE = note(
    "inner-groups-whole",
    "{scheme}: cv={cv!r} of {estimator} was replaced by {splitter}, which keeps groups together.",
)
INNER_GROUPS_SPLIT = caution(
    "inner-groups-split",
    "{scheme}: cv={cv!r} of {estimator} trains and tests on rows of the same group, so its choice is based on rows it has partly seen.",
    "Give it a number of folds or a splitter of groups where it sees all of a training part.",
)
SINGULAR_COVARIANCE = caution(
    "singular-covariance",
    "The covariance matrix of {classes} is singular; {added:.2g} was added to its diagonal.",
    "Drop columns, or set <smoothing=...> higher.",
)
EVEN_VOTES = caution(
    "even-votes",
    "{votes} votes on two classes can be tied; {first} then wins.",
    "Use an odd number of models.",
)
SIGNED_CLASSES = note(
    "signed-classes", "In the sign of the vote {low!r} counts as -1 and {high!r} as +1."
)
PERFECT_LEARNER = caution(
    "perfect-learner",
    "Model {number} makes no error on the training part, so its vote would have infinite weight: it is used alone.",
    "Boosting cannot add to it; use a weaker learner.",
)
WEAK_LEARNER = caution(
    "weak-learner",
    "None of {tries} samples in a row gave a model better than chance, so {left}.",
    "Use a stronger learner.",
)
