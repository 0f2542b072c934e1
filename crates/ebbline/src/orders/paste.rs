//! Which of a message's text the user wrote: skills, prompts of agents, plans and documents stand there as well.

/// How texts begin that a program or another person wrote.
const WRITTEN_BY_OTHERS: &[&str] = &[
    "use this skill",
    "use this agent",
    "use this tool",
    "use this command",
    "this skill",
    "this agent",
    "base directory for this skill",
    "implement the following plan",
    "caveat: the messages below",
    "this session is being continued",
    "the user sent the following",
    "stop hook feedback",
    "[request interrupted",
    "here is the plan",
    "your task is to ",
    "please analyze this codebase and create",
    "generate a file named agents.md",
];
/// How prompts begin. The user may say so as well, but in few words.
const PROMPTS: &[&str] =
    &["you are a", "you are the", "you are now", "you're a", "act as ", "as an expert", "your role"];
/// A prompt has more bytes than this.
const PROMPT: usize = 400;
/// So many headings make a text of so many bytes a document, and so many a shorter one.
const HEADINGS: usize = 2;
const DOCUMENT: usize = 1_500;
const MANY_HEADINGS: usize = 5;
/// The lines in which the keys of a skill's or a document's front matter stand.
const FRONT_MATTER: usize = 12;

/// The beginning of a text that the user wrote: what stands in front of a document, and nothing of a prompt.
pub(super) fn own(text: &str) -> &str {
    let trimmed = text.trim_start();
    if has_front_matter(trimmed) || begins(trimmed, PROMPTS) && trimmed.len() > PROMPT {
        return "";
    }
    let (mut headings, mut first, mut start) = (0, None, 0);
    let mut in_fence = false;
    for line in text.split_inclusive('\n') {
        let said = line.trim_start();
        in_fence ^= said.starts_with("```");
        if !in_fence && begins(said, WRITTEN_BY_OTHERS) {
            return text.get(..start).unwrap_or_default();
        }
        if !in_fence && is_heading(said) {
            headings += 1;
            first.get_or_insert(start);
        }
        start += line.len();
    }
    let is_document = headings >= MANY_HEADINGS || headings >= HEADINGS && text.len() > DOCUMENT;
    first.filter(|_| is_document).and_then(|first| text.get(..first)).unwrap_or(text)
}

fn begins(text: &str, any: &[&str]) -> bool {
    any.iter().any(|begin| text.get(..begin.len()).is_some_and(|said| said.eq_ignore_ascii_case(begin)))
}

fn is_heading(said: &str) -> bool {
    let text = said.trim_start_matches('#');
    (1..=6).contains(&(said.len() - text.len())) && text.starts_with(' ')
}

fn has_front_matter(text: &str) -> bool {
    let mut lines = text.lines();
    lines.next().is_some_and(|line| line.trim_end() == "---")
        && lines.take(FRONT_MATTER).any(|line| {
            ["name:", "description:", "title:", "model:", "tools:"].iter().any(|key| line.starts_with(key))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_front_of_a_document_is_the_users() {
        let plan = format!("# Plan\n\n{}\n## Steps\n- Never push.\n", "It is long. ".repeat(150));
        let prompt = format!("You are a reviewer. {}", "Always read everything. ".repeat(20));
        let skill = "---\nname: prose\ndescription: Use it\n---\nNever push.";
        for (text, expected) in [
            ("Never push.", "Never push."),
            ("# Rules\n- no emojis\n", "# Rules\n- no emojis\n"),
            ("You are a tester. Never push.", "You are a tester. Never push."),
            ("Use this skill whenever you write.\n- no emojis", ""),
            ("Never push.\nImplement the following plan:\nAlways push.", "Never push.\n"),
            (skill, ""),
            (prompt.as_str(), ""),
            (plan.as_str(), ""),
        ] {
            assert_eq!(own(text), expected, "{text}");
        }
        assert_eq!(own(&format!("Never push.\n{plan}")), "Never push.\n");
    }
}
