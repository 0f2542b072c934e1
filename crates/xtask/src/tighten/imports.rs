//! The names under which a module imports from its script.
//!
//! `wasm-bindgen` ends each with a hash of sixteen digits, which no compression makes shorter: with 250 imports, these are
//! 3.6 kB of the page. A number tells them apart as well. In front of it stands one hash of all hashes, so that a module and
//! a script of two versions still refuse each other.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::path::Path;

use crate::failure::{Context, Failure, Outcome};

/// How many digits a hash has.
const DIGITS: usize = 16;

/// Numbers the hashes in a module and in the script that it belongs to.
pub(crate) fn number(module: &Path, script: &Path) -> Outcome<()> {
    let read = |file: &Path| fs::read(file).context(|| format!("cannot read {}", file.display()));
    let (mut script_bytes, mut module_bytes) = (read(script)?, read(module)?);
    let mut numbers = HashMap::new();
    let mut all = DefaultHasher::new();
    for hash in hashes(&script_bytes).into_iter().filter_map(|place| script_bytes.get(place)) {
        hash.hash(&mut all);
        let next = numbers.len();
        numbers.entry(hash.to_vec()).or_insert(next);
    }
    if numbers.is_empty() {
        return Err(Failure::new(format!("{} has no import whose name ends in a hash", script.display()))
            .advise("wasm-bindgen may write names otherwise: see tighten/imports.rs."));
    }
    let all = all.finish() as u32;
    for bytes in [&mut script_bytes, &mut module_bytes] {
        for place in hashes(bytes) {
            let Some(hash) = bytes.get_mut(place) else { continue };
            if let Some(number) = numbers.get(&*hash) {
                hash.copy_from_slice(format!("{all:08x}{number:08}").as_bytes());
            }
        }
    }
    for (file, bytes) in [(script, script_bytes), (module, module_bytes)] {
        fs::write(file, bytes).context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Where the hashes stand: behind a low line, and followed by no further digit.
fn hashes(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut end = 0;
    let parts = bytes.split(|byte| *byte == b'_').map(|part| {
        let start = end;
        end += part.len() + 1;
        let digits = part.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (digits.count(), start)
    });
    let hashes = parts.skip(1).filter(|(digits, _)| *digits == DIGITS);
    hashes.map(|(digits, start)| start..start + digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_get_the_same_numbers_and_stay_as_long_as_they_are() {
        let folder = std::env::temp_dir().join(format!("xtask-imports-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (module, script) = (folder.join("m.wasm"), folder.join("m.js"));
        let (a, b, none) = ("__wbg_get_00112233445566aa", "__wbg_set_ffeeddccbbaa9988", "_00112233445566aa0");
        fs::write(&script, format!("{b}: 1, {a}: 2, {b}, {none}")).unwrap();
        fs::write(&module, format!("\0{a}\u{7f}{b}_ffffffffffffffff")).unwrap();
        number(&module, &script).unwrap();
        let all = fs::read_to_string(&script).unwrap()[10..18].to_owned();
        let [a, b] = [format!("__wbg_get_{all}00000001"), format!("__wbg_set_{all}00000000")];
        assert_eq!(fs::read_to_string(&script).unwrap(), format!("{b}: 1, {a}: 2, {b}, {none}"));
        assert_eq!(fs::read_to_string(&module).unwrap(), format!("\0{a}\u{7f}{b}_ffffffffffffffff"));
        fs::write(&script, "no name").unwrap();
        assert!(number(&module, &script).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
