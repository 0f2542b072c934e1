//! Every function that reads texts takes time in proportion to them, whatever a user pastes.
//!
//! Time is that of the thread alone, so a busy machine does not matter. Eight times the text may take three times as
//! long for each character; quadratic work takes eight times as long.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ebbline::length::Length;
use ebbline::loss::{self, Departure, Holdings, Left, LossInput};
use ebbline::orders::Orders;
use ebbline::overflow::{Failure, Limits, Rules, classify, is_overflow_text};
use ebbline::repair::repair;
use ebbline::summary::{Acceptance, Answer, FileLists, SummaryOptions, finish, no_summary};
use ebbline::transcript::PartKind;
use ebbline::{EditOptions, PlanOptions, ReadOptions, SessionText};
use ebbline_tests::with;
use serde_json::json;

/// Bytes of the shorter text, and how many times as long the other is.
const SHORT: usize = 6_000;
const TIMES: usize = 8;
/// What eight times the text may cost, as a multiple, and what is too short to be measured.
const MOST: u32 = 24;
const LEAST: Duration = Duration::from_millis(2);
/// A measurement is repeated so often before it counts.
const TRIES: usize = 5;

/// What is repeated until the text is long.
const REPEATED: &[&str] = &[
    "c1.25,3.70,9.01",
    "M10.5 20.5L30 40z",
    "{\"id\":1,\"v\":2.125,\"host\":\"h.example.com\"},",
    "0.12345678,",
    "-0.5,0.25,",
    "a.a.a.",
    "a.ba.b",
    "function a(b,c){return b.d&&c.e[\"f\"]||g(h.i)}",
    "1.5,2.5,3.5\n",
    "The build of the parser fails, see the log. ",
    ".",
    ". ",
    "..\n",
    "!",
    "?",
    "! ",
    ",",
    ";",
    ":",
    ": ",
    "\"",
    "\" ",
    "'",
    "`",
    "` ",
    "``",
    "```\n",
    "~~~\n",
    "“",
    "„",
    "«",
    "“a” ",
    "(",
    ")",
    "(a",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "{}",
    "<",
    ">",
    "<a>",
    "</a>",
    "<a>\n",
    "<ab c=\"d\">",
    "<a\n",
    "</",
    "<![CDATA[",
    "&amp;",
    " ",
    "\n",
    "\t",
    "\r\n",
    " \n",
    "\u{a0}",
    "\u{3000}",
    "汉",
    "汉。",
    "。",
    "、",
    "ひらがな",
    "かな。",
    "한국어 ",
    "😀",
    "👩‍👩‍👧",
    "é",
    "e\u{301}",
    "aGVsbG8gd29ybGQ=",
    "QUJD\n",
    "a",
    "A",
    "7",
    "0",
    "-",
    "--",
    "--- ",
    "- ",
    "- a\n",
    "1. ",
    "1. a\n",
    "1) never\n",
    "* no\n",
    "# a\n",
    "## Goal\n",
    "| a | b |\n",
    "> a\n",
    "$ a\n",
    "/",
    "a/",
    "../",
    "/a/b.rs ",
    "https://example.com/a?b=c&d=e#f",
    "https://",
    "a@b.c",
    "a_b",
    "aB",
    "\\",
    "\\n",
    "\\u0041",
    "%20",
    "=",
    "a=b&",
    "error: ",
    "Error:",
    "TypeError: a b c",
    "error[E0308]: a\n",
    "exit code 1\n",
    "FAILED a\n",
    "2026-01-02T10:00:00Z a\n",
    "never ",
    "don't ",
    "always use a. ",
    "never use a. ",
    "please ",
    "No, ",
    "- no a\n- b\n",
    "Rules:\n",
    "Rules:\n- a\n",
    "nie, ",
    "ne pas ",
    "不要",
    "请不要。",
    "しないで。",
    "from now on ",
    "forget ",
    "actually a is fine. ",
    "\n\n<standing-orders>\n",
    "- [message 1] a\n",
    "\n\n<pinned>\n[user, 9999 characters]\n",
    "\n\n<user-words>\n",
    "[User]: a\n",
    "\u{1b}[31ma\u{1b}[0m",
    "\u{0}",
    "429 ",
    "maximum context length is 8192 tokens ",
    "i.e. e.g. ",
    "127.0.0.1:8080 ",
    "550e8400-e29b-41d4-a716-446655440000",
    "deadbeef",
];

/// What is opened so often and closed again.
const NESTED: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{\"a\":", "}"),
    ("<a>", "</a>"),
    ("<a>\n", "</a>\n"),
    ("“", "”"),
    ("```\n", "```\n"),
    ("a.", " "),
    (" ", "a"),
    ("\n", "a"),
    ("\"", "' "),
];

/// A text of at least `size` bytes for each pattern, with the pattern.
fn texts(size: usize) -> Vec<(String, String)> {
    let repeated =
        REPEATED.iter().map(|unit| (unit.escape_debug().to_string(), unit.repeat(size / unit.len() + 1)));
    let nested = NESTED.iter().map(|(open, close)| {
        let count = size / (open.len() + close.len()) + 1;
        (format!("{} nested", open.escape_debug()), open.repeat(count) + &close.repeat(count))
    });
    repeated.chain(nested).collect()
}

/// How long the thread has worked. Where the system does not say so, how long it is.
fn worked(since: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

type Function = fn(&Material);

/// A text, and a session in which it stands everywhere.
struct Material {
    text: String,
    json: String,
    session: SessionText<'static>,
    plan: ebbline::Plan,
}

impl Material {
    fn of(text: String) -> Self {
        let call = json!({"id": "c1", "type": "function", "function": {"name": "bash", "arguments": json!({"command": text}).to_string()}});
        let messages = json!([
            {"role": "user", "content": format!("Mend the test. Here it is: {text}")},
            {"role": "assistant", "content": format!("I'll use a. {text}"), "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": text},
            {"role": "user", "content": text},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "go on"},
        ]);
        let json = messages.to_string();
        let session = SessionText::read(json.clone()).unwrap().into_owned();
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        policy.set("retain.keep", "1").unwrap();
        let plan = session.plan_with(&policy, PlanOptions::new().force(true));
        assert!(plan.messages.iter().any(|message| message.fate == ebbline::Fate::Summarized));
        Self { text, json, session, plan }
    }
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("reading", |material| {
        black_box(SessionText::read(material.json.as_str()).unwrap());
    }),
    ("length", |material| {
        black_box(Length::of(&material.text));
    }),
    ("orders", |material| {
        black_box(Orders::default().add(0, &material.text));
    }),
    ("carried", |material| {
        black_box(material.session.carried(&material.plan, &[0, 3]).unwrap().behind(&material.text));
    }),
    ("request", |material| {
        let options = SummaryOptions::new().focus(material.text.as_str());
        black_box(material.session.summary_request(&material.plan, &options).ok());
    }),
    ("answer", |material| {
        let task = material.session.summary_request(&material.plan, &SummaryOptions::new()).unwrap().unwrap();
        black_box(finish(&task.context, Answer::new(&material.text, false)).ok());
        black_box(no_summary(&material.text));
    }),
    ("summary by rule", |material| {
        black_box(material.session.deterministic_summary(&material.plan).ok());
    }),
    ("shortcomings", |material| {
        let summary = format!("## Goal\n{}", material.text);
        black_box(material.session.shortcomings(&material.plan, &summary, Acceptance::default()).unwrap());
    }),
    ("compaction", |material| {
        let options = EditOptions::new().summary(material.text.get(..9).unwrap_or("Done."));
        black_box(material.session.compact(&material.plan, &options).ok());
    }),
    ("repair", |material| {
        black_box(repair(material.json.as_str(), &ReadOptions::default()).ok());
    }),
    ("loss", |material| {
        let departures = |at: usize| {
            let departure = move |part| Departure::new(at, part, Left::Summarized);
            (0..at).map(move |part| with(departure(part), |departure| departure.summary = Some(0)))
        };
        let departures: Vec<Departure> = departures(4).collect();
        let summaries = [material.text.clone()];
        let input = with(LossInput::default(), |input| input.summaries = &summaries);
        black_box(loss::measure(&material.session, &departures, &input));
    }),
    ("holdings", |material| {
        let mut holdings = Holdings::default();
        for kind in [PartKind::Text, PartKind::ToolCall, PartKind::ToolResult] {
            holdings.leaves(0, kind, &material.text);
        }
        holdings.stays(PartKind::Text, "a");
        black_box(holdings.only_there());
    }),
    ("file lists", |material| {
        let mut lists = FileLists::default();
        lists.add_from_summary(&material.text);
        black_box(lists.to_text());
    }),
    ("errors", |material| {
        let rules = Rules::default();
        black_box(classify(&Failure::of_text(&material.text), rules, Limits::default()));
        black_box(is_overflow_text(&material.text, None, rules));
    }),
];

/// The shortest time of some, until it is short enough.
fn time(function: Function, material: &Material, enough: Duration) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..TRIES {
        let since = Instant::now();
        let before = worked(since);
        function(material);
        shortest = shortest.min(worked(since).saturating_sub(before));
        if shortest <= enough {
            break;
        }
    }
    shortest
}

#[test]
fn eight_times_the_text_does_not_take_much_more_than_eight_times_as_long() {
    let mut slow = Vec::new();
    for ((pattern, short), (_, long)) in texts(SHORT).into_iter().zip(texts(SHORT * TIMES)) {
        let (short, long) = (Material::of(short), Material::of(long));
        for (name, function) in FUNCTIONS {
            let before = time(*function, &short, LEAST);
            let after = time(*function, &long, before.max(LEAST) * MOST);
            if after > before.max(LEAST) * MOST {
                slow.push(format!("{name} of {pattern:?}: {before:?}, then {after:?}"));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
