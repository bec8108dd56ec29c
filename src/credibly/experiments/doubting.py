"""What a reader should know of the datasets of an experiment before believing its results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from credibly._core.results import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Datasets = Mapping[str, Mapping[str, Any]]  # what is known of each by its name

NONE = "It has no results. Mend the data or the plan, and run it again."
KEPT = "Its results are those of the data that an earlier run has kept in the folder."


def about_datasets(datasets: Datasets) -> Iterator[Finding]:
    """Yield which datasets cannot be used, and what is doubtful in data and splits of the others.

    >>> doubt = Finding("group-split", "problem", "Rows of a group are in both parts.").to_dict()
    >>> for finding in about_datasets({
    ...     "a": {"error": "", "findings": [doubt]}, "b": {"error": "", "findings": [doubt]},
    ...     "c": {"error": "There is no file c.csv."}}):
    ...     print(finding)
    problem: The dataset c cannot be used: There is no file c.csv. It has no results. Mend the data or the plan, and run it again.
    problem: a, b: Rows of a group are in both parts.
    """
    doubts: dict[Finding, list[str]] = {}
    for name, known in datasets.items():
        if known["error"]:
            message = f"The dataset {name} cannot be used: {known['error']}"
            yield Finding("failed-dataset", "problem", message, KEPT if "rows" in known else NONE)
        for said in known.get("findings", ()):
            if said["severity"] != "note":
                doubts.setdefault(Finding(**said), []).append(name)
    for doubt, names in doubts.items():
        yield replace(doubt, message=f"{', '.join(names)}: {doubt.message}")
