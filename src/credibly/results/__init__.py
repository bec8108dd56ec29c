"""What computations return: results with one contract, estimates and tables of them, figures as data.

A result is a frozen dataclass under :class:`Result`. Its class states what it is; text, JSON, rows, frames,
HTML and pictures follow.

>>> from dataclasses import dataclass
>>> from credibly.results import Finding, Result
>>> @dataclass(frozen=True, slots=True, eq=False, repr=False)
... class Wait(Result):
...     name: str
...     seconds: float
...     findings: tuple[Finding, ...] = ()
...
...     json_keys = "who=name seconds findings"
...
...     def heading(self):
...         return f"How long {self.name} takes"
>>> Wait("tree", 1.5)
How long tree takes
         value
who      tree
seconds  1.5
>>> Wait("tree", 1.5).to_dict(), Wait("tree", 1.5).rows()
({'who': 'tree', 'seconds': 1.5, 'findings': []}, [{'who': 'tree', 'seconds': 1.5}])

A plot of results stands in the module ``plots`` of their package; the registry finds it there. A
:class:`Figure` is data too, and is drawn by the functions that :mod:`credibly.render` declares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly._core.findings import Finding as Finding, findings as findings
    from credibly.results.brief import Brief as Brief
    from credibly.results.estimate import Estimate as Estimate
    from credibly.results.estimates import Tabled as Tabled
    from credibly.results.figure import Axis as Axis, Figure as Figure, Layer as Layer
    from credibly.results.interval import Interval as Interval
    from credibly.results.plot import (
        Plot as Plot,
        plot as plot,
        plot_kind as plot_kind,
        plots as plots,
    )
    from credibly.results.result import Plotted as Plotted, Result as Result
    from credibly.results.table import Table as Table

lazy(__name__)
