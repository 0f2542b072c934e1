use crate::transcript::{PartKind, Role, Turn};
use crate::{Format, ReadOptions, SessionText, profiles};

fn read(text: &str) -> SessionText<'static> {
    let format = Some(Format::GeminiContents);
    SessionText::read_with(text.to_owned(), &ReadOptions { format, ..ReadOptions::default() }).unwrap()
}

/// The calls and results of a session by the number of their call, 0 for none.
fn pairs(session: &SessionText) -> String {
    let parts = session.transcript().parts().iter();
    let sign = |kind| match kind {
        PartKind::ToolCall => Some('c'),
        PartKind::ToolResult => Some('r'),
        PartKind::Image => Some('i'),
        _ => None,
    };
    let number = |call: Option<u32>| call.map_or(0, |call| call + 1);
    parts
        .filter_map(|part| Some(format!("{}{}", sign(part.kind)?, number(part.call))))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A session of contents from words: `c` and `r` with a name and perhaps an id, `t`ext, `i`mage; `/` separates
/// contents.
fn session(shape: &str) -> SessionText<'static> {
    let part = |word: &str| {
        let (name, id) = word.get(1..).unwrap_or_default().split_once('#').unwrap_or((&word[1..], ""));
        let id = if id.is_empty() { String::new() } else { format!(r#""id":"{id}","#) };
        match &word[..1] {
            "c" => format!(r#"{{"functionCall":{{{id}"name":"{name}","args":{{}}}}}}"#),
            "r" => {
                format!(r#"{{"functionResponse":{{{id}"name":"{name}","response":{{"output":"o"}}}}}}"#)
            }
            "i" => r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#.to_owned(),
            _ => r#"{"text":"words"}"#.to_owned(),
        }
    };
    let contents = shape.split('/').map(|content| {
        let role = if content.trim_start().starts_with('m') { "model" } else { "user" };
        let parts = content.split_whitespace().skip(1).map(part).collect::<Vec<_>>().join(",");
        format!(r#"{{"role":"{role}","parts":[{parts}]}}"#)
    });
    read(&format!("[{}]", contents.collect::<Vec<_>>().join(",")))
}

#[test]
fn calls_without_ids_are_paired_by_name_and_order_inside_the_next_turn() {
    for (shape, expected) in [
        ("u t/m ca cb/u ra rb", "c1 c2 r1 r2"),
        ("u t/m ca cb/u rb ra", "c1 c2 r2 r1"),
        ("u t/m ca ca/u ra ra", "c1 c2 r1 r2"),
        ("u t/m ca/u rb", "c1 r0"),
        ("u t/m ca/u t/m t/u ra", "c1 r0"),
        ("u t/m ca/m cb/u ra/u rb", "c1 c2 r1 r2"),
        ("u t/m ca#x ca/u ra ra#x", "c1 c2 r2 r1"),
        ("u t/m ca/u ra ra", "c1 r1 r0"),
        ("u t/m ca#x/u ra#x i i t i", "c1 r1 i1 i1 i0"),
        ("u i/m ca/u rb i", "i0 c1 r0 i0"),
    ] {
        assert_eq!(pairs(&session(shape)), expected, "{shape}");
    }
    let counts = session("u t/m ca cb#x cc/u ra rb#x").counts();
    assert_eq!((counts.calls_without_result, counts.paired_by_place, counts.results_without_call), (2, 1, 0));
}

#[test]
fn only_what_a_person_says_begins_a_turn() {
    for (content, role, turn) in [
        (r#"{"parts":[{"text":"hi"}]}"#, Role::User, Turn::Person),
        (r#"{"role":"user","parts":[{"inlineData":{}}]}"#, Role::User, Turn::Person),
        (r#"{"role":"user","parts":[{"functionResponse":{}},{"inlineData":{}}]}"#, Role::Tool, Turn::No),
        (r#"{"role":"user","parts":[{"functionResponse":{}},{"text":"and"}]}"#, Role::User, Turn::Person),
        (r#"{"role":"user","parts":{"function_response":{}}}"#, Role::Tool, Turn::No),
        (r#"{"role":"user","parts":[{"text":"<state_snapshot>"}]}"#, Role::User, Turn::Person),
        (r#"{"role":"function","parts":[]}"#, Role::Tool, Turn::No),
        (r#"{"role":7,"parts":null}"#, Role::Other, Turn::No),
        ("null", Role::Other, Turn::No),
    ] {
        let session = read(&format!("[{content}]"));
        let message = session.transcript().messages()[0];
        assert_eq!((message.role, message.turn), (role, turn), "{content}");
    }
}

#[test]
fn neither_data_nor_signatures_count_as_text() {
    let parts = [
        (r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#, PartKind::Image, 4),
        (r#"{"file_data":{"mime_type":"audio/ogg","file_uri":"gs://b/o"}}"#, PartKind::File, 8),
        (r#"{"text":"so","thought":true,"thoughtSignature":"AAAA"}"#, PartKind::Thinking, 2),
        (r#"{"thoughtSignature":"AAAA"}"#, PartKind::Thinking, 0),
        (r#"{"executableCode":{"code":"1"}}"#, PartKind::Other, 12),
        (r#"{"functionCall":7}"#, PartKind::Other, 18),
    ];
    for (part, kind, length) in parts {
        let session = read(&format!(r#"[{{"role":"model","parts":[{part}]}}]"#));
        let read = session.transcript().parts()[0];
        assert_eq!((read.kind, read.length.utf16), (kind, length), "{part}");
        assert_eq!(read.signed, part.contains("Signature"), "{part}");
    }
}

#[test]
fn a_pruned_response_stays_an_object_and_its_images_go() {
    let call = r#"{"role":"model","parts":[{"functionCall":{"id":"a","name":"n"}}]}"#;
    let image = r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#;
    let pruned = r#"{"output":"-"}"#;
    for (before, after) in [
        (
            r#""id":"a","response":{"output":"long enough"}}}"#.to_owned(),
            format!(r#""id":"a","response":{pruned}}}}}"#),
        ),
        (
            r#""id":"a","response":{"b":[1.0]},"x":29.0}}"#.to_owned(),
            format!(r#""id":"a","response":{pruned},"x":29.0}}}}"#),
        ),
        (
            r#""id":"a","response":"words and words"}}"#.to_owned(),
            format!(r#""id":"a","response":{pruned}}}}}"#),
        ),
        (
            format!(r#""id":"a","response":{{"error":"long enough"}},"parts":[{image}]}}}}"#),
            format!(r#""id":"a","response":{pruned},"parts":[]}}}}"#),
        ),
        (
            format!(r#""id":"a","response":{{"c":"long enough"}}}}}} , {image},{image},{{"text":"t"}}"#),
            format!(r#""id":"a","response":{pruned}}}}},{{"text":"t"}}"#),
        ),
    ] {
        let wrap =
            |rest: &str| format!(r#"[{call},{{"role":"user","parts":[{{"functionResponse":{{{rest}]}}]"#);
        let source = wrap(&before);
        let mut policy = profiles::get("tunacode@2026-01").unwrap();
        (policy.prune.protect, policy.prune.minimum, policy.prune.minimum_turns) = (0, 0, 0);
        (policy.prune.protected_turns, policy.prune.errors, policy.prune.short_outputs) = (0, true, true);
        policy.prune.placeholder = "-".to_owned();
        let session = read(&source);
        let plan = session.plan(&policy);
        let written = session.compact(&plan, &crate::EditOptions::default()).unwrap();
        assert_eq!(written, wrap(&after), "{before}");
    }
}
