"""What there is to know of costs and of decisions by them."""

from credibly._core.findings import caution, note

CHOSEN_AND_JUDGED = caution(
    "chosen-and-judged",
    "The {choice} was chosen and evaluated on the same cases, so its {value} is too optimistic.",
    "Set <rng=...> to estimate the {value} when the choice is made on some cases and applied to others.",
)
CHOICE_NOT_REPEATED = caution(
    "choice-not-repeated",
    "{title} is undefined: {why}. The choice is evaluated on the cases it was made on, which is too optimistic.",
)
NEVER_PAYS = caution(
    "never-pays",
    "{name} brings no more per use than it costs per use, so it never pays for itself.",
)
TIED_SCORES = note(
    "tied-scores",
    "{name}Of the cases that score {score}, {percent:.4g} % are selected: the outcomes are expected values.",
    "Set a threshold to select all of them or none.",
)
NO_PRICE = note(
    "no-price",
    "No {which}case is selected, so there is no break-even price for one.",
    "Choose another place with <at=...>.",
)
NO_EXPECTED_COST = caution(
    "no-expected-cost",
    "{rule}: this rule does not minimise an expected cost. {why}",
    "Set <rule='minimum_cost'>.",
)
MISJUDGED_COST = caution(
    "misjudged-cost",
    "The expected cost{of} according to the model is {expected}, outside the interval of the observed cost, {observed}: labels of minimum expected cost are right only for calibrated probabilities.",
    "Recalibrate the probabilities with <recalibrate()>, or set <rule='minimum_cost'> if there are two classes.",
)
BELIEVED_PROBABILITIES = caution(
    "believed-probabilities",
    "{rule} relies on the probabilities{of}{how}.{instead}",
    "Recalibrate the probabilities with <recalibrate()>, or set <rule='minimum_cost'>.",
)
BELIEVED_WITHOUT_LOSS = note(
    "believed-without-loss",
    "{rule} relies on the probabilities{of}{how}. Here no other threshold would clearly have cost less.",
)
PRIOR_SHIFT = note(
    "prior-shift",
    "Probabilities were adjusted from the class shares of these cases to the requested ones.",
    "Set <baseline=...> if the class shares in training were different.",
)
NO_COSTS = note(
    "no-costs",
    "No costs were given, so every mistake was assumed to cost 1.",
    "Give the costs{how}.",
)
NEGATIVE_COSTS = caution(
    "negative-costs",
    "Labelling {actual!r} as {predicted!r} costs {cost}, and labelling it correctly costs {right}: this mistake was treated as a gain, so a cost below 0 is one.",
    "Write costs as positive numbers and benefits as negative ones.",
)
DEAR_DECISIONS = caution(
    "dear-decisions",
    "Labelling {actual!r} correctly costs {right}, which is more than the mistake {predicted!r} costs ({cost}).",
    "If {right} is a benefit, write it as a negative cost. If not, check the orientation: rows are actual classes, columns are predicted ones.",
)
