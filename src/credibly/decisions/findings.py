"""What there is to know of costs and of decisions by them."""

from credibly._core.findings import caution, note

CHOSEN_AND_JUDGED = caution(
    "chosen-and-judged",
    "The {choice} was chosen and judged on the same cases, so its {value} is too hopeful.",
    "Set <rng=...> for the {value} of choosing on some cases and deciding others.",
)
CHOICE_NOT_REPEATED = caution(
    "choice-not-repeated",
    "{title} is undefined: {why}. What was chosen is judged on the same cases, which is too hopeful.",
)
NEVER_PAYS = caution(
    "never-pays", "{name} brings no more a use than it costs a use, so it never pays for itself."
)
TIED_SCORES = note(
    "tied-scores",
    "{name}Of the cases that score {score}, {percent:.4g} % are selected: the outcomes are what to expect.",
    "Name a threshold to take them together.",
)
NO_PRICE = note(
    "no-price",
    "No {which}case is selected, so there is no price of one at break-even.",
    "Ask for another place with <at=...>.",
)
NO_EXPECTED_COST = caution(
    "no-expected-cost",
    "{rule}: this rule minimises no expected cost. {why}",
    "Set <rule='minimum_cost'>.",
)
PRIOR_SHIFT = note(
    "prior-shift",
    "Probabilities were moved from the class shares of these cases to those asked for.",
    "Set <baseline=...> if the model was trained on other shares.",
)
NO_COSTS = note(
    "no-costs",
    "No costs were given, so every mistake was taken to cost 1.",
    "Say what they cost, such as fn=5 and fp=1.",
)
ASSUMED_COSTS = caution(
    "assumed-costs",
    "The costs of {mistake} and {right} were not given, so a {side} case was taken to cost 0 under any label.",
    "Give the cost of {mistake} too.",
)
NEGATIVE_COSTS = caution(
    "negative-costs",
    "Taking {actual!r} for {predicted!r} costs {cost}: the mistake was taken to bring a benefit.",
    "Costs are positive, benefits negative.",
)
DEAR_DECISIONS = caution(
    "dear-decisions",
    "Labelling {actual!r} rightly costs {right}, which is dearer than the mistake {predicted!r} ({cost}).",
    "Rows are actual classes, columns predicted ones.",
)
