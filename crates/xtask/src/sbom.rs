//! The package's bill of materials in the form of `CycloneDX`.
//!
//! `CycloneDX`'s own JavaScript library writes it; it is installed with the other npm packages in a second.
//! cargo-cyclonedx takes minutes to build, cannot describe three crates that become one package, and writes into the
//! source folders. `npm sbom` only lists npm packages, and the package depends on none.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::failure::{Context, Failure, Outcome};
use crate::linked::Linked;
use crate::process::answer_of;
use crate::project::Project;
use crate::step::Step;

const PROGRAM: &str = include_str!("sbom.mjs");

/// Writes the bill of the package with the manifest `manifest` and the crates `crates` to `to`.
pub(crate) fn write(
    project: &Project,
    step: &Step,
    crates: &[Linked],
    manifest: &Path,
    to: &Path,
) -> Outcome<()> {
    let crates: Vec<_> = crates
        .iter()
        .map(|Linked { name, version, licence, repository, checksum, .. }| {
            json!({ "name": name, "version": version, "licence": licence, "repository": repository, "checksum": checksum })
        })
        .collect();
    let rust = answer_of(project.command("rustc").arg("--version")).unwrap_or_default();
    let rust = rust.split_whitespace().nth(1).unwrap_or("unknown");
    let text = fs::read_to_string(manifest).context(|| format!("cannot read {}", manifest.display()))?;
    let facts = json!({ "manifest": text, "rust": rust, "crates": crates });
    step.run(
        project.node().args(["--input-type=module", "--eval", PROGRAM, "--"]).arg(facts.to_string()).arg(to),
    )
    .map_err(|failure| failure.advise("Run `cargo xtask setup`: the library comes with the npm packages."))?;
    if to.is_file() {
        Ok(())
    } else {
        Err(Failure::new(format!("npm package: nothing was written to {}", to.display())))
    }
}
