//! Which file uses which: the files of a crate that define the names which another one uses.
//!
//! What counts is where a name is defined: a module that only passes a name on is used by nobody for it, and a file that
//! declares another one as its module does not use it.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Path, Source};

/// The files of a crate by their modules, without those for tests.
pub(super) struct Graph<'m>(BTreeMap<&'m [String], &'m Source>);

impl<'m> Graph<'m> {
    pub(super) fn new(files: &'m [Source]) -> Self {
        let is_test = |file: &Source| {
            files.iter().flat_map(|file| &file.tests).any(|test| file.module.starts_with(test))
        };
        Self(files.iter().filter(|file| !is_test(file)).map(|file| (file.module.as_slice(), file)).collect())
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &'m Source> {
        self.0.values().copied()
    }

    /// The module that defines each name that `file` uses from elsewhere, with the path as written and its line.
    pub(super) fn uses<'s>(
        &'s self,
        file: &'m Source,
    ) -> impl Iterator<Item = (&'m [String], &'m Path, usize)> + 's {
        let is_used = |name: &String| {
            file.words.contains(name) || file.paths.iter().any(|(path, _)| path.first() == Some(name))
        };
        let imports = file.imports.iter().filter(move |import| !import.is_public || is_used(&import.name));
        let paths = imports.map(|import| (&import.path, import.line));
        paths
            .chain(file.paths.iter().map(|(path, line)| (path, *line)))
            .filter_map(|(path, line)| Some((self.home_of(&file.module, path, 0)?, path, line)))
            .filter(|(home, ..)| *home != file.module)
    }

    /// The circles, each as its files, the largest first.
    pub(super) fn circles(&self) -> Vec<Vec<&'m str>> {
        let used: BTreeMap<&[String], BTreeSet<&[String]>> = self
            .files()
            .map(|file| (file.module.as_slice(), self.uses(file).map(|(home, ..)| home).collect()))
            .collect();
        let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
            used.keys().map(|module| (*module, reached_from(module, &used))).collect();
        let is_reached =
            |from: &[String], to: &[String]| reached.get(from).is_some_and(|all| all.contains(to));
        let circle_of = |module: &[String]| -> Vec<&'m str> {
            let mutual =
                |file: &&Source| is_reached(module, &file.module) && is_reached(&file.module, module);
            self.files().filter(mutual).map(|file| file.path.as_str()).collect()
        };
        let circles: BTreeSet<_> =
            used.keys().map(|module| circle_of(module)).filter(|circle| !circle.is_empty()).collect();
        let mut circles: Vec<_> = circles.into_iter().collect();
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
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
            name if self.0.contains_key([own, &[name.to_owned()]].concat().as_slice()) => {
                [own, path].concat()
            }
            name => {
                let import = self.0.get(own)?.import(name).filter(|_| depth < 8 && path.len() > 1)?;
                return self.home_of(own, &[import, rest].concat(), depth + 1);
            }
        };
        let is_module = |end: &usize| absolute.get(..*end).is_some_and(|module| self.0.contains_key(module));
        let length = (0..=absolute.len()).rev().find(is_module)?;
        let name = absolute.get(length)?;
        let (home, module) = self.0.get_key_value(absolute.get(..length)?)?;
        match module.import(name) {
            Some(import) if depth < 8 && !module.defined.contains(name) => {
                self.home_of(home, import, depth + 1)
            }
            _ => Some(home),
        }
    }
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
