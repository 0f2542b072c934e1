//! Damage to a text: what crashes, editors, version control and careless appending do to files.

use super::random::Random;

/// Snippets to insert: punctuation of JSON, and characters that are difficult for readers of lines.
const SNIPPETS: [&str; 34] = [
    "\"", "{", "}", "[", "]", ",", ":", "\\", "\\\"", "\\u", "\\ud83d", "\\ude00", "\0", "\u{feff}",
    "\u{2028}", "\u{85}", "\r", "\n", "\r\n", "\t", " ", "null", "true", "29.0", "-0", "1e999", "0", "9",
    "é", "😀", "}{", "},{", "\"\":", "\u{1}",
];

/// Changes `text` in one way; `other` is a text from which parts are taken.
pub fn damage(text: &mut String, other: &str, random: &mut Random) {
    match random.below(16) {
        0 => replace_character(text, random),
        1 => {
            let at = random.place(text);
            text.insert_str(at, random.pick(&SNIPPETS).unwrap_or(&""));
        }
        2 => {
            let range = range(text, 24, random);
            text.replace_range(range, "");
        }
        3 => text.truncate(random.place(text)),
        4 => {
            let range = range(text, 400, random);
            let chunk = text.get(range).unwrap_or_default().to_owned();
            let at = random.place(text);
            text.insert_str(at, &chunk);
        }
        5 => join_lines(text, random),
        6 => *text = text.replace('\n', "\r\n"),
        7 => {
            let at = if random.one_in(2) { 0 } else { line_start(text, random) };
            text.insert(at, '\u{feff}');
        }
        8 => {
            let at = line_start(text, random);
            text.insert_str(at, random.choose(&["\n", "\r\n", " \t\n", "\n\n\n"]));
        }
        9 => text.truncate(text.trim_end().len()),
        10 => {
            let end = random.choose(&["\0", "\n", "\u{feff}", "}\n]}\n"]);
            text.push_str(&end.repeat(1 + random.below(40)));
        }
        11 | 12 => move_lines(text, random),
        13 => splice(text, other, random),
        14 => {
            let at = line_start(text, random);
            text.insert_str(
                at,
                random.choose(&["3\n", "null\n", "[]\n", "{}\n", "[info] text\n", "{\"torn\":\n"]),
            );
        }
        _ => {
            let range = range(text, 3_000, random);
            text.replace_range(range, "");
        }
    }
}

fn range(text: &str, longest: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.place(text);
    let mut end = (start + 1 + random.below(longest)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

fn replace_character(text: &mut String, random: &mut Random) {
    let at = random.place(text);
    let Some(length) = text.get(at..).and_then(|rest| rest.chars().next()).map(char::len_utf8) else {
        return;
    };
    let byte = char::from(random.below(128) as u8);
    text.replace_range(at..at + length, byte.encode_utf8(&mut [0; 4]));
}

/// Where the lines begin.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(breaks).collect()
}

fn line_start(text: &str, random: &mut Random) -> usize {
    random.pick(&line_starts(text)).copied().unwrap_or(0)
}

fn join_lines(text: &mut String, random: &mut Random) {
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    if let Some(at) = random.pick(&breaks) {
        text.remove(*at);
    }
}

/// Removes a line, repeats it, or moves it.
fn move_lines(text: &mut String, random: &mut Random) {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = random.below(lines.len());
    let Some(line) = lines.get(from).copied() else { return };
    let to = random.below(lines.len());
    match random.below(3) {
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
fn splice(text: &mut String, other: &str, random: &mut Random) {
    let by_line = random.one_in(2);
    let head = if by_line { line_start(text, random) } else { random.place(text) };
    let tail = if by_line { line_start(other, random) } else { random.place(other) };
    text.truncate(head);
    text.push_str(other.get(tail..).unwrap_or_default());
}
