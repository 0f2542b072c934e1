// Runs a command of the user's: text in, text out.

import { spawn } from 'node:child_process';

import { textOfBytes } from './engine.js';
import { FileError, Interrupted } from './exit.js';
import { waitingOn } from './progress.js';

/** A longer answer is no summary of anything. */
const LARGEST = 16 << 20;
/** How long a command may take to end after it was told to, in milliseconds. */
const GRACE = 2000;
/** The signals by which somebody ends this program. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** What a shell answers if it finds no such command. */
const NO_COMMAND = 127;

/**
 * What a command answers.
 *
 * @param {string} command for the shell
 * @param {string} input
 * @param {{ timeout: number, notes: any }} how the most seconds that it may take, and where a line says that it works
 * @returns {Promise<string>}
 */
export async function answered(command, input, { timeout, notes }) {
  // Before the command starts: a signal right after that would end the program and leave the command running.
  const onSignal = () => stop(new Interrupted('interrupted; nothing was written'));
  ENDING.forEach((signal) => process.on(signal, onSignal));
  // A group of its own, so that whatever the shell starts ends with it.
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, { shell: true, detached: isGroup, stdio: ['pipe', 'pipe', 'inherit'] });
  const end = ending(child, isGroup);
  let why;
  const stop = (error) => {
    why ??= error;
    end();
  };
  const timer = setTimeout(
    () => stop(new FileError(`the command gave no answer within ${timeout} s, and nothing was written`)),
    timeout * 1000,
  );
  const line = waitingOn(notes);
  try {
    const { code, signal, bytes } = await outputOf(child, input, stop);
    if (why !== undefined) throw why;
    if (code !== 0) throw new FileError(`the command ${failureOf(code, signal)}, and nothing was written`);
    return textOf(bytes);
  } finally {
    line.end();
    clearTimeout(timer);
    end.done();
    ENDING.forEach((signal) => process.off(signal, onSignal));
  }
}

function outputOf(child, input, stop) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let length = 0;
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LARGEST) stop(new FileError(`the command answered more than ${LARGEST >> 20} MiB, which is no summary`));
    });
    // A command need not read its request.
    child.stdin.on('error', () => {});
    child.on('error', (error) => reject(new FileError(`the command cannot be run: ${error.message}`)));
    child.on('close', (code, signal) => resolve({ code, signal, bytes: Buffer.concat(chunks) }));
    child.stdin.end(input);
  });
}

/** Ends a command and what it started: first asks, then insists. */
function ending(child, isGroup) {
  let timer;
  const send = (signal) => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended.
    }
  };
  const end = () => {
    send('SIGTERM');
    timer ??= setTimeout(() => {
      send('SIGKILL');
      // What left the group may keep the pipe open.
      child.stdout.destroy();
    }, GRACE);
  };
  end.done = () => clearTimeout(timer);
  return end;
}

function failureOf(code, signal) {
  if (code === null) return `was ended by ${signal}`;
  return code === NO_COMMAND ? `ended with exit code ${code}: the shell found no such command` : `ended with exit code ${code}`;
}

function textOf(bytes) {
  try {
    return textOfBytes(bytes).replace(/^\ufeff/, '');
  } catch (error) {
    throw new FileError(`the answer of the command cannot be read: ${error.message}`);
  }
}
