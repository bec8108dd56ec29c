"""
Outcomes and their report
=========================

Two versions of an assistant were scored elsewhere on three benchmarks. This page compares the
outcomes, passes them through a gate and puts them into a report.
"""

# %%
# One outcome for each case and model
# -----------------------------------
#
# Questions about the same text belong together, so texts are groups.

import numpy as np

import credibly

rng = np.random.default_rng(7)
task = np.repeat(["arithmetic", "reading", "code"], [300, 200, 60])
text = np.arange(560) // 5
easy = np.clip(rng.normal(0.7, 0.2, 112), 0.05, 0.95)[text]
old = rng.random(560) < easy
new = np.where(old, rng.random(560) < 0.97, rng.random(560) < 0.3)
p = credibly.Predictions.of(
    outcome={"new": new, "old": old}, group=text, columns={"task": task}
)
print(credibly.evaluate(p, by="task"))

# %%
# May it replace the old one?
# ---------------------------

print(credibly.gate(p, margin=0.01).sentence)

# %%
# Is it worse anywhere?
# ---------------------

found = credibly.benchmarks(p, against="old", margin=0.05, rng=1)
print(found)
found.plot().draw()

# %%
# One file
# --------
#
# Outcomes have no truth and no classes, so the report has no sections about them.

report = credibly.report(p, title="A new version of the assistant")
report
