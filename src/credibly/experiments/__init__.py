"""Experiments: many schemes on many datasets, kept in a folder that loses nothing.

A `Plan` is checked without reading data; `plan/design.py` reads them, cuts the rows and gives every fit a
key, the hash of all that its result depends on: data, scheme, rows, seed, versions. `plan/fingerprints.py` writes
a scheme down so that two texts are equal only if the fits are, in every process: functions and classes
without a version count by their code. Running is then one sentence: do the tasks whose keys the store
lacks.

- **Tasks** are small: they name data, scheme, resampling and place. Workers map the data from the folder
  (`store/data.py`: `.npy` and JSON) and make the splits again. Inputs (`store/inputs.py`, `store/frames.py`)
  are put together for the rows of a part alone and the pages that were read are given back, so a worker
  holds its training part and little else; who gave a frame gets frames with the same names and types, and
  text among numbers goes to schemes by name as a `LightFrame`: sorted out once for all fits (`Data.light`,
  in `run` as well), in a quarter of the room of objects. All fits learn from what is read back, so a fit
  now and one in a year see the same: each process compares every file with the sum in `about.json` before
  it learns from it (remembered until the file is written to), and a mismatch is a `DamagedDataError` that
  no worker repeats.
- **The store** (`store/store.py`, `store/schema.py`): files of predictions are written, synced and renamed before one
  transaction names them, so a killed driver leaves whole batches and at most files that nobody names, which
  the next driver removes. Sums are kept of everything: of arrays in `about.json`, of predictions in the
  names of their files, of the database in `seal.json` (`store/seal.py`), which a driver removes before it
  writes and puts back when it ends; `schema.explained` tells damage from what the system forbids. Only the
  driver writes; a lock that dies with its process keeps others out. What the plan asks for (`wanted`) and
  what is there (`cell`) are two tables: names belong to the plan, results to keys. Measures are no part of
  a key: they are computed from kept predictions when they are added. A third table (`former`) has the names
  that earlier plans gave to cells, for `gc` to say what it removes.
- **What to know** (`caveats.py`) is derived, never kept twice: doubts about data and splits from the facts
  of each dataset, what schemes lack from what they gave. What a run changes (other data, cells that are not
  asked for any more) is noted with that run. Where a dataset cannot be used, the design goes on with the
  data that an earlier run has kept of it, if it was asked for in the same way.
- **Workers** (`execution/driver.py`, `execution/worker.py`) are joblib's. Whatever breaks them, the driver sends what is
  missing again, from then on each fit in a process of its own (`execution/sandbox.py`), which can be ended and may
  die; limits use the same process. Workers watch for the death of their driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.experiments.analysis.analyse import analyse as analyse
    from credibly.experiments.analysis.result import Analysis as Analysis
    from credibly.experiments.analysis.results import Results as Results
    from credibly.experiments.experiment import Experiment as Experiment
    from credibly.experiments.importers.outcomes import from_outcomes as from_outcomes
    from credibly.experiments.importers.sklearn_results import (
        from_cross_validate as from_cross_validate,
        from_grid_search as from_grid_search,
    )
    from credibly.experiments.importers.tables import (
        from_table as from_table,
        read_results as read_results,
    )
    from credibly.experiments.importers.weka_results import from_weka as from_weka
    from credibly.experiments.store.store import Store as Store

lazy(__name__)
