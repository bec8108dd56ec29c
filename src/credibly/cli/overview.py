"""What `credibly` alone prints: examples first, the commands that most people need, the names of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credibly._core.grouping import grouped
from credibly.cli.command_groups import FIRST
from credibly.cli.terminal import print_text, table_text

if TYPE_CHECKING:
    from cyclopts import App

EXAMPLES = {
    "credibly demo": "a tour with bundled data",
    "credibly evaluate preds.csv": "how good is it? One row per case: truth and prediction",
    "credibly compare preds.csv --models a,b": "is one model really better?",
    "credibly run iris --scheme tree,knn": "train on data, then evaluate",
}
MORE = "`credibly help COMMAND` explains a command with examples, `credibly help --all` describes them all."


def print_overview(app: App) -> None:
    """Print one screen."""
    commands = {name: app[name] for name in sorted(app) if not name.startswith("-")}
    groups: dict[Any, list[str]] = grouped((_group(a), n) for n, a in commands.items())
    print("Usage: credibly COMMAND [OPTIONS]\n")
    print_text(f"{app.help}\n")
    print(table_text(["", ""], [[f"  {call}", said] for call, said in EXAMPLES.items()]))
    print_text(f"\n{FIRST.name}")
    rows = [[f"  {name}", str(commands[name].help)] for name in groups.pop(FIRST)]
    print(table_text(["", ""], rows))
    print()
    for group in sorted(groups, key=lambda g: g.sort_key):
        print_text(f"{group.name}: {', '.join(groups[group])}")
    print_text(f"\n{MORE}")


def _group(command: App) -> Any:  # noqa: ANN401
    return command.group[0] if isinstance(command.group, tuple) else command.group
