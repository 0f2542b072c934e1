#!/usr/bin/env node
// The rest is loaded when something can be said of its faults: whatever fails ends with a sentence and no stack trace.
import { faultOf } from './cli/fault.js';

/** The exit code `Exit.FAULT`. */
const FAULT = 4;

function end(error) {
  process.stderr.write(`ebbline: ${faultOf(error)}\n`);
  process.exit(FAULT);
}

process.on('uncaughtException', end);
try {
  const { main } = await import('./cli/main.js');
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  end(error);
}
