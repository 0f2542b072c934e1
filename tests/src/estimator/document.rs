//! The tables of `docs/estimator.md`.

use std::collections::BTreeMap;
use std::path::Path;

use ebbline::length::Unit;
use ebbline_tokenizer::Tokenizer;

use super::calls::{self, Arguments, Call, Recorded, Shape};
use super::prediction::{Prediction, Reported, WAYS, Way};
use super::texts::{Error, Estimator, KINDS, Text};
use super::{corpus, models, prediction, quantile, texts, tokenx};

/// How many requests ahead sizes are predicted.
pub const AHEAD: [usize; 3] = [1, 4, 16];

/// The tables, by the name of their place in the document.
pub fn tables(folder: Option<&Path>, tokenizer: &Tokenizer) -> BTreeMap<&'static str, String> {
    let mut tables = BTreeMap::new();
    let groups = corpus::Class::ALL.map(corpus::Class::name);
    tables.insert("classes", of_texts(texts::committed(tokenizer), &groups));
    tables.insert("calls", of_calls(&calls::calls(tokenizer)));
    if let Some(folder) = folder {
        tables.insert("calls of sessions", of_recorded(folder, tokenizer));
        tables.insert("sessions", of_texts(texts::of_sessions(folder, tokenizer), &KINDS));
        tables.insert("models", models::table(folder, tokenizer));
        let sessions = prediction::reported(folder);
        tables.insert("predictions", overall(&sessions));
        tables.insert("each", one_by_one(&sessions));
    }
    tables
}

/// `document` with each table between its two markers.
pub fn insert(document: &str, tables: &BTreeMap<&'static str, String>) -> String {
    tables.iter().fold(document.to_owned(), |document, (name, table)| {
        let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
        let parts =
            document.split_once(&begin).and_then(|(head, rest)| Some((head, rest.split_once(&end)?.1)));
        let replaced = parts.map(|(head, tail)| format!("{head}{begin}\n{table}\n{end}{tail}"));
        replaced.unwrap_or(document)
    })
}

fn of_texts(mut all: Vec<Text>, groups: &[&str]) -> String {
    let is_asked = tokenx::ask(&mut all);
    let tokenx = if is_asked { " tokenx |" } else { "" };
    let mut table = format!("| | texts | tokens | by four |{tokenx} `ebbline@1` |\n|---|--:|--:|--:|");
    table.push_str(if is_asked { "--:|--:|\n" } else { "--:|\n" });
    let mut row = |name: &str, texts: &[&Text]| {
        let truth: u64 = texts.iter().map(|text| text.tokens).sum();
        table.push_str(&format!("| {name} | {} | {truth} |", texts.len()));
        for by in [Estimator::Quarter, Estimator::Tokenx, Estimator::Classes] {
            if is_asked || by != Estimator::Tokenx {
                table.push_str(&format!(" {} |", texts::error(texts, by).map_or("–".to_owned(), signed)));
            }
        }
        table.push('\n');
    };
    for group in groups {
        row(group, &all.iter().filter(|text| text.group == *group).collect::<Vec<_>>());
    }
    row("**all**", &all.iter().collect::<Vec<_>>());
    if !is_asked {
        table.push_str("\nWithout tokenx, which was not installed.\n");
    }
    table
}

fn of_calls(all: &[Call]) -> String {
    let mut table = String::from(
        "| | tokens | `input` of Anthropic, AI SDK | | `arguments` of OpenAI | | `ebbline@1`, objects | |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for kind in Arguments::ALL {
        for size in calls::SIZES {
            let of: Vec<&Call> = all.iter().filter(|call| call.kind == kind && call.size == size).collect();
            let tokens: u64 = of.iter().map(|call| call.tokens).sum();
            table.push_str(&format!("| {} | {} |", kind.name(), tokens / calls::OF_EACH));
            for (shape, unit) in [
                (Shape::Anthropic, Unit::ClassesOfJson),
                (Shape::OpenAi, Unit::ClassesOfJson),
                (Shape::Anthropic, Unit::Classes),
            ] {
                for off in calls::error(&of, shape, unit).unwrap_or([f64::NAN; 2]) {
                    table.push_str(&format!(" {:+.1} % |", off * 100.0).replace('-', "−"));
                }
            }
            table.push('\n');
        }
    }
    table
}

fn of_recorded(folder: &Path, tokenizer: &Tokenizer) -> String {
    let mut table = String::from("| | calls | tokens | `ebbline@1` | `ebbline@2` |\n|---|--:|--:|--:|--:|\n");
    let all = calls::recorded(folder, tokenizer);
    for (name, sizes) in [
        ("under 200 tokens", 0..200),
        ("200 to 1,000", 200..1_000),
        ("1,000 to 4,000", 1_000..4_000),
        ("from 4,000", 4_000..u64::MAX),
        ("**all**", 0..u64::MAX),
    ] {
        let of: Vec<&Recorded> = all.iter().filter(|call| sizes.contains(&call.tokens)).collect();
        let tokens: u64 = of.iter().map(|call| call.tokens).sum();
        table.push_str(&format!("| {name} | {} | {tokens} |", of.len()));
        for unit in [Unit::Classes, Unit::ClassesOfJson] {
            table.push_str(
                &format!(" {:+.1} % |", calls::error_of_recorded(&of, unit) * 100.0).replace('-', "−"),
            );
        }
        table.push('\n');
    }
    table
}

fn signed(error: Error) -> String {
    format!("{:+.0} %, {:.0} %", error.sum * 100.0, error.median * 100.0).replace('-', "−")
}

fn overall(sessions: &[Reported]) -> String {
    let mut table = String::from(
        "| requests ahead | predictions | | calibrated | not calibrated | by four | by four, all |\n\
         |--:|--:|---|--:|--:|--:|--:|\n",
    );
    for ahead in AHEAD {
        let each: Vec<Vec<Prediction>> = sessions.iter().map(|session| session.predictions(ahead)).collect();
        let all: Vec<Prediction> = each.iter().flatten().copied().collect();
        let mut row = |head: &str, name: &str, of: &dyn Fn(Way) -> Option<f64>| {
            table.push_str(&format!("| {head} | {name} |"));
            for way in WAYS {
                table.push_str(&format!(" {} |", percent(of(way))));
            }
            table.push('\n');
        };
        let head = format!("{ahead} | {}", all.len());
        row(&head, "size, median", &|way| quantile(&sizes(&all, way), 0.5));
        row(" | ", "size, nine in ten", &|way| quantile(&sizes(&all, way), 0.9));
        row(" | ", "size, median of the sessions' medians", &|way| median_of_medians(&each, way));
        row(" | ", "growth alone, median", &|way| {
            (way != Way::QuarterOfAll).then(|| quantile(&growths(&all, way), 0.5)).flatten()
        });
    }
    table
}

/// The median of the sessions' medians, so that a long session counts as one.
pub fn median_of_medians(sessions: &[Vec<Prediction>], way: Way) -> Option<f64> {
    let medians: Vec<f64> =
        sessions.iter().filter_map(|session| quantile(&sizes(session, way), 0.5)).collect();
    quantile(&medians, 0.5)
}

/// The errors of the size.
pub fn sizes(predictions: &[Prediction], way: Way) -> Vec<f64> {
    predictions.iter().map(|prediction| prediction.error(way)).collect()
}

fn growths(predictions: &[Prediction], way: Way) -> Vec<f64> {
    predictions.iter().filter_map(|prediction| prediction.error_of_growth(way)).collect()
}

fn one_by_one(sessions: &[Reported]) -> String {
    let mut table = String::from("| session | usages |");
    for ahead in AHEAD {
        table.push_str(&format!(" {ahead} ahead | not calibrated | by four |"));
    }
    table.push_str("\n|---|--:|");
    table.push_str(&"--:|".repeat(3 * AHEAD.len()));
    table.push('\n');
    for session in sessions {
        table.push_str(&format!("| {} | {} |", session.name, session.usages));
        for ahead in AHEAD {
            let predictions = session.predictions(ahead);
            for way in [Way::Calibrated, Way::Uncalibrated, Way::Quarter] {
                table.push_str(&format!(" {} |", percent(quantile(&sizes(&predictions, way), 0.5))));
            }
        }
        table.push('\n');
    }
    table
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
