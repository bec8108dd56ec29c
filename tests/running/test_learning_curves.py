"""Learning curves: what is said of some sizes names them."""

from dataclasses import replace

import numpy as np

from credibly import Finding, Predictions, plot
from credibly.running.learning_curves import LearningCurve, learning_curve


def test_what_is_said_of_some_sizes_names_them():
    p = Predictions.of([0, 1] * 20, label=[0, 1, 1, 1] * 10, model=["a"] * 40)
    always, early, late = (Finding(c, "note", f"It is {c}.") for c in ("always", "early", "late"))
    said = {10: (always, early), 20: (always, early), 1000: (always, late)}
    grown = LearningCurve({n: replace(p, findings=found) for n, found in said.items()})
    told = {f.code: f.message for f in grown.judged.findings}
    assert told["always"] == "It is always."
    assert told["early"] == "Trained on 10 and 20: It is early."
    assert told["late"] == "Trained on 1,000: It is late."


def test_intervals_of_several_schemes_stand_side_by_side():
    def of(*models):
        n = 40 * len(models)
        return Predictions.of(
            [0, 1] * (n // 2), label=[0, 1, 1, 1] * (n // 4), model=[m for m in models for _ in range(40)],
            row=[*range(40)] * len(models),
        )  # fmt: skip

    def places(*models):
        spec = plot(LearningCurve({n: of(*models) for n in (10, 20)})).spec()
        marks = [layer["mark"] for layer in spec["layer"]]
        return [m.get("xOffset") for m in marks if m["type"] == "rule"]

    assert places("a", "b") == [-2.5, 2.5]
    assert places("a") == [None]


def test_one_beside_shares_is_all_of_the_training_part():
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    asked = {"resampling": 4, "rng": 1, "progress": False}
    curve = learning_curve("zero-r", X, y, sizes=[0.5, 1], **asked)
    assert curve.sizes == (15, 30)
    assert learning_curve("zero-r", X, y, sizes=[2, 4], **asked).sizes == (2, 4)
    first, *_ = curve.meaning().splitlines()
    assert first.startswith("Error rate goes from ")
    assert first.endswith(" (trained on 30).")
