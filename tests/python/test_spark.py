"""The audit and the sweep in a local cluster of Spark with two executors: the rows of one machine, whatever happens.

Spark is large (790 MB), so its packages are not part of what `cargo xtask test` installs: these tests run where pyspark
(spark-requirements.txt) and Java are, and are skipped elsewhere. EBBLINE_COMMAND names the native command line, whose rows are compared as well.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "formats"
FLEET = HERE.parent.parent / "examples" / "fleet"
CLUSTER = "local-cluster[2,1,1024]"
GRID = {"policy": "ebbline@2", "set": {"prune.protect": [2_000, 20_000]}, "policies": ["pi@1.5"], "windows": [32_000, 128_000]}
ERRORS = ("error", "error_message")

MISSING = (
    "pyspark is not installed (tests/python/spark-requirements.txt)"
    if importlib.util.find_spec("pyspark") is None or importlib.util.find_spec("pyarrow") is None
    else None if os.environ.get("JAVA_HOME") or shutil.which("java") else "there is no Java for Spark"
)

if MISSING is None:
    import ebbline
    import ebbline.spark as fleet


def plain(rows: list[Any]) -> list[dict[str, Any]]:
    """Rows as dicts in the order of files, with their paths as the file system has them."""
    found = [row.asDict() for row in rows]
    for row in found:
        row["file"] = row["file"].removeprefix("file://").removeprefix("file:")
    return sorted(found, key=lambda row: (row["file"], row.get("point") or 0))


def executors() -> list[int]:
    """The processes of this program's executors."""
    parents: dict[int, int] = {}
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass

    def is_ours(process: int) -> bool:
        while process > 1 and process != os.getpid():
            process = parents.get(process, 0)
        return process == os.getpid()

    return sorted(process for process in found if is_ours(process))


@unittest.skipIf(MISSING is not None, MISSING or "")
class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        from pyspark.sql import SparkSession

        cls.folder = tempfile.TemporaryDirectory()
        cls.sessions = Path(cls.folder.name) / "sessions"
        subprocess.run([sys.executable, FLEET / "generate.py", cls.sessions, "--seed", "3", "--bytes", "6MB"], check=True, stdout=subprocess.DEVNULL)
        for path in sorted(FIXTURES.glob("*/*.json*")):
            shutil.copy(path, cls.sessions / path.name)
        (cls.sessions / "broken.json").write_text('[{"role": "user", "content": "half')
        (cls.sessions / "bytes.json").write_bytes(b'[{"role":"user","content":"\xff"}]')
        (cls.sessions / "nothing.json").write_bytes(b" \n")
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master(CLUSTER).appName("ebbline-tests")
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "spark.executorEnv.EBBLINE_CACHE": os.environ.get("EBBLINE_CACHE", ""),
            "spark.executor.memory": "512m",
            "spark.sql.files.maxPartitionBytes": "1m",
            "spark.sql.files.openCostInBytes": "64k",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        cls.spark = builder.getOrCreate()
        cls.spark.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()
        cls.folder.cleanup()

    def files(self) -> Any:
        reader = self.spark.read.format("binaryFile").option("recursiveFileLookup", "true")
        return reader.load(str(self.sessions))

    def here(self, rows_of: Any) -> list[dict[str, Any]]:
        """The rows of one machine, by a loop in this process."""
        rows: list[dict[str, Any]] = []
        for path in self.sessions.rglob("*.*"):
            content = path.read_bytes()
            front = {"file": str(path), "bytes": len(content)}
            try:
                rows.extend({**front, **row, "error": None, "error_message": None} for row in rows_of(content))
            except ebbline.EbblineError as error:
                rows.append({**front, "error": error.code, "error_message": str(error)})
        return sorted(rows, key=lambda row: (row["file"], row.get("point") or 0))

    def compare(self, found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
        names = list(found[0])
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertEqual(one, {name: other.get(name) for name in names})

    def native(self, *arguments: str) -> list[dict[str, Any]] | None:
        program = os.environ.get("EBBLINE_COMMAND")
        if not program:
            return None
        rows = Path(self.folder.name) / "rows.jsonl"
        subprocess.run([program, *arguments, str(self.sessions), "--rows", str(rows)], capture_output=True)
        return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]

    def compare_natively(self, found: list[dict[str, Any]], *arguments: str) -> None:
        """The native rows: the same columns in the same order, and the same cells for every file that both read."""
        native = self.native(*arguments)
        if native is None:
            return
        native.sort(key=lambda row: (row["file"], row.get("point") or 0))
        # The native program reads bytes that are no UTF-8.
        native = [row for row in native if not row["file"].endswith("bytes.json")]
        fine = [{name: row[name] for name in row if name not in ERRORS} for row in found if row["error"] is None]
        self.assertGreater(len(native), 50)
        self.assertEqual(list(fine[0]), list(native[0]))
        self.assertEqual([row["file"] for row in fine], [row["file"] for row in native])
        for one, other in zip(fine, native):
            self.assertEqual(one, other)

    def test_an_audit_has_the_rows_of_one_machine(self) -> None:
        found = plain(fleet.audit(self.files()).collect())
        self.compare(found, self.here(fleet.audit_rows))
        self.compare_natively(found, "audit")
        self.assertGreater(sum(row["compactions"] or 0 for row in found), 2)

    def test_a_sweep_has_the_rows_of_one_machine(self) -> None:
        rows = fleet.sweep(self.files(), GRID).cache()
        found = plain(rows.collect())
        self.compare(found, self.here(lambda session: fleet.sweep_rows(session, GRID)))
        grid = Path(self.folder.name) / "grid.json"
        grid.write_text(json.dumps(GRID))
        self.compare_natively(found, "sweep", "--grid", str(grid))
        totals = fleet.totals(rows).collect()
        self.assertEqual([row["point"] for row in totals], [1, 2, 3, 4, 5, 6])
        of_first = [row for row in found if row["point"] == 1]
        self.assertEqual(totals[0]["sessions"], len(of_first))
        self.assertEqual(totals[0]["requests"], sum(row["requests"] for row in of_first))

    def test_a_column_of_texts_is_taken_too(self) -> None:
        texts = [("a", '[{"role":"user","content":"hello"}]'), ("b", None), ("c", "{")]
        frame = self.spark.createDataFrame(texts, "name string, session string")
        rows = plain(fleet.audit(frame, text="session", file="name").collect())
        self.assertEqual([row["format"] for row in rows], ["openai_chat", None, None])
        self.assertEqual([row["error"] for row in rows], [None, "no_content", "torn_line"])
        self.assertEqual([row["bytes"] for row in rows], [35, 0, 1])

    def test_what_cannot_be_read_is_a_row_with_an_error(self) -> None:
        errors = {Path(row["file"]).name: row for row in plain(fleet.sweep(self.files(), GRID).where("error is not null").collect())}
        self.assertEqual(errors["broken.json"]["error"], "torn_line")
        self.assertEqual(errors["bytes.json"]["error"], "not_utf8")
        self.assertIn("nothing.json", errors)
        self.assertTrue(all(row["error_message"] and row["requests"] is None for row in errors.values()))

    def test_a_mistake_ends_the_job_before_it_begins(self) -> None:
        for grid, options, sentence in [
            ({"window": [1]}, {}, "did you mean windows?"),
            ({"policy": "ebbline@0"}, {}, "ebbline@0"),
            ({}, {"usage": "guessed"}, "usage"),
        ]:
            with self.assertRaises(ebbline.EbblineError) as caught:
                fleet.sweep(self.files(), grid, **options)
            self.assertIn(sentence, str(caught.exception))

    def test_an_executor_is_killed_in_the_middle(self) -> None:
        out = Path(self.folder.name) / "killed"
        status = self.spark.sparkContext.statusTracker()
        # Five copies, so that there is a middle.
        files = self.files()
        for copy in range(1, 5):
            files = files.union(self.files().selectExpr(f"concat(path, '#{copy}') path", "modificationTime", "length", "content"))
        ended: list[BaseException | None] = []
        group = "killed"

        def work() -> None:
            try:
                self.spark.sparkContext.setJobGroup(group, group)
                fleet.sweep(files).write.parquet(str(out))
                ended.append(None)
            except BaseException as error:
                ended.append(error)

        from pyspark import InheritableThread

        thread = InheritableThread(target=work)
        thread.start()
        stages: set[int] = set()
        done = of = 0
        until = time.monotonic() + 120
        while time.monotonic() < until and not ended:
            for job in status.getJobIdsForGroup(group):
                info = status.getJobInfo(job)
                stages.update(info.stageIds if info else [])
            infos = [info for info in map(status.getStageInfo, stages) if info]
            done, of = sum(info.numCompletedTasks for info in infos), sum(info.numTasks for info in infos)
            if done >= max(2, of // 4):
                break
            time.sleep(0.02)
        before = executors()
        self.assertEqual(len(before), 2)
        self.assertFalse(ended, "the job was over before anything was killed")
        os.kill(before[0], signal.SIGKILL)
        thread.join(300)
        self.assertEqual(ended, [None])
        self.assertLess(done, of)
        failed = sum(info.numFailedTasks for info in map(status.getStageInfo, stages) if info)
        self.assertGreater(failed, 0, "the killed executor had no task")
        rows = plain(self.spark.read.parquet(str(out)).collect())
        expected = self.here(lambda session: fleet.sweep_rows(session))
        self.assertEqual(len(rows), 5 * len(expected))
        self.assertEqual(len({(row["file"], row["point"]) for row in rows}), len(rows))
        whole = [row for row in rows if "#" not in row["file"]]
        self.compare(whole, expected)
        for copy in range(1, 5):
            of_copy = [{**row, "file": row["file"].rsplit("#", 1)[0]} for row in rows if row["file"].endswith(f"#{copy}")]
            self.assertEqual(of_copy, whole)


if __name__ == "__main__":
    unittest.main()
