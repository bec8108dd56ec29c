"""What there is to know of the names under which measures are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from credibly._core.findings import Finding
from credibly.measures._declare import Measure, measures
from credibly.measures.findings import NAMED_ELSEWHERE


def name_findings(asked: Iterable[str | Measure]) -> list[Finding]:
    """Say what is different where names come from under which measures were asked for.

    >>> [f.code for f in name_findings(["mse", "neg_mean_squared_error"])]
    ['named-elsewhere']
    """
    said = []
    for name in asked:
        alias = measures.alias(name.partition("(")[0]) if isinstance(name, str) else None
        known = measures[alias.name] if alias is not None and alias.differs else None
        if alias and known and alias.key != known.name:  # its own name means what it is here
            said.append(NAMED_ELSEWHERE(name=alias.name, measure=known.call, differs=alias.differs))
    return said
