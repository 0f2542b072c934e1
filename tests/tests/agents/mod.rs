//! Sessions as other systems' agents write them, compacted by those systems' own rules.
//!
//! Each agent lives through an invented story. When its system would decide, it asks `ebbline-compat`, whose answers are those
//! of the system's own code (`golden`), and records what it did as the system records it. A replay of the file must
//! find the same.

pub(crate) mod opencode;
pub(crate) mod pi;
pub(crate) mod tunacode;

/// A life: runs of an agent, each a message of the user and the requests that follow.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    /// The runs, oldest first.
    pub(crate) runs: Vec<Vec<Step>>,
}

/// One request of a run: the characters of the answer's text, and those of the outputs of its calls.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The characters of the text.
    pub(crate) text: usize,
    /// The characters of each output.
    pub(crate) outputs: Vec<usize>,
}

impl Story {
    /// A story of `runs` runs with outputs of up to `longest` characters; the same seed tells the same story.
    pub(crate) fn new(seed: u64, runs: usize, longest: usize) -> Self {
        let mut random = Random(seed);
        let mut step = |is_last: bool| {
            let outputs = if is_last { 0 } else { 1 + random.below(2) };
            Step {
                text: 40 + random.below(400),
                outputs: (0..outputs).map(|_| 50 + random.below(longest)).collect(),
            }
        };
        let mut run = |number: usize| {
            let steps = 1 + (number * 7 + seed as usize) % 6;
            (0..=steps).map(|at| step(at == steps)).collect()
        };
        Self { runs: (0..runs).map(&mut run).collect() }
    }
}

/// Numbers that only look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// A text of so many characters that is no repetition.
fn text(characters: usize) -> String {
    "the tide falls and leaves a line ".chars().cycle().take(characters).collect()
}

/// Asks `ebbline-compat`.
fn ask(
    system: &str,
    question: &str,
    data: &serde_json::Value,
    options: &serde_json::Value,
) -> serde_json::Value {
    let answer = ebbline_compat::ask(system, question, &data.to_string(), &options.to_string());
    let answer = answer.unwrap_or_else(|error| panic!("{system}, {question}: {error}"));
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{system}, {question}: {error}"))
}
