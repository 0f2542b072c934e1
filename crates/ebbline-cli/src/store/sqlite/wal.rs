//! What was written to a database and is not in its file yet: the newest pages stand in a log beside it
//! (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>).

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// The length of what stands in front of all frames, and of each.
pub(super) const HEADER: usize = 32;
const FRAME: usize = 24;

/// The log of a database.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) file: File,
    /// Where the newest content of a page is in the file.
    pub(super) pages: HashMap<u32, u64>,
    /// How many pages the database has.
    pub(super) count: u32,
}

impl Log {
    /// The log beside a database with pages of a size; `None` if there is none, or nothing in it was completed.
    pub(super) fn open(path: &Path, size: usize) -> io::Result<Option<Self>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut header = [0; HEADER];
        if !is_filled(&mut reader, &mut header)? {
            return Ok(None);
        }
        let Some(mut sum) = Sum::of_log(&header, size) else { return Ok(None) };
        let salts = header.get(16..24);
        let (mut pages, mut pending, mut count) = (HashMap::new(), Vec::new(), 0);
        let mut frame = vec![0; FRAME + size];
        let mut at = HEADER as u64;
        while is_filled(&mut reader, &mut frame)? {
            let (Some(page), Some(size_then)) = (word(&frame, 0), word(&frame, 4)) else { break };
            sum.add(frame.get(..8).unwrap_or_default());
            sum.add(frame.get(FRAME..).unwrap_or_default());
            // What an earlier log left behind has other salts, and what is torn has another sum.
            if frame.get(8..16) != salts || !sum.is(&frame, 16) {
                break;
            }
            pending.push((page, at + FRAME as u64));
            at += frame.len() as u64;
            // Only what was completed counts.
            if size_then > 0 {
                pages.extend(pending.drain(..));
                count = size_then;
            }
        }
        drop(reader);
        Ok((!pages.is_empty()).then_some(Self { file, pages, count }))
    }
}

/// Fills a buffer; `false` if the file ends before.
fn is_filled(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word))
}

/// The sum over everything in front of a frame, by which a whole frame is recognized.
struct Sum {
    sums: (u32, u32),
    is_big_endian: bool,
}

impl Sum {
    /// That of the header; `None` if it is none of a log with such pages.
    fn of_log(header: &[u8], size: usize) -> Option<Self> {
        let is_big_endian = match word(header, 0)? {
            0x377F_0682 => false,
            0x377F_0683 => true,
            _ => return None,
        };
        let mut sum = Self { sums: (0, 0), is_big_endian };
        sum.add(header.get(..24)?);
        (word(header, 8)? as usize == size && sum.is(header, 24)).then_some(sum)
    }

    fn add(&mut self, bytes: &[u8]) {
        let read = if self.is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
        let (mut one, mut other) = self.sums;
        for pair in bytes.as_chunks::<8>().0 {
            let [first, second] = *pair.as_chunks::<4>().0 else { continue };
            one = one.wrapping_add(read(first)).wrapping_add(other);
            other = other.wrapping_add(read(second)).wrapping_add(one);
        }
        self.sums = (one, other);
    }

    fn is(&self, bytes: &[u8], at: usize) -> bool {
        (word(bytes, at), word(bytes, at + 4)) == (Some(self.sums.0), Some(self.sums.1))
    }
}
