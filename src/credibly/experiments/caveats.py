"""What a reader should know of the datasets and schemes of an experiment, and of what a run of it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from credibly._core.findings import Finding
from credibly._core.grouping import grouped
from credibly._core.text import count
from credibly.errors import MAX_LISTED, Sentence, listed
from credibly.experiments.findings import (
    CHANGED_DATA,
    DAMAGED_DATA,
    FAILED_DATASET,
    NO_LONGER_ASKED_FOR,
    UNDEFINED_MEASURE,
)
from credibly.experiments.plan.applicability import what_lacks

if TYPE_CHECKING:
    from credibly.experiments.plan.cells import ExperimentDesign
    from credibly.experiments.store.records import Records

    Datasets = Mapping[str, Mapping[str, Any]]  # what is known of each by its name

NO_RESULTS = "It has no results. Fix the data or the plan, and run it again."
OUTPUT_WORDS = {"label": "labels", "decision_function": "scores"}
KEPT_RESULTS = "Its results come from the data that an earlier run stored in the folder."


def about_datasets(datasets: Datasets) -> Iterator[Finding]:
    """Yield which datasets cannot be used, and what is doubtful in data and splits of the others.

    >>> doubt = Finding("group-split", "problem", "Rows of a group are in both parts.").to_dict()
    >>> for finding in about_datasets({
    ...     "a": {"error": "", "findings": [doubt]}, "b": {"error": "", "findings": [doubt]},
    ...     "c": {"error": "There is no file c.csv."}}):
    ...     print(finding)
    problem: The dataset c cannot be used: There is no file c.csv. It has no results. Fix the data or the plan, and run it again.
    problem: a, b: Rows of a group are in both parts.
    """
    for name, known in datasets.items():
        if known["error"]:
            so = KEPT_RESULTS if "rows" in known else NO_RESULTS
            yield FAILED_DATASET(name=name, error=known["error"], so=so)
    doubts = (
        (Finding(**said), name)
        for name, known in datasets.items()
        for said in known.get("findings", ())
        if said["severity"] != "note"
    )
    for doubt, names in grouped(doubts).items():
        yield replace(doubt, message=Sentence(f"{', '.join(names)}: ", doubt.message))


def about_outputs(
    outputs: Iterable[tuple[str, str, str]], datasets: Datasets, measures: Sequence[str]
) -> Iterator[Finding]:
    """Yield which measures need more than a scheme gives; ``outputs`` has datasets, schemes and what they give.

    >>> known = {"iris": {"classes": ["a", "b", "c"]}}
    >>> for finding in about_outputs([("iris", "svc", "label")], known, ["error_rate", "auc"]):
    ...     print(finding)
    note: auc is undefined for svc on iris: it needs a score or probability, and the scheme only gives labels.
    """
    places = (
        ((measure, scheme, lack, source), dataset)
        for dataset, scheme, source in outputs
        for measure in (measures if source in OUTPUT_WORDS else ())
        if (lack := what_lacks(measure, datasets[dataset]["classes"], source))
    )
    for (measure, scheme, lack, source), names in grouped(places).items():
        where = {"measure": measure, "scheme": scheme, "datasets": ", ".join(names)}
        yield UNDEFINED_MEASURE(**where, lack=lack, given=OUTPUT_WORDS[source])


def about_changes(made: ExperimentDesign, before: Records) -> Iterator[Finding]:
    """Yield which data are others than in the last run, and results that are no longer asked for."""
    known, last = before.statuses(), before.datasets()
    for name, damage in made.mended.items():
        yield DAMAGED_DATA(name=name, damage=damage)
    before_now = {name: facts["data"] for name, facts in last.items()}
    changed = [
        n.name for n in made.datasets if n.data and before_now.get(n.name, "") not in {"", n.data}
    ]
    for name in changed:
        keys = {c.key for c in made.cells if c.dataset == name}
        again = f"{len(keys - known.keys())} of its {count(len(keys), 'cell')}"
        yield CHANGED_DATA(name=name, again=again)
    apart = {*changed, *(n.name for n in made.datasets if not n.data)}
    wanted = {c.key for c in made.cells}
    left = Counter(
        (c.dataset, c.scheme)
        for c in before.wanted()
        if c.key in known and c.key not in wanted and c.dataset not in apart
    )
    if left:
        named = [f"{scheme} on {dataset} ({n})" for (dataset, scheme), n in left.items()]
        which = listed(named, most=MAX_LISTED)
        yield NO_LONGER_ASKED_FOR(cells=count(left.total(), "cell"), which=which)
