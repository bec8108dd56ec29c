"""Every command with every option given wrongly, and with every kind of small file: an answer, or our own words."""

from collections import defaultdict

import pytest

from cli.calls import COMMANDS, FILES, FIRST, MORE, options
from credibly.cli import main
from credibly.comparisons.gate_result import EXIT_CODES

HOLDERS = 4  # commands that try an option, where many have it: it is then read in one place for all
WRONG = ("zzz", "-1")


def tried():
    """Return commands, options and what is wrong with them: each option of all that have it, or of some.

    Others for each option. Where several try it, the wrong values take turns.
    """
    having = defaultdict(list)
    for name in COMMANDS:
        for option in options(name):
            having[option].append(name)
    for place, (option, names) in enumerate(having.items()):
        step = max(1, len(names) // HOLDERS)
        chosen = names[place % step :: step]
        for turn, name in enumerate(chosen * (2 if len(chosen) == 1 else 1)):
            yield name, option, WRONG[(place + turn) % len(WRONG)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(arguments, capsys):
    """Run a command; whatever is wrong must be said, and be foreseen."""
    code = main(arguments)
    said = capsys.readouterr()
    assert code in {0, 1, 2, *EXIT_CODES.values()}, arguments
    assert "unexpected" not in said.err, (arguments, said.err)
    assert code == 0 or said.err.strip() or said.out.strip(), arguments


@pytest.mark.daily
@pytest.mark.daily(name=["evaluate"])
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", COMMANDS)
def test_files_of_every_kind(name, kind, folder, capsys):
    path = folder / "given.csv"
    path.write_text(FILES[kind])
    answered([name, *FIRST.get(name, []), str(path), *MORE.get(name, [])], capsys)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_no_file(name, folder, capsys):
    for path in ("missing.csv", str(folder), "/dev/null"):
        answered([name, *FIRST.get(name, []), path, *MORE.get(name, [])], capsys)


@pytest.mark.daily
@pytest.mark.parametrize(("name", "option", "value"), list(tried()))
def test_every_option_given_wrongly(name, option, value, folder, capsys):
    path = folder / "cases.csv"
    path.write_text(FILES["models"])
    answered([name, *FIRST.get(name, []), str(path), *MORE.get(name, []), option, value], capsys)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_options(name):
    assert options(name)
