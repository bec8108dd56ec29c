"""The words of this documentation, each with its meaning and with what others call the same thing.

The glossary, `credibly show` and `credibly search` are made from these declarations.

>>> from credibly.catalogue import search
>>> search("learner", "term").matches[0].name
'scheme'
"""

from __future__ import annotations

from dataclasses import dataclass

from credibly._core.declared import Registry
from credibly._core.names import Names


@dataclass(frozen=True, slots=True)
class Term:
    """A word, the sentence that says what it means here, and the words that others use for it."""

    name: str
    doc: str
    aliases: Names


terms: Registry[Term] = Registry("term", "credibly.catalogue")


def term(name: str, meaning: str, common: str = "", *, sklearn: str = "", weka: str = "") -> Term:
    """Declare a word; other words for it are separated by commas."""
    return terms.add(Term(name, meaning, Names(common, sklearn=sklearn, weka=weka)))


term(
    "case",
    "One thing that is predicted: one row of a table of predictions or of data.",
    "row, example, observation, record, subject, unit",
    sklearn="sample",
    weka="instance",
)
term(
    "attribute",
    "A column that a model learns from.",
    "predictor, covariate, independent variable, input variable",
    sklearn="feature",
)
term(
    "target",
    "The column that is to be predicted: a class or a number.",
    "response, dependent variable",
    sklearn="y",
    weka="class attribute",
)
term(
    "truth",
    "What was observed for a case: its actual class or its actual number.",
    "ground truth, actual value, observed outcome, gold standard",
    sklearn="y_true",
    weka="actual",
)
term(
    "label",
    "The class that a model predicts for a case.",
    "predicted class, hard prediction",
    sklearn="y_pred",
)
term(
    "score",
    "A number that is larger where the model thinks the positive class more likely; it need not be a probability.",
    "ranking score, risk score",
    sklearn="y_score, decision_function",
)
term(
    "probability",
    "The predicted probability of the positive class, or of each class.",
    "predicted risk, soft prediction",
    sklearn="predict_proba, y_proba",
    weka="distribution",
)
term("value", "The number that a model predicts for a case.", "predicted value, fitted value")
term(
    "numeric prediction",
    "Predicting a number instead of a class.",
    "regression, regression task",
)
term(
    "positive class",
    "The class that a measure such as recall is about.",
    "event, class of interest",
    sklearn="pos_label",
)
term(
    "prevalence",
    "The share of the positive class among the cases.",
    "base rate, prior probability, event rate",
)
term(
    "weight",
    "How much a case counts. Frequency weights count repeated cases; importance weights say how much a case matters.",
    "case weight, sampling weight",
    sklearn="sample_weight",
    weka="instance weight",
)
term(
    "group",
    "Cases that belong together, such as those of one patient, and so are not independent.",
    "cluster of cases, cluster variable",
    sklearn="groups",
)
term(
    "scheme",
    "A way to learn a model from data, before it has seen any.",
    "learner, learning algorithm, learning scheme, inducer",
    sklearn="unfitted estimator",
    weka="classifier",
)
term(
    "model",
    "What a scheme has learned from one training part.",
    "trained model, hypothesis",
    sklearn="fitted estimator",
)
term(
    "final model",
    "The model to use: one scheme fitted on all data.",
    "refitted model, deployed model",
    sklearn="best_estimator_",
)
term(
    "training part",
    "The rows that a model learned from.",
    "training set, training data, learning set, development sample",
)
term(
    "test part",
    "The rows that a model is judged on; it has not seen them.",
    "test set, test data, holdout set, assessment set",
)
term(
    "validation part",
    "Rows that were used to choose among models or settings.",
    "validation set, tuning set",
)
term(
    "resampling",
    "A rule that splits the rows into training and test parts, such as cross-validation or the bootstrap.",
    "validation scheme, resampling method",
    sklearn="cv, splitter, cross-validation generator",
    weka="test options",
)
term("split", "One training part with its test part.", "train-test split")
term("fold", "The test part of one split of a cross-validation.", "cross-validation fold")
term("repeat", "One whole cross-validation among several.", "repetition", weka="run")
term(
    "measure",
    "A number that says how good predictions are; for some measures higher is better, for others "
    "lower.",
    "metric, performance metric, evaluation measure, performance measure",
    sklearn="scorer",
    weka="evaluation statistic",
)
term(
    "summary",
    "What is left of predictions when the order of the rows is forgotten, such as a table of counts; summaries add up.",
    "sufficient statistics",
)
term(
    "estimate",
    "The value of a measure, with its interval, what it is about and what to doubt.",
    "point estimate",
)
term(
    "interval",
    "A range that would cover the true value in a stated share of repetitions of the study.",
    "confidence interval, CI",
)
term(
    "confidence level",
    "How often intervals would cover the true value, as a share of repetitions of the study: 0.95 unless set.",
    "coverage probability, 1 - alpha",
)
term(
    "influence value",
    "The derivative of a measure with respect to the weight of one case, from which its standard error follows.",
    "influence function, infinitesimal jackknife, empirical influence",
)
term(
    "replicate",
    "One sample of the bootstrap: as many cases, drawn with replacement.",
    "bootstrap sample, bootstrap resample",
)
term(
    "pooled",
    "Computed from the cases of all folds together; it is about these models on new cases.",
    "pooled estimate, pooling",
)
term(
    "fold mean",
    "The mean over the folds of the value in each; it is about learning again from new data.",
    "mean over folds, cross-validation score",
    sklearn="cross_val_score",
)
term(
    "resubstitution",
    "Judging a model on the rows that it learned from, which is too optimistic.",
    "training error, apparent error",
    weka="evaluation on training data",
)
term(
    "baseline rule",
    "A rule that learned nothing from the attributes, such as always predicting the most common class; measures are shown beside its score.",
    "trivial rule, naive rule, null model, no-information rate",
    sklearn="DummyClassifier, DummyRegressor",
    weka="ZeroR",
)
term(
    "baseline",
    "What the training part says without a model: the class shares or the mean of the target.",
    "training prior, class prior",
)
term(
    "threshold",
    "The score from which on cases are labelled positive.",
    "cut-off, cutoff, cut point, operating threshold",
)
term(
    "operating point",
    "A threshold together with the true and false positive rates that it gives.",
    "working point",
)
term(
    "slice",
    "A part of the cases that is evaluated by itself, such as one fold, one class or one country.",
    "subgroup, stratum, segment",
)
term(
    "undecided case",
    "A case to which a model gave no label; it counts as an error unless you ask otherwise.",
    "abstention, rejected case",
    weka="unclassified instance",
)
term(
    "finding",
    "Something to know before you believe a number: a problem, a caution or a note, each with a code.",
    "warning, diagnostic",
)
term(
    "check",
    "A question about the evaluation itself, such as whether training rows were tested on.",
    "audit, validity check",
)
term("dataset", "A table with a target, ready to learn from.", "data set", weka="relation")
term(
    "experiment",
    "Several schemes run on several datasets by a plan, kept in a folder that can be resumed.",
    "benchmark study, benchmark",
    weka="Experimenter",
)
term(
    "comparison",
    "A test of whether one model or scheme is better than another, with the difference and its interval.",
    "hypothesis test, significance test, statistical test",
)
term(
    "calibration",
    "How well predicted probabilities agree with how often the outcome occurs.",
    "reliability",
)
term(
    "recalibration",
    "A map that is fitted to make probabilities agree with how often the outcome occurs.",
    "calibration map, calibration of classifiers",
    sklearn="CalibratedClassifierCV",
)
term(
    "cost matrix",
    "What each combination of actual and predicted class costs; a benefit is a negative cost.",
    "loss matrix, utility matrix",
)
term(
    "combination",
    "A rule that makes one prediction from those of several models.",
    "ensemble, model averaging, fusion",
    sklearn="VotingClassifier, StackingClassifier",
    weka="meta classifier",
)
term(
    "theory",
    "In description length: a model together with the code that sends it.",
    "hypothesis code",
)
term(
    "engine",
    "A program that counts predictions where they are, such as DuckDB or Spark.",
    "backend",
)
term(
    "outcome",
    "How a case was scored elsewhere, instead of a truth and a prediction: a number, or pass and fail.",
    "score of a case, grade, reward, per-sample metric, instance-level result",
)
term(
    "epoch",
    "One of several times that a model was tried on the same case; the case still counts once.",
    "attempt, repeated sample, rollout, trial",
)
term(
    "gate",
    "A decision whether a candidate may replace the model in use: pass, fail, or undecided.",
    "quality gate, release criterion, regression test, non-inferiority test",
)
term(
    "judge",
    "A model, a rule or a cheap test that labels every case, where people label only a few.",
    "grader, LLM as a judge, surrogate label, annotator",
)
