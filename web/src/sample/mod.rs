//! The sample sessions. They were written for this page and are nobody's recordings. Messages and findings are scripts;
//! long tool outputs are generated and are always the same.
//!
//! Only the worker's program contains the texts. The page's own program knows the list of samples, and shows the first
//! picture of the first one, which [`first`] holds.

mod blocks;
mod chat;
mod claude_code;
mod code;
mod digging;
pub mod first;
mod grammar;
mod items;
mod library;
mod long_hunt;
mod outputs;
mod recorded;
mod research;
mod rollout;
mod scribe;
mod script;

use chat::Chat;
use scribe::{Scribe as _, ToolCall, quoted};
use script::{SYSTEM, TURNS};

/// A session that the page brings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its name between page and worker.
    pub id: &'static str,
    /// Its file's name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// The context window that shows it best, in tokens, if it is not the usual one.
    pub window: Option<u64>,
}

/// All samples. The page opens with the first.
pub const ALL: [Sample; 6] = [
    Sample {
        id: "bug-hunt",
        name: "bug-hunt.json",
        title: "A bug hunt",
        about: "A rounding bug in a web shop. The context is full once, and pruning old outputs is enough.",
        window: None,
    },
    Sample {
        id: "long-hunt",
        name: "charged-twice.jsonl",
        title: "A long bug hunt",
        about: "A day of work, 1.4 million tokens. They go through a window of 200,000 with 14 compactions.",
        window: None,
    },
    Sample {
        id: "research",
        name: "heavy-rain.json",
        title: "Research with huge outputs",
        about: "Whole web pages: 36 outputs are 99 % of all tokens, and the largest has 44,000.",
        window: None,
    },
    Sample {
        id: "library",
        name: "catalog-search.json",
        title: "Japanese and Chinese",
        about: "A token is one or two characters here. Systems that count four for a token see less than half of the context.",
        window: None,
    },
    Sample {
        id: "rollout",
        name: "rollout.json",
        title: "A session that thrashes",
        about: "A long runbook and large tables in a window of 32,000: it is full again after every second or third request.",
        window: Some(32_000),
    },
    Sample {
        id: "recorded",
        name: "queue.jsonl",
        title: "Recorded compactions",
        about: "What the agent itself did, hollow in the picture: four summaries, and old outputs cleared once. The policy's are filled.",
        window: None,
    },
];

/// The sample with which the page opens.
pub const FIRST: &Sample = &ALL[0];

/// The sample with this id.
pub fn find(id: &str) -> Option<&'static Sample> {
    ALL.iter().find(|sample| sample.id == id)
}

/// The text of a sample.
pub fn text_of(sample: &Sample) -> String {
    match sample.id {
        "long-hunt" => long_hunt::text(),
        "research" => research::text(),
        "library" => library::text(),
        "rollout" => rollout::text(),
        "recorded" => recorded::text(),
        _ => text(),
    }
}

/// The first sample, a list of `OpenAI` Chat messages.
pub fn text() -> String {
    let mut chat = Chat::new(SYSTEM);
    let mut made = 0_u64;
    for turn in TURNS {
        chat.user(turn.user);
        for step in turn.steps {
            let calls: Vec<ToolCall> = (made + 1..)
                .zip(step.calls)
                .map(|(number, call)| {
                    ToolCall::new(call.tool, call.arguments, outputs::of(call.output, number))
                })
                .collect();
            made += calls.len() as u64;
            chat.step(step.say, &calls);
        }
        chat.answer(turn.answer);
    }
    chat.finish()
}

/// The sample as the worker opens it.
#[cfg(test)]
pub(crate) fn opened() -> (crate::open_session::OpenSession<crate::file::File>, crate::overview::Overview) {
    crate::open_session::OpenSession::open(text().into_bytes(), FIRST.name, &ebbline::ReadOptions::default())
        .unwrap()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use ebbline::json::Document;
    use ebbline::{SessionText, Verdict};

    use super::*;
    use crate::file::File;
    use crate::kind::Kind;
    use crate::life::{EventKind, Life};
    use crate::open_session::OpenSession;
    use crate::opening::Opening;
    use crate::overview::Overview;

    #[test]
    fn the_sample_is_a_session_in_which_something_happens() {
        let text = text();
        assert_eq!(text, super::text(), "always the same");
        let session = SessionText::read(&text).unwrap();
        let counts = session.counts();
        assert_eq!(counts.results, 60);
        assert!((110..=130).contains(&counts.messages), "{}", counts.messages);
        assert_eq!((counts.calls_without_result, counts.results_without_call), (0, 0));

        let mut policy = ebbline::profiles::ALL[0].policy();
        let plan = session.plan(&policy);
        assert_eq!(plan.decision.verdict, Verdict::Prune);
        assert!((175_000..200_000).contains(&plan.decision.tokens_before), "{}", plan.decision.tokens_before);
        assert!((35_000..80_000).contains(&plan.decision.tokens_after), "{}", plan.decision.tokens_after);
        policy = ebbline::profiles::get("ebbline@1").unwrap();
        policy.model.context = NonZeroU64::new(32_000);
        assert_eq!(session.plan(&policy).decision.verdict, Verdict::PruneThenSummarize);
    }

    /// A sample with what the worker answers about it.
    fn with_life(id: &str, profile: &str) -> (OpenSession<File>, Overview, Life, Opening) {
        let sample = find(id).unwrap();
        let text = text_of(sample);
        assert!(text == text_of(sample), "{id} is always the same");
        let (session, opened) =
            OpenSession::open(text.into_bytes(), sample.name, &ebbline::ReadOptions::default()).unwrap();
        let session = session.with_window(sample.window);
        let policy = ebbline::profiles::get(profile).unwrap();
        let (life, opening) = session.open_life(&policy, true);
        (session, opened, life, opening)
    }

    #[test]
    fn every_sample_reads_without_faults_and_has_something_to_see_under_every_profile() {
        for sample in &ALL {
            assert_eq!(find(sample.id), Some(sample));
            let (session, opened, _, _) = with_life(sample.id, "ebbline@2");
            let about = opened.about;
            assert_eq!((about.problem_count, about.counts.calls_without_result), (0, 0), "{}", sample.id);
            assert_eq!(about.counts.results_without_call, 0);
            for profile in ebbline::profiles::ALL {
                let (life, opening) = session.open_life(&profile.policy(), true);
                assert!(opening.request.is_some(), "{} {}: {}", sample.id, profile.name, opening.words);
                assert_eq!(opening.request, life.telling());
            }
        }
        assert_eq!(find("no such sample"), None);
    }

    #[test]
    fn the_samples_are_of_six_formats() {
        let formats = ALL.map(|sample| SessionText::read(text_of(&sample)).unwrap().format().title());
        assert_eq!(
            formats,
            ["OpenAI Chat", "Codex", "Anthropic Messages", "OpenAI Chat", "OpenAI Responses", "Claude Code"]
        );
    }

    #[test]
    fn the_bug_hunt_is_full_once_and_pruning_is_enough() {
        let (_, _, life, _) = with_life("bug-hunt", "ebbline@2");
        assert_eq!(life.events.len(), 1);
        assert_eq!(life.events[0].kind, EventKind::Prune);
    }

    #[test]
    fn the_long_hunt_has_14_compactions_in_a_window_of_200_000() {
        let (session, opened, life, _) = with_life("long-hunt", "ebbline@2");
        let tokens = session.plan(&ebbline::profiles::get("ebbline@2").unwrap(), false).figures.before;
        assert!((1_400_000..1_500_000).contains(&tokens), "{tokens}");
        assert!(opened.about.counts.messages > 600);
        assert_eq!((life.window, life.events.len()), (Some(200_000), 14));
    }

    #[test]
    fn the_outputs_of_the_research_are_nearly_all_of_it() {
        let (session, opened, _, _) = with_life("research", "ebbline@2");
        let planned = session.plan(&ebbline::profiles::get("ebbline@2").unwrap(), false);
        let tokens = |is_output: bool| -> u64 {
            let rows = opened.rows.kind.iter().zip(&planned.fates.before);
            let of = rows.filter(|(kind, _)| (**kind == Kind::Tool as u8) == is_output);
            of.map(|(_, tokens)| u64::from(*tokens)).sum()
        };
        assert_eq!(opened.about.counts.results, 36);
        assert_eq!(tokens(true) * 100 / (tokens(true) + tokens(false)), 99);
        let largest = planned.segments.before.iter().max().unwrap();
        assert_eq!(largest / 1_000, 47);
    }

    #[test]
    fn four_characters_a_token_count_less_than_half_of_the_library() {
        let (session, _, _, _) = with_life("library", "ebbline@2");
        let tokens = |profile| session.plan(&ebbline::profiles::get(profile).unwrap(), false).figures.before;
        for profile in ["pi@1.5", "tunacode@0.2"] {
            assert!(tokens(profile) * 2 < tokens("ebbline@2"), "{profile}: {}", tokens(profile));
        }
    }

    #[test]
    fn the_rollout_is_compacted_before_every_second_or_third_request() {
        let (_, _, life, opening) = with_life("rollout", "ebbline@2");
        assert_eq!((opening.window, life.window), (Some(32_000), Some(32_000)));
        assert!(opening.words.starts_with("A window of 32,000 shows best"), "{}", opening.words);
        let apart: Vec<u32> =
            life.events.windows(2).map(|events| events[1].request - events[0].request).collect();
        assert!(apart.len() > 20, "{}", apart.len());
        let said = &opening.told[0];
        assert!(
            said.contains(&format!("It thrashes: before {} of 73 requests", life.events.len())),
            "{said}"
        );
        let near = apart.iter().filter(|apart| (1..=3).contains(*apart)).count();
        assert!(near * 10 >= apart.len() * 9, "{apart:?}");
    }

    #[test]
    fn the_recorded_sample_has_four_summaries_and_one_clearing() {
        let (_, opened, life, _) = with_life("recorded", "ebbline@2");
        let of = |kind| life.recorded.iter().filter(|event| event.kind == kind).count();
        assert_eq!((of(EventKind::Summary), of(EventKind::Prune)), (4, 1));
        assert!(!life.events.is_empty());
        let facts = format!("{:?}", opened.about.facts);
        assert!(facts.contains("compact_boundary × 4") && facts.contains("Reported usage"), "{facts}");
    }

    #[test]
    fn quoted_text_is_json() {
        let text = "a \"b\" \\ \n\t\u{1} ü日😀";
        let quoted = quoted(text);
        assert_eq!(quoted, "\"a \\\"b\\\" \\\\ \\n\\t\\u0001 ü日😀\"");
        assert_eq!(Document::parse(&quoted).unwrap().root().text().unwrap().decode(), text);
    }
}
