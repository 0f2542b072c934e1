//! What must be true of every text, however damaged.

use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::OnceLock;

use ebbline::edit::{Edit, apply};
use ebbline::json::{Document, Kind, Value};
use ebbline::summary::SummaryOptions;
use ebbline::transcript::PartKind;
use ebbline::{EditOptions, Error, Format, PlanOptions, Policy, ReadOptions, SessionText, profiles};
use peak_alloc::PeakAlloc;

/// The limit of the peak memory of reading, in lengths of the text, without the text.
pub const MOST_MEMORY: usize = 10;

/// Memory that reading may use in addition, however short the text: tables are allocated in pieces.
pub const FREE_MEMORY: usize = 64 * 1024;

/// Facts about one text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Whether it was read as a session.
    pub is_session: bool,
    /// The peak memory of reading it beyond [`FREE_MEMORY`], in lengths of the text.
    pub memory: f64,
}

/// What is checked with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The parser that keeps spans.
    Parse,
    /// Reading, planning and writing as one format.
    Format(Format),
    /// Reading as every format.
    All,
}

impl Target {
    /// Every target: the parser, each format with a reader, and all of them with the same text.
    pub fn every() -> Vec<Self> {
        let formats = Format::ALL.iter().copied().map(Self::Format);
        [Self::Parse].into_iter().chain(formats).chain([Self::All]).collect()
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Format(format) => format.name(),
            Self::All => "every_format",
        }
    }

    /// Checks what must be true of `text`.
    pub fn check(self, text: &str) -> Result<Seen, String> {
        match self {
            Self::Parse => {
                parse(text)?;
                Ok(Seen::default())
            }
            Self::Format(format) => {
                detection(text)?;
                let seen = reading(text, Some(format))?;
                let found = reading(text, None)?;
                Ok(if found.memory > seen.memory { found } else { seen })
            }
            Self::All => {
                let mut most = Seen::default();
                for format in Format::ALL.iter().copied() {
                    let seen =
                        reading(text, Some(format)).map_err(|why| format!("{}: {why}", format.name()))?;
                    most.memory = most.memory.max(seen.memory);
                    most.is_session |= seen.is_session;
                }
                Ok(most)
            }
        }
    }
}

fn holds(holds: bool, what: &str, details: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{what}: {}", details())) }
}

/// The parser agrees with another one about what is JSON, and the span of every value is correct.
fn parse(text: &str) -> Result<(), String> {
    let without_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let theirs = serde_json::from_str::<serde::de::IgnoredAny>(without_mark);
    match Document::parse(text) {
        Ok(document) => {
            let root = document.root();
            let outside = [text.get(..root.span().start), text.get(root.span().end..)];
            let is_blank = |text: &str| text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty();
            holds(outside.iter().flatten().all(|text| is_blank(text)), "text beside the root", || {
                format!("{:?}", root.span())
            })?;
            let depth = tree(root)?;
            holds(theirs.is_ok() || depth > 100, "serde_json refuses it", || format!("{theirs:?}"))
        }
        Err(error) => {
            place(text, &error)?;
            let refused = theirs.is_err() || error.code() == "too_deep";
            holds(refused, "serde_json takes it", || error.to_string())
        }
    }
}

/// Checks the spans of a value and everything in it; returns its depth.
fn tree(value: Value<'_>) -> Result<usize, String> {
    let source = value.source();
    let is_like = match value.kind() {
        Kind::Null => source == "null",
        Kind::True => source == "true",
        Kind::False => source == "false",
        Kind::Number => source.starts_with(|first: char| first == '-' || first.is_ascii_digit()),
        Kind::Plain => source.starts_with('"') && source.ends_with('"') && !source.contains('\\'),
        Kind::Escaped => source.starts_with('"') && source.ends_with('"') && source.contains('\\'),
        Kind::Array => source.starts_with('[') && source.ends_with(']'),
        Kind::Object => source.starts_with('{') && source.ends_with('}'),
    };
    holds(is_like, "a span of another kind", || format!("{:?} {source:.60}", value.kind()))?;
    if let Some(text) = value.text() {
        let (length, decoded) = (text.length(), text.decode());
        holds(length.utf16 as usize == decoded.encode_utf16().count(), "a length in UTF-16", || {
            format!("{length:?} {source:.60}")
        })?;
        holds(length.bytes as usize == decoded.len(), "a length in bytes", || format!("{source:.60}"))?;
    }
    if source.len() < 400 {
        let again = Document::parse(source).map_err(|error| format!("a span that is no JSON: {error}"))?;
        holds(again.root().kind() == value.kind(), "a span that reads otherwise", || source.to_owned())?;
    }
    let inside = value.span().start + 1..value.span().end.saturating_sub(1);
    let mut parts: Vec<Range<usize>> = value.elements().map(|element| element.span()).collect();
    parts.extend(value.members().flat_map(|(key, member)| [key.span(), member.span()]));
    if matches!(value.kind(), Kind::Array | Kind::Object) {
        let mut at = inside.start;
        for part in parts.iter().chain([&(inside.end..inside.end)]) {
            let between = part.start.checked_sub(at).and_then(|length| {
                let from = at - value.span().start;
                source.get(from..from + length)
            });
            let is_separator = |text: &str| {
                text.trim_matches([' ', '\t', '\r', '\n']).chars().all(|mark| ",:".contains(mark))
            };
            holds(between.is_some_and(is_separator), "something between the values", || {
                format!("at {at}: {between:?}")
            })?;
            at = part.end;
        }
    }
    let mut depth = 0;
    for inner in value.elements().chain(value.members().flat_map(|(_, member)| [member])) {
        depth = depth.max(tree(inner)?);
    }
    Ok(depth + 1)
}

/// An error's place is in the text, and its line is the line of the byte.
fn place(text: &str, error: &Error) -> Result<(), String> {
    let Some(place) = error.place() else { return Err(format!("an error without a place: {error}")) };
    let before = text.get(..place.byte);
    let line = before.map(|before| 1 + before.matches('\n').count());
    holds(line == Some(place.line), "an error's place", || format!("{error}, {line:?}"))
}

/// The detected format is the one that is read.
fn detection(text: &str) -> Result<(), String> {
    let found = ebbline::format::detect(text);
    let read = SessionText::read(text);
    match (found, read) {
        (Err(error), Err(_)) => place(text, &error),
        (Ok(found), Ok(session)) => holds(found.format == session.format(), "another format is read", || {
            format!("{} and {}", found.format, session.format())
        }),
        (Ok(found), Err(error)) => {
            let named = ["no_messages", "unsupported_format", "invalid_message"].contains(&error.code());
            holds(named, "found and not read", || format!("{}: {error}", found.format))
        }
        (Err(error), Ok(_)) => Err(format!("read and not found: {error}")),
    }
}

/// Reading, planning and writing.
fn reading(text: &str, format: Option<Format>) -> Result<Seen, String> {
    let policies = POLICIES.get_or_init(Policies::new);
    let options = ReadOptions::new().format(format);
    let before = PeakAlloc.current_usage();
    PeakAlloc.reset_peak_usage();
    let session = SessionText::read_with(text, &options);
    let peak = PeakAlloc.peak_usage().saturating_sub(before).saturating_sub(FREE_MEMORY);
    let memory = peak as f64 / text.len().max(1) as f64;
    holds(peak <= MOST_MEMORY * text.len(), "memory", || format!("{peak} bytes for {}", text.len()))?;
    let session = match session {
        Ok(session) => session,
        Err(error) => {
            place(text, &error)?;
            return Ok(Seen { is_session: false, memory });
        }
    };
    for problem in session.problems() {
        place(text, problem)?;
    }
    for index in 0..session.transcript().messages().len() {
        holds(text.get(session.span(index)).is_some(), "a message outside the text", || {
            format!("{:?}", session.span(index))
        })?;
    }
    for part in 0..session.transcript().parts().len() {
        let _ = session.text_of(part);
    }
    let (_, _) = (session.counts(), session.validate());
    nothing(&session, text, &policies.idle)?;
    pruned(&session, text, &policies.pruning)?;
    pruned(&session, text, &policies.cutting)?;
    summarized(&session, text, &policies.summarizing)?;
    Ok(Seen { is_session: true, memory })
}

static POLICIES: OnceLock<Policies> = OnceLock::new();

/// A plan for each thing that can be done.
struct Policies {
    idle: Policy,
    pruning: Policy,
    cutting: Policy,
    summarizing: Policy,
}

impl Policies {
    fn new() -> Self {
        let policy = |prune, retain| {
            let mut policy = profiles::get(profiles::DEFAULT).unwrap_or_else(|error| panic!("{error}"));
            (policy.prune.enabled, policy.retain.enabled) = (prune, retain);
            policy
        };
        let mut pruning = policy(true, false);
        (pruning.prune.protect, pruning.prune.minimum) = (0, 0);
        (pruning.prune.protected_turns, pruning.prune.minimum_turns) = (0, 0);
        // The window is not known here, so it is never full.
        (pruning.prune.only_when_full, pruning.prune.preview) = (false, 0);
        let mut cutting = policy(true, false);
        (cutting.prune.preview, cutting.model.context) = (60, NonZeroU64::new(1));
        cutting.shares.clear();
        let mut summarizing = policy(false, true);
        (summarizing.retain.keep, summarizing.model.context, summarizing.trigger.reserve) =
            (60, NonZeroU64::new(1), 0);
        Self { idle: policy(false, false), pruning, cutting, summarizing }
    }
}

/// A plan that changes nothing gives the same bytes.
fn nothing(session: &SessionText, text: &str, policy: &Policy) -> Result<(), String> {
    let plan = session.plan(policy);
    let same =
        session.compact(&plan, &EditOptions::default()).map_err(|error| format!("an empty plan: {error}"))?;
    holds(same == text, "an empty plan changes bytes", String::new)
}

/// Pruned outputs are read as pruned, those that are cut as shorter ones, and nothing else has changed.
fn pruned(session: &SessionText, text: &str, policy: &Policy) -> Result<(), String> {
    let plan = session.plan(policy);
    for free_bytes in [true, false] {
        let options = EditOptions::new().now(1_795_300_000_000).free_bytes(free_bytes);
        let edits = session.edits(&plan, &options).map_err(|error| format!("pruning: {error}"))?;
        let Some(again) = written(session, text, &edits, "pruning")? else { return Ok(()) };
        let next = again.plan(policy);
        let (measured, planned) = (next.decision.tokens_before, plan.decision.tokens_after);
        let describes = ebbline::binding::describes(policy);
        let mut parts = plan.messages.iter().flat_map(|message| &message.parts);
        // What a placeholder describes may be shorter than a plan assumes.
        let is_cut = parts.any(|part| part.preview.is_some() || describes && part.is_pruned());
        let is_counted = measured == planned || is_cut && measured < planned || has_loose_media(session);
        holds(is_counted, "tokens after pruning", || {
            format!("{}, planned {}", next.decision.tokens_before, plan.decision.tokens_after)
        })?;
        holds(!next.decision.prune.applied, "it prunes again", || {
            format!("{} outputs", next.decision.prune.outputs)
        })?;
        let twice = again.compact(&next, &options).map_err(|error| format!("pruning again: {error}"))?;
        holds(free_bytes || twice == again.text().as_str(), "pruning again changes bytes", String::new)?;
    }
    Ok(())
}

/// Whether an image or file is in a message with a result without an id. Nothing says whether it belongs to the
/// result, so a plan counts it as kept.
fn has_loose_media(session: &SessionText) -> bool {
    let transcript = session.transcript();
    (0..transcript.messages().len()).any(|message| {
        let loose = |kinds: &[PartKind]| {
            transcript.parts_of(message).iter().any(|part| part.call.is_none() && kinds.contains(&part.kind))
        };
        loose(&[PartKind::ToolResult]) && loose(&[PartKind::Image, PartKind::File])
    })
}

/// A summary can be requested and recorded, and what could not be read is still there.
fn summarized(session: &SessionText, text: &str, policy: &Policy) -> Result<(), String> {
    let plan = session.plan_with(policy, PlanOptions::new().force(true));
    let _ = session.summary_request(&plan, &SummaryOptions::default());
    let options = EditOptions::new().summary("## Goal\nWhat \"happened\" so far.").now(1_795_300_000_000);
    match session.edits(&plan, &options) {
        Ok(edits) => written(session, text, &edits, "a summary").map(|_| ()),
        Err(error) if error.code() == "no_place_for_summary" => Ok(()),
        Err(error) => Err(format!("a summary: {error}")),
    }
}

fn has_lost_its_beginning(session: &SessionText) -> bool {
    let first = (0..session.transcript().messages().len()).map(|index| session.span(index).start).min();
    let problem = session.problems().first().and_then(Error::place);
    problem.zip(first).is_some_and(|(problem, first)| problem.byte < first)
}

/// The text with `edits` applied, read again.
fn written(
    session: &SessionText,
    text: &str,
    edits: &[Edit],
    what: &str,
) -> Result<Option<SessionText<'static>>, String> {
    let written = apply(text, edits).map_err(|error| format!("{what}, edits that do not fit: {error}"))?;
    let options = ReadOptions::new().format(session.format());
    let again = match SessionText::read_with(written.clone(), &options) {
        Ok(again) => again,
        // A mixture of two formats may look like the other one after the first one's messages are summarized.
        Err(error) if error.code() == "wrong_format" => return Ok(None),
        // A log without its beginning is recognized by its other lines, which must be numerous enough.
        Err(_) if has_lost_its_beginning(session) => return Ok(None),
        Err(error) => return Err(format!("{what}, the result cannot be read: {error}")),
    };
    let is_document = Document::parse(text).is_ok();
    holds(!is_document || Document::parse(&written).is_ok(), "the result is no JSON", || what.to_owned())?;
    // The line continues after a value that is not an object.
    let is_rest = |problem: &&Error| problem.code() != "invalid_message";
    for problem in session.problems().iter().filter(is_rest).take(20) {
        // The unreadable part extends at least from where it was noticed to the end of the line.
        let byte = problem.place().map_or(0, |place| place.byte);
        let bad = text.get(byte..).unwrap_or_default().lines().next().unwrap_or_default();
        holds(written.contains(bad), "a bad line is lost", || format!("{what}: {bad:.80}"))?;
    }
    Ok(Some(again))
}
