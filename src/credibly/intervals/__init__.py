"""Confidence intervals.

Every estimate has an interval with its level, its method and what it is about, or a reason why it has none.
`intervals/methods.py` declares the methods; `auto` takes Wilson's for a proportion and influence values for
the rest.

- **Influence values** (`intervals/influence.py`): the derivative of the formula by the few numbers of its
  summary, times what a case adds to each of them. The derivative is taken with complex steps, each relative
  to the number that it moves, in one batch: it is exact to rounding whether a
  class has ten cases or a thousand million. A formula that complex numbers do not pass through is found out
  by real steps in the same batch and differentiated by differences. For ranked scores the summary's own
  derivatives are running sums over the distinct scores, so nothing is quadratic. The variance of an AUC is
  then DeLong's to the last digits. Limits are set on the logit of the range, or the log of the distance
  from its one end, with Student's t whose degrees of freedom come from the spread of the squared influence
  values (Satterthwaite; over classes combined as Welch did), with groups at most one less than their effective number.
- **In time order** (`intervals/long_run.py`, `moments.py`): influence values are added up by moment, and the
  variance of their sum is the long-run variance, by as many equal-weighted cosines as the memory of the
  series allows. A bootstrap redraws circular blocks of neighbouring moments.
- **Distinct rows**: cases that a summary cannot distinguish have the same influence value, so they are
  merged first (`Summary.condensed`): a table of labels has a handful of rows whatever the number of cases.
  Groups and importance weights keep each case.
- **By class** (`intervals/standard_errors.py`): where the sizes of the classes do not matter, the influence values of
  each class add up to zero, and divisors are by class. Whether they do is seen on a table in which no class is like
  another, once for a measure; intervals, comparisons, gates and benchmarks all ask there.
- **Few cases**: two cases are added to a table of labels, shared among the classes, before a bounded measure
  is differentiated: half a case for each cell of two classes. Of more classes it is done for measures of each class
  by itself and for macro averages. (In another table of more classes most cells are nearly empty however many
  cases there are, and adding to them would move the centre too far.) What no case has shown may still happen;
  without this, a class of five cases that are all right would seem to be known for certain. Both models of a
  comparison get the same cases, of which each labels half right.
- **Edges**: where the cases show no variation (an AUC of 1) influence values vanish. Proportions keep
  Wilson's interval, an AUC gets Newcombe's; other measures refuse, and say so.
- **What is known of a measure** is declared with it: that it reads the sums of the order alone
  (`@ranking_measure`), that it is the area under the curve stretched and shifted (`area=`), how it moves with a
  case at each score (`slopes=`, for partial AUC and recalibration lines, which get the sandwich with groups
  from it). No method names a measure.
- **Measures that jump** (`smooth=False`: KS, medians, precision at k) refuse influence values and take the
  bootstrap, on request and with a seed.
- **The bootstrap** (`intervals/bootstrap.py`, `replicates.py`, `_kernels/draws.py`,
  `_kernels/bootstrap.py`): the weight of a case in a replicate is a function of (seed, replicate, case) and
  nothing else, so results do not depend on threads or blocks, and models judged on the same cases share
  replicates. Sixty-four replicates pass through the sorted cases side by side; a panel of measures shares
  them. On a graphics card (`_kernels/device.py`, `replicates.cu`) a thread owns four replicates and walks
  through a segment of rows; weights and sums of pairs are the processor's to the last bit.
- **What chance lifts** (`lifted=True`: KS, the H measure, calibration errors) is biased upwards, and more
  so in replicates: its interval mirrors the squares of the replicates at the square of the value, since
  chance adds to squares (of a share, the squared angle). The upper limit does not count on that. Where
  replicates can never show what may happen (`no_bootstrap`: a largest error, interpolated precision) there
  is no interval, and the reason.
- **Importance weights** have no unit. A `ScoreTable` carries the weight that is worth one case (the sum of
  squared weights over the sum, both of which add), and what counts cases, the statistics and tests of
  calibration, divides by it.
- **Plans** (`intervals/power.py`, `sample_size.py`): what a test of so many cases can show, and the smallest
  number of cases whose plan is enough. A sample size is searched for among the plans themselves, so that no
  formula is written twice. From a pilot, `evaluation/pilot.py`. `densities.py` holds the distributions as pictures.
- Coverage is simulated in `tests/simulation`; the documentation shows the table, the bad cells included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.intervals._declare import (
        EstimateRequest as EstimateRequest,
        IntervalMethod as IntervalMethod,
        RefusalError as RefusalError,
        interval_method as interval_method,
        interval_methods as interval_methods,
    )
    from credibly.intervals.bootstrap import (
        Bootstrap as Bootstrap,
        bootstrap as bootstrap,
    )
    from credibly.intervals.coverage import (
        ProportionCoverage as ProportionCoverage,
        proportion_coverage as proportion_coverage,
    )
    from credibly.intervals.densities import Densities as Densities, densities as densities
    from credibly.intervals.folds import fold_mean as fold_mean
    from credibly.intervals.means import (
        MeanEstimate as MeanEstimate,
        VarianceEstimate as VarianceEstimate,
        mean_interval as mean_interval,
        variance_interval as variance_interval,
    )
    from credibly.intervals.power import (
        StudyPlan as StudyPlan,
        hanley_mcneil_standard_error as hanley_mcneil_standard_error,
        obuchowski_standard_error as obuchowski_standard_error,
        power_of_auc as power_of_auc,
        power_of_mcnemar as power_of_mcnemar,
        power_of_two_aucs as power_of_two_aucs,
        power_of_two_means as power_of_two_means,
    )
    from credibly.intervals.proportions import wilson as wilson
    from credibly.intervals.quantiles import (
        chi_square_quantile as chi_square_quantile,
        chi_square_tail as chi_square_tail,
        normal_quantile as normal_quantile,
        normal_tail as normal_tail,
        student_quantile as student_quantile,
        student_tail as student_tail,
    )
    from credibly.intervals.row_bootstrap import (
        RowBootstrap as RowBootstrap,
        bootstrap_rows as bootstrap_rows,
    )
    from credibly.intervals.sample_size import (
        sample_size_for_auc as sample_size_for_auc,
        sample_size_for_mcnemar as sample_size_for_mcnemar,
        sample_size_for_proportion as sample_size_for_proportion,
        sample_size_for_two_aucs as sample_size_for_two_aucs,
        sample_size_for_two_means as sample_size_for_two_means,
        width_with_more_data as width_with_more_data,
    )
    from credibly.intervals.shares import (
        ProportionMethod as ProportionMethod,
        proportion_method as proportion_method,
        proportion_methods as proportion_methods,
    )
    from credibly.intervals.side_by_side import (
        MethodInterval as MethodInterval,
        ProportionIntervals as ProportionIntervals,
        interval as interval,
        proportion_interval as proportion_interval,
    )
    from credibly.intervals.statistics import (
        Statistic as Statistic,
        statistic as statistic,
        statistics as statistics,
    )

lazy(__name__)
