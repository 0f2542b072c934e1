//! Whether a text says nothing, whatever it is to stand for: a placeholder of a program, data, noise, an empty outline, an echo.

use std::collections::HashSet;

use super::prompt::{SECTIONS, SYSTEM, TASK};

/// A text has at least so many different words, or letters of a script without blanks.
const FEWEST: usize = 3;
const FEWEST_LETTERS: usize = 4;
/// A text of more words than these, or letters, repeats itself if only so many are different.
const MANY: usize = 30;
const DIFFERENT: usize = 9;
const REPEATED: usize = 12;
/// A longer run of letters is data, unless a sign parts it as often as this: then it is a path, an address, a call.
const LONGEST: usize = 60;
const PARTED: usize = 16;
/// The least share of letters and digits, in hundredths.
const LETTERS: usize = 40;
/// So many lines of a request or sentences of the outline are an echo.
const ECHOED: usize = 3;
/// So much of a sentence of the request shows where it is from.
const SHOWN: usize = 60;
/// What a program prints where there is no text.
const NOTHING: &[&str] = &["undefined", "null", "none", "nan", "[object", "<no value>"];
/// What stands in front of the entries of a request.
const LABELS: &[&str] = &["[User]: ", "[Assistant]: ", "[Tool call", "[Tool result"];

/// Whether a text says nothing.
pub(super) fn says_nothing(text: &str) -> bool {
    let text = text.trim();
    // No text at all has a name of its own.
    if text.is_empty() {
        return false;
    }
    let lower: String = text.chars().take(12).collect::<String>().to_lowercase();
    let is_placeholder =
        NOTHING.iter().any(|word| lower.starts_with(word)) && text.split_whitespace().count() <= FEWEST;
    is_placeholder || is_noise(text) || echoes(text) || repeats(text)
}

/// Whether it has too few words, or is mostly data or signs.
fn is_noise(text: &str) -> bool {
    let (mut all, mut letters, mut data) = (0, 0, 0);
    for run in text.split_whitespace() {
        let count = run.chars().count();
        all += count;
        let own = run.chars().filter(|letter| letter.is_alphanumeric()).count();
        letters += own;
        let is_data = count > LONGEST && run.is_ascii() && (count - own) * PARTED < count;
        data += if is_data { count } else { 0 };
    }
    letters * 100 < all * LETTERS || data * 2 > all
}

/// Whether it has few different words.
fn repeats(text: &str) -> bool {
    let (mut words, mut wide) = (HashSet::new(), HashSet::new());
    let (mut count, mut wide_count) = (0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        for word in line.split(|letter: char| !letter.is_alphabetic()) {
            if word.chars().any(is_wide) {
                wide_count += word.chars().count();
                wide.extend(word.chars());
            } else if word.chars().nth(1).is_some() {
                count += 1;
                words.insert(word.to_lowercase());
            }
        }
    }
    let is_short = words.len() < FEWEST && wide.len() < FEWEST_LETTERS;
    let is_same = |count: usize, different: usize| {
        count > MANY && (different <= DIFFERENT || different * REPEATED < count && count < MANY * REPEATED)
    };
    is_short
        || is_same(count, words.len()) && wide_count < MANY
        || is_same(wide_count, wide.len()) && count < MANY
}

/// Whether it is the request, or what the request asks to fill in.
fn echoes(text: &str) -> bool {
    let asks = [SYSTEM, TASK].iter().any(|said| said.get(..SHOWN).is_some_and(|said| text.contains(said)));
    let outline = SECTIONS.iter().filter(|section| !section.about.is_empty() && text.contains(section.about));
    let lines = text.lines().filter(|line| LABELS.iter().any(|label| line.starts_with(label)));
    asks || outline.count() >= ECHOED || lines.count() >= ECHOED
}

fn is_wide(letter: char) -> bool {
    matches!(u32::from(letter), 0xE00..=0xE7F | 0x1100..=0x11FF | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_is_told_from_what_is_short() {
        let outline: Vec<String> =
            SECTIONS.iter().map(|section| format!("{}\n{}", section.heading, section.about)).collect();
        let (outline, data) = (outline.join("\n"), "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo".repeat(9));
        let (repeated, wide) = ("again and ".repeat(40), "重复".repeat(40));
        for nothing in [
            "undefined",
            "null",
            "[object Object]",
            "[object Promise] undefined",
            "NaN",
            "OK.",
            "Done!",
            "x9 $$$",
            "🙂 🙂 🙂",
            "## Goal\nx",
            "Ja.",
            "好的。",
            "{}",
            "....",
            "</s>",
            &outline,
            &data,
            &repeated,
            &wide,
            SYSTEM,
            "[User]: a\n\n[Assistant]: b\n\n[Tool call 1]: c",
            "| --- | --- |\n| --- | --- |",
        ] {
            assert!(says_nothing(nothing), "{nothing}");
        }
        for something in [
            "The cart rounds.",
            "None of the tests fail any more.",
            "登录测试已修复。",
            "ログインを直した",
            "Null checks were added.",
            "## Goal\nMend the sums.",
            "로그인 테스트를 고쳤다",
            "Die Kasse rundet.",
            "- [x] npm test\n- [ ] npm run lint",
            "- read /home/someone/projects/shop/packages/checkout/src/components/basket-summary.tsx: fine",
        ] {
            assert!(!says_nothing(something), "{something}");
        }
    }
}
