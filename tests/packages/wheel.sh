#!/usr/bin/env bash
# The wheel in an empty environment: the library and the command line. Usage: wheel.sh WHEEL
set -euo pipefail
wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
session=$(cd "$(dirname "${BASH_SOURCE[0]}")/../formats/openai_chat" && pwd)/openai-chat.json
cd "$(mktemp -d)"
cp "$session" session.json
python -m pip install --quiet --disable-pip-version-check "$wheel"
python -c "import ebbline; print(ebbline.plan([{'role': 'user', 'content': 'hello'}]).verdict)" | tr -d '\r' | grep -x noop
python -m ebbline detect session.json
python -m ebbline compact session.json -o same.json
cmp session.json same.json
