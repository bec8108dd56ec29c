"""
Can the probabilities be believed? Calibration
==============================================

If a model says 0.8, the event should happen in eight of ten such cases. This page checks a model
that is known to overstate, shows the evidence, and recalibrates the probabilities on cases kept
apart.
"""

# %%
# A model that overstates
# -----------------------
#
# Naive Bayes counts the same evidence several times, so its probabilities are close to 0 and 1.
# Half of the cases fit it, a quarter recalibrate it, and a quarter judge both.

import numpy as np
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

import credibly

X, y = make_classification(
    4000, 20, n_informative=4, n_redundant=10, flip_y=0.2, random_state=0
)
fit, tune, judge = np.arange(2000), np.arange(2000, 3000), np.arange(3000, 4000)
model = GaussianNB().fit(X[fit], y[fit])
p = model.predict_proba(X)[:, 1]
kept = credibly.Predictions.of(y[tune], probability=p[tune], row=tune)
test = credibly.Predictions.of(y[judge], probability=p[judge], row=judge)

c = credibly.calibration(test, rng=1, replicates=300)
credibly.plot(c).draw()

# %%
# Points are groups of equal size with Wilson's intervals. The isotonic curve needs no groups; its band
# shows where it would lie if the probabilities were right. The bars at the foot are the outputs.
#
# The numbers behind it
# ---------------------

print(c.table)

# %%
# The slope of the recalibration line is far below 1: the probabilities are too extreme. Brier score and
# log loss judge calibration and discrimination together; the area under the ROC curve measures only
# discrimination, and does not change.
#
# A calibration error is never negative, and chance alone makes it larger than 0. Its interval
# allows for that: for a calibrated model it reaches down to 0, although the value does not. The
# debiased error subtracts what chance adds.
#
# What the Brier score is made of
# -------------------------------

for parts in c.decompositions[:2]:
    print(parts, "\n")

# %%
# Each decomposition adds up to the score. In Murphy's, miscalibration raises the score and
# discrimination lowers it; two more parts hold the variation within the groups. The covariance
# graph shows the parts of the other decomposition.

credibly.plot(c, "covariance_graph").draw()

# %%
# Tests
# -----

for test_made in c.tests:
    print(
        f"{test_made.title}: {test_made.statistic:.4g}, p-value {test_made.pvalue:.3g}"
    )

# %%
# Hosmer and Lemeshow's test has as many degrees of freedom as groups on new cases, and two fewer on the
# cases of the fit (``fitted_on_these=True``). How often these tests reject when nothing is wrong, and
# when the slope is 0.7, is simulated in :doc:`/validity`. Bloch's tests of outcomes against outputs are
# not offered: no public formula for them was found.
#
# Recalibrating the probabilities
# -------------------------------
#
# A map is fitted on cases that the model did not see and judged on other cases; rows that are in
# both are refused.

r = credibly.recalibrate(kept, test, "beta", rng=1, replicates=300)
print(r)

# %%
credibly.plot(r).draw()

# %%
# The map is strictly increasing, so the ROC curve stays the same to the last digit, and the result
# says so. An isotonic map is more flexible and creates ties; the result says that too.

print(credibly.recalibrate(kept, test, "isotonic").findings[0])

# %%
# Inside a resampling, ``RecalibratedClassifier`` fits model and map on the training part alone: the map
# sees only cases that the model of their inner fold did not see.

from credibly.calibration.recalibration import RecalibratedClassifier

schemes = {
    "naive Bayes": GaussianNB(),
    "with map": RecalibratedClassifier(GaussianNB(), "isotonic"),
}
runs = credibly.run(schemes, X[judge], y[judge], resampling="5", rng=1)
print(credibly.evaluate(runs, ["brier", "auc"], estimate="pooled"))

# %%
# Several classes
# ---------------
#
# With more than two classes there are three questions: each class against the rest, the top label, and
# all probabilities jointly.

from sklearn.datasets import load_wine

from credibly.calibration import class_calibration

X3, y3 = load_wine(return_X_y=True)
three = GaussianNB().fit(X3[::2, :3], y3[::2]).predict_proba(X3[1::2, :3])
wine = class_calibration(credibly.Predictions.of(y3[1::2], probability=three), groups=4)
for made in wine.tests:
    print(f"{made.title}: p-value {made.pvalue:.3g}")
print(wine.average["expected_calibration_error"])

# %%
# Numbers
# -------
#
# A predicted number can come with an interval or a distribution. The question is then whether the
# truth lies in the interval as often as stated, and equally often in each part of the distribution.

from credibly.calibration import interval_coverage, pit_histogram, pit_of_normal

rng = np.random.default_rng(0)
mean = rng.normal(0, 3, 1000)
truth = mean + rng.normal(0, 1.4, 1000)  # the model takes the deviation for 1
print(interval_coverage(truth, mean - 1.645, mean + 1.645, nominal=0.9))

# %%
credibly.plot(pit_histogram(pit_of_normal(truth, mean, np.ones(1000)))).draw()

# %%
# Both end bars are too high: the truth is outside the usual range too often.
