"""Figures about probabilities and about numbers."""

import numpy as np
import pytest

from credibly import Predictions, evaluate, expected_loss
from credibly.measures import measures
from golden.goldens import golden


def one_case(probability, actual):
    """A single case."""
    k = len(probability)
    return Predictions.of([actual], probability=[probability], classes=range(k), positive=k - 1)


@golden("wf-quadratic-four-class")
def test_quadratic_loss_sees_how_the_rest_is_spread(case):
    spread = {k: one_case(case[k], case["actual"]) for k in ("even", "uneven", "concentrated")}
    case.check(**{k: measures["quadratic_loss"](p) for k, p in spread.items()})
    for p in spread.values():
        case.check(informational_all_three=measures["informational_loss"](p))


@golden("wf-quadratic-identity")
def test_quadratic_loss_in_both_forms(case):
    """Erratum A38: the slides' a in the second form is 1. A weight of 1 on what happened gives it too."""
    certain = np.eye(3)[case["actual"]]
    case.check(
        loss=measures["quadratic_loss"](one_case(case["p"], case["actual"])),
        second_form=expected_loss("quadratic_loss", case["p"], certain),
    )


@golden("wf-quadratic-bound")
def test_quadratic_loss_is_two_at_most(case):
    """Erratum A44: the bound is 1 + sum p_j^2, which is 2 only for a certain prediction."""
    case.check(
        loss=measures["quadratic_loss"](one_case(case["p"], case["actual"])),
        bound=measures["quadratic_loss"].range[1],
    )


@golden("wf-quadratic-expectation")
def test_expected_quadratic_loss(case):
    """Erratum A15: the second line squares p*, which gives 0.02."""
    value = expected_loss("quadratic_loss", case["p"], case["p_star"])
    case.check(direct_enumeration=value, third_line=value, second_line_corrected=value)
    case.differs("second_line_as_printed", value)
    honest = expected_loss("quadratic_loss", case["p_star"], case["p_star"])
    case.check(minimum_at_p_star=honest)


@golden("wf-info-loss-coin", "wf-info-loss-zero")
def test_informational_loss(case):
    """Erratum A50: in bits."""
    case.check(bits=measures["informational_loss"](one_case(case["p"], case["actual"])))


@golden("wf-info-loss-expectation")
def test_expected_informational_loss(case):
    """Erratum A43: the entropy is only the least that can be expected."""
    value = expected_loss("informational_loss", case["p"], case["p_star"])
    case.check(expected_loss=value)
    case.check(entropy_minimum=expected_loss("informational_loss", case["p_star"], case["p_star"]))
    case.differs("entropy_minimum", value)


@golden("wf-brier-vs-quadratic")
def test_quadratic_loss_is_twice_the_brier_score(case):
    """Contradiction B9."""
    p = Predictions.of([case["d"]], probability=[case["phi"]], classes=[0, 1])
    quadratic, brier = measures["quadratic_loss"](p), measures["brier"](p)
    case.check(quadratic_loss=quadratic, brier_term=brier, ratio=quadratic / brier)


@golden("wf-mdl-LET-table5.6")
def test_bits_to_send_the_classes(case):
    p = Predictions.of(case["actual"], probability=case["p_yes"])
    case.check(bits=p.n * measures["informational_loss"](p))


@golden("oh-table7.2-brier")
def test_brier_score(case):
    p = Predictions.of(case["d"], probability=case["phi"])
    case.check(
        brier=measures["brier"](p),
        wf_quadratic_loss_total=p.n * measures["quadratic_loss"](p),
        mean_log_loss_bits=measures["informational_loss"](p),
    )


@golden("oh-table7.2-in-the-large")
def test_bias_of_probabilities(case):
    """Contradiction B13: of the meanings of bias, mean prediction minus mean outcome."""
    bias = measures["bias"](case["d"], case["phi"])
    share = measures["prevalence"](Predictions.of(case["d"], probability=case["phi"]))
    case.check(bias=bias, mean_d=share, mean_phi=share + bias)


@golden("wf-relative-error-10pct")
def test_relative_error(case):
    """Ambiguity C4: relative to the actual value."""
    relative = [measures["mape"]([c["actual"]], [c["actual"] + c["error"]]) for c in case["pairs"]]
    case.check(relative=relative)


NUMERIC = ("mse", "rmse", "mae", "rse", "rrse", "rae", "correlation")


@golden("wf-table5.8-measures")
def test_numeric_measures(case):
    """Contradiction B16: relative to the training mean."""
    actual, predicted = case["actual"], case["predicted"]
    p = Predictions.of(actual, value=predicted, baseline=case["training_mean"])
    case.check(**{m: measures[m](p) for m in NUMERIC})
    about_test = Predictions.of(actual, value=predicted, baseline=np.mean(actual))
    case.check(
        rse_with_test_mean=measures["rse"](about_test),
        rae_with_test_mean=measures["rae"](about_test),
    )
    case.check(rse_with_test_mean=1 - measures["r2"](p))


@golden("wf-correlation-scale-free")
def test_correlation_does_not_see_scale(case):
    def both(factor):
        value = factor * np.array(case["predicted"])
        p = Predictions.of(case["actual"], value=value, baseline=case["training_mean"])
        return measures["correlation"](p), measures["rae"](p)

    (r, rae), (scaled_r, scaled_rae) = both(1), both(case["factor"])
    case.check(correlation=r, correlation_scaled=scaled_r, rae=rae, rae_scaled=scaled_rae)


def off_by(error, mean_is_off_by):
    """Predictions that are always off by one number, where the training mean is off by another."""
    truth = np.array([-mean_is_off_by, mean_is_off_by])
    return Predictions.of(truth, value=truth + error, baseline=0.0)


@golden("wf-table5.9-default-error", "dw-table5.9-default-error", "ds-table5.9-default-error")
def test_all_models_imply_the_same_mean_predictor(case):
    """With the implied error of the mean predictor, error and relative error come out as printed."""
    for error, relative, implied in (
        ("rmse", "rrse", "rmse_over_rrse"),
        ("mae", "rae", "mae_over_rae"),
    ):
        of_mean = {}
        for model, size in case.expected(implied).items():
            p = off_by(case[error][model], size)
            assert measures[error](p) == pytest.approx(case[error][model], rel=1e-12)
            assert measures[relative](p) == pytest.approx(case[relative][model], rel=1e-12)
            of_mean[model] = evaluate(p, error)[error].baselines["mean"]
        case.check(**{implied: of_mean, f"common_{error}": np.mean(list(of_mean.values()))})


@golden("wf-table5.9-ranking", "dw-table5.9-ranking", "ds-table5.9-ranking")
def test_ranking_of_models(case):
    """Best first, by the direction that each measure declares."""

    def best_first(name, column):
        sign = {"lower": 1, "higher": -1}[measures[name].direction]
        return sorted(case[column], key=lambda model: sign * case[column][model])

    errors = {m: best_first(m, m) for m in ("rmse", "mae", "rrse", "rae")}
    case.check(**{f"{m}_order": order for m, order in errors.items()})
    by_correlation = best_first("correlation", "corr")
    assert len({case["corr"][model] for model in by_correlation[2:]}) == 1
    case.check(corr_tie=by_correlation[2:])
    for order in (*errors.values(), by_correlation):
        case.check(best=order[0], second=order[1])


@golden("wf-table5.9-r-bound")
def test_printed_correlations_and_errors_contradict_each_other(case):
    """Erratum A22: no predictions with such a correlation have so small a squared error.

    Given the correlation r, the least error is that of the regression of truth on prediction.
    """
    truth, aside = np.array([1.0, 1, -1, -1]), np.array([1.0, -1, 1, -1])
    least, printed = {}, {}
    for model, r in case["corr"].items():
        value = r * (r * truth + np.sqrt(1 - r**2) * aside)
        p = Predictions.of(truth, value=value, baseline=0.0)
        assert measures["correlation"](p) == pytest.approx(r, abs=1e-12)
        least[model] = measures["rse"](p)
        rrse = case["rrse"][model]
        q = Predictions.of(truth, value=truth + rrse * aside, baseline=0.0)
        assert measures["rrse"](q) == pytest.approx(rrse, abs=1e-12)
        printed[model] = measures["rse"](q)
    case.check(one_minus_r2=least, rse=printed)
    case.check(violates=[m for m in least if printed[m] < least[m]])
