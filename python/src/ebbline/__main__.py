"""``python -m ebbline`` and ``ebbline``."""

from __future__ import annotations

import sys

from ._command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
