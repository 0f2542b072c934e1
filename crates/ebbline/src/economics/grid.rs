//! A grid: the policies that a sweep compares.

use crate::error::{Error, ErrorCode};
use crate::json::Value;
use crate::notation::javascript::{members, stringify};
use crate::policy::Policy;

/// The most points of a grid.
pub const MOST_POINTS: usize = 1_000;

/// The greatest window that a grid in JSON has, in tokens: the greatest whole number that JavaScript has exactly.
const MOST_TOKENS: f64 = ((1_u64 << 53) - 1) as f64;

/// Values of knobs, every combination of which is laid over one policy; beside them stand policies as they are. All of
/// them are taken in every window.
///
/// # Example
///
/// ```
/// use ebbline::economics::Grid;
/// use ebbline::profiles;
/// let points = Grid::over(profiles::get("ebbline@2")?)
///     .axis("prune.protect", ["10000", "\"10%\""])
///     .axis("retain.keep", ["5000", "10000", "20000"])
///     .beside([profiles::get("pi@1.5")?])
///     .windows([200_000, 64_000])
///     .points()?;
/// assert_eq!(points.len(), (2 * 3 + 1) * 2);
/// assert_eq!(points[1].set, [("prune.protect".into(), "10000".into()), ("retain.keep".into(), "10000".into())]);
/// assert_eq!((points[6].policy.profile.as_str(), points[6].set.len()), ("pi@1.5", 0));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grid {
    base: Option<Policy>,
    axes: Vec<(String, Vec<String>)>,
    beside: Vec<Policy>,
    windows: Vec<u64>,
}

/// A policy of a grid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Point {
    /// The policy.
    pub policy: Policy,
    /// The knobs that the grid turned, by their paths, with their values as [`Policy::set`] takes them.
    pub set: Vec<(String, String)>,
}

impl Grid {
    /// The grid that a JSON object describes: `policy` with the values of knobs in `set`, `policies` beside it, `windows` in
    /// tokens. `policy_of` reads a policy; of nothing it gives that of a grid which names none. Other members are the caller's.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::InvalidOption`] if a member has another shape, and the errors of `policy_of`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::Grid;
    /// use ebbline::json::Document;
    /// let given = Document::parse(r#"{"set": {"retain.keep": [5000, "5%"]}, "windows": [200000, 64000]}"#)?;
    /// let grid = Grid::described(given.root(), |_| ebbline::profiles::get("pi@1.5"))?;
    /// assert_eq!(grid.points()?.len(), 4);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn described(
        given: Value<'_>,
        policy_of: impl Fn(Option<Value<'_>>) -> Result<Policy, Error>,
    ) -> Result<Self, Error> {
        let (policy, set, policies) = (given.get("policy"), given.get("set"), given.get("policies"));
        let mut grid = Self::default();
        if policy.is_some() || set.is_some() || policies.is_none() {
            grid = Self::over(policy_of(policy.filter(|policy| !policy.is_null()))?);
        }
        for policy in listed("policies", policies)? {
            grid = grid.beside([policy_of(Some(policy))?]);
        }
        if set.is_some_and(|set| !set.is_object()) {
            return Err(invalid("a grid's set must be an object"));
        }
        for (path, values) in set.map(members).into_iter().flatten() {
            let path = path.decode();
            let values = listed(&format!("set[\"{path}\"]"), Some(values))?;
            grid = grid.axis(path, values.into_iter().map(|value| stringify(value).to_text()));
        }
        let windows: Option<Vec<u64>> =
            listed("windows", given.get("windows"))?.into_iter().map(window).collect();
        let sentence = "a grid's windows must be whole numbers of 1 or more, in tokens";
        Ok(grid.windows(windows.ok_or_else(|| invalid(sentence))?))
    }

    /// A grid over one policy. Without axes, the policy itself is its only point.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let points = ebbline::economics::Grid::over(policy.clone()).points()?;
    /// assert_eq!(points[0].policy, policy);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn over(base: Policy) -> Self {
        Self { base: Some(base), ..Self::default() }
    }

    /// The grid with these values of a knob; [`Policy::set`] says how they are written.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let grid = ebbline::economics::Grid::over(policy).axis("retain.keep", ["5000", "5%"]);
    /// assert_eq!(grid.points()?[1].policy.profile, "pi@1.5*");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn axis(mut self, path: impl Into<String>, values: impl IntoIterator<Item: Into<String>>) -> Self {
        self.axes.push((path.into(), values.into_iter().map(Into::into).collect()));
        self
    }

    /// The grid with policies whose knobs are not turned.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::economics::Grid;
    /// let grid = Grid::default().beside([ebbline::profiles::get("pi@1.5")?, ebbline::profiles::get("ebbline@1")?]);
    /// assert_eq!(grid.points()?.len(), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn beside(mut self, policies: impl IntoIterator<Item = Policy>) -> Self {
        self.beside.extend(policies);
        self
    }

    /// The grid in these context windows, in tokens. Without any, every policy keeps its own.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let grid = ebbline::economics::Grid::over(policy).windows([200_000, 32_000]);
    /// assert_eq!(grid.points()?[1].policy.profile, "pi@1.5");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn windows(mut self, windows: impl IntoIterator<Item = u64>) -> Self {
        self.windows.extend(windows);
        self
    }

    /// All points: window by window, first every combination of values, the last axis changing fastest, then the policies
    /// beside them.
    ///
    /// # Errors
    ///
    /// `invalid_option` if there is no point, or more than [`MOST_POINTS`]; `invalid_policy` as [`Policy::set`].
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// let values = || (0..40).map(|value| value.to_string());
    /// let grid = ebbline::economics::Grid::over(policy).axis("retain.keep", values()).axis("prune.protect", values());
    /// let error = grid.points().unwrap_err();
    /// assert_eq!(error.message(), "a grid has at most 1000 points, and this one has 1600 (40 × 40)");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn points(&self) -> Result<Vec<Point>, Error> {
        let count = self.count()?;
        let mut points = Vec::with_capacity(count);
        let own = [None];
        let windows: Vec<Option<u64>> = self.windows.iter().copied().map(Some).collect();
        for window in if windows.is_empty() { own.as_slice() } else { windows.as_slice() } {
            if let Some(base) = &self.base {
                self.combine(in_window(base, *window)?, &mut Vec::new(), &mut points)?;
            }
            for policy in &self.beside {
                points.push(Point { policy: in_window(policy, *window)?, set: Vec::new() });
            }
        }
        Ok(points)
    }

    fn count(&self) -> Result<usize, Error> {
        let lengths = || self.axes.iter().map(|(_, values)| values.len());
        let turned = lengths().try_fold(usize::from(self.base.is_some()), usize::checked_mul);
        let windows = self.windows.len().max(1);
        let count = turned.and_then(|turned| turned.checked_add(self.beside.len())?.checked_mul(windows));
        match count {
            Some(0) => Err(invalid("a grid needs a policy, and each knob on it a value")),
            Some(count) if count <= MOST_POINTS => Ok(count),
            _ => {
                let axes: Vec<String> = lengths().map(|length| length.to_string()).collect();
                let beside = match self.beside.len() {
                    0 => String::new(),
                    beside => format!(", and {beside} beside them"),
                };
                let within = if windows > 1 { format!(", in {windows} windows") } else { String::new() };
                let all = count.map_or_else(|| "more".into(), |count| count.to_string());
                Err(invalid(format!(
                    "a grid has at most {MOST_POINTS} points, and this one has {all} ({}{beside}{within})",
                    axes.join(" × ")
                )))
            }
        }
    }

    /// Every combination of the axes that are not yet in `set`, laid over a policy.
    fn combine(
        &self,
        policy: Policy,
        set: &mut Vec<(String, String)>,
        points: &mut Vec<Point>,
    ) -> Result<(), Error> {
        let Some((path, values)) = self.axes.get(set.len()) else {
            points.push(Point { policy, set: set.clone() });
            return Ok(());
        };
        for value in values {
            let mut turned = policy.clone();
            turned.set(path, value)?;
            set.push((path.clone(), value.clone()));
            self.combine(turned, set, points)?;
            set.pop();
        }
        Ok(())
    }
}

fn in_window(policy: &Policy, window: Option<u64>) -> Result<Policy, Error> {
    let mut policy = policy.clone();
    if let Some(window) = window {
        policy.set("model.context", &window.to_string())?;
    }
    Ok(policy)
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, message)
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
    ((1.0..=MOST_TOKENS).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;

    fn pi() -> Policy {
        profiles::get("pi@1.5").unwrap()
    }

    #[test]
    fn every_combination_is_a_point_in_every_window() {
        let grid = Grid::over(pi())
            .axis("retain.keep", ["1000", "2000"])
            .axis("prune.enabled", ["true", "false"])
            .beside([profiles::get("ebbline@1").unwrap()])
            .windows([64_000, 32_000]);
        let points = grid.points().unwrap();
        let told: Vec<_> = points
            .iter()
            .map(|point| {
                let Policy { model, retain, prune, profile, .. } = &point.policy;
                (
                    model.context.map_or(0, std::num::NonZeroU64::get),
                    profile.as_str(),
                    retain.keep,
                    prune.enabled,
                    point.set.len(),
                )
            })
            .collect();
        let ours = profiles::get("ebbline@1").unwrap();
        let mut expected = Vec::new();
        for window in [64_000, 32_000] {
            for keep in [1_000, 2_000] {
                expected.extend([true, false].map(|enabled| (window, "pi@1.5*", keep, enabled, 2)));
            }
            let resolved = ours.retain.keep;
            expected.push((window, "ebbline@1", resolved, ours.prune.enabled, 0));
        }
        assert_eq!(told, expected);
    }

    #[test]
    fn a_grid_that_is_none_is_refused_with_a_sentence() {
        let many = |count: usize| (0..count).map(|value| value.to_string());
        let endless = (0..11).fold(Grid::over(pi()), |grid, _| grid.axis("retain.keep", many(1 << 6)));
        for (grid, message) in [
            (Grid::default(), "a grid needs a policy, and each knob on it a value"),
            (
                Grid::over(pi()).axis("retain.keep", many(0)),
                "a grid needs a policy, and each knob on it a value",
            ),
            (
                Grid::over(pi()).axis("retain.keep", many(400)).beside([pi()]).windows([1, 2, 3]),
                "a grid has at most 1000 points, and this one has 1203 (400, and 1 beside them, in 3 windows)",
            ),
            (
                endless,
                "a grid has at most 1000 points, and this one has more \
                 (64 × 64 × 64 × 64 × 64 × 64 × 64 × 64 × 64 × 64 × 64)",
            ),
        ] {
            let error = grid.points().unwrap_err();
            assert_eq!((error.code(), error.message()), (ErrorCode::InvalidOption.as_str(), message));
        }
        let full = Grid::over(pi()).axis("retain.keep", many(MOST_POINTS));
        assert_eq!(full.points().unwrap().len(), MOST_POINTS);
        let misspelt = Grid::over(pi()).axis("retain.kep", ["1"]).points().unwrap_err();
        assert!(misspelt.message().starts_with("there is no knob \"retain.kep\""), "{}", misspelt.message());
    }
}
