"""The audit and the sweep as jobs of Apache Spark: the engine inside the executors, a row for each session and policy.

>>> sessions = spark.read.format("binaryFile").load("s3a://bucket/sessions")    # doctest: +SKIP
>>> rows = ebbline.spark.sweep(sessions, {"policy": "ebbline@2", "windows": [128_000]})    # doctest: +SKIP

The columns are those of ``ebbline audit --rows`` and ``ebbline sweep --rows`` (docs/command-line.md), and behind them ``error``
and ``error_message``: a session that cannot be read is a row with an error, and stops nothing. Install ``ebbline[spark]`` here
and on the executors.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._arguments import GridOptions
from ._errors import EbblineError
from ._functions import audit as _audit
from ._functions import count, weigh

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

Row = dict[str, Any]
_Column = tuple[str, str]

_FRONT: list[_Column] = [("file", "string"), ("bytes", "bigint"), ("format", "string"), ("messages", "bigint")]
_ERROR: list[_Column] = [("error", "string"), ("error_message", "string")]

# The columns of each job, with the member of the engine's answer that stands in them.
_LOSSES: dict[str, tuple[str, ...]] = {
    "requests": ("requests",),
    "compactions": ("compactions",),
    "departed_outputs": ("departedOutputs",),
    "needed_again": ("references", "reReferenced"),
    "read_again": ("reReads", "exact"),
    "orders_given": ("orders", "given"),
    "orders_lost": ("orders", "lost"),
    "decisions_departed": ("decisions", "departed"),
    "decisions_gone": ("decisions", "neverReturn"),
    "goal_kept": ("words", "goalKept"),
}
_TOTALS = {
    "window": "window",
    "requests": "requests",
    "prunes": "prunes",
    "summaries": "summaries",
    "pruned_outputs": "outputs",
    "too_large": "unfit",
    "over_window": "overWindow",
    "largest_request": "peak",
    "input": "input",
    "cost": "cost",
    "cost_without": "without",
    "departed_outputs": "departedOutputs",
    "needed_again": "neededAgain",
    "needed_again_pruned": "neededAgainPruned",
    "read_again": "readAgain",
    "decisions_gone": "decisionsGone",
    "goal_gone": "goalGone",
}
_COSTS = ("cost", "cost_without")

AUDIT: list[_Column] = [*_FRONT, *((name, "bigint") for name in _LOSSES), ("findings", "bigint"), *_ERROR]
SWEEP: list[_Column] = [
    *_FRONT,
    ("point", "bigint"),
    ("profile", "string"),
    ("settings", "string"),
    *((name, "double" if name in _COSTS else "bigint") for name in _TOTALS),
    *_ERROR,
]

# How many rows leave an executor's Python at once.
_AT_ONCE = 1_000
# What a caller does wrong. It would be wrong of every session, so the job does not begin.
_MISTAKES = ("invalid_option", "invalid_policy", "unknown_profile", "unknown_format")


def audit(frame: DataFrame, *, text: str = "content", file: str = "path", findings: int = 100) -> DataFrame:
    """What was lost by the compactions that sessions record: a row for each session.

    ``text`` is the column of the sessions (text or binary), ``file`` that of their names.
    """
    return _mapped(frame, file, text, AUDIT, lambda session: audit_rows(session, findings=findings))


def sweep(
    frame: DataFrame,
    grid: Mapping[str, Any] | None = None,
    *,
    text: str = "content",
    file: str = "path",
    **options: Unpack[GridOptions],
) -> DataFrame:
    """What each policy of a grid would have cost and lost: a row for each session and policy.

    The grid and the options are those of :func:`ebbline.weigh`. ``text`` is the column of the sessions (text or binary),
    ``file`` that of their names.
    """
    grid = None if grid is None else dict(grid)
    try:
        weigh('[{"role":"user","content":""}]', grid, **options)
    except EbblineError as error:
        if error.code in _MISTAKES:
            raise
    return _mapped(frame, file, text, SWEEP, lambda session: sweep_rows(session, grid, **options))


def audit_rows(session: str | bytes, *, findings: int = 100) -> list[Row]:
    """The row of a session, without its file: what :func:`audit` makes of one."""
    front = _front(session)
    lost = _audit(session, findings=findings)
    row: Row = {**front}
    for name, (first, *rest) in _LOSSES.items():
        row[name] = lost[first][rest[0]] if rest else lost[first]
    row["findings"] = len(lost["worst"])
    return [row]


def sweep_rows(session: str | bytes, grid: Mapping[str, Any] | None = None, **options: Unpack[GridOptions]) -> list[Row]:
    """The rows of a session, without its file: what :func:`sweep` makes of one."""
    found = weigh(session, grid, **options)
    front = {"format": found["format"], "messages": found["messages"]}
    return [
        {
            **front,
            "point": number,
            "profile": point["profile"],
            "settings": " ".join(f"{path}={value}" for path, value in point["set"]),
            **{name: point[member] for name, member in _TOTALS.items()},
        }
        for number, point in enumerate(found["points"], start=1)
    ]


def _front(session: str | bytes) -> Row:
    found = count(session)
    return {"format": found["format"], "messages": found["counts"]["messages"]}


def _mapped(
    frame: DataFrame, file: str, text: str, columns: list[_Column], rows_of: Callable[[str | bytes], list[Row]]
) -> DataFrame:
    names = [name for name, _ in columns]

    def of_batches(batches: Iterable[Any]) -> Iterator[Any]:
        # By its name, because it has no types.
        pyarrow: Any = importlib.import_module("pyarrow")
        kinds = {"string": pyarrow.string(), "bigint": pyarrow.int64(), "double": pyarrow.float64()}
        schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns])
        waiting: list[Row] = []
        for batch in batches:
            files, texts = batch.columns
            for at in range(batch.num_rows):
                waiting.extend(_rows(files[at].as_py(), texts[at].as_py(), names, rows_of))
                if len(waiting) >= _AT_ONCE:
                    yield pyarrow.RecordBatch.from_pylist(waiting, schema=schema)
                    waiting = []
        if waiting:
            yield pyarrow.RecordBatch.from_pylist(waiting, schema=schema)

    ddl = ", ".join(f"{name} {kind}" for name, kind in columns)
    selected: Any = frame.select(frame[file].cast("string"), frame[text])
    return selected.mapInArrow(of_batches, ddl)


def _rows(file: str, session: str | bytes | None, names: list[str], rows_of: Callable[[str | bytes], list[Row]]) -> list[Row]:
    """The rows of a session with its file in front, or one with what is wrong."""
    size = len(session.encode(errors="surrogatepass")) if isinstance(session, str) else len(session or b"")
    front: Row = {**dict.fromkeys(names), "file": file, "bytes": size}
    if session is None:
        return [{**front, "error": "no_content", "error_message": "the column of the session is null"}]
    try:
        return [{**front, **row} for row in rows_of(session)]
    except EbblineError as error:
        return [{**front, "error": error.code, "error_message": str(error)}]


def totals(rows: DataFrame) -> DataFrame:
    """The rows of a sweep added up: a row for each point. Sessions with an error are left out."""
    from pyspark.sql import functions

    sums = [name for name in _TOTALS if name not in ("window", "largest_request")]
    fine = rows.where("error is null").groupBy("point", "profile", "settings", "window")
    return fine.agg(
        functions.count("*").alias("sessions"),
        *(functions.sum(name).alias(name) for name in sums),
        functions.max("largest_request").alias("largest_request"),
    ).orderBy("point")
