//! The path of every knob, as [`Policy::set`](super::Policy::set) takes it: a program that names a knob by its constant
//! does not compile once the knob has another name.
//!
//! # Example
//!
//! ```
//! use ebbline::policy::path;
//! let policy = ebbline::profiles::get("pi@1.5")?;
//! assert_eq!((path::retain::keep, policy.figure(path::retain::keep)), ("retain.keep", Some(20_000)));
//! # Ok::<(), ebbline::Error>(())
//! ```

pub use super::estimator::path as estimator;
pub use super::model::path as model;
pub use super::prune::path as prune;
pub use super::retain::path as retain;
pub use super::trigger::path as trigger;
