// Compiled, never run: what the types promise, and what they refuse.

import {
  EbblineError,
  Session,
  classifyError,
  compact,
  compat,
  createCompactor,
  detect,
  finishSummary,
  init,
  plan,
  policyFromSettings,
  profiles,
  read,
  repair,
  summaryRequest,
  sweep,
  validate,
  type Classification,
  type CompactOptions,
  type Decision,
  type ErrorCode,
  type Fate,
  type FormatName,
  type LiveFormatName,
  type ModelRequest,
  type Plan,
  type PlanOptions,
  type Policy,
  type Reason,
  type RuleName,
} from "ebbline";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_equal: Equal<A, B>): void {}

interface Message {
  role: "user" | "assistant";
  content: string;
}
declare const history: readonly Message[];
declare const bytes: Uint8Array;

same<ReturnType<typeof init>, Promise<void>>(true);
void init();
void init({ engine: new URL("https://example.com/ebbline.wasm"), files: true, compat: bytes });
// @ts-expect-error: the place of the engine has a name
void init(new URL("https://example.com/ebbline.wasm"));

// A plan, of whatever.
const planned: Plan = plan("text");
plan(bytes, { profile: "tunacode@0.2", knownTokens: 1, force: true, strict: true, format: "tunacode", conversation: 1 });
plan(history, { model: { context: 200_000 }, policy: { prune: { protect: 1, protectedTools: ["skill"] } } });
same<(typeof planned.messages)[0]["fate"], Fate>(true);
same<(typeof planned.messages)[0]["parts"][0]["reason"], Reason>(true);
same<NonNullable<typeof planned.prune.boundary>["part"], number>(true);

// The same kind comes out that went in.
same<string, ReturnType<typeof textOf>>(true);
function textOf() {
  return compact("text").text;
}
const { messages, plan: same_plan, applied, summaryNeeded } = compact(history, { summary: "so far", now: 0 });
same<typeof messages, Message[]>(true);
same<typeof same_plan, Plan>(true);
same<typeof applied, { pruned: number; summarized: number }>(true);
same<typeof summaryNeeded, boolean>(true);
const out: Uint8Array = compact(bytes).bytes;
void out;
// @ts-expect-error: of a text there are no messages
compact("text").messages;

// Knobs are known by their paths.
plan("", { set: { "prune.protect": 30_000, "retain.cut": "anywhere", "model.context": 1 } });
plan("", { set: { "prune.protectedTools": "skill, task", "retain.keep": "10%", "estimator.image": null } });
// @ts-expect-error: there is no such knob
plan("", { set: { "prune.protcet": 30_000 } });
// @ts-expect-error: a knob has a type
plan("", { set: { "prune.protect": true } });
// @ts-expect-error: a switch is no share of the window
plan("", { set: { "prune.enabled": "10%" } });
// @ts-expect-error: a choice is one of its words
plan("", { set: { "retain.cut": "somewhere" } });
// @ts-expect-error: there is no such group
plan("", { policy: { pruning: {} } });
// @ts-expect-error: a comparison is one of two words
plan("", { policy: { trigger: { fires: ">" } } });
// @ts-expect-error: there is no such option
plan("", { profil: "ebbline@1" });
// @ts-expect-error: a summary is for compact
plan("", { summary: "so far" });
// @ts-expect-error: a request is no session
plan({ messages: history });

const whole: Policy = profiles()[0]!.policy;
const options: CompactOptions = { policy: whole };
compact(history, options);

// A request for a summary, and what is made of the answer.
declare function model(request: ModelRequest): Promise<{ text: string; truncated: boolean }>;
export async function summarized() {
  const options = { profile: "ebbline@1", focus: "the tests", budgetTokens: 50_000 } as const;
  const requested = summaryRequest(history, options);
  // @ts-expect-error: there may be nothing to summarize
  requested.request;
  if (requested === undefined) return history;
  same<typeof requested.plan, Plan>(true);
  const summary: string = finishSummary(requested, await model(requested.request));
  finishSummary({ context: requested.context }, "## Goal");
  // @ts-expect-error: an answer has a text
  finishSummary(requested, {});
  return compact(history, { ...options, summary }).messages;
}
// @ts-expect-error: a focus is for a request
plan("", { focus: "the tests" });

same<ReturnType<typeof detect>["format"], FormatName>(true);
const { valid, violations } = validate(history, { also: ["last_role"], except: ["empty_text"], format: "openai_chat" });
same<typeof valid, boolean>(true);
same<(typeof violations)[0]["rule"], RuleName>(true);
same<(typeof violations)[0]["line"], number | undefined>(true);
// @ts-expect-error: there is no such rule
validate(history, { also: ["lastRole"] });
const mended = repair("", { format: "openai_chat" });
same<typeof mended.text, string>(true);
same<(typeof mended.done)[0]["rule"], RuleName>(true);
same<ReturnType<typeof repair>["bytes"], Uint8Array>(true);
// @ts-expect-error: live messages are not repaired
repair(history);
same<ReturnType<typeof read>["messages"][0]["turn"], "no" | "person" | "synthetic" | "context">(true);
read(history).entries?.map((entry) => entry.parentId);

try {
  plan("");
} catch (error) {
  if (error instanceof EbblineError) {
    same<typeof error.code, ErrorCode>(true);
    const place: number | undefined = error.line ?? error.byte;
    void place;
    // @ts-expect-error: there is no such code
    error.code === "oops";
  }
}

// Errors of any kind are classified.
const failure: Classification = classifyError(new Error("x"), { profile: "pi@1.5", contextWindow: 1, provider: "cerebras" });
same<typeof failure.kind, "context_overflow" | "payload_too_large" | "media_limit" | "rate_limit" | "other">(true);
same<string | undefined, NonNullable<typeof failure.evidence>["provider"]>(true);
// @ts-expect-error: there is no such option
classifyError("x", { window: 1 });

// A session keeps the type of its messages.
const session = new Session<Message>({ profile: "pi@1.5", verify: "all", countTokens: (text) => text.length });
same<number, ReturnType<typeof session.push>>(true);
session.push({ role: "user", content: "x" });
session.push(history);
session.sync(history);
session.truncate(1);
same<typeof session.messages, Message[]>(true);
same<typeof session.length, number>(true);
same<typeof session.format, LiveFormatName | undefined>(true);
const decision: Decision = session.check({ force: true, knownTokens: 1 });
same<typeof decision.verdict, Plan["verdict"]>(true);
same<typeof decision.prune.boundary, Plan["prune"]["boundary"]>(true);
same<ReturnType<typeof session.plan>, Plan>(true);
const next: Message[] = session.apply({ summary: "so far", now: 0, freeBytes: true }).messages;
void next;
const stored: Uint8Array = session.snapshot();
same<Session<Message>, ReturnType<typeof Session.restore<Message>>>(true);
Session.restore(stored);
Session.restore(stored, history, { countTokens: () => 1 }).free();
const anything: Session = new Session();
anything.push({ whatever: true });
// @ts-expect-error: a message is of another type
session.push({ role: "user" });
// @ts-expect-error: there are two ways to verify
new Session({ verify: "first" });
// @ts-expect-error: a session has its policy already
session.check({ profile: "pi@1.5" });
// @ts-expect-error: a decision is not to be changed
decision.verdict = "noop";
// @ts-expect-error: there are no messages in a decision
decision.messages;
// @ts-expect-error: the session says how long it is
session.length = 0;
// @ts-expect-error: a counter returns a number
plan(history, { countTokens: (text) => text });

// A compactor keeps the type of the messages, and its record is for it alone.
export async function prepared(text: string, other: Record<string, unknown>) {
  const compactor = createCompactor({ record: JSON.parse(text) });
  const view = await compactor.prepare(history);
  same<typeof view, Message[]>(true);
  same<Awaited<ReturnType<typeof compactor.compactNow<Message>>>, Message[]>(true);
  const { record } = compactor;
  createCompactor({ record });
  // @ts-expect-error: what a record holds is not told
  record.changes;
  // @ts-expect-error: no other data is a record
  createCompactor({ record: other });
  const requested = summaryRequest(history);
  compact(history, { summary: "so far", handle: requested?.handle });
  // @ts-expect-error: what a handle holds is not told
  requested?.handle?.fingerprint;
  // @ts-expect-error: a record is no handle
  compact(history, { handle: record });
  for (const held of [compactor, new Session<Message>()]) held[Symbol.dispose]();
}

// What may be left out may also be undefined, as a value is that was never set: `exactOptionalPropertyTypes` tells them apart.
declare const unset: undefined;
declare const maybe: { summary: string | undefined; context: number | undefined };
const nothing: PlanOptions = {
  profile: unset,
  policy: unset,
  model: unset,
  set: unset,
  format: unset,
  strict: unset,
  conversation: unset,
  force: unset,
  knownTokens: unset,
  countTokens: unset,
};
plan(history, {
  ...nothing,
  model: { context: maybe.context, output: unset, name: unset },
  policy: { prune: { protect: unset }, retain: unset },
});
compact(history, { ...nothing, summary: maybe.summary, now: unset, freeBytes: unset });
compact("text", { summary: maybe.summary });
summaryRequest(history, { focus: unset, budgetTokens: unset });
validate(history, { also: unset, except: unset });
classifyError("x", { profile: unset, provider: unset, contextWindow: unset, desiredMaxOutput: unset });
new Session<Message>({ ...nothing, verify: unset }).apply({
  summary: maybe.summary,
  force: unset,
  knownTokens: unset,
  now: unset,
  freeBytes: unset,
});
Session.restore(stored, history, { countTokens: unset });
policyFromSettings("pi@1.5", {}, { environment: unset, model: unset });
export const finished = (asked: NonNullable<ReturnType<typeof summaryRequest>>) => finishSummary(asked, { text: "x", truncated: unset });
sweep(["text", new Uint8Array()], { policy: unset, set: { "prune.protect": [1, "5%"] }, windows: unset, policies: unset }).points.map(
  ({ onFrontier, beatenBy, set }): [boolean, number | null, unknown] => [onFrontier, beatenBy, set["prune.protect"]],
);
// @ts-expect-error A value is not a list of values.
sweep([], { set: { "prune.protect": 1 } });
// @ts-expect-error Loss is measured by words, which live messages are passed without.
sweep([history], {});
compat.pi.cutPoint([], { version: unset, startIndex: unset, endIndex: unset, keepRecentTokens: unset });
compat.opencode.prune([], { version: unset, config: unset });
compat.tunacode.prune([], { version: unset, localMode: unset });
