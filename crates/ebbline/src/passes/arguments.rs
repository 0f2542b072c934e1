//! Long texts in the arguments of calls.

use super::scene::Scene;
use crate::edit::{self, Edit};
use crate::json::{Document, Value, quote};
use crate::length::Length;
use crate::numbers::grouped;
use crate::plan::{Becomes, Given, Reason};
use crate::policy::Estimator;
use crate::transcript::{Output, Part, PartKind};

/// A text of no more bytes stays.
const SHORT: usize = 200;
/// Texts are looked for so deep in arguments.
const DEEPEST: usize = 16;

/// The calls beyond the protection boundary with texts that are too long.
pub(super) fn long(scene: &Scene<'_, '_>) -> Vec<Given> {
    let most = scene.policy.prune.arguments;
    let boundary = boundary(scene);
    let calls = scene.parts().filter(|(index, part)| {
        part.kind == PartKind::ToolCall
            && scene.message_of(*index) < boundary
            && scene.tokens(part) > most
            && may_change(scene, *index, part)
    });
    let shorter = |index: usize| {
        changed(scene, index, |text, estimator| {
            let tokens = |text: &str| estimator.tokens_of_text(Length::of(text));
            let is_long = text.len() > SHORT && tokens(text) > most;
            is_long.then(|| head_and_tail(text, most, estimator)).filter(|shown| tokens(shown) < tokens(text))
        })
    };
    calls
        .filter_map(|(index, _)| {
            Some(scene.given(index, Reason::LongArguments, Becomes::Arguments(shorter(index)?)))
        })
        .collect()
}

/// The arguments of a superseded write with notes instead of their texts; `None` if they cannot be changed.
pub(super) fn without_texts(scene: &Scene<'_, '_>, call: usize, path: &str) -> Option<String> {
    let part = scene.part(call).filter(|part| may_change(scene, call, part))?;
    let shorter = changed(scene, call, |text, _| {
        (text.len() > SHORT && text != path).then(|| {
            let mut note = "[".to_owned();
            note.push_str(&grouped(Length::of(text).utf16.into()));
            note + " characters are left out here: a newer call writes or reads the whole file.]"
        })
    })?;
    let length = length_of(&shorter, super::scene::is_quoted(scene.original, call));
    (scene.tokens(&Part { length, native: None, ..*part }) < scene.tokens(part)).then_some(shorter)
}

/// The length of arguments as a reader would find it. `quoted` says whether they stand in a string.
pub(super) fn length_of(arguments: &str, quoted: bool) -> Length {
    let written = if quoted { quote(arguments) } else { arguments.to_owned() };
    let Ok(document) = Document::parse(&written) else { return Length::of(arguments) };
    let root = document.root();
    root.text().map_or_else(|| crate::json::compact_length(root), crate::json::Text::length_of_arguments)
}

/// A call that was answered, in a message that nobody verifies.
fn may_change(scene: &Scene<'_, '_>, index: usize, call: &Part) -> bool {
    let is_answered =
        || scene.result_of(call).is_some_and(|(_, result)| !matches!(result.output, Output::Sealed));
    let parts = scene.original.transcript.parts_of(scene.message_of(index));
    !parts.iter().any(|part| part.signed) && is_answered()
}

/// The message of the oldest output that the protection boundary protects.
fn boundary(scene: &Scene<'_, '_>) -> usize {
    let protect = scene.policy.prune.protect;
    let (mut newer, mut boundary) = (0_u64, scene.answer);
    for (index, part) in scene.parts().rev().filter(|(_, part)| part.kind == PartKind::ToolResult) {
        newer = newer.saturating_add(scene.tokens(part));
        if newer > protect {
            return boundary;
        }
        boundary = scene.message_of(index);
    }
    if protect == 0 { scene.answer } else { 0 }
}

/// The arguments of a call with some of their texts replaced; `None` if nothing changes.
fn changed(
    scene: &Scene<'_, '_>,
    call: usize,
    shorter: impl Fn(&str, &Estimator) -> Option<String>,
) -> Option<String> {
    let message = scene.message_of(call);
    let parts = scene.original.transcript.parts_of(message);
    let at = call - scene.original.transcript.part_range(message).start;
    scene.spots(message).arguments(parts, at)?;
    let text = scene.text_of(call);
    let document = Document::parse(&text).ok()?;
    let root = document.root();
    if !root.is_object() {
        return None;
    }
    let mut edits = Vec::new();
    collect(root, DEEPEST, &mut |value: Value<'_>| {
        let Some(text) = value.text() else { return };
        if let Some(shorter) = shorter(&text.decode(), &scene.policy.estimator) {
            edits.push(Edit::new(value.span(), quote(&shorter)));
        }
    });
    if edits.is_empty() {
        return None;
    }
    edit::apply(&text, &edits).ok()
}

/// Calls `use_text` with every text in a value, in order.
fn collect<'d>(value: Value<'d>, depth: usize, use_text: &mut dyn FnMut(Value<'d>)) {
    if value.is_string() {
        use_text(value);
    } else if depth > 0 {
        for (_, member) in value.members() {
            collect(member, depth - 1, use_text);
        }
        for element in value.elements() {
            collect(element, depth - 1, use_text);
        }
    }
}

/// Head and tail of a text, with a note between them; at most `most` tokens unless the note alone has more.
fn head_and_tail(text: &str, most: u64, estimator: &Estimator) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut kept = characters.len();
    loop {
        kept -= kept.div_ceil(4).max(1).min(kept);
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let missing = (characters.len() - head - tail) as u32;
        let mut shown: String = characters.iter().take(head).collect();
        shown.push_str(if head > 0 { "\n[" } else { "[" });
        shown.push_str(&grouped(missing.into()));
        shown.push_str(" characters are left out here.]");
        shown.push_str(if tail > 0 { "\n" } else { "" });
        shown.extend(characters.iter().skip(characters.len() - tail));
        if kept == 0 || estimator.tokens_of_text(Length::of(&shown)) <= most {
            return shown;
        }
    }
}
