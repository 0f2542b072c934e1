//! One open session, which answers requests about it. It lives in a worker, which takes a [`Request`] and returns an
//! [`Answer`].

use std::cell::OnceCell;

use ebbline::length::Length;
use ebbline::policy::Measure;
use ebbline::transcript::PartKind;
use ebbline::{Fate, Plan, PlanOptions, Policy, Transcript};

use crate::content::{Content, ExportRequest};
use crate::error_text::UserError;
use crate::explain::{ReasonContext, why};
use crate::export::{ExportKind, Exported};
use crate::kind::Kind;
use crate::number::counted;
use crate::planned::{Planned, Size};
use crate::readable::{self, Block};

/// How many characters of a message are shown unless the user asks for all of them.
const SHOWN: usize = 64 * 1024;
/// The maximum length of a row's preview, in characters.
const PREVIEW: usize = 160;
/// How many parts of a message are shown at once: a browser cannot lay out a message with a million parts.
pub const PARTS: usize = 200;

/// What the session's chip shows about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The file's name.
    pub name: String,
    /// The file's size in bytes.
    pub bytes: u64,
    /// The format's title.
    pub format: String,
    /// What the format was recognised by.
    pub evidence: String,
    /// What the engine counted.
    pub counts: ebbline::session::Counts,
    /// The first lines that could not be read.
    pub problems: Vec<UserError>,
    /// How many lines could not be read.
    pub problem_count: usize,
    /// The tools, by the index that [`Rows::tool`] gives.
    pub tools: Vec<String>,
    /// Other facts that the file records, as name and sentence.
    pub facts: Vec<(String, String)>,
}

/// Columns by message that do not depend on the policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// [`Kind`] as a code.
    pub kind: Vec<u8>,
    /// One more than the index of the tool; 0 for none.
    pub tool: Vec<u32>,
}

/// What the page knows of the open session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// What was read.
    pub about: About,
    /// Its messages.
    pub rows: Rows,
}

impl Overview {
    /// The kind of message `index` and the name of its tool, which is empty if it has none.
    #[must_use]
    pub fn kind_and_tool(&self, index: usize) -> Option<(Kind, String)> {
        let kind = Kind::from_code(*self.rows.kind.get(index)?);
        let named = self.rows.tool.get(index).and_then(|tool| (*tool as usize).checked_sub(1));
        let tool = named.and_then(|named| self.about.tools.get(named)).cloned();
        Some((kind, tool.unwrap_or_default()))
    }
}

/// One message in detail, for the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// The message's index.
    pub message: u32,
    /// The sentence that explains the message's fate.
    pub why: String,
    /// The message's text, part by part.
    pub blocks: Vec<Block>,
    /// What the model sees of it under the policy; empty if it sees nothing.
    pub blocks_after: Vec<Block>,
    /// Its JSON as written in the file.
    pub raw: String,
    /// How many characters of the text, and of the JSON, are not shown.
    pub left_out: (u64, u64),
    /// The first part that is shown, and the number of all parts; [`PARTS`] are shown at once.
    pub parts: (u64, u64),
    /// The messages at the other end of its calls and results.
    pub partners: Vec<u32>,
    /// Its byte range in the file.
    pub span: (u64, u64),
}

/// A request of the page.
#[derive(Clone, Debug)]
pub enum Request {
    /// Plan under a policy.
    Plan {
        /// The policy.
        policy: Box<Policy>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
    },
    /// One line for each of these messages, for the list.
    Previews(Vec<u32>),
    /// One message in detail, and why it has its fate under this policy.
    Inspect {
        /// The message's index.
        message: u32,
        /// The policy.
        policy: Box<Policy>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// Whether to return the whole text.
        whole: bool,
        /// The first part to return.
        from: usize,
    },
    /// The messages that contain this text.
    Find(String),
    /// A file to export.
    Export {
        /// What to export.
        wanted: ExportKind,
        /// The policy.
        policy: Box<Policy>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// The user's summary; may be empty.
        summary: String,
        /// Whether to clear content that the file stores but the agent does not send.
        free_bytes: bool,
    },
}

/// The answer to a [`Request`].
#[derive(Debug)]
pub enum Answer {
    /// The plan.
    Planned(Box<Planned>),
    /// A line for each message, in the order of the request.
    Previews(Vec<String>),
    /// The message.
    Inspected(Box<Inspected>),
    /// The indices of the messages.
    Found(Vec<u32>),
    /// The file, or why it could not be written.
    Exported(Result<Exported, UserError>),
}

/// An open session with its text.
#[derive(Debug)]
pub struct OpenSession<C> {
    content: C,
    /// The context's size under the default profile; computed at most once, because no setting changes it.
    size_by_default: OnceCell<u64>,
}

impl Rows {
    /// Builds the columns of `transcript`.
    #[must_use]
    pub fn of(transcript: &Transcript) -> Self {
        let mut rows = Self::default();
        for (index, message) in transcript.messages().iter().enumerate() {
            rows.kind.push(Kind::of_message(message) as u8);
            rows.tool.push(
                transcript.parts_of(index).iter().find_map(|part| part.tool).map_or(0, |tool| tool + 1),
            );
        }
        rows
    }
}

/// The tools of `transcript`, by the index that [`Rows::tool`] gives.
#[must_use]
pub fn tools(transcript: &Transcript) -> Vec<String> {
    (0..).map_while(|tool| transcript.tool_name(tool)).map(str::to_owned).collect()
}

impl<C: Content> OpenSession<C> {
    /// Opens `content`.
    #[must_use]
    pub fn new(content: C) -> Self {
        Self { content, size_by_default: OnceCell::new() }
    }

    /// The session and its text.
    #[must_use]
    pub fn content(&self) -> &C {
        &self.content
    }

    /// Answers a request.
    #[must_use]
    pub fn answer(&self, request: &Request) -> Answer {
        match request {
            Request::Plan { policy, force } => Answer::Planned(Box::new(self.plan(policy, *force))),
            Request::Previews(messages) => Answer::Previews(
                messages
                    .iter()
                    .map(|message| readable::preview(&self.content, *message as usize, PREVIEW))
                    .collect(),
            ),
            Request::Inspect { message, policy, force, whole, from } => {
                Answer::Inspected(Box::new(self.inspect(*message, policy, *force, (*whole, *from))))
            }
            Request::Find(text) => Answer::Found(self.find(text)),
            Request::Export { wanted, policy, force, summary, free_bytes } => {
                let (wanted, force, free_bytes) = (*wanted, *force, *free_bytes);
                Answer::Exported(self.content.export(&ExportRequest {
                    wanted,
                    policy,
                    force,
                    summary,
                    free_bytes,
                }))
            }
        }
    }

    /// The plan under `policy`, and the plan under the same policy without summarising.
    fn plans(&self, policy: &Policy, force: bool) -> (Plan, Plan) {
        let options = PlanOptions::new().force(force);
        let mut alone = policy.clone();
        alone.retain.enabled = false;
        let transcript = self.content.transcript();
        (ebbline::plan(transcript, policy, options), ebbline::plan(transcript, &alone, options))
    }

    /// The plan under `policy`, laid out for drawing.
    #[must_use]
    pub fn plan(&self, policy: &Policy, force: bool) -> Planned {
        let (plan, alone) = self.plans(policy, force);
        self.laid_out(policy, force, &plan, &alone)
    }

    fn laid_out(&self, policy: &Policy, force: bool, plan: &Plan, alone: &Plan) -> Planned {
        Planned::new(self.content.transcript(), plan, alone, self.size(policy, plan), force)
    }

    /// How large the context is before anything is pruned or summarised.
    fn size(&self, policy: &Policy, plan: &Plan) -> Size {
        let (measured, source) = self.measured(policy, plan);
        let size = measured.max(plan.decision.tokens_before);
        let default = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy);
        let default = default.filter(|default| {
            (&default.estimator, default.trigger.measure) != (&policy.estimator, policy.trigger.measure)
        });
        let by_default = default.map_or(size, |mut default| {
            *self.size_by_default.get_or_init(|| {
                default.prune.enabled = false;
                let plan = ebbline::plan(self.content.transcript(), &default, PlanOptions::default());
                plan.decision.trigger.tokens.max(plan.decision.tokens_before)
            })
        });
        Size { measured, source, by_default }
    }

    /// The size as the policy measures it. The plan reports an anchored size as it is after pruning, so a plan that
    /// prunes is made again without pruning.
    fn measured(&self, policy: &Policy, plan: &Plan) -> (u64, ebbline::plan::Source) {
        let anchored = plan.decision.prune.applied && policy.trigger.measure == Measure::Anchored;
        if anchored {
            let mut idle = policy.clone();
            (idle.prune.enabled, idle.retain.enabled) = (false, false);
            let plan = ebbline::plan(self.content.transcript(), &idle, PlanOptions::default());
            return (plan.decision.trigger.tokens, plan.decision.trigger.source);
        }
        match policy.trigger.measure {
            Measure::Estimate => (plan.decision.tokens_before, plan.decision.trigger.source),
            _ => (plan.decision.trigger.tokens, plan.decision.trigger.source),
        }
    }

    fn text_of(&self, message: u32) -> &str {
        self.content.source().get(self.content.span(message as usize)).unwrap_or_default()
    }

    /// Describes a message in detail: its whole text or the first `SHOWN` characters, starting at part `from`.
    #[must_use]
    pub fn inspect(
        &self,
        message: u32,
        policy: &Policy,
        force: bool,
        (whole, from): (bool, usize),
    ) -> Inspected {
        let index = message as usize;
        let (plan, alone) = self.plans(policy, force);
        let raw = self.text_of(message);
        let span = self.content.span(index);
        let mut room = if whole { usize::MAX } else { SHOWN };
        let mut left_out = 0;
        let parts = self.content.transcript().parts_of(index).len();
        let from = from.min(parts.saturating_sub(1)) / PARTS * PARTS;
        let shown = from..from + PARTS;
        let mut blocks = readable::blocks(&self.content, index, shown.clone());
        for block in &mut blocks {
            left_out += cut(&mut block.text, &mut room);
        }
        let blocks_after = match plan.messages.get(index) {
            Some(planned) if !matches!(planned.fate, Fate::Summarised | Fate::Inactive) => {
                let mut room = if whole { usize::MAX } else { SHOWN };
                let mut after = readable::blocks_after(&self.content, index, shown, planned, policy);
                for block in &mut after {
                    cut(&mut block.text, &mut room);
                }
                after
            }
            _ => Vec::new(),
        };
        let mut shown = raw.to_owned();
        let mut room = if whole { usize::MAX } else { SHOWN };
        let left_out = (left_out, cut(&mut shown, &mut room));
        Inspected {
            message,
            why: self.why(index, &plan, &alone, (policy, force)),
            blocks,
            blocks_after,
            raw: shown,
            left_out,
            parts: (from as u64, parts as u64),
            partners: self
                .content
                .transcript()
                .partners(index)
                .into_iter()
                .map(|partner| partner as u32)
                .collect(),
            span: (span.start as u64, span.end as u64),
        }
    }

    fn why(&self, index: usize, plan: &Plan, alone: &Plan, (policy, force): (&Policy, bool)) -> String {
        let Some(message) = plan.messages.get(index) else { return String::new() };
        let transcript = self.content.transcript();
        let parts = transcript.parts_of(index);
        // The output whose reason is the message's own, or else the first output.
        let decisive = message
            .parts
            .iter()
            .position(|part| part.reason == message.reason && part.kind == PartKind::ToolResult)
            .or_else(|| message.parts.iter().position(|part| part.kind == PartKind::ToolResult));
        let figures = self.laid_out(policy, force, plan, alone).figures;
        let whole = transcript.messages().get(index);
        let cleared = whole.map(|whole| policy.prune.cleared(whole, None)).unwrap_or_default();
        let placeholder = policy.estimator.tokens_of_text(Length::of(&cleared));
        let tool = decisive.and_then(|at| parts.get(at)).and_then(|part| part.tool);
        let sentence = why(&ReasonContext {
            reason: message.reason,
            pruned_first: message.pruned_first,
            tokens: decisive.and_then(|at| message.parts.get(at)).map_or(0, |part| part.tokens_before),
            newer: decisive.and_then(|at| message.parts.get(at)).and_then(|part| part.newer_outputs),
            placeholder,
            tool: tool.and_then(|tool| transcript.tool_name(tool)),
            figures: &figures,
            policy,
        });
        let outputs: Vec<_> = message.parts.iter().filter(|part| part.kind == PartKind::ToolResult).collect();
        let pruned = outputs.iter().filter(|part| part.fate == Fate::Pruned).count();
        let mut sentence = sentence;
        if pruned > 0 && outputs.len() > 1 {
            sentence += &format!(" {pruned} of its {} outputs are cleared.", outputs.len());
        }
        let usage = transcript.messages().get(index).and_then(|message| message.usage);
        if let Some(usage) = usage {
            let usage = counted(u64::from(usage), "token");
            sentence += &format!(" The provider counted {usage} up to and including this answer.");
        }
        sentence
    }

    /// The messages whose text contains `text`, ignoring the case of ASCII letters.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<u32> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        let wanted = text.as_bytes();
        let holds = |message: &u32| {
            let raw = self.text_of(*message);
            // Skip most messages without parsing them: text that needs no escape appears in the JSON literally.
            let plain =
                text.is_ascii() && !text.contains(['"', '\\', '/']) && !text.contains(char::is_control);
            if plain && !contains_ignoring_case(raw.as_bytes(), wanted) {
                return false;
            }
            readable::any_block(&self.content, *message as usize, |block| {
                contains_ignoring_case(block.text.as_bytes(), wanted)
                    || contains_ignoring_case(block.label.as_bytes(), wanted)
            })
        };
        (0..self.content.transcript().messages().len() as u32).filter(holds).collect()
    }
}

/// Cuts `text` to the `room` that is left, in bytes, and returns how many characters it removed.
fn cut(text: &mut String, room: &mut usize) -> u64 {
    let mut end = (*room).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let gone = text.get(end..).map_or(0, |rest| rest.chars().count());
    text.truncate(end);
    *room -= end;
    gone as u64
}

fn contains_ignoring_case(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use ebbline::plan::VerdictReason;
    use ebbline::transcript::{Message, Role};
    use ebbline::{PlanOptions, ReadOptions, Reason};

    use super::*;
    use crate::file::File;

    fn sample() -> (OpenSession<File>, Overview) {
        crate::sample::opened()
    }

    #[test]
    fn every_segment_adds_up_to_the_totals() {
        let (session, _) = sample();
        let transcript = session.content().transcript();
        let is_answer = |message: &Message| message.role == Role::Assistant;
        let newest_answer = transcript.messages().iter().rposition(is_answer).unwrap();
        for (profile, context) in
            [("ebbline@1", 200_000), ("ebbline@1", 60_000), ("ebbline@2", 200_000), ("ebbline@2", 60_000)]
        {
            let mut policy = ebbline::profiles::get(profile).unwrap();
            policy.model.context = NonZeroU64::new(context);
            let planned = session.plan(&policy, false);
            let sum = |column: &[u32]| column.iter().map(|tokens| u64::from(*tokens)).sum::<u64>();
            assert_eq!(sum(&planned.segments.before), planned.figures.before);
            assert_eq!(sum(&planned.fates.before), planned.figures.before);
            assert_eq!(sum(&planned.segments.pruned), planned.figures.pruned);
            assert_eq!(sum(&planned.segments.after) + planned.figures.allowance, planned.figures.after);
            let counted: u64 = (0..planned.segments.len())
                .filter(|at| planned.segments.counted[*at] == 1)
                .map(|at| u64::from(planned.segments.before[at]))
                .sum();
            // Where protected outputs give way, the figure also has the answered outputs of the newest turns that stay.
            let plan = ebbline::plan(transcript, &policy, PlanOptions::new());
            let answered = plan.messages.iter().take(newest_answer).flat_map(|message| &message.parts);
            let newest = answered.filter(|part| part.reason == Reason::NewestTurns);
            let newest: u64 = newest.map(|part| part.tokens_before).sum();
            let gives_way = planned.figures.prune.reason == VerdictReason::RoomNeeded;
            let beside = if gives_way { newest } else { 0 };
            assert_eq!(counted + beside, planned.figures.prune.counted, "{profile} {context}");
        }
    }

    #[test]
    fn the_inspector_shows_what_the_model_would_see() {
        let (session, _) = sample();
        let policy = ebbline::profiles::ALL[0].policy();
        let planned = session.plan(&policy, false);
        let pruned = planned.fates.fate.iter().position(|fate| *fate == Fate::Pruned as u8).unwrap() as u32;
        let inspected = session.inspect(pruned, &policy, false, (false, 0));
        assert!(inspected.blocks_after[0].text.starts_with(&policy.prune.placeholder));
        assert!(inspected.why.ends_with("the placeholder takes its place (12 tokens)."), "{}", inspected.why);
        assert_eq!(inspected.partners.len(), 1);
    }

    #[test]
    fn the_parts_of_a_message_come_in_pages() {
        let count = 100_000;
        let parts: Vec<_> = (0..count).map(|at| format!(r#"{{"type":"text","text":"part {at}"}}"#)).collect();
        let text = format!(r#"[{{"role":"user","content":[{}]}}]"#, parts.join(","));
        let (session, _) =
            OpenSession::open(text.into_bytes(), "parts.json", &ReadOptions::default()).unwrap();
        let policy = ebbline::profiles::ALL[0].policy();
        for (asked, first) in
            [(0, 0), (PARTS + 1, PARTS), (count - 1, count - PARTS), (usize::MAX, count - PARTS)]
        {
            let inspected = session.inspect(0, &policy, false, (true, asked));
            assert_eq!(inspected.parts, (first as u64, count as u64));
            assert_eq!((inspected.blocks.len(), inspected.blocks_after.len()), (PARTS, PARTS));
            assert_eq!(inspected.blocks[0].text, format!("part {first}"));
        }
        assert_eq!(session.find("part 99999"), [0]);
    }

    #[test]
    fn a_reused_id_leads_to_exactly_one_call() {
        let turn = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}"#;
        let text = format!("[{}]", [turn; 40].join(","));
        let (session, _) =
            OpenSession::open(text.into_bytes(), "again.json", &ReadOptions::default()).unwrap();
        let policy = ebbline::profiles::ALL[0].policy();
        assert_eq!(session.inspect(79, &policy, false, (false, 0)).partners, [78]);
        assert_eq!(session.inspect(40, &policy, false, (false, 0)).partners, [41]);
    }

    /// A session of `turns` turns whose answers report `usage`.
    fn reported(turns: usize, usage: u64) -> OpenSession<File> {
        let turn = |at: usize| {
            let parent = at.checked_sub(1).map_or("null".to_owned(), |before| format!("\"a{before}\""));
            format!(
                r#"{{"type":"user","uuid":"u{at}","parentUuid":{parent},"sessionId":"s","message":{{"role":"user","content":"{}"}}}}
{{"type":"assistant","uuid":"a{at}","parentUuid":"u{at}","sessionId":"s","message":{{"id":"m{at}","role":"assistant","content":[{{"type":"text","text":"{}"}}],"usage":{{"input_tokens":{usage},"output_tokens":0}}}}}}
"#,
                "please look at this ".repeat(40),
                "it was looked at ".repeat(40),
            )
        };
        let text: String = (0..turns).map(turn).collect();
        OpenSession::open(text.into_bytes(), "reported.jsonl", &ReadOptions::default()).unwrap().0
    }

    #[test]
    fn a_session_has_one_size_and_the_details_name_what_is_not_in_the_file() {
        let session = reported(3, 62_842);
        let default = ebbline::profiles::ALL[0].policy();
        let figures = session.plan(&default, false).figures;
        assert!(figures.before < 5_000);
        assert_eq!((figures.total_before(), figures.not_in_file()), (62_842, 62_842 - figures.before));
        assert_eq!(figures.trigger.tokens, figures.total_before(), "the verdict uses the same figure");
        let said = crate::verdict::plain(&crate::verdict::headline(&figures, &default));
        assert!(said.starts_with("Context 62,842 of 200,000 tokens"), "{said}");
        let details = crate::verdict::plain(&crate::verdict::details(&figures, &default));
        let not_in_file = crate::number::grouped(figures.not_in_file());
        assert!(details.contains(&format!("About {not_in_file} tokens by reported usage")), "{details}");
        for profile in ebbline::profiles::ALL {
            let policy = profile.policy();
            let figures = session.plan(&policy, false).figures;
            let details = crate::verdict::plain(&crate::verdict::details(&figures, &policy));
            let is_other = figures.total_before() != 62_842;
            assert_eq!(
                details.contains(&format!("{} measures 62,842", ebbline::profiles::DEFAULT)),
                is_other,
                "{}: {details}",
                profile.name
            );
        }
    }

    #[test]
    fn the_details_name_usage_below_the_estimate() {
        let session = reported(30, 1_000);
        let policy = ebbline::profiles::get("pi@1.5").unwrap();
        let figures = session.plan(&policy, false).figures;
        assert_eq!((figures.not_in_file(), figures.total_before()), (0, figures.before));
        let details = crate::verdict::plain(&crate::verdict::details(&figures, &policy));
        assert!(details.contains("Reported usage is 1,000"), "{details}");
    }

    #[test]
    fn boundaries_have_the_positions_of_the_plan() {
        let (session, _) = sample();
        for (context, force) in [(200_000, false), (60_000, false), (200_000, true)] {
            let mut policy = ebbline::profiles::ALL[0].policy();
            policy.model.context = NonZeroU64::new(context);
            let planned = session.plan(&policy, force);
            let ruler = crate::strip::Ruler::new(&planned.segments, crate::strip::Weight::Everything);
            let (protect, keep) = planned.figures.places;
            assert_eq!(protect, ruler.start_of(planned.figures.prune.boundary.unwrap().message + 1));
            assert_eq!(keep, ruler.start_of(planned.figures.retain.boundary.unwrap()));
        }
    }

    #[test]
    fn an_export_read_again_leaves_nothing_to_do() {
        let (session, _) = sample();
        for context in [200_000, 60_000] {
            let mut policy = ebbline::profiles::ALL[0].policy();
            policy.model.context = NonZeroU64::new(context);
            let policy = &policy;
            let (wanted, force, free_bytes) = (ExportKind::Session, false, false);
            let request = ExportRequest { wanted, policy, force, summary: "", free_bytes };
            let exported = session.content().export(&request).unwrap();
            let (again, _) =
                OpenSession::open(exported.bytes, "again.json", &ReadOptions::default()).unwrap();
            assert_eq!(again.plan(policy, false).figures.verdict, ebbline::Verdict::Noop);
        }
    }

    #[test]
    fn text_is_found_whatever_its_case() {
        let (session, _) = sample();
        assert!(!session.find("ROUNDING").is_empty());
        assert!(session.find("zzz-not-there").is_empty());
        assert!(session.find("  ").is_empty());
        assert!(session.find("tool_call_id").is_empty(), "keys are not text");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let (mut text, mut room) = ("aé日b".to_owned(), 4);
        assert_eq!(cut(&mut text, &mut room), 2);
        assert_eq!((text.as_str(), room), ("aé", 1));
    }
}
