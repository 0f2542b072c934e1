// Which knobs of a policy have an effect, as far as it does not already show in the threshold at which the context is full.

import type { Policy } from '../generated/policy.js';
import type { KnobPath } from '../policy-options.js';

/** Whether something holds under a policy. */
type Test = (policy: Policy) => boolean;

/** Sentences by the knobs, or the groups of knobs, that they are about. */
export interface Sentences {
  readonly [knob: string]: string;
}

const prunes: Test = ({ prune }) => prune.enabled;
const summarizes: Test = ({ retain }) => retain.enabled;
/** Whether messages stay word for word behind a summary. */
const keeps: Test = ({ retain }) => retain.enabled && retain.cut !== 'at_end';
const always: Test = () => true;
/** The effect of a knob if it is above 0. */
const above0 = (knob: KnobPath, also = always): [KnobPath, Test] => [knob, (policy) => Number(valueIn(policy, knob)) > 0 && also(policy)];
/** The effect of a switch if it is on. */
const isOn = (knob: KnobPath, also = always): [KnobPath, Test] => [knob, (policy) => valueIn(policy, knob) === true && also(policy)];

const EFFECTS: Map<KnobPath, Test> = new Map<KnobPath, Test>([
  ['estimator.unit', always],
  ['estimator.perToken', always],
  ['estimator.rounding', always],
  ['estimator.rounded', always],
  above0('estimator.separator'),
  ['estimator.calls', always],
  ['estimator.image', always],
  isOn('estimator.nativeNotation'),
  isOn('estimator.calibrate'),
  ['prune.enabled', prunes],
  above0('prune.protect', prunes),
  above0('prune.minimum', prunes),
  ['prune.minimumIs', (policy) => prunes(policy) && policy.prune.minimum > 0],
  above0('prune.minimumContext', prunes),
  ['prune.onlyWhenFull', prunes],
  above0('prune.coldAfter', prunes),
  // A prune of a full context does not wait.
  above0('prune.breaksAtMost', (policy) => prunes(policy) && !policy.prune.onlyWhenFull),
  above0('prune.downTo', prunes),
  above0('prune.preview', prunes),
  above0('prune.keepOutputs', prunes),
  above0('prune.minimumTurns', prunes),
  above0('prune.protectedTurns', prunes),
  ['prune.countSyntheticTurns', (policy) => prunes(policy) && (policy.prune.minimumTurns > 0 || policy.prune.protectedTurns > 0)],
  ['prune.protectedTools', (policy) => prunes(policy) && policy.prune.protectedTools.length > 0],
  ['prune.errors', prunes],
  ['prune.shortOutputs', prunes],
  isOn('prune.stopAtSummary', prunes),
  isOn('prune.stopAtPruned', prunes),
  isOn('prune.repeated', prunes),
  isOn('prune.superseded', prunes),
  ['prune.thinking', (policy) => prunes(policy) && policy.prune.thinking !== null],
  above0('prune.arguments', prunes),
  ['prune.images', (policy) => prunes(policy) && policy.prune.images !== null],
  above0('prune.excerpt', prunes),
  above0('prune.names', prunes),
  ['prune.placeholder', prunes],
  isOn('prune.reference', prunes),
  ['retain.enabled', summarizes],
  above0('retain.keep', keeps),
  ['retain.keepShare', (policy) => keeps(policy) && policy.retain.keepShare !== null],
  above0('retain.keepFloor', (policy) => keeps(policy) && policy.retain.keepShare !== null),
  ['retain.fill', keeps],
  above0('retain.turns', keeps),
  ['retain.snap', keeps],
  ['retain.cut', summarizes],
  ['retain.summarizeAllThatFits', keeps],
  isOn('retain.forcedKeepsNothing', keeps),
  above0('retain.summaryAllowance', summarizes),
  above0('retain.userWords', summarizes),
  above0('retain.names', summarizes),
  ['trigger.measure', always],
  ['trigger.fires', always],
]);

/** The knobs that have an effect under a policy. What makes up the threshold is not among them: it is said by the threshold. */
export function effectiveKnobs(policy: Policy): KnobPath[] {
  return [...EFFECTS].filter(([, hasEffect]) => hasEffect(policy)).map(([knob]) => knob);
}

/** Why a provider cannot be told how the context is measured: the same for all of them. */
export const MEASURED: Sentences = {
  estimator: 'The provider counts tokens with its own tokenizer.',
  'trigger.measure': 'The provider goes by the size of the request that it gets.',
  'trigger.fires': 'The provider does not say whether a context of exactly the threshold is compacted.',
};

/** The sentence for a knob: its own, or that of its group. */
export function sentenceFor(sentences: Sentences, knob: KnobPath): string | undefined {
  return sentences[knob] ?? sentences[knob.slice(0, knob.indexOf('.'))];
}

function valueIn(policy: Policy, path: KnobPath): unknown {
  const [group = '', knob = ''] = path.split('.');
  return Reflect.get(Reflect.get(policy, group), knob);
}
