#!/bin/sh
# The command line of Python as a program, so that the tests of npm's run it: EBBLINE_COMMAND=$PWD/tests/python/ebbline.sh
# node --test tests/npm/cli-files.test.mjs. PYTHON names an interpreter that has wasmtime.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
PYTHONPATH="$here/../../python/src" exec "${PYTHON:-python3}" -m ebbline "$@"
