//! What a source file says of names: what it imports, defines and uses, without what is compiled for tests only.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The names from a crate's root, or from where it stands, to an item.
pub(super) type Path = Vec<String>;

/// A name that a file imports.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Path,
    pub(super) line: usize,
    /// Whether the file passes it on by `pub use`.
    pub(super) is_public: bool,
}

/// A source file.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Where it lies, for messages.
    pub(super) path: String,
    /// Its module: `format/pi/mod.rs` is `format::pi`, `lib.rs` is empty.
    pub(super) module: Path,
    pub(super) imports: Vec<Import>,
    /// The names that it defines.
    pub(super) defined: BTreeSet<String>,
    /// The paths of two and more names in its code, with their lines.
    pub(super) paths: Vec<(Path, usize)>,
    /// All single names in its code.
    pub(super) words: BTreeSet<String>,
    /// The modules that it declares for tests only.
    pub(super) tests: Vec<Path>,
}

/// A name, a sign, or a bracket.
#[derive(Debug)]
struct Token {
    text: String,
    line: usize,
}

impl Source {
    /// Reads the `text` of a file; `inside` is where it lies in its crate's folder. `None` if it is no Rust.
    pub(super) fn read(path: String, inside: &std::path::Path, text: &str) -> Option<Self> {
        const DEFINES: [&str; 8] = ["fn", "struct", "enum", "const", "static", "type", "trait", "union"];
        let mut module: Path =
            inside.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
        let mut source = Self { path, module, ..Self::default() };
        let mut tokens = Vec::new();
        source.flatten(text.parse().ok()?, &mut tokens);
        let at = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
        let (mut index, mut is_public) = (0, false);
        while let Some(Token { text, line }) = tokens.get(index) {
            match text.as_str() {
                "pub" => {
                    is_public = true;
                    index += 1;
                    if at(index) == "(" {
                        index = (index..tokens.len()).find(|end| at(*end) == ")").unwrap_or(index) + 1;
                    }
                    continue;
                }
                "use" => {
                    let end = (index..tokens.len()).find(|end| at(*end) == ";").unwrap_or(tokens.len());
                    for (name, path) in imports(tokens.get(index + 1..end).unwrap_or_default()) {
                        source.imports.push(Import { name, path, line: *line, is_public });
                    }
                    index = end;
                }
                "mod" if at(index + 2) == ";" => index += 2,
                word if DEFINES.contains(&word) => {
                    source.defined.insert(at(index + 1).to_owned());
                }
                word if is_name(word) => {
                    let mut path = vec![word.to_owned()];
                    while at(index + 1) == "::" && is_name(at(index + 2)) {
                        path.push(at(index + 2).to_owned());
                        index += 2;
                    }
                    if path.len() == 1 {
                        source.words.extend(path);
                    } else {
                        source.paths.push((path, *line));
                    }
                }
                _ => {}
            }
            is_public = false;
            index += 1;
        }
        Some(source)
    }

    /// The name that it imports as `name`.
    pub(super) fn import(&self, name: &str) -> Option<&Path> {
        self.imports.iter().find(|import| import.name == name).map(|import| &import.path)
    }

    /// Names and signs in one row, without texts, numbers, lifetimes and items for tests.
    fn flatten(&mut self, stream: TokenStream, tokens: &mut Vec<Token>) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let line = tree.span().start().line;
            let mut push = |text: &str| tokens.push(Token { text: text.to_owned(), line });
            match tree {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    let attribute = trees.next_if(|tree| matches!(tree, TokenTree::Group(_)));
                    if attribute.is_some_and(|tree| tree.to_string().replace(' ', "") == "[cfg(test)]") {
                        let item: Vec<String> = trees
                            .by_ref()
                            .map(|tree| tree.to_string())
                            .take_while(|text| text != ";" && !text.starts_with('{'))
                            .collect();
                        if let [.., word, name] = item.as_slice()
                            && word == "mod"
                        {
                            self.tests.push([self.module.as_slice(), std::slice::from_ref(name)].concat());
                        }
                    }
                }
                TokenTree::Punct(sign) if sign.as_char() == '\'' => drop(trees.next()),
                TokenTree::Punct(sign) if sign.as_char() == ':' => {
                    let is_colon =
                        |tree: &TokenTree| matches!(tree, TokenTree::Punct(next) if next.as_char() == ':');
                    let is_path = sign.spacing() == Spacing::Joint && trees.next_if(is_colon).is_some();
                    push(if is_path { "::" } else { ":" });
                }
                TokenTree::Punct(sign) => push(&sign.to_string()),
                TokenTree::Ident(name) => push(&name.to_string()),
                TokenTree::Literal(_) => {}
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    push(open);
                    self.flatten(group.stream(), tokens);
                    tokens.push(Token { text: close.to_owned(), line });
                }
            }
        }
    }
}

/// The names that the tree of a `use` imports, with their paths.
fn imports(tree: &[Token]) -> Vec<(String, Path)> {
    let Some(open) = tree.iter().position(|token| token.text == "{") else {
        let names: Path = tree.iter().map(|token| token.text.clone()).filter(|name| name != "::").collect();
        let (path, renamed) = match names.as_slice() {
            [path @ .., word, name] if word == "as" => (path, Some(name)),
            path => (path, None),
        };
        return renamed.or(path.last()).map(|name| (name.clone(), path.to_vec())).into_iter().collect();
    };
    let (lead, inside) = tree.split_at_checked(open).unwrap_or((tree, &[]));
    let lead: Path = imports(lead).pop().map(|(_, path)| path).unwrap_or_default();
    let inside = inside.get(1..inside.len().saturating_sub(1)).unwrap_or_default();
    let mut depth = 0;
    let branches = inside.split(|token| {
        depth += i32::from(token.text == "{") - i32::from(token.text == "}");
        depth == 0 && token.text == ","
    });
    let prefixed = |(name, path): (String, Path)| match (path.as_slice(), lead.last()) {
        ([only], Some(last)) if only == "self" => {
            (if name == "self" { last.clone() } else { name }, lead.clone())
        }
        (path, _) => (name, [lead.as_slice(), path].concat()),
    };
    branches.flat_map(imports).map(prefixed).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && token != "as"
}
