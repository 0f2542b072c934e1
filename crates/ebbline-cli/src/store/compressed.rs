//! Files that are compressed with Zstandard: Codex compresses its older sessions (`.jsonl.zst`).

use std::io::{self, Read};

use ruzstd::decoding::StreamingDecoder;

/// No text is longer: its places have 32 bits.
pub(super) const LONGEST: u64 = u32::MAX as u64;

/// What a compressed file begins with.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Whether a file is compressed.
pub(super) fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The content of a compressed file, or in words why there is none.
pub(super) fn content(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    decoded(bytes, &mut |part| content.extend_from_slice(part))?;
    Ok(content)
}

/// Hands out the content piece by piece, of all frames of the file; in words why not, if it is damaged.
pub(super) fn decoded(mut bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), String> {
    let mut length = 0;
    let mut piece = vec![0; 1 << 16];
    while !bytes.is_empty() {
        let mut decoder = StreamingDecoder::new(&mut bytes).map_err(|_| no_frame())?;
        loop {
            let count = match decoder.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(no_frame()),
            };
            length += count as u64;
            if length > LONGEST {
                return Err("its content has more than 4 GB".to_owned());
            }
            take(piece.get(..count).unwrap_or_default());
        }
        let decoder = decoder.decoder;
        let (written, own) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum());
        if written.is_some() && written != own {
            return Err("its content does not have the sum that stands behind it".to_owned());
        }
    }
    Ok(())
}

/// What reads a frame.
pub(super) fn reader(bytes: &[u8]) -> Result<impl Read + '_, String> {
    StreamingDecoder::new(bytes).map_err(|_| no_frame())
}

/// The library's own words name its types and blocks, which says nothing to whoever has the file.
fn no_frame() -> String {
    "it cannot be decompressed; `zstd -t` says the same of a file that was cut off or changed".to_owned()
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    fn all_frames_are_read_and_damage_is_said() {
        let text = "{\"role\":\"user\"}\n".repeat(9_000);
        let frame = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        assert!(is_compressed(&frame) && !is_compressed(text.as_bytes()));
        let two = [frame.clone(), frame.clone()].concat();
        assert_eq!(content(&two).unwrap(), text.repeat(2).into_bytes());
        for cut in [5, 20, frame.len() / 2, frame.len() - 1] {
            assert!(content(&frame[..cut]).unwrap_err().starts_with("it cannot be decompressed"), "{cut}");
        }
        let mut other = frame.clone();
        *other.last_mut().unwrap() ^= 1;
        assert!(content(&other).unwrap_err().contains("sum"));
        assert!(content(&[&frame[..], b"notes"].concat()).is_err());
    }
}
