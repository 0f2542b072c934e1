//! The pruning that TunaCode had from December 2025 to February 2026, with each version's report.

use ebbline::binding::read_tunacode;
use ebbline::json::Value;
use ebbline::plan::PartPlan;
use ebbline::transcript::PartKind;
use ebbline::{Error, Fate, profiles};
use serde::Serialize;

/// A version of the pruning. All versions clear the same outputs but report different figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PruneVersion {
    /// Commit 301572f6, 2025-12-04: counted with tiktoken if that was installed, otherwise with four characters per
    /// token. Only the latter is reproduced.
    V2025_12,
    /// Commit 41ae26a, 2026-01-20.
    V2026_01,
    /// The last version, 2026-02: it stops estimating once `protect + minimum` tokens are counted. Older outputs are
    /// cleared without an estimate and are missing from the reported figure. It has no local mode.
    V2026_02,
}

impl PruneVersion {
    /// The version with this name: `2025-12`, `2026-01`, `2026-02`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "2025-12" => Some(Self::V2025_12),
            "2026-01" => Some(Self::V2026_01),
            "2026-02" => Some(Self::V2026_02),
            _ => None,
        }
    }
}

/// The result of pruning, as TunaCode reported it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Pruned {
    /// Messages that count as turns of the user; with fewer than 2 nothing is pruned.
    pub user_turns: usize,
    /// Message index and part index of each cleared output, in order.
    pub cleared: Vec<[usize; 2]>,
    /// The tokens that TunaCode reported as reclaimed.
    pub reclaimed: u64,
    /// Tokens that were reclaimed and not reported.
    pub unreported: u64,
}

/// Prunes pydantic-ai messages mixed with plain objects, as TunaCode stored them; the content itself is not changed.
///
/// # Errors
///
/// As [`SessionText::read`](ebbline::SessionText::read); `invalid_settings` for local mode in a version without one.
///
/// # Example
///
/// ```
/// use ebbline_compat::tunacode::{PruneVersion, prune};
/// let turn = format!(r#"{{"kind": "request", "parts": [{{"part_kind": "user-prompt", "content": "go on"}},
///   {{"part_kind": "tool-return", "tool_name": "cat", "content": "{}"}}]}}"#, "x".repeat(160_000));
/// let document = format!("[{}]", [turn.as_str(); 3].join(","));
/// let messages = ebbline::json::Document::parse(&document)?;
/// let report = prune(messages.root(), PruneVersion::V2026_02, false)?;
/// assert_eq!(report.cleared, [[0, 1], [1, 1]]);
/// assert_eq!((report.reclaimed, report.unreported), (39_992, 39_992));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn prune(messages: Value<'_>, version: PruneVersion, local: bool) -> Result<Pruned, Error> {
    if local && version == PruneVersion::V2026_02 {
        return Err(Error::invalid_settings("local mode was removed before 2026-02"));
    }
    let policy = profiles::get(if local { "tunacode@2026-01/local" } else { "tunacode@2026-01" })?;
    let session = read_tunacode(messages.source())?;
    let plan = session.plan(&policy);
    let estimated = match version {
        PruneVersion::V2026_02 => policy.prune.protect + policy.prune.minimum,
        PruneVersion::V2025_12 | PruneVersion::V2026_01 => u64::MAX,
    };
    let turns = session.transcript().messages().iter().filter(|message| message.begins_turn()).count();
    let mut pruned = Pruned { user_turns: turns, ..Pruned::default() };
    for (index, (message, planned)) in messages.elements().zip(&plan.messages).enumerate() {
        let mut results = planned.parts.iter().filter(|part| part.kind == PartKind::ToolResult);
        for (at, part) in message.elements_of("parts").enumerate() {
            if !is_result(part) {
                continue;
            }
            if let Some(result) = results.next().filter(|result| result.fate == Fate::Pruned) {
                pruned.cleared.push([index, at]);
                pruned.add(result, estimated);
            }
        }
    }
    Ok(pruned)
}

impl Pruned {
    /// An output is estimated if at most `estimated` tokens of newer output were counted before it.
    fn add(&mut self, result: &PartPlan, estimated: u64) {
        let freed = result.tokens_before.saturating_sub(result.tokens_after);
        if result.newer_outputs.is_some_and(|newer| newer <= estimated) {
            self.reclaimed += freed;
        } else {
            self.unreported += freed;
        }
    }
}

/// Whether the reader considers a part a tool's result.
fn is_result(part: Value<'_>) -> bool {
    part.text_of("part_kind").is_some_and(|kind| {
        kind.is("tool-return")
            || kind.is("builtin-tool-return")
            || (kind.is("retry-prompt") && part.text_of("tool_name").is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::json::Document;

    /// Turns with one output each, of these numbers of tokens.
    fn session(outputs: &[usize]) -> String {
        let turn = |tokens: &usize| {
            format!(
                r#"{{"kind":"request","parts":[{{"part_kind":"user-prompt","content":"q"}},
                    {{"part_kind":"retry-prompt","tool_name":"t","content":"again"}},
                    {{"part_kind":"tool-return","tool_name":"t","content":"{}"}}]}}"#,
                "x".repeat(4 * tokens)
            )
        };
        format!("[{}]", outputs.iter().map(turn).collect::<Vec<_>>().join(","))
    }

    fn run(outputs: &[usize], version: PruneVersion) -> Pruned {
        prune(Document::parse(&session(outputs)).unwrap().root(), version, false).unwrap()
    }

    #[test]
    fn the_last_version_clears_the_same_and_reports_less() {
        // Newest last. The walk counts 40,000, then 60,000, which is not beyond the limit, then 65,000, which is.
        let outputs = [7_000, 5_000, 20_000, 40_000];
        let (january, february) =
            (run(&outputs, PruneVersion::V2026_01), run(&outputs, PruneVersion::V2026_02));
        assert_eq!(january.cleared, [[0, 2], [1, 2], [2, 2]]);
        assert_eq!(february.cleared, january.cleared);
        assert_eq!((january.reclaimed, january.unreported), (32_000 - 24, 0));
        assert_eq!((february.reclaimed, february.unreported), (25_000 - 16, 7_000 - 8));
    }

    #[test]
    fn a_bare_dict_with_the_content_null_is_a_turn_of_the_user() {
        let output = session(&[90_000]);
        for (bare, turns) in [
            (r#"{"role":"user","content":null}"#, 2),
            (r#"{"role":"user","content":""}"#, 2),
            (r#"{"role":"user"}"#, 1),
        ] {
            let messages = output.replacen('[', &format!("[{bare},"), 1);
            let document = Document::parse(&messages).unwrap();
            let pruned = prune(document.root(), PruneVersion::V2026_01, false).unwrap();
            assert_eq!((pruned.user_turns, pruned.cleared.len()), (turns, turns - 1), "{bare}");
        }
    }

    #[test]
    fn too_little_is_left_alone_in_every_version() {
        for version in [PruneVersion::V2025_12, PruneVersion::V2026_01, PruneVersion::V2026_02] {
            assert_eq!(run(&[19_999, 40_000], version), Pruned { user_turns: 2, ..Pruned::default() });
            assert_eq!(run(&[90_000], version).cleared, [[0, 0]; 0]);
        }
    }
}
