import * as core from './core.js';
import { engineMemory } from './engine.js';

/** @type {Map<string, { format: string, title: string, supported: boolean, reportedInput?: string }> | undefined} */
let formats;

/** What the engine says about a format: its title, and whether it has a reader. */
export function formatNamed(name) {
  engineMemory();
  formats ??= new Map(JSON.parse(core.formats()).map((format) => [format.format, format]));
  return formats.get(name) ?? JSON.parse(core.formatNamed(name)); // the engine knows what to say of an unknown name
}

/** The titles of the formats that are read. */
export function supportedTitles() {
  formatNamed('pi');
  return [...formats.values()].filter((format) => format.supported).map((format) => format.title);
}

/** @type {string[] | undefined} */
let rules;

/** The names of the rules that a session can break. */
export function ruleNames() {
  engineMemory();
  rules ??= JSON.parse(core.ruleNames());
  return rules;
}

/** The profiles, the default first. */
export function profiles() {
  engineMemory();
  return JSON.parse(core.profiles());
}
