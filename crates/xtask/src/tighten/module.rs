//! What has to be known of a module before it is written anew.

use std::collections::{BTreeSet, HashMap};

use wasmparser::{FuncType, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};

use super::copies;

/// A module's functions.
#[derive(Default)]
pub(super) struct Module<'a> {
    types: Vec<FuncType>,
    /// The type of each function that the module defines.
    signatures: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// How many functions are imported: they are numbered first.
    imported: u32,
    names: HashMap<u32, &'a str>,
    /// The lengths of short copies, which become functions behind all others.
    pub(super) copies: BTreeSet<u32>,
}

impl<'a> Module<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, wasmparser::Error> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(types) => {
                    module.types = types.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        module.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(signatures) => {
                    module.signatures = signatures.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::CodeSectionEntry(body) => module.bodies.push(body),
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else { continue };
                    for part in names {
                        let Name::Function(names) = part? else { continue };
                        for naming in names {
                            let naming = naming?;
                            module.names.insert(naming.index, naming.name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(module)
    }

    /// The name and the type of the function that the module defines at `place`.
    pub(super) fn function(&self, place: usize) -> (&'a str, Option<&FuncType>) {
        let name = self.names.get(&(self.imported + place as u32)).copied().unwrap_or_default();
        (name, self.signatures.get(place).and_then(|signature| self.types.get(*signature as usize)))
    }

    /// Finds the lengths of short copies.
    pub(super) fn find_copies(&mut self) -> Result<(), wasmparser::Error> {
        for body in &self.bodies {
            let operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
            self.copies.extend(operators.windows(2).filter_map(|pair| match pair {
                [one, next] => copies::length(one, next),
                _ => None,
            }));
        }
        Ok(())
    }

    /// The function that copies, if the two operators are a short copy.
    pub(super) fn copy_called(&self, one: &Operator<'_>, next: &Operator<'_>) -> Option<u32> {
        let length = copies::length(one, next)?;
        let place = self.copies.iter().position(|known| *known == length)?;
        Some(self.imported + (self.signatures.len() + place) as u32)
    }

    /// The type of functions that copy: one that is there, or the next one.
    pub(super) fn type_of_copies(&self) -> u32 {
        let is_same = |signature: &FuncType| {
            signature.params() == [wasmparser::ValType::I32; 2] && signature.results().is_empty()
        };
        self.types.iter().position(is_same).unwrap_or(self.types.len()) as u32
    }
}
