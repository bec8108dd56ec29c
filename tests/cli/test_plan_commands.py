"""Plans of studies and printed distributions on the command line: the functions themselves."""

import json

import pytest

from credibly.cli import build, main, options_of
from credibly.cli.commands import power, sample_size
from credibly.intervals import densities, power_of_mcnemar, sample_size_for_auc

WRONG = ("zzz", "-1", "0")
EXAMPLES = [
    line.split("credibly ")[1].split()
    for each in (sample_size, power)
    for line in each.command.__doc__.splitlines()
    if "  credibly " in line
]
KINDS = {"sample-size": sample_size.subcommands(), "power": power.subcommands()}


@pytest.fixture(autouse=True)
def pilot(tmp_path, monkeypatch):
    """Predictions where the examples look for them."""
    lines = [f"{i % 2},{(i * 7 % 11 + 3 * (i % 2)) / 14}" for i in range(60)]
    (tmp_path / "preds.csv").write_text("truth,score\n" + "\n".join(lines))
    for name, share in (("old", 5), ("new", 6)):
        passed = [{"id": i, "passed": i * 7 % 10 < share} for i in range(60)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, passed)))
    monkeypatch.chdir(tmp_path)


def typed(capsys, *words):
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_every_example_of_the_help_answers(words, capsys):
    code, out, err = typed(capsys, *words)
    assert (code, err) == (0, "")
    assert out


def test_every_kind_has_an_example():
    shown = {(words[0], words[1]) for words in EXAMPLES}
    assert shown == {(name, kind) for name, kinds in KINDS.items() for kind in kinds}
    assert all(made.__doc__.count("credibly ") for kinds in KINDS.values() for made in kinds.values())  # fmt: skip


def test_what_is_printed_is_what_python_returns(capsys):
    _, out, _ = typed(capsys, "sample-size", "auc", "0.8", "--null", "0.7", "--power", "0.9", "--json")  # fmt: skip
    assert json.loads(out) == json.loads(sample_size_for_auc(0.8, null=0.7, power=0.9).to_json())
    _, out, _ = typed(capsys, "power", "mcnemar", "0.2", "0.1", "--n", "234", "--json")
    assert json.loads(out) == json.loads(power_of_mcnemar(0.2, 0.1, n=234).to_json())
    _, out, _ = typed(capsys, "densities", "1,9", "--json")
    assert json.loads(out) == json.loads(densities([1, 9]).to_json())


@pytest.mark.daily(words=[w for w in EXAMPLES[::3] if w[1] != "pilot"])
@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_every_option_given_wrongly_is_foreseen(words, capsys):
    known = options_of(build(words[:2]), words[:2])
    assert "--json" in known
    of_files = words[1] in {"pilot", "pair"}  # which may lack a column
    for place, option in enumerate(sorted(known)):
        value = WRONG[place % len(WRONG)]
        code, _, err = typed(capsys, *words, option, value)
        known_codes = {0, 1, 2} if of_files else {0, 2}
        assert code in known_codes, (option, value)
        assert "unexpected" not in err, (option, value, err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["power"], "auc, mcnemar, two-aucs, two-means"),
        (["sample-size", "acu"], "Did you mean auc"),
        (["sample-size", "auc", "1.5"], "between 0 and 1"),
        (["sample-size", "mcnemar", "0.2", "0.2"], "cannot be distinguished"),
        (["power", "mcnemar", "0.2", "0.1"], "--n"),
        (["densities", "few"], "--freedom must be greater than 0; got 'few'"),
        (["densities", "-o", "t.xyz"], ".xyz"),
    ],
)
def test_what_cannot_be_planned_is_said(words, said, capsys):
    code, _, err = typed(capsys, *words)
    assert code == 2
    assert said in err


def test_densities_are_drawn(capsys, tmp_path):
    code, out, _ = typed(capsys, "densities", "4", "-o", str(tmp_path / "t.json"))
    assert code == 0
    assert "t, k = 4" in out
    assert (tmp_path / "t.json").exists()
