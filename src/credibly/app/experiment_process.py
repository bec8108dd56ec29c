"""The process that runs an experiment for the page: it ends with the server, and leaves what is done.

``python -m credibly.app.experiment_process FOLDER`` reads the plan in a folder of the server, which the server has
checked: schemes are registered ones by name, and data are its own files.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from threading import Thread

from credibly.app.runs import PLAN_FILE, STORE_FOLDER, TROUBLE_FILE
from credibly.errors import CrediblyError
from credibly.experiments import Experiment


def main(folder: Path) -> int:
    """Run the fits that the folder lacks."""
    # Keeps what is done and not yet written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    Thread(target=_end_with_server, daemon=True).start()
    asked = json.loads((folder / PLAN_FILE).read_text(encoding="utf-8"))
    jobs = asked.pop("n_jobs")
    try:
        Experiment(**asked).run(folder / STORE_FOLDER, n_jobs=jobs, progress=False)
    except CrediblyError as error:
        (folder / TROUBLE_FILE).write_text(str(error), encoding="utf-8")
        return 1
    except KeyboardInterrupt:
        return 2
    return 0


def _end_with_server() -> None:
    """Wait until the other end of the input is closed, as it is when the server is gone."""
    sys.stdin.read()
    os._exit(2)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
