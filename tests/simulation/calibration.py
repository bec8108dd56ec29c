"""How often tests of calibration reject calibrated probabilities, and how often those that are off.

python -m tests.simulation.calibration --repetitions 4000 --output docs/validity/calibration-tests.csv
"""

import argparse
import csv

import numpy as np

from credibly.calibration import Foretold, Outcomes, calibration_tests
from credibly.predictions.summaries import ScoreTable

LEVEL = 0.05
SIZES = (100, 500, 2000)
SLOPES = {"calibrated": 1.0, "slope 0.7": 0.7}
NAMES = ("hosmer_lemeshow", "spiegelhalter", "unreliability")
SEED = 1
FIELDS = ("test", "n", "probabilities", "rejected", "repetitions", "level", "seed")


def outcomes(n, slope, rng):
    """Logits are normal with deviation 1.5; events follow ``slope`` times the logit."""
    z = np.sort(rng.normal(0, 1.5, n))[::-1]
    happened = rng.random(n) < 1 / (1 + np.exp(-slope * z))
    return Outcomes.of_table(ScoreTable(1 / (1 + np.exp(-z)), happened * 1.0, 1.0 - happened))[0]


def rejections(n, slope, repetitions, seed=SEED):
    """Return the share of samples in which each test rejects at 5 %."""
    rng = np.random.default_rng([seed, n, int(10 * slope)])
    found = dict.fromkeys(NAMES, 0)
    for _ in range(repetitions):
        evidence = Foretold(outcomes(n, slope, rng))
        for name in NAMES:
            found[name] += calibration_tests[name](evidence).pvalue < LEVEL
    return {name: count / repetitions for name, count in found.items()}


def rows(repetitions, sizes=SIZES, seed=SEED):
    for n in sizes:
        for said, slope in SLOPES.items():
            for name, share in rejections(n, slope, repetitions, seed).items():
                row = (name, n, said, f"{share:.4f}", repetitions, LEVEL, seed)
                yield dict(zip(FIELDS, row, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=4000)
    parser.add_argument("--output", required=True)
    asked = parser.parse_args()
    with open(asked.output, "w", newline="") as file:  # noqa: PTH123
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(asked.repetitions))


if __name__ == "__main__":
    main()
