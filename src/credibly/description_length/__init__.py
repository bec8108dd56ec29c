"""Description length: theories judged by the bits that they and what they leave unexplained take.

>>> from credibly.description_length import coders
>>> coders["tree"].title
'Decision tree'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.description_length._declare import (
        Coder as Coder,
        coder as coder,
        coders as coders,
    )
    from credibly.description_length.clustering import clustering_mdl as clustering_mdl
    from credibly.description_length.mdl import mdl as mdl
    from credibly.description_length.messages import (
        Message as Message,
        Symbol as Symbol,
        order_saving as order_saving,
    )
    from credibly.description_length.problem import Problem as Problem, Sent as Sent
    from credibly.description_length.result import (
        Description as Description,
        DescriptionLengths as DescriptionLengths,
        Part as Part,
    )

lazy(
    __name__,
    {
        "_declare": "Coder coder coders",
        "clustering": "clustering_mdl",
        "mdl": "mdl",
        "messages": "Message Symbol order_saving",
        "problem": "Problem Sent",
        "result": "Description DescriptionLengths Part",
    },
)
