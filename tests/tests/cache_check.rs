//! What the rules of a provider's cache predict, beside the reads that real sessions recorded.

use std::collections::BTreeMap;

use ebbline::SessionText;
use ebbline::economics::{Cache, CacheCheck};
use ebbline::profiles;
use ebbline_tests::{sessions, shared};

const MINUTE: u64 = 60_000;

/// Anthropic: exact prefixes, for five minutes after the last use.
const ANTHROPIC: Cache = Cache::new(1_024, 1, Some(5 * MINUTE));
/// The same for Claude Opus 4.5, whose smallest prefix is larger.
const OPUS: Cache = Cache::new(4_096, 1, Some(5 * MINUTE));
/// `OpenAI`: blocks of 128 tokens, which live for an hour at most.
const OPENAI: Cache = Cache::new(1_024, 128, Some(60 * MINUTE));
/// Google documents a minimum, and no life.
const GEMINI: Cache = Cache::new(1_024, 1, Some(60 * MINUTE));

/// A session, the rules of its provider, and what the two median errors may be at most. `None`: the provider keeps no
/// promise there, and the error is only printed.
struct Case {
    file: &'static str,
    cache: Cache,
    at_most: Option<(f64, f64)>,
}

const CASES: &[Case] = &[
    Case { file: "claude_code/d-kimuson", cache: ANTHROPIC, at_most: Some((0.0005, 0.01)) },
    Case { file: "claude_code/entireio", cache: ANTHROPIC, at_most: Some((0.0015, 0.03)) },
    Case { file: "pi/badlogic", cache: OPUS, at_most: Some((0.0005, 0.01)) },
    Case { file: "opencode/savekirk", cache: ANTHROPIC, at_most: Some((0.0005, 0.02)) },
    Case { file: "extra/cline/cline__cline__session", cache: ANTHROPIC, at_most: Some((0.0005, 0.01)) },
    Case {
        file: "tinyagent/derived__tiny-agent-os-1.2.29__with",
        cache: ANTHROPIC,
        at_most: Some((0.0005, 0.01)),
    },
    Case { file: "codex/savekirk", cache: OPENAI, at_most: Some((0.0084, 0.0084)) },
    Case { file: "pi/raquezha", cache: OPENAI, at_most: Some((0.02, 0.02)) },
    Case { file: "opencode/nivalis", cache: OPENAI, at_most: None },
    Case { file: "codex/Mai0313", cache: OPENAI, at_most: None },
    Case { file: "gemini_cli/Mai0313", cache: GEMINI, at_most: None },
    Case { file: "gemini_cli/savekirk", cache: GEMINI, at_most: None },
];

fn median(mut errors: Vec<f64>) -> f64 {
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied().unwrap_or(0.0)
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn reads_are_predicted_as_they_were_reported() {
    let folder = shared("sessions");
    let estimator = profiles::get("ebbline@1").unwrap().estimator;
    let mut found = BTreeMap::new();
    let (mut all, mut kept) = (Vec::new(), Vec::new());
    for path in sessions::files(&folder) {
        let file = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(session) = SessionText::read(&*text) else { continue };
        let case = CASES.iter().find(|case| file.starts_with(case.file));
        let cache = case.map_or(OPENAI, |case| case.cache);
        let Some(check) = CacheCheck::of(&session, cache, &estimator, &session.moments()) else { continue };
        if check.reported == 0 {
            // A provider without a cache, or one whose figure the agent does not know.
            continue;
        }
        println!(
            "{file}: {} requests; median error {:.3} % by reported sizes, {:.2} % by estimates; read {} k, predicted {} k and {} k; missed {}, unexpected {}; overhead {}, ratio {:.2}",
            check.requests.len(),
            check.median_error * 100.0,
            check.median_error_estimated * 100.0,
            check.reported / 1_000,
            check.predicted / 1_000,
            check.estimated / 1_000,
            check.missed,
            check.unexpected,
            check.overhead,
            check.ratio,
        );
        for request in check.requests.iter().filter(|request| request.error() > 0.05) {
            println!("    off: {request:?}");
        }
        let Some(case) = case else { panic!("{file} reports a cache and is in no case") };
        let errors = || check.requests.iter().map(|request| request.error());
        all.extend(errors());
        if let Some((reported, estimated)) = case.at_most {
            kept.extend(errors());
            assert!(check.median_error <= reported, "{file}: {}", check.median_error);
            assert!(check.median_error_estimated <= estimated, "{file}: {}", check.median_error_estimated);
        }
        found.insert(case.file, check);
    }
    let (requests, promised) = (all.len(), kept.len());
    println!("all {requests} requests: median error {:.4} %", median(all) * 100.0);
    println!("the {promised} of providers that keep what they promise: {:.4} %", median(kept) * 100.0);
    assert_eq!(found.len(), CASES.len(), "a session is missing");
}
