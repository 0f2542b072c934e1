//! For the tests of readers: what was read, in one line, and the text after pruning.

use super::Format;
use crate::edit;
use crate::format::Clearing;
use crate::marks::PLACEHOLDER;
use crate::session_text::{ReadOptions, SessionText};
use crate::transcript::{Message, Output, Part, PartKind, Role, Turn};

fn session(text: &str, format: Format) -> SessionText<'static> {
    SessionText::read_with(text.to_owned(), &ReadOptions { format: Some(format), ..ReadOptions::default() })
        .unwrap()
}

/// The messages of `text`, each a role (`s`ystem, `u`ser, `a`nswer, `t`ool, `o`ther) with its marks, and its parts with
/// their lengths in UTF-16 units: `u"5 | a!@30 ~4^ "2 c0:9 | t =0:12`.
pub(super) fn outline(text: &str, format: Format) -> String {
    let read = session(text, format);
    let transcript = read.transcript();
    let messages = transcript.messages().iter().enumerate().map(|(index, message)| {
        let parts = transcript.parts_of(index).iter().map(part);
        std::iter::once(marks(message)).chain(parts).collect::<Vec<_>>().join(" ")
    });
    messages.collect::<Vec<_>>().join(" | ")
}

fn marks(message: &Message) -> String {
    let role = match message.role {
        Role::System => "s",
        Role::User => "u",
        Role::Assistant => "a",
        Role::Tool => "t",
        Role::Other => "o",
    };
    let marks = [
        (message.turn == Turn::Person, "?"),
        (message.ended, "!"),
        (message.summary, "§"),
        (!message.active, "-"),
        (message.continues, "+"),
    ];
    let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
    format!("{role}{marks}{}", message.usage.map(|usage| format!("@{usage}")).unwrap_or_default())
}

fn part(part: &Part) -> String {
    let kind = match part.kind {
        PartKind::Text => "\"",
        PartKind::Thinking => "~",
        PartKind::ToolCall => "c",
        PartKind::ToolResult => "=",
        PartKind::Image => "image",
        PartKind::File => "file",
        PartKind::Summary => "summary",
        PartKind::Other => "other",
    };
    let output = match part.output {
        Output::Ordinary => "",
        Output::Error => "x",
        Output::Pruned => "p",
        Output::Sealed => "s",
        Output::FixedError => "xs",
        Output::Placeholder => "h",
        Output::FailedPlaceholder => "xh",
    };
    let call = part.call.map(|call| format!("{call}:")).unwrap_or_default();
    format!("{kind}{output}{call}{}{}", part.length.utf16, if part.signed { "^" } else { "" })
}

/// `text` after pruning every prunable output and, with `copies`, the copies that are not sent.
pub(super) fn cleared(text: &str, format: Format, copies: bool) -> String {
    let read = session(text, format);
    let slots = read.reading.slots.iter().chain(read.reading.copies.iter().filter(|_| copies));
    let edits = edit::disjoint(
        slots
            .map(|(_, slot)| slot.edit(Clearing { placeholder: PLACEHOLDER, reference: false, now: 1 }))
            .collect(),
    );
    edit::apply(text, &edits).unwrap().replace(PLACEHOLDER, "P")
}
