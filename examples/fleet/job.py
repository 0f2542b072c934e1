"""Audits or sweeps a folder of sessions: ``spark-submit job.py sweep SESSIONS ROWS --grid grid.json``.

SESSIONS and ROWS are folders or addresses that Spark knows, such as s3a://bucket/sessions. ROWS becomes Parquet.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from pyspark.sql import SparkSession

import ebbline.spark

# A task works through so many bytes of files, and Python is handed so many sessions at once: both stay in memory.
SETTINGS = {
    "spark.sql.files.maxPartitionBytes": "32m",
    "spark.sql.files.openCostInBytes": "64k",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["audit", "sweep"])
    parser.add_argument("sessions")
    parser.add_argument("rows")
    parser.add_argument("--grid", type=Path, help="JSON, as for `ebbline sweep --grid`; without it, every profile")
    given = parser.parse_args()
    spark = SparkSession.builder.appName("ebbline").getOrCreate()
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(given.sessions)
    began = time.perf_counter()
    if given.what == "audit":
        rows = ebbline.spark.audit(files)
    else:
        rows = ebbline.spark.sweep(files, json.loads(given.grid.read_text()) if given.grid else None)
    rows.write.mode("overwrite").parquet(given.rows)
    took = time.perf_counter() - began
    written = spark.read.parquet(given.rows)
    sizes = written.select("file", "bytes").distinct().selectExpr("count(*)", "coalesce(sum(bytes), 0)").first()
    assert sizes is not None
    sessions, size = sizes
    print(f"{sessions:,} sessions, {size / 1e6:,.1f} MB, {written.count():,} rows, in {took:.1f} s ({size / took / 1e6:.1f} MB/s)")
    written.where("error is not null").groupBy("error").count().show()
    if given.what == "sweep":
        ebbline.spark.totals(written).show(truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
