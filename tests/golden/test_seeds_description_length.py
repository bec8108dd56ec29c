"""Figures about description length."""

import math

import numpy as np

from credibly import clustering_mdl
from credibly.description_length import DescriptionLengths, order_saving
from golden.goldens import golden


@golden("wf-mdl-bayes")
def test_the_shortest_description_is_the_most_probable_theory(case):
    theories = case["theories"].items()
    found = DescriptionLengths.of_probabilities(
        {name: (t["prior"], t["likelihood"]) for name, t in theories}
    )
    case.check(
        length_T1=found["T1"].total,
        length_T2=found["T2"].total,
        choose=found.best.name,
        posterior_T2=found.weights["T2"],
    )


@golden("wf-mdl-permutation")
def test_bits_of_an_order(case):
    """Erratum A25: bits need log2, and items that are the same need no order among themselves."""
    case.check(bits=order_saving(range(case["n"])))
    assert order_saving([0, 0, 0, 1]) == math.log2(math.factorial(4) / math.factorial(3))


@golden("wf-mdl-cluster-membership")
def test_bits_of_membership(case):
    n, k = case["n"], case["k"]
    found = clustering_mdl(np.zeros((n, 1)), np.arange(n) % k, membership="uniform")
    bits = next(p.bits for p in found["given"].parts if p.name == "membership")
    case.check(total=bits, bits_per_instance=bits / n)
