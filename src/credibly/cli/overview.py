"""What `credibly` alone prints: examples first, the commands that most people need, the names of the others."""

from __future__ import annotations

from typing import Any

from cyclopts import App

from credibly._core.grouping import grouped
from credibly._core.layout import folded, terminal_width
from credibly.cli.command_groups import FIRST
from credibly.cli.help import rows_text

EXAMPLES = {
    "credibly demo": "a tour with bundled data",
    "credibly evaluate preds.csv": "how good is it? One row per case: truth and prediction",
    "credibly compare preds.csv --models a,b": "is one model really better?",
    "credibly run iris --scheme tree,knn": "train on data, then evaluate",
}
MORE_HELP = "`credibly COMMAND --help` explains a command with examples, `credibly --help --all` describes them all."


def print_overview(app: App, *, everything: bool = False) -> None:
    """Print one screen, or what each command does."""
    commands = {name: app[name] for name in sorted(app) if not name.startswith("-")}
    groups: dict[Any, list[str]] = grouped((_group(a), n) for n, a in commands.items())
    print("Usage: credibly COMMAND [OPTIONS]\n")
    print(f"{app.help}\n")
    print(rows_text(EXAMPLES.items()))
    for group in sorted(groups, key=lambda g: g.sort_key):
        names = groups[group]
        if everything or group is FIRST:
            text = rows_text((name, str(commands[name].help)) for name in names)
            print(f"\n{group.name}\n{text}{'' if everything else chr(10)}")
        else:
            print("\n".join(folded(f"{group.name}: {', '.join(names)}", terminal_width())))
    print("\n" + "\n".join(folded(MORE_HELP, terminal_width())))


def _group(command: App) -> Any:  # noqa: ANN401
    return command.group[0] if isinstance(command.group, tuple) else command.group
