//! A grid of policies over one session: what a fleet sweeps with, session by session.

use std::num::NonZeroU64;

use ebbline::economics::{Cache, Grid, Terms, Totals, weigh as totals_of};
use ebbline::json::Value;
use ebbline::{Error, Policy, Session, profiles};
use serde::Serialize;

use crate::failure::invalid;
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
    let (policy, set) = (given.present("policy"), options::object(given, "set")?);
    let mut grid = Grid::default();
    if policy.is_some() || set.is_some() {
        grid = Grid::over(policy.map_or_else(|| profiles::get(profiles::DEFAULT), policy_of)?);
    } else if given.present("policies").is_none() {
        grid = grid.beside(profiles::ALL.iter().map(|profile| profile.policy()));
    }
    for policy in listed("policies", given.present("policies"))? {
        grid = grid.beside([policy_of(policy)?]);
    }
    for (path, values) in set.into_iter().flat_map(|set| set.members()) {
        let path = path.decode();
        let values = listed(&format!("set[\"{path}\"]"), Some(values))?;
        grid = grid.axis(path, values.into_iter().map(|value| value.source()));
    }
    let windows = listed("windows", given.present("windows"))?.into_iter().map(window);
    let windows: Option<Vec<u64>> = windows.collect();
    let sentence = "a grid's windows must be whole numbers of 1 or more, in tokens";
    Ok(grid.windows(windows.ok_or_else(|| invalid(sentence))?))
}

/// A policy by its name, or by the options that describe it.
fn policy_of(given: Value<'_>) -> Result<Policy, Error> {
    if let Some(name) = given.text() {
        return profiles::get(&name.decode());
    }
    known(given, OF_POLICIES)?;
    options::policy(given)
}

fn listed<'d>(name: &str, values: Option<Value<'d>>) -> Result<Vec<Value<'d>>, Error> {
    match values {
        None => Ok(Vec::new()),
        Some(values) if values.is_array() => Ok(values.elements().collect()),
        Some(_) => Err(invalid(format!("a grid's {name} must be a list"))),
    }
}

fn window(value: Value<'_>) -> Option<u64> {
    let number = value.number()?;
    ((1.0..=9_007_199_254_740_991.0).contains(&number) && number.fract() == 0.0).then_some(number as u64)
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
