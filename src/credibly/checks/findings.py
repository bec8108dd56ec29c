"""The findings of checks: each check declares its own, under its name."""

from credibly.checks._declare import checks

checks.names()  # loads them
