//! Sentences that are read once: what a newcomer reads has none of more than [`MOST`] words.

use std::fs;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The most words of a sentence.
const MOST: usize = 35;
/// What a newcomer reads first; of a folder, every document.
const FIRST: [&str; 5] = ["README.md", "docs/README.md", "docs/start.md", "docs/concepts.md", "docs/hosts"];

/// The sentences of `text` that are too long. Code is one word; a cell, an item and a heading end a sentence.
fn too_long(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut is_code = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => blocks.last_mut().unwrap().push_str(&text),
            Event::Code(_) => blocks.last_mut().unwrap().push('x'),
            Event::SoftBreak | Event::HardBreak => blocks.last_mut().unwrap().push(' '),
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableCell | Tag::Heading { .. }) => {
                blocks.push(String::new());
            }
            _ => {}
        }
    }
    let mut long = Vec::new();
    for block in blocks {
        let mut sentence: Vec<&str> = Vec::new();
        for word in block.split_whitespace() {
            sentence.push(word);
            if word.trim_end_matches(['"', '\'', ')', ']']).ends_with(['.', '!', '?']) {
                long.extend((sentence.len() > MOST).then(|| sentence.join(" ")));
                sentence.clear();
            }
        }
        long.extend((sentence.len() > MOST).then(|| sentence.join(" ")));
    }
    long
}

#[test]
fn a_newcomer_reads_every_sentence_once() {
    let project = crate::project();
    let mut found = Vec::new();
    for place in FIRST.map(|place| project.join(place)) {
        let files = match fs::read_dir(&place) {
            Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => vec![place],
        };
        for file in files {
            let long = too_long(&fs::read_to_string(&file).unwrap());
            found.extend(long.into_iter().map(|sentence| format!("{}: {sentence}", file.display())));
        }
    }
    assert!(found.is_empty(), "more than {MOST} words:\n{}", found.join("\n"));
}

#[test]
fn a_long_sentence_is_found_in_any_block() {
    let long = "word ".repeat(MOST + 1);
    for text in [
        format!("{long}end."),
        format!("Short. {long}"),
        format!("- {long}\n"),
        format!("| a |\n|---|\n| {long} |\n"),
    ] {
        assert_eq!(too_long(&text).len(), 1, "{text}");
    }
    let short = "word ".repeat(MOST - 1);
    for text in [format!("{short}end. {short}end."), format!("```\n{long}\n```\n"), format!("`{long}`")] {
        assert_eq!(too_long(&text), [""; 0], "{text}");
    }
}
