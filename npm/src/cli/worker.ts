// A thread of the command line: it is sent one file after the other.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { readFile } from './files.js';
import { type Bytes, TaskRun, put, start, unreadFile } from './module.js';
import type { Done, File } from './pool.js';
import { refusalOf, wordsOf } from './refusal.js';

start(workerData.module);
const task = new TaskRun(workerData.task);
const port = parentPort as MessagePort;

port.on('message', (file: File) => port.postMessage(doneOf(file, JSON.stringify(file))));

function doneOf(file: File, json: string): Done {
  let buffer: Bytes;
  try {
    buffer = put(readFile(file.name));
  } catch (error) {
    return { result: unreadFile(json, refusalOf(error)) };
  }
  try {
    return { result: task.run(json, buffer) };
  } catch (error) {
    return { error: { message: wordsOf(error) } };
  }
}
