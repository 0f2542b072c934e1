// Runs the command line of the package many times in one process, for a start of Node is dear. Standard input is a JSON array of
// cases: arguments, variables of the environment, and the files that are written. What each said and wrote is printed as JSON.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { main } = await import(pathToFileURL(join(process.env.EBBLINE_PACKAGE, 'dist/cli/main.js')).href);

/** A stream that keeps what is written to it. */
function kept() {
  const pieces = [];
  const write = (content, done) => {
    pieces.push(Buffer.from(content));
    done?.();
  };
  return { write, on: () => {}, text: () => Buffer.concat(pieces).toString('latin1') };
}

const results = [];
for (const { args, env = {}, files = [] } of JSON.parse(readFileSync(0, 'utf8'))) {
  for (const path of files) rmSync(path, { force: true });
  const before = { ...process.env };
  Object.assign(process.env, env);
  const [out, notes] = [kept(), kept()];
  const code = await main(args, /** @type {any} */ (out), /** @type {any} */ (notes));
  process.env = before;
  const written = files.map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : null));
  results.push({ code, out: out.text(), errors: notes.text(), written });
}
process.stdout.write(JSON.stringify(results));
