"""Make the bundled mail-out campaign: 47,706 scored people of whom 2,402 respond.

Its figures are those of the campaign behind Figure 5.2 of Witten, Frank & Hall (2011) Data Mining, 3rd
ed.: the 22,285 people of the highest scores hold 1,417 responders, which is the most profitable number
when a non-responder costs $0.80 and a responder brings $15 net, and at $0.50 it pays to write to
everybody. The people themselves are invented. Run from the repository: python scripts/make_campaign.py
"""

import gzip
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parent.parent / "src/credibly/demo_data/campaign.csv.gz"
PEOPLE, RESPONDERS = 47_706, 2_402
SELECTED, SELECTED_RESPONDERS = 22_285, 1_417
DIGITS = 5


def response_rates():
    """The probability of a response by rank: falling, and past the selected ones too low to pay at $0.80."""
    rank = (np.arange(SELECTED) + 0.5) / SELECTED
    best = 0.055 + 0.065 * np.exp(-7.56 * rank)
    best *= SELECTED_RESPONDERS / best.sum()
    rest = np.linspace(0.0435, 0.0340, PEOPLE - SELECTED)
    rest *= (RESPONDERS - SELECTED_RESPONDERS) / rest.sum()
    return np.concatenate([best, rest])


def responses(rate):
    """Let the responders stand as evenly as their rate allows: the k-th where the rates add up to k.

    The profit then rises and falls as the rate says, without the chance peaks of a random order.
    """
    return np.diff(np.floor(np.cumsum(rate) + 1e-6), prepend=0) > 0


def best_sizes(responds):
    """The most profitable number of people at $0.80 and at $0.50."""
    found = np.concatenate([[0], np.cumsum(responds)])
    others = np.arange(PEOPLE + 1) - found
    profits = [15 * found - cost * others for cost in (0.8, 0.5)]
    return [int(p.argmax()) for p in profits]


def campaign():
    """The file as text."""
    rate = response_rates()
    responds = responses(rate)
    assert (responds.sum(), responds[:SELECTED].sum()) == (RESPONDERS, SELECTED_RESPONDERS)
    assert best_sizes(responds) == [SELECTED, PEOPLE]
    # People do not come in the order of their scores.
    order = np.random.default_rng(0).permutation(PEOPLE)
    lines = ["row,truth,probability"]
    lines += [
        f"{i},{'yes' if responds[k] else 'no'},{rate[k]:.{DIGITS}f}"
        for i, k in enumerate(order, start=1)
    ]
    return "\n".join(lines) + "\n"


def main():
    with TARGET.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(campaign().encode())
    print(f"{TARGET.name}, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
