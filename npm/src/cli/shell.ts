// Runs a command of the person's: text in, text out.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

import { type Duration, durationOf } from './duration.js';

/** How long a command may take to end after it was told to, in milliseconds. */
const GRACE = 2000;
/** How often somebody is told that it still runs. */
const EVERY = 1000;
/** The signals by which somebody ends this program. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A command of the person's, and how long it may take and say. */
export interface ShellCommand {
  command: string;
  input: string;
  seconds: number;
  most: number;
}

/** Why a command is told to end. */
type Why = 'Interrupted' | 'TooSlow' | 'TooLong';

/** What came of a command. */
type Outcome = Why | { Unstarted: string } | { Answer: [] } | { Signal: string | null } | { Code: number };

/** A command that runs. */
export class Running {
  #begun = performance.now();
  /** Why it was told to end. */
  #why: Why | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #timers: NodeJS.Timeout[] = [];
  #onSignal = () => this.#stop('Interrupted');
  #ended: Promise<Outcome>;
  #isGroup: boolean;
  #child: ChildProcessByStdio<Writable, Readable, null>;

  constructor({ command, input, seconds, most }: ShellCommand) {
    // Before the command starts: a signal right after that would end the program and leave the command running.
    ENDING.forEach((signal) => process.on(signal, this.#onSignal));
    // A group of its own, so that whatever the shell starts ends with it.
    this.#isGroup = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached: this.#isGroup, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    this.#timers.push(setTimeout(() => this.#stop('TooSlow'), seconds * 1000));
    child.stdout.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (this.#length > most) this.#stop('TooLong');
    });
    // A command need not read its request.
    child.stdin.on('error', () => {});
    this.#ended = new Promise<Outcome>((resolve) => {
      child.on('error', (error) => resolve({ Unstarted: error.message }));
      child.on('close', (code, signal) => resolve(this.#why ?? (code === 0 ? { Answer: [] } : failureOf(code, signal))));
    }).finally(() => this.#tidyUp());
    child.stdin.end(input);
  }

  /** What it said. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** What came of it, or that it still runs. */
  async reply(): Promise<Outcome | { Waiting: Duration }> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<{ Waiting: Duration }>((resolve) => {
      timer = setTimeout(() => resolve({ Waiting: durationOf(performance.now() - this.#begun) }), EVERY);
    });
    const reply = await Promise.race([this.#ended, waited]);
    clearTimeout(timer);
    return reply;
  }

  /** Ends a command and what it started: first asks, then insists. */
  #stop(why: Why): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#send('SIGTERM');
    const insist = () => {
      this.#send('SIGKILL');
      // What left the group may keep the pipe open.
      this.#child.stdout.destroy();
    };
    this.#timers.push(setTimeout(insist, GRACE));
  }

  #send(signal: NodeJS.Signals): void {
    try {
      if (this.#isGroup && this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
      else this.#child.kill(signal);
    } catch {
      // It has ended.
    }
  }

  #tidyUp(): void {
    this.#timers.forEach(clearTimeout);
    ENDING.forEach((signal) => process.off(signal, this.#onSignal));
  }
}

function failureOf(code: number | null, signal: string | null): Outcome {
  return code === null ? { Signal: signal } : { Code: code };
}
