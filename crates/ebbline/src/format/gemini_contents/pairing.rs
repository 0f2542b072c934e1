//! Which result answers which call.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use super::part::{id_of, name_of};
use crate::json::Value;

/// Pairs calls and results without ids: by name and order, inside the user's next turn.
#[derive(Debug, Default)]
pub(in crate::format) struct Pairing<'d> {
    /// By name, the keys that stand for the ids of calls that wait for a result, the oldest first.
    open: HashMap<Cow<'d, str>, VecDeque<String>>,
    /// Those of calls without a name.
    nameless: VecDeque<String>,
    made: usize,
    model_spoke: bool,
}

impl<'d> Pairing<'d> {
    /// The model speaks: what it called before it was answered stays open no longer.
    pub(in crate::format) fn model_speaks(&mut self) {
        if !std::mem::replace(&mut self.model_spoke, true) {
            // To clear them would cost as much as there ever were.
            (self.open, self.nameless) = Default::default();
        }
    }

    pub(in crate::format) fn user_speaks(&mut self) {
        self.model_spoke = false;
    }

    /// What stands for the id of a call.
    pub(in crate::format) fn call(&mut self, call: Value<'d>) -> Cow<'d, str> {
        if let Some(id) = id_of(call) {
            return id;
        }
        self.made += 1;
        let key = format!("call without id {}", self.made);
        name_of(call)
            .map_or(&mut self.nameless, |name| self.open.entry(name).or_default())
            .push_back(key.clone());
        Cow::Owned(key)
    }

    /// What stands for the id of a result; `None` when it answers no call.
    pub(in crate::format) fn result(&mut self, response: Value<'d>) -> Option<Cow<'d, str>> {
        id_of(response).or_else(|| self.take(name_of(response).as_deref()))
    }

    /// The oldest open call of this name; it is answered now.
    pub(in crate::format) fn take(&mut self, name: Option<&str>) -> Option<Cow<'d, str>> {
        let waiting = name.map_or(Some(&mut self.nameless), |name| self.open.get_mut(name))?;
        waiting.pop_front().map(Cow::Owned)
    }
}
