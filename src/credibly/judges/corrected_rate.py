"""The verb `corrected_rate`: a rate by a judge of estimated sensitivity and specificity.

Rogan, W. J. & Gladen, B. (1978) Estimating prevalence from the results of a screening test. American Journal
of Epidemiology 107, 71-76; Lang, Z. & Reiczigel, J. (2014) Confidence limits for prevalence of disease adjusted
for estimated sensitivity and specificity. Preventive Veterinary Medicine 113, 13-22.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import require, whole
from credibly._core.search_names import search_names
from credibly._core.text import interval_text, number_text, percent
from credibly.errors import DataError, ParameterError
from credibly.intervals.quantiles import two_sided
from credibly.intervals.shares import proportion_methods
from credibly.judges.findings import BEYOND_THE_RANGE, HARDLY_BETTER_THAN_CHANCE
from credibly.results.interval import Interval
from credibly.results.result import Cells, Result


class CorrectedRate(Result, eq=True):
    """The true rate behind a rate by a judge that is sometimes wrong, with its interval.

    >>> import credibly
    >>> found = credibly.corrected_rate(230, 1000, 45, 50, 92, 100)
    >>> round(found.rate, 4), round(found.standard_error, 4)
    (0.1829, 0.0329)
    """

    rate: float
    interval: Interval
    standard_error: float
    judged_rate: float
    judged_interval: Interval
    sensitivity: float
    sensitivity_interval: Interval
    specificity: float
    specificity_interval: Interval
    findings: tuple[Finding, ...] = ()

    row_keys = "rate standard_error judged_rate sensitivity specificity"

    def heading(self) -> str:
        """Say what the true rate is."""
        return f"True rate: {interval_text(self.rate, self.interval)}, standard error {number_text(self.standard_error)}"

    def cells(self) -> Cells:
        """Return the true rate and what it is made of."""
        shown = {
            "true rate": (self.rate, self.interval),
            "rate by the judge": (self.judged_rate, self.judged_interval),
            "sensitivity of the judge": (self.sensitivity, self.sensitivity_interval),
            "specificity of the judge": (self.specificity, self.specificity_interval),
        }
        level = f"value with its {percent(self.interval.confidence_level)} interval"
        return ["", level], [[name, interval_text(*v)] for name, v in shown.items()]

    def remarks(self) -> list[str]:
        """Say how the interval was made."""
        return [f"{self.interval.method}; those of the judge are Wilson's."]


@door
@search_names(
    {
        "rogan_gladen, prevSeSp, epi_prev, true_prevalence": "corrected_rate(230, 1000, 45, 50, 92, 100)"
    }
)
def corrected_rate(
    judged_positive: int,
    n: int,
    true_positives: int,
    positives: int,
    true_negatives: int,
    negatives: int,
    *,
    confidence_level: float = 0.95,
) -> CorrectedRate:
    """Correct a rate by a judge for its mistakes, with what is not known of sensitivity and specificity.

    Parameters
    ----------
    judged_positive
        How many cases the judge calls positive.
    n
        How many cases the judge saw.
    true_positives
        How many of the cases that people call positive the judge calls positive too.
    positives
        How many cases people call positive.
    true_negatives
        How many of the cases that people call negative the judge calls negative too.
    negatives
        How many cases people call negative.
    confidence_level
        How often such intervals should cover the true rate.

    >>> print(corrected_rate(230, 1000, 45, 50, 92, 100))
    True rate: 0.183 [0.109, 0.245], standard error 0.03292
                              value with its 95 % interval
    true rate                 0.183 [0.109, 0.245]
    rate by the judge         0.2300 [0.2050, 0.2571]
    sensitivity of the judge  0.900 [0.786, 0.957]
    specificity of the judge  0.920 [0.850, 0.959]
    Lang and Reiczigel, sensitivity and specificity estimated; those of the judge are Wilson's.
    """
    counted = {
        "judged_positive": (judged_positive, n, "n"),
        "true_positives": (true_positives, positives, "positives"),
        "true_negatives": (true_negatives, negatives, "negatives"),
    }
    _check(counted)
    q, se, sp = (part / of for part, of, _ in counted.values())
    if se + sp <= 1:
        raise DataError(
            f"Sensitivity {number_text(se)} and specificity {number_text(sp)} add up to at most 1: the judge is no "
            "better than chance, so the true rate cannot be known from it.",
            remedy="Use a better judge, or label cases and use these alone.",
        )
    rate = (q + sp - 1) / (se + sp - 1)
    error = _error(rate, (q, n), (se, positives), (sp, negatives))
    wilson = proportion_methods["wilson"]
    level = float(confidence_level)
    shares = [wilson.of(float(part), float(of), level) for part, of, _ in counted.values()]
    shown = min(max(rate, 0.0), 1.0)
    low, high = _lang_reiczigel(counted, level)
    method = "Lang and Reiczigel, sensitivity and specificity estimated"
    interval = Interval(min(low, shown), max(high, shown), level, method, standard_error=error)
    findings = tuple(_doubts(rate, se, sp, shares))
    return CorrectedRate(
        shown, interval, error, q, shares[0], se, shares[1], sp, shares[2], findings
    )


def _check(counted: Mapping[str, tuple[int, int, str]]) -> None:
    for name, (part, of, whole_name) in counted.items():
        require(name, part, whole(0))
        require(whole_name, of, whole(1))
        if part > of:
            raise ParameterError(f"{name} is a part of {whole_name}; got {part:,} of {of:,}.")


def _doubts(rate: float, se: float, sp: float, shares: Sequence[Interval]) -> Iterator[Finding]:
    # Of two independent limits each is nearer to its share than that of their sum.
    lowest = se + sp - math.hypot(se - shares[1].low, sp - shares[2].low)
    if lowest <= 1:
        yield HARDLY_BETTER_THAN_CHANCE(sum=number_text(se + sp), low=number_text(lowest))
    if not 0 <= rate <= 1:
        end = number_text(float(rate > 1))
        yield BEYOND_THE_RANGE(title="the true rate", value=number_text(rate), end=end)


Share = tuple[float, float]  # a rate and of how many


def _error(rate: float, judged: Share, sensitivity: Share, specificity: Share) -> float:
    """Return the standard error of the corrected rate: of the judged rate and of both shares of the judge."""
    (q, n), (se, n_se), (sp, n_sp) = judged, sensitivity, specificity
    variance = (
        q * (1 - q) / n + rate**2 * se * (1 - se) / n_se + (1 - rate) ** 2 * sp * (1 - sp) / n_sp
    )
    return math.sqrt(variance) / (se + sp - 1)


def _lang_reiczigel(
    counted: Mapping[str, tuple[int, int, str]], level: float
) -> tuple[float, float]:
    """Return the limits of the true rate, from counts to which cases are added as by Agresti and Coull."""
    (x, n, _), (x_se, n_se, _), (x_sp, n_sp, _) = counted.values()
    z = two_sided(level, math.inf)
    n_z = n + z * z
    q, se, sp = (x + z * z / 2) / n_z, (x_se + 1) / (n_se + 2), (x_sp + 1) / (n_sp + 2)
    if se + sp <= 1:
        return 0.0, 1.0
    rate = (q + sp - 1) / (se + sp - 1)
    shift = (
        2 * z * z * (rate * se * (1 - se) / (n_se + 2) - (1 - rate) * sp * (1 - sp) / (n_sp + 2))
    )
    half = z * _error(rate, (q, n_z), (se, n_se + 2), (sp, n_sp + 2))
    low, high = (min(max(rate + shift + d, 0.0), 1.0) for d in (-half, half))
    return low, high
