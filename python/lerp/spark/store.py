# SPDX-License-Identifier: Apache-2.0
"""Checkpoints: tables in a folder that all workers see, so that a lost worker costs the tasks that it had."""

from __future__ import annotations

import uuid
from typing import Any, Optional

from pyspark.sql import DataFrame, SparkSession


_MOST_IN_PLAN = 2_000  # rows


def _spelled(value: object) -> str:
    """A literal of Spark SQL; of texts the bytes, since what a backslash means there is an option."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"decode(unhex('{value.encode().hex()}'), 'UTF-8')"
    if isinstance(value, list):
        return f"array({', '.join(map(_spelled, value))})"
    return f"double('{value!r}')" if isinstance(value, float) else str(value)


class Store:
    """A folder of its own inside the folder of checkpoints."""

    def __init__(self, spark: SparkSession, folder: Optional[str]) -> None:
        folder = folder or spark.sparkContext.getCheckpointDir()
        if not folder:
            raise ValueError(
                "there is no folder for checkpoints: call spark.sparkContext.setCheckpointDir(folder), or give "
                "checkpoint=folder, one that all workers see"
            )
        self.spark = spark
        self.folder = f"{str(folder).rstrip('/')}/lerp-{uuid.uuid4()}"
        self._written: list[str] = []

    def save(self, name: str, table: DataFrame) -> DataFrame:
        """Computes the table and reads it back: what comes after starts from the files."""
        path = f"{self.folder}/{name}"
        table.write.parquet(path)
        self._written.append(name)
        return self.spark.read.schema(table.schema).parquet(path)

    def small(self, rows: list[Any], schema: str) -> DataFrame:
        """A table of the driver's. In the plan itself where it is short, so that it needs no job of its own."""
        if len(rows) > _MOST_IN_PLAN:
            return self.spark.createDataFrame(rows, schema).coalesce(1)
        columns = [column.strip().rsplit(" ", 1) for column in schema.split(",")]
        values = ", ".join("(" + ", ".join(map(_spelled, row)) + ")" for row in rows or [(None,) * len(columns)])
        casts = ", ".join(f"CAST(c{place} AS {kind}) AS `{name}`" for place, (name, kind) in enumerate(columns))
        names = ", ".join(f"c{place}" for place in range(len(columns)))
        return self.spark.sql(f"SELECT {casts} FROM VALUES {values} AS t({names}) WHERE {'true' if rows else 'false'}")

    def keep_only(self, name: str) -> None:
        for other in self._written:
            if other != name:
                self._delete(f"{self.folder}/{other}")
        self._written = [name]

    def clear(self) -> None:
        self._delete(self.folder)

    def _delete(self, path: str) -> None:
        jvm = self.spark.sparkContext._jvm
        where = jvm.org.apache.hadoop.fs.Path(path)
        where.getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration()).delete(where, True)
