//! What is most likely a mistake of the caller.

use std::sync::Arc;

use ebbline::controller::Notice;
use ebbline::json::Document;

use super::state::State;
use crate::event::Event;
use crate::texts::MessageText;

/// So many beginnings of other sessions are remembered.
const MOST_BEGINNINGS: usize = 8;

impl State {
    /// Says so if more is sent than the window takes, and what is odd about the limits of the model.
    pub(crate) fn warn(&mut self) {
        self.look_at_limits();
        let (course, mut seen) = self.course();
        if let Some((tokens, window)) = course.over_window(&mut seen) {
            self.events.tell(Event::OverWindow { tokens, window });
        }
    }

    /// What the history begins with, behind its system prompt.
    pub(super) fn beginning(&self) -> Option<Arc<str>> {
        let first = self.view.history().iter().find(|text| !is_system(text));
        first.map(|text| Arc::clone(&text.json))
    }

    /// Says that the first `keep` of `known` messages were left of a history that began with `before`.
    pub(super) fn edited(&mut self, before: Option<Arc<str>>, keep: usize, known: usize) {
        let kept = if self.view.history().iter().take(keep).all(is_system) { 0 } else { keep };
        self.events.tell(Event::Edited { messages: self.view.sent().len(), kept, known });
        if kept > 0 {
            return;
        }
        let comes_back = self.beginning().is_some_and(|now| self.beginnings.contains(&now));
        if let Some(before) = before.filter(|_| self.beginnings.len() < MOST_BEGINNINGS) {
            self.beginnings.push(before);
        }
        let notice = if comes_back { Notice::TwoSessions } else { Notice::Replaced };
        self.events.notice(notice, &[("known", &known.to_string())]);
    }

    /// Says what is odd about the limits of the model.
    fn look_at_limits(&mut self) {
        if !self.events.has_notices() {
            return;
        }
        let model = &self.live.policy().model;
        let [context, output] =
            [model.context, model.output].map(|limit| limit.map_or(0, |limit| limit.get()));
        let figures = (context.to_string(), output.to_string());
        let figures = [("window", figures.0.as_str()), ("output", figures.1.as_str())];
        if !self.options.policy.is_model_known() {
            self.events.notice(Notice::NoModel, &figures);
        } else if context == 0 {
            self.events.notice(Notice::NoWindow, &figures);
        } else if output >= context {
            self.events.notice(Notice::LargeOutput, &figures);
        }
    }
}

fn is_system(text: &MessageText) -> bool {
    Document::parse(&text.json).is_ok_and(|document| ebbline::binding::seen::is_system(document.root()))
}
