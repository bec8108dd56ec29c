"""How often tests of calibration, and the verdict, reject calibrated probabilities, and how often those that are off.

python -m tests.simulation.calibration --repetitions 4000 --output docs/validity/calibration-tests.csv
python -m tests.simulation.calibration --only verdict --repetitions 300 --output docs/validity/calibration-verdict.csv
"""

import argparse
import csv

import numpy as np

from credibly import Predictions
from credibly.calibration import Foretold, Outcomes, calibration_tests, calibration_verdict
from credibly.calibration.verdict import LEVEL as LEVEL_OF_VERDICT
from credibly.predictions.summaries import ScoreTable

LEVEL = 0.05
SIZES = (100, 500, 2000)
SLOPES = {"calibrated": 1.0, "slope 0.7": 0.7}
NAMES = ("hosmer_lemeshow", "spiegelhalter", "unreliability")
SEED = 1
# Of the verdict: cases, and the share of its repetitions that so many can have.
VERDICT_SIZES = {50: 1, 100: 1, 400: 1, 2000: 1, 20_000: 0.3, 100_000: 0.1}
PREVALENCES = (0.02, 0.1, 0.5)
SWING = 0.12  # how far shares of events leave an S of probabilities
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


def foretold(n, prevalence, shape, rng):
    """Return predictions whose probabilities are of the law Beta, or five of them, and what happened."""
    p = np.clip(rng.beta(2 * prevalence, 2 * (1 - prevalence), n), 1e-6, 1 - 1e-6)
    if shape == "five probabilities":
        p = np.clip(np.quantile(p, np.arange(0.1, 1, 0.2))[rng.integers(0, 5, n)], 0.002, 0.998)
    if shape == "S":
        p = 1 / (1 + np.exp(-rng.normal(np.log(prevalence / (1 - prevalence)), 1.5, n)))
    risk = np.clip(p - SWING * np.sin(2 * np.pi * p), 0, 1) if shape == "S" else p
    return Predictions.of((rng.random(n) < risk).astype(int), probability=p, classes=[0, 1])


def verdicts(repetitions, sizes=VERDICT_SIZES, seed=SEED):
    """Yield the share of samples that are said to be not calibrated."""
    for n, share in sizes.items():
        for prevalence in PREVALENCES:
            for i, shape in enumerate(("calibrated", "five probabilities", "S")):
                rng = np.random.default_rng([seed, n, int(100 * prevalence), i])
                times = max(int(repetitions * share), 1)
                found = [
                    calibration_verdict(foretold(n, prevalence, shape, rng)) for _ in range(times)
                ]
                wrong = sum(v.miscalibrated for v in found)
                said = f"{shape}, {prevalence:.0%} positive"
                row = ("verdict", n, said, f"{wrong / times:.4f}", times, LEVEL_OF_VERDICT, seed)
                yield dict(zip(FIELDS, row, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=4000)
    parser.add_argument("--only", choices=["tests", "verdict"], default="tests")
    parser.add_argument("--output", required=True)
    asked = parser.parse_args()
    with open(asked.output, "w", newline="") as file:  # noqa: PTH123
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows((rows if asked.only == "tests" else verdicts)(asked.repetitions))


if __name__ == "__main__":
    main()
