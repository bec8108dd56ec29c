"""Tables within a width: nothing is lost, whatever stands in them."""

import re

import numpy as np
import pytest

from credibly._core.layout import Key, fitted_table

NAMES = ["Area under the ROC curve (macro)", "Error rate", "Brier score", "Kappa", "n"]
RULES = ["0.4743 (majority)", "0.5 (prevalence)", "1 (all positive)", ""]


def table(models, rules):
    rng = np.random.default_rng(models)
    limits = rng.random((len(NAMES), models, 3)).round(4)
    body = [
        [
            name,
            *(f"{v} [{low}, {high}]" for v, low, high in row),
            *([RULES[i % 4]] if rules else []),
        ]
        for i, (name, row) in enumerate(zip(NAMES, limits.tolist(), strict=True))
    ]
    named = [f"a-model-{i}" for i in range(models)]
    return [Key("measure"), *named, *(["best trivial rule"] if rules else [])], body


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_nothing_is_lost_in_a_width(width):
    for models in range(1, 6):
        for rules in (False, True):
            header, body = table(models, rules)
            lines = [line.text for line in fitted_table(header, body, width)]
            assert max(map(len, lines)) <= width
            said = " ".join(lines)
            for cell in (*header, *(c for row in body for c in row)):
                for part in re.findall(r"\[[^\]]*\]|\S+", cell):
                    assert part in said, f"{part} of {cell!r} is not whole at {width}"


def test_two_models_stand_side_by_side_in_a_terminal():
    for models, width in ((2, 80), (3, 80), (2, 60)):
        header, body = table(models, rules=True)
        heads = [line for line in fitted_table(header, body, width) if line.kind == "header"]
        assert "a-model-0" in heads[0].text
        assert f"a-model-{models - 1}" in heads[0].text


def test_hundreds_of_columns_are_shared_out_among_blocks():
    """Each column that more could be tried with is not tried anew with all of them."""
    titles = [f"always {i}" for i in range(300)]
    lines = [line.text for line in fitted_table(["", *titles], [["cost", *["0.1234"] * 300]], 80)]
    assert max(map(len, lines)) <= 80
    assert sum(line.count("0.1234") for line in lines) == len(titles)
