use super::*;
use crate::length::Length;
use crate::transcript::{Message, Part, PartKind, Role};

/// A transcript of tool outputs of the given sizes in tokens of four characters, oldest first, followed by
/// `turns` short messages of a person.
pub(crate) fn outputs(tokens: &[usize], turns: usize) -> Transcript {
    let mut transcript = Transcript::default();
    for (index, tokens) in tokens.iter().enumerate() {
        let call = transcript.call(&index.to_string());
        transcript.begin(Message::new(Role::Assistant));
        transcript.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, Length::ascii(8)) });
        transcript.begin(Message::new(Role::Tool));
        transcript
            .push(Part { call: Some(call), ..Part::new(PartKind::ToolResult, Length::ascii(tokens * 4)) });
    }
    for _ in 0..turns {
        transcript.begin(Message::person());
        transcript.push(Part::new(PartKind::Text, Length::ascii(8)));
    }
    transcript
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_place() {
    let error = Text::from_bytes(b"[\n\"a\xff\"]").and_then(SessionText::read).unwrap_err();
    assert_eq!((error.code(), error.place().unwrap().line, error.place().unwrap().byte), ("not_utf8", 2, 4));
}

#[test]
fn files_that_have_to_be_unpacked_first_say_so() {
    for (source, tool) in [
        (b"\x28\xb5\x2f\xfd\x04\xff".as_slice(), "zstd -d"),
        (b"\x1f\x8b\x08\x00", "gzip -d"),
        (b"PK\x03\x04\xff", "unzip"),
        (b"SQLite format 3\0\x10\x00\xff", "exported"),
    ] {
        let error = Text::from_bytes(source).and_then(SessionText::read).unwrap_err();
        assert_eq!(error.code(), "not_utf8");
        assert!(error.message().ends_with(tool) || error.message().contains(tool), "{}", error.message());
    }
}

#[test]
fn a_plan_of_another_session_is_refused_even_if_the_texts_are_equally_long() {
    let text = |word: &str| format!(r#"[{{"role": "user", "content": "{word}"}}]"#);
    let (one, other) = (text("hello"), text("jello"));
    let policy = crate::profiles::get("ebbline@1").unwrap();
    let options = EditOptions::default();
    let session = SessionText::read(&one).unwrap();
    let code = |plan: &Plan| session.compact(plan, &options).map_err(|error| error.code());
    assert_eq!(code(&session.plan(&policy)), Ok(one.clone()));
    let again = SessionText::read(one.clone()).unwrap();
    assert_eq!(code(&again.plan(&policy)), Ok(one.clone()), "the same text read again is the same session");
    assert_eq!(code(&SessionText::read(&other).unwrap().plan(&policy)), Err("mismatch"));
    let otherwise = ReadOptions::new().placeholder("hello");
    let otherwise = SessionText::read_with(&one, &otherwise).unwrap();
    assert_eq!(code(&otherwise.plan(&policy)), Err("mismatch"), "read otherwise, it may say something else");
    let mut grown = session.transcript().clone();
    grown.set_active(0, false);
    let plan = plan(&grown, &policy, PlanOptions::default());
    assert_eq!(code(&plan), Err("mismatch"));
}
