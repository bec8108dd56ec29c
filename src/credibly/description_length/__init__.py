"""Description length: theories judged by the bits that they and what they leave unexplained take.

Names are resolved when first used.

>>> from credibly.description_length import coders
>>> coders["tree"].title
'Decision tree'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from credibly.description_length._declare import Coder, coder, coders

if TYPE_CHECKING:
    from credibly.description_length.clustering import clustering_mdl
    from credibly.description_length.describing import mdl
    from credibly.description_length.messages import Message, Symbol, order_saving
    from credibly.description_length.problem import Problem, Sent
    from credibly.description_length.result import Description, DescriptionLengths, Part

_HOMES = {
    "Description": "result",
    "DescriptionLengths": "result",
    "Message": "messages",
    "Part": "result",
    "Problem": "problem",
    "Sent": "problem",
    "Symbol": "messages",
    "clustering_mdl": "clustering",
    "mdl": "describing",
    "order_saving": "messages",
}

__all__ = [
    "Coder",
    "Description",
    "DescriptionLengths",
    "Message",
    "Part",
    "Problem",
    "Sent",
    "Symbol",
    "clustering_mdl",
    "coder",
    "coders",
    "mdl",
    "order_saving",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    msg = f"module 'credibly.description_length' has no attribute {name!r}"
    raise AttributeError(msg)
