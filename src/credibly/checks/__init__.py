"""What is wrong with the evaluation itself: questions that every report answers.

A check is a function from a `CheckContext` (predictions, and whatever else the author can tell) to a
verdict: it fired, it passed, or it does not apply, each with a sentence. Its name is the code of its
findings; `same_as` names the findings of other origin that say the same, so that a report says nothing
twice. Cases are counted once, however often they were predicted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.checks._declare import (
        Check as Check,
        CheckContext as CheckContext,
        CheckResult as CheckResult,
        Verdict as Verdict,
        check_kind as check_kind,
        checks as checks,
        fired as fired,
        not_applicable as not_applicable,
        passed as passed,
    )
    from credibly.checks.check import Checklist as Checklist, check as check

lazy(__name__)
