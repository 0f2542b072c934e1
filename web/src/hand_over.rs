//! A session that another window hands over by `postMessage`: what a message may look like, and what is wrong with one
//! that looks otherwise. docs/playground.md describes it for those who write such a window.

use crate::error_text::UserError;
use crate::read_as::ReadAs;

/// The member that every message has, and its values.
pub const MARK: &str = "ebbline";
/// The page listens.
pub const READY: &str = "ready";
/// A session is handed over.
pub const OPEN: &str = "open";
/// The session that was handed over is open.
pub const OPENED: &str = "opened";
/// The session was not opened.
pub const FAILED: &str = "failed";

/// The longest name of a session, in characters.
const LONGEST: usize = 300;

/// The value of a member, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// A text.
    Text(String),
    /// A `Blob`.
    Blob,
    /// An `ArrayBuffer`.
    Buffer,
    /// Anything else.
    Other,
}

/// A message that has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// The session's name.
    pub name: String,
    /// The member that holds the session: `text`, `blob` or `buffer`.
    pub content: &'static str,
    /// How to read it.
    pub read_as: ReadAs,
}

/// Whether this page sends messages with this mark itself. It does not answer them, so that two pages never answer each
/// other for ever.
pub fn is_answer(mark: &Member) -> bool {
    matches!(mark, Member::Text(mark) if [READY, OPENED, FAILED].contains(&mark.as_str()))
}

/// Checks a message.
pub fn checked(members: &[(String, Member)]) -> Result<HandOver, UserError> {
    let wrong = |sentence: &str| UserError::from_page("message", sentence);
    let get = |wanted: &str| members.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let text = |wanted: &str| match get(wanted) {
        Some(Member::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    if text(MARK) != Some(OPEN) {
        return Err(wrong("The only message that is taken here is {ebbline: 'open'}."));
    }
    let known = [MARK, "name", "text", "blob", "buffer", "readAs"];
    if let Some((name, _)) = members.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        let name: String = name.chars().take(40).collect();
        return Err(wrong(&format!("The message has a member `{name}`, which is not known.")));
    }
    let name = text("name").filter(|name| !name.trim().is_empty() && name.chars().count() <= LONGEST);
    let Some(name) = name else {
        return Err(wrong("`name` has to be the session's name: a text of 1 to 300 characters."));
    };
    let mut contents = ["text", "blob", "buffer"].into_iter().filter(|name| get(name).is_some());
    let (Some(content), None) = (contents.next(), contents.next()) else {
        return Err(wrong("The message has to have one of `text`, `blob` and `buffer`."));
    };
    let fits = match get(content) {
        Some(Member::Text(_)) => content == "text",
        Some(Member::Blob) => content == "blob",
        Some(Member::Buffer) => content == "buffer",
        _ => false,
    };
    if !fits {
        return Err(wrong("`text` has to be a text, `blob` a Blob, `buffer` an ArrayBuffer."));
    }
    let read_as = match get("readAs") {
        None => ReadAs::default(),
        Some(Member::Text(named)) if ReadAs::of(named).name() == named => ReadAs::of(named),
        Some(_) => return Err(wrong("`readAs` has to be the name of a format, for example `openai_chat`.")),
    };
    Ok(HandOver { name: name.to_owned(), content, read_as })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(list: &[(&str, Member)]) -> Vec<(String, Member)> {
        list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn text(text: &str) -> Member {
        Member::Text(text.to_owned())
    }

    #[test]
    fn a_session_is_taken_as_text_blob_or_buffer() {
        for (content, value) in [("text", text("[]")), ("blob", Member::Blob), ("buffer", Member::Buffer)] {
            let taken =
                checked(&members(&[("ebbline", text("open")), ("name", text("a.json")), (content, value)]));
            let expected = HandOver { name: "a.json".to_owned(), content, read_as: ReadAs::default() };
            assert_eq!(taken, Ok(expected));
        }
        let format = ebbline::Format::ALL[0].name();
        let taken = checked(&members(&[
            ("ebbline", text("open")),
            ("name", text("a.json")),
            ("text", text("[]")),
            ("readAs", text(format)),
        ]));
        assert_eq!(taken.unwrap().read_as.name(), format);
    }

    #[test]
    fn the_format_that_the_sentence_names_exists() {
        assert_eq!(ReadAs::of("openai_chat").name(), "openai_chat");
    }

    #[test]
    fn every_wrong_message_gets_a_sentence() {
        let (open, name, content) =
            (("ebbline", text("open")), ("name", text("a.json")), ("text", text("[]")));
        let of = |list: &[&(&str, Member)]| {
            let list: Vec<_> = list.iter().map(|member| (*member).clone()).collect();
            checked(&members(&list)).unwrap_err().sentence
        };
        let sentences = [
            of(&[&("ebbline", text("close"))]),
            of(&[&("ebbline", Member::Other), &name, &content]),
            of(&[&open, &name, &content, &("readas", text("pi"))]),
            of(&[&open, &content]),
            of(&[&open, &("name", text(" ")), &content]),
            of(&[&open, &("name", text(&"n".repeat(301))), &content]),
            of(&[&open, &name]),
            of(&[&open, &name, &content, &("blob", Member::Blob)]),
            of(&[&open, &name, &("text", Member::Other)]),
            of(&[&open, &name, &("blob", text("[]"))]),
            of(&[&open, &name, &content, &("readAs", text("no such format"))]),
        ];
        let starts =
            ["The only", "The only", "The message has a member `readas`", "`name`", "`name`", "`name`"];
        let more = ["The message has to", "The message has to", "`text` has", "`text` has", "`readAs`"];
        for (sentence, start) in sentences.iter().zip(starts.iter().chain(&more)) {
            assert!(sentence.starts_with(start), "{sentence}");
        }
    }

    #[test]
    fn answers_are_not_answered() {
        assert!([READY, OPENED, FAILED].iter().all(|mark| is_answer(&text(mark))));
        assert!(!is_answer(&text(OPEN)) && !is_answer(&Member::Other));
    }
}
