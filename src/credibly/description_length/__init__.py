"""Description length: theories judged by the bits that they and what they leave unexplained take.

A theory is sent as a `Message` of symbols. Both sides know the inputs, the classes and the kind of the
theory; the probability of a symbol follows from these and from the symbols before it, and its bits are
minus log2 of it, unrounded. A coder writes a fitted estimator and returns what the theory *as sent*, with
its numbers rounded, says of each row: the data are coded with that and not with what was fitted.
`tests/reference/decoders.py` has the other side for every coder and compares bits and predictions; a coder
without one fails.

- **Precision**: a share is one of about π/2 √n angles, a mean or slope a multiple of its standard error, a
  spread a multiple of its own on a log scale. Each is about half of log2 n bits, and no share is 0.
- **Preprocessing** that learns from the inputs alone is free, since the other side can do the same; steps
  that need the target are refused.
- **One result** (`DescriptionLengths`) serves schemes and clusterings, two-part and prequential codes:
  descriptions with named parts, of the theory or of the data.

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
    from credibly.description_length.problem import CodingProblem as CodingProblem, Sent as Sent
    from credibly.description_length.result import (
        CodePart as CodePart,
        Description as Description,
        DescriptionLengths as DescriptionLengths,
    )

lazy(__name__)
