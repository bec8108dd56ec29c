"""The headings under which `credibly --help` lists commands, in their order."""

from __future__ import annotations

from cyclopts import Group

JUDGE = Group.create_ordered("Evaluate predictions")
DECIDE = Group.create_ordered("Decide by the cost of mistakes")
LEARN = Group.create_ordered("Train schemes on data and evaluate them")
NUMBERS = Group.create_ordered("Plan studies and use published numbers")
COUNT = Group.create_ordered("Count very many predictions")
LOOK_UP = Group.create_ordered("Try it and look things up")
