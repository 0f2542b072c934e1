//! Checks the types of the package, which is strict TypeScript, and of the JavaScript in the page and the tests, where the
//! TypeScript compiler reads them from comments (`checkJs`). Benchmarks and runtimes are excluded, because their packages are not installed on every
//! machine.
//!
//! The code was written before this check. `tests/type-faults.json` records how many faults of each kind remain; more
//! faults of a kind, or a new kind, fail. After fixing some, record the new number: `cargo xtask check --record`.

use std::collections::BTreeMap;
use std::fs;

use crate::failure::{Context, Failure, Outcome};
use crate::project::Project;
use crate::step::{Step, say};

/// The file with the number of remaining faults, relative to the project's root.
const FILE: &str = "tests/type-faults.json";

/// The folders whose `tsconfig.json` says what is checked.
const PROJECTS: [&str; 2] = ["npm", "tests"];

/// How many faults there are of each kind: `TS2339` and the like.
type Faults = BTreeMap<String, usize>;

/// Checks the types; `record` records the remaining faults.
pub(super) fn check(project: &Project, record: bool) -> Outcome<bool> {
    let step = Step::begin("types, JavaScript", "tsc, strict in npm, with checkJs elsewhere");
    let mut lines = Vec::new();
    for folder in PROJECTS {
        let mut command = project.command("tsc");
        command.args(["--project", folder, "--noEmit", "--pretty", "false"]);
        let finished = step.attempt(&mut command)?;
        if !finished.success() && count(&finished.lines).is_empty() {
            return Err(
                Failure::new("types, JavaScript: the compiler itself failed").tail(&finished.lines, 40)
            );
        }
        lines.extend(finished.lines);
    }
    let faults = count(&lines);
    if record {
        write(project, &faults)?;
    }
    let recorded = read(project)?;
    let worse = worse(&faults, &recorded);
    let left: usize = faults.values().sum();
    if worse.is_empty() {
        step.done(format!("no new faults; {left} old ones are left ({FILE})"));
        return Ok(true);
    }
    for line in lines.iter().filter(|line| kind_of(line).is_some_and(|kind| worse.contains_key(kind))) {
        say!("  {line}");
    }
    let said: Vec<String> = worse.iter().map(|(kind, more)| format!("{more} more of {kind}")).collect();
    step.done_badly(format!("{}; what to do: mend those of the lines above that are new", said.join(", ")));
    Ok(false)
}

/// The kind of a fault in a line such as `a.js(1,2): error TS2339: Property 'b' does not exist`.
fn kind_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(": error ")?;
    rest.split(':').next().filter(|kind| kind.starts_with("TS"))
}

fn count(lines: &[String]) -> Faults {
    let mut faults = Faults::new();
    for kind in lines.iter().filter_map(|line| kind_of(line)) {
        *faults.entry(kind.to_owned()).or_default() += 1;
    }
    faults
}

/// How many faults of each kind there are beyond the recorded ones.
fn worse(faults: &Faults, recorded: &Faults) -> Faults {
    faults
        .iter()
        .filter_map(|(kind, found)| {
            let more = found.saturating_sub(recorded.get(kind).copied().unwrap_or(0));
            (more > 0).then(|| (kind.clone(), more))
        })
        .collect()
}

fn read(project: &Project) -> Outcome<Faults> {
    let path = project.at(FILE);
    let text = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| Failure::new(format!("{FILE}: {error}")))
}

fn write(project: &Project, faults: &Faults) -> Outcome<()> {
    let path = project.at(FILE);
    let text = serde_json::to_string_pretty(faults).unwrap_or_default() + "\n";
    fs::write(&path, text).context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Faults {
        count(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn one_more_of_a_kind_and_a_new_kind_are_worse_and_fewer_are_not() {
        let before =
            faults("a.js(1,2): error TS1: x\nb.js(1,2): error TS1: y\nb.js(3,4): error TS2: z\n  more of z");
        assert_eq!(before, Faults::from([("TS1".to_owned(), 2), ("TS2".to_owned(), 1)]));
        assert!(worse(&faults("c.js(1,2): error TS1: x"), &before).is_empty());
        let after = faults("a.js(1,2): error TS2: x\na.js(1,2): error TS2: x\na.js(1,2): error TS3: x");
        assert_eq!(worse(&after, &before), Faults::from([("TS2".to_owned(), 1), ("TS3".to_owned(), 1)]));
    }
}
