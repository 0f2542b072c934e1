//! Logs of Inspect AI that are zip archives (`.eval`), as the JSON log that `inspect log convert` makes of them.
//!
//! Shapes by `log/_recorders/eval.py` of `PyPI` `inspect-ai` 0.3: the log without its samples in `header.json`, each sample in a
//! file, and until the end `_journal/start.json` instead of a header. No file of the archive is written anywhere.

use std::io::{Cursor, Read};

use flate2::Crc;
use flate2::read::DeflateDecoder;
use zip::read::ZipFile;
use zip::{CompressionMethod, ZipArchive};

use super::compressed;

/// What a zip archive begins with.
pub(super) const MAGIC: [u8; 4] = *b"PK\x03\x04";

type Archive<'b> = ZipArchive<Cursor<&'b [u8]>>;

/// Whether a file is a zip archive.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The JSON log of an archive; `None` if it is another archive; in words why there is none.
pub(super) fn log(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let mut content = Vec::new();
    let is_log = spelled(bytes, &mut |piece| content.extend_from_slice(piece))?;
    Ok(is_log.then_some(content))
}

/// Hands out the JSON log piece by piece; whether the archive is one.
pub(super) fn spelled(bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<bool, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_archive())?;
    let names: Vec<String> = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let find = |wanted: &str| names.iter().find(|name| *name == wanted);
    let Some(header) = find("header.json").or_else(|| find("_journal/start.json")) else {
        return Ok(false);
    };
    let mut samples: Vec<(Key, &String)> = names.iter().filter_map(|name| Some((key(name)?, name))).collect();
    samples.sort();
    // What an archive says of itself is checked again file by file.
    let mut left = compressed::LONGEST;
    if archive.decompressed_size().is_some_and(|size| size > u128::from(left)) {
        return Err(too_long());
    }
    let mut text = Vec::new();
    unpack(&mut archive, header, bytes, &mut left, &mut |piece| text.extend_from_slice(piece))?;
    let inside = text.trim_ascii().strip_prefix(b"{").and_then(|text| text.strip_suffix(b"}"));
    let inside = inside.ok_or_else(|| format!("{header} in it is no JSON object"))?.trim_ascii();
    take(b"{");
    take(inside);
    take(if inside.is_empty() { b"\"samples\":[" } else { b",\"samples\":[" });
    for (index, (_, name)) in samples.iter().enumerate() {
        take(if index == 0 { b"" } else { b"," });
        unpack(&mut archive, name, bytes, &mut left, take)?;
    }
    take(b"]");
    if let Some(reductions) = find("reductions.json") {
        take(b",\"reductions\":");
        unpack(&mut archive, reductions, bytes, &mut left, take)?;
    }
    take(b"}");
    Ok(true)
}

/// In which order Inspect AI has samples: by their epochs, then by their ids, numbers by their size.
type Key = (u64, String);

fn key(name: &str) -> Option<Key> {
    let sample = name.strip_prefix("samples/")?.strip_suffix(".json")?;
    let (id, epoch) = sample.rsplit_once("_epoch_")?;
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    Some((epoch.parse().ok()?, if is_number { format!("{id:0>20}") } else { id.to_owned() }))
}

/// Hands out the content of a file, and checks its length and its sum; `left` is how much all of them may still have.
fn unpack<'b>(
    archive: &mut Archive<'b>,
    name: &str,
    bytes: &'b [u8],
    left: &mut u64,
    take: &mut dyn FnMut(&[u8]),
) -> Result<(), String> {
    let file = archive.by_name_raw(name.as_bytes()).map_err(|_| no_archive())?;
    if file.encrypted() {
        return Err(format!("{name} in it is encrypted"));
    }
    let size = file.size();
    *left = left.checked_sub(size).ok_or_else(too_long)?;
    let packed = packed(&file, bytes).ok_or_else(no_archive)?;
    let (mut sum, mut length, mut piece) = (Crc::new(), 0, vec![0; 1 << 16]);
    // One byte more than the archive says shows that it says too little.
    let mut is_unpacked = |reader: &mut dyn Read| {
        let mut reader = reader.take(size + 1);
        loop {
            let Ok(count) = reader.read(&mut piece) else { return false };
            let read = piece.get(..count).unwrap_or_default();
            if read.is_empty() {
                return true;
            }
            sum.update(read);
            length += read.len() as u64;
            take(read);
        }
    };
    let is_read = match file.compression() {
        CompressionMethod::STORE => is_unpacked(&mut &*packed),
        CompressionMethod::DEFLATE => is_unpacked(&mut DeflateDecoder::new(packed)),
        CompressionMethod::ZSTD => {
            compressed::reader(packed).is_ok_and(|mut reader| is_unpacked(&mut reader))
        }
        _ => return Err(format!("{name} in it is packed in a way that is not read")),
    };
    let is_whole = is_read && length == size && sum.sum() == file.crc32();
    is_whole.then_some(()).ok_or_else(|| format!("{name} in it cannot be unpacked; `unzip -t` says more"))
}

/// The bytes of a file as they stand in the archive.
fn packed<'b>(file: &ZipFile<'_, Cursor<&'b [u8]>>, bytes: &'b [u8]) -> Option<&'b [u8]> {
    let start = usize::try_from(file.data_start()?).ok()?;
    let length = usize::try_from(file.compressed_size()).ok()?;
    bytes.get(start..start.checked_add(length)?)
}

fn too_long() -> String {
    "its content has more than 4 GB".to_owned()
}

fn no_archive() -> String {
    "it is a zip archive without an end; `unzip -t` says the same of a file that was cut off or changed"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use serde_json::{Value, json};

    use super::*;

    type Falsify = fn(&mut [u8]);

    /// A zip archive of these files, packed in this way; what it says of them can be falsified.
    fn archive(files: &[(&str, &str)], method: u16, falsify: Falsify) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (name, text) in files {
            let packed = match method {
                8 => {
                    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                    encoder.write_all(text.as_bytes()).unwrap();
                    encoder.finish().unwrap()
                }
                93 => compress_to_vec(text.as_bytes(), CompressionLevel::Fastest),
                _ => text.as_bytes().to_vec(),
            };
            let mut sum = Crc::new();
            sum.update(text.as_bytes());
            let mut about = [20_u16, 0, method, 0, 0].map(u16::to_le_bytes).concat();
            let [packed_length, length] =
                [packed.len(), text.len()].map(|length| u32::try_from(length).unwrap());
            about.extend([sum.sum(), packed_length, length].map(u32::to_le_bytes).concat());
            about.extend([u16::try_from(name.len()).unwrap(), 0].map(u16::to_le_bytes).concat());
            falsify(&mut about);
            let at = u32::try_from(bytes.len()).unwrap();
            bytes.extend([&b"PK\x03\x04"[..], &about, name.as_bytes(), &packed].concat());
            directory.extend(
                [&b"PK\x01\x02\x14\0"[..], &about, &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat(),
            );
        }
        let count = u16::try_from(files.len()).unwrap().to_le_bytes();
        let sizes = [directory.len(), bytes.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes());
        [&bytes[..], &directory, b"PK\x05\x06", &[0; 4], &count, &count, &sizes.concat(), &[0; 2]].concat()
    }

    const FILES: &[(&str, &str)] = &[
        ("_journal/start.json", "{}"),
        ("samples/10_epoch_1.json", r#"{"id":10}"#),
        ("samples/2_epoch_1.json", r#"{"id":2}"#),
        ("samples/a_epoch_b_epoch_2.json", r#"{"id":"a_epoch_b"}"#),
        ("samples/../../etc/passwd", "x"),
        ("summaries.json", "[]"),
        ("reductions.json", "[7]"),
        ("header.json", "{\"version\":2,\"eval\":{}}\n"),
    ];

    fn read(bytes: &[u8]) -> Value {
        serde_json::from_slice(&log(bytes).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn samples_stand_in_the_log_in_their_order() {
        let expected = json!({"version": 2, "eval": {}, "samples": [{"id": 2}, {"id": 10}, {"id": "a_epoch_b"}], "reductions": [7]});
        for method in [0, 8, 93] {
            assert_eq!(read(&archive(FILES, method, |_| ())), expected, "{method}");
        }
        let begun = archive(&FILES[..2], 8, |_| ());
        assert_eq!(read(&begun), json!({"samples": [{"id": 10}]}));
        assert_eq!(log(&archive(&FILES[5..6], 8, |_| ())), Ok(None));
    }

    #[test]
    fn what_is_damaged_or_lies_is_said() {
        let whole = archive(FILES, 8, |_| ());
        let said = |bytes: &[u8]| log(bytes).unwrap_err();
        for cut in [4, 30, whole.len() / 2, whole.len() - 1] {
            assert!(said(&whole[..cut]).starts_with("it is a zip archive without an end"), "{cut}");
        }
        // Its sum, its length, a way of packing that nobody has, a password, and a length that no memory has.
        let cases: [(Falsify, &str); 5] = [
            (|about| about[10] ^= 1, "cannot be unpacked"),
            (|about| about[18] -= 1, "cannot be unpacked"),
            (|about| about[4] = 99, "in a way that is not read"),
            (|about| about[2] |= 1, "is encrypted"),
            (|about| about[18..22].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFE]), "more than 4 GB"),
        ];
        for (falsify, expected) in cases {
            let found = said(&archive(FILES, 8, falsify));
            assert!(found.contains(expected), "{expected}: {found}");
        }
        assert_eq!(
            said(&archive(&[("header.json", "[]")], 8, |_| ())),
            "header.json in it is no JSON object"
        );
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 0x55;
            let _ = log(&other);
        }
    }
}
