"""What there is to know of judges and of the labels that check them."""

from credibly._core.findings import caution, note, problem

JUDGE_NEVER_WRONG = caution(
    "judge-never-wrong",
    "The judge agrees with people on all {n}. How often it is wrong elsewhere is only known as well as {n} can show.",
    "More labels make the interval narrower.",
)
NOT_JUDGED = caution(
    "not-judged",
    "{rows} of {all:,} have no judgement, or no prediction to judge, and are left out, {labelled} of them labelled: the number is about the other cases.",
    "If the judge gave no answer for a reason, have it judge all of them.",
)
FEW_LABELLED = caution(
    "few-labelled",
    "There are only {n}{of}, so the interval may be too narrow.",
    "Label more cases: at least {least}.",
)
LABELLED_DIFFER = problem(
    "labelled-cases-differ",
    "The judge's mean is {labelled} for the labelled cases and {others} for the others, {errors:.1f} standard errors apart: the labelled cases are not a random sample.",
    "Draw them at random, or say how they were drawn with <sampled_with=...> or <stratum=...>.",
)
JUDGE_IS_BIASED = note(
    "judge-is-biased",
    "The judge alone says {judge}, which is outside the interval.",
    "Do not report what the judge says without the labels.",
)
JUDGE_SAYS_NOTHING = note(
    "judge-says-nothing",
    "The judge's answers are unrelated to the labels, so the tuned estimate uses the labels alone.",
)
BEYOND_THE_RANGE = caution(
    "beyond-the-range",
    "{title} was estimated as {value}, which is outside its range; {end} is shown.",
    "There are too few labels for what is corrected.",
)
HARDLY_BETTER_THAN_CHANCE = caution(
    "hardly-better-than-chance",
    "Sensitivity and specificity add up to {sum}, with a lower limit of {low}: the judge may be no better than chance, and then the rate cannot be known from it.",
    "Use a better judge, or more cases to know its sensitivity and specificity from.",
)
NOT_ALL_RATED = note(
    "not-all-rated",
    "{cases} of {all} have fewer than two ratings and are left out: they cannot show agreement.",
)
