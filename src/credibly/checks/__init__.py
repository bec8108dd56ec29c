"""What is wrong with the evaluation itself: questions that every report answers."""

from credibly.checks._declare import Check, CheckResult, check_of, checks
from credibly.checks.checking import Checklist, check
from credibly.checks.dossier import Dossier

__all__ = ["Check", "CheckResult", "Checklist", "Dossier", "check", "check_of", "checks"]
