"""
Checks and reports
==================

A number can be computed correctly and still be misleading. Checks look for what is wrong with the
evaluation itself, and a report puts evidence, uncertainty and doubts into one file.
"""

# %%
# What is wrong with this evaluation?
# -----------------------------------
#
# Four schemes predicted 569 tumours by cross-validation. Every check gives one of three answers: it
# found something, it passed, or it says what information it lacks.

import tempfile
from pathlib import Path

import credibly
from credibly.io import bundled

tumours = credibly.read(bundled("breast-cancer"), positive="malignant")
found = credibly.check(tumours, prevalence=0.02)
print(found)

# %%
# An answer has a code, a status, a sentence and what to do. The codes are those of
# ``credibly list checks``, and each has its page in the reference.

print(found["prevalence-differs"].message)
print(found["tuned-on-test"].status, "-", found["tuned-on-test"].message)

# %%
# More information makes more checks possible: the training rows, the costs, the tests that were
# made, a claimed difference, the planned measure.

more = credibly.check(
    tumours, costs={"fn": 10, "fp": 1}, difference=0.005, planned_measure="recall",
    measure="accuracy",
)  # fmt: skip
for code in ("too-small-for-difference", "measure-chosen-afterwards", "costs-ignored"):
    print(f"{more[code].status}: {more[code].message}")

# %%
# One file
# --------
#
# A report starts with what to doubt. Then it says how well the models do, which thresholds are
# possible, what decisions cost, whether one model is really better, and what each number means.

report = credibly.report(
    tumours, costs={"fn": 10, "fp": 1}, title="Four schemes on 569 tumours"
)
print(report.document.headline)
for section in report.document.sections:
    print("-", section.title)

# %%
# The page is one file and needs no network. Pointing at a curve shows its values and marks the same
# threshold on the others; each model can be hidden. The same content comes as Markdown, as LaTeX
# tables and as JSON.

with tempfile.TemporaryDirectory() as folder:
    for name in ("report.html", "report.md", "report.tex", "report.json"):
        saved = report.save(Path(folder) / name)
        print(f"{name}: {saved.stat().st_size / 1000:,.0f} kB")

# %%
# On the command line: ``credibly check preds.csv`` and
# ``credibly report preds.csv -o report.html``.
#
# A document is data
# ------------------
#
# A report is made of sections, and a section of blocks: paragraphs, findings, tables,
# pictures, definitions. Each format renders them in its own way.

table = report.document.sections[1].blocks[0]
print(table.caption)
for row in table.body[:3]:
    print(row[0], row[1], sep=": ")

# %%
# Pictures are data too, and can be drawn on matplotlib's axes:

figures = {figure.title: figure for figure in report.document.figures()}
figures["ROC curve"].draw()
