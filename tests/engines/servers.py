"""Engines for the tests: each takes columns and holds them as its own kind of table."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

LOCAL = "127.0.0.1"


def duckdb_table(columns):
    import duckdb

    frame = pd.DataFrame(columns)
    return duckdb.connect().from_df(frame)


def polars_table(columns):
    import polars as pl

    ordered = {n: c for n, c in columns.items() if isinstance(c, pd.Categorical)}
    made = {n: pl.Series(list(c), dtype=pl.Enum(list(c.categories))) for n, c in ordered.items()}
    return pl.DataFrame({**columns, **made}, strict=False).lazy()


def pandas_table(columns):
    return pd.DataFrame(columns)


def dask_table(columns):
    import dask.dataframe

    return dask.dataframe.from_pandas(pd.DataFrame(columns), npartitions=3)


def java():
    """Skip where Spark cannot run, and say why."""
    pytest.importorskip(
        "pyspark", reason="pyspark is not installed (pip install 'credibly[spark]')"
    )
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java, which Spark needs, is installed")


@contextmanager
def spark_session():
    """A Spark of its own on this machine, on a real JVM."""
    java()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("credibly tests")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.bindAddress": LOCAL,
        "spark.driver.host": LOCAL,
        "spark.driver.memory": "1g",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.stop()


def postgres_programs():
    """Return the folder of initdb and postgres, or skip."""
    found = [Path(p).parent for p in [shutil.which("initdb")] if p]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if not found:
        pytest.skip("no PostgreSQL server is installed")
    return found[0]


class Postgres:
    """A server of its own on loopback, in a folder that goes with it."""

    def __init__(self, folder, programs, user):
        self.folder, self.programs, self.user = Path(folder), programs, user
        with socket.socket() as probe:
            probe.bind((LOCAL, 0))
            self.port = probe.getsockname()[1]
        self.address = f"postgresql://tester@{LOCAL}:{self.port}/postgres"

    def run(self, program, *arguments):
        subprocess.run(
            [self.programs / program, *map(str, arguments)],
            user=self.user, check=True, capture_output=True, cwd=self.folder,
        )  # fmt: skip

    def start(self):
        data = self.folder / "data"
        if not data.exists():
            self.run(
                "initdb", "-D", data, "-U", "tester", "--auth=trust", "--no-sync", "-E", "UTF8"
            )
        options = f"-p {self.port} -c listen_addresses={LOCAL} -c unix_socket_directories={self.folder} -c fsync=off"
        self.run("pg_ctl", "-D", data, "-o", options, "-l", self.folder / "log", "-w", "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", mode, "-w", "stop")


@contextmanager
def postgres():
    """Start a server as a user that is not root (initdb refuses root), and stop it."""
    pytest.importorskip("ibis", reason="ibis is not installed (pip install 'credibly[ibis]')")
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install 'credibly[ibis]')")
    programs = postgres_programs()
    user = None
    if os.geteuid() == 0:
        import pwd

        names = [e.pw_name for e in pwd.getpwall() if e.pw_name in {"postgres", "nobody"}]
        if not names:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = "postgres" if "postgres" in names else names[0]
    with tempfile.TemporaryDirectory(prefix="credibly-pg-", ignore_cleanup_errors=True) as folder:
        if user:
            shutil.chown(folder, user)
            Path(folder).chmod(0o755)
        server = Postgres(folder, programs, user)
        server.start()
        try:
            yield server
        finally:
            try:
                server.stop("immediate")
            except subprocess.CalledProcessError:
                time.sleep(0.1)  # a test has stopped it already


def fill(server, name, columns):
    """Write columns into a table of a server."""
    import psycopg

    kinds = {"i": "bigint", "f": "double precision", "b": "boolean", "O": "text", "U": "text"}
    arrays = {c: np.asarray(v) for c, v in columns.items()}
    listed = ", ".join(f'"{c}" {kinds[a.dtype.kind]}' for c, a in arrays.items())
    with psycopg.connect(server.address) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {name} ({listed})")
        with cursor.copy(f"COPY {name} FROM STDIN") as copy:
            for row in zip(*(a.tolist() for a in arrays.values()), strict=True):
                copy.write_row(row)
