//! Which result answers which call.

use std::borrow::Cow;

use super::part::{id_of, name_of};
use crate::json::Value;

/// Pairs calls and results without ids: by name and order, inside the user's next turn (formats.md, section 9).
#[derive(Debug, Default)]
pub(in crate::format) struct Pairing<'d> {
    /// The names of the calls that wait for a result, and the keys that stand for their ids.
    open: Vec<(Option<Cow<'d, str>>, String)>,
    made: usize,
    model_spoke: bool,
}

impl<'d> Pairing<'d> {
    /// The model speaks: what it called before it was answered stays open no longer.
    pub(in crate::format) fn model_speaks(&mut self) {
        if !std::mem::replace(&mut self.model_spoke, true) {
            self.open.clear();
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
        self.open.push((name_of(call), key.clone()));
        Cow::Owned(key)
    }

    /// What stands for the id of a result; `None` when it answers no call.
    pub(in crate::format) fn result(&mut self, response: Value<'d>) -> Option<Cow<'d, str>> {
        id_of(response).or_else(|| self.take(name_of(response).as_deref()))
    }

    /// The oldest open call of this name; it is answered now.
    pub(in crate::format) fn take(&mut self, name: Option<&str>) -> Option<Cow<'d, str>> {
        let at = self.open.iter().position(|(called, _)| called.as_deref() == name)?;
        Some(Cow::Owned(self.open.remove(at).1))
    }
}
