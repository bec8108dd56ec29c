"""What is wrong with the evaluation itself: questions that every report answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.checks._declare import (
        Check as Check,
        CheckResult as CheckResult,
        check_of as check_of,
        checks as checks,
    )
    from credibly.checks.check import Checklist as Checklist, check as check
    from credibly.checks.context import CheckContext as CheckContext

lazy(
    __name__,
    {
        "_declare": "Check CheckResult check_of checks",
        "check": "Checklist check",
        "context": "CheckContext",
    },
)
