"""Written by `cargo xtask gen` from the engine's definitions. Change those, not this file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._knobs import RuleName, UsageFrom, VerdictReason

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class PartLength(TypedDict):
    """The length of a text, in every unit in which an estimator may measure it."""

    utf16: int
    """UTF-16 code units."""
    codePoints: int
    """Unicode code points."""
    bytes: int
    """Bytes of UTF-8."""
    classed: int
    """64ths of a token, estimated by the kinds of characters."""
    classedJson: int
    """The same; of a value, those of the JSON that is sent."""


class PartReport(TypedDict):
    """A part with its tool by name instead of by index."""

    kind: Literal["text", "thinking", "tool_call", "tool_result", "image", "file", "summary", "other"]
    """What the part is."""
    output: Literal["ordinary", "error", "pruned", "sealed", "fixed_error", "placeholder", "failed_placeholder"]
    """For a tool result: what may be done with it."""
    pieces: int
    """The number of texts that the part is made of. Estimators that join texts with a separator need it."""
    length: PartLength
    """The length of what is sent. For a tool call, this is the length of its arguments as compact JSON."""
    native: NotRequired[int]
    """The length in the notation of the format's own system, where that system measures another text than the one it sends. TunaCode measures the Python ``repr`` of a result that is not a string (in code points). pi measures what ``JSON.stringify`` writes for a call's arguments, and Gemini CLI what it writes for a response (both in UTF-16 units). No notation of a value is empty."""
    call: NotRequired[int]
    """The call that the part makes or answers, or that an image belongs to. Parts with the same index belong to the same call."""
    signed: bool
    """Whether the part carries a signature or encrypted content that the provider verifies. Such a part must be sent back unchanged and in its place."""
    toolName: NotRequired[str]
    """The tool's name."""


class MessageReport(TypedDict):
    """A message with its place and its parts."""

    role: Literal["system", "user", "assistant", "tool", "other"]
    """Who speaks."""
    turn: Literal["no", "person", "synthetic", "context"]
    """Whether it begins a turn."""
    ended: bool
    """Whether the model ended its answer with this message: by a stop reason, or by text without a call."""
    summary: bool
    """Whether it is a summary of what came before."""
    active: bool
    """Whether the agent would send the message now. A message before a recorded compaction, or on another branch of a session tree, is not active: it stays in the file, and no decision takes it into account."""
    continues: bool
    """Whether the message continues the answer of the message before it. Some formats (OpenAI Responses, Codex, Claude Code) keep one answer of the model in several entries; nothing may come between these."""
    pinned: NotRequired[bool]
    """Whether the agent sends the message even when a summary replaces its surroundings. OpenHands 0, for example, puts the user's first message back."""
    hasPruneField: NotRequired[bool]
    """Whether the format has a field that marks an output of this message as pruned. If it has, the plain placeholder is sent for the output. If not, the placeholder may carry a reference, by which it is recognized later."""
    kept: NotRequired[int]
    """For a summary: how many of the messages behind it existed already when it was written. Missing when nothing says so."""
    usage: NotRequired[int]
    """The tokens that the provider reported for the request and this answer together. Missing when it reported none, or when a later compaction has replaced the context that the figure describes."""
    bytes: NotRequired[list[int]]
    """Its place in the text, in bytes; only for text."""
    parts: list[PartReport]
    """Its parts, in their order."""


class Entry(TypedDict):
    """One entry of a session tree as pi sees it after migrating the file to its version 3."""

    type: str
    """``session``, ``message``, ``compaction``, …"""
    version: NotRequired[str]
    """For the header: the version after migration."""
    id: NotRequired[str]
    """The entry's id; entries of version 1 get one from their line."""
    parentId: str | None
    """The id of the entry before it on its branch."""
    role: NotRequired[str]
    """The role of a message entry; ``hookMessage`` of version 2 reads ``custom``."""
    firstKeptEntryId: NotRequired[str]
    """For a compaction: the first entry that it keeps."""
    message: NotRequired[int]
    """The message of the transcript made from the entry."""
    onBranch: bool
    """Whether the entry is on the branch that ends in the newest entry."""


class Problem(TypedDict):
    """A piece of the source that could not be read."""

    code: Literal["empty", "not_utf8", "not_json", "torn_line", "too_deep", "too_large", "no_messages", "wrong_format", "unsupported_format", "unknown_format", "invalid_message", "unknown_profile", "invalid_policy", "invalid_option", "invalid_settings", "mismatch", "no_place_for_summary", "budget_too_small", "empty_summary", "truncated_summary", "larger_summary"]
    """The error's code."""
    message: str
    """What is wrong, in words."""
    line: NotRequired[int]
    """The line, counted from 1."""
    byte: NotRequired[int]
    """The byte, counted from 0."""


class Marker(TypedDict):
    """What the file records of its own agent's compactions."""

    kind: Literal["compaction", "summary", "prune", "branch", "rewind"]
    """What it records."""
    name: str
    """The format's own word for it, for example ``compact_boundary``."""
    bytes: list[int]
    """Its place in the text, in bytes."""


class Counts(TypedDict):
    """Numbers of messages, calls and results, counted while reading."""

    messages: int
    """Messages in the file, active or not. Markers are not counted, nor are system prompts outside the list of messages."""
    inactive: int
    """Messages that the agent would not send now. Notices, which the agent never sends, are not counted."""
    calls: int
    """Tool calls."""
    results: int
    """Tool results."""
    resultChars: int
    """Total length of all tool results, in Unicode code points."""
    alreadyPruned: int
    """Tool results that were pruned before."""
    callsWithoutResult: int
    """Calls whose id no result answers."""
    pairedByPlace: int
    """How many of the calls without a result by id do have one: the session has no ids for them, so name and order pair them with their results."""
    resultsWithoutCall: int
    """Results whose call is missing. In formats that pair by order alone, a result may name no call; such results are not counted."""
    images: int
    """Images."""


class ReadReport(TypedDict):
    """A description of a session or a transcript, for people and for other languages."""

    format: NotRequired[str]
    """The format's name."""
    title: NotRequired[str]
    """The format's name for people."""
    evidence: NotRequired[str]
    """What shows that the session has it, in words."""
    reportedInput: NotRequired[Literal["includes_cache", "excludes_cache", "either"]]
    """What the reported input tokens of an answer cover: the whole request, only the part that did not come from the provider's cache, or one of the two, depending on the agent's version. Missing for formats that report nothing."""
    counts: Counts
    """How many there are of what."""
    markers: NotRequired[list[Marker]]
    """Where the file records that its agent compacted, pruned or rewound the session; only for text."""
    problems: list[Problem]
    """What could not be read; its bytes stay in every output."""
    entries: NotRequired[list[Entry]]
    """The entries of a session tree (pi); only for text."""
    messages: list[MessageReport]
    """Every message with its parts."""


class PendingCall(TypedDict):
    """A call at the end of a session that has no result yet."""

    message: int
    """The message that makes the call, by its index in the session."""
    part: int
    """The call, by its index in the message."""
    id: NotRequired[str]
    """The call's id, if the session has one and the transcript was read from text."""
    tool: NotRequired[str]
    """The tool's name."""
    text: str
    """What a late result would cause, as a sentence."""
    line: NotRequired[int]
    """The line on which the message begins, counted from 1; only for text."""
    byte: NotRequired[int]
    """The byte at which the message begins, counted from 0; only for text."""


class Violation(TypedDict):
    """One place at which a message list breaks a rule."""

    message: int
    """The message, by its index in the session; 0 for an empty list."""
    part: NotRequired[int]
    """The part, by its index in the message; missing if the message as a whole breaks the rule."""
    rule: RuleName
    """The rule that is broken."""
    text: str
    """What is wrong, as a sentence."""
    line: NotRequired[int]
    """The line on which the message begins, counted from 1; only for text."""
    byte: NotRequired[int]
    """The byte at which the message begins, counted from 0; only for text."""


class LossFinding(TypedDict):
    """One loss."""

    kind: Literal["lost_order", "lost_goal", "re_reference", "re_read", "decision"]
    """What was lost."""
    message: int
    """The message that it was in."""
    part: int
    """The part that it was in, as an index of the transcript's parts."""
    at: int
    """The message whose request was the first without it."""
    words: list[str]
    """The identifiers, the order, or the sentence."""
    usedIn: int | None
    """The message in which the assistant uses it later."""
    weight: int
    """How many identifiers are concerned."""


class Utilization(TypedDict):
    """How full the context window was."""

    peak: float
    """The largest size as a share of the window."""
    mean: float
    """The mean size as a share of the window."""


class Thrash(TypedDict):
    """Compactions that come too soon, and work that is undone."""

    close: int
    """Compactions that come soon after the one before."""
    departedAgain: int
    """Outputs that left again after they had been read again."""
    index: float | None
    """Close compactions as a share of all but the first, 0 to 1; ``None`` with fewer than two."""


class WordsKept(TypedDict):
    """At how many compactions the user's words were in the context afterwards, word for word."""

    compactions: int
    """Compactions with a message of the user before them."""
    goalKept: int
    """How many of them kept the first message."""
    lastKept: int
    """How many of them kept the newest message."""


class DecisionLoss(TypedDict):
    """What became of decisions."""

    departed: int
    """Sentences that left, state a decision, and name an identifier."""
    neverReturn: int
    """How many of them name only what never appears again, in no summary either."""


class OrderLoss(TypedDict):
    """What became of standing orders."""

    given: int
    """Orders that the user gave."""
    superseded: int
    """How many of them a later order superseded."""
    repeated: int
    """Orders that left while they were in force, and that a summary repeats word for word."""
    paraphrased: int
    """The same, of which a line of a summary has nearly all words."""
    lost: int | None
    """The same, of which nothing is left; ``None`` if the text of a summary is unknown."""


class CoverageShare(TypedDict):
    """How much of a class is still there."""

    departed: int
    """Different identifiers that were summarized."""
    kept: int
    """How many of them a summary or the rest of the context contains."""


class Coverage(TypedDict):
    """Coverage by class. Files, numbers and names are counted apart in outputs, where most are noise."""

    files: CoverageShare
    """Files that the user, the assistant or a call's arguments name."""
    commands: CoverageShare
    """Commands that the assistant ran."""
    errors: CoverageShare
    """Error codes and error messages, wherever they are."""
    numbers: CoverageShare
    """Numbers that the user, the assistant or a call's arguments name."""
    names: CoverageShare
    """Names in code and hashes that the user, the assistant or a call's arguments name."""
    inOutputs: CoverageShare
    """Files, numbers and names that only outputs name."""


class ReReads(TypedDict):
    """Calls that repeat the call of an output that left."""

    outputs: int
    """Outputs that left and whose call is known."""
    exact: int
    """How many of these calls are made again, with the same tool and the same arguments."""


class References(TypedDict):
    """Outputs that left and whose identifiers the assistant uses later."""

    withUnique: int
    """Outputs that left with identifiers that nothing else in the context contains."""
    reReferenced: int
    """How many of them are re-referenced."""
    pruned: int
    """How many of the re-referenced outputs were pruned; a summary stood for the others."""
    per100Requests: float | None
    """Re-referenced outputs for each 100 requests; ``None`` without requests."""
    rate: float | None
    """Share of the outputs that left which are re-referenced, 0 to 1; ``None`` if none left."""


class Loss(TypedDict):
    """What the compactions of a session lost."""

    requests: int
    """Requests that the session made: answers of the model."""
    compactions: int
    """Moments at which something left."""
    departedParts: int
    """Parts that left."""
    departedOutputs: int
    """Outputs that left."""
    withoutText: int
    """Parts that left and whose text the file does not contain: nothing is measured of them."""
    references: References
    """Outputs that are needed again."""
    reReads: ReReads
    """Calls that are made again."""
    coverage: Coverage | None
    """What summaries and the rest of the context still contain of what was summarized; ``None`` if nothing was summarized, or if the text of a summary is unknown."""
    orders: OrderLoss
    """What the user ordered."""
    decisions: DecisionLoss
    """Decisions of the assistant that left."""
    words: WordsKept
    """The user's own words at the moments of compaction."""
    thrash: Thrash
    """Compactions that undo each other."""
    utilization: Utilization | None
    """How full the context was; ``None`` without sizes or without a window."""
    worst: list[LossFinding]
    """The worst findings, worst first."""


class PointReport(TypedDict):
    """One point of a report."""

    profile: str
    """The name of the policy."""
    set: dict[str, Any]
    """The knobs that the grid turned, by their paths, with their values as they were given."""
    window: int | None
    """The context window, in tokens; ``None`` if it is not known."""
    threshold: int | None
    """The size from which the policy considers the context full; ``None`` if the window is not known."""
    requests: int
    """Answered requests."""
    prunes: int
    """Compactions that pruned outputs."""
    summaries: int
    """Compactions that made a summary."""
    outputs: int
    """Pruned outputs."""
    unfit: int
    """Requests that send more than the policy's threshold allows, because nothing more could be removed."""
    overWindow: int
    """Requests that are larger than the window; 0 if it is not known."""
    peak: int
    """The largest request, in tokens."""
    input: int
    """The input of all requests, in tokens."""
    cost: float
    """The cost, in fresh input tokens."""
    without: float
    """What the same sessions cost without any compaction."""
    departedOutputs: int
    """Outputs that left the context."""
    neededAgain: int
    """Outputs that left and that the assistant needs again."""
    neededAgainPruned: int
    """How many of them were pruned; a summary stood for the others."""
    readAgain: int
    """Calls that are made again after their output left."""
    decisionsGone: int
    """Decisions of the assistant that left, and of which nothing returns."""
    goalGone: int
    """Compactions after which the user's first message is not in the context word for word."""
    mean: int
    """The mean of all requests, in tokens."""
    ofNothing: float | None
    """The cost as a share of what the same sessions cost without any compaction; ``None`` if that is nothing."""
    neededAgainPer100Requests: float | None
    """Outputs that are needed again, for each 100 requests; ``None`` without requests."""
    onFrontier: bool
    """Whether no other point beats it."""
    beatenBy: int | None
    """The cheapest point of the frontier that beats it, by its index; ``None`` on the frontier."""


class SweepReport(TypedDict):
    """A sweep as a report, for programs in other languages."""

    schema: Literal["ebbline.sweep/1"]
    """The name and version of this form."""
    sessions: int
    """How many sessions were added up."""
    points: list[PointReport]
    """The points, in the order of the grid."""


class CheckedRequest(TypedDict):
    """One request of a check, in tokens."""

    message: int
    """The message of the log that answers it."""
    input: int
    """All of its input, as reported."""
    predicted: int
    """The predicted read, from the reported size of the request before."""
    estimated: int
    """The predicted read, from estimated sizes."""
    reported: int
    """The reported read."""


class CacheCheck(TypedDict):
    """What the rules of a cache predict for a recorded session, beside what its provider reported."""

    requests: list[CheckedRequest]
    """Every request with a report that follows another, oldest first."""
    medianError: float
    """The median error of what is predicted from reported sizes, as a share of what was reported."""
    medianErrorEstimated: float
    """The same for what is predicted from estimated sizes."""
    predicted: int
    """All reads that are predicted from reported sizes, in tokens."""
    estimated: int
    """All reads that are predicted from estimated sizes, in tokens."""
    reported: int
    """All reads that were reported, in tokens."""
    missed: int
    """Requests for which reads are predicted and none was reported: an entry expired or was never kept."""
    unexpected: int
    """Requests for which no read is predicted and one was reported: an entry lived longer than the rules say."""
    overhead: int
    """What is sent beside the messages, in tokens, as the reported sizes show it."""
    ratio: float
    """How many reported tokens one estimated token is."""


class Charge(TypedDict):
    """What one request is charged for, in tokens."""

    fresh: int
    """Input that is neither read from the cache nor written to it."""
    cached: int
    """Input that is read from the cache."""
    written: int
    """Input that is written to the cache."""
    output: int
    """Output."""
    summaryInput: int
    """The input of the summary that was made before the request, all of it fresh."""
    summaryOutput: int
    """The output of that summary."""
    broken: int
    """Tokens that were in the cache at the request before and cannot be read any more, because what precedes them changed."""


class PolicyOutcome(TypedDict):
    """What a policy does over the life of a session, and what that costs."""

    profile: str
    """The name of the policy."""
    window: int | None
    """The model's context window, in tokens; ``None`` if it is not known."""
    threshold: int | None
    """The size from which the policy considers the context full; ``None`` if the window is not known."""
    requests: int
    """How many answered requests there are."""
    prunes: int
    """How many compactions pruned outputs. One that did may have made a summary as well."""
    summaries: int
    """How many compactions made a summary."""
    outputs: int
    """How many outputs were pruned in all."""
    unfit: int
    """How many answered requests send more than the policy's threshold allows, because nothing more could be removed."""
    overWindow: int | None
    """How many answered requests, with what is sent beside the messages, are larger than the window: a provider would have refused them. ``None`` if the window is not known."""
    peak: int
    """The largest request, in tokens, with what is sent beside the messages."""
    mean: int
    """The mean of all requests."""
    charge: Charge
    """What all requests are charged for."""
    cost: float
    """The cost, in fresh input tokens."""
    without: float
    """What the same life costs without any compaction, in fresh input tokens. Such a life may be impossible: its requests may be larger than the window."""
    ofNothing: float | None
    """``cost`` as a share of ``without``; ``None`` if that is nothing."""


class RetainReport(TypedDict):
    """What the retention window does, or would do."""

    applied: bool
    """Whether messages are summarized."""
    reason: VerdictReason
    """Why, or why not."""
    proposed: int | None
    """Where the system's own rule puts the boundary; ``null`` for nowhere."""
    boundary: int | None
    """The first message of the window, once no call is parted from its result, nor an unfinished run of calls from the signed thinking that it begins with; ``null`` for nowhere. Equal to the number of messages when nothing is kept."""
    splitTurn: int | None
    """The message with which the turn begins that the boundary divides; ``null`` when it divides none."""
    kept: int
    """Tokens from the boundary on."""
    summarized: int
    """Tokens before the boundary that are, or would be, summarized."""
    messages: int
    """How many messages those are."""


class Boundary(TypedDict):
    """The protection boundary: the newest output that is pruned, or would be but for another reason."""

    message: int
    """The message's index."""
    part: int
    """The part's index in the message."""
    by: Literal["protect", "keep_outputs", "protected_turns", "down_to", "unanswered"]
    """What decides that it is there."""


class PruneReport(TypedDict):
    """What pruning does, or would do."""

    applied: bool
    """Whether outputs are pruned."""
    reason: VerdictReason
    """Why, or why not."""
    boundary: Boundary | None
    """The output that crosses the protection boundary; ``null`` when all outputs are protected. Where protected outputs give way (``room_needed``), the newest of these."""
    counted: int
    """Tokens of tool output that were counted. Where protected outputs give way, these include the outputs in the newest turns that an answer has followed."""
    candidates: int
    """Tokens of output up to the boundary, compared with the minimum."""
    outputs: int
    """How many outputs are pruned, or would be but for the reason."""
    reclaimed: int
    """Tokens that the pruned outputs free. An output smaller than the placeholder frees 0 here; the plan's totals count what it adds."""


class TriggerReport(TypedDict):
    """How full the context is, and whether that is too full."""

    context: int
    """The context window, in tokens; 0 in JSON if it is not known."""
    threshold: int
    """The number of tokens at which summarizing fires."""
    tokens: int
    """The tokens that were compared with it: after pruning, if that is part of the plan."""
    source: Literal["estimate", "reported", "known", "nothing"]
    """What that figure rests on."""
    overhead: int | None
    """The tokens sent beside the messages: given by the caller, or learnt from reported usage; ``null`` when not known."""
    fires: bool
    """Whether summarizing fires."""


class Payback(TypedDict):
    """When a compaction has earned what it cost."""

    request: int
    """The request before which it was carried out."""
    cost: float
    """What it cost at once: the cache that it broke and the summary, in fresh input tokens."""
    saving: float
    """What each later request saves, in fresh input tokens."""
    coveredBy: int | None
    """The first request by which the savings cover the cost; ``None`` if there is none before the session ends or the next compaction."""


class Position(TypedDict):
    """A place in the session."""

    message: int
    """The message's index."""
    part: int
    """The part's index in the message."""


class ReplayCompaction(TypedDict):
    """One compaction of a report."""

    request: int
    """The request before which it was carried out."""
    pruned: list[Position]
    """The pruned outputs, with the images inside them, by message and part of the log."""
    summarized: list[int]
    """The messages of the log that the summary replaced."""
    summary: int
    """The tokens of the summary; 0 if none was made."""
    summaryInput: int
    """The tokens of what it was made from."""
    payback: Payback | None
    """When it has earned what it cost; ``None`` if no answered request follows."""
    verdict: Literal["noop", "refuse", "prune", "summarize", "prune_then_summarize"]
    """What is to be done."""
    reason: VerdictReason
    """Why."""
    tokensBefore: int
    """Estimated tokens of the active messages before."""
    tokensAfter: int
    """Estimated tokens after, the summary's allowance included."""
    fits: bool
    """Whether what is left stays below the threshold: ``false`` when the plan cannot make the context fit."""
    summaryAllowance: int
    """What ``tokensAfter`` allows for a summary that does not exist yet; 0 when none is to be made."""
    trigger: TriggerReport
    """When summarizing fires."""
    prune: PruneReport
    """The protection boundary."""
    retain: RetainReport
    """The retention window."""


class ReplayRequest(TypedDict):
    """One request of a report."""

    message: int | None
    """The message of the log that answers it; ``None`` for the next request."""
    at: int
    """The place in the history of the message that answers it. The request sends what precedes this place. The last request of a replay has no answer yet: its place is the length of the history."""
    tokens: int
    """The estimated tokens of the messages that it sends. What is sent beside them is not included."""
    unchanged: int
    """How many of these tokens stand unchanged at the beginning of both this request and the one before: what a cache of exact prefixes can hold."""
    output: int
    """The estimated tokens of the answer; 0 for a request without one."""
    compaction: int | None
    """The compaction that was carried out before it, by its index among all."""
    fits: bool
    """Whether what it sends stays below the threshold of the policy."""
    overWindow: bool
    """Whether what it sends, with what is sent beside the messages, is more than the context window: a provider refuses such a request. ``false`` if the window is not known."""
    charge: Charge | None
    """What it is charged for; ``None`` for the next request."""


class ReplayReport(TypedDict):
    """A replay and its bill."""

    schema: Literal["ebbline.replay/1"]
    """The name and version of this form."""
    profile: str
    """The name of the policy."""
    window: int | None
    """The model's context window, in tokens; ``None`` if it is not known."""
    threshold: int | None
    """The size from which the policy considers the context full; ``None`` if the window is not known."""
    messages: int
    """How many messages the life of the session has."""
    known: Literal["whole", "restored", "tail"]
    """How much of its life is known."""
    alreadyPruned: int
    """How many outputs were already pruned when the session was recorded."""
    overhead: int
    """The tokens that every request sends beside the messages."""
    usage: UsageFrom
    """Where reported usage came from."""
    requests: list[ReplayRequest]
    """Every request, oldest first. The last one is the next request of the session, and has no charge."""
    compactions: list[ReplayCompaction]
    """Every compaction, oldest first."""
    total: Charge
    """What all answered requests are charged for."""
    cost: float
    """The cost of all answered requests, in fresh input tokens."""
