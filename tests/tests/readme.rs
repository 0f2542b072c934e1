//! The Rust of the documents: the lines of [`example`] must be those of docs/rust.md.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

const DOCUMENT: &str = include_str!("../../docs/rust.md");
const OURS: &str = include_str!("readme.rs");

mod example {
    #[rustfmt::skip]
    pub(super) fn compacted() -> Result<String, Box<dyn std::error::Error>> {
        // The example begins.
        use ebbline::{EditOptions, SessionText};

        let text = std::fs::read_to_string("session.json")?;
        let session = SessionText::read(&text)?;
        let policy = ebbline::profiles::get("ebbline@3")?;
        let plan = session.plan(&policy);
        let compacted = session.compact(&plan, &EditOptions::new())?;
        // The example ends.
        Ok(compacted)
    }
}

/// The lines between two marks, without their indentation.
fn between(text: &str, begin: &str, end: &str) -> Vec<String> {
    let (_, rest) = text.split_once(begin).unwrap();
    let (lines, _) = rest.split_once(end).unwrap();
    lines.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_rust_of_the_document_runs_as_it_is_printed() {
    let printed = between(DOCUMENT, "```rust\n", "```\n");
    assert_eq!(printed, between(OURS, "// The example begins.\n", "// The example ends.\n"));

    let folder = std::env::temp_dir().join(format!("ebbline-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let session = include_str!("../formats/openai_chat/openai-chat.json");
    std::fs::write(folder.join("session.json"), session).unwrap();
    std::env::set_current_dir(&folder).unwrap();
    assert_eq!(example::compacted().unwrap(), session, "nothing is to be done: byte for byte");
    std::fs::remove_dir_all(folder).unwrap();
}
