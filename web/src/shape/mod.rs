//! The shape of a session: its roles, calls and sizes, without any text. It fits into a link, so that a problem with
//! compaction can be shown without the session.
//!
//! `s1.` and a number for each message in base64url: its size in tokens and what it is. A message with several outputs becomes
//! one for each.

mod filler;

use ebbline::replay::History;
use ebbline::transcript::{Part, PartKind, Role};

use crate::error_text::UserError;
use crate::link::sealed;
use ebbline::numbers::{counted, grouped};

pub(crate) use filler::of_items;
pub use filler::session;

/// The file name of a session that is made from a shape.
pub const NAME: &str = "session-shape.json";
/// The name of the fact by which the page recognizes such a session.
pub const FACT: &str = "Shape";
/// What is said of such a session.
pub const SAID: &str =
    "This is the shape of a session: roles, calls and sizes are those of the session, all text is filler.";
/// The version, in front of the first dot.
const VERSION: &str = "s1";
/// How long a link may be: longer ones are cut off by what they are pasted into.
const LONGEST: usize = 8_000;
/// How many tokens and calls a shape may have: a link must not make a page run out of memory.
const MOST_TOKENS: u64 = 20_000_000;
const MOST_CALLS: u64 = 1_000;

/// What one message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    System,
    User,
    /// Text and thinking of the model.
    Assistant,
    /// An answer of the model with this many calls.
    Calls(u64),
    /// The output of the open call with this number, from the oldest; of no call if there are not so many.
    Output(u64),
}

/// One message of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) what: What,
    pub(crate) tokens: u64,
}

/// The shape of the life of a session, measured as the default profile measures it.
pub(crate) fn of(history: &History<'_>) -> Vec<Item> {
    let default = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy);
    let estimator = default.unwrap_or_default().estimator;
    let log = history.log();
    let mut open: Vec<u32> = Vec::new();
    let mut items = Vec::new();
    for index in history.messages().iter().map(|index| *index as usize) {
        let Some(message) = log.messages().get(index) else { continue };
        let parts: Vec<(&Part, u64)> = log.parts_of(index).iter().zip(estimator.parts(log, index)).collect();
        let is_output = |part: &Part| {
            part.kind == PartKind::ToolResult
                || part.call.is_some() && matches!(part.kind, PartKind::Image | PartKind::File)
        };
        let calls: Vec<u32> = parts
            .iter()
            .filter(|(part, _)| part.kind == PartKind::ToolCall)
            .filter_map(|(part, _)| part.call)
            .collect();
        let tokens = parts.iter().filter(|(part, _)| !is_output(part)).map(|(_, tokens)| tokens).sum();
        let has_outputs = parts.iter().any(|(part, _)| is_output(part));
        let own = match message.role {
            _ if !calls.is_empty() => Some(What::Calls(calls.len() as u64)),
            _ if has_outputs && tokens == 0 => None,
            Role::User => Some(What::User),
            Role::Assistant => Some(What::Assistant),
            // What stands beside outputs belongs to them, or to the user who sent them.
            Role::Tool => Some(What::User).filter(|_| tokens > 0),
            _ => Some(What::System),
        };
        let own = own.map(|what| Item { what, tokens });
        // Calls come before their outputs, a user's words behind the outputs that are sent with them.
        items.extend(own.filter(|_| !calls.is_empty()));
        open.extend(&calls);
        let mut outputs: Vec<(Option<u32>, u64)> = Vec::new();
        for (part, tokens) in parts.iter().filter(|(part, _)| is_output(part)) {
            match outputs.last_mut() {
                Some((call, sum)) if part.call.is_some() && *call == part.call => *sum += tokens,
                _ => outputs.push((part.call, *tokens)),
            }
        }
        for (call, tokens) in outputs {
            let place = call.and_then(|call| open.iter().position(|open| *open == call));
            if let Some(place) = place {
                open.remove(place);
            }
            items.push(Item { what: What::Output(place.unwrap_or(open.len()) as u64), tokens });
        }
        items.extend(own.filter(|_| calls.is_empty()));
    }
    items
}

/// The link of a shape, without the `#`.
pub(crate) fn link(items: &[Item]) -> Result<String, UserError> {
    let link = format!("{VERSION}.{}", sealed::seal(&bytes(items)));
    if link.len() <= LONGEST {
        return Ok(link);
    }
    Err(UserError::from_page(
        "too_large",
        format!(
            "A link with the shape of {} would have {} characters, and many programs cut links off behind {}. Save the shape as a file \
             instead, with “Export”: it has no text either, and everybody can open it here.",
            counted(items.len() as u64, "message"),
            grouped(link.len() as u64),
            grouped(LONGEST as u64)
        ),
    ))
}

/// What a message is takes three bits of its number, the size the others.
fn bytes(items: &[Item]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(items.len() * 2);
    for Item { what, tokens } in items {
        let (code, more) = match what {
            What::System => (0, None),
            What::User => (1, None),
            What::Assistant => (2, None),
            What::Calls(1) => (3, None),
            What::Output(0) => (4, None),
            What::Calls(count) => (5, Some(*count)),
            What::Output(place) => (6, Some(*place)),
        };
        push(&mut bytes, tokens.saturating_mul(8) | code);
        if let Some(more) = more {
            push(&mut bytes, more);
        }
    }
    bytes
}

/// Appends a number in groups of seven bits, the lowest first.
fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn pop(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The link of a shape in a text that is one, or an address with one: without what stands around it.
pub fn link_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let hash = text.get(text.bytes().rposition(|byte| byte == b'#').map_or(0, |at| at + 1)..)?;
    let version = hash.split_once('.')?.0.strip_prefix('s')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_link = hash.bytes().all(is_plain) && !text.bytes().any(|byte| byte.is_ascii_whitespace());
    (is_link && !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit())).then_some(hash)
}

/// The link of the state behind that of a shape: `1.…` of `s1.….1.…`; and the shape alone.
pub fn divided(link: &str) -> (&str, Option<&str>) {
    let end = link.match_indices('.').nth(1).map(|(at, _)| at);
    match end.and_then(|end| Some((link.get(..end)?, link.get(end + 1..)?))) {
        Some((shape, state)) => (shape, Some(state)),
        None => (link, None),
    }
}

/// Reads the link of a shape.
pub(crate) fn read(link: &str) -> Result<Vec<Item>, UserError> {
    let (shape, _) = divided(link);
    let (version, sealed) = shape.split_once('.').unwrap_or_default();
    let damaged = || {
        UserError::from_page(
            "bad_link",
            "This link with a session's shape is damaged, or a part of it is missing.",
        )
    };
    if version != VERSION {
        let newer = "This link with a session's shape was made by a newer version of this page.";
        return Err(UserError::from_page("bad_link", newer));
    }
    let bytes = sealed::open(sealed).ok_or_else(damaged)?;
    let items = items(&bytes).filter(|items| !items.is_empty()).ok_or_else(damaged)?;
    let calls = items.iter().map(|item| if let What::Calls(count) = item.what { count } else { 0 });
    if calls.max().unwrap_or(0) > MOST_CALLS
        || items.iter().fold(0_u64, |sum, item| sum.saturating_add(item.tokens)) > MOST_TOKENS
    {
        return Err(UserError::from_page("bad_link", "The shape in this link is too large to be shown."));
    }
    Ok(items)
}

fn items(mut bytes: &[u8]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    while !bytes.is_empty() {
        let number = pop(&mut bytes)?;
        let what = match number & 7 {
            0 => What::System,
            1 => What::User,
            2 => What::Assistant,
            3 => What::Calls(1),
            4 => What::Output(0),
            5 => What::Calls(pop(&mut bytes)?),
            6 => What::Output(pop(&mut bytes)?),
            _ => return None,
        };
        items.push(Item { what, tokens: number / 8 });
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::SessionText;

    fn history(text: &str) -> Vec<Item> {
        let session = SessionText::read(text).unwrap();
        of(&History::from(&session))
    }

    #[test]
    fn shapes_come_back() {
        let items = history(&crate::sample::text());
        let link = link(&items).unwrap();
        assert_eq!(read(&link).unwrap(), items);
        assert_eq!(read(&format!("{link}.1.AAAA")).unwrap(), items);
        assert_eq!(divided(&format!("{link}.1.AAAA")), (link.as_str(), Some("1.AAAA")));
        assert!(link.len() < 120 * 4, "{} characters for {} messages", link.len(), items.len());
        for end in 3..link.len() {
            assert!(read(&link[..end]).is_err(), "{end}");
        }
        assert_eq!(read("s2.AAAA").unwrap_err().sentence.split(' ').next_back(), Some("page."));
    }

    #[test]
    fn outputs_belong_to_their_calls() {
        let text = r#"[{"role":"user","content":[{"type":"text","text":"go on, please"}]},
            {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"x","input":{}},{"type":"tool_use","id":"b","name":"y","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"second first"},{"type":"tool_result","tool_use_id":"a","content":"then this"},{"type":"text","text":"and one more thing"}]},
            {"role":"assistant","content":[{"type":"text","text":"Done."}]}]"#;
        let what: Vec<What> = history(text).into_iter().map(|item| item.what).collect();
        assert_eq!(
            what,
            [What::User, What::Calls(2), What::Output(1), What::Output(0), What::User, What::Assistant]
        );
    }

    #[test]
    fn no_text_is_in_a_shape() {
        let text = crate::sample::text();
        let link = link(&history(&text)).unwrap();
        let decoded = sealed::open(link.split_once('.').unwrap().1).unwrap();
        let grams: std::collections::HashSet<&[u8]> = text.as_bytes().windows(6).collect();
        assert!(decoded.windows(6).all(|window| !grams.contains(window)));
        assert!(link.as_bytes().windows(6).all(|window| !grams.contains(window)));
    }

    #[test]
    fn what_is_too_large_is_refused_with_a_way_out() {
        let item = Item { what: What::Output(0), tokens: 900 };
        assert!(link(&vec![item; 2_500]).is_ok());
        let problem = link(&vec![item; 4_000]).unwrap_err();
        assert!(problem.sentence.contains("Save the shape as a file"), "{}", problem.sentence);
        let huge =
            format!("s1.{}", sealed::seal(&bytes(&[Item { what: What::User, tokens: MOST_TOKENS + 1 }])));
        assert_eq!(read(&huge).unwrap_err().sentence, "The shape in this link is too large to be shown.");
    }

    #[test]
    fn links_are_found_in_what_is_pasted() {
        assert_eq!(link_in(" s1.AbC-_ "), Some("s1.AbC-_"));
        assert_eq!(link_in("https://example.org/a/#s1.AbC.1.x"), Some("s1.AbC.1.x"));
        assert_eq!(link_in("s9.AbC"), Some("s9.AbC"));
        for text in
            ["[]", "{\"a\": \"#s1.AbC\"}", "see https://example.org/#s1.AbC", "s.x", "sample.json", "1.AbC"]
        {
            assert_eq!(link_in(text), None, "{text}");
        }
    }
}
