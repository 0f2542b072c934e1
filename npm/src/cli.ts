#!/usr/bin/env node
// All other modules are imported below, where their errors can be reported: every failure ends with a sentence and no
// stack trace.
import { faultOf } from './cli/fault.js';

/** The exit code `Exit.FAULT`. */
const FAULT = 4;

function end(error: unknown): void {
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
