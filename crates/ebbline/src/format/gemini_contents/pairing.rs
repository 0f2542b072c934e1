//! Which result answers which call.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use super::spelling::{id_of, name_of};
use crate::json::Value;

/// Pairs calls and results without ids, by name and order, within the user's next turn.
#[derive(Debug, Default)]
pub(in crate::format) struct Pairing<'d> {
    /// For each name, the keys of the calls that wait for a result, oldest first.
    open: HashMap<Cow<'d, str>, VecDeque<String>>,
    /// The keys of calls without a name.
    nameless: VecDeque<String>,
    made: usize,
    model_spoke: bool,
}

impl<'d> Pairing<'d> {
    /// The model continues: earlier calls without a result are no longer open.
    pub(in crate::format) fn model_speaks(&mut self) {
        if !std::mem::replace(&mut self.model_spoke, true) {
            // Clearing the maps would cost as much as their largest size so far.
            (self.open, self.nameless) = Default::default();
        }
    }

    pub(in crate::format) fn user_speaks(&mut self) {
        self.model_spoke = false;
    }

    /// The key of a call, in place of an id.
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

    /// The key of the call that a result answers; `None` if it answers none.
    pub(in crate::format) fn result(&mut self, response: Value<'d>) -> Option<Cow<'d, str>> {
        id_of(response).or_else(|| self.take(name_of(response).as_deref()))
    }

    /// Closes the oldest open call with this name and returns its key.
    pub(in crate::format) fn take(&mut self, name: Option<&str>) -> Option<Cow<'d, str>> {
        let waiting = name.map_or(Some(&mut self.nameless), |name| self.open.get_mut(name))?;
        waiting.pop_front().map(Cow::Owned)
    }
}
