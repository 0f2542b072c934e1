//! Tool calls with arguments of every kind and size, in the three shapes in which agents store them.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use ebbline::SessionText;
use ebbline::binding::classes::TOKEN;
use ebbline::length::{Length, Unit};
use ebbline::transcript::PartKind;
use ebbline_tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::sessions;

use super::corpus::{Dice, borrowed, capital, function, sentence, written};

/// The sizes of the arguments, in tokens.
pub const SIZES: [usize; 7] = [50, 200, 500, 1_000, 4_000, 16_000, 64_000];

/// How many calls there are of each kind and size.
pub const OF_EACH: u64 = 8;

/// What the arguments contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// A document of English.
    Prose,
    /// A file of Rust, JavaScript, Python, Go or markup, with its line breaks, quotes and indentation.
    Code,
    /// Lists of lists of numbers.
    Rows,
    /// Lists of objects whose members are mostly numbers.
    Records,
    /// Objects in objects, with short texts, numbers, switches and nulls.
    Nested,
    /// Searches: patterns, paths, numbers of lines.
    Searches,
    /// Old and new texts of a file of code.
    Edits,
    /// A list of short sentences.
    Strings,
    /// Texts that are not English, and emoji.
    Languages,
}

impl Arguments {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Prose,
        Self::Code,
        Self::Rows,
        Self::Records,
        Self::Nested,
        Self::Searches,
        Self::Edits,
        Self::Strings,
        Self::Languages,
    ];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Rows => "rows of numbers",
            Self::Records => "records of numbers",
            Self::Nested => "nested objects",
            Self::Searches => "paths, patterns",
            Self::Edits => "edits",
            Self::Strings => "lists of strings",
            Self::Languages => "other languages",
        }
    }

    /// Arguments whose texts have together about `length` characters.
    fn made(self, length: usize, seed: u64, dice: &mut Dice) -> Value {
        let mut room = length;
        match self {
            Self::Prose => {
                json!({ "path": path(dice, "md"), "content": text(length, |text| sentence(text, dice)) })
            }
            Self::Code => json!({ "file_path": path(dice, "rs"), "content": code(length, dice) }),
            Self::Rows => json!({ "sheet": dice.word(), "rows": list(&mut room, || row(dice)) }),
            Self::Records => json!({ "table": dice.word(), "records": list(&mut room, || record(dice)) }),
            Self::Nested => json!({ "version": 2, "steps": list(&mut room, || tree(dice, 0)) }),
            Self::Searches => searches(&mut room, dice),
            Self::Edits => json!({ "path": path(dice, "ts"), "edits": list(&mut room, || edit(dice)) }),
            Self::Strings => {
                json!({ "todos": list(&mut room, || text(20, |text| sentence(text, dice)).into()) })
            }
            Self::Languages => {
                let written = written();
                let languages =
                    ["Chinese", "Japanese", "Korean", "Russian", "Arabic", "Hindi", "German", "Polish"];
                let language = languages.get(seed as usize % languages.len()).copied().unwrap_or_default();
                let content = text(length, |text| {
                    borrowed(text, &written, language, dice)?;
                    text.write_str(dice.one_of(&["", "", "", "\n", " ✅ ", " 🚀"]))
                });
                json!({ "title": language, "content": content })
            }
        }
    }
}

/// One call: what it contains, its arguments, and what a provider bills for them.
#[derive(Clone, Debug)]
pub struct Call {
    /// What the arguments contain.
    pub kind: Arguments,
    /// The size for which they were made.
    pub size: usize,
    /// The arguments.
    pub arguments: Value,
    /// The tokens of their compact JSON.
    pub tokens: u64,
}

/// The calls of every kind and size.
pub fn calls(tokenizer: &Tokenizer) -> Vec<Call> {
    let kinds = Arguments::ALL.into_iter();
    let sizes = kinds.flat_map(|kind| SIZES.map(|size| (kind, size)));
    sizes
        .flat_map(|(kind, size)| (0..OF_EACH).map(move |seed| (kind, size, seed)))
        .map(|(kind, size, seed)| {
            let made = |length| {
                kind.made(
                    length,
                    seed,
                    &mut Dice(0x9E37_79B9_7F4A_7C15 ^ (seed + 1) << 16 ^ (size as u64) << 24 ^ kind as u64),
                )
            };
            let count = |arguments: &Value| tokenizer.count(&arguments.to_string());
            let first = size * 3;
            let length = first * size / count(&made(first)).max(1);
            let arguments = made(length);
            Call { kind, size, tokens: count(&arguments) as u64, arguments }
        })
        .collect()
}

/// How agents store a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Messages of Anthropic: the object `input`.
    Anthropic,
    /// Messages of OpenAI: the text `arguments`.
    OpenAi,
    /// Model messages of the AI SDK: the object `input`.
    AiSdk,
}

impl Shape {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Anthropic, Self::OpenAi, Self::AiSdk];

    /// A session with the call, as JSON.
    pub fn session(self, arguments: &Value) -> Value {
        let ask = json!({ "role": "user", "content": "go on" });
        match self {
            Self::Anthropic => json!([
                ask,
                { "role": "assistant", "content": [{ "type": "tool_use", "id": "toolu_1", "name": "run", "input": arguments }] },
                { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "toolu_1", "content": "done" }] },
            ]),
            Self::OpenAi => json!([
                ask,
                { "role": "assistant", "content": null, "tool_calls": [
                    { "id": "call_1", "type": "function", "function": { "name": "run", "arguments": arguments.to_string() } },
                ] },
                { "role": "tool", "tool_call_id": "call_1", "content": "done" },
            ]),
            Self::AiSdk => json!([
                ask,
                { "role": "assistant", "content": [
                    { "type": "tool-call", "toolCallId": "call_1", "toolName": "run", "input": arguments },
                ] },
                { "role": "tool", "content": [
                    { "type": "tool-result", "toolCallId": "call_1", "toolName": "run", "output": { "type": "text", "value": "done" } },
                ] },
            ]),
        }
    }

    /// The length of the arguments as the engine reads them in this shape; `None` if it does not.
    pub fn length(self, arguments: &Value) -> Option<Length> {
        let source = self.session(arguments).to_string();
        let session = SessionText::read(&source).ok()?;
        let part = session.transcript().parts().iter().find(|part| part.kind == PartKind::ToolCall)?;
        Some(part.length)
    }
}

/// The error of a profile's unit over the arguments of `calls` in one shape: of their sum, and the largest of a single
/// call; positive is too high. `None` if the engine does not read one of them.
pub fn error(calls: &[&Call], shape: Shape, unit: Unit) -> Option<[f64; 2]> {
    let lengths: Vec<Length> =
        calls.iter().map(|call| shape.length(&call.arguments)).collect::<Option<_>>()?;
    let estimates = || lengths.iter().map(|length| f64::from(length.in_unit(unit)) / f64::from(TOKEN));
    let billed: u64 = calls.iter().map(|call| call.tokens).sum();
    let each = calls.iter().zip(estimates()).map(|(call, estimate)| estimate / call.tokens as f64 - 1.0);
    let largest = each.max_by(|one, other| one.abs().total_cmp(&other.abs()))?;
    Some([estimates().sum::<f64>() / billed as f64 - 1.0, largest])
}

/// The arguments of one call of a real session, if they are an object there.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// The tokens of their compact JSON.
    pub tokens: u64,
    /// Their length.
    pub length: Length,
}

/// The calls of the sessions in `folder` whose arguments are objects, each once.
pub fn recorded(folder: &Path, tokenizer: &Tokenizer) -> Vec<Recorded> {
    let mut calls = Vec::new();
    let mut seen = HashSet::new();
    for path in sessions::files(folder) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let Ok(session) = SessionText::read(&source) else { continue };
        for (index, part) in session.transcript().parts().iter().enumerate() {
            let text = session.text_of(index).into_owned();
            let is_object = part.length.classed != Length::of(&text).classed;
            if part.kind == PartKind::ToolCall && is_object && seen.insert(text.clone()) {
                calls.push(Recorded { tokens: tokenizer.count(&text) as u64, length: part.length });
            }
        }
    }
    calls
}

/// The error of the sum of `calls` in `unit`; positive is too high.
pub fn error_of_recorded(calls: &[&Recorded], unit: Unit) -> f64 {
    let billed: u64 = calls.iter().map(|call| call.tokens).sum();
    let estimate: f64 = calls.iter().map(|call| f64::from(call.length.in_unit(unit))).sum();
    estimate / f64::from(TOKEN) / billed.max(1) as f64 - 1.0
}

fn text(length: usize, mut more: impl FnMut(&mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    while text.chars().count() < length && more(&mut text).is_ok() {}
    text
}

/// Values until their JSON fills `room`.
fn list(room: &mut usize, mut value: impl FnMut() -> Value) -> Vec<Value> {
    let mut list = Vec::new();
    while *room > 0 {
        let value = value();
        *room = room.saturating_sub(value.to_string().len() + 1);
        list.push(value);
    }
    list
}

fn path(dice: &mut Dice, extension: &str) -> String {
    format!(
        "/home/{}/{}/src/{}/{}_{}.{extension}",
        dice.word(),
        dice.word(),
        dice.word(),
        dice.word(),
        dice.word()
    )
}

fn code(length: usize, dice: &mut Dice) -> String {
    let is_other = dice.below(2) == 0;
    text(length, |text| if is_other { other_function(text, dice) } else { function(text, dice) })
}

/// Go and markup: tabs, and many quotes.
fn other_function(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    let [name, value, other, list] = [(); 4].map(|()| dice.word());
    match dice.below(2) {
        0 => write!(
            text,
            "func ({other} *{}) {}({value} string) ({list} []string, err error) {{\n\tif {value} == \"\" {{\n\t\treturn nil, \
             fmt.Errorf(\"no {value} in %q\", {other}.{name})\n\t}}\n\tfor _, {name} := range {other}.{list} {{\n\t\t{list} = \
             append({list}, {name})\n\t}}\n\treturn {list}, nil\n}}\n\n",
            capital(other),
            capital(name)
        ),
        _ => write!(
            text,
            "      <section className=\"{name} {value}\" data-{other}=\"{}\">\n        <h2>{} of the {value}</h2>\n        \
             {{{list}.map((row) => (\n          <Row key={{row.{other}}} title=\"{value}\" onClick={{() => {name}(row)}} \
             />\n        ))}}\n      </section>\n",
            dice.below(900),
            capital(name)
        ),
    }
}

/// A number as data has it: a count, a measured value, a price, a moment.
fn number(dice: &mut Dice) -> Value {
    match dice.below(6) {
        0 => json!(dice.below(10)),
        1 => json!(dice.below(1_000)),
        2 => json!(dice.below(1_000_000)),
        3 => json!(dice.below(100_000) as f64 / 100.0),
        4 => json!(dice.below(20_000_000) as f64 / 1_000_000.0 - 10.0),
        _ => json!(1_780_000_000_000_u64 + dice.below(9_999_999_999) as u64),
    }
}

fn row(dice: &mut Dice) -> Value {
    (0..4 + dice.below(5)).map(|_| number(dice)).collect()
}

fn record(dice: &mut Dice) -> Value {
    json!({
        "id": dice.below(100_000), "lat": dice.below(180_000_000) as f64 / 1_000_000.0 - 90.0, "count": dice.below(500),
        "total": number(dice), "mean_value": dice.below(100_000) as f64 / 1_000.0, "ok": dice.below(9) > 0,
    })
}

fn tree(dice: &mut Dice, depth: usize) -> Value {
    let children: Vec<Value> =
        if depth < 3 { (0..dice.below(4)).map(|_| tree(dice, depth + 1)).collect() } else { Vec::new() };
    json!({
        "name": format!("{}-{}", dice.word(), dice.word()),
        "type": dice.word(),
        "options": { "required": dice.below(2) == 0, "default": null, "maxItems": dice.below(200), dice.word(): dice.word() },
        "children": children,
    })
}

fn searches(room: &mut usize, dice: &mut Dice) -> Value {
    let mut search = || match dice.below(3) {
        0 => json!({
            "pattern": format!("fn {}_{}\\(.*\\) -> Result<{}", dice.word(), dice.word(), capital(dice.word())),
            "path": path(dice, "rs"), "glob": "**/*.{rs,toml}", "-n": true, "head_limit": dice.below(100),
        }),
        1 => json!({ "file_path": path(dice, "ts"), "offset": dice.below(3_000), "limit": 200 }),
        _ => json!({
            "command": format!(
                "cd /srv/{} && grep -rn \"{}\" --include='*.py' src/{} | head -{}",
                dice.word(), dice.word(), dice.word(), dice.below(90)
            ),
            "description": format!("Search {} for {}", dice.word(), dice.word()), "timeout": 120_000,
        }),
    };
    // The smallest is a single search; larger ones are a batch of them.
    if *room < 250 { search() } else { json!({ "calls": list(room, search) }) }
}

fn edit(dice: &mut Dice) -> Value {
    let old = code(60, dice);
    let [from, to] = [(); 2].map(|()| dice.word());
    let new = old.replacen(from, to, 9) + &code(30, dice);
    json!({ "oldText": old, "newText": new })
}
