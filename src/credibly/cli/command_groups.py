"""The headings under which `credibly --help` lists commands, in their order."""

from __future__ import annotations

from cyclopts import Group

JUDGE = Group.create_ordered("Judge predictions")
DECIDE = Group.create_ordered("Decide by what mistakes cost")
LEARN = Group.create_ordered("Learn from data, and judge that")
NUMBERS = Group.create_ordered("Plan, and use printed numbers")
COUNT = Group.create_ordered("Count predictions that are many")
LOOK_UP = Group.create_ordered("Try out and look up")
