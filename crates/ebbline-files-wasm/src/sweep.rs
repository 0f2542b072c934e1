//! Sweeps: a grid of policies over many sessions, which are read one after the other, here or in other threads.

use ebbline::economics::{self, Grid, Totals, weigh};
use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

use crate::js::to_js;
use crate::replay::Terms;
use crate::session::{SessionText, policy_of};

/// A grid and what is known of its points.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Sweep {
    grid: Grid,
    inner: economics::Sweep,
}

#[wasm_bindgen]
impl Sweep {
    /// A grid over a whole policy, given as JSON, if there is one; each other policy and each axis is added. The points are made
    /// by [`Sweep::make`].
    #[wasm_bindgen(constructor)]
    pub fn new(base: Option<String>) -> Result<Sweep, EbblineError> {
        let base = base.map(|json| policy_of(&json)).transpose()?;
        Ok(Self {
            grid: base.map_or_else(Grid::default, Grid::over),
            inner: economics::Sweep::of(Vec::new()),
        })
    }

    /// The values of a knob.
    pub fn axis(&mut self, path: String, values: Vec<String>) {
        self.grid = std::mem::take(&mut self.grid).axis(path, values);
    }

    /// A whole policy, given as JSON, whose knobs are not turned.
    pub fn beside(&mut self, policy: &str) -> Result<(), EbblineError> {
        self.grid = std::mem::take(&mut self.grid).beside([policy_of(policy)?]);
        Ok(())
    }

    /// The points of the grid in these windows.
    pub fn make(&mut self, windows: Vec<f64>) -> Result<(), EbblineError> {
        let grid = std::mem::take(&mut self.grid).windows(windows.into_iter().map(|window| window as u64));
        self.inner = economics::Sweep::of(grid.points()?);
        Ok(())
    }

    /// What one session does at each point: the figures of all points, for [`Sweep::add`] of any sweep of the same grid.
    pub fn weigh(&self, session: &SessionText, terms: &Terms) -> Vec<f64> {
        let points = self.inner.points();
        let moments =
            if points.iter().any(|point| point.policy.prune.cold_after > 0) || terms.needs_moments(&[]) {
                session.inner().moments()
            } else {
                Vec::new()
            };
        let totals = weigh(session.inner(), points, &terms.with(&moments));
        totals.iter().flat_map(Totals::figures).collect()
    }

    /// Adds the figures of one session.
    pub fn add(&mut self, figures: &[f64]) {
        let totals = figures.chunks(Totals::FIGURES).filter_map(Totals::of_figures);
        self.inner.add(&totals.collect::<Vec<_>>());
    }

    /// The sums and the frontier.
    #[wasm_bindgen(unchecked_return_type = "WrittenSweep")]
    pub fn report(&self) -> JsValue {
        to_js(&self.inner.report())
    }
}
