"""
Checks and reports
==================

A number can be computed correctly and still not mean what it seems to mean. Checks ask what
is wrong with the evaluation itself, and a report puts evidence, uncertainty and doubts into
one file.
"""

# %%
# What is wrong with this evaluation?
# -----------------------------------
#
# Four schemes predicted 569 tumours by cross-validation. Every check answers: it found
# something, it passed, or it says what it would have to know.

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
# What is known beyond the predictions makes more checks possible: the rows trained on, the
# costs, the tests that were made, a claimed difference, the measure that was planned.

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
# A report says first what to doubt, then how well the models do, where they operate, what
# their decisions cost, whether one is really better, and what each number means.

report = credibly.report(
    tumours, costs={"fn": 10, "fp": 1}, title="Four schemes on 569 tumours"
)
print(report.document.headline)
for section in report.document.sections:
    print("-", section.title)

# %%
# The page needs nothing beside it and no network. Pointing at a curve tells its point and
# marks the same threshold on the others; each model can be hidden. The same content comes
# as Markdown, as LaTeX tables and as JSON.

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
