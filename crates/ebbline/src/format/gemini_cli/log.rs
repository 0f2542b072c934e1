//! The log of a session, in which messages are rewritten, rewound and replaced.

use std::collections::HashMap;

use super::super::marker::MarkerKind;
use super::super::recorder::Recorder;
use super::super::source::Source;
use crate::json::Value;

/// A message, and whether it is still part of the session at the end of the log.
#[derive(Clone, Copy)]
pub(super) struct Entry<'d> {
    pub(super) message: Value<'d>,
    pub(super) active: bool,
}

/// A message by its id.
struct Written<'d> {
    id: String,
    entry: Entry<'d>,
}

/// The messages at the end of the log, in order, each in its last version; and among them, in their place, the
/// messages that were rewound or replaced.
pub(super) fn entries<'d>(source: &'d Source<'_>, recorder: &mut Recorder) -> Vec<Entry<'d>> {
    let mut log = Log::default();
    for line in source.values() {
        if let Some(id) = line.text_of("$rewindTo") {
            log.rewind(&id.decode());
            recorder.mark(MarkerKind::Rewind, "$rewindTo", line.span());
        } else if let Some(id) = line.text_of("id") {
            log.write(&id.decode(), line);
        } else if let Some(set) = line.get("$set").filter(|set| set.is_object()) {
            if let Some(messages) = set.get("messages").filter(|messages| messages.is_array()) {
                log.rewind_all();
                log.write_all(messages);
            }
        } else if line.text_of("sessionId").is_some() && line.text_of("projectHash").is_some() {
            log.write_all_of(line);
        }
    }
    log.finish()
}

#[derive(Default)]
struct Log<'d> {
    written: Vec<Written<'d>>,
    /// The position of the newest message with each id.
    newest: HashMap<String, usize>,
}

impl<'d> Log<'d> {
    /// Writes a message, replacing the one with its id if that is still part of the session.
    fn write(&mut self, id: &str, message: Value<'d>) {
        let entry = Entry { message, active: true };
        let known = self.newest.get(id).and_then(|at| self.written.get_mut(*at));
        if let Some(known) = known.filter(|known| known.entry.active) {
            known.entry = entry;
            return;
        }
        self.newest.insert(id.to_owned(), self.written.len());
        self.written.push(Written { id: id.to_owned(), entry });
    }

    fn write_all(&mut self, messages: Value<'d>) {
        for message in messages.elements() {
            if let Some(id) = message.text_of("id") {
                self.write(&id.decode(), message);
            }
        }
    }

    fn write_all_of(&mut self, record: Value<'d>) {
        if let Some(messages) = record.get("messages") {
            self.write_all(messages);
        }
    }

    /// Rewinds to before the message `id`; if there is no such message, removes all messages.
    fn rewind(&mut self, id: &str) {
        let found = self.newest.get(id).copied();
        let first = found.filter(|at| self.written.get(*at).is_some_and(|known| known.entry.active));
        for written in self.written.iter_mut().skip(first.unwrap_or(0)) {
            written.entry.active = false;
        }
    }

    fn rewind_all(&mut self) {
        for written in &mut self.written {
            written.entry.active = false;
        }
    }

    /// Drops earlier versions of messages that were rewritten.
    fn finish(self) -> Vec<Entry<'d>> {
        let Self { written, newest } = self;
        let is_newest = |at: usize, written: &Written<'_>| newest.get(&written.id) == Some(&at);
        let entries = written.iter().enumerate().filter(|(at, written)| is_newest(*at, written));
        entries.map(|(_, written)| written.entry).collect()
    }
}
