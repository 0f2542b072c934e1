//! A module as its sections, of which types, functions and code can be changed.

use super::Fault;
use super::reader::{Reader, write_number, write_sized};

const MAGIC: [u8; 8] = *b"\0asm\x01\0\0\0";

/// The header of a component.
const COMPONENT: [u8; 8] = *b"\0asm\x0d\0\x01\0";

const CUSTOM: u8 = 0;
const TYPES: u8 = 1;
const IMPORTS: u8 = 2;
const FUNCTIONS: u8 = 3;
const CODE: u8 = 10;

/// A function's type: what it takes and what it returns, one byte for each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) takes: Vec<u8>,
    pub(super) returns: Vec<u8>,
}

/// A function that the module defines.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// The index of its type.
    pub(super) signature: u32,
    /// Its local variables and instructions, as they are written.
    pub(super) body: Vec<u8>,
}

/// A module.
#[derive(Debug)]
pub(super) struct Module {
    pub(super) signatures: Vec<Signature>,
    pub(super) functions: Vec<Function>,
    /// How many functions are imported: they are numbered first.
    pub(super) imported: u32,
    /// All sections in their order. Those of the members above are written from these.
    sections: Vec<(u8, Vec<u8>)>,
}

impl Module {
    /// Reads a module.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err("another header than a module".to_owned());
        }
        let mut module =
            Self { signatures: Vec::new(), functions: Vec::new(), imported: 0, sections: Vec::new() };
        let mut types = Vec::new();
        let mut bodies = Vec::new();
        while !reader.is_at_end() {
            let id = reader.byte()?;
            let section = reader.sized()?;
            match id {
                TYPES => module.signatures = list(section, signature)?,
                IMPORTS => {
                    let functions = list(section, is_function_import)?;
                    module.imported = functions.iter().filter(|is_function| **is_function).count() as u32;
                }
                FUNCTIONS => types = list(section, Reader::number)?,
                CODE => bodies = list(section, |reader| Ok(reader.sized()?.to_vec()))?,
                _ => (),
            }
            module.sections.push((id, section.to_vec()));
        }
        if types.len() != bodies.len() {
            return Err(format!("{} functions and {} bodies", types.len(), bodies.len()));
        }
        module.functions =
            types.into_iter().zip(bodies).map(|(signature, body)| Function { signature, body }).collect();
        Ok(module)
    }

    /// The module as bytes.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for (id, section) in &self.sections {
            bytes.push(*id);
            match *id {
                TYPES => write_list(&mut bytes, &self.signatures, |to, signature| {
                    to.push(0x60);
                    write_sized(to, &signature.takes);
                    write_sized(to, &signature.returns);
                }),
                FUNCTIONS => {
                    write_list(&mut bytes, &self.functions, |to, function| {
                        write_number(to, function.signature);
                    });
                }
                CODE => {
                    write_list(&mut bytes, &self.functions, |to, function| write_sized(to, &function.body));
                }
                _ => write_sized(&mut bytes, section),
            }
        }
        bytes
    }

    /// The type of a function.
    pub(super) fn signature(&self, function: &Function) -> Result<&Signature, Fault> {
        self.signatures.get(function.signature as usize).ok_or_else(|| "a function without a type".to_owned())
    }

    /// Adds a function, and returns the number by which it is called.
    pub(super) fn add(&mut self, signature: Signature, body: Vec<u8>) -> u32 {
        let place = self.signatures.iter().position(|known| *known == signature).unwrap_or_else(|| {
            self.signatures.push(signature);
            self.signatures.len() - 1
        });
        self.functions.push(Function { signature: place as u32, body });
        self.imported + self.functions.len() as u32 - 1
    }

    /// Takes the names out.
    pub(super) fn forget_names(&mut self) {
        self.sections.retain(|(id, section)| {
            *id != CUSTOM || Reader::new(section).sized().is_ok_and(|name| name != b"name")
        });
    }

    /// The names of functions with their numbers, as far as the module has a section of names.
    pub(super) fn names(&self) -> Result<Vec<(u32, &str)>, Fault> {
        for (id, section) in &self.sections {
            let mut reader = Reader::new(section);
            if *id != CUSTOM || reader.sized()? != b"name" {
                continue;
            }
            while !reader.is_at_end() {
                let part = reader.byte()?;
                let names = reader.sized()?;
                if part == 1 {
                    return list(names, |reader| {
                        let number = reader.number()?;
                        let name = str::from_utf8(reader.sized()?);
                        Ok((number, name.map_err(|_| "a name that is not UTF-8".to_owned())?))
                    });
                }
            }
        }
        Ok(Vec::new())
    }
}

/// A component without its own sections of names; those of the modules in it stay.
pub(super) fn without_names(component: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut reader = Reader::new(component);
    let header = reader.take(MAGIC.len())?;
    if header != COMPONENT {
        return Err("another header than a component".to_owned());
    }
    let mut bytes = header.to_vec();
    while !reader.is_at_end() {
        let id = reader.byte()?;
        let section = reader.sized()?;
        if id != CUSTOM {
            bytes.push(id);
            write_sized(&mut bytes, section);
        }
    }
    Ok(bytes)
}

/// Reads a count and as many items, which must be all.
fn list<'a, T>(
    bytes: &'a [u8],
    mut item: impl FnMut(&mut Reader<'a>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut reader = Reader::new(bytes);
    let count = reader.number()?;
    let items = (0..count).map(|_| item(&mut reader)).collect::<Result<_, _>>()?;
    if reader.is_at_end() { Ok(items) } else { Err("more than a section says".to_owned()) }
}

fn write_list<T>(to: &mut Vec<u8>, items: &[T], mut item: impl FnMut(&mut Vec<u8>, &T)) {
    let mut section = Vec::new();
    write_number(&mut section, items.len() as u32);
    for one in items {
        item(&mut section, one);
    }
    write_sized(to, &section);
}

fn signature(reader: &mut Reader<'_>) -> Result<Signature, Fault> {
    match reader.byte()? {
        0x60 => Ok(Signature { takes: reader.sized()?.to_vec(), returns: reader.sized()?.to_vec() }),
        other => Err(format!("a type of the kind {other:#x}")),
    }
}

fn is_function_import(reader: &mut Reader<'_>) -> Result<bool, Fault> {
    reader.sized()?;
    reader.sized()?;
    let kind = reader.byte()?;
    match kind {
        0 => _ = reader.number()?,
        1 => {
            reader.byte()?;
            limits(reader)?;
        }
        2 => limits(reader)?,
        3 => _ = reader.take(2)?,
        other => return Err(format!("an import of the kind {other:#x}")),
    }
    Ok(kind == 0)
}

fn limits(reader: &mut Reader<'_>) -> Result<(), Fault> {
    let has_most = reader.byte()? & 1 != 0;
    reader.number()?;
    if has_most {
        reader.number()?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A module with one function, which takes `takes` and returns nothing.
    pub(in super::super) fn module_of(takes: &[u8], body: &[u8]) -> Module {
        let mut bytes = MAGIC.to_vec();
        let mut types = vec![1, 0x60];
        write_sized(&mut types, takes);
        types.push(0);
        let mut code = vec![1];
        write_sized(&mut code, body);
        for (id, section) in [(TYPES, types), (FUNCTIONS, vec![1, 0]), (CODE, code)] {
            bytes.push(id);
            write_sized(&mut bytes, &section);
        }
        Module::read(&bytes).unwrap()
    }

    #[test]
    fn a_module_is_written_as_it_was_read() {
        let module = module_of(&[0x7f], &[0, 0x0b]);
        let bytes = module.write();
        assert_eq!(Module::read(&bytes).unwrap().write(), bytes);
        assert_eq!(module.functions.len(), 1);
        assert!(module.names().unwrap().is_empty());
    }

    #[test]
    fn an_added_function_shares_the_type_of_another() {
        let mut module = module_of(&[0x7f], &[0, 0x0b]);
        let signature = Signature { takes: vec![0x7f], returns: Vec::new() };
        assert_eq!(module.add(signature.clone(), vec![0, 0x0b]), 1);
        assert_eq!(module.signatures.len(), 1);
        assert_eq!(module.add(Signature { returns: vec![0x7f], ..signature }, vec![0, 0x00, 0x0b]), 2);
        assert_eq!(Module::read(&module.write()).unwrap().functions.len(), 3);
    }

    #[test]
    fn a_component_loses_only_its_own_names() {
        let component = [&COMPONENT[..], &[1, 2, 0, 9, 0, 3, 1, b'x', 7, 4, 1, 5]].concat();
        assert_eq!(without_names(&component).unwrap(), [&COMPONENT[..], &[1, 2, 0, 9, 4, 1, 5]].concat());
        assert!(without_names(&MAGIC).is_err());
    }

    #[test]
    fn what_is_no_module_is_refused() {
        for bytes in [&b"\0asm\x0d\0\x01\0"[..], b"{}", b"\0asm\x01\0\0\0\x01\x05\x01"] {
            assert!(Module::read(bytes).is_err());
        }
    }
}
