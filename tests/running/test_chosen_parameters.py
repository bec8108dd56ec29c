"""Parameters that a search chooses inside the training parts are kept fold by fold, and shown."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import credibly
from credibly.running import nested, tuned_threshold

X = np.random.default_rng(1).random((60, 2))
Y = (X[:, 0] + 0.2 * np.random.default_rng(2).random(60) > 0.6).astype(int)
GRID = {"max_depth": [1, 2]}
SEARCH = GridSearchCV(DecisionTreeClassifier(random_state=0), GRID, cv=3)


@pytest.mark.parametrize(
    ("scheme", "name"),
    [
        (SEARCH, "max_depth="),
        (make_pipeline(StandardScaler(), SEARCH), "max_depth="),
        (nested("tree", {"max_depth": [1, 2]}, inner="2", rng=1), "max_depth="),
        (tuned_threshold("naive-bayes", inner="2", rng=1), "threshold="),
    ],
    ids=["search", "pipeline", "nested", "threshold"],
)
def test_each_fold_keeps_its_choice(scheme, name, tmp_path):
    p = credibly.run({"tuned": scheme, "plain": "zero-r"}, X, Y, resampling=3, rng=1)
    chosen = p.provenance.chosen
    assert list(chosen) == ["tuned"]
    assert sorted(chosen["tuned"]) == [(0, 0), (0, 1), (0, 2)]
    assert all(text.startswith(name) for text in chosen["tuned"].values())
    (said,) = [f for f in p.findings if f.code == "chosen-inside"]
    assert said.message.startswith("tuned chose its parameters again in each of 3 fits: ")
    assert credibly.read(credibly.save(p, tmp_path / "p.parquet")).provenance.chosen == chosen
    assert "chosen by tuned" in dict(credibly.report(p).to_dict()["facts"])


def test_the_choice_is_that_of_the_search_itself():
    p = credibly.run({"grid": SEARCH}, X, Y, resampling=[(np.arange(40), np.arange(40, 60))])
    alone = SEARCH.fit(X[:40], Y[:40]).best_params_["max_depth"]
    assert list(p.provenance.chosen["grid"].values()) == [f"max_depth={alone}"]
