//! Predicts the size of a context from earlier reported usage, and compares it with the usage reported later.

use std::path::Path;

use crate::oracle::calibrate::{self, Calibration};
use ebbline::length::Unit;
use ebbline::policy::Estimator;
use ebbline::transcript::{Output, PartKind};
use ebbline::{SessionText, Transcript, profiles};

use crate::sessions;

/// How a size is predicted. All but the last start from the newest known usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `ebbline@1`: classes, calibrated.
    Calibrated,
    /// Classes without calibration.
    Uncalibrated,
    /// UTF-16 units divided by four.
    Quarter,
    /// UTF-16 units divided by four over the whole session, as in many agents.
    QuarterOfAll,
}

/// All ways, in the order of the tables.
pub const WAYS: [Way; 4] = [Way::Calibrated, Way::Uncalibrated, Way::Quarter, Way::QuarterOfAll];

/// One usage, and the prediction of each of [`WAYS`] some requests earlier.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The usage that was reported.
    pub reported: u64,
    /// The newest usage that was known.
    pub known: u64,
    /// What was predicted.
    pub predicted: [u64; 4],
}

impl Prediction {
    /// The error of `way` relative to the context's size.
    pub fn error(&self, way: Way) -> f64 {
        share(self.of(way), self.reported as f64)
    }

    /// The error of `way` relative to the context's growth; `None` if it did not grow.
    pub fn error_of_growth(&self, way: Way) -> Option<f64> {
        let grown = self.reported.checked_sub(self.known).filter(|grown| *grown > 0)?;
        Some(share(self.of(way) - self.known as f64, grown as f64))
    }

    fn of(&self, way: Way) -> f64 {
        WAYS.iter().zip(self.predicted).find(|(other, _)| **other == way).map_or(0.0, |(_, size)| size as f64)
    }
}

fn share(ours: f64, reported: f64) -> f64 {
    (ours / reported.max(1.0) - 1.0).abs()
}

/// A session with usage.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The name of its format, and its number among that format's files.
    pub name: String,
    /// How many usages its active messages have.
    pub usages: usize,
    transcript: Transcript,
}

/// The sessions in `folder` with at least two usages.
pub fn reported(folder: &Path) -> Vec<Reported> {
    let mut found: Vec<Reported> = Vec::new();
    for path in sessions::files(folder) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let Ok(session) = SessionText::read(&source) else { continue };
        let usages = places(session.transcript()).len();
        if usages < 2 {
            continue;
        }
        let format = session.format().name();
        let earlier = found.iter().filter(|other| other.name.starts_with(format)).count();
        let name = format!("{format} {}", earlier + 1);
        found.push(Reported { name, usages, transcript: session.transcript().clone() });
    }
    found
}

/// The active messages with a usage.
fn places(transcript: &Transcript) -> Vec<usize> {
    let messages = transcript.messages().iter().enumerate();
    messages
        .filter(|(_, message)| message.active && message.usage.is_some())
        .map(|(index, _)| index)
        .collect()
}

impl Reported {
    /// Every usage but the first `ahead`, predicted `ahead` requests before.
    pub fn predictions(&self, ahead: usize) -> Vec<Prediction> {
        let Ok(ours) = profiles::get("ebbline@1") else { return Vec::new() };
        let classes = ours.estimator;
        let mut quarter = classes.clone();
        (quarter.unit, quarter.per_token) = (Unit::Utf16, 4);
        let places = places(&self.transcript);
        let usage_at = |index: usize| self.transcript.messages().get(index).and_then(|message| message.usage);
        let pairs = places.iter().zip(places.iter().skip(ahead)).enumerate();
        pairs
            .filter_map(|(known, (before, now))| {
                let mut past = self.transcript.clone();
                past.truncate(now + 1);
                for later in places.iter().skip(known + 1).take(ahead) {
                    past.forget_usage(*later);
                }
                let classes = costs(&past, &classes, *now);
                let quarter = costs(&past, &quarter, *now);
                let changed: Vec<bool> =
                    past.parts().iter().map(|part| part.output == Output::Pruned).collect();
                let learnt = calibrate::calibration(&past, &classes, &changed);
                let size = |costs: &[u64], calibration: &Calibration| {
                    calibrate::anchored(&past, costs, &changed, calibration).tokens
                };
                let none = Calibration::default();
                let active = active_sum(&past, &quarter);
                Some(Prediction {
                    reported: u64::from(usage_at(*now)?),
                    known: u64::from(usage_at(*before)?),
                    predicted: [
                        size(&classes, &learnt),
                        size(&classes, &none),
                        size(&quarter, &none),
                        active,
                    ],
                })
            })
            .collect()
    }
}

/// The cost of each part, without the results in message `now`, which its usage does not cover.
fn costs(past: &Transcript, estimator: &Estimator, now: usize) -> Vec<u64> {
    let mut costs: Vec<u64> =
        (0..past.messages().len()).flat_map(|index| estimator.parts(past, index)).collect();
    for index in past.part_range(now) {
        let is_result = past.parts().get(index).is_some_and(|part| match part.kind {
            PartKind::ToolResult => true,
            PartKind::Image | PartKind::File => part.call.is_some(),
            _ => false,
        });
        if let Some(cost) = costs.get_mut(index).filter(|_| is_result) {
            *cost = 0;
        }
    }
    costs
}

fn active_sum(past: &Transcript, costs: &[u64]) -> u64 {
    let messages = past.messages().iter().enumerate().filter(|(_, message)| message.active);
    messages.flat_map(|(index, _)| costs.get(past.part_range(index)).unwrap_or_default()).sum()
}
