//! What is most likely a mistake of the caller, said once.

use std::rc::Rc;

use ebbline::controller::{Notice, filled};
use ebbline::json::Document;

use super::work::Work;
use crate::live::Text;

/// So many beginnings of other sessions are remembered.
const MOST_BEGINNINGS: usize = 8;

/// What was said already, and what the sessions began with that the compactor has served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    is_wanted: bool,
    said: Vec<Notice>,
    beginnings: Vec<Rc<str>>,
}

impl Notices {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }
}

impl Work {
    /// Says it, unless it was said before or nobody wants to hear it.
    pub(super) fn notice(&mut self, notice: Notice, figures: &[(&str, &str)]) {
        if self.notices.is_wanted && !self.notices.said.contains(&notice) {
            self.notices.said.push(notice);
            self.told.notice(notice, &filled(notice.sentence(), figures));
        }
    }

    /// What the history begins with, behind its system prompt.
    pub(super) fn beginning(&self) -> Option<Rc<str>> {
        let first = self.view.history().iter().find(|text| !is_system(text));
        first.map(|text| Rc::clone(&text.words))
    }

    /// Says that the first `keep` of `known` messages were left of a history that began with `before`.
    pub(super) fn edited(&mut self, before: Option<Rc<str>>, keep: usize, known: usize) {
        let kept = if self.view.history().iter().take(keep).all(is_system) { 0 } else { keep };
        self.told.edited(kept, known, self.view.sent().len());
        if kept > 0 {
            return;
        }
        let comes_back = self.beginning().is_some_and(|now| self.notices.beginnings.contains(&now));
        if let Some(before) = before.filter(|_| self.notices.beginnings.len() < MOST_BEGINNINGS) {
            self.notices.beginnings.push(before);
        }
        let notice = if comes_back { Notice::TwoSessions } else { Notice::Replaced };
        self.notice(notice, &[("known", &known.to_string())]);
    }

    /// Says what is odd about the limits of the model.
    pub(super) fn look_at_limits(&mut self) {
        if !self.notices.is_wanted {
            return;
        }
        let model = &self.live.policy().model;
        let [context, output] =
            [model.context, model.output].map(|limit| limit.map_or(0, |limit| limit.get()));
        let figures = (context.to_string(), output.to_string());
        let figures = [("window", figures.0.as_str()), ("output", figures.1.as_str())];
        if !self.limits.is_model_known() {
            self.notice(Notice::NoModel, &figures);
        } else if context == 0 {
            self.notice(Notice::NoWindow, &figures);
        } else if output >= context {
            self.notice(Notice::LargeOutput, &figures);
        }
    }
}

fn is_system(text: &Text) -> bool {
    Document::parse(&text.words).is_ok_and(|document| ebbline::binding::seen::is_system(document.root()))
}
