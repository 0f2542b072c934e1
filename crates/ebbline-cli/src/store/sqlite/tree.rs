//! The tree of pages in which a table keeps its rows, in the order of their numbers
//! (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).

use super::record::varint;
use super::{Database, Fault, damaged};

const INNER: u8 = 5;
const LEAF: u8 = 13;
/// No tree is deeper: each level has at least twice the pages of the one above it.
const DEEPEST: usize = 40;

/// A row where it stands: of a long one only the beginning.
#[derive(Debug)]
pub(crate) struct Row<'p> {
    /// Its number in the table.
    pub(crate) number: i64,
    /// The length of its record in bytes.
    pub(crate) size: u64,
    /// The record, or its beginning.
    pub(crate) local: &'p [u8],
    /// The page on which the record goes on.
    further: Option<u32>,
}

/// A page of a tree.
struct Node {
    number: u32,
    bytes: Vec<u8>,
    is_leaf: bool,
    cells: usize,
    /// Where the places of the cells are.
    places: usize,
    /// The page behind the last cell of an inner page.
    last: u32,
}

impl Database {
    /// Takes every row of the table whose tree begins on a page. Together they are no larger than the database: cells that
    /// share one record would be read over and over.
    pub(crate) fn rows(
        &self,
        root: u32,
        take: &mut dyn FnMut(&Row<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut waiting = vec![root];
        let mut seen = 0;
        let mut left = u64::from(self.count) * self.size as u64;
        while let Some(number) = waiting.pop() {
            seen += 1;
            if seen > self.count {
                return damaged(number, "is in its table more than once");
            }
            let node = self.node(number)?;
            if node.is_leaf {
                for cell in 0..node.cells {
                    let row = self.row_of(&node, cell)?;
                    left = match left.checked_sub(row.size) {
                        Some(left) => left,
                        None => return damaged(number, "has rows that are longer than the database"),
                    };
                    take(&row)?;
                }
                continue;
            }
            waiting.push(node.last);
            for cell in (0..node.cells).rev() {
                waiting.push(node.child(cell)?.0);
            }
        }
        Ok(())
    }

    /// The record of a row by its number.
    pub(crate) fn record(&self, root: u32, number: i64) -> Result<Vec<u8>, Fault> {
        let mut node = self.node(root)?;
        for _ in 0..DEEPEST {
            if node.is_leaf {
                let at = node.first(|cell| Ok(self.row_of(&node, cell)?.number >= number))?;
                if at < node.cells {
                    let row = self.row_of(&node, at)?;
                    if row.number == number {
                        return self.whole(&row);
                    }
                }
                return damaged(node.number, &format!("has no row {number}"));
            }
            let at = node.first(|cell| Ok(node.child(cell)?.1 >= number))?;
            let child = if at < node.cells { node.child(at)?.0 } else { node.last };
            node = self.node(child)?;
        }
        damaged(root, "begins a table that has no end")
    }

    /// The whole record of a row.
    pub(crate) fn whole(&self, row: &Row<'_>) -> Result<Vec<u8>, Fault> {
        let Some(mut page) = row.further else { return Ok(row.local.to_vec()) };
        let most = u64::from(self.count) * self.size as u64;
        let Some(size) = usize::try_from(row.size).ok().filter(|_| row.size <= most) else {
            return damaged(page, "goes on with a record that is longer than the database");
        };
        let mut record = Vec::with_capacity(size);
        record.extend_from_slice(row.local);
        while record.len() < size {
            let bytes = self.page(page)?;
            let Some((next, content)) = bytes.get(..self.used).and_then(<[u8]>::split_first_chunk) else {
                return damaged(page, "is too short");
            };
            let left = (size - record.len()).min(content.len());
            record.extend_from_slice(content.get(..left).unwrap_or_default());
            page = u32::from_be_bytes(*next);
        }
        Ok(record)
    }

    fn node(&self, number: u32) -> Result<Node, Fault> {
        let bytes = self.page(number)?;
        // The first page begins with the header of the database.
        let start = if number == 1 { 100 } else { 0 };
        let is_leaf = match bytes.get(start) {
            Some(&LEAF) => true,
            Some(&INNER) => false,
            _ => return damaged(number, "is none of a table"),
        };
        let word = |at: usize| bytes.get(start + at..)?.first_chunk().map(|word| u16::from_be_bytes(*word));
        let last = bytes.get(start + 8..).and_then(|bytes| bytes.first_chunk());
        let (Some(cells), Some(last)) = (word(3), last) else { return damaged(number, "is too short") };
        Ok(Node {
            number,
            is_leaf,
            cells: usize::from(cells),
            places: start + if is_leaf { 8 } else { 12 },
            last: if is_leaf { 0 } else { u32::from_be_bytes(*last) },
            bytes,
        })
    }

    fn row_of<'n>(&self, node: &'n Node, cell: usize) -> Result<Row<'n>, Fault> {
        let row = || {
            let (size, rest) = varint(node.cell(cell)?)?;
            let (number, rest) = varint(rest)?;
            let local = self.local(size);
            let further = if local as u64 == size {
                None
            } else {
                Some(u32::from_be_bytes(*rest.get(local..)?.first_chunk()?))
            };
            Some(Row { number: number as i64, size, local: rest.get(..local)?, further })
        };
        row().map_or_else(|| damaged(node.number, "has a row that does not end"), Ok)
    }

    /// How much of a record of a size stands in the page of its row.
    fn local(&self, size: u64) -> usize {
        let used = self.used as u64;
        let most = used.saturating_sub(35);
        if size <= most {
            return size as usize;
        }
        let least = (used.saturating_sub(12) * 32 / 255).saturating_sub(23);
        let local = least + size.saturating_sub(least) % used.saturating_sub(4).max(1);
        (if local <= most { local } else { least }) as usize
    }
}

impl Node {
    /// The bytes from where a cell begins.
    fn cell(&self, cell: usize) -> Option<&[u8]> {
        let place = self.bytes.get(self.places + 2 * cell..)?.first_chunk()?;
        self.bytes.get(usize::from(u16::from_be_bytes(*place))..)
    }

    /// The page of a cell of an inner page, and the number of the last row below it.
    fn child(&self, cell: usize) -> Result<(u32, i64), Fault> {
        let child = || {
            let (page, rest) = self.cell(cell)?.split_first_chunk()?;
            Some((u32::from_be_bytes(*page), varint(rest)?.0 as i64))
        };
        child().map_or_else(|| damaged(self.number, "has a cell that does not end"), Ok)
    }

    /// The first cell with a property that all further ones have, too.
    fn first(&self, has: impl Fn(usize) -> Result<bool, Fault>) -> Result<usize, Fault> {
        let (mut low, mut high) = (0, self.cells);
        while low < high {
            let middle = usize::midpoint(low, high);
            if has(middle)? { high = middle } else { low = middle + 1 }
        }
        Ok(low)
    }
}
