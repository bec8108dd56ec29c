"""The headings under which `credibly --help` lists commands, in their order."""

from __future__ import annotations

from cyclopts import Group

FIRST = Group.create_ordered("Start with")
JUDGE = Group.create_ordered("Evaluate further")
DECIDE = Group.create_ordered("Decide by the cost of mistakes")
LEARN = Group.create_ordered("Train and evaluate")
NUMBERS = Group.create_ordered("Plan studies, use published numbers")
COUNT = Group.create_ordered("Count very many predictions")
LOOK_UP = Group.create_ordered("Look things up")
