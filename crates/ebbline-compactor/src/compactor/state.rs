//! The state of a compactor. The files beside this one are what it does.

use std::collections::HashSet;
use std::sync::Arc;

use ebbline::controller::Reports;
use ebbline::{ReadOptions, binding};

use super::pending::{BackgroundSummary, HeldPasses, NextCall, Planned, Waiting};
use crate::course::Course;
use crate::error::CompactorError;
use crate::event::{Event, Events};
use crate::options::{Author, Options};
use crate::overflow::Refusal;
use crate::record::Record;
use crate::step::RequestInfo;
use crate::texts::{LiveMessages, TokenCounts};
use crate::view::View;

/// A compactor: what it was made with, the messages, and what is under way.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(super) options: Options,
    pub(super) live: LiveMessages,
    pub(super) view: View,
    /// What decides.
    pub(super) course: Course,
    /// What the call is about that is running.
    pub(super) info: RequestInfo,
    /// The plan that the course has seen last.
    pub(super) planned: Option<Planned>,
    pub(super) waiting: Option<Waiting>,
    /// A summary that is written while the agent goes on.
    pub(super) background: Option<BackgroundSummary>,
    /// What passes did in the call that is running.
    pub(super) held: Option<HeldPasses>,
    /// The keys of what is in the caller's store, if there is one.
    pub(super) stored: Option<HashSet<String>>,
    /// The record of an earlier compactor, as long as the history is not known.
    pub(super) record: Option<Record>,
    /// Where each message of a history that a record made whole stands in what was given.
    pub(super) restored: Option<Vec<Option<usize>>>,
    pub(super) next_call: NextCall,
    /// What the provider's refusal says that the next recovery is about.
    pub(super) refusal: Option<Refusal>,
    pub(super) events: Events,
    /// What the sessions began with that the compactor has served.
    pub(super) beginnings: Vec<Arc<str>>,
}

impl State {
    /// # Errors
    ///
    /// As [`Options::from_json`]; `mismatch` if the record's figures are none of a controller.
    pub(crate) fn new(mut options: Options) -> Result<Self, CompactorError> {
        let source = options.policy.with(options.author != Author::Nobody, options.is_counted);
        let policy = source.policy()?;
        options.policy = source;
        let record = options.record.take();
        let figures = record.as_ref().map_or(&[][..], |record| &record.controller);
        let controller = binding::controller_of(options.controller, figures)?;
        options.format.map_or(Ok(()), |format| options.introduction.check(format))?;
        let reading =
            ReadOptions::new().format(options.format).placeholder(policy.prune.bare_placeholder().to_owned());
        let reports = Reports::new(options.overhead, record.as_ref().and_then(|record| record.overhead));
        let writers = (options.author, options.fallback);
        let course = Course::new((options.controller, controller), writers, options.trigger.take(), reports);
        let introductions = options.introduction.all_known();
        let counts = TokenCounts::new(options.is_counted);
        let mut state = Self {
            live: LiveMessages::new(policy, reading).keeping(
                std::mem::take(&mut options.pins),
                introductions,
                counts,
            ),
            view: View::default(),
            course,
            info: RequestInfo::new(),
            planned: None,
            waiting: None,
            background: None,
            held: None,
            stored: options.has_store.then(HashSet::new),
            record,
            restored: None,
            next_call: NextCall::default(),
            refusal: None,
            events: Events::new(options.has_notices),
            beginnings: Vec::new(),
            options,
        };
        state.remember()?;
        Ok(state)
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// What happened since the last call.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        self.events.take()
    }

    /// What the caller counted.
    pub(crate) fn counts(&self) -> &TokenCounts {
        self.live.counts()
    }

    pub(crate) fn answered(&mut self) {
        self.course.answered();
    }
}
