//! Circles among the files of a crate: files that use each other, directly or through others.
//!
//! What counts is where a name is defined: a module that only passes a name on is used by nobody for it, and a file that
//! declares another one as its module does not use it.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, source};

type Path = Vec<String>;

/// The circles of a crate, each as the paths of its files, the largest first.
pub(super) fn circles(files: &[File]) -> Vec<Vec<String>> {
    let tests: BTreeSet<Path> = files.iter().flat_map(source::modules_of_tests).collect();
    let is_test = |file: &&File| tests.iter().any(|test| file.modules.starts_with(test));
    let modules: BTreeMap<&[String], Module> = files
        .iter()
        .filter(|file| !is_test(file))
        .map(|file| (file.modules.as_slice(), Module::read(&source::without_tests(&file.text))))
        .collect();
    let graph = Graph { modules };
    let used: BTreeMap<&[String], BTreeSet<&[String]>> =
        graph.modules.keys().map(|module| (*module, graph.used_by(module))).collect();
    let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
        used.keys().map(|module| (*module, reached_from(module, &used))).collect();
    let is_reached = |from: &[String], to: &[String]| reached.get(from).is_some_and(|all| all.contains(to));
    let mut circles: BTreeSet<Vec<&[String]>> = BTreeSet::new();
    for module in used.keys().filter(|module| is_reached(module, module)) {
        circles.insert(
            used.keys()
                .copied()
                .filter(|other| is_reached(module, other) && is_reached(other, module))
                .collect(),
        );
    }
    let path =
        |module: &[String]| files.iter().find(|file| file.modules == module).map(|file| file.path.clone());
    let mut circles: Vec<Vec<String>> =
        circles.into_iter().map(|circle| circle.into_iter().filter_map(path).collect()).collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

fn reached_from<'m>(
    module: &'m [String],
    used: &BTreeMap<&'m [String], BTreeSet<&'m [String]>>,
) -> BTreeSet<&'m [String]> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        let next = used.get(module).into_iter().flatten().copied();
        open.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

/// What a file says of names.
#[derive(Debug, Default)]
struct Module {
    /// Each imported name with its path, and whether it is passed on.
    imports: Vec<(String, Path, bool)>,
    /// The names that it defines.
    defined: BTreeSet<String>,
    /// The paths of two and more names in its code.
    paths: BTreeSet<Path>,
    /// All single names in its code.
    words: BTreeSet<String>,
}

impl Module {
    fn read(code: &str) -> Self {
        const DEFINES: [&str; 8] = ["fn", "struct", "enum", "const", "static", "type", "trait", "union"];
        let tokens = tokens(code);
        let at = |index: usize| tokens.get(index).map_or("", String::as_str);
        let mut module = Self::default();
        let (mut index, mut is_public) = (0, false);
        while index < tokens.len() {
            match at(index) {
                "pub" => {
                    is_public = true;
                    index += 1;
                    if at(index) == "(" {
                        let closed = (index..tokens.len()).find(|closed| at(*closed) == ")");
                        index = closed.unwrap_or(index) + 1;
                    }
                    continue;
                }
                "use" => {
                    let end = (index..tokens.len()).find(|end| at(*end) == ";").unwrap_or(tokens.len());
                    for (name, path) in imports(tokens.get(index + 1..end).unwrap_or_default()) {
                        module.imports.push((name, path, is_public));
                    }
                    index = end;
                }
                "mod" if at(index + 2) == ";" => index += 2,
                word if DEFINES.contains(&word) => {
                    module.defined.insert(at(index + 1).to_owned());
                }
                word if is_name(word) => {
                    let mut path = vec![word.to_owned()];
                    while at(index + 1) == "::" && is_name(at(index + 2)) {
                        path.push(at(index + 2).to_owned());
                        index += 2;
                    }
                    if path.len() == 1 {
                        module.words.extend(path);
                    } else {
                        module.paths.insert(path);
                    }
                }
                _ => {}
            }
            is_public = false;
            index += 1;
        }
        module
    }

    fn import(&self, name: &str) -> Option<&Path> {
        self.imports.iter().find(|(own, ..)| own == name).map(|(_, path, _)| path)
    }
}

/// The modules of a crate by their paths.
struct Graph<'m> {
    modules: BTreeMap<&'m [String], Module>,
}

impl<'m> Graph<'m> {
    /// The modules that define what a module uses.
    fn used_by(&self, own: &[String]) -> BTreeSet<&'m [String]> {
        let Some(module) = self.modules.get(own) else { return BTreeSet::new() };
        let imports = module.imports.iter().filter(|(name, _, is_passed_on)| {
            !is_passed_on
                || module.words.contains(name)
                || module.paths.iter().any(|path| path.first() == Some(name))
        });
        let paths = imports.map(|(_, path, _)| path).chain(&module.paths);
        paths.filter_map(|path| self.home_of(own, path, 0)).filter(|home| *home != own).collect()
    }

    /// The module that defines what a path in `own` names; `None` for a module itself and for other crates.
    fn home_of(&self, own: &[String], path: &[String], depth: usize) -> Option<&'m [String]> {
        let (first, rest) = path.split_first()?;
        let absolute = match first.as_str() {
            "crate" => rest.to_vec(),
            "self" => [own, rest].concat(),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                [own.get(..own.len().checked_sub(ups)?)?, path.get(ups..)?].concat()
            }
            name if self.modules.contains_key([own, &[name.to_owned()]].concat().as_slice()) => {
                [own, path].concat()
            }
            name => {
                let import = self.modules.get(own)?.import(name).filter(|_| depth < 8 && path.len() > 1)?;
                return self.home_of(own, &[import, rest].concat(), depth + 1);
            }
        };
        let length = (0..=absolute.len())
            .rev()
            .find(|end| absolute.get(..*end).is_some_and(|module| self.modules.contains_key(module)))?;
        let name = absolute.get(length)?;
        let (home, module) = self.modules.get_key_value(absolute.get(..length)?)?;
        match module.import(name) {
            Some(import) if depth < 8 && !module.defined.contains(name) => {
                self.home_of(home, import, depth + 1)
            }
            _ => Some(home),
        }
    }
}

/// The names that the tree of a `use` imports, with their paths.
fn imports(tree: &[String]) -> Vec<(String, Path)> {
    let Some(open) = tree.iter().position(|token| token == "{") else {
        let names: Vec<&String> = tree.iter().filter(|token| *token != "::").collect();
        let renamed = names.iter().position(|token| *token == "as");
        let mut path: Path =
            names.iter().take(renamed.unwrap_or(names.len())).map(|name| (*name).clone()).collect();
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let name = renamed.and_then(|at| names.get(at + 1).copied()).or(path.last()).cloned();
        return name.into_iter().map(|name| (name, path.clone())).collect();
    };
    let (lead, inside) = tree.split_at_checked(open).unwrap_or((tree, &[]));
    let inside = inside.get(1..inside.len().saturating_sub(1)).unwrap_or_default();
    let mut depth = 0;
    let branches = inside.split(|token| {
        depth += i32::from(token == "{") - i32::from(token == "}");
        depth == 0 && token == ","
    });
    branches
        .filter(|branch| !branch.is_empty())
        .flat_map(|branch| imports(&[lead, branch].concat()))
        .collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && token != "as"
}

/// Names and signs of a code, without its comments and texts.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' || rest.starts_with("r\"") || rest.starts_with("r#") {
            text_length(rest)
        } else if first == '\'' {
            // A character, or a lifetime.
            let is_escaped = rest.starts_with("'\\");
            let end =
                rest.char_indices().skip(if is_escaped { 3 } else { 2 }).find(|(_, sign)| *sign == '\'');
            let is_character = is_escaped || rest.chars().nth(2) == Some('\'');
            let lifetime =
                || rest.char_indices().skip(1).find(|(_, sign)| !sign.is_alphanumeric() && *sign != '_');
            end.filter(|_| is_character)
                .map(|(at, _)| at + 1)
                .or(lifetime().map(|(at, _)| at))
                .unwrap_or(rest.len())
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, more) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if token == "::"
            || token.chars().count() == 1 && !first.is_whitespace()
            || first.is_alphanumeric() && !token.contains('"')
            || first == '_'
        {
            found.push(token.to_owned());
        }
        rest = more;
    }
    found
}

/// The length of the text that a code begins with, with its quotes.
fn text_length(code: &str) -> usize {
    let marks = code.trim_start_matches('r');
    let marks = &marks.get(..marks.find('"').unwrap_or(0)).unwrap_or_default();
    let begins = code.find('"').map_or(1, |at| at + 1);
    if code.starts_with('r') {
        let ends = format!("\"{marks}");
        return code
            .get(begins..)
            .and_then(|inside| inside.find(&ends))
            .map_or(code.len(), |at| begins + at + ends.len());
    }
    let mut is_escaped = false;
    let end = code.char_indices().skip(1).find(|(_, sign)| {
        let ends = !is_escaped && *sign == '"';
        is_escaped = !is_escaped && *sign == '\\';
        ends
    });
    end.map_or(code.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let file = |(path, text): &(&str, &str)| File {
            path: (*path).to_owned(),
            modules: super::super::modules_of(Path::new(path)),
            text: (*text).to_owned(),
        };
        circles(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn files_that_use_each_other_are_a_circle() {
        let root = ("lib.rs", "mod a;\nmod b;\nmod c;\n");
        let uses = [("a.rs", "use crate::b::B;\n"), ("b.rs", "fn f() { super::c::g(\"//\", '\"') }\n")];
        let [a, b] = uses;
        for (c, is_circle) in [
            ("pub(crate) fn g() { crate::a::h() }\n", true),
            ("use super::{b::{self as other}, a::{H as I, J}};\n", true),
            ("use crate::b;\nfn g() { b::f(); }\n", true),
            ("use crate::b;\n", false),
            ("// crate::a::h()\nfn g<'a>() { \"crate::a::h()\" }\n", false),
            ("#[cfg(test)]\nmod tests {\n    use crate::a::H;\n}\n", false),
        ] {
            let circles = found(&[root, a, b, ("c.rs", c)]);
            assert_eq!(!circles.is_empty(), is_circle, "{c}: {circles:?}");
        }
    }

    #[test]
    fn a_name_that_is_passed_on_is_of_the_file_that_defines_it() {
        let child = ("m/x.rs", "use super::Y;\npub struct X;\n");
        let other = ("m/y.rs", "pub struct Y;\n");
        let passes = "mod x;\nmod y;\npub use x::X;\npub(crate) use y::Y;\n";
        assert!(found(&[("lib.rs", "mod m;\n"), ("m/mod.rs", passes), child, other]).is_empty());
        let mutual = format!("{passes}pub struct Z(X);\n");
        let user = ("m/x.rs", "use super::Z;\npub struct X;\n");
        let circles = found(&[("lib.rs", "mod m;\n"), ("m/mod.rs", &mutual), user, other]);
        assert_eq!(circles, [["m/mod.rs", "m/x.rs"]]);
    }
}
