//! Which old tool outputs are cleared.

use ebbline::notation::javascript::Utf16;
use serde::Serialize;

use super::message::{StoredMessage, estimate, flag, is};
use super::overflow::Config;
use super::version::Version;

/// How many of the newest tokens of output are protected; the output that crosses this limit is cleared as a whole.
const PROTECTED: u64 = 40_000;

/// Outputs are only cleared if this frees more than this many tokens.
const MINIMUM: u64 = 20_000;

/// How many of the newest turns are not examined: the current one and the one before.
const SPARED_TURNS: u32 = 2;

/// What a prune clears.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Pruned {
    /// The ids of the tool parts whose output is cleared, the newest first.
    pub pruned_parts: Vec<Option<Utf16>>,
    /// The totals of the walk; `None` if pruning is switched off.
    pub counted: Option<Counted>,
}

/// Tokens of tool output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counted {
    /// All examined outputs.
    pub total: u64,
    /// The outputs beyond the protected amount.
    pub prunable: u64,
}

/// Finds the outputs to clear, walking messages and parts from the newest to the oldest.
///
/// The walk skips the newest two turns, and ends at a summary and at a cleared output. Every message with the role
/// user begins a turn here, including a compaction marker and the synthetic "Continue".
///
/// Source: `SessionCompaction.prune` of each version's commit.
#[must_use]
pub fn prune(messages: &[StoredMessage<'_>], config: Config, version: Version) -> Pruned {
    if !config.prune.unwrap_or_else(|| version.prunes_unasked()) {
        return Pruned::default();
    }
    let mut counted = Counted::default();
    let mut beyond = Vec::new();
    let mut turns = 0;
    'walk: for message in messages.iter().rev() {
        turns += u32::from(message.is_user());
        if turns < SPARED_TURNS {
            continue;
        }
        if message.is_summary() {
            break;
        }
        let parts: Vec<_> = message.parts().collect();
        for part in parts.into_iter().rev().filter(|part| is(*part, "type", "tool")) {
            let Some(state) = part.get("state").filter(|state| is(*state, "status", "completed")) else {
                continue;
            };
            if version.protected_tools().iter().any(|tool| is(part, "tool", tool)) {
                continue;
            }
            if state.get("time").is_some_and(|time| flag(time, "compacted")) {
                break 'walk;
            }
            let output = state.text_of("output").map_or(0, |output| output.length().utf16);
            let tokens = estimate(output as usize);
            counted.total += tokens;
            if counted.total > PROTECTED {
                counted.prunable += tokens;
                beyond.push(part.text_of("id").map(Utf16::from));
            }
        }
    }
    if counted.prunable <= MINIMUM {
        beyond.clear();
    }
    Pruned { pruned_parts: beyond, counted: Some(counted) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    const ON: Config = Config {
        auto: true,
        prune: Some(true),
        reserved: None,
        tail_turns: None,
        preserve_recent_tokens: None,
    };

    /// Two old turns and the two newest, which are skipped.
    fn spared(older: String, newer: String) -> [String; 4] {
        [older, newer, turn("c", "bash", 90_000), r#"{"info":{"role":"user"},"parts":[]}"#.to_owned()]
    }

    /// A turn with one output of `tokens` tokens.
    fn turn(id: &str, tool: &str, tokens: usize) -> String {
        format!(
            r#"{{"info":{{"role":"user"}},"parts":[]}},
            {{"info":{{"role":"assistant"}},"parts":[{{"id":"{id}","type":"tool","tool":"{tool}",
            "state":{{"status":"completed","output":"{}"}}}}]}}"#,
            "x".repeat(tokens * 4)
        )
    }

    fn pruned(turns: &[String], config: Config, version: Version) -> (Vec<String>, Option<Counted>) {
        let source = format!("[{}]", turns.join(","));
        let document = Document::parse(&source).unwrap();
        let pruned = prune(&StoredMessage::list(document.root()).unwrap(), config, version);
        (pruned.pruned_parts.iter().flatten().map(Utf16::to_text).collect(), pruned.counted)
    }

    #[test]
    fn outputs_beyond_the_protected_amount_are_cleared_if_that_pays() {
        let cases = [
            (40_000, 20_001, vec!["b"], 20_001),
            (40_000, 20_000, vec![], 20_000),
            (40_001, 1, vec!["a", "b"], 40_002),
        ];
        for (newer, older, expected, prunable) in cases {
            let (parts, counted) =
                pruned(&spared(turn("b", "bash", older), turn("a", "bash", newer)), ON, Version::V2026_06);
            assert_eq!(parts, expected, "{newer} {older}");
            assert_eq!(counted, Some(Counted { total: newer as u64 + older as u64, prunable }));
        }
    }

    #[test]
    fn versions_differ_in_what_is_on_and_in_skills() {
        let turns = spared(turn("b", "skill", 90_000), turn("a", "bash", 1));
        let cases = [
            (Version::V2025_12, None, Some(90_001)),
            (Version::V2026_01, None, Some(1)),
            (Version::V2026_01, Some(false), None),
            (Version::V2026_06, None, None),
            (Version::V2026_06, Some(true), Some(1)),
        ];
        for (version, on, total) in cases {
            let (_, counted) = pruned(&turns, Config { prune: on, ..Config::default() }, version);
            assert_eq!(counted.map(|counted| counted.total), total, "{version:?} {on:?}");
        }
    }
}
