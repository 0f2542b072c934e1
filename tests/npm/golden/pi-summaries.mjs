// pi: the requests for summaries, the results of their answers, and leaving a branch.

import { expand, member } from '../notation.mjs';
import { ebbline } from '../package.mjs';
import { equal, samePrompt, sameText, throws } from './compare.mjs';

const { EbblineError, compat } = ebbline;
const { pi } = compat;

/** The texts between the transcript and the instructions. */
const ENDS = ['</previous-summary>\n\n', '</conversation>\n\n', '\n\n# Instructions\n'];
const FOCUS = '\n\nAdditional focus: ';
const MASK = '(instruction)';

export function branch({ raw, input, expected, version }) {
  const entries = expand(member(raw, 'entries'));
  equal('how many results', input.runs.length, expected.results.length);
  input.runs.forEach((run, at) => {
    const ask = () => pi.branch(entries, { version, ...run });
    if (expected.results[at].throws) throws(ask);
    else equal(JSON.stringify(run), ask(), expected.results[at]);
  });
}

export function compact(given) {
  exchange(given, pi.compact);
}

export function branchSummary(given) {
  exchange(given, pi.branchSummary);
}

function exchange({ raw, input, expected, version }, ask) {
  const { entries: _, ...options } = input;
  let ours;
  try {
    ours = ask(expand(member(raw, 'entries')), { version, ...options });
  } catch (error) {
    if (error instanceof EbblineError && expected.result?.throws) return;
    throw error;
  }
  const isOurs = !(input.replaceInstructions && input.customInstructions);
  sameRequests(ours.requests, expected.requests, isOurs);
  if (expected.result?.throws) return equal('failure', ours.failure, expected.result.throws);
  if (typeof expected.result?.summary !== 'object') return equal('result', ours.result, expected.result);
  sameText('summary', ours.result.summary, expected.result.summary);
  equal('result', { ...ours.result, summary: '' }, { ...expected.result, summary: '' });
}

function sameRequests(ours, expected, isOurs) {
  equal('requests', ours.length, expected.length);
  expected.forEach((wanted, at) => {
    const request = ours[at];
    for (const key of ['maxTokens', 'reasoning', 'cacheRetention'].filter((name) => name in wanted)) {
      equal(key, request[key], wanted[key]);
    }
    if (typeof wanted.systemPrompt === 'string') samePrompt('system prompt', request.system, wanted.systemPrompt);
    equal(
      'roles',
      request.messages.map(({ role }) => role),
      wanted.messages.map(({ role }) => role),
    );
    wanted.messages.forEach((message, index) => {
      const { text } = request.messages[index];
      if (isOurs) sameInstructions(text, message);
      else sameText('prompt', text, message);
    });
  });
}

/**
 * Compares a prompt with instructions. The vectors mask the lines of the instructions, except for some that the end
 * of a digest's head or tail cuts off, and those of requests that update a summary.
 */
function sameInstructions(ours, expected) {
  if (expected.text !== undefined) return samePrompt('prompt', ours, masked(expected.text));
  const begins = masked(expected.head).split(MASK)[0];
  const focus = expected.tail.slice(expected.tail.lastIndexOf(FOCUS));
  equal('the beginning of the prompt', ours.slice(0, begins.length), begins);
  if (focus.startsWith(FOCUS) && !focus.includes(MASK)) equal('its end', ours.slice(-focus.length), focus);
}

/** Masks every line after the transcript that is neither a heading nor the user's focus. */
function masked(prompt) {
  const at = Math.max(...ENDS.map((end) => (prompt.includes(end) ? prompt.lastIndexOf(end) + end.length : -1)));
  if (at < 0) return prompt;
  const end = prompt.indexOf(FOCUS, at) < 0 ? prompt.length : prompt.lastIndexOf(FOCUS);
  const lines = prompt
    .slice(at, end)
    .split('\n')
    .map((line) => (line === '' || line.startsWith('#') ? line : MASK));
  return prompt.slice(0, at) + lines.join('\n') + prompt.slice(end);
}
