"""Weka's splits: Java's generator, Weka's shuffle and its stratification.

The generator was run under OpenJDK 17. The folds are those of ``Instances.randomize``, ``stratify``
and ``testCV`` of Weka 3.8, written out in a small Java program around ``java.util.Random`` and run
there. The shuffle was also compared with Weka 3.9.7 itself: the test file of its iris run holds the
last 51 rows of ``randomize(new Random(1))``.
"""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from credibly.resampling import weka_folds, weka_holdout
from credibly.resampling.weka import JavaRandom

HERE = Path(__file__).parent
# The weather data of Weka: play = no, no, yes, yes, yes, no, yes, no, yes, yes, yes, yes, yes, no.
ARFF = """@relation weather
@attribute outlook {sunny, overcast, rainy}
@attribute play {yes, no}
@data
sunny,no
sunny,no
overcast,yes
rainy,yes
rainy,yes
rainy,no
overcast,yes
sunny,no
sunny,yes
rainy,yes
sunny,yes
overcast,yes
overcast,yes
rainy,no
"""


def test_java_random():
    random = JavaRandom(42)
    half = 2**30
    bounds = [1, 2, 3, 7, 8, 100, 1000, half, half + 1, half + 1, half + 1, 2**31 - 1]
    # Bounds just above 2^30 reject half of the numbers, so the loop that draws again is run too.
    assert [random.below(b) for b in bounds] == [
        0, 0, 0, 3, 2, 25, 505, 759898459, 196118093, 969067502, 791955276, 819572292,
    ]  # fmt: skip


def test_the_generator_by_hand():
    """The first number of ``new Random(1).nextInt(10)``, step by step."""
    state = 1 ^ 0x5DEECE66D
    state = (state * 0x5DEECE66D + 0xB) % 2**48
    assert (state >> 17) % 10 == 5 == JavaRandom(1).below(10)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (3, [[5, 7, 6, 4, 3], [13, 0, 2, 8, 11], [1, 10, 9, 12]]),
        (5, [[5, 10, 8], [13, 6, 12], [1, 2, 3], [7, 9, 11], [0, 4]]),
        (10, [[5, 8], [13, 12], [1, 3], [7, 11], [0], [10], [6], [2], [9], [4]]),
    ],
)
def test_folds_of_an_arff_file(k, expected):
    y = [line.split(",")[1] for line in ARFF.partition("@data\n")[2].split()]
    assert [s.test.tolist() for s in weka_folds(k=k).realise(14, y)] == expected


def test_other_seeds_and_classes():
    y = [i * i % 5 for i in range(23)]
    assert [s.test.tolist() for s in weka_folds(k=4, seed=7).realise(23, y)] == [
        [19, 14, 4, 12, 8, 5],
        [6, 11, 17, 22, 18, 10],
        [9, 1, 7, 13, 20, 0],
        [16, 21, 3, 2, 15],
    ]


@pytest.mark.parametrize("y", [None, np.linspace(0.1, 2, 14)])
def test_a_numeric_target_is_not_stratified_by(y):
    splits = weka_folds(k=4, seed=42).realise(14, y)
    expected = [[10, 9, 13, 4], [6, 1, 3, 2], [12, 11, 5], [0, 7, 8]]
    assert [s.test.tolist() for s in splits] == expected


def test_the_first_fold_of_iris():
    splits = weka_folds.realise(150, load_iris().target)
    first = [140, 123, 110, 137, 104, 18, 29, 40, 16, 30, 71, 86, 69, 73, 83]
    last = [125, 142, 109, 148, 135, 33, 20, 35, 14, 0, 55, 85, 56, 89, 76]
    assert splits[0].test.tolist() == first
    assert splits[9].test.tolist() == last


def test_the_test_file_of_weka():
    """The classes of its 51 rows, in order, agree with Weka's own output."""
    iris = load_iris()
    (split,) = weka_holdout.realise(150)
    with (HERE / "weka" / "iris_naivebayes_cost.predictions.csv").open() as file:
        actual = [row["actual"] for row in csv.DictReader(file)]
    assert [f"Iris-{iris.target_names[iris.target[i]]}" for i in split.test] == actual
    assert split.train.size == 99
