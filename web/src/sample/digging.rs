//! The steps of an agent that looks for something in the shop's code: searches, files, tests, logs, queries, changes.

use super::code::{Choice, path};
use super::outputs;
use super::scribe::{Scribe, ToolCall};

/// The names of an agent's tools.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hands {
    /// One tool for all commands.
    Shell,
    /// A tool for each purpose.
    Tools,
}

/// A request of the user, what the agent looks at, and its answer.
pub(super) struct Turn {
    pub(super) user: &'static str,
    /// The words that the agent searches for.
    pub(super) words: &'static [&'static str],
    pub(super) steps: u32,
    pub(super) answer: &'static str,
}

pub(super) const fn turn(
    user: &'static str,
    words: &'static [&'static str],
    steps: u32,
    answer: &'static str,
) -> Turn {
    Turn { user, words, steps, answer }
}

/// What the agent says before a step; `{w}` is the word, `{p}` a path.
const SEARCHES: [&str; 6] = [
    "I'll look for everything that touches {w}.",
    "Where else does {w} come from?",
    "Before I change anything: who uses {w}?",
    "",
    "There may be a second place that handles {w}.",
    "I'll check whether {w} is set anywhere outside of tests.",
];
const READS: [&str; 8] = [
    "{p} is on the way; I'll read it.",
    "",
    "The caller is in {p}.",
    "I have only seen parts of {p}. I'll read all of it.",
    "{p} decides about {w}, so it has to be right.",
    "",
    "The same pattern is in {p}.",
    "I want to be sure about {p} before I conclude anything.",
];
const RUNS: [&str; 4] = [
    "I'll run the tests around {w}.",
    "Does this already fail without my change?",
    "All suites that load {p}:",
    "",
];
const LOGS: [&str; 4] = [
    "The log of that hour should show it.",
    "",
    "I'll compare with a day on which nothing happened.",
    "What did the worker do with {w} meanwhile?",
];
const ASKS: [&str; 3] = [
    "The database knows more than the log.",
    "How many rows are there of {w}?",
    "I'll count instead of guessing.",
];
const EDITS: [&str; 4] = [
    "A small change in {p}.",
    "I'll make {w} explicit there.",
    "",
    "This line in {p} goes; the caller already does it.",
];
const REVIEWS: [&str; 2] = ["I'll look at the whole change once more.", "What exactly has changed so far?"];

/// Lets `scribe` write a turn. `before` is called before each step.
pub(super) fn dig<S: Scribe>(
    scribe: &mut S,
    turn: &Turn,
    (hands, choice): (Hands, &mut Choice),
    before: impl Fn(&mut S),
) {
    scribe.user(turn.user);
    for number in 0..turn.steps {
        before(scribe);
        let (say, calls) = step(turn, number, hands, choice);
        scribe.step(&say, &calls);
    }
    scribe.answer(turn.answer);
}

fn step(turn: &Turn, number: u32, hands: Hands, choice: &mut Choice) -> (String, Vec<ToolCall>) {
    let word = turn.words.get(number as usize % turn.words.len().max(1)).copied().unwrap_or_default();
    let place = path(choice);
    let shell = |command: String, output| command_of(hands, &command, output);
    let (says, call): (&[&'static str], ToolCall) = match (number, choice.below(12)) {
        (0, _) | (_, 0..=1) => (&SEARCHES, search(hands, word, choice)),
        (_, 2..=5) => (&READS, read(hands, &place, choice)),
        (_, 6) => {
            let output = outputs::tests(30 + choice.below(50) as u32, "", choice);
            (&RUNS, shell(format!("npm test -- {}", folder(&place)), output))
        }
        (_, 7..=8) => {
            let output = outputs::log(90 + choice.below(120) as u32, "", choice);
            let hour = choice.below(24);
            (
                &LOGS,
                shell(
                    format!("zgrep -h ' {hour:02}:' logs/worker-*.gz | grep -i {word} | tail -200"),
                    output,
                ),
            )
        }
        (_, 9) => {
            let columns = "id|created|charged|captured|attempt|status";
            let output = outputs::table(columns, 60 + choice.below(90) as u32, choice);
            (
                &ASKS,
                shell(
                    format!("psql shop -c \"select * from {word}s order by created desc limit 150\""),
                    output,
                ),
            )
        }
        (_, 10) => (&EDITS, edit(hands, &place, word)),
        _ => {
            let output = outputs::diff(5 + choice.below(5) as u32, "", choice);
            (&REVIEWS, shell("git diff --stat -p main".to_owned(), output))
        }
    };
    let say = choice.of(says).replace("{w}", &format!("`{word}`")).replace("{p}", &format!("`{place}`"));
    let mut calls = vec![call];
    if choice.below(3) == 0 {
        calls.push(read(hands, &path(choice), choice));
    }
    (say, calls)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(folder, _)| folder)
}

fn command_of(hands: Hands, command: &str, output: String) -> ToolCall {
    match hands {
        Hands::Shell => {
            ToolCall::new("shell_command", &[("command", command), ("workdir", "/work/harbour-shop")], output)
        }
        Hands::Tools => ToolCall::new("Bash", &[("command", command)], output),
    }
}

fn search(hands: Hands, word: &str, choice: &mut Choice) -> ToolCall {
    let output = outputs::grep(word, 70 + choice.below(150) as u32, choice);
    match hands {
        Hands::Shell => command_of(hands, &format!("rg -n {word} src"), output),
        Hands::Tools => {
            ToolCall::new("Grep", &[("pattern", word), ("path", "src"), ("output_mode", "content")], output)
        }
    }
}

fn read(hands: Hands, path: &str, choice: &mut Choice) -> ToolCall {
    let output = outputs::file(path, 180 + choice.below(320) as u32, "", choice);
    match hands {
        Hands::Shell => command_of(hands, &format!("cat -n {path}"), output),
        Hands::Tools => ToolCall::new("Read", &[("file_path", path)], output),
    }
}

fn edit(hands: Hands, path: &str, word: &str) -> ToolCall {
    let (old, new) =
        (format!("  await {word}(order);\n"), format!("  await {word}(order, {{ key: order.id }});\n"));
    match hands {
        Hands::Shell => {
            let change = format!("*** Begin Patch\n*** Update File: {path}\n@@\n-{old}+{new}*** End Patch\n");
            let command = format!("apply_patch <<'EOF'\n{change}EOF");
            command_of(hands, &command, format!("Success. Updated the following files:\nM {path}\n"))
        }
        Hands::Tools => {
            let arguments = [("file_path", path), ("old_string", &old), ("new_string", &new)];
            ToolCall::new("Edit", &arguments, format!("The file {path} has been updated."))
        }
    }
}
