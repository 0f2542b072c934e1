import type { PolicyOptions } from './policy-options.js';

/** A boundary in front of the newest message, wherever the policy would put it. */
export const SUMMARIZES_ALL: PolicyOptions['set'] = {
  'prune.enabled': false,
  'prune.preview': 0,
  'trigger.measure': 'estimate',
  'retain.enabled': true,
  'retain.keep': 1,
  'retain.keepShare': null,
  'retain.keepFloor': 0,
  'retain.fill': 'at_least',
  'retain.turns': 0,
  'retain.snap': 'older',
  'retain.cut': 'anywhere',
  'retain.summarizeAllThatFits': false,
  'retain.forcedKeepsNothing': false,
  'retain.userWords': 0,
};
