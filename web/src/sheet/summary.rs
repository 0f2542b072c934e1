//! The summary made tangible: the exact request that a model would get, an answer to it with what is checked before it
//! may replace history, and the summary that needs no model.

use ebbline::length::Length;
use ebbline::summary::{
    Acceptance, Answer, SummaryOptions, SummaryTask, Texts, carried_of_texts, deterministic_of_texts,
    request_of_texts, review, shortcomings_of_texts,
};
use ebbline::{Fate, Plan, Transcript};

use super::facts::{NOTHING, summarizing};
use super::{Ask, Block, Field, Row};
use crate::content::Content;
use crate::export::session::stub;
use crate::open_session::OpenSession;
use crate::view::View;
use ebbline::numbers::{counted, grouped, percent};

/// The id of the field for the answer.
const ANSWER: &str = "answer";
/// What stands for the summary of an earlier simulated compaction: nobody has written it.
const UNWRITTEN: &str = "[the summary that the compaction before would have made]";

/// The texts of a context, in the form in which the engine takes them.
struct Written {
    source: String,
    words: Vec<u32>,
}

impl Written {
    fn of<C: Content>(session: &OpenSession<C>, view: &View<'_>) -> Self {
        let parts = view.transcript().parts().len();
        let mut written = Self { source: String::new(), words: vec![parts as u32] };
        for at in 0..parts {
            let part = view.part(at);
            let before = written.source.len();
            if part == usize::MAX {
                written.source.push_str(UNWRITTEN);
            } else {
                written.source.push_str(&session.content().text_of(part));
            }
            written.words.extend([(at as u32) << 3 | 1, (written.source.len() - before) as u32]);
        }
        written
    }
}

/// The sheet.
pub(super) fn summary<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    session.with_view(ask.at().as_ref(), &ask.policy, |view| {
        let (plan, mut blocks) = summarizing(view, ask);
        if !plan.decision.retain.applied {
            return vec![Block::plain(NOTHING)];
        }
        let written = Written::of(session, view);
        match of_texts(view.transcript(), &written, &plan, ask) {
            Ok(written) => {
                blocks.extend(written);
                blocks
            }
            Err(error) => {
                vec![Block::warning(format!("There is no request for a summary: {}.", error.message()))]
            }
        }
    })
}

fn of_texts(
    transcript: &Transcript,
    written: &Written,
    plan: &Plan,
    ask: &Ask,
) -> Result<Vec<Block>, ebbline::Error> {
    let texts = Texts::of_pieces(&written.source, &written.words)?;
    let Some(task) = request_of_texts(transcript, &texts, plan, &SummaryOptions::new())? else {
        return Ok(vec![Block::plain("Only an earlier summary would be summarized, so no model is asked.")]);
    };
    let estimator = &plan.policy().estimator;
    let message =
        task.request.messages.iter().map(|message| message.text.to_text()).collect::<Vec<_>>().join("\n\n");
    let size = |text: &str| estimator.tokens_of_text(Length::of(text));
    let replaced = task.context.replaced_tokens;
    let mut blocks = vec![
        Block::plain(format!(
            "{} with {} give way to one summary. A model would be asked for it with about {} of input{}.",
            counted(plan.decision.retain.messages as u64, "message"),
            counted(replaced, "token"),
            counted(size(&task.request.system).saturating_add(size(&message)), "token"),
            task.request
                .max_tokens
                .map_or_else(String::new, |most| format!(", and may answer with at most {}", grouped(most)))
        )),
        Block::quiet(
            "The playground asks no model: nothing leaves this tab. Copy the request into any model and paste its answer below.",
        ),
        Block::Text {
            title: "The system message".to_owned(),
            name: "summary-system.txt".to_owned(),
            text: task.request.system.clone(),
        },
        Block::Text {
            title: "The message".to_owned(),
            name: "summary-request.txt".to_owned(),
            text: message,
        },
        Block::Fields(vec![Field {
            id: ANSWER.to_owned(),
            label: "Paste the model's answer".to_owned(),
            value: String::new(),
            lines: 5,
        }]),
    ];
    let carried = {
        let is_gone: Vec<bool> =
            plan.messages.iter().map(|message| message.fate == Fate::Summarized).collect();
        carried_of_texts(transcript, &texts, &is_gone, &[])?
    };
    let after = |summary: &str| {
        let decision = &plan.decision;
        let rest = decision.tokens_after.saturating_sub(decision.summary_allowance);
        (decision.tokens_before, rest.saturating_add(size(summary)))
    };
    match ask.field(ANSWER) {
        Some(answer) => blocks.extend(answered(transcript, &texts, plan, &task, answer, &carried, &after)),
        None => blocks.push(Block::quiet(format!(
            "Until there is an answer, an export holds the stub “{}”.",
            stub(plan.decision.retain.messages)
        ))),
    }
    blocks.push(Block::heading("Without a model"));
    match deterministic_of_texts(transcript, &texts, plan)? {
        Some(text) => match review(&task.context, Answer::new(&text, false)) {
            Ok(finished) => {
                let summary = carried.behind(&finished.summary);
                let (before, after) = after(&summary);
                blocks.push(Block::plain(format!(
                    "ebbline can write a summary by rule: goal, what was done and what failed, files, standing orders. {} → {} ({}).",
                    grouped(before),
                    counted(after, "token"),
                    percent(after, before)
                )));
                blocks.push(Block::Text {
                    title: "The summary by rule".to_owned(),
                    name: "summary-by-rule.md".to_owned(),
                    text: summary,
                });
            }
            Err(error) => blocks
                .push(Block::plain(format!("No summary by rule would be accepted: {}.", error.message()))),
        },
        None => blocks.push(Block::plain("There is nothing that a summary by rule could state.")),
    }
    Ok(blocks)
}

/// What is checked of an answer, and what becomes of it.
fn answered(
    transcript: &Transcript,
    texts: &Texts<'_>,
    plan: &Plan,
    task: &SummaryTask,
    answer: &str,
    carried: &ebbline::summary::Carried,
    after: &dyn Fn(&str) -> (u64, u64),
) -> Vec<Block> {
    let row = |check: &str, passes: bool, why: String| Row {
        cells: vec![check.to_owned(), if passes { "passes" } else { "fails" }.to_owned(), why],
        act: super::Act::None,
    };
    let reviewed = review(&task.context, Answer::new(answer, false));
    let wanted = Acceptance::default();
    let lacks = shortcomings_of_texts(transcript, texts, plan, answer, wanted).unwrap_or_default();
    let mut rows = vec![row(
        "It is a text, whole and smaller than what it replaces",
        reviewed.is_ok(),
        reviewed.as_ref().map_or_else(|error| error.message().to_owned(), |_| String::new()),
    )];
    for (found, check) in ebbline::summary::Shortcoming::ALL.iter().zip([
        "It is no refusal",
        "It is no error message",
        "It is no call of a tool",
        "It has the headings that were asked for (not required)",
        "It is in the user's language",
        "It contains the facts that the work repeats",
    ]) {
        let is_missing = lacks.found.contains(found);
        let why = match found {
            ebbline::summary::Shortcoming::Facts if is_missing => {
                format!("missing: {}", lacks.facts.join(", "))
            }
            ebbline::summary::Shortcoming::Language if is_missing => {
                format!("the user writes in {}", lacks.language.unwrap_or("another language"))
            }
            _ => String::new(),
        };
        rows.push(row(check, !is_missing, why));
    }
    let mut blocks = vec![Block::Table {
        caption: "What is checked before an answer may replace history".to_owned(),
        columns: ["Check", "Result", "Why"].map(str::to_owned).to_vec(),
        rows,
    }];
    match reviewed {
        Ok(finished) if lacks.found.is_empty() => {
            let summary = carried.behind(&finished.summary);
            let (before, tokens) = after(&summary);
            blocks.push(Block::plain(format!(
                "Accepted: the context goes from {} to {} ({}).",
                grouped(before),
                counted(tokens, "token"),
                percent(tokens, before)
            )));
            for warning in finished.warnings {
                blocks.push(Block::quiet(format!("Note: {}.", warning.text())));
            }
            blocks.push(Block::Text {
                title: "What takes the messages' place".to_owned(),
                name: "summary.md".to_owned(),
                text: summary,
            });
        }
        _ => {
            blocks.push(Block::warning("Refused: the history stays as it is."));
            if let Some(reminder) = lacks.reminder() {
                blocks.push(Block::quiet(format!("The model would be told: {reminder}")));
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn sheet(answer: &str, force: bool) -> Vec<Block> {
        let (session, _) = crate::sample::opened();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        crate::knob::Knob::Context.set(&mut policy, 32_000);
        let fields = vec![(ANSWER.to_owned(), answer.to_owned())];
        let ask =
            Ask { which: Which::Summary, history: policy.clone(), policy, force, request: None, fields };
        summary(&session, &ask)
    }

    fn words(blocks: &[Block]) -> String {
        let words = blocks.iter().map(|block| match block {
            Block::Words(_, words) => words.clone(),
            Block::Text { title, .. } => format!("[{title}]"),
            Block::Table { rows, .. } => {
                rows.iter().map(|row| row.cells.join(" | ")).collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        });
        words.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_request_is_the_engines_own() {
        let (session, _) = crate::sample::opened();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        crate::knob::Knob::Context.set(&mut policy, 32_000);
        let of = session.content().session();
        let task = of.summary_request(&of.plan(&policy), &SummaryOptions::new()).unwrap().unwrap();
        let blocks = sheet("", false);
        let texts: Vec<&String> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Text { text, .. } => Some(text),
                _ => None,
            })
            .collect();
        assert_eq!(*texts[0], task.request.system);
        assert_eq!(*texts[1], task.request.messages[0].text.to_text());
        assert_eq!(texts.len(), 3, "and the summary by rule");
        assert!(words(&blocks).contains("holds the stub “[summary of "));
    }

    #[test]
    fn a_refusal_is_refused_and_a_summary_is_accepted() {
        let refused = words(&sheet("I'm sorry, but I cannot help with that.", false));
        assert!(refused.contains("It is no refusal | fails") && refused.contains("Refused:"), "{refused}");
        let own = sheet("", false);
        let by_rule = own.iter().rev().find_map(|block| match block {
            Block::Text { text, .. } => Some(text.clone()),
            _ => None,
        });
        let accepted = words(&sheet(&by_rule.unwrap(), false));
        assert!(accepted.contains("Accepted: the context goes from "), "{accepted}");
    }
}
