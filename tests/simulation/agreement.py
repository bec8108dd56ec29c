"""How often intervals of kappas and Krippendorff's alpha hold the agreement on all cases.

Judges see a case as it is with a probability, and else guess. Run from the repository:

    python -m tests.simulation.agreement --output docs/validity/agreement.csv
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

import numpy as np

from credibly import agreement

SEED = 20261119
POPULATION = 100_000
# Cases, judges, how often each sees the case as it is, shares of the ratings, level, share of missing ratings.
CELLS = {
    "50 cases, 2 judges, nominal": (50, 2, 0.7, (0.5, 0.5), "nominal", 0.0),
    "50 cases, 2 judges, 10 % of one rating": (50, 2, 0.7, (0.9, 0.1), "nominal", 0.0),
    "100 cases, 3 judges, nominal, 1 in 5 missing": (100, 3, 0.6, (0.4, 0.3, 0.3), "nominal", 0.2),
    "100 cases, 3 judges, ordinal": (100, 3, 0.6, (0.2, 0.2, 0.2, 0.2, 0.2), "ordinal", 0.0),
    "200 cases, 2 judges, interval": (200, 2, 0.8, (0.1, 0.2, 0.4, 0.2, 0.1), "interval", 0.0),
    "30 cases, 2 judges that nearly always agree": (30, 2, 0.95, (0.5, 0.5), "nominal", 0.0),
}


def rated(n, judges, seen, shares, missing, rng):
    ratings = rng.choice(len(shares), n, p=shares)
    guess = rng.choice(len(shares), (n, judges), p=shares)
    made = np.where(rng.random((n, judges)) < seen, ratings[:, None], guess).astype(float)
    made[rng.random((n, judges)) < missing] = np.nan
    return made


@cache
def truth(name):
    _, judges, seen, shares, level, missing = CELLS[name]
    found = agreement(
        rated(POPULATION, judges, seen, shares, missing, np.random.default_rng([SEED, 1])),
        level=level,
    )
    return {s.name: s.value for s in found.statistics}


def coverage(name, repetitions):
    """Return a row for each statistic."""
    n, judges, seen, shares, level, missing = CELLS[name]
    held, made = {}, {}
    for r in range(repetitions):
        table = rated(n, judges, seen, shares, missing, np.random.default_rng([SEED, 2, r]))
        for s in {s.name: s for s in agreement(table, level=level).statistics}.values():
            if s.interval is not None:
                made[s.name] = made.get(s.name, 0) + 1
                held[s.name] = held.get(s.name, 0) + (truth(name)[s.name] in s.interval)
    return [
        {
            "what": name,
            "statistic": s,
            "repetitions": repetitions,
            "made": made[s],
            "coverage": round(held[s] / made[s], 4),
        }
        for s in made
    ]


def side_by_side(rows):
    """Return a row for each cell and a column for each statistic, in per cent."""
    titles = {
        "agreement": "pairs that agree", "cohen_kappa": "Cohen's kappa", "fleiss_kappa": "Fleiss' kappa",
        "krippendorff_alpha": "Krippendorff's alpha",
    }  # fmt: skip
    table = {}
    for row in rows:
        entry = table.setdefault(
            row["what"], {"95 % intervals": row["what"], **dict.fromkeys(titles.values(), "")}
        )
        entry[titles[row["statistic"]]] = f"{100 * row['coverage']:.1f}"
    return list(table.values())


def main():
    """Run all cells and write the tables."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("agreement.csv"))
    asked = parser.parse_args()
    rows = [row for name in CELLS for row in coverage(name, asked.repetitions)]
    write(rows, asked.output)
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
