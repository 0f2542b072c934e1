//! Scripted sessions in which the compactor has to do what npm's does: `tests/python/alike.mjs` prints what that is, and
//! `tests/python/test_alike.py` does the same in Python. They run if `EBBLINE_PACKAGE` names the npm package.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use ebbline::json::Document;
use ebbline_compactor::{
    Compactor, CompactorError, Event, Model, Options, Original, RequestInfo, Step, SummaryRequest, Usage,
};
use serde_json::{Value, json};

/// The time of every session, in milliseconds since 1970.
const NOW: u64 = 1_767_225_600_000;
/// What is compared of an event.
const COMPARED: [&str; 14] = [
    "type", "cause", "messages", "tokens", "part", "parts", "pruned", "summarized", "orders", "pins",
    "byRule", "tokensBefore", "tokensAfter", "code",
];

/// What became of a call: its view, or the code of its error.
type Called = Result<(), String>;

struct Run<'s> {
    session: &'s Value,
    /// All messages of the session, as they are written: a store gets them with their members in this order.
    pool: &'s [String],
    options: Value,
    compactor: Compactor,
    /// The texts that the store has, and what was put into it.
    store: HashMap<String, String>,
    puts: Vec<Value>,
    requests: Vec<Value>,
    answered: usize,
    /// Whether a model has a request to answer.
    is_open: bool,
    last: Vec<String>,
}

impl<'s> Run<'s> {
    fn new(session: &'s Value, pool: &'s [String]) -> Self {
        let options = options_of(session);
        let compactor = Compactor::new(Options::from_json(&options.to_string()).unwrap()).unwrap();
        Self {
            session,
            pool,
            options,
            compactor,
            store: HashMap::new(),
            puts: Vec::new(),
            requests: Vec::new(),
            answered: 0,
            is_open: false,
            last: Vec::new(),
        }
    }

    /// One step of the session, and what it says.
    fn step(&mut self, step: &Value) -> Value {
        let places = step["history"].as_array().into_iter().flatten();
        let history: Vec<String> =
            places.map(|place| self.pool[place.as_u64().unwrap() as usize].clone()).collect();
        let called = match step["do"].as_str().unwrap() {
            "answer" => {
                if self.is_open {
                    let step = self.answer();
                    self.is_open = matches!(step, Ok(Step::Summarize(_)));
                    if let Ok(Step::Summarize(request)) = step {
                        self.note(&request);
                    }
                }
                None
            }
            "undo" => {
                self.compactor.undo().unwrap();
                None
            }
            "redo" => {
                self.compactor.redo().unwrap();
                None
            }
            "undoAll" => {
                while self.compactor.undo().unwrap() {}
                None
            }
            "usage" => {
                self.compactor.usage(Usage::from_json(&step["reported"].to_string()).unwrap());
                None
            }
            what => Some(self.call(what, history, step)),
        };
        self.is_open = self.is_open && self.compactor.is_wanted();
        let (view, code) = match called {
            None => (Value::Null, Value::Null),
            Some(Err(code)) => (Value::Null, json!(code)),
            Some(Ok(())) => {
                self.last = self.compactor.messages().map(str::to_owned).collect();
                let view = self.last.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
                (view.collect(), Value::Null)
            }
        };
        let events: Vec<Value> = self.compactor.events().iter().map(told).collect();
        let record: Value = serde_json::from_str(&self.compactor.record()).unwrap();
        json!({"view": view, "code": code, "events": events, "isOpen": self.is_open, "overhead": record["overhead"]})
    }

    fn call(&mut self, what: &str, mut history: Vec<String>, step: &Value) -> Called {
        let mut info = RequestInfo::new().now(NOW);
        if let Some(focus) = step["focus"].as_str() {
            info = info.focus(focus);
        }
        if step["model"].is_object() {
            info = info.model(Model::from_json(&step["model"].to_string()).unwrap());
        }
        if what == "keep" {
            // An agent that kept only what was sent goes on in another process.
            let mut options = self.options.clone();
            options["record"] = serde_json::from_str(&self.compactor.record()).unwrap();
            self.compactor = Compactor::new(Options::from_json(&options.to_string()).unwrap()).unwrap();
            let found =
                self.compactor.missing_keys().iter().map(|key| self.store.get(key).cloned()).collect();
            self.compactor.found(found);
            history.splice(0..0, self.last.clone());
        }
        let mut next = match what {
            "recover" => self.compactor.recover(&history, step["error"].as_str().unwrap(), info),
            "compactNow" => self.compactor.compact_now(&history, info),
            _ => self.compactor.prepare(&history, info),
        };
        loop {
            next = match next.map_err(|error| error.code().to_owned())? {
                Step::Send => return Ok(()),
                Step::Summarize(request) => {
                    if !(self.is_open && request.is_awaited) {
                        self.note(&request);
                    }
                    self.is_open = true;
                    if request.is_background && !request.is_awaited {
                        return Ok(());
                    }
                    self.answer()
                }
                Step::Store(originals) => self.put(&originals)?,
                Step::Count(texts) => {
                    let counter = self.session["options"]["countTokens"].as_str().unwrap();
                    let tokens: Vec<f64> = texts.iter().map(|text| counted(counter, text)).collect();
                    self.compactor.counted(&tokens)
                }
                other => panic!("nobody is asked this: {other:?}"),
            };
        }
    }

    /// Takes a request down that a model gets.
    fn note(&mut self, request: &SummaryRequest) {
        let contents = request.messages.iter().map(|message| json!(message.content));
        self.requests.push(contents.collect());
    }

    /// The model answers. If the caller has to count the texts of what comes of it, it does.
    fn answer(&mut self) -> Result<Step, CompactorError> {
        self.is_open = false;
        let answers = self.session["answers"].as_array().unwrap();
        let text = &answers[self.answered % answers.len()];
        self.answered += 1;
        let mut step = match text.as_str() {
            None => self.compactor.give_up("the model is down"),
            Some("") => self.compactor.answer("", false),
            Some(text) => self.compactor.answer(&format!("{text} ({})", self.answered), false),
        };
        while let Ok(Step::Count(texts)) = &step {
            let counter = self.session["options"]["countTokens"].as_str().unwrap();
            let tokens: Vec<f64> = texts.iter().map(|text| counted(counter, text)).collect();
            step = self.compactor.counted(&tokens);
        }
        step
    }

    /// Stores messages, as far as the store does not fail.
    fn put(&mut self, originals: &[Original]) -> Result<Result<Step, CompactorError>, String> {
        let fails: HashSet<u64> =
            self.session["fails"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        for (at, Original { key, text, .. }) in originals.iter().enumerate() {
            self.puts.push(json!([key, text]));
            if fails.contains(&(self.puts.len() as u64)) {
                self.compactor.stored(at).map_err(|error| error.code().to_owned())?;
                return Err("error".to_owned());
            }
            self.store.insert(key.clone(), text.clone());
        }
        Ok(self.compactor.stored(originals.len()))
    }
}

/// The options of a session with the names of this crate.
fn options_of(session: &Value) -> Value {
    let mut options = session["options"].as_object().unwrap().clone();
    if let Some(summarize) = options.remove("summarize") {
        options.insert("summaries".to_owned(), summarize);
    }
    if options.contains_key("countTokens") {
        options.insert("countTokens".to_owned(), json!(true));
    }
    options.insert("store".to_owned(), json!(session["fails"].is_array()));
    Value::Object(options)
}

/// Functions that count tokens; `scripted.mjs` has the same.
fn counted(counter: &str, text: &str) -> f64 {
    match counter {
        "words" => text.split(' ').count() as f64 * 1.3,
        _ => text.encode_utf16().count() as f64 * 0.37,
    }
}

/// What happened, without what only one of the packages says.
fn told(event: &Event) -> Value {
    compared(&serde_json::from_str(&event.to_json()).unwrap())
}

fn compared(event: &Value) -> Value {
    let by_rule = event["byRule"].as_bool().unwrap_or(false);
    let members = COMPARED.iter().map(|name| ((*name).to_owned(), event[*name].clone()));
    let mut members: serde_json::Map<String, Value> = members.collect();
    members.insert("byRule".to_owned(), json!(by_rule));
    Value::Object(members)
}

fn compare(which: &str, least: usize) {
    let Some(package) = std::env::var_os("EBBLINE_PACKAGE") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/alike.mjs");
    let output =
        Command::new("node").arg(script).arg(which).env("EBBLINE_PACKAGE", package).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let sessions: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    assert!(sessions.len() >= least, "{} sessions", sessions.len());
    for line in sessions {
        let session: Value = serde_json::from_str(line).unwrap();
        let document = Document::parse(line).unwrap();
        let messages = document.root().get("pool").unwrap().elements();
        let pool: Vec<String> = messages.map(|message| message.source().to_owned()).collect();
        let name = session["name"].as_str().unwrap();
        let mut run = Run::new(&session, &pool);
        for (number, step) in session["steps"].as_array().unwrap().iter().enumerate() {
            let said = run.step(step);
            let place = format!("{name}, step {number}, {}", step["do"]);
            let npm = &step["said"];
            let events: Vec<Value> = npm["events"].as_array().unwrap().iter().map(compared).collect();
            assert_eq!(said["events"], json!(events), "{place}");
            for member in ["code", "isOpen", "overhead", "view"] {
                assert_eq!(said[member], npm[member], "{place}: {member}");
            }
        }
        assert_eq!(json!(run.requests), session["requests"], "{name}");
        assert_eq!(json!(run.puts), session["puts"], "{name}");
        let record: Value = serde_json::from_str(&run.compactor.record()).unwrap();
        for member in ["version", "messages", "changes"] {
            assert_eq!(record[member], session["record"][member], "{name}: {member}");
        }
    }
}

#[test]
fn a_summary_that_is_written_while_the_agent_goes_on() {
    compare("background", 46);
}

#[test]
fn a_summary_in_parts() {
    compare("parts", 22);
}

#[test]
fn whose_words_a_summary_is() {
    compare("introductions", 42);
}

#[test]
fn what_a_store_has() {
    compare("stores", 26);
}

#[test]
fn a_function_that_counts_tokens() {
    compare("counts", 28);
}

#[test]
fn a_focus_and_another_model() {
    compare("wishes", 14);
}

#[test]
fn usage_as_providers_report_it() {
    compare("usages", 36);
}

#[test]
fn an_answer_behind_a_summary_in_front_of_the_application() {
    compare("ofApplication", 18);
}

#[test]
fn passes_are_a_change_of_their_own() {
    compare("passes", 80);
}
