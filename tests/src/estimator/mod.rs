//! The error of `ebbline@1`: compared with exact token counts text by text, and with context sizes that providers
//! reported.

pub mod calls;
pub mod corpus;
pub mod document;
pub mod models;
pub mod prediction;
pub mod texts;
pub mod tokenx;

/// The value below which the share `share` of `values` lies; `None` if there are no values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).round() as usize).copied()
}
