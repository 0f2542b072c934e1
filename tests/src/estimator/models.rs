//! How many tokens providers report for the growth of real sessions, against the exact count of `o200k_base`, by model.

use std::collections::BTreeMap;
use std::path::Path;

use ebbline::SessionText;
use ebbline::transcript::{Output, PartKind};
use ebbline_tokenizer::Tokenizer;

use crate::oracle::calibrate::{Growth, growth};
use crate::sessions;

/// The fewest steps of a session that say something of its model.
const LEAST_STEPS: usize = 3;
/// How the formats name the model of an answer.
const NAMES: [&str; 4] = ["model", "modelID", "modelId", "model_name"];

/// A session with reports.
#[derive(Clone, Debug)]
pub struct Growing {
    /// The model that wrote most of its answers.
    pub model: String,
    /// The name of its format.
    pub format: &'static str,
    /// How much it grew.
    pub growth: Growth,
}

/// The sessions in `folder` that say of their growth what the provider counted, by model.
pub fn growing(folder: &Path, tokenizer: &Tokenizer) -> Vec<Growing> {
    let mut found: Vec<Growing> =
        sessions::files(folder).iter().filter_map(|path| of_file(path, tokenizer)).collect();
    found.sort_by(|one, other| (&one.model, one.format).cmp(&(&other.model, other.format)));
    found
}

fn of_file(path: &Path, tokenizer: &Tokenizer) -> Option<Growing> {
    let source = std::fs::read_to_string(path).ok()?;
    let session = SessionText::read(&source).ok()?;
    let transcript = session.transcript();
    let costs: Vec<u64> = transcript
        .parts()
        .iter()
        .enumerate()
        .map(|(index, part)| match part.kind {
            PartKind::Image | PartKind::File => 0,
            _ => tokenizer.count(&session.text_of(index)) as u64,
        })
        .collect();
    // What no text is has no count, and what was pruned had another one.
    let is_other = |kind| matches!(kind, PartKind::Image | PartKind::File);
    let changed: Vec<bool> =
        transcript.parts().iter().map(|part| part.output == Output::Pruned || is_other(part.kind)).collect();
    let growth = growth(transcript, &costs, &changed).filter(|growth| growth.steps[1] >= LEAST_STEPS)?;
    Some(Growing { model: model_of(&source)?, format: session.format().name(), growth })
}

/// The model that is named most often.
fn model_of(source: &str) -> Option<String> {
    let mut named = BTreeMap::<&str, usize>::new();
    for name in NAMES {
        for (at, _) in source.match_indices(&format!("\"{name}\":")) {
            let rest = source.get(at + name.len() + 3..)?.trim_start();
            if let Some((model, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
                *named.entry(model).or_default() += 1;
            }
        }
    }
    let (model, _) = named.into_iter().max_by_key(|(_, times)| *times)?;
    Some(model.rsplit('/').next()?.to_owned())
}

/// The table of the document.
pub fn table(folder: &Path, tokenizer: &Tokenizer) -> String {
    let mut table = String::from(
        "| model | format | steps | `o200k_base` | reported | ratio |\n|---|---|--:|--:|--:|--:|\n",
    );
    for Growing { model, format, growth: Growth { steps: [all, near], reported, counted } } in
        growing(folder, tokenizer)
    {
        let ratio = reported as f64 / counted.max(1) as f64;
        table.push_str(&format!(
            "| {model} | {format} | {near} of {all} | {counted} | {reported} | {ratio:.2} |\n"
        ));
    }
    table
}
