//! A grid of policies over one session: what a fleet sweeps with, session by session.

use std::cell::RefCell;
use std::num::NonZeroU64;

use ebbline::economics::{self, Grid, Totals, weigh as totals_of};
use ebbline::json::{Document, Value, quote};
use ebbline::{Error, Policy, ReadOptions, SessionText, profiles};
use serde::Serialize;

use crate::bindings::api;
use crate::failure::invalid;
use crate::life::Life;
use crate::options::{self, OF_GRIDS, OF_POLICIES, known, parsed};
use crate::texts::to_json;

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
    let points = grid_of(grid, options::object(given, "model")?)?.points()?;
    let plain = profiles::get(profiles::DEFAULT)?;
    let session = SessionText::read_with(text, &options::reading(given, &plain)?)?;
    let life = Life::read(given)?;
    let moments = life.moments(&session, points.iter().map(|point| &point.policy));
    let totals = totals_of(&session, &points, &life.terms(&moments));
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

/// A grid over many sessions, which are read one after the other, here or in other processes.
#[derive(Debug)]
pub(crate) struct Swept {
    inner: RefCell<economics::Sweep>,
    life: Life,
    reading: ReadOptions,
}

impl Swept {
    pub(crate) fn open(grid: &str, options: &str) -> Result<Self, Error> {
        let given = parsed(options, OF_GRIDS)?;
        let given = given.root();
        let points = grid_of(grid, options::object(given, "model")?)?.points()?;
        let reading = options::reading(given, &profiles::get(profiles::DEFAULT)?)?;
        let inner = RefCell::new(economics::Sweep::of(points));
        Ok(Self { inner, life: Life::read(given)?, reading })
    }

    /// The figures of one session at every point.
    fn figures(&self, text: String) -> Result<Vec<f64>, Error> {
        let session = SessionText::read_with(text, &self.reading)?;
        let sweep = self.inner.borrow();
        let moments = self.life.moments(&session, sweep.points().iter().map(|point| &point.policy));
        let totals = totals_of(&session, sweep.points(), &self.life.terms(&moments));
        Ok(totals.iter().flat_map(Totals::figures).collect())
    }

    fn sum(&self, figures: &[f64]) -> Result<(), Error> {
        let mut sweep = self.inner.borrow_mut();
        if figures.len() != sweep.points().len() * Totals::FIGURES {
            return Err(invalid(
                "these figures are of another grid: add what `weigh` of a sweep of this grid returned",
            ));
        }
        let totals = figures.chunks(Totals::FIGURES).filter_map(Totals::of_figures);
        sweep.add(&totals.collect::<Vec<_>>());
        Ok(())
    }
}

impl api::GuestSweep for Swept {
    fn open(grid: String, options: String) -> Result<api::Sweep, api::Failure> {
        Ok(api::Sweep::new(Self::open(&grid, &options)?))
    }

    fn weigh(&self, text: String) -> Result<Vec<f64>, api::Failure> {
        Ok(self.figures(text)?)
    }

    fn add(&self, figures: Vec<f64>) -> Result<(), api::Failure> {
        Ok(self.sum(&figures)?)
    }

    fn report(&self) -> String {
        self.inner.borrow().report().to_json()
    }
}

/// The grid that JSON describes, as in the npm package: one that names no policy has the default one. `model` is that of the
/// policies which name none.
fn grid_of(json: &str, model: Option<Value<'_>>) -> Result<Grid, Error> {
    let (document, nothing) = (parsed(json, MEMBERS)?, Document::parse("{}")?);
    Grid::described(document.root(), |policy| policy_of(policy.unwrap_or(nothing.root()), model))
}

/// A policy by its name, or by the options that describe it; for `model` if it names none.
pub(crate) fn policy_of(given: Value<'_>, model: Option<Value<'_>>) -> Result<Policy, Error> {
    let Some(name) = given.text() else {
        known(given, OF_POLICIES)?;
        return options::policy_for(given, model);
    };
    let named = format!("{{\"profile\":{}}}", quote(&name.decode()));
    options::policy_for(Document::parse(&named)?.root(), model)
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
        assert_eq!(count(r#"{"windows": [9000, 8000]}"#), 2, "the default policy in two windows");
        let default = format!(r#""points":[{{"profile":"{}""#, profiles::DEFAULT);
        let json = weigh(TEXT.to_owned(), "{}", r#"{"model": {"context": 7000}}"#).unwrap();
        assert!(json.contains(&default) && json.contains(r#""window":7000"#), "{json}");
        assert_eq!(count(r#"{"policies": ["pi@1.5", {"profile": "ebbline@1"}]}"#), 2);
    }

    #[test]
    fn a_sweep_adds_the_figures_of_sessions_and_knows_its_own() {
        let grid = r#"{"policy": "pi@1.5", "set": {"prune.protect": [1, 2]}}"#;
        let sweep = Swept::open(grid, "{}").unwrap();
        let figures = sweep.figures(TEXT.to_owned()).unwrap();
        sweep.sum(&figures).unwrap();
        sweep.sum(&figures).unwrap();
        let report = sweep.inner.borrow().report().to_json();
        assert!(
            report.contains(r#""sessions":2"#) && report.matches(r#""requests":2"#).count() == 2,
            "{report}"
        );
        assert_eq!(sweep.sum(&figures[1..]).unwrap_err().code(), "invalid_option");
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
