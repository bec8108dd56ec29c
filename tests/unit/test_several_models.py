"""Verbs about one model answer for each of several, whether these are joined or given by name."""

import json

import numpy as np
import pytest

import credibly
from credibly import Predictions, calibration, recalibrate
from credibly.calibration import Calibrations
from credibly.calibration.recalibration import RecalibratedModels
from credibly.cli import main

RANDOM = np.random.default_rng(5)
TRUE = RANDOM.random(200)
Y = (RANDOM.random(200) < TRUE).astype(int)
GIVEN = {"good": TRUE, "bold": np.clip(2 * TRUE - 0.5, 0.01, 0.99)}
EACH = {n: Predictions.of(Y, probability=p, row=range(200)) for n, p in GIVEN.items()}
BOTH = Predictions.joined(EACH)
WAYS = {"joined": BOTH, "by name": EACH}


@pytest.mark.parametrize("several", WAYS.values(), ids=WAYS)
def test_calibration_of_each_model(several):
    made = calibration(several, groups=5)
    assert isinstance(made, Calibrations)
    assert set(made.names) == set(EACH)
    for name, p in EACH.items():
        alone = calibration(p, groups=5)
        assert [e.value for e in made[name].table] == pytest.approx(
            [e.value for e in alone.table], nan_ok=True
        )
        shown = made.table.where(model=name, measure="calibration_slope")[0]
        assert shown.value == alone.table["calibration_slope"].value
    assert "bold" in str(made)
    assert set(made.to_dict()["models"]) == set(EACH)
    assert {row["model"] for row in made.rows()} == set(EACH)
    assert set(made.plot().series()) == set(EACH)
    with pytest.raises(KeyError, match=r"Did you mean good\\?"):
        made["god"]


@pytest.mark.thorough
@pytest.mark.parametrize("several", WAYS.values(), ids=WAYS)
def test_recalibration_of_each_model(several):
    made = recalibrate(several, rng=1, replicates=50)
    assert isinstance(made, RecalibratedModels)
    for name, p in EACH.items():
        alone = recalibrate(p, rng=1, replicates=50)
        assert np.array_equal(made[name].predictions.probability, alone.predictions.probability)
        after = made.predictions.where(model=name).probability
        assert np.array_equal(after, alone.predictions.probability)
    assert len(made.plot().series()) == 4


def test_each_model_gets_its_own_map_for_other_cases():
    first, last = (
        {n: p[part] for n, p in EACH.items()} for part in (slice(0, 120), slice(120, 200))
    )
    made = recalibrate(first, last)
    for name in EACH:
        alone = recalibrate(first[name], last[name])
        assert np.array_equal(made[name].predictions.probability, alone.predictions.probability)
    joined = recalibrate(fitted_on=Predictions.joined(first), to=Predictions.joined(last))
    assert joined.rows() == made.rows()


def test_one_model_by_name_is_one_model():
    assert calibration({"good": EACH["good"]}).table["calibration_slope"].value == (
        calibration(EACH["good"]).table["calibration_slope"].value
    )


def test_on_the_command_line(tmp_path, capsys):
    file = credibly.save(BOTH, tmp_path / "both.parquet")
    assert main(["calibration", str(file), "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["models"]) == set(EACH)
    better = tmp_path / "better.parquet"
    assert (
        main(["recalibrate", str(file), "--save", str(better), "--replicates", "20", "--csv"]) == 0
    )
    assert credibly.read(better).n == 400


COLUMNS = {
    "y_pred": (Y, TRUE),
    "label": (Y, Y[::-1]),
    "score": (Y, 3 * TRUE),
    "probability": (Y, TRUE),
    "value": (TRUE + 0.5, TRUE),
    "y_pred beside numbers": (TRUE + 0.5, TRUE),
}


@pytest.mark.parametrize("column", COLUMNS)
def test_models_by_name_are_those_joined_by_hand(column):
    truth, given = COLUMNS[column]
    name, several = column.split()[0], {"one": given, "other": given[::-1].copy()}
    made = Predictions.of(truth, **{name: several})
    each = {n: Predictions.of(truth, **{name: v}, row=range(200)) for n, v in several.items()}
    assert made.fingerprint == Predictions.joined(each).fingerprint
    assert [f.code for f in made.findings] == [f.code for f in Predictions.joined(each).findings]


def test_models_stand_in_the_order_in_which_they_were_given():
    given = {"zeta": TRUE, "alpha": GIVEN["bold"], "mid": 0.5 * TRUE + 0.2}
    p, names = Predictions.of(Y, given), list(given)
    table = credibly.evaluate(p, "auc")
    assert [e.keys["model"] for e in table.estimates] == names
    curves = credibly.curve(p, "roc")
    assert [c.keys["model"] for c in curves.values()] == names
    assert list(curves.plot().series()) == names
    assert list(calibration(p).names) == names
    compared = credibly.compare(p)
    assert [r.names[:2] for r in compared.results] == [
        ("zeta", "alpha"),
        ("zeta", "mid"),
        ("alpha", "mid"),
    ]
    assert [q.model for q in credibly.cost_benefit(p, {"fn": 5, "fp": 1}).points] == names
    told = credibly.report(p).to_dict()["evaluation"]["estimates"]
    assert list(dict.fromkeys(e["model"] for e in told)) == names
