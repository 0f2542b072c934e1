//! A grid of policies over one session: what a fleet sweeps with, session by session.

use std::num::NonZeroU64;

use ebbline::economics::{Cache, Grid, Terms, Totals, weigh as totals_of};
use ebbline::json::{Document, Value, quote};
use ebbline::{Error, Policy, Session, profiles};
use serde::Serialize;

use crate::options::{self, OF_GRIDS, OF_POLICIES, known, parsed};
use crate::texts::{life, to_json};

/// The members of a grid.
const MEMBERS: &[&[&str]] = &[&["policy", "set", "windows", "policies"]];

/// A point of the grid over the session.
#[derive(Serialize)]
struct Weighed<'p> {
    profile: &'p str,
    /// The knobs that the grid turned, by their paths, with their values as they were given.
    set: &'p [(String, String)],
    window: Option<u64>,
    #[serde(flatten)]
    totals: Totals,
}

#[derive(Serialize)]
struct OfSession<'p> {
    format: &'static str,
    messages: usize,
    points: Vec<Weighed<'p>>,
}

pub(crate) fn weigh(text: String, grid: &str, options: &str) -> Result<String, Error> {
    let given = parsed(options, OF_GRIDS)?;
    let given = given.root();
    let points = grid_of(parsed(grid, MEMBERS)?.root())?.points()?;
    let plain = profiles::get(profiles::DEFAULT)?;
    let session = Session::read_with(text, &options::reading(given, &plain)?)?;
    let is_asked = points.iter().any(|point| point.policy.prune.cold_after > 0);
    let moments = if is_asked { session.moments() } else { Vec::new() };
    let (rates, how) = life(given)?;
    let terms = Terms::new(rates).options(how).cache(Cache::default(), &moments);
    let totals = totals_of(&session, &points, &terms);
    let weighed = points.iter().zip(totals).map(|(point, totals)| Weighed {
        profile: &point.policy.profile,
        set: &point.set,
        window: point.policy.model.context.map(NonZeroU64::get),
        totals,
    });
    Ok(to_json(&OfSession {
        format: session.format().name(),
        messages: session.counts().messages,
        points: weighed.collect(),
    }))
}

/// As the command line reads it: a grid that names no policy consists of every profile.
fn grid_of(given: Value<'_>) -> Result<Grid, Error> {
    let policy_of =
        |policy: Option<Value<'_>>| policy.map_or_else(|| profiles::get(profiles::DEFAULT), policy_of);
    if ["policy", "set", "policies"].iter().any(|member| given.get(member).is_some()) {
        return Grid::described(given, policy_of);
    }
    let every: Vec<String> = profiles::ALL.iter().map(|profile| quote(profile.name)).collect();
    let windows = given.get("windows").map_or("[]", |windows| windows.source());
    let every = format!("{{\"policies\":[{}],\"windows\":{windows}}}", every.join(","));
    Grid::described(Document::parse(&every)?.root(), policy_of)
}

/// A policy by its name, or by the options that describe it.
fn policy_of(given: Value<'_>) -> Result<Policy, Error> {
    if let Some(name) = given.text() {
        return profiles::get(&name.decode());
    }
    known(given, OF_POLICIES)?;
    options::policy(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]"#;

    #[test]
    fn a_grid_has_a_point_for_each_combination() {
        let grid = r#"{"policy": "pi@1.5", "set": {"prune.protect": [1, 2]}, "windows": [9000, 8000]}"#;
        let json = weigh(TEXT.to_owned(), grid, "{}").unwrap();
        assert!(json.starts_with(r#"{"format":"openai_chat","messages":2,"points":[{"profile":"pi@1.5*""#));
        assert_eq!(json.matches("\"requests\":1").count(), 4, "{json}");
        assert!(json.contains(r#""set":[["prune.protect","2"]],"window":8000"#), "{json}");
        let count = |grid: &str| weigh(TEXT.to_owned(), grid, "{}").unwrap().matches("\"profile\"").count();
        assert_eq!(count("{}"), profiles::ALL.len());
        assert_eq!(count(r#"{"policies": ["pi@1.5", {"profile": "ebbline@1"}]}"#), 2);
    }

    #[test]
    fn what_is_no_grid_is_refused_with_a_sentence() {
        for (grid, sentence) in [
            (r#"{"window": [1]}"#, "there is no option window: did you mean windows?"),
            (r#"{"windows": [0]}"#, "a grid's windows must be whole numbers of 1 or more, in tokens"),
            (r#"{"set": {"prune.protect": 3}}"#, "a grid's set[\"prune.protect\"] must be a list"),
            (r#"{"policies": [7]}"#, "the options must be an object"),
        ] {
            assert_eq!(weigh(TEXT.to_owned(), grid, "{}").unwrap_err().message(), sentence, "{grid}");
        }
    }
}
