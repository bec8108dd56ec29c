"""Slow and obvious: each formula as its definition reads, row by row, in exact arithmetic.

Rows are tuples; weights and probabilities are Fractions where sums must be exact.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, permutations


def pairs(rows):
    """Concordant, discordant and tied weight over every pair of a positive and a negative row."""
    concordant = discordant = tied = Fraction(0)
    for s, y, w in rows:
        for t, z, v in rows:
            if y and not z:
                if s > t:
                    concordant += w * v
                elif s < t:
                    discordant += w * v
                else:
                    tied += w * v
    return concordant, discordant, tied


def outcomes(rows, threshold):
    """The four cells when a row is labelled positive from the threshold on."""
    cells = {"tp": Fraction(0), "fp": Fraction(0), "fn": Fraction(0), "tn": Fraction(0)}
    for s, y, w in rows:
        cells[("tp" if y else "fp") if s >= threshold else ("fn" if y else "tn")] += w
    return cells


def curve(rows):
    """Outcomes at every distinct score, largest first."""
    return [outcomes(rows, t) for t in sorted({s for s, _, _ in rows}, reverse=True)]


def positives(rows):
    return sum((w for _, y, w in rows if y), Fraction(0))


def negatives(rows):
    return sum((w for _, y, w in rows if not y), Fraction(0))


def auc(rows):
    concordant, discordant, tied = pairs(rows)
    every = concordant + discordant + tied
    return float((concordant + tied / 2) / every) if every else math.nan


def average_precision(rows):
    p, total, before = positives(rows), Fraction(0), Fraction(0)
    if not p:
        return math.nan
    for c in curve(rows):
        if c["tp"] + c["fp"]:
            total += (c["tp"] - before) / p * c["tp"] / (c["tp"] + c["fp"])
        before = c["tp"]
    return float(total)


def ks(rows):
    p, n = positives(rows), negatives(rows)
    if not p or not n:
        return math.nan
    return float(max(abs(c["tp"] / p - c["fp"] / n) for c in curve(rows)))


def interpolated_precision(rows, recalls):
    p = positives(rows)
    if not p:
        return math.nan
    points = [
        (c["tp"] / p, c["tp"] / (c["tp"] + c["fp"])) for c in curve(rows) if c["tp"] + c["fp"]
    ]
    best = [max(precision for recall, precision in points if recall >= r) for r in recalls]
    return float(sum(best) / len(best))


def positives_among_best(rows, k):
    """Mean, over every order that the scores allow, of the positives among the first k rows."""
    if k > len(rows):
        return None
    counts = [
        sum(rows[i][1] for i in order[:k])
        for order in permutations(range(len(rows)))
        if all(rows[a][0] >= rows[b][0] for a, b in pairwise(order))
    ]
    return Fraction(sum(counts), len(counts))


def confusion(truth, label, weight, k):
    """Weight by actual and predicted class, and of the undecided by actual class."""
    matrix = [[0.0] * k for _ in range(k)]
    doubt = [0.0] * k
    for t, p, w in zip(truth, label, weight, strict=True):
        if t is None:
            continue
        if p is None:
            doubt[t] += w
        else:
            matrix[t][p] += w
    return matrix, doubt


def sign(x):
    return (x > 0) - (x < 0)


def kendall(points):
    """tau-b over every pair of (truth, value, weight)."""
    difference = truth_untied = value_untied = Fraction(0)
    for i, (a, v, w) in enumerate(points):
        for b, u, x in points[:i]:
            difference += w * x * sign(a - b) * sign(v - u)
            truth_untied += w * x * (a != b)
            value_untied += w * x * (v != u)
    if not truth_untied or not value_untied:
        return math.nan
    return float(difference) / math.sqrt(truth_untied) / math.sqrt(value_untied)


def pearson(points):
    total = sum(w for _, _, w in points)
    mean_a = sum(w * Fraction(a) for a, _, w in points) / total
    mean_v = sum(w * Fraction(v) for _, v, w in points) / total
    s_av = sum(w * (Fraction(a) - mean_a) * (Fraction(v) - mean_v) for a, v, w in points)
    s_a = sum(w * (Fraction(a) - mean_a) ** 2 for a, _, w in points)
    s_v = sum(w * (Fraction(v) - mean_v) ** 2 for _, v, w in points)
    if not s_a or not s_v:
        return math.nan
    return sign(s_av) * math.sqrt(s_av**2 / (s_a * s_v))


def mid_ranks(values, weights):
    """Mean rank of each value, by comparing it with every other."""
    ranks = []
    for x in values:
        below = sum((w for y, w in zip(values, weights, strict=True) if y < x), Fraction(0))
        equal = sum((w for y, w in zip(values, weights, strict=True) if y == x), Fraction(0))
        ranks.append(below + (equal + 1) / 2)
    return ranks


def spearman(points):
    weights = [w for _, _, w in points]
    a = mid_ranks([p[0] for p in points], weights)
    v = mid_ranks([p[1] for p in points], weights)
    return pearson(list(zip(a, v, weights, strict=True)))


def r2(points):
    total = sum(w for _, _, w in points)
    mean = sum(w * Fraction(a) for a, _, w in points) / total
    missed = sum(w * (Fraction(v) - Fraction(a)) ** 2 for a, v, w in points)
    around = sum(w * (mean - Fraction(a)) ** 2 for a, _, w in points)
    return float(1 - missed / around) if around else math.nan


def hand_till(truth, probability, weight, k):
    """Mean over ordered pairs of classes of the chance that class i's probability separates them."""
    total = Fraction(0)
    for i in range(k):
        for j in range(k):
            if i == j:
                continue
            rows = [
                (p[i], t == i, w)
                for t, p, w in zip(truth, probability, weight, strict=True)
                if t in (i, j)
            ]
            concordant, discordant, tied = pairs(rows)
            every = concordant + discordant + tied
            if not every:
                return math.nan
            total += (concordant + tied / 2) / every
    return float(total / (k * (k - 1)))


def ranked_probability_score(truth, probability, k):
    total = Fraction(0)
    for t, p in zip(truth, probability, strict=True):
        for m in range(k - 1):
            total += (sum(p[: m + 1]) - (1 if t <= m else 0)) ** 2 / (k - 1)
    return float(total / len(truth))


def region(p, level):
    """The most probable classes, first ones first among equals, until they reach the level."""
    chosen, reached = set(), Fraction(0)
    for i in sorted(range(len(p)), key=lambda i: (-p[i], i)):
        if reached >= level:
            break
        chosen.add(i)
        reached += p[i]
    return chosen


def information(p, prior):
    """Kononenko and Bratko's score of one answer."""
    if p >= prior:
        return -math.log2(prior) + math.log2(p)
    return -(-math.log2(1 - prior) + math.log2(1 - p))
