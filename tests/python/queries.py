"""Runs files of SQL in DuckDB, in the current folder, and prints as JSON what each of them answers."""

import json
import sys
from pathlib import Path

import duckdb

answers = {}
for name in sys.argv[1:]:
    answer = duckdb.connect().execute(Path(name).read_text(encoding="utf-8"))
    columns = [column[0] for column in answer.description]
    types = [str(column[1]) for column in answer.description]
    rows = [list(row) for row in answer.fetchall()]
    answers[Path(name).name] = {"columns": columns, "types": types, "rows": rows}
print(json.dumps(answers))
