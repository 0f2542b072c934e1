//! What this project's own bindings, generators and programs take from the engine. It is no part of the API: any version
//! may change it.

pub use ebbline_json::length::classes;

use crate::controller::{self, Controller, State};
use crate::decide::Session;
use crate::edit::Edit;
use crate::error::{Error, ErrorCode};
pub use crate::format::Telling;
use crate::format::{Format, read_tunacode_alone};
pub use crate::injection::names as injected;
use crate::json::{Document, Writer};
pub use crate::nearest::nearest;

/// The whole output of a call that stands in the message with this index, by the call's id or a reference to it.
#[must_use]
pub fn output_in(session: &SessionText<'_>, id: &str, message: usize) -> Option<String> {
    session.output_in(id, message).filter(|output| output.is_whole).map(|output| output.text.into_owned())
}

/// References to calls.
pub mod references {
    pub use crate::marks::Reference;
}

/// What a model sees of messages.
pub mod seen {
    pub use crate::identity::{data, is_seen, is_seen_id, is_system, lists, seen};
}
use crate::order::sort_by;
use crate::passes;
use crate::placeholder::Remains;
use crate::plan::{Decision, Fate, MessagePlan, PartPlan, Plan, PlanOptions, Preview, Reason};
use crate::policy::Policy;
use crate::session_text::{EditOptions, SessionText};
use crate::summary::{Carried, FileLists, SummaryOptions, Texts};
use crate::transcript::{PartKind, Role, Transcript};

/// The form of plans and reports, for generators.
pub mod form {
    use crate::economics::{CacheCheck, Outcome, ReplayReport, SweepReport};
    pub use crate::form::{Described, Form, Member, Object};
    use crate::loss::LossReport;
    pub use crate::plan::form::plan;
    use crate::report::Report;
    use crate::validate::{Pending, Violation};

    /// The reports that programs in other languages read; what they are made of follows from them.
    pub const REPORTS: [Object; 8] = [
        ReplayReport::OBJECT,
        Outcome::OBJECT,
        CacheCheck::OBJECT,
        SweepReport::OBJECT,
        LossReport::OBJECT,
        Violation::OBJECT,
        Pending::OBJECT,
        Report::OBJECT,
    ];
}

/// Questions to a model for facts that a policy removed.
pub mod probe {
    pub use crate::probe::{
        AGAIN, Call, Fact, FactKind, Function, NO_OUTPUT, Probe, RECALL, Said, chosen, recalled, says_fact,
        says_unknown,
    };
}

/// Messages as 32-bit words.
pub mod records {
    pub use crate::packed::{PART_WORDS, layout, read, write};
}

/// How many policies are compared at once.
pub const MOST_POLICIES: usize = 256;

/// How many findings a host lists of what was lost.
pub const FINDINGS: usize = 100;

/// How many figures a decision is.
pub const FIGURES: usize = Decision::FIGURES;

/// A decision as figures, in the order of its members. A word is its number in its set, a flag is 1 or 0, and a missing
/// place is -1.
#[must_use]
pub fn figures(decision: &Decision) -> [f64; FIGURES] {
    decision.figures()
}

/// Reads TunaCode messages. Unlike [`SessionText::read_with`], it brings no other reader into a program.
///
/// # Errors
///
/// As [`SessionText::read_with`].
pub fn read_tunacode(source: &str) -> Result<SessionText<'_>, Error> {
    SessionText::read_by(source, Format::Tunacode, read_tunacode_alone)
}

/// Why the messages of a session are not of the format that it was read as by its name.
#[must_use]
pub fn foreign<'s>(session: &'s SessionText<'_>) -> Option<&'s Error> {
    session.reading.foreign.as_ref()
}

/// The files that a call names, in the order in which it names them. `arguments` are JSON.
#[must_use]
pub fn files_of_call(tool: &str, arguments: &str) -> Vec<String> {
    let mut files = FileLists::default();
    if let Ok(document) = Document::parse(arguments) {
        files.add_from_call(tool, document.root());
    }
    files.read.into_iter().chain(files.modified).collect()
}

/// Registers the next tool that records refer to by number. The first tool is number 1.
pub fn register_tool(session: &mut Session, name: &str) {
    session.register_tool(name);
}

/// Says, like [`Session::changes_to`], that the context changes, and returns what is remembered of the overhead.
pub fn changes_to(session: &mut Session, messages: usize) -> Option<u64> {
    session.changes_to(messages);
    session.known_overhead()
}

/// What a session knows of the overhead beyond what a plan of its transcript alone learns.
pub fn known_overhead(session: &mut Session) -> Option<u64> {
    session.known_overhead()
}

/// The estimate of the active messages of a session, and of the text among them.
pub fn estimates(session: &mut Session) -> (u64, u64) {
    session.estimates()
}

/// What a session decides if nobody writes summaries.
pub fn decide_without_summary(session: &mut Session, options: PlanOptions) -> Decision {
    session.decide_without_summary(options)
}

/// The context window under the policy of a session.
#[must_use]
pub fn window(session: &Session) -> Option<u64> {
    session.window()
}

/// Remembers, in a new session, what another knew when the context became what its first `messages` messages are.
pub fn recall(session: &mut Session, overhead: Option<u64>, messages: usize) {
    session.recall(overhead, messages);
}

/// The context of `old` changes to the `messages` messages of `new`, as in [`Session::changes_to`]. `new` learns what `old` knew.
pub fn goes_on(old: &mut Session, new: &mut Session, messages: usize) {
    old.changes_to(messages);
    new.remember(old);
}

/// The outputs that a session's plan cuts, oldest first, six words each: message, part, the lengths of head and tail, the
/// most that what stays may measure, and how many images and files are left out.
pub fn cut(session: &mut Session) -> Vec<u32> {
    let words = |(message, part, preview): (usize, usize, Preview)| {
        [message as u32, part as u32, preview.head, preview.tail, preview.most, preview.media]
    };
    session.cut().into_iter().flat_map(words).collect()
}

/// The request for a summary of what a plan of live messages summarizes: `{system, maxTokens, context, fingerprint}` as JSON,
/// a line break, and the user's message as it is. JSON that holds the message would have to be written and read at its length.
///
/// # Errors
///
/// As [`request_of_texts`](crate::summary::request_of_texts).
pub fn summary_request(
    transcript: &Transcript,
    texts: &Texts<'_>,
    plan: &Plan,
    options: &SummaryOptions,
) -> Result<Option<String>, Error> {
    let original = crate::summary::original(transcript, texts, plan)?;
    let Some(drafted) = crate::summary::drafted(original, plan, options)? else { return Ok(None) };
    let mut out = Writer::default();
    drafted.frame(&fingerprint(transcript, texts), &mut out);
    let mut written = out.finish();
    written.reserve_exact(drafted.message.len() + 1);
    written.push('\n');
    written.push_str(&drafted.message);
    Ok(Some(written))
}

/// A fingerprint of messages and the texts of their parts, in hexadecimal digits.
#[must_use]
pub fn fingerprint(transcript: &Transcript, texts: &Texts<'_>) -> String {
    format!("{:016x}", crate::summary::fingerprint(transcript, texts))
}

/// What a controller remembers, as figures.
#[must_use]
pub fn controller_figures(controller: &Controller) -> [f64; controller::FIGURES] {
    controller.state().figures().map(|figure| figure as f64)
}

/// A controller that continues from figures; without any, one of an agent that has not sent anything.
///
/// # Errors
///
/// `mismatch` if they are none of a controller.
pub fn controller_of(settings: controller::Settings, figures: &[f64]) -> Result<Controller, Error> {
    if figures.is_empty() {
        return Ok(Controller::new(settings));
    }
    // Records that are older than the last figure lack it: nobody had said when a request was prepared.
    let all = [figures, &[0.0]].concat();
    let figures = all.get(..controller::FIGURES).filter(|_| figures.len() <= controller::FIGURES);
    let figures: Option<[f64; controller::FIGURES]> = figures.and_then(|figures| figures.try_into().ok());
    let is_whole = |figure: &f64| *figure >= 0.0 && figure.fract() == 0.0;
    let state = figures
        .filter(|figures| figures.iter().all(is_whole))
        .and_then(|figures| State::of_figures(figures.map(|figure| figure as u64)))
        .ok_or_else(|| Error::new(ErrorCode::Mismatch, "this is no state of a controller"))?;
    Ok(Controller::restore(settings, state))
}

/// A part's plan before its tokens are known: for a second decider, which writes plans of its own.
#[must_use]
pub fn part_plan(kind: PartKind, fate: Fate, reason: Reason) -> PartPlan {
    let (tokens_before, tokens_after, newer_outputs) = (0, 0, None);
    PartPlan {
        kind,
        fate,
        reason,
        pruned_first: false,
        tokens_before,
        tokens_after,
        preview: None,
        newer_outputs,
    }
}

/// The same of a message.
#[must_use]
pub fn message_plan(role: Role, fate: Fate, reason: Reason, parts: Vec<PartPlan>) -> MessagePlan {
    MessagePlan { role, fate, reason, pruned_first: false, tokens_before: 0, tokens_after: 0, parts }
}

/// What stays of the output `text` that is cut, by the figures of [`Preview`]: head, tail, the most, media.
#[must_use]
pub fn preview(text: &str, [head, tail, most, media]: [u32; 4], policy: &Policy) -> String {
    let preview = Preview { head, tail, most, media };
    crate::preview::written(text, &preview, &policy.estimator)
}

/// The plan with passes of live messages, as JSON: `{plan, known, given}`; `None` if the passes change nothing. `given` has an
/// object for each part that gives way: `message`, `part`, and `text`, which is the placeholder of an output, a note or arguments
/// as JSON, or missing where the part is removed. All but outputs have `path`, the way to them in the message. `bodies` is an
/// array with the messages, or `null` for those whose parts need not be found.
///
/// # Errors
///
/// `mismatch` if the texts do not belong to the messages.
pub fn passes(
    transcript: &Transcript,
    (texts, bodies): (&Texts<'_>, &str),
    policy: &Policy,
    options: PlanOptions,
) -> Result<Option<String>, Error> {
    let original = texts.original(transcript)?;
    let document = Document::parse(bodies)?;
    let bodies: Vec<_> = document.root().elements().collect();
    let spots_of =
        |message: usize| bodies.get(message).map(|body| passes::Spots::of(*body)).unwrap_or_default();
    let Some(planned) = passes::planned(original, policy, options, &spots_of) else { return Ok(None) };
    let mut out = Writer::default();
    out.raw("{\"plan\":").raw(&planned.plan.to_json()).raw(",\"known\":");
    match planned.known {
        Some(known) => out.number(known),
        None => out.raw("null"),
    };
    out.raw(",\"given\":[");
    for (index, given) in planned.given.iter().enumerate() {
        passes::write(given, transcript, &spots_of, out.raw(if index == 0 { "" } else { "," }));
    }
    out.raw("]}");
    Ok(Some(out.finish()))
}

/// Whether a policy has passes.
#[must_use]
pub fn has_passes(policy: &Policy) -> bool {
    passes::any(&policy.resolved().prune)
}

/// The plan of a session's passes alone, and the size of the context that they leave, if its messages do not say so; `None` if they
/// change nothing.
#[must_use]
pub fn plan_of_passes(
    session: &SessionText<'_>,
    policy: &Policy,
    options: PlanOptions,
) -> Option<(Plan, Option<u64>)> {
    session.plan_of_passes(policy, options)
}

/// Whether what remains of a pruned output differs from output to output.
#[must_use]
pub fn describes(policy: &Policy) -> bool {
    crate::placeholder::differs(&policy.resolved().prune)
}

/// What remains of a pruned output, without the reference to its call; `None` where that is the bare placeholder. `pruned` are the
/// outputs that leave together, by their indices among the parts, in order.
pub fn remains_of<'t>(
    (policy, transcript): (&Policy, &Transcript),
    pruned: &[usize],
    text_of: &dyn Fn(usize) -> std::borrow::Cow<'t, str>,
    output: usize,
) -> Option<String> {
    Remains::of(&policy.resolved(), transcript, pruned, text_of, crate::summary::outcome).text(output)
}

/// What remains of outputs that are pruned, without the references to their calls; `outputs` are message and part in turn.
///
/// # Errors
///
/// `mismatch` if the texts do not belong to the messages.
pub fn remains(
    transcript: &Transcript,
    texts: &Texts<'_>,
    policy: &Policy,
    outputs: &[u32],
) -> Result<Vec<String>, Error> {
    let original = texts.original(transcript)?;
    let policy = policy.resolved();
    let (outputs, _) = outputs.as_chunks::<2>();
    let index = |[message, part]: &[u32; 2]| transcript.part_range(*message as usize).start + *part as usize;
    let outputs: Vec<usize> = outputs.iter().map(index).collect();
    let mut ordered = outputs.clone();
    sort_by(&mut ordered, &|one, other| one.cmp(other));
    let text_of = |part| original.pieces.text_of(original.source, part);
    let remains = Remains::of(&policy, transcript, &ordered, &text_of, crate::summary::outcome);
    let texts = outputs.iter().map(|index| remains.text(*index));
    Ok(texts.map(|text| text.unwrap_or_else(|| policy.prune.bare_placeholder().to_owned())).collect())
}

/// Says of outputs, by their indices among the transcript's parts, that they must stay as they are.
pub fn seal(session: &mut SessionText<'_>, outputs: &[usize]) {
    for index in outputs {
        session.reading.transcript.seal(*index);
    }
}

/// Gives the parts of a session the tokens that a caller counts, in the unit of [`classes`]: `tokens` says how many a text has, or
/// nothing if that is not known. A part of which that is not known of any text, and one without texts (a file), keeps its length.
pub fn count(session: &mut SessionText<'_>, tokens: &mut dyn FnMut(&str) -> Option<u32>) {
    session.count(tokens);
}

/// The summary that needs no model, as [`SessionText::deterministic_summary`] writes it, without what it carries.
///
/// # Errors
///
/// As there.
pub fn summary_by_rule(session: &SessionText<'_>, plan: &Plan) -> Result<Option<String>, Error> {
    session.summary_by_rule(plan)
}

/// The edits that apply a plan, as [`SessionText::edits`] says, with what only a summary in a live session has.
///
/// # Errors
///
/// As there.
pub fn edits(
    session: &SessionText<'_>,
    plan: &Plan,
    options: &EditOptions,
    telling: Telling<'_>,
) -> Result<Vec<Edit>, Error> {
    session.edits_told(plan, options, telling)
}

/// What a summary has to carry, as [`SessionText::carried`] says, if the messages leave whose flags are set.
#[must_use]
pub fn carried(session: &SessionText<'_>, is_gone: &[bool], pinned: &[usize]) -> Carried {
    crate::summary::carried(session.original(), is_gone, pinned)
}

/// Whether the messages leave the session that a summary replaces.
#[must_use]
pub fn removes(session: &SessionText<'_>) -> bool {
    session.reading.placement.removes()
}

/// Says with which sentences summaries are introduced that are in a session: they are no part of the summaries.
pub fn introduces(session: &mut SessionText<'_>, introductions: &[String]) {
    session.reading.pieces.introductions = introductions.to_vec();
}

/// The roles that a summary in a session may have, and whether the model can answer it.
#[must_use]
pub fn voices(session: &SessionText<'_>) -> (&'static [&'static str], bool) {
    session.reading.placement.voices()
}

/// Adds the messages that the records hold; every message must be complete.
///
/// # Errors
///
/// `mismatch` names the word that is not a valid record. In that case nothing is added.
pub fn extend(session: &mut Session, words: &[u32]) -> Result<(), Error> {
    session.extend(words)
}
