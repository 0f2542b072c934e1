// The members that a case may have, from tests/src/golden/shapes.json: a misspelt member fails instead of being
// ignored. tests/src/golden/shapes.rs describes shapes and reads the same file.

import { readFileSync } from 'node:fs';

import { member } from '../notation.mjs';

const SHAPES = JSON.parse(readFileSync(new URL('../../src/golden/shapes.json', import.meta.url), 'utf8'));

/** Throws if a member of a case is unknown or missing; `input` and `expected` are nodes, see notation.mjs. */
export function checkShapes(file, input, expected) {
  const shape = SHAPES.files[file] ?? SHAPES.files[general(file)];
  if (shape === undefined) throw new Error(`shapes.json says nothing of ${file}`);
  const fault =
    faultIn('input', input, shape.input) ??
    faultIn('expected', expected, member(expected, 'throws') === undefined ? shape.expected : 'throws');
  if (fault !== undefined) throw new Error(fault);
}

/** Converts `pi-1.5.2-cut` to `pi-*-cut`: all versions of a function share a shape. */
function general(file) {
  const system = file.startsWith('opencode-v2-') ? 'opencode-v2' : file.split('-')[0];
  return `${system}-*-${file.split('-').at(-1)}`;
}

/** The fault of a node; `undefined` if there is none. */
function faultIn(at, node, shape) {
  if (typeof shape === 'string') return faultInNamed(at, node, shape);
  if (Array.isArray(shape)) {
    const faults = shape.map((choice) => faultIn(at, node, choice));
    return faults.includes(undefined) ? undefined : faults.at(-1);
  }
  return faultInMembers(at, node, shape);
}

function faultInNamed(at, node, name) {
  switch (name) {
    case 'any':
      return undefined;
    case 'null':
      return node.raw === 'null' ? undefined : `${at} is no null`;
    case 'string': {
      const isNotation = node.members?.[0]?.[0].startsWith('"$');
      return node.raw?.startsWith('"') || isNotation ? undefined : `${at} is no string`;
    }
    default:
      if (SHAPES.names[name] === undefined) return `no shape ${name}`;
      return faultIn(at, node, SHAPES.names[name]);
  }
}

function faultInMembers(at, node, shape) {
  if (shape.$each !== undefined) {
    if (node.elements === undefined) return `${at} is not a list`;
    return firstFault(node.elements.map((element, index) => [`${at}[${index}]`, element, shape.$each]));
  }
  if (node.members === undefined) return `${at} is no object`;
  const members = node.members.map(([key, value]) => [JSON.parse(key), value]);
  const shapeOf = (key) => shape.$values ?? shape[key] ?? shape[`?${key}`];
  const unknown = members.find(([key]) => shapeOf(key) === undefined);
  if (unknown !== undefined) return `${at} has an unknown member ${JSON.stringify(unknown[0])}`;
  const missing = Object.keys(shape).find((key) => !/^[?$]/.test(key) && !members.some(([name]) => name === key));
  if (missing !== undefined) return `${at} has no ${missing}`;
  return firstFault(members.map(([key, value]) => [`${at}.${key}`, value, shapeOf(key)]));
}

function firstFault(checks) {
  for (const [at, node, shape] of checks) {
    const fault = faultIn(at, node, shape);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
