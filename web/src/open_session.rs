//! One open session, which answers requests about it. It lives in a worker, which takes a [`Request`](crate::question::Request) and returns an
//! [`Answer`](crate::question::Answer).

use std::cell::{OnceCell, RefCell};

use ebbline::plan::{Decision, MessagePlan, Source};
use ebbline::policy::Measure;
use ebbline::replay::History;
use ebbline::{PlanOptions, Policy, Session};

use crate::content::Content;
use crate::drawn_plan::DrawnPlan;
use crate::export::{self, ExportKind, Exported, Theme};
use crate::figures::{Figures, Size};
use crate::fills::{self, Files, Fill};
use crate::knob::Knob;
use crate::lever;
use crate::life::Life;
use crate::life_words;
use crate::opening::{self, KeptLife, Opening};
use crate::overview::{Rows, tools};
use crate::question::Line;
use crate::readable;
use crate::verdict;
use crate::view::{At, View, with_usage_of};

/// An open session with its text.
#[derive(Debug)]
pub struct OpenSession<C> {
    content: C,
    /// The context's size under the default profile; computed at most once, because no setting changes it.
    size_by_default: OnceCell<u64>,
    /// What is planned for the session as its file holds it, so that a knob costs no walk over all messages.
    session: RefCell<Option<Session>>,
    /// The messages in the order in which they were sent; read when they are first needed.
    history: OnceCell<History<'static>>,
    /// The files that calls name; found when they are first needed.
    files: OnceCell<Files>,
    /// The life that was asked for last.
    kept: RefCell<Option<KeptLife>>,
    /// The context window that shows this session best, if it is a sample that has one.
    window: Option<u64>,
}

impl<C: Content> OpenSession<C> {
    /// Opens `content`.
    pub fn new(content: C) -> Self {
        Self {
            content,
            size_by_default: OnceCell::new(),
            session: RefCell::default(),
            history: OnceCell::new(),
            files: OnceCell::new(),
            kept: RefCell::default(),
            window: None,
        }
    }

    /// Opens with this context window instead of a larger one, unless the user wants the policy's own.
    pub fn with_window(self, window: Option<u64>) -> Self {
        Self { window, ..self }
    }

    /// The session and its text.
    pub fn content(&self) -> &C {
        &self.content
    }

    /// Replays the life under `policy`, and says where the session opens. With `fit`, a session that never fills the
    /// window may be shown with a smaller one.
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
    pub(crate) fn export_shown(
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
    pub fn plan(&self, policy: &Policy, force: bool) -> DrawnPlan {
        self.plan_at(policy, force, None)
    }

    /// The plan under `policy`, laid out for drawing.
    pub fn plan_at(&self, policy: &Policy, force: bool, at: Option<&At>) -> DrawnPlan {
        let mut planned = self.with_view(at, policy, |view| {
            self.with_session(view, policy, |session| {
                let mut planned = self.drawn((view, session), policy, force, |_, _| ());
                let tried = lever::tried(session, view.options(force), policy, &planned.figures);
                planned.said = verdict::said(&planned.figures, policy, &tried);
                planned
            })
        });
        let before = at.and_then(|at| {
            let found = |life: &Life| life.found.get(at.request as usize).copied();
            Some((at.history.profile.as_str(), u64::from(self.with_life(&at.history, found)?)))
        });
        if let Some((name, found)) = before.filter(|(_, found)| *found != planned.figures.total_before()) {
            planned.said.details.push(verdict::other_size(name, found));
        }
        planned
    }

    /// Calls `then` with the messages of `view` as a session that can be planned.
    fn with_session<T>(&self, view: &View<'_>, policy: &Policy, then: impl FnOnce(&mut Session) -> T) -> T {
        let mut own = None;
        let mut kept = self.session.borrow_mut();
        let place = if view.is_moment() { &mut own } else { &mut *kept };
        then(place.get_or_insert_with(|| Session::of(view.transcript().clone(), policy)))
    }

    /// The plan as it is drawn; `each` sees every message of it. At a moment, the usage on which the policy decides is the
    /// replay's own estimate, and is called one.
    pub(crate) fn laid_out(
        &self,
        view: &View<'_>,
        policy: &Policy,
        force: bool,
        each: impl FnMut(usize, &MessagePlan),
    ) -> DrawnPlan {
        self.with_session(view, policy, |session| self.drawn((view, session), policy, force, each))
    }

    fn drawn(
        &self,
        (view, session): (&View<'_>, &mut Session),
        policy: &Policy,
        force: bool,
        each: impl FnMut(usize, &MessagePlan),
    ) -> DrawnPlan {
        let size = |session: &mut Session, decision: &Decision| self.size((view, session), policy, decision);
        let mut planned = DrawnPlan::new((view, session), policy, force, size, each);
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

    /// How large the context is before anything is pruned or summarized.
    fn size(&self, (view, session): (&View<'_>, &mut Session), policy: &Policy, decision: &Decision) -> Size {
        let (measured, source) = measured(session, view.options(false), policy, decision);
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
    pub fn fills(&self, policy: &Policy, at: Option<&At>) -> Vec<Vec<Fill>> {
        let transcript = self.content.transcript();
        let files = self.files.get_or_init(|| Files::of(&self.content));
        fills::groups(&self.plan_at(policy, false, at), (&Rows::of(transcript), &tools(transcript)), files)
            .into()
    }

    /// The messages whose text contains `text`, ignoring the case of ASCII letters.
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
    session: &mut Session,
    options: PlanOptions,
    policy: &Policy,
    decision: &Decision,
) -> (u64, Source) {
    let anchored = decision.prune.applied && policy.trigger.measure == Measure::Anchored;
    if anchored {
        let mut idle = policy.clone();
        (idle.prune.enabled, idle.retain.enabled) = (false, false);
        session.set_policy(&idle);
        let trigger = session.decide(options).trigger;
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
mod tests;
