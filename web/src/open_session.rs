//! One open session, which answers requests about it. It lives in a worker, which takes a [`Request`] and returns an
//! [`Answer`].

use std::cell::{OnceCell, RefCell};

use ebbline::plan::{Decision, MessagePlan, Source, VerdictReason};
use ebbline::policy::Measure;
use ebbline::replay::History;
use ebbline::{Ledger, PlanOptions, Policy, Transcript};

use crate::content::{Content, ExportRequest};
use crate::error_text::UserError;
use crate::export::{self, ExportKind, Exported, Theme};
use crate::fills::{self, Files, Fill};
use crate::inspect::Inspected;
use crate::kind::Kind;
use crate::knob::Knob;
use crate::life::Life;
use crate::life_words;
use crate::link::sealed;
use crate::number::counted;
use crate::opening::{self, KeptLife, Opening};
use crate::planned::{Figures, Planned, Size};
use crate::readable;
use crate::sheet::{self, Ask, Block};
use crate::strip::{Ruler, Weight};
use crate::verdict;
use crate::view::{At, View, with_usage_of};

/// The maximum length of a row's preview, in characters.
const PREVIEW: usize = 160;
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

impl About {
    /// The format and how many messages there are.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{} · {}", self.format, counted(self.counts.messages as u64, "message"))
    }
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
        self.rows.kind_and_tool(&self.about.tools, index)
    }
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
        /// The moment; `None` for the session as its file holds it.
        at: Option<Box<At>>,
    },
    /// The session's life under a policy, and where it opens.
    Life {
        /// The policy.
        policy: Box<Policy>,
        /// Whether a smaller window may be chosen for a session that never fills the policy's.
        fit: bool,
        /// The policy whose life is on screen, to say what changes.
        before: Option<Box<Policy>>,
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
        /// The moment; `None` for the session as its file holds it.
        at: Option<Box<At>>,
    },
    /// The messages that contain this text.
    Find(String),
    /// A sheet.
    Sheet(Box<Ask>),
    /// What each request of the life under another policy sends.
    Line(Box<Policy>),
    /// A file to export.
    Export {
        /// What to export.
        wanted: ExportKind,
        /// The policy.
        policy: Box<Policy>,
        /// The user's context window, where the page shows the session with another one.
        window: Option<u64>,
        /// Whether compaction is forced, whatever the trigger says.
        force: bool,
        /// The user's summary; may be empty.
        summary: String,
        /// Whether to clear content that the file stores but the agent does not send.
        free_bytes: bool,
        /// The moment that pictures show; `None` for the session as its file holds it.
        at: Option<Box<At>>,
        /// The ground of pictures.
        theme: Theme,
    },
    /// The number by which the session's file is recognised again.
    Fingerprint,
}

/// The answer to a [`Request`].
#[derive(Debug)]
pub enum Answer {
    /// The plan.
    Planned(Box<Planned>),
    /// The life.
    Life(Box<Life>, Opening),
    /// A line for each message, in the order of the request.
    Previews(Vec<String>),
    /// The message.
    Inspected(Box<Inspected>),
    /// The indices of the messages.
    Found(Vec<u32>),
    /// The sheet.
    Sheet(Vec<Block>),
    /// The tokens that each request sends, and those that the policy finds before it.
    Line(Line),
    /// The file, or why it could not be written.
    Exported(Result<Exported, UserError>),
    /// The number.
    Fingerprint(u64),
}

/// A life as a line: by request, what the policy finds and what is sent, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What the policy finds.
    pub found: Vec<u32>,
    /// What is sent.
    pub sent: Vec<u32>,
}

/// An open session with its text.
#[derive(Debug)]
pub struct OpenSession<C> {
    content: C,
    /// The context's size under the default profile; computed at most once, because no setting changes it.
    size_by_default: OnceCell<u64>,
    /// What is planned for the session as its file holds it, so that a knob costs no walk over all messages.
    ledger: RefCell<Option<Ledger>>,
    /// The messages in the order in which they were sent; read when they are first needed.
    history: OnceCell<History<'static>>,
    /// The files that calls name; found when they are first needed.
    files: OnceCell<Files>,
    /// The life that was asked for last.
    kept: RefCell<Option<KeptLife>>,
    /// The context window that shows this session best, if it is a sample that has one.
    window: Option<u64>,
}

impl Rows {
    /// The kind of message `index` and the name of its tool among `tools`, which is empty if it has none.
    #[must_use]
    pub fn kind_and_tool(&self, tools: &[String], index: usize) -> Option<(Kind, String)> {
        let kind = Kind::from_code(*self.kind.get(index)?);
        let named = self.tool.get(index).and_then(|tool| (*tool as usize).checked_sub(1));
        let tool = named.and_then(|named| tools.get(named)).cloned();
        Some((kind, tool.unwrap_or_default()))
    }

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
        Self {
            content,
            size_by_default: OnceCell::new(),
            ledger: RefCell::default(),
            history: OnceCell::new(),
            files: OnceCell::new(),
            kept: RefCell::default(),
            window: None,
        }
    }

    /// Opens with this context window instead of a larger one, unless the user wants the policy's own.
    #[must_use]
    pub fn with_window(self, window: Option<u64>) -> Self {
        Self { window, ..self }
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
            Request::Plan { policy, force, at } => {
                Answer::Planned(Box::new(self.plan_at(policy, *force, at.as_deref())))
            }
            Request::Life { policy, fit, before } => {
                let before = before.as_ref().filter(|before| before.profile != policy.profile);
                let before = before.map(|before| (before, self.with_life(before, Life::clone)));
                let (life, mut opening) = self.open_life(policy, *fit);
                if let Some((before, was)) = before {
                    let names = (before.profile.as_str(), policy.profile.as_str());
                    opening.words = format!("{} {}", life_words::changed(&was, &life, names), opening.words);
                }
                Answer::Life(Box::new(life), opening)
            }
            Request::Previews(messages) => Answer::Previews(
                messages
                    .iter()
                    .map(|message| readable::preview(&self.content, *message as usize, PREVIEW))
                    .collect(),
            ),
            Request::Inspect { message, policy, force, whole, from, at } => {
                let shown = (*whole, *from);
                Answer::Inspected(Box::new(self.inspect_at(*message, policy, *force, shown, at.as_deref())))
            }
            Request::Find(text) => Answer::Found(self.find(text)),
            Request::Sheet(ask) => Answer::Sheet(sheet::write(self, ask)),
            Request::Line(policy) => Answer::Line(self.line(policy)),
            Request::Export { wanted, policy, window, force, summary, free_bytes, at, theme } => {
                let (wanted, force, free_bytes) = (*wanted, *force, *free_bytes);
                let shown = export::as_shown(wanted, policy, (*window, at.is_some()));
                let policy = &shown.policy;
                let exported = self.export_shown(wanted, policy, force, (at.as_deref(), *theme)).map_or_else(
                    || self.content.export(&ExportRequest { wanted, policy, force, summary, free_bytes }),
                    Ok,
                );
                Answer::Exported(exported.map(|exported| shown.told(exported)))
            }
            Request::Fingerprint => {
                Answer::Fingerprint(sealed::fingerprint(self.content.source().as_bytes()))
            }
        }
    }

    /// Replays the life under `policy`, and says where the session opens. With `fit`, a session that never fills the
    /// window may be shown with a smaller one.
    #[must_use]
    pub fn open_life(&self, policy: &Policy, fit: bool) -> (Life, Opening) {
        let own = Knob::Context.value(policy);
        let (kept, mut opening) = match self.window.filter(|window| fit && *window < own) {
            Some(window) => opening::open_with_window(&self.content, self.history(), policy, window),
            None => opening::open(&self.content, self.history(), policy, fit),
        };
        let life = kept.life.clone();
        let name = &kept.policy.profile;
        opening.told =
            [life_words::whole(&life, name), life_words::gaps(&life), life_words::picture(&life, name)];
        self.kept.replace(Some(kept));
        (life, opening)
    }

    /// What the life under another policy sends.
    #[must_use]
    pub fn line(&self, policy: &Policy) -> Line {
        let life = KeptLife::new(&self.content, self.history(), policy).life;
        Line { found: life.found, sent: life.sent }
    }

    /// Calls `then` with the life under the policy that writes the history.
    pub(crate) fn with_life<T>(&self, history: &Policy, then: impl FnOnce(&Life) -> T) -> T {
        let mut kept = self.kept.borrow_mut();
        match kept.take().filter(|kept| kept.policy == *history) {
            Some(known) => then(&kept.insert(known).life),
            None => then(&kept.insert(KeptLife::new(&self.content, self.history(), history)).life),
        }
    }

    /// The tokens that are sent beside the messages, as far as reported usage shows.
    pub(crate) fn beside(&self, policy: &Policy) -> u64 {
        opening::beside(&self.content, policy)
    }

    /// The exports of what is on screen, which need no writer of the session's format.
    fn export_shown(
        &self,
        wanted: ExportKind,
        policy: &Policy,
        force: bool,
        (at, theme): (Option<&At>, Theme),
    ) -> Option<Exported> {
        let name = self.content.name();
        Some(match wanted {
            ExportKind::Shape => export::shape(self.history(), name),
            ExportKind::Markdown => {
                let planned = self.plan_at(policy, force, None);
                let rows = Rows::of(self.content.transcript());
                export::markdown(&planned, policy, self.content.format(), &rows.kind)
            }
            ExportKind::Context => {
                let planned = self.plan_at(policy, force, at);
                export::context(&planned, policy, at.map(|at| at.request), name, theme)
            }
            ExportKind::Life => {
                if self.kept.borrow().is_none() || at.is_some() {
                    let history = at.map_or(policy, |at| &at.history);
                    self.with_life(history, |_| ());
                }
                let kept = self.kept.borrow();
                let kept = kept.as_ref()?;
                export::life(&kept.life, &kept.policy, name, theme)
            }
            _ => return None,
        })
    }

    pub(crate) fn history(&self) -> &History<'static> {
        self.history.get_or_init(|| self.content.history())
    }

    /// Calls `then` with what is planned under `policy`: the session as its file holds it, or a moment of its life.
    pub(crate) fn with_view<T>(
        &self,
        at: Option<&At>,
        policy: &Policy,
        then: impl FnOnce(&View<'_>) -> T,
    ) -> T {
        let Some(At { history, request }) = at else { return then(&View::whole(self.content.transcript())) };
        let mut kept = self.kept.borrow_mut();
        if kept.as_ref().is_none_or(|kept| kept.policy != *history) {
            *kept = Some(KeptLife::new(&self.content, self.history(), history));
        }
        if let Some(kept) = kept.as_mut() {
            kept.prepare(*request);
        }
        let beside = kept.as_ref().map_or(0, |kept| kept.life.beside);
        match kept.as_ref().and_then(KeptLife::prepared) {
            Some((moment, written, sent)) if policy.estimator != history.estimator => {
                let counted = with_usage_of(moment.transcript(), policy, beside);
                then(&View::at(moment, written, sent).over(&counted))
            }
            Some((moment, history, sent)) => then(&View::at(moment, history, sent)),
            None => then(&View::whole(self.content.transcript())),
        }
    }

    /// The plan of the session as its file holds it.
    #[must_use]
    pub fn plan(&self, policy: &Policy, force: bool) -> Planned {
        self.plan_at(policy, force, None)
    }

    /// The plan under `policy`, laid out for drawing.
    #[must_use]
    pub fn plan_at(&self, policy: &Policy, force: bool, at: Option<&At>) -> Planned {
        self.with_view(at, policy, |view| {
            let mut planned = self.laid_out(view, policy, force, |_, _| ());
            planned.said = verdict::said(&planned.figures, policy);
            planned
        })
    }

    /// The plan as it is drawn; `each` sees every message of it. At a moment, the usage on which the policy decides is the
    /// replay's own estimate, and is called one.
    pub(crate) fn laid_out(
        &self,
        view: &View<'_>,
        policy: &Policy,
        force: bool,
        each: impl FnMut(usize, &MessagePlan),
    ) -> Planned {
        let mut own = None;
        let mut kept = self.ledger.borrow_mut();
        let place = if view.is_moment() { &mut own } else { &mut *kept };
        let ledger = place.get_or_insert_with(|| Ledger::of(view.transcript().clone(), policy));
        let size = |ledger: &mut Ledger, decision: &Decision| self.size((view, ledger), policy, decision);
        let mut planned = Planned::new((view, ledger), policy, force, size, each);
        if planned.figures.prune.reason == VerdictReason::RoomNeeded {
            let outputs = Ruler::new(&planned.segments, Weight::Outputs);
            planned.figures.places.0 = outputs.place_of(Knob::Protect.value(policy)) as u64;
        }
        if view.is_moment() {
            let Figures { trigger, size, .. } = &mut planned.figures;
            for source in [&mut trigger.source, &mut size.source] {
                if *source == Source::Reported {
                    *source = Source::Estimate;
                }
            }
        }
        planned
    }

    /// How large the context is before anything is pruned or summarised.
    fn size(&self, (view, ledger): (&View<'_>, &mut Ledger), policy: &Policy, decision: &Decision) -> Size {
        let (measured, source) = measured(ledger, view.options(false), policy, decision);
        let size = measured.max(decision.tokens_before);
        let default = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy);
        let default = default.filter(|default| {
            !view.is_moment()
                && (&default.estimator, default.trigger.measure)
                    != (&policy.estimator, policy.trigger.measure)
        });
        let by_default = default.map_or(size, |mut default| {
            *self.size_by_default.get_or_init(|| {
                default.prune.enabled = false;
                let transcript = self.content.transcript();
                let decision = ebbline::decide(transcript, &default, PlanOptions::default());
                decision.trigger.tokens.max(decision.tokens_before)
            })
        });
        Size { measured, source, by_default }
    }

    pub(crate) fn text_of(&self, message: u32) -> &str {
        self.content.source().get(self.content.span(message as usize)).unwrap_or_default()
    }

    /// What fills the context: by kind, outputs by tool, by file, by message.
    #[must_use]
    pub fn fills(&self, policy: &Policy, at: Option<&At>) -> Vec<Vec<Fill>> {
        let transcript = self.content.transcript();
        let files = self.files.get_or_init(|| Files::of(&self.content));
        fills::groups(&self.plan_at(policy, false, at), (&Rows::of(transcript), &tools(transcript)), files)
            .into()
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

/// The size as the policy measures it. The plan reports an anchored size as it is after pruning, so where it prunes, it is
/// decided again without pruning.
fn measured(
    ledger: &mut Ledger,
    options: PlanOptions,
    policy: &Policy,
    decision: &Decision,
) -> (u64, Source) {
    let anchored = decision.prune.applied && policy.trigger.measure == Measure::Anchored;
    if anchored {
        let mut idle = policy.clone();
        (idle.prune.enabled, idle.retain.enabled) = (false, false);
        ledger.set_policy(&idle);
        let trigger = ledger.decide(options).trigger;
        return (trigger.tokens, trigger.source);
    }
    match policy.trigger.measure {
        Measure::Estimate => (decision.tokens_before, decision.trigger.source),
        _ => (decision.trigger.tokens, decision.trigger.source),
    }
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
    fn at_a_moment_no_estimate_is_called_reported() {
        let session = reported(300, 190_000);
        for profile in ["ebbline@2", "pi@1.5", "opencode@2026-06"] {
            let policy = ebbline::profiles::get(profile).unwrap();
            let (life, _) = session.open_life(&policy, false);
            for request in [0, life.len() as u32 / 2, life.len() as u32 - 1] {
                let at = At { history: policy.clone(), request };
                let planned = session.plan_at(&policy, false, Some(&at));
                let said = crate::verdict::plain(&planned.said.details);
                assert!(
                    !said.contains("there are") || !said.contains("by reported usage;"),
                    "{profile}: {said}"
                );
                assert_ne!(planned.figures.trigger.source, Source::Reported, "{profile}");
            }
        }
    }

    #[test]
    fn where_all_outputs_are_in_the_newest_turns_the_handle_stands_at_its_number() {
        let output = |at: usize| {
            format!(
                r#",{{"role":"assistant","tool_calls":[{{"id":"c{at}","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c{at}","content":"{}"}}"#,
                "a line of it ".repeat(800)
            )
        };
        let outputs: String = (0..11).map(output).collect();
        let text = format!(r#"[{{"role":"user","content":"go on"}}{outputs}]"#);
        let (session, _) = OpenSession::open(text.into_bytes(), "a.json", &ReadOptions::default()).unwrap();
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        Knob::Context.set(&mut policy, 30_000);
        let mut before = u64::MAX;
        for protect in [0, 3_000, 9_000] {
            Knob::Protect.set(&mut policy, protect);
            let planned = session.plan(&policy, false);
            assert_eq!(planned.figures.prune.reason, VerdictReason::RoomNeeded);
            let ruler = Ruler::new(&planned.segments, Weight::Outputs);
            assert!(ruler.total() > 20_000, "{}", ruler.total());
            let place = planned.figures.places.0;
            assert!(place < before && ruler.value_at(place as f64).abs_diff(protect) <= 1, "{place}");
            before = place;
        }
    }

    #[test]
    fn at_a_moment_another_estimate_is_no_tokens_beside_the_messages() {
        for (session, beside) in [(sample().0, 0), (reported(30, 40_000), 1)] {
            let history = ebbline::profiles::get("ebbline@2").unwrap();
            let (life, _) = session.open_life(&history, false);
            assert_eq!(life.beside > 0, beside > 0);
            for profile in ebbline::profiles::ALL {
                let policy = profile.policy();
                for request in [life.len() as u32 / 2, life.len() as u32 - 1] {
                    let at = At { history: history.clone(), request };
                    let planned = session.plan_at(&policy, false, Some(&at));
                    let not_in_file = planned.figures.not_in_file();
                    assert!(not_in_file <= life.beside, "{} {request}: {not_in_file}", profile.name);
                    let said = crate::verdict::plain(&planned.said.details);
                    assert_eq!(said.contains("are not in the file"), not_in_file > 0, "{said}");
                }
            }
        }
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
            let boundary = ruler.start_of(planned.figures.prune.boundary.unwrap().message + 1);
            if planned.figures.prune.reason == VerdictReason::RoomNeeded {
                // The plan prunes protected outputs as well, but the handle stands at its number.
                let outputs = Ruler::new(&planned.segments, Weight::Outputs);
                let behind = outputs.value_at(protect as f64);
                let number = Knob::Protect.value(&policy).min(outputs.total());
                assert!(behind.abs_diff(number) <= 1, "{behind} outputs behind it");
            } else {
                assert_eq!(protect, boundary);
            }
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
}
