"""Judges: many cases judged by a model or a cheap rule, few of them labelled by people.

What is to be known is a mean, a rate or any smooth measure by the truth that people give, and truth is dear.
A judge (a model, a rule, a cheap test) says something of every case, and is wrong in ways that nobody knows
beforehand. The labelled cases say how wrong.

- **Rectified** (`rectified.py`): the measure by the labels, less so many times the measure by the judge on the
  same cases, plus as many times the measure by the judge on all cases. Whatever the judge says, its errors
  cancel; the better it is, the more of the variance cancels too. The multiple is 0 for labels alone, 1 for
  prediction-powered inference, and tuned by the cases for PPI++. All three are functions of summaries, so their
  standard errors are sums of influence values: of a mean they are those of the reference, and every other
  smooth measure gets them by the same line of code. A probability of being labelled weighs a case by its
  inverse (Horvitz-Thompson, made a ratio as by Hajek).
- **Corrected** (`corrected_rate.py`): a rate by a judge of estimated sensitivity and specificity (Rogan-Gladen).
- **Agreement** (`agreement.py`): kappas and Krippendorff's alpha are functions of sums over cases, and the cases
  are left out one at a time.
"""

from credibly._core.lazy import lazy

TYPE_CHECKING = False

if TYPE_CHECKING:
    from credibly.judges.agreement import (
        Agreement as Agreement,
        AgreementStatistic as AgreementStatistic,
        agreement as agreement,
    )
    from credibly.judges.corrected_rate import (
        CorrectedRate as CorrectedRate,
        corrected_rate as corrected_rate,
    )
    from credibly.judges.few_labels import (
        FewLabels as FewLabels,
        RectifiedEstimate as RectifiedEstimate,
        few_labels as few_labels,
    )

lazy(__name__)
