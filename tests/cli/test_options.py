"""Options are those of the functions that commands call: declared once, with their help."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import pytest

from credibly._core.signatures import arguments_of, function_at
from credibly.cli import build, main
from credibly.cli.options import Options, as_command


def halve(
    number: float,
    *,
    by: str | Sequence[str] | None = None,
    rng: int | None = None,
    how: Literal["up", "down"] = "up",
):
    """Halve a number.

    Parameters
    ----------
    number
        What is halved.
    by
        Slices such as ``"model"``. Never mixed.
    rng
        Seed; ``by`` needs it.
    how
        Where it is rounded to.
    """


class Halved(Options):
    verb = f"{__name__}:halve"
    leave_out = "number"
    names: ClassVar = {"rng": "seed"}
    defaults: ClassVar = {"rng": 1}


@pytest.fixture
def asked(monkeypatch):
    monkeypatch.setattr("credibly.cli.options.function_at", lambda _: halve)
    given = []

    def command(file: str, *, asked: Halved) -> None:
        """Halve a file.

        Parameters
        ----------
        file
            The file.
        """
        given.append((file, asked))

    command.__annotations__ = {"file": str, "asked": Halved}
    return as_command(command), given


def test_an_option_has_type_help_and_default_of_its_argument(asked):
    command, _ = asked
    described = {p.parameter.name: p.parameter for p in Halved.described()}
    assert list(described) == ["by", "rng", "how"]
    told = {name: p.annotation.__metadata__[0] for name, p in described.items()}
    assert told["by"].help == "Slices such as model. Separate several with commas."
    assert told["rng"].name == ("--seed",)
    assert told["rng"].help == "Seed; --by needs it."
    assert described["how"].annotation.__origin__ == Literal["up", "down"]
    assert described["how"].default == "up"
    assert command.__doc__.startswith("Halve a file.")


def test_a_command_gets_what_was_given(asked):
    command, given = asked
    command("a.csv")
    command("a.csv", by="fold,model", how="down", rng=3)
    assert given == [
        ("a.csv", {"rng": 1}),
        ("a.csv", {"by": ["fold", "model"], "rng": 3, "how": "down"}),
    ]


def kinds(of=Options):
    return [each for kind in of.__subclasses__() for each in (kind, *kinds(kind))]


def test_every_option_has_its_help():
    build()
    found = [kind for kind in kinds() if kind.__module__.startswith("credibly.")]
    assert len(found) > 15
    for kind in found:
        known = arguments_of(function_at(kind.verb))
        named = {
            *kind.takes.split(),
            *(kind.leave_out or "").split(),
            *vars(kind).get("names", ()),  # its own, not those that all share
            *kind.says,
            *kind.reads,
            *kind.defaults,
        }
        assert named <= set(known), kind
        for option in kind.described():
            assert option.parameter.annotation.__metadata__[0].help, (kind, option)


def test_the_value_of_an_option_is_no_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["experiment", "--folder", "report", "plan.toml"]) == 1
    assert "plan.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("final-model iris --scheme tree", "Missing --output (-o): File to write"),
        ("sample-size two-aucs 0.9 0.8", "Missing CORRELATION:"),
        ("evaluate", "Missing FILE: The file of predictions"),
        ("evaluate iris --by a --by b", "separate them with commas: --by A,B."),
        ("plot p.csv --kind roc", "Write what --kind says in its place, without the option."),
        ("report p.csv r.html", "`credibly report p.csv -o r.html`"),
        ("confusion p.csv", "Try `credibly search confusion`."),
        ("final-model iris --scheme tree --output", "Missing a value of --output: File to write"),
    ],
)
def test_what_was_left_out_is_missing(typed, said, capsys):
    assert main(typed.split()) == 2
    assert said in capsys.readouterr().err
