//! Makes a module smaller to download, without a change to what it computes.
//!
//! Compilers count instructions; brotli counts surprises. What is done here after `wasm-opt` makes the code of different
//! functions alike: short copies of memory become calls of one function for each length ([`copies`], not in the
//! component), and local variables of the same purpose get the same number in every function ([`locals`]).
//! The page's imports have numbers instead of hashes ([`imports`]).

mod copies;
pub(crate) mod imports;
mod locals;
mod module;

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{CodeSection, Component, FunctionSection, Instruction, RawSection, TypeSection};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Parser,
    Payload, TypeSectionReader,
};

use crate::failure::{Context, Failure, Outcome};
use module::Module;

/// What is in the names of functions that are compiled for speed. They keep their variables' numbers, because wasmtime chooses
/// what stays in a register by them: it reads a text at 570 MB/s, and at 410 with other numbers.
const FAST: &str = "ebbline_json";

type Reencoded<T> = Result<T, reencode::Error<Infallible>>;

/// Rewrites copies and local variables, as the last step before a module is shipped to JavaScript.
pub(crate) fn finish(file: &Path) -> Outcome<()> {
    rewrite(file, true)
}

/// Rewrites local variables only: wasmtime, for which the component is, copies memory of a known length without a call,
/// and reads texts at half the speed where copies are calls.
pub(crate) fn finish_core(file: &Path) -> Outcome<()> {
    rewrite(file, false)
}

/// Takes names out of a finished component: of what it imports, exports and defines for itself, which no host reads.
pub(crate) fn strip_component(file: &Path) -> Outcome<()> {
    let bytes = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
    let stripped = without_names(&bytes)
        .map_err(|fault| Failure::new(format!("{} is no component: {fault}", file.display())))?;
    fs::write(file, stripped).context(|| format!("cannot write {}", file.display()))
}

/// A component without its own custom sections; those of the modules in it stay.
fn without_names(bytes: &[u8]) -> Result<Vec<u8>, wasmparser::Error> {
    let (mut component, mut depth) = (Component::new(), 0);
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload?;
        if let Some((id, range)) = payload.as_section().filter(|(id, _)| depth == 1 && *id != 0) {
            component.section(&RawSection {
                id,
                data: bytes.get(range.start as usize..range.end as usize).unwrap_or_default(),
            });
        }
        match payload {
            Payload::Version { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            _ => {}
        }
    }
    Ok(component.finish())
}

fn rewrite(file: &Path, copies: bool) -> Outcome<()> {
    let bytes = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
    let rewritten = Rewrite::of(&bytes, copies).map_err(|fault| {
        Failure::new(format!("{} cannot be made smaller: {fault}", file.display())).advise(
            "wasmparser reads it; a newer compiler may write more than the version in Cargo.lock knows.",
        )
    })?;
    fs::write(file, rewritten).context(|| format!("cannot write {}", file.display()))
}

/// Writes a module anew.
struct Rewrite<'a> {
    module: Module<'a>,
    /// How many bodies are written.
    written: usize,
}

impl<'a> Rewrite<'a> {
    fn of(bytes: &'a [u8], copies: bool) -> Reencoded<Vec<u8>> {
        let mut module = Module::read(bytes)?;
        if copies {
            module.find_copies()?;
        }
        let mut written = wasm_encoder::Module::new();
        Self { module, written: 0 }.parse_core_module(&mut written, Parser::new(0), bytes)?;
        Ok(written.finish())
    }
}

impl Reencode for Rewrite<'_> {
    type Error = Infallible;

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_type_section(self, types, section)?;
        if !self.module.copies.is_empty() && self.module.type_of_copies() == types.len() {
            types.ty().function(copies::TAKES, []);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_function_section(self, functions, section)?;
        for _ in &self.module.copies {
            functions.function(self.module.type_of_copies());
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_code_section(self, code, section)?;
        for length in &self.module.copies {
            code.function(&copies::copy_of(*length));
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Reencoded<()> {
        let (name, signature) = self.module.function(self.written);
        let takes = signature.map_or(0, |signature| signature.params().len() as u32);
        let is_fast = name.contains(FAST);
        self.written += 1;
        let mut kinds = Vec::new();
        for run in body.get_locals_reader()? {
            let (count, kind) = run?;
            kinds.extend((0..count).map(|_| kind));
        }
        let mut operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
        if !is_fast {
            kinds = locals::renumber(takes, &kinds, &mut operators);
        }
        let kinds = kinds.into_iter().map(|kind| self.val_type(kind)).collect::<Result<Vec<_>, _>>()?;
        let mut function = wasm_encoder::Function::new_with_locals_types(kinds);
        let mut operators = operators.into_iter().peekable();
        while let Some(operator) = operators.next() {
            let number = operators.peek().and_then(|next| self.module.copy_called(&operator, next));
            if let Some(number) = number {
                operators.next();
                function.instruction(&Instruction::Call(number));
            } else {
                function.instruction(&self.instruction(operator)?);
            }
        }
        code.function(&function);
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut wasm_encoder::Module,
        section: CustomSectionReader<'_>,
    ) -> Reencoded<()> {
        if matches!(section.as_known(), KnownCustom::Name(_)) {
            Ok(())
        } else {
            utils::parse_custom_section(self, module, section)
        }
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{Function, FunctionSection, NameMap, NameSection, ValType};

    use super::*;

    /// A module with one function, which takes `takes`, and its name.
    fn module_of(takes: &[ValType], function: &Function, name: &str) -> Vec<u8> {
        let (mut types, mut functions, mut code) =
            (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        types.ty().function(takes.iter().copied(), []);
        functions.function(0);
        code.function(function);
        let (mut names, mut map) = (NameSection::new(), NameMap::new());
        map.append(0, name);
        names.functions(&map);
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&functions).section(&code).section(&names);
        module.finish()
    }

    /// The types of a module's variables, and its instructions, function by function.
    fn written(module: &[u8]) -> Vec<(usize, Vec<String>)> {
        let bodies = Parser::new(0).parse_all(module).filter_map(|payload| match payload.unwrap() {
            Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
        let read = |body: FunctionBody<'_>| {
            let locals =
                body.get_locals_reader().unwrap().into_iter().map(|run| run.unwrap().0 as usize).sum();
            let operators = body.get_operators_reader().unwrap().into_iter();
            (locals, operators.map(|operator| format!("{:?}", operator.unwrap())).collect())
        };
        bodies.map(read).collect()
    }

    #[test]
    fn short_copies_become_calls_and_variables_get_their_numbers() {
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        code.local_get(0).local_tee(2).local_get(1).i32_const(24).memory_copy(0, 0);
        code.local_get(0).local_get(1).i32_const(65).memory_copy(0, 0).end();
        let module = module_of(&[ValType::I32; 2], &function, "f");
        for (copies, functions) in [(true, 2), (false, 1)] {
            let finished = Rewrite::of(&module, copies).unwrap();
            let written = written(&finished);
            let count = |word: &str| written[0].1.iter().filter(|text| text.starts_with(word)).count();
            assert_eq!((written.len(), count("MemoryCopy")), (functions, 3 - functions));
            assert!(copies == written[0].1.contains(&"Call { function_index: 1 }".to_owned()), "{written:?}");
            let names =
                Parser::new(0).parse_all(&finished).filter(|it| matches!(it, Ok(Payload::CustomSection(_))));
            assert_eq!(names.count(), 0);
        }
        assert!(Rewrite::of(b"{}", true).is_err());
    }

    #[test]
    fn a_component_loses_only_its_own_names() {
        let custom = || wasm_encoder::CustomSection { name: "x".into(), data: (&[1, 2][..]).into() };
        let mut inner = wasm_encoder::Module::new();
        inner.section(&custom());
        let component_of = |names: usize| {
            let mut component = Component::new();
            component.section(&wasm_encoder::ModuleSection(&inner));
            (0..names).for_each(|_| _ = component.section(&custom()));
            component.finish()
        };
        assert_eq!(without_names(&component_of(2)).unwrap(), component_of(0));
    }
}
