//! OpenCode's event-based core.
//!
//! | fault | in | test |
//! |---|---|---|
//! | the whole divided entry goes to the head, and its beginning again | 2026-06 |
//! `opencode_v2_summarizes_the_entry_that_it_splits_twice` |
//! | text is kept instead of messages | all | `opencode_v2_keeps_text_where_messages_stood` |
//! | no request is made if it would be too large | 2026-06 | `opencode_v2_gives_up_when_the_head_is_too_large` |

use ebbline::{Fate, Format};
use serde_json::{Value, json};

use super::ours::{Ours, ask, words};

fn entries(messages: &[(&str, &str)]) -> Value {
    let entry = |(index, (kind, text)): (usize, &(&str, &str))| {
        let content = json!([{"type": "text", "text": text}]);
        let message = json!({"type": kind, "id": index.to_string(), "text": text, "content": content});
        json!({"seq": index, "message": message})
    };
    messages.iter().enumerate().map(entry).collect()
}

fn chat(messages: &[(&str, &str)]) -> String {
    let message = |(role, text): &(&str, &str)| json!({"role": role, "content": text});
    messages.iter().map(message).collect::<Value>().to_string()
}

fn compact(messages: &[(&str, &str)], keep: u64) -> Value {
    let config = json!([{"type": "document", "info": {"compaction": {"keep": {"tokens": keep}}}}]);
    let limits = json!({"context": 200_000, "output": 32_000});
    ask(
        "opencodeV2",
        "compact",
        &entries(messages),
        &json!({"limits": limits, "config": config, "reply": "S"}),
    )
}

#[test]
fn opencode_v2_summarizes_the_entry_that_it_splits_twice() {
    let long = format!("paint it teal {}", words(4_000));
    let messages = [("user", "one"), ("assistant", "two"), ("user", long.as_str()), ("assistant", "three")];
    let request = compact(&messages, 2_000)["request"]["messages"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(request.matches("paint it teal").count(), 2);
    let long = format!("paint it teal {}", words(150_000));
    let tail = words(24_000);
    let messages =
        [("user", "one"), ("assistant", "two"), ("user", long.as_str()), ("assistant", tail.as_str())];
    let ours = Ours::of(Format::OpenaiChat, &chat(&messages), 200_000);
    assert_eq!(ours.request().matches("paint it teal").count(), 1);
    ours.carried_out();
}

#[test]
fn opencode_v2_keeps_text_where_messages_stood() {
    let tail = words(24_000);
    let messages = [("user", "one"), ("assistant", tail.as_str()), ("user", "two"), ("assistant", "three")];
    let compacted = compact(&messages, 1_000);
    assert!(compacted["checkpoint"]["recent"].as_str().unwrap().contains("three"));
    let long = words(150_000);
    let messages =
        [("user", "one"), ("assistant", long.as_str()), ("user", "two"), ("assistant", tail.as_str())];
    let ours = Ours::of(Format::OpenaiChat, &chat(&messages), 200_000);
    assert_eq!(ours.fates().last(), Some(&Fate::Kept), "a message stays a message, byte for byte");
    ours.carried_out();
}

#[test]
fn opencode_v2_gives_up_when_the_head_is_too_large() {
    let long = words(300_000);
    let messages = [("user", "one"), ("assistant", long.as_str()), ("user", "two"), ("assistant", "three")];
    let compacted = compact(&messages, 1_000);
    assert_eq!((&compacted["compacted"], &compacted["request"]), (&json!(false), &Value::Null));
    let ours = Ours::of(Format::OpenaiChat, &chat(&messages), 200_000);
    assert!(ours.request().contains("[User]: one"), "what does not fit gives way, and the rest is asked for");
    ours.carried_out();
}
