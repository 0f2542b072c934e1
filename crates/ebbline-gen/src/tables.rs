//! Tables of the documentation, between `<!-- gen: NAME -->` and `<!-- /gen -->`.

use ebbline::controller::Obstacle;
use ebbline::plan::VerdictReason;
use ebbline::policy::knob::{About, Counted, GROUPS, Kind, Knob};
use ebbline::{ErrorCode, Fate, Format, Policy, Reason, Verdict, profiles};
use ebbline_json::words::{Word, Words};
use serde_json::Value;

use crate::javascript::JavaScriptCode;
use crate::prose::plain;

/// The documents that hold such tables.
pub(crate) const DOCUMENTS: [&str; 3] = ["docs/formats.md", "docs/policy.md", "docs/reference.md"];

const BEGIN: &str = "<!-- gen: ";
const END: &str = "<!-- /gen -->";

/// The document with its tables as they are now.
pub(crate) fn filled(document: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = document;
    while let Some((before, behind)) = rest.split_once(BEGIN) {
        let (name, behind) = behind.split_once(" -->\n").ok_or("a mark does not end")?;
        let (_, after) = behind.split_once(END).ok_or_else(|| format!("the table {name} has no end"))?;
        let table = table(name).ok_or_else(|| format!("there is no table {name}"))?;
        text.push_str(&format!("{before}{BEGIN}{name} -->\n{table}{END}"));
        rest = after;
    }
    Ok(text + rest)
}

fn table(name: &str) -> Option<String> {
    match name {
        "formats" => {
            let rows = Format::ALL.iter().map(|format| {
                let live = if format.is_live() { "yes" } else { "" };
                format!("`{}` | {} | {live}", format.name(), format.title())
            });
            Some(rows_of("name | format | live arrays", rows))
        }
        "what is read" => Some(what_is_read()),
        "profiles" => {
            let rows = profiles::ALL.iter().map(|profile| format!("`{}` | {}", profile.name, profile.about));
            Some(rows_of("profile | what it reproduces", rows))
        }
        "knobs" => Some(knobs()),
        "verdicts" => Some(words("verdict", &[Verdict::WORDS])),
        "verdict reasons" => Some(words("reason", &[VerdictReason::WORDS])),
        "fates" => Some(words("fate", &[Fate::WORDS])),
        "reasons" => Some(words("reason", &[Reason::WORDS])),
        "errors" => Some(words("code", &[ErrorCode::WORDS, JavaScriptCode::WORDS, Obstacle::WORDS])),
        _ => None,
    }
}

/// The agents whose files are read, and the formats by how they can be given.
fn what_is_read() -> String {
    let mut agents: Vec<&str> = Vec::new();
    for format in Format::ALL {
        let store = format.store();
        for place in store.places.iter().chain(store.extensions) {
            if !agents.contains(&place.agent) {
                agents.push(place.agent);
            }
        }
    }
    let titles = |is_listed: &dyn Fn(&Format) -> bool| {
        let titles = Format::ALL.iter().filter(|format| is_listed(format)).map(|format| format.title());
        titles.collect::<Vec<_>>().join(", ")
    };
    let has_file = |format: &Format| !format.store().places.is_empty();
    let rows = [
        format!("session files of agents | {}", agents.join(", ")),
        format!("texts and live arrays of messages | {}", titles(&|format| format.is_live())),
        format!("texts | {}", titles(&|format| !format.is_live() && !has_file(format))),
    ];
    rows_of("what | of which agent, provider or library", rows.into_iter())
}

fn words(title: &str, sets: &[Words]) -> String {
    let rows = sets.iter().flat_map(|set| set.words.iter().zip(set.meanings));
    let rows = rows
        .map(|(word, about)| format!("`{word}` | {}", plain(about).replace("{@link Session}", "`Session`")));
    rows_of(&format!("{title} | what it means"), rows)
}

fn knobs() -> String {
    let policy = profiles::ALL.first().map(profiles::Profile::policy).unwrap_or_default();
    let tree: Value = serde_json::from_str(&policy.to_json()).unwrap_or_default();
    let rows = GROUPS.iter().flat_map(|group| group.knobs).filter_map(|about| {
        let knob = Policy::knob(about.path)?;
        let value = tree.pointer(&format!("/{}", about.path.replace('.', "/")))?;
        let default = policy.share(knob.path).map_or_else(|| value.to_string(), |share| share.to_string());
        Some(format!("`{}` | {} | `{default}` | {}", knob.path, range(knob, about), plain(about.about)))
    });
    rows_of("knob | values | in `ebbline@1` | what it does", rows)
}

fn range(knob: &Knob, about: &About) -> String {
    let unit = match knob.unit {
        Some(Counted::Tokens) => "tokens",
        Some(Counted::Turns) => "turns",
        Some(Counted::Outputs) => "outputs",
        Some(Counted::Characters) => "characters",
        Some(Counted::Milliseconds) => "milliseconds",
        Some(Counted::Ratio) => "tokens for each token",
        Some(Counted::Answers) => "answers",
        Some(Counted::Images) => "images",
        Some(counted) => unreachable!("the tables have no word for {counted:?}"),
        None => "",
    };
    let said = match (knob.kind, about.words) {
        (_, Some(words)) => words.words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        (Kind::Number { least, or_null, .. }, _) => {
            let from = if least < 0 {
                format!("{unit}, may be negative")
            } else {
                format!("{unit}, at least {least}")
            };
            if or_null { from + ", or `null`" } else { from }
        }
        (Kind::Switch, _) => "`true`, `false`".to_owned(),
        (Kind::Share, _) => "a share, or `null`".to_owned(),
        (Kind::Texts, _) => "a list of names".to_owned(),
        _ => "a text".to_owned(),
    };
    if knob.may_be_share { said + ", or a share of the window" } else { said }
}

fn rows_of(head: &str, rows: impl Iterator<Item = String>) -> String {
    let rule = "---|".repeat(head.split(" | ").count());
    let rows: String = rows.map(|row| format!("| {row} |\n")).collect();
    format!("| {head} |\n|{rule}\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let document = "Before.\n<!-- gen: fates -->\nold\n<!-- /gen -->\nAfter.\n";
        let text = filled(document).unwrap_or_default();
        assert!(text.starts_with("Before.\n<!-- gen: fates -->\n| fate | what it means |\n"), "{text}");
        assert!(text.ends_with("|\n<!-- /gen -->\nAfter.\n"), "{text}");
        assert_eq!(filled(&text), Ok(text));
        assert!(filled("<!-- gen: nothing -->\n<!-- /gen -->").is_err());
        assert!(filled("<!-- gen: fates -->\n").is_err());
    }
}
