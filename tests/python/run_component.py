"""Runs the tests of the Python package, and prints `N passed, N failed, N skipped` at the end."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parent.parent / "python" / "src"


def main() -> int:
    sys.path[:0] = [str(SOURCE), str(HERE)]
    os.environ["PYTHONPATH"] = str(SOURCE)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["EBBLINE_CACHE"] = cache
        suite = unittest.TestLoader().discover(str(HERE), pattern="test_*.py")
        result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    # A test with subtests is one test, however many of these fail.
    failed = len({test.id().split(" ")[0] for test, _ in [*result.failures, *result.errors]})
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
