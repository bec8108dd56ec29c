"""Write predictions of any number of rows: python -m benchmarks.make_predictions 1e8 predictions.parquet."""

import sys

import duckdb


def make(rows, path, seed=0.5):
    """Write truth (0 or 1) and a calibrated score of 53 random bits, nearly all distinct."""
    with duckdb.connect() as connection:
        connection.execute(f"SET threads = 1; SELECT setseed({seed})")
        connection.execute(
            "COPY (SELECT CAST(random() < 0.3 * score AS TINYINT) AS truth, score FROM "
            f"(SELECT random() AS score FROM range({int(rows)}))) TO '{path}' (FORMAT parquet)"
        )
    return path


if __name__ == "__main__":
    make(int(float(sys.argv[1])), sys.argv[2])
