"""
Can the probabilities be believed?
==================================

A probability says more than a label, and can be wrong in more ways. A loss for probabilities is
*proper* if stating one's true belief minimises its expectation. This page shows the usual proper
losses, their units, and what happens when an event occurs that had probability 0.
"""

# %%
# Two losses for one case
# -----------------------
#
# The informational loss is the number of bits needed to tell what happened, given the probabilities:
# minus the binary logarithm of the probability of the actual class. The quadratic loss is the squared
# distance between the probabilities and the outcome.

import matplotlib.pyplot as plt
import numpy as np

import credibly
from credibly.measures import brier, informational_loss, log_loss, quadratic_loss

p = np.linspace(0.005, 1, 200)
fig, ax = plt.subplots(figsize=(5.4, 3.2), layout="constrained")
ax.plot(p, -np.log2(p), label="informational loss (bits)")
ax.plot(p, 2 * (1 - p) ** 2, label="quadratic loss, two classes")
ax.set(xlabel="probability of what happened", ylabel="loss", ylim=(0, 6))
ax.legend()
plt.show()

# %%
# The quadratic loss never exceeds 2. The informational loss has no bound.
#
# Honesty pays
# ------------
#
# If the true probability is 0.75, which statement has the least expected loss? Under a proper loss it
# is 0.75.

for stated in (0.5, 0.6, 0.75, 0.9, 0.99):
    expected = [
        credibly.expected_loss(loss, [1 - stated, stated], [0.25, 0.75])
        for loss in ("quadratic_loss", "informational_loss", "probability_mae")
    ]
    print(
        f"say {stated}:  quadratic {expected[0]:.4f}  bits {expected[1]:.4f}  absolute {expected[2]:.4f}"
    )

# %%
# The mean absolute error of probabilities is *not* proper: overstating always lowers it here.
#
# Bits and nats, Brier and quadratic
# ----------------------------------
#
# The same loss goes by several names and scales. The log loss is the informational loss in nats: it
# is smaller by the factor ln 2. For two classes the Brier score looks at the positive class alone and
# is half of the quadratic loss.

two = credibly.Predictions.of([1, 0, 1, 1], probability=[0.75, 0.5, 0.5, 0.25])
print("bits     ", informational_loss(two))
print("nats     ", log_loss(two), "=", informational_loss(two) * np.log(2))
print("Brier    ", brier(two))
print("quadratic", quadratic_loss(two), "= 2 x", brier(two))

# %%
# What was called impossible
# --------------------------
#
# A class that occurs although its probability was 0 costs infinitely many bits, so the mean is
# infinite too. This is meant: whoever calls an event impossible would bet everything against it.

from importlib.resources import files

predictions = credibly.read(
    files("credibly") / "demo_data" / "breast-cancer.csv",
    truth="truth",
    probability="probability",
    positive="malignant",
    row="row",
    model="model",
    fold="fold",
    baseline=["baseline_benign", "baseline_malignant"],
    n_train="n_train",
)
losses = ["brier", "quadratic_loss", "informational_loss", "log_loss"]
print(credibly.evaluate(predictions, losses, estimate="pooled"))

# %%
# The findings name the rows, so that they can be looked at. Many programs replace 0 by some tiny
# number, and the result then depends on that number. Credibly does so only if you name the number.

for floor in (1e-15, 1e-6, 1e-3):
    loss = f"informational_loss(clip={floor})"
    floored = credibly.evaluate(predictions, loss, estimate="pooled")
    print(
        f"clip={floor:g}: ",
        {str(e.keys["model"]): round(e.value, 3) for e in floored.estimates},
    )

# %%
# What is it worth?
# -----------------
#
# Compare a loss with what was known before: the shares of the classes in the *training* part.
# ``class_complexity_order_0`` is the number of bits needed with these shares alone. The information
# score (Kononenko and Bratko, 1991) counts the bits by which a prediction helped. For a prediction
# that lowered the probability of the actual class it subtracts the bits by which it raised that of
# the other classes together, so even a certain mistake costs a finite amount.

worth = ["class_complexity_order_0", "informational_loss", "complexity_improvement"]
worth += ["information_score", "relative_information_score"]
print(credibly.evaluate(predictions, worth, estimate="pooled"))
