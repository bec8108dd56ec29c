"""What the results of an experiment say.

`Results` has one row per fit: dataset, scheme, size, repeat, fold, the value of each measure, sizes, times,
status. It is all that `analyse` reads, so results made elsewhere (`experiments/importers/weka_results.py`,
`importers/sklearn_results.py`, `importers/tables.py`) are analysed like our own.

- **A grid** (`experiments/analysis/grids.py`) is one measure laid out by dataset as `FoldTable`s over the
  splits that its schemes share. What is missing becomes a `GridGap` with its reasons and one finding that
  states the rule; no mean is ever over other splits than the one beside it.
- **The analysis** adds no statistics: marks are `wins_ties_losses`, ranks `compare` of a `DatasetTable`,
  chances the Bayesian comparisons, intervals those of means over folds. The overlap of training sets is the
  size of all test parts over that of all training parts. What cannot be made is None with a finding.
- **The report** (`reports/experiments.py`) is a list of declared sections, as for predictions, that read an
  `Analysis`.
"""
