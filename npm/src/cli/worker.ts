// A thread of the command line: it is sent one file after the other.

import { parentPort, workerData } from 'node:worker_threads';

import { readFile } from './files.js';
import { TaskRun, put, start, unreadFile } from './module.js';
import { refusalOf } from './refusal.js';

start(workerData.module);
const task = new TaskRun(workerData.task);
const port = parentPort as import('node:worker_threads').MessagePort;

port.on('message', (file) => port.postMessage(doneOf(file, JSON.stringify(file))));

function doneOf(file, json) {
  let buffer;
  try {
    buffer = put(readFile(file.name));
  } catch (error) {
    return { result: unreadFile(json, refusalOf(error)) };
  }
  try {
    return { result: task.run(json, buffer) };
  } catch (error) {
    return { error: { message: String(error?.message ?? error) } };
  }
}
