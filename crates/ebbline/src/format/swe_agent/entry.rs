//! SWE-agent and mini-swe-agent in the table of formats.

use crate::format::entry::{Description, FormatEntry};
use crate::format::layout::{Answers, Layout, Listed, Missing, call, result_by_role, text_block};
use crate::format::signs::{Sign, count_of, has};
use crate::format::store::{Place, Store};
use crate::format::usage::ReportedInput;
use crate::json::Text;
use crate::json::quote;
use crate::rules::{Rule, Rules};

pub(in crate::format) const ENTRY: FormatEntry = FormatEntry {
    description: &Description { reported_input: Some(ReportedInput::IncludesCache), ..Description::of("swe_agent", "SWE-agent") },
    rules: // Without function calling an observation is a user's message that names no call.
        Rules::COMMON.except(&[Rule::ResultWithoutCall]),
    layout: Some(&LAYOUT),
    store: &Store {
        places: &[
            Place::of("mini-swe-agent", ".config/mini-swe-agent", ".traj.json"),
            Place::of("mini-swe-agent", "Library/Application Support/mini-swe-agent", ".traj.json"),
            Place::of("mini-swe-agent", "AppData/Local/mini-swe-agent/mini-swe-agent", ".traj.json"),
        ],
        moved: &[("MSWEA_GLOBAL_CONFIG_DIR", ".config/mini-swe-agent")],
        ..Store::NONE
    },
    ..FormatEntry::of(SIGNS, super::read)
};

const LAYOUT: Layout = Layout {
    whole: |message| result_by_role(message, &["tool"]),
    answers: Some(Answers::Messages),
    unknown: Some(|Missing { entry, id, text, .. }| {
        Some(match entry.text_of("agent") {
            Some(agent) => format!(
                r#"{{"role":"tool","content":{text},"agent":{},"message_type":"observation","tool_call_ids":[{id}]}}"#,
                quote(&agent.decode())
            ),
            None => format!(r#"{{"content":{text},"tool_call_id":{id},"role":"tool"}}"#),
        })
    }),
    ..Layout::of(&[Listed::at(&["content"], text_block), Listed::at(&["tool_calls"], call)])
};

const SIGNS: &[Sign] = &[
    Sign::document(20, |root| {
        has(root, &["trajectory", "history"]).then(|| {
            let [steps, entries] = ["trajectory", "history"].map(|key| count_of(root, key));
            format!("a trajectory of {steps} steps with a history of {entries} entries")
        })
    }),
    Sign::document(30, |root| {
        let info_has = |key: &str| root.get("info").is_some_and(|info| has(info, &[key]));
        let is_mini = has(root, &["trajectory_format"]) || info_has("mini_version") || info_has("config");
        (has(root, &["messages"]) && is_mini).then(|| {
            let version = root.text_of("trajectory_format").map(Text::decode);
            let version = version
                .map_or_else(|| "info of mini-swe-agent".into(), |name| format!("trajectory_format {name}"));
            format!("{version} and {} messages", count_of(root, "messages"))
        })
    }),
];
