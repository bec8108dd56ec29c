"""Errors and sentences as data: what is said of an argument is written where it is shown."""

import pickle

import pytest

from credibly.cli import main
from credibly.errors import (
    Argument,
    CrediblyError,
    DataError,
    ParameterError,
    Sentence,
    UnknownNameError,
    says,
    surface,
)
from credibly.measures import measures


def shouted(argument):
    return argument.name.upper()


def test_arguments_are_written_by_the_surface_and_data_are_left_alone():
    found = says("{file}: set <label=...> or <by={by}>.", file="label=x/<by=3>.csv", by=["a", "b"])
    assert found == "label=x/<by=3>.csv: set label=... or by=['a', 'b']."
    assert found.arguments == (Argument("label", ...), Argument("by", ["a", "b"]))
    with surface(shouted):
        assert str(found) == f"{found}" == "label=x/<by=3>.csv: set LABEL or BY."
    assert str(found) == found


def test_a_sentence_inside_a_sentence_keeps_its_arguments():
    inner = says("set <positive=...>")
    outer = says("{who}: {what}.", who="a", what=inner)
    assert outer.arguments == inner.arguments
    assert outer == "a: set positive=..."


def test_a_lone_bracket_is_text():
    assert says("p < {p:.2f}, and <3>", p=0.05) == "p < 0.05, and <3>"


def test_sentences_and_errors_travel_between_processes():
    error = ParameterError(
        says("No <rng=...>."), asked="a", choices=["ab"], remedy=says("Set <rng=1>.")
    )
    back = pickle.loads(pickle.dumps(error))
    assert (back.asked, back.choices, str(back)) == ("a", ("ab",), str(error))
    with surface(shouted):
        assert str(back) == str(error)
    assert isinstance(back.found, Sentence)


def test_an_error_carries_what_was_asked_and_what_there_is():
    with pytest.raises(UnknownNameError) as caught:
        _ = measures["kapa"]
    error = caught.value
    assert error.asked == "kapa"
    assert "kappa" in error.choices
    assert "Did you mean kappa" in str(error)
    assert error.to_dict()["error"] == "UnknownNameError"
    assert isinstance(error, CrediblyError | LookupError)
    assert type(error).__module__ == "credibly.errors"


def test_data_errors_are_value_errors():
    assert issubclass(DataError, ValueError)


def test_names_of_files_are_not_taken_for_arguments(tmp_path, capsys):
    assert main(["evaluate", str(tmp_path / "fold=3.parquet")]) == 1
    assert "fold=3.parquet" in capsys.readouterr().err


def test_cells_are_not_taken_for_arguments(tmp_path, capsys):
    path = tmp_path / "p.csv"
    path.write_text("truth,score\n1,0.2\n0,label=...\n")
    assert main(["evaluate", str(path)]) == 1
    assert "label=..." in capsys.readouterr().err
