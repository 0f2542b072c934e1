//! Damage to a text: what crashes, editors, version control and careless appending do to files.

use super::choices::Choices;

/// Snippets to insert: punctuation of JSON, and characters that are difficult for readers of lines.
const SNIPPETS: [&str; 34] = [
    "\"", "{", "}", "[", "]", ",", ":", "\\", "\\\"", "\\u", "\\ud83d", "\\ude00", "\0", "\u{feff}",
    "\u{2028}", "\u{85}", "\r", "\n", "\r\n", "\t", " ", "null", "true", "29.0", "-0", "1e999", "0", "9",
    "é", "😀", "}{", "},{", "\"\":", "\u{1}",
];

/// Changes `text` in one way; `other` is a text from which parts are taken.
pub fn damage(text: &mut String, other: &str, choices: &mut Choices<'_>) {
    match choices.below(16) {
        0 => replace_character(text, choices),
        1 => {
            let at = choices.place(text);
            text.insert_str(at, choices.pick(&SNIPPETS).unwrap_or(&""));
        }
        2 => {
            let range = range(text, 24, choices);
            text.replace_range(range, "");
        }
        3 => text.truncate(choices.place(text)),
        4 => {
            let range = range(text, 400, choices);
            let chunk = text.get(range).unwrap_or_default().to_owned();
            let at = choices.place(text);
            text.insert_str(at, &chunk);
        }
        5 => join_lines(text, choices),
        6 => *text = text.replace('\n', "\r\n"),
        7 => {
            let at = if choices.one_in(2) { 0 } else { line_start(text, choices) };
            text.insert(at, '\u{feff}');
        }
        8 => {
            let at = line_start(text, choices);
            text.insert_str(at, choices.choose(&["\n", "\r\n", " \t\n", "\n\n\n"]));
        }
        9 => text.truncate(text.trim_end().len()),
        10 => {
            let end = choices.choose(&["\0", "\n", "\u{feff}", "}\n]}\n"]);
            text.push_str(&end.repeat(1 + choices.below(40)));
        }
        11 | 12 => move_lines(text, choices),
        13 => splice(text, other, choices),
        14 => {
            let at = line_start(text, choices);
            text.insert_str(
                at,
                choices.choose(&["3\n", "null\n", "[]\n", "{}\n", "[info] text\n", "{\"torn\":\n"]),
            );
        }
        _ => {
            let range = range(text, 3_000, choices);
            text.replace_range(range, "");
        }
    }
}

fn range(text: &str, longest: usize, choices: &mut Choices<'_>) -> std::ops::Range<usize> {
    let start = choices.place(text);
    let mut end = (start + 1 + choices.below(longest)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

fn replace_character(text: &mut String, choices: &mut Choices<'_>) {
    let at = choices.place(text);
    let Some(length) = text.get(at..).and_then(|rest| rest.chars().next()).map(char::len_utf8) else {
        return;
    };
    let byte = char::from(choices.below(128) as u8);
    text.replace_range(at..at + length, byte.encode_utf8(&mut [0; 4]));
}

/// Where the lines begin.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(breaks).collect()
}

fn line_start(text: &str, choices: &mut Choices<'_>) -> usize {
    choices.pick(&line_starts(text)).copied().unwrap_or(0)
}

fn join_lines(text: &mut String, choices: &mut Choices<'_>) {
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    if let Some(at) = choices.pick(&breaks) {
        text.remove(*at);
    }
}

/// Removes a line, repeats it, or moves it.
fn move_lines(text: &mut String, choices: &mut Choices<'_>) {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = choices.below(lines.len());
    let Some(line) = lines.get(from).copied() else { return };
    let to = choices.below(lines.len());
    match choices.below(3) {
        0 => {
            lines.remove(from);
        }
        1 => lines.insert(to, line),
        _ => {
            lines.remove(from);
            lines.insert(to, line);
        }
    }
    *text = lines.concat();
}

/// The beginning of one text and the end of another, cut at lines or anywhere.
fn splice(text: &mut String, other: &str, choices: &mut Choices<'_>) {
    let by_line = choices.one_in(2);
    let head = if by_line { line_start(text, choices) } else { choices.place(text) };
    let tail = if by_line { line_start(other, choices) } else { choices.place(other) };
    text.truncate(head);
    text.push_str(other.get(tail..).unwrap_or_default());
}
