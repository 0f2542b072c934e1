//! The stages of the tests: their names, and the order in which they begin.

/// A stage of the tests, which can be selected by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// `cargo xtask check`, beside the tests: only `cargo xtask ci` asks for it.
    Check,
    /// The engine's own tests and the examples in its documentation.
    Engine,
    /// This program's own tests.
    Xtask,
    /// The engine against fixtures, and its properties.
    Conformance,
    /// Damaged sessions at random.
    Fuzz,
    /// What the playground says and computes, and the pages beside it, without a browser.
    Web,
    /// The bindings, in Node.
    Wasm,
    /// The npm package: its behavior as installed.
    Npm,
    /// The component in Node and Python, and the answers of npm.
    Component,
    /// The native command line, over the cases of the npm command line.
    CommandLine,
    /// The package inside real agent libraries and clients, and against a server as strict as the providers.
    Hosts,
    /// The packed package in every runtime and bundler; its shape and its types.
    Runtimes,
    /// Vectors of other systems' answers, where they lie beside the project.
    Golden,
    /// Real sessions, where they lie beside the project.
    Sessions,
    /// The playground in Chromium.
    Playground,
    /// How fast the playground follows its reader; other work beside it would be measured too.
    Speed,
}

impl Stage {
    /// All stages of tests, quick ones first.
    pub(crate) const ALL: [Self; 15] = [
        Self::Engine,
        Self::Xtask,
        Self::Conformance,
        Self::Fuzz,
        Self::Web,
        Self::Wasm,
        Self::Npm,
        Self::Component,
        Self::CommandLine,
        Self::Hosts,
        Self::Runtimes,
        Self::Golden,
        Self::Sessions,
        Self::Playground,
        Self::Speed,
    ];

    /// How many stages run beside each other: while one waits for a browser or for a linker, the other compiles.
    pub(super) const LANES: usize = 2;

    /// The order in which stages begin if several run beside each other. Long ones come first, so that the lanes end at
    /// about the same time; `Speed` comes after all of them, alone. Two builds in one folder would wait for each other: while the checks or the conformance
    /// tests compile in that of this machine, the package or the playground compiles in one of its own.
    const ORDER: [Self; 15] = [
        Self::Npm,
        Self::Check,
        Self::Conformance,
        Self::Runtimes,
        Self::Component,
        Self::Playground,
        Self::Hosts,
        Self::CommandLine,
        Self::Engine,
        Self::Golden,
        Self::Fuzz,
        Self::Web,
        Self::Wasm,
        Self::Sessions,
        Self::Xtask,
    ];

    /// The checks and all stages of tests.
    pub(super) fn everything() -> Vec<Self> {
        [vec![Self::Check], Self::ALL.to_vec()].concat()
    }

    /// The stage's name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Engine => "engine",
            Self::Xtask => "xtask",
            Self::Conformance => "conformance",
            Self::Fuzz => "fuzz",
            Self::Web => "web",
            Self::Wasm => "wasm",
            Self::Npm => "npm",
            Self::Component => "component",
            Self::CommandLine => "command-line",
            Self::Hosts => "hosts",
            Self::Runtimes => "runtimes",
            Self::Golden => "golden",
            Self::Sessions => "sessions",
            Self::Playground => "playground",
            Self::Speed => "speed",
        }
    }
}

/// The number of lanes and the order of the stages: in parallel if there are several and enough processors.
pub(super) fn lanes_of(stages: &[Stage], processors: usize) -> (usize, Vec<Stage>) {
    if processors < 2 || stages.len() < 2 {
        return (1, stages.iter().copied().filter(|stage| *stage != Stage::Speed).collect());
    }
    (Stage::LANES, Stage::ORDER.into_iter().filter(|stage| stages.contains(stage)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_place_in_the_order() {
        let all = Stage::everything();
        assert_eq!(Stage::ORDER.len() + 1, all.len());
        assert!(all.iter().all(|stage| *stage == Stage::Speed || Stage::ORDER.contains(stage)));
    }

    #[test]
    fn requested_stages_run_in_lanes_or_one_by_one_on_one_processor() {
        let asked = [Stage::Golden, Stage::Engine, Stage::Npm];
        assert_eq!(lanes_of(&asked, 2), (2, vec![Stage::Npm, Stage::Engine, Stage::Golden]));
        assert_eq!(lanes_of(&asked, 1), (1, asked.to_vec()));
        assert_eq!(lanes_of(&[Stage::Web], 8), (1, vec![Stage::Web]));
    }

    #[test]
    fn every_stage_has_its_own_name() {
        let all = Stage::everything();
        let mut names: Vec<&str> = all.iter().map(|stage| stage.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }
}
