"""Which test: read off how the predictions were made and what the measure is."""

from __future__ import annotations

from credibly.comparisons.areas import SCALES
from credibly.comparisons.cases import Areas, Cases, Overlap, Samples, Single, values_by_part
from credibly.comparisons.evidence import (
    ComparisonEvidence,
    DatasetTable,
    FoldValues,
    IndependentValues,
    Moments,
    PairedValues,
)
from credibly.comparisons.inner_splits import by_inner_splits
from credibly.comparisons.labels import counts_cases
from credibly.comparisons.losses import has_case_losses
from credibly.comparisons.over_cases import by_cases
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct

TEST_OF_TYPE = {
    Overlap: ("partially_paired", "the models share some of their cases"),
    Areas: (
        "hanley_mcneil",
        "only AUCs, class sizes and a correlation are known",
    ),
    Moments: ("unpaired_t", "only means and variances of independent runs are known"),
}


BARE_VALUES_REMEDY = (
    "Set <test_train_ratio=...> to the size of a test part divided by that of its training part; "
    "for ten-fold cross-validation it is 0.111 (1/9). Values from independent datasets are not folds: give them as paired values (<over='datasets'>)."
)


def choose(evidence: ComparisonEvidence) -> tuple[str, str]:
    """Return the name of the test that fits the evidence, and why it does."""
    for kind, chosen in TEST_OF_TYPE.items():
        if isinstance(evidence, kind):
            return chosen
    if isinstance(evidence, Cases):
        return _for_cases(evidence)
    if isinstance(evidence, Samples):
        return _for_samples(evidence)
    if isinstance(evidence, Single):
        return _for_single(evidence)
    if isinstance(evidence, FoldValues):
        return _for_folds(evidence)
    if isinstance(evidence, DatasetTable) and len(evidence.names) > 2:
        return "iman_davenport", "several schemes are ranked on each of several datasets"
    if isinstance(evidence, IndependentValues):
        return _for_data_sets(evidence)
    if isinstance(evidence, DatasetTable | PairedValues):
        return "wilcoxon", "two schemes are compared on several datasets, whose scales may differ"
    raise ParameterError(
        f"No test is known for {type(evidence).__name__}.", remedy=says("Name one with <test=...>.")
    )


def resampled(p: Predictions) -> bool:
    """Whether predictions come from several fitted models of a resampling."""
    columns = [c for name in p.design.fits if (c := getattr(p, name)) is not None]
    return any(len(distinct(c).values) > 1 for c in columns)


def _for_cases(cases: Cases) -> tuple[str, str]:
    p, m = cases.models[0], cases.measure
    if p.in_time and not (resampled(p) and by_inner_splits(p)):
        return (by_cases(cases) if resampled(p) else None) or _for_moments(cases)
    if resampled(p):
        return by_inner_splits(p) or _for_resampled(cases)
    if p.clusters is not None:
        if m.smooth:
            return (
                "influence",
                "the cases come in groups, which are treated as the independent units",
            )
        return _by_bootstrap("bootstrap", cases)
    counted = p.weight_kind != "importance" and not cases.average
    if counts_cases(m) and counted:
        judged, matters = (
            ("were judged on", "passes") if m.task == "outcome" else ("label", "gets wrong")
        )
        return (
            "mcnemar",
            f"the models {judged} the same cases, so what matters are the cases that only one {matters}",
        )
    if m.name in SCALES and counted:
        return (
            "delong",
            "the models score the same cases, and DeLong's method gives the covariance of their AUCs",
        )
    if has_case_losses(m) and not cases.average:
        return (
            "paired_losses",
            "the measure is a mean over the same cases, so differences are taken case by case",
        )
    if m.smooth:
        return "influence", "the measure is a smooth function of sums over the same cases"
    return _by_bootstrap("bootstrap", cases)


def _for_resampled(cases: Cases) -> tuple[str, str]:
    """Cases say more of a difference than folds, wherever each of them is predicted as often."""
    chosen = None if cases.models[0].design.independent else by_cases(cases)
    if chosen is not None:
        return chosen
    values = values_by_part(cases)
    return _for_folds(values) if isinstance(values, FoldValues) else _for_data_sets(values)


def _for_moments(cases: Cases) -> tuple[str, str]:
    """What models of older cases say of newer ones is compared case by case, as Diebold and Mariano do."""
    if not cases.measure.smooth:
        return _by_bootstrap("bootstrap", cases)
    return (
        "influence",
        "the cases are in time order, so the variance of the difference is a long-run variance",
    )


def _for_samples(samples: Samples) -> tuple[str, str]:
    m, models = samples.measure, samples.models
    counted = all(p.weight_kind != "importance" and p.clusters is None for p in models)
    if m.parts is not None and counted and not samples.average:
        return "two_proportions", "the measure is a proportion of different cases for each model"
    if m.name in SCALES and counted and not samples.average:
        return (
            "delong_unpaired",
            "the models score different cases, so the variances of the AUCs add",
        )
    if has_case_losses(m) and not samples.average:
        return "unpaired_losses", "the measure is a mean over different cases for each model"
    if m.smooth:
        return "influence_unpaired", "the measure is a smooth function of sums over different cases"
    return _by_bootstrap("bootstrap_unpaired", samples)


def _for_single(single: Single) -> tuple[str, str]:
    m, p = single.measure, single.model
    counted = p.weight_kind != "importance" and p.clusters is None and not single.average
    if m.parts is not None and counted:
        return (
            "binomial_value",
            "the measure is a proportion of cases, whose distribution is known exactly",
        )
    if m.smooth:
        return "influence_value", "the measure is a smooth function of sums over the cases"
    return _by_bootstrap("bootstrap_value", single)


def _by_bootstrap(name: str, evidence: Cases | Samples | Single) -> tuple[str, str]:
    swapped = bool(evidence.measure.no_bootstrap) and name == "bootstrap"
    if swapped:
        return "permutation", f"no bootstrap can judge the measure: {evidence.measure.no_bootstrap}"
    return name, "the measure is not smooth in the case weights, so cases are resampled"


def _for_data_sets(values: PairedValues) -> tuple[str, str]:
    return (
        "paired_t",
        f"each of {values.a.size} pairs of values comes from a separate dataset, so differences are independent",
    )


def _for_folds(values: FoldValues) -> tuple[str, str]:
    if values.test_train_ratio is None:
        raise DataError(
            "Values from folds share training cases, and their correlation depends on how many.",
            remedy=says("Set <n_train=...>." if values.folds is not None else BARE_VALUES_REMEDY),
        )
    why = (
        f"the values come from {values.a.size} overlapping training sets, and the corrected variance "
        f"allows for the overlap (test over training size {values.test_train_ratio:.4g})"
    )
    if values.repeats == 1:
        return "corrected_resampled_t", why
    return "corrected_resampled_t(freedom='nine')", f"{why}; repeats use the same cases again"
