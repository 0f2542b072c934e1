//! What the agent concluded: the sentences of its own text that decide something or find something out, by their words.

use super::ending::{clean, shortened};

/// The most characters of a sentence, and the least.
const LONGEST: usize = 240;
const SHORTEST: usize = 12;
/// So many sentences of each kind are kept: the newest.
const MOST: usize = 10;

/// What a decision is said with.
const DECIDES: &[&str] = &[
    "decided", "decision:", "i'll use", "i will use", "we'll use", "we will use", "going with", "i chose",
    "chose to", "instead of", "rather than", "opted for", "settled on", "the approach is", "entschied",
    "statt ", "nehme ich", "décidé", "au lieu de", "j'ai choisi", "decid", "en lugar de", "en vez de",
    "决定", "选择", "改用", "采用", "決めました", "決定", "代わりに", "採用", "решил",
];
/// What a finding is said with.
const FINDS: &[&str] = &[
    "the cause", "root cause", "caused by", "turns out", "the problem is", "the problem was", "the issue is",
    "the issue was", "the bug is", "the bug was", "the fix is", "found that", "found the", "confirmed that",
    "the reason is", "the reason was", "because of", "it fails because", "fails because", "important:",
    "note that", "finding:", "conclusion:", "key insight", "discovered", "die ursache", "das problem ist",
    "liegt daran", "liegt an", "herausgefunden", "la cause", "le problème", "parce que", "la causa",
    "el problema", "porque", "原因是", "原因在于", "根本原因", "问题是", "问题在于", "发现", "原因は",
    "問題は", "причина",
];

/// Sentences of an agent, oldest first.
#[derive(Debug, Default)]
pub(super) struct Conclusions {
    pub(super) decisions: Vec<String>,
    pub(super) findings: Vec<String>,
}

impl Conclusions {
    /// Takes what the agent said.
    pub(super) fn say(&mut self, text: &str) {
        let mut is_code = false;
        for line in text.lines() {
            let line = clean(line);
            if line.starts_with("```") {
                is_code = !is_code;
                continue;
            }
            // Tables, headings and quotations say nothing by themselves.
            if !is_code && !line.starts_with(['|', '#', '>']) {
                each_sentence(&line, &mut |sentence| self.sentence(sentence));
            }
        }
    }

    fn sentence(&mut self, sentence: &str) {
        let sentence = sentence.trim_start_matches(['-', '*', '+', '•', ' ']).trim();
        if sentence.len() < SHORTEST || sentence.ends_with(['?', '？', ':']) {
            return;
        }
        let lower = sentence.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let list = match (has(DECIDES), has(FINDS)) {
            (true, _) => &mut self.decisions,
            (false, true) => &mut self.findings,
            (false, false) => return,
        };
        let line = format!("- {}", shortened(sentence, LONGEST));
        list.retain(|there| *there != line);
        list.push(line);
        if list.len() > MOST {
            list.remove(0);
        }
    }
}

/// Calls `take` with each sentence of a line: it ends with a full stop before a blank, or with one of an Asian script.
fn each_sentence(line: &str, take: &mut dyn FnMut(&str)) {
    let mut from = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let is_wide = matches!(letter, '。' | '！' | '？');
        let is_narrow =
            matches!(letter, '.' | '!' | '?') && letters.peek().is_some_and(|(_, next)| next.is_whitespace());
        if is_wide || is_narrow {
            let end = at + letter.len_utf8();
            take(line.get(from..end).unwrap_or_default().trim());
            from = end;
        }
    }
    take(line.get(from..).unwrap_or_default().trim());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_and_findings_are_told_from_the_rest() {
        let mut said = Conclusions::default();
        said.say("I look at it. The cause is the clock: TestLogin uses local time, v1.2 the server's. I decided to inject a clock.");
        said.say(
            "```\n// decided by the root cause\n```\n## Decision: none\nShould I use it instead of that?",
        );
        said.say("原因是时区不一致。我决定注入时钟。\n- Die Ursache ist die Uhr.");
        assert_eq!(
            said.findings,
            [
                "- The cause is the clock: TestLogin uses local time, v1.2 the server's.",
                "- 原因是时区不一致。",
                "- Die Ursache ist die Uhr."
            ]
        );
        assert_eq!(said.decisions, ["- I decided to inject a clock.", "- 我决定注入时钟。"]);
    }
}
