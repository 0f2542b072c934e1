#!/usr/bin/env bash
# The packed npm package in an empty project: `import`, `require` and the command line. Usage: npm.sh TARBALL
set -euo pipefail
tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
session=$(cd "$(dirname "${BASH_SOURCE[0]}")/../formats/openai_chat" && pwd)/openai-chat.json
cd "$(mktemp -d)"
cp "$session" session.json
npm init --yes > /dev/null
npm install --no-audit --no-fund "$tarball"
node --input-type=module --eval "import { plan } from 'ebbline'; console.log(plan([{ role: 'user', content: 'hello' }]).verdict)" | grep -x noop
node --eval "console.log(require('ebbline').plan([{ role: 'user', content: 'hello' }]).verdict)" | grep -x noop
npx ebbline detect session.json
npx ebbline compact session.json -o same.json
cmp session.json same.json
