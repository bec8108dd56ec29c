"""`credibly app`: choose where to operate, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from credibly.cli.columns import Columns
from credibly.cli.command_groups import FIRST
from credibly.cli.costs import file_or_bundled
from credibly.errors import DataError, ParameterError

if TYPE_CHECKING:
    from credibly.app.session import Session

GROUP = FIRST

SERVER = Group.create_ordered("The server")
SERVER_OPTION = Parameter(group=SERVER)
INSTALL_REMEDY = "The page needs a web server: pip install 'credibly[app]'."
PREFERRED = ("predictions.parquet", "run.parquet", "predictions.csv")


def command(
    file: Path | None = None,
    *,
    columns: Columns,
    port: Annotated[int | None, SERVER_OPTION] = None,
    no_browser: Annotated[bool, SERVER_OPTION] = False,
    limit: Annotated[int, SERVER_OPTION] = 1000,
    host: Annotated[str, SERVER_OPTION] = "127.0.0.1",
    token_file: Annotated[Path | None, SERVER_OPTION] = None,
    time_limit: Annotated[float, SERVER_OPTION] = 600,
    no_recent: Annotated[bool, SERVER_OPTION] = False,
) -> None:
    """Open predictions in a web page to try costs, thresholds and models.

    The page is only served to this machine, at an address that contains a token. Press Ctrl-C to stop.

    For instance:
      credibly app preds.csv --truth y --probability p --positive yes
      credibly app campaign
      credibly app --port 8800 --no-browser

    Parameters
    ----------
    file
        The file of predictions, a folder that contains one, the folder of an experiment, or the name of a bundled one (campaign,
        breast-cancer). Without it, the page asks for a file.
    port
        Port; by default the first free one from 8765.
    no_browser
        Do not open a browser.
    limit
        Largest size of an upload in megabytes, also after unpacking.
    host
        Address to listen on; only this machine by default.
    token_file
        A file that holds the token that the address must contain; else the variable CREDIBLY_TOKEN; by
        default a new token at each start. A command line would show it to other users.
    time_limit
        Longest time that one computation may take, in seconds.
    no_recent
        Do not remember the names of what is opened for the next start.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401

        from credibly.app.recent import RecentStudies, recent_file
        from credibly.app.security import LOOPBACK
        from credibly.app.serve import (
            address_of,
            listen,
            open_browser,
            serve,
            token_for,
            token_from,
        )
        from credibly.app.session import Session
        from credibly.io._limits import ReadingLimits
    except ModuleNotFoundError as error:
        if error.name not in {"starlette", "uvicorn"}:
            raise
        raise ParameterError(INSTALL_REMEDY) from None
    secret = token_for(host, token_from(token_file))
    remembered = host in LOOPBACK and not no_recent
    session = Session(
        ReadingLimits(size=limit * 1_000_000),
        time_limit=time_limit,
        recent=RecentStudies(recent_file()) if remembered else None,
    )
    opened = "" if file is None else _opened(session, file, columns)
    with listen(host, port) as sock:
        address = address_of(sock, secret) + opened

        def ready() -> None:
            _say(address, host)
            if not no_browser and session.folder is not None:
                open_browser(address, session.folder)

        serve(session, sock, secret, host, ready)
    print("\nStopped.")


def _opened(session: Session, file: Path, columns: Columns) -> str:
    """Open what was named: the folder of an experiment, to whose screen the address then leads, or predictions."""
    from credibly.app.workshop import is_experiment

    if is_experiment(file):
        kept = session.workshop.keep_results(file.resolve().name, file.resolve())
        return f"#screen=experiments&experiments.of={kept.id}"
    path = _file_in(file)
    name = path.name if file.exists() else str(file)
    session.at_start = session.keep_file(path, dict(columns), name).id
    return ""


def _file_in(path: Path) -> Path:
    """Return the file, the bundled one of that name, or the predictions in a folder."""
    from credibly.io import readers

    if not path.is_dir():
        return file_or_bundled(path)
    endings = tuple(s for each in readers for s in each.suffixes)
    paths = sorted(
        p for p in path.iterdir() if p.name.lower().removesuffix(".gz").endswith(endings)
    )
    usual = [p for name in PREFERRED for p in paths if p.name == name]
    if len(paths) == 1 or usual:
        return (usual or paths)[0]
    names = ", ".join(p.name for p in paths[:6])
    raise DataError(
        f"The folder {path} holds {f'several files: {names}' if paths else 'no file'} of predictions. Name one file."
    )


def _say(address: str, host: str) -> None:
    """Print where the page is, and warn if others can reach it."""
    import sys

    from credibly.app.security import LOOPBACK

    if host not in LOOPBACK:
        print(
            f"Warning: {host} can be reached from other machines, and nothing is encrypted. Anyone "
            "who knows the token can see the predictions.",
            file=sys.stderr,
        )
    print(f"The page is at {address}\nCtrl-C ends it.", flush=True)
