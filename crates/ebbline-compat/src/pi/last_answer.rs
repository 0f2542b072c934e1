//! The answer that a check examines: what it says about the context, and whether it still applies.

use ebbline::Error;
use ebbline::json::{Text, Value};
use ebbline::notation::javascript::stringify;
use ebbline::overflow::Limits;

use super::Version;
use super::context::Context;
use super::entry::{Entry, EntryKind, Id};
use super::message::{Message, Role};
use super::outcome::Why;
use super::overflow::overflow;
use super::situation::{CurrentModel, Situation};

/// The answer and its entry.
pub(super) struct LastAnswer<'e, 'd> {
    pub(super) value: Value<'d>,
    pub(super) entry: Option<&'e Entry<'d>>,
}

impl<'e, 'd> LastAnswer<'e, 'd> {
    /// The answer that `situation` names, or the last of the live messages.
    pub(super) fn find(
        entries: &'e [Entry<'d>],
        context: &Context<'e, 'd>,
        situation: &Situation<'d>,
        live: &[Message<'d>],
    ) -> Option<Self> {
        let newest = || live.iter().rfind(|message| message.role == Role::Assistant);
        let given = situation.answer.or_else(|| Some(newest()?.value).filter(|_| situation.live.is_some()));
        let Some(value) = given else {
            let newest = newest()?;
            return Some(Self { value: newest.value, entry: entries.get(newest.at) });
        };
        let written = stringify(value);
        let holds_it = |entry: &&&'e Entry<'d>| {
            let message = entry.value.get("message").filter(|_| entry.kind == EntryKind::Message);
            message.is_some_and(|message| stringify(message) == written)
        };
        Some(Self { value, entry: context.path.iter().rfind(holds_it).copied() })
    }

    pub(super) fn stopped_by(&self, reason: &str) -> bool {
        self.value.text_of("stopReason").is_some_and(|stop: Text<'_>| stop.is(reason))
    }

    /// Whether the next request goes to the model that gave it.
    pub(super) fn is_of(&self, model: Option<&CurrentModel<'_>>) -> bool {
        let name = |key| Id::of(self.value.get(key));
        model.is_some_and(|model| model.provider == name("provider") && model.id == name("model"))
    }

    /// Whether the answer shows that the context was too large, and how. For an answer of another model no exception
    /// is raised, because pi does not examine it.
    pub(super) fn failure(
        &self,
        context: &Context<'_, '_>,
        situation: &Situation<'_>,
        version: Version,
    ) -> Result<Option<Why>, Error> {
        let Some(model) = &situation.model else { return Ok(None) };
        let standing = if version.applies_edits() { self.standing(context) } else { Standing::UNTOUCHED };
        let limits = Limits::new(
            Some(model.context_window).filter(|_| standing.is_measured),
            Some(model.max_tokens).filter(|_| standing.is_sent),
        );
        let judged = overflow(self.value, version, limits);
        let judged = if self.is_of(Some(model)) { judged? } else { judged.unwrap_or_default() };
        let is_error = self.stopped_by("error");
        let counts = if is_error { standing.is_retained || standing.is_measured } else { true };
        Ok(match judged.is_context_overflow && counts {
            true if is_error => Some(Why::OverflowError),
            true => Some(Why::SilentOverflow),
            false => judged.is_recoverable_length.filter(|is| *is).map(|_| Why::RecoverableLength),
        })
    }

    /// What happened to the answer in the context since it was given (pi 1.5).
    fn standing(&self, context: &Context<'_, '_>) -> Standing {
        let Some(entry) = self.entry.filter(|entry| entry.id.is_given()) else { return Standing::UNTOUCHED };
        let is_sent = context.entries.iter().any(|sent| {
            sent.entry.id == entry.id && sent.messages.iter().any(|message| message.role == Role::Assistant)
        });
        let mut later = context.path.iter().skip_while(|other| other.id != entry.id).skip(1);
        let edits: Vec<_> = later.clone().filter(|later| later.kind == EntryKind::ContextEdit).collect();
        let is_of_it = |edit: &&&&Entry<'_>| Id::of(edit.value.get("targetId")) == entry.id;
        let own_edit = edits.iter().rfind(is_of_it);
        let is_hidden =
            own_edit.is_some_and(|edit| edit.value.get("replacement").is_some_and(Value::is_null));
        Standing {
            is_sent,
            is_measured: is_sent && edits.is_empty(),
            is_retained: !later.any(|later| later.is_compaction()) && !is_hidden,
        }
    }
}

/// The state of an answer in the context.
struct Standing {
    /// It is sent.
    is_sent: bool,
    /// Its usage describes what is sent.
    is_measured: bool,
    /// Neither a compaction nor an edit removed it.
    is_retained: bool,
}

impl Standing {
    const UNTOUCHED: Self = Self { is_sent: true, is_measured: true, is_retained: true };
}
