//! The work of a compactor: what the controller says is carried out on the view.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use ebbline::controller::{Answer as Came, Controller, Facts, Obstacle, Reports, Step, Trigger, filled};
use ebbline::plan::{Decision, Source, Verdict};
use ebbline::summary::{Acceptance, SummaryOptions};
use ebbline::{Error, binding};

use super::background::{Background, Meanwhile};
use super::carrying::{Task, Waiting};
use super::cause::Cause;
use super::introduction::Introduction;
use super::notices::Notices;
use super::parts::Chunks;
use super::record::{self, Record};
use super::refusal::{Learnt, Refusal};
use super::settings::{Author, Fallback, Limits, Settings};
use super::size::{excess, reclaimed_by, size_of};
use super::told::Told;
use super::view::View;
use crate::bindings::api::Failure;
use crate::counts::Counts;
use crate::failure::{failure, invalid};
use crate::live::{Live, Text};

/// What a call is about that is made before a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Due {
    /// What a summary has to say most about.
    pub(crate) focus: Option<String>,
    /// How many milliseconds ago the last request was.
    pub(crate) idle: Option<u64>,
    /// The time in milliseconds since 1970.
    pub(crate) now: Option<u64>,
}

/// A compactor.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: every combination occurs")]
pub(crate) struct Work {
    pub(super) live: Live,
    /// What makes the policy of a model, and the model that the caller named last.
    pub(super) limits: Limits,
    pub(super) view: View,
    pub(super) controller: Controller,
    /// What requests showed of what is sent beside the messages, and of the error of their estimate.
    pub(super) reports: Reports,
    pub(super) author: Author,
    pub(super) fallback: Fallback,
    pub(super) accept: Acceptance,
    pub(super) summaries: SummaryOptions,
    pub(super) introduction: Introduction,
    trigger: Option<Trigger>,
    is_auto: bool,
    pub(super) is_asked: bool,
    has_originals: bool,
    pub(super) waiting: Option<Waiting>,
    /// The keys of what is in the caller's store, if there is one.
    pub(super) stored: Option<HashSet<String>>,
    pub(super) meanwhile: Meanwhile,
    pub(super) chunks: Chunks,
    /// A summary that is written while the agent goes on.
    pub(super) background: Option<Background>,
    /// The record of an earlier compactor, as long as the history is not known.
    pub(super) record: Option<Record>,
    /// Where each message of a history that a record made whole stands in what was given.
    restored: Option<Vec<Option<usize>>>,
    /// Known messages that the next call takes as they are now, by their index in the history.
    renewed: HashMap<usize, Text>,
    /// The pins that mean messages which the next call adds, by their index in the history.
    meant: HashMap<usize, u64>,
    /// Whether the messages report usage themselves.
    pub(super) is_reported: bool,
    /// What the provider's refusal says that the next recovery is about.
    pub(super) refusal: Option<Refusal>,
    /// The window that a refusal taught.
    pub(super) learnt: Option<Learnt>,
    pub(super) told: Told,
    pub(super) notices: Notices,
}

impl Work {
    /// # Errors
    ///
    /// `mismatch` if the record's figures are none of a controller.
    pub(crate) fn new(settings: Settings) -> Result<Self, Failure> {
        let figures = settings.record.as_ref().map_or(&[][..], |record| &record.controller);
        let controller = binding::controller_of(settings.controller, figures)?;
        settings.reading.format.map_or(Ok(()), |format| settings.introduction.check(format))?;
        let live = Live::new(settings.policy, settings.reading);
        Ok(Self {
            live: live.keeping(settings.pins, settings.introduction.known(), settings.counts),
            limits: settings.limits,
            view: View::default(),
            controller,
            reports: settings.reports,
            author: settings.author,
            fallback: settings.fallback,
            accept: settings.accept,
            summaries: settings.summaries,
            introduction: settings.introduction,
            trigger: settings.trigger,
            is_auto: settings.controller.auto,
            is_asked: settings.is_asked,
            has_originals: settings.has_originals,
            waiting: None,
            stored: settings.has_store.then(HashSet::new),
            meanwhile: settings.meanwhile,
            chunks: settings.chunks,
            background: None,
            record: settings.record,
            restored: None,
            renewed: HashMap::new(),
            meant: HashMap::new(),
            is_reported: false,
            refusal: None,
            learnt: None,
            told: Told::default(),
            notices: Notices::new(settings.has_notices),
        })
        .and_then(|mut work: Self| {
            work.remember()?;
            Ok(work)
        })
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// What is sent, as JSON.
    pub(crate) fn sent(&self) -> String {
        self.view.to_json()
    }

    /// What happened since the last call, as JSON.
    pub(crate) fn told(&mut self) -> String {
        self.told.take()
    }

    /// What the caller counted.
    pub(crate) fn counts(&self) -> &Counts {
        self.live.counts()
    }

    /// Forgets which messages of the next call pins mean: it was given up.
    pub(crate) fn forget_meant(&mut self) {
        self.meant.clear();
    }

    pub(crate) fn answered(&mut self) {
        self.controller.answered();
    }

    /// Says which of the messages that the next call adds a pin means.
    pub(crate) fn pin(&mut self, rule: u32, messages: &[u32]) -> Result<(), Error> {
        if !self.live.pins().is_of_messages(rule as usize) {
            return Err(invalid(format!("pin {rule} is none that goes by messages")));
        }
        for message in messages {
            *self.meant.entry(*message as usize).or_default() |= 1 << rule;
        }
        Ok(())
    }

    /// Says how known messages are written now, for the next call.
    pub(crate) fn renew(&mut self, indices: &[u32], messages: Vec<Text>) {
        self.renewed = indices.iter().map(|index| *index as usize).zip(messages).collect();
    }

    /// Takes the history: its first `keep` known messages, and new ones. Returns whether something in it is new.
    pub(crate) fn take(&mut self, keep: usize, added: Vec<Text>) -> Result<bool, Failure> {
        self.cancel();
        self.restored = None;
        let meant = std::mem::take(&mut self.meant);
        let known = self.view.log();
        if keep > known {
            let message = format!("the first {keep} messages are said to be known, and {known} are");
            return Err(failure("mismatch", message));
        }
        let meant_at = |at: usize| meant.get(&(keep + at)).copied().unwrap_or(0);
        let text = |(at, text): (usize, Text)| Text { meant: meant_at(at), ..text };
        let added: Vec<Text> = added.into_iter().enumerate().map(text).collect();
        if let Some(record) = self.record.take() {
            return self.restore(&record, &added).inspect_err(|_| self.record = Some(record));
        }
        let renewed = std::mem::take(&mut self.renewed);
        let is_renewed = !renewed.is_empty();
        if is_renewed {
            let with_pins = |(message, text): (usize, Text)| {
                let meant = self.view.history().get(message).map_or(0, |known| known.meant);
                (message, Text { meant, ..text })
            };
            let renewed = renewed.into_iter().map(with_pins).collect();
            self.view.renew(&renewed);
        }
        let is_edited = keep < known;
        let before = if is_edited { self.beginning() } else { None };
        if is_renewed && !is_edited {
            self.live.renew(self.view.texts())?;
        }
        if is_edited {
            self.reports.sees_all();
            self.view.cut(keep);
            self.live.replace(self.view.texts())?;
        }
        self.live.push(added.clone())?;
        self.view.add(&added);
        self.check_introduction()?;
        if is_edited {
            self.rebase();
            self.edited(before, keep, known);
        }
        Ok(is_edited || !added.is_empty())
    }

    /// Makes the changes of a record again. If it does not fit, nothing is changed.
    fn restore(&mut self, record: &Record, history: &[Text]) -> Result<bool, Failure> {
        let restored = record.restored(history)?;
        self.live.replace(restored.view.texts())?;
        self.live.count_all(&restored.view)?;
        self.view = restored.view;
        self.restored = restored.log;
        self.check_introduction()?;
        Ok(true)
    }

    fn check_introduction(&self) -> Result<(), Error> {
        self.live.format().map_or(Ok(()), |format| self.introduction.check(format))
    }

    /// The history that a record made whole, as JSON: a number is the index of a message that the last call gave, and
    /// `{"message": ..}` is one that the record had.
    pub(crate) fn restored(&self) -> Option<String> {
        let places = self.restored.as_ref()?;
        let log = self.view.history();
        let entries =
            places.iter().zip(log).map(|(place, text)| (*place, place.is_none().then_some(&*text.words)));
        Some(crate::changes::view(entries))
    }

    /// The whole output of a call, by its id or by the reference that stands in place of the output.
    pub(crate) fn recall(&self, id: &str) -> Result<Option<String>, Failure> {
        if self.view.log() == 0 {
            return Ok(None);
        }
        let whole = self.live.whole_of(self.view.history())?;
        // Where ids repeat, a reference leads to what stood at its place.
        let there = self.view.place_of(id).and_then(|place| binding::output_in(&whole.session, id, place));
        Ok(there.or_else(|| whole.session.output_of_call(id).map(|output| output.text.into_owned())))
    }

    /// What was decided, as JSON.
    pub(crate) fn record(&self) -> String {
        if let Some(record) = &self.record {
            return record.source.clone();
        }
        let figures = binding::controller_figures(&self.controller);
        record::write(&self.view, &figures, self.reports.overhead(None), self.learnt, self.has_originals)
    }

    pub(crate) fn decide(&mut self, idle: Option<u64>) -> Decision {
        let options = self.asked(false, idle);
        self.live.decide(options)
    }

    /// Compacts before a request if the context is full, or if the caller's own trigger holds.
    pub(super) fn fit(&mut self, due: Due) -> Result<Option<String>, Failure> {
        let Due { idle, now, .. } = due;
        let mut quick = self.decide(idle);
        let cautious = self.cautious(&quick);
        self.sends();
        self.is_reported = quick.trigger.source == Source::Reported;
        if self.is_reported {
            self.reports.covers_sent();
        }
        let may_decide = self.is_auto && self.background.is_none() && !self.controller.state().held;
        if may_decide && excess(&quick, 0).is_some() {
            self.refuse_head(&quick)?;
            quick = self.decide(idle);
        }
        let mut options = self.asked(false, idle);
        if may_decide && !quick.trigger.fires && cautious.is_some() {
            let unsure = options.known_tokens(cautious);
            let decision = self.live.decide(unsure);
            // What may be too large is no reason to give up.
            if decision.verdict != Verdict::Refuse {
                (options, quick) = (unsure, decision);
            }
        }
        if !may_decide || !is_pressing(&quick) {
            return match self.controller.before_request(&quick) {
                Step::GiveUp => Err(self.obstacle()),
                _ if may_decide => self.triggered(&quick, due),
                _ => Ok(None),
            };
        }
        let (whole, plan) = self.live.planned(options)?;
        let task = Task { whole, plan, cause: Cause::Full, now, options };
        let step = self.controller.before_request(&task.plan.decision);
        // Nobody is asked for a summary now, although one is wanted.
        let lacks = matches!(step, Step::Send | Step::Prune) && task.plan.decision.retain.applied;
        if lacks
            && self.author != Author::Nobody
            && let ControlFlow::Break(asked) = self.go_on_without(&task, false)?
        {
            return Ok(asked);
        }
        if step == Step::Send && !task.plan.changes_something() {
            return self.triggered(&task.plan.decision, due);
        }
        self.carry_out(step, task, due.focus)
    }

    /// The size to decide by where the context may not fit by the provider's count.
    pub(super) fn cautious(&mut self, decision: &Decision) -> Option<u64> {
        let (certain, window) = (self.live.estimates().1, self.window());
        let threshold = decision.trigger.threshold;
        self.reports.cautious(size_of(decision), reclaimed_by(decision), certain, window, threshold)
    }

    /// Takes down what is sent now.
    pub(super) fn sends(&mut self) {
        let (estimate, certain) = self.live.estimates();
        self.reports.sends(estimate, certain);
    }

    /// Compacts if the caller's own trigger holds.
    fn triggered(
        &mut self,
        decision: &Decision,
        Due { focus, idle, now }: Due,
    ) -> Result<Option<String>, Failure> {
        let Some(trigger) = &self.trigger else { return Ok(None) };
        let mut facts = Facts::default();
        facts.tokens = decision.tokens_before;
        facts.window = decision.trigger.context.map(|context| context.get());
        facts.messages = self.view.sent().len() as u64;
        facts.turns = self.live.turns() as u64;
        facts.idle = idle;
        facts.left = self.view.done().last().map(|change| change.about.tokens_after);
        if !trigger.holds(&facts) {
            return Ok(None);
        }
        let options = self.asked(true, idle);
        let (whole, plan) = self.live.planned(options)?;
        let step = self.controller.compact_now(&plan.decision);
        self.carry_out(step, Task { whole, plan, cause: Cause::Triggered, now, options }, focus)
    }

    /// After an overflow, or when somebody asks.
    pub(crate) fn forced(
        &mut self,
        cause: Cause,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        if self.view.log() == 0 {
            return Err(failure("no_messages", "there are no messages to compact"));
        }
        self.drop_summary();
        if cause == Cause::Overflow {
            self.reports.sees_all();
            if let Some(refusal) = self.refusal.take() {
                if refusal.is_of_media {
                    return self.without_images(focus, now);
                }
                self.learn(refusal.named)?;
            }
        }
        let options = self.asked(true, None);
        let (whole, plan) = self.live.planned(options)?;
        let step = match cause {
            Cause::Overflow => self.controller.after_overflow(&plan.decision),
            _ => self.controller.compact_now(&plan.decision),
        };
        self.carry_out(step, Task { whole, plan, cause, now, options }, focus)
    }

    /// The caller cancelled what it was asked for and has to wait for, if it was asked.
    pub(crate) fn cancel(&mut self) {
        self.stop_waiting();
        let (is_summary, cause) = match self.waiting.take() {
            Some(Waiting::Summary(task, _)) => (true, task.cause),
            Some(Waiting::Permission { step, task, .. }) => (step == Step::Summarise, task.cause),
            Some(Waiting::Store(storing)) => (false, storing.cause()),
            None => return,
        };
        if is_summary {
            // It is waited for, so there is no other answer than a step that needs nothing.
            let _ = self.answer_controller(Came::Cancelled);
        }
        self.recovered_from_nothing(cause);
    }

    /// What was cancelled, or failed in the caller's own code: if an overflow was its cause, the next one is the first one.
    pub(super) fn recovered_from_nothing(&mut self, cause: Cause) {
        if cause == Cause::Overflow {
            self.controller.answered();
        }
    }

    /// Takes the newest compaction back, or makes it again.
    pub(crate) fn turn(&mut self, is_redo: bool) -> Result<bool, Error> {
        self.cancel();
        self.drop_summary();
        if !(if is_redo { self.view.redo() } else { self.view.undo() }) {
            return Ok(false);
        }
        self.reports.sees_all();
        self.live.replace(self.view.texts())?;
        // As long as a compaction is taken back, nothing is decided unasked: it could not be made again.
        if !is_redo {
            self.controller.undone();
        } else if !self.view.can_redo() {
            self.controller.redone();
        }
        self.controller.answered();
        self.told.turned(is_redo, self.view.sent().len());
        Ok(true)
    }

    pub(super) fn answer_controller(&mut self, came: Came) -> Result<Step, Failure> {
        let number = self.controller.state().asked;
        Ok(self.controller.answer(number, came)?)
    }

    /// A sentence with the figures of what would be sent now.
    fn in_figures(&mut self, sentence: &str) -> String {
        let decision = self.decide(None);
        let window = decision.trigger.context.map_or_else(String::new, |window| window.to_string());
        let overhead = decision.trigger.overhead.unwrap_or(0).to_string();
        let tokens = size_of(&decision).to_string();
        filled(sentence, &[("window", &window), ("overhead", &overhead), ("tokens", &tokens)])
    }

    /// Why the controller gave up.
    pub(super) fn obstacle(&mut self) -> Failure {
        let obstacle = self.controller.obstacle().unwrap_or(Obstacle::NothingToCompact);
        // Nothing was compacted, so the next overflow is the first one.
        if obstacle == Obstacle::NoSummary {
            self.controller.answered();
        }
        let error = failure(obstacle.as_str(), self.in_figures(obstacle.sentence()));
        self.told.gave_up(&error);
        error
    }
}

/// Whether the context may need something, so that the whole of it is read.
fn is_pressing(decision: &Decision) -> bool {
    decision.changes_something() || decision.trigger.fires
}
