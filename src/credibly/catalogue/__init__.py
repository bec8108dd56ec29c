"""The catalogue: everything that has a name, found by any name that people know, or by words.

>>> from credibly.catalogue import show
>>> [(e.kind, e.name) for e in show("ROC Area").entries]
[('measure', 'auc')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.catalogue.entries import Entries as Entries, Entry as Entry
    from credibly.catalogue.registries import registry_of as registry_of
    from credibly.catalogue.search import Match as Match, Matches as Matches, search as search
    from credibly.catalogue.show import show as show
    from credibly.catalogue.terms import Term as Term, term as term, terms as terms

lazy(__name__)
