"""Tables of times to an event: how long a case was watched, whether the event came, and what was predicted of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from credibly._core.doors import door
from credibly._core.text import several
from credibly.case_scores.beside import OtherNames
from credibly.case_scores.survival import Survival, survival as times_to_event
from credibly.case_scores.tables import (
    Columns,
    ReadTable,
    flags_in,
    number_in,
    one_called,
    table_kind,
    truth_in,
)
from credibly.errors import MissingColumnError, says
from credibly.io._source import Source
from credibly.predictions.column_names import plain_name

TIME_COLUMNS = (
    "time",
    "duration",
    "survival_time",
    "follow_up",
    "followup",
    "months",
    "days",
    "years",
)
EVENT_COLUMNS = ("event", "status", "died", "death", "dead", "event_observed", "observed")
SURVIVAL_COLUMNS = ("s", "surv", "survival", "chance", "p_survival")


def _of_events(table: Source) -> Columns | None:
    """Recognise a time and an event beside columns called like risks or chances of survival at a time."""
    time, event = one_called(table, TIME_COLUMNS), one_called(table, EVENT_COLUMNS)
    if (
        not time
        or not event
        or (truth_in(table) not in {None, event})
        or not flags_in(table, [event])
    ):
        return None
    plain = {c: plain_name(c) for c in table.names if c not in {time, event}}
    chances = [
        c
        for c, name in plain.items()
        if number_in(c) is not None and name.rstrip("0123456789_.") in SURVIVAL_COLUMNS
    ]
    risks = [c for c, name in plain.items() if "risk" in name or "hazard" in name]
    if chances:
        made: Columns = {"survival": chances} | ({"risk": risks[:1]} if risks else {})
    elif risks:
        made = {"risk": risks}
    else:
        table.load([], list(plain)[:20])
        made = {"risk": [c for c in list(plain)[:20] if table.kind(c) == "number"]}
    return {"time": time, "event": event, **made} if any(made.values()) else None


@table_kind("Times to an event, some censored", _of_events)
@door
def read_survival(
    source: object,
    time: str = "time",
    event: str = "event",
    *,
    risk: Sequence[str] = (),
    survival: Sequence[str] = (),
    times: Sequence[float] | None = None,
    row: str | None = None,
    **others: Unpack[OtherNames],
) -> Survival:
    """Read times to an event, some of them censored, from a file or a frame with one row per case.

    Parameters
    ----------
    source
        A file or a frame.
    time
        The column of how long each case was observed.
    event
        The column that says whether the event occurred then (1) or the case was censored (0).
    risk
        The column of a number that is higher where the event is expected sooner; of several, each is a model.
    survival
        The columns of the probability of no event up to each of the times.
    times
        The times of these columns; by default the numbers in their names.
    row
        The column that identifies a case.
    **others
        ``group``, ``weight`` (and ``weight_kind``): the columns of groups of cases that belong together, and of how much each
        case counts; ``columns``: other columns, to slice by, all others by default; ``format``: that of the file.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"time": [1, 2, 3, 4], "event": [1, 1, 0, 1], "cox": [4.0, 3.0, 2.0, 1.0]})
    >>> read_survival(frame, risk=["cox"]).table("harrell_c")["harrell_c"].value
    1.0
    """
    risks, chances = several(risk, "risk", "columns"), several(survival, "survival", "columns")
    when = [number_in(c) for c in chances] if times is None else list(times)
    if None in when:
        raise MissingColumnError(
            "The names of the columns do not say the times of the chances of survival.",
            remedy=says("Set <times=...>."),
        )
    held = ReadTable(source, [time, event, *risks, *chances], others, row=row)
    beside = held.beside
    when_and_whether = held[time], held[event]
    if chances:
        beside |= {"survival": held.matrix(chances), "times": when}
    if chances or len(risks) == 1:
        beside |= {"risk": held[risks[0]]} if risks else {}
        return times_to_event(*when_and_whether, None, **beside)
    return times_to_event(*when_and_whether, {c: held[c] for c in risks} or None, **beside)
