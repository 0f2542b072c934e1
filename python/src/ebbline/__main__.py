"""``python -m ebbline`` and ``ebbline``."""

from __future__ import annotations

import os
import signal
import sys

from ._cli.main import main as run


# The exit code after Ctrl-C.
_INTERRUPTED = 130


def main() -> None:
    """Runs the command line as a program: Ctrl-C ends it as it ends any other, not with a trace of Python's stack."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = run(sys.argv[1:])
    if code == _INTERRUPTED:
        # Threads may be at work still, and Python would wait for the calls that they are in.
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
