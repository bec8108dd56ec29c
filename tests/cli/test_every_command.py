"""Every command with every option given wrongly, and with every kind of small file: an answer, or our own words."""

from collections import defaultdict
from functools import cache

import pytest

from cli.calls import COMMANDS, FILES, FIRST, MORE, options
from credibly.cli import main
from credibly.comparisons.gate_result import EXIT_CODES

HOLDERS = 4  # commands that try an option, where many have it: it is then read in one place for all
WRONG = ("zzz", "-1")


@cache
def tried():
    """Return what is tried of each command: an option, what is wrong with it, and whether every day.

    Each option of some commands that have it, among which the wrong values take turns: of the one that has been
    tried least, and has the fewest, every day, and of others in equal steps from it.
    """
    having, made = defaultdict(list), {name: [] for name in COMMANDS}
    for name in COMMANDS:
        for option in options(name):
            having[option].append(name)
    for place, (option, names) in enumerate(sorted(having.items(), key=lambda item: len(item[1]))):
        step = max(1, len(names) // HOLDERS)
        daily = min(names, key=lambda name: (sum(e for *_, e in made[name]), len(options(name))))
        chosen = names[names.index(daily) % step :: step]
        for turn, name in enumerate(chosen * (2 if len(chosen) == 1 else 1)):
            value = WRONG[(place + turn) % len(WRONG)]
            made[name].append((option, value, name == daily and turn < len(chosen)))
    return made


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


@pytest.mark.daily(daily=[True])
@pytest.mark.parametrize("daily", [True, False])
@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_given_wrongly(name, daily, folder, capsys):
    path = folder / "cases.csv"
    path.write_text(FILES["models"])
    called = [name, *FIRST.get(name, []), str(path), *MORE.get(name, [])]
    for option, value, every in tried()[name]:
        if every is daily:
            answered([*called, option, value], capsys)


def test_every_option_and_every_command_is_tried_every_day():
    assert {option for made in tried().values() for option, _, daily in made if daily} == {
        option for name in COMMANDS for option in options(name)
    }
    assert [name for name, made in tried().items() if not any(daily for *_, daily in made)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_options(name):
    assert options(name)
