//! The public surface of the published crates, one line an item, beside what `tests/surface/` recorded of it: so that
//! nothing that programs compile against changes unseen. The list comes from rustdoc's JSON. A stable compiler writes it
//! where `RUSTC_BOOTSTRAP` is set, in a folder of its own, because build programs look at that variable. The same run finds
//! the faults of links in all crates; it compiles with the features that any crate asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::{Context, Failure, Outcome};
use crate::project::Project;
use crate::step::{Step, say};

/// What makes rustdoc write JSON. It finds the faults of links that pages have, in a third of the time.
pub(super) const AS_JSON: &str = "-Z unstable-options --output-format json";
/// The crates that are published.
const CRATES: [&str; 5] =
    ["ebbline", "ebbline-compactor", "ebbline-compat", "ebbline-json", "ebbline-tokenizer"];
/// Those whose functions have to have examples.
const WITH_EXAMPLES: [&str; 2] = ["ebbline", "ebbline-json"];
/// What the macro `words!` writes for every set of words: its own documentation has the example.
const OF_WORDS: [&str; 3] = ["as_str", "about", "from_word"];
/// Where the record is, relative to the project's root.
const FOLDER: &str = "tests/surface";
/// The form of rustdoc's JSON in which the record was made. Another compiler may name things otherwise.
const FORM: u64 = 57;

/// Where the documentation is written.
fn target(project: &Project) -> PathBuf {
    project.cargo_target().join("surface")
}

/// The command that writes the documentation of these crates, and fails where it has a fault.
pub(super) fn documentation(project: &Project, crates: &[&str], form: &str) -> Command {
    let mut command = project.cargo();
    command.args(["doc", "--no-deps", "--target-dir"]).arg(target(project)).args(crates);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", format!("-D warnings {form}"));
    command
}

/// Compares the surface with its record; `record` writes it.
pub(super) fn check(project: &Project, record: bool) -> Outcome<bool> {
    let step = Step::begin("surface", "the public items of the libraries, and their examples");
    let folder = target(project).join("doc");
    let mut faults = Vec::new();
    for name in CRATES {
        let Surface { form, lines, without_example } = Surface::read(&folder, name)?;
        if form != FORM {
            step.left_out(format!(
                "this compiler writes rustdoc's JSON in form {form}; the record is of {FORM}"
            ));
            return Ok(true);
        }
        if WITH_EXAMPLES.contains(&name) {
            faults.extend(without_example.into_iter().map(|item| format!("{item} has no example")));
        }
        let path = project.at(FOLDER).join(format!("{name}.txt"));
        if record {
            let text = lines.iter().cloned().collect::<Vec<_>>().join("\n");
            fs::write(&path, text + "\n").context(|| format!("cannot write {}", path.display()))?;
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        let recorded: BTreeSet<&str> = recorded.lines().collect();
        let now: BTreeSet<&str> = lines.iter().map(String::as_str).collect();
        faults.extend(recorded.difference(&now).map(|line| format!("- {line}")));
        faults.extend(now.difference(&recorded).map(|line| format!("+ {line}")));
    }
    for fault in &faults {
        say!("  {fault}");
    }
    if faults.is_empty() {
        step.done("as recorded");
    } else {
        step.done_badly(format!(
            "what to do: write the missing examples; if lines with - and + are meant to change, accept them with \
             `cargo xtask check --record` and commit {FOLDER}. A line with - breaks programs"
        ));
    }
    Ok(faults.is_empty())
}

/// The public surface of a crate.
struct Surface {
    form: u64,
    lines: BTreeSet<String>,
    without_example: Vec<String>,
}

impl Surface {
    fn read(folder: &Path, name: &str) -> Outcome<Self> {
        let path = folder.join(format!("{}.json", name.replace('-', "_")));
        let text = fs::read_to_string(&path).context(|| format!("cannot read {}", path.display()))?;
        let json: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        let form = at(&json, "/format_version").as_u64().unwrap_or(0);
        let surface = Self { form, lines: BTreeSet::new(), without_example: Vec::new() };
        let mut walk = Walk { index: at(&json, "/index"), seen: BTreeMap::new(), surface };
        walk.item(at(&json, "/root"), "");
        Ok(walk.surface)
    }
}

struct Walk<'j> {
    index: &'j Value,
    /// Where items were seen, by id: what is exported twice is described once.
    seen: BTreeMap<String, String>,
    surface: Surface,
}

impl<'j> Walk<'j> {
    fn get(&self, id: &Value, pointer: &str) -> &'j Value {
        at(self.index, &format!("/{id}{pointer}"))
    }

    /// Adds the item with this id, which is in `parent`, and what it holds.
    fn item(&mut self, id: &Value, parent: &str) {
        let Some((kind, inner)) = self.get(id, "/inner").as_object().and_then(|of| of.iter().next()) else {
            return;
        };
        let name = if kind == "use" { at(inner, "/name") } else { self.get(id, "/name") };
        let path = format!("{parent}::{}", said(name)).trim_start_matches(':').to_owned();
        let id = if kind == "use" { at(inner, "/id") } else { id };
        let first = self.seen.get(&id.to_string()).cloned();
        if kind == "use" && (first.is_some() || self.get(id, "/crate_id") != 0) {
            let of = first.unwrap_or_else(|| at(inner, "/source").to_string());
            self.surface.lines.insert(format!("use {path} = {of}"));
            return;
        }
        let Some((kind, inner)) = self.get(id, "/inner").as_object().and_then(|of| of.iter().next()) else {
            return;
        };
        self.seen.insert(id.to_string(), path.clone());
        let has_example = self.get(id, "/docs").as_str().is_some_and(|docs| docs.contains("```"));
        if at(inner, "/has_body") == true && !has_example && !OF_WORDS.contains(&said(name).as_str()) {
            self.surface.without_example.push(path.clone());
        }
        let form = match kind.as_str() {
            "struct_field" => said(inner),
            _ => ["/generics", "/sig", "/type", "/bounds"].map(|of| said(at(inner, of))).concat(),
        };
        let impls: Vec<&Value> = list(at(inner, "/impls")).map(|own| self.get(own, "/inner/impl")).collect();
        let own = impls.iter().filter(|own| at(own, "/blanket_impl").is_null());
        let traits = own.filter(|own| at(own, "/is_synthetic") == false).map(|own| said(at(own, "/trait")));
        let is_told = |name: &String| !matches!(name.as_str(), "" | "StructuralPartialEq");
        let traits: BTreeSet<String> = traits.filter(is_told).collect();
        let traits = traits.into_iter().collect::<Vec<_>>().join(", ");
        let may_grow = self.get(id, "/attrs").to_string().contains("non_exhaustive");
        let words = [kind.as_str(), &path, &form, if may_grow { "non_exhaustive" } else { "" }, &traits];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        self.surface.lines.insert(words.join(" "));
        let held = ["/items", "/variants", "/kind/plain/fields", "/kind/struct/fields", "/kind/tuple"];
        let own = impls.iter().filter(|own| at(own, "/trait").is_null()).map(|own| at(own, "/items"));
        for item in held.into_iter().map(|of| at(inner, of)).chain(own).flat_map(list) {
            self.item(item, &path);
        }
    }
}

fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A type, a signature or what generics ask for, in one line: nearly as Rust writes it, and the same whenever it is the same.
fn said(value: &Value) -> String {
    match value {
        Value::String(name) => name.rsplit("::").next().unwrap_or_default().to_owned(),
        Value::Array(values) => {
            let all: Vec<String> = values.iter().map(said).filter(|one| !one.is_empty()).collect();
            all.join(", ")
        }
        Value::Object(members) => {
            if value.pointer("/kind/type/is_synthetic").is_some_and(|is| *is == true) {
                return String::new(); // of an argument `impl Trait`, which says it
            }
            let is_path = members.contains_key("path");
            let name = members.get("path").map(said).unwrap_or_default();
            let rest = members.iter().filter(|(key, _)| !matches!(key.as_str(), "id" | "path"));
            let rest = rest.map(|(key, value)| match (key.as_str(), said(value)) {
                ("is_mutable", _) if *value == true => "mut ".to_owned(),
                ("borrowed_ref", of) => format!("&{of}"),
                ("lifetime", of) if !of.is_empty() => format!("{of} "),
                ("slice" | "array", of) => format!("[{of}]"),
                ("inputs", _) => {
                    let types: Vec<String> = list(value).map(|input| said(at(input, "/1"))).collect();
                    format!("({})", types.join(", "))
                }
                ("tuple", of) => format!("({of})"),
                ("modifier", of) if of == "none" => String::new(),
                ("output", of) if !of.is_empty() => format!(" -> {of}"),
                ("bounds", of) if !of.is_empty() => format!(": {of}"),
                ("params" | "where_predicates", of) if !of.is_empty() => format!("<{of}>"),
                ("impl_trait" | "dyn_trait", of) => format!("impl {of}"),
                (_, of) => of,
            });
            let rest = rest.collect::<String>();
            if is_path && !rest.is_empty() { format!("{name}<{rest}>") } else { name + &rest }
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_item_is_a_line_and_one_that_is_exported_twice_is_described_once() {
        let number = json!({"borrowed_ref": {"is_mutable": false, "lifetime": null, "type": {"resolved_path": {
            "path": "std::Option", "id": 9, "args": {"angle_bracketed": {"args": [{"type": {"primitive": "u64"}}]}}}}}});
        let index = json!({
            "0": {"crate_id": 0, "name": "lib", "inner": {"module": {"items": [1, 2]}}},
            "1": {"crate_id": 0, "name": "Plan", "attrs": ["non_exhaustive"], "inner": {"struct":
                {"kind": {"plain": {"fields": [3]}}, "impls": [4, 5]}}},
            "2": {"crate_id": 0, "name": null, "inner": {"use": {"name": "Same", "id": 1, "source": "Plan"}}},
            "3": {"crate_id": 0, "name": "size", "inner": {"struct_field": number}},
            "4": {"inner": {"impl": {"trait": {"path": "Clone"}, "blanket_impl": null, "is_synthetic": false}}},
            "5": {"inner": {"impl": {"trait": null, "blanket_impl": null, "is_synthetic": false, "items": [6]}}},
            "6": {"crate_id": 0, "name": "of", "docs": "None.", "inner": {"function":
                {"has_body": true, "sig": {"inputs": [["size", number]], "output": {"generic": "Self"}}}}},
        });
        let surface = Surface { form: FORM, lines: BTreeSet::new(), without_example: Vec::new() };
        let mut walk = Walk { index: &index, seen: BTreeMap::new(), surface };
        walk.item(&json!(0), "");
        let lines: Vec<&str> = walk.surface.lines.iter().map(String::as_str).collect();
        assert_eq!(
            lines,
            [
                "function lib::Plan::of (&Option<u64>) -> Self",
                "module lib",
                "struct lib::Plan non_exhaustive Clone",
                "struct_field lib::Plan::size &Option<u64>",
                "use lib::Same = lib::Plan",
            ]
        );
        assert_eq!(walk.surface.without_example, ["lib::Plan::of"]);
    }
}
