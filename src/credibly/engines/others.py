"""Engines that are installed as extras, and connections to databases."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from credibly.engines._declare import engine
from credibly.engines._tables import EngineLimits, Lazy, said_by
from credibly.engines.files import Files
from credibly.errors import DataError, ParameterError, says


@engine("polars", extra="polars")
def polars(files: Files, limits: EngineLimits) -> Lazy:  # noqa: ARG001
    """Files that polars scans lazily, on this machine."""
    import narwhals.stable.v2 as nw

    pl = _imported("polars", "polars")
    paths = [str(p) for p in files.paths]
    try:
        if files.kind == "parquet":
            frame = pl.scan_parquet(paths, glob=False, hive_partitioning=files.named_by_values)
        else:
            tab = "\t" if ".tsv" in files.paths[0].name.lower() else ","
            frame = pl.scan_csv(paths, infer_schema=False, separator=tab, glob=False)
    except Exception as error:
        raise said_by("polars", files.where, error) from error
    return Lazy(nw.from_native(frame), "polars", files.where)


@engine("Apache Spark", extra="spark")
def spark(files: Files, limits: EngineLimits) -> Lazy:
    """Files that Spark reads: on its cluster where a session is active, else on this machine."""
    import narwhals.stable.v2 as nw

    sql = _imported("pyspark.sql", "spark")
    threads = limits.threads or "*"
    builder = sql.SparkSession.builder.appName("credibly").master(f"local[{threads}]")
    session = sql.SparkSession.getActiveSession() or builder.getOrCreate()
    paths = [p.absolute().as_uri() for p in files.paths]
    try:
        if files.kind == "parquet":
            frame = session.read.parquet(*paths)
        else:
            tab = "\t" if ".tsv" in files.paths[0].name.lower() else ","
            frame = session.read.csv(paths, header=True, sep=tab)
    except Exception as error:
        raise said_by("Spark", files.where, error) from error
    return Lazy(nw.from_native(frame), "Spark", files.where)


def connect(address: str, table: str) -> Lazy:
    """Open a table of a database, by an address such as ``postgresql://user@host/name``."""
    import narwhals.stable.v2 as nw

    password = urlsplit(address).password
    shown = address.replace(f":{password}@", "@") if password else address
    if "://" not in address:
        raise ParameterError(
            says(
                "<connect={it}> is not an address of a database, such as "
                "'postgresql://user@host/name'.",
                it=shown,
            )
        )
    ibis = _imported("ibis", "ibis")
    where = f"table {table} of {shown}"
    try:
        connection = ibis.connect(address)
        tables = connection.list_tables()
    except Exception as error:
        text = next(iter(str(error).splitlines()), type(error).__name__)
        raise DataError(f"{shown} cannot be reached: {text}") from error
    if table not in tables:
        connection.disconnect()
        raise DataError(f"{shown} has no table {table!r}.", asked=table, choices=tables)
    frame = nw.from_native(connection.table(table))
    return Lazy(frame, connection.name, where, close=connection.disconnect)


def _imported(module: str, extra: str) -> Any:  # noqa: ANN401
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise ParameterError(
            f"That engine needs {module.partition('.')[0]}: pip install 'credibly[{extra}]'."
        ) from None
