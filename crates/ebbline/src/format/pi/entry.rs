//! pi in the table of formats.

use crate::format::chat::{Fault, fault_among, is_typed};
use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Element, Layout, Listed, by_type, result_by_role};
use crate::format::signs::{Sign, has, is};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::json::{Text, Value};
use crate::rules::{Rules, Unanswered};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { is_live: true, reported_input: Some(ReportedInput::ExcludesCache), ..Description::of("pi", "pi") },
    rules: Rules {
        // pi itself answers open calls when another message follows (`transformMessages` of pi-ai 0.58.3); a result
        // that comes later has no call any more.
        unanswered: Unanswered::Anywhere,
        ..Rules::COMMON
    },
    fault_of: Some(fault_of),
    layout: Some(&LAYOUT),
    is_read_whole: true,
    store: &Store {
        places: &[
            Place::of("pi", ".pi/agent/sessions", ".jsonl"),
            // OpenClaw's database holds pi's entries; until 2026 they were files.
            Place::stores("OpenClaw", ".openclaw/agents"),
            Place::of("OpenClaw", ".openclaw/agents", ".jsonl").below("sessions"),
        ],
        moved: &[("PI_CODING_AGENT_DIR", ".pi/agent"), ("OPENCLAW_STATE_DIR", ".openclaw")],
        parents: &["parentId"],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    inside: &["message"],
    whole: |message| result_by_role(message, &["toolResult"]),
    chain: Some(("id", "parentId")),
    ..Layout::of(&[Listed::at(&["content"], |block| {
        by_type(block, &[("thinking", Element::Thinking), ("toolCall", Element::Call)])
    })])
};

const SIGNS: &[Sign] = &[
    Sign::log(10, |log| {
        let is_header = |line| is(line, "type", "session") && has(line, &["cwd"]);
        log.head().take(3).any(is_header).then(|| {
            let version = log.first.get("version").map_or("1", |version| version.source());
            format!("a session header (version {version}) and {} entries", log.total() - 1)
        })
    }),
    Sign::document(120, |root| {
        (is(root, "type", "session") && has(root, &["cwd"])).then(|| "a session header".to_owned())
    }),
    Sign::list(170, "role toolResult or block toolCall", |list| {
        list.role(&["toolResult", "bashExecution", "compactionSummary"]) || list.block(&["toolCall"])
    }),
];

/// Applications that are built on pi have roles of their own, which are no fault.
fn fault_of(message: Value<'_>) -> Option<Fault> {
    let spoken = ["user", "assistant", "toolResult"];
    match message.text_of("role").map(Text::decode) {
        Some(role) if spoken.contains(&role.as_ref()) => {
            fault_among(message, &spoken, |block| is_typed(block, &["text", "thinking", "image", "toolCall"]))
        }
        Some(_) => None,
        None => Some(if message.is_object() { Fault::Role } else { Fault::Message }),
    }
}
