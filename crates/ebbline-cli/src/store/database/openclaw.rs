//! `OpenClaw`'s database of an agent (`openclaw-agent.sqlite`): a row for each entry of a transcript.
//!
//! A session comes out as the lines of its transcript. An entry stands there as JSON, or compressed with Zstandard.

use std::collections::BTreeMap;

use super::super::compressed;
use super::super::sqlite::{Database, Fault, Table, Value};
use super::tables::{Rows, Tables, note};

#[derive(Debug)]
struct OpenClaw(Table);

pub(super) fn tables(database: &Database) -> Result<Option<Box<dyn Tables>>, Fault> {
    let [entries] = database.tables(["transcript_events"])?;
    let entries = entries.filter(|table| table.has(&["session_id", "seq", "event_json"]));
    Ok(entries.map(|table| Box::new(OpenClaw(table)) as Box<dyn Tables>))
}

impl Tables for OpenClaw {
    fn rows(&self, database: &Database) -> Result<BTreeMap<String, Rows>, Fault> {
        let mut all = BTreeMap::new();
        note(database, &self.0, |rows| &mut rows.messages, &mut all)?;
        Ok(all)
    }

    fn export(&self, database: &Database, _id: &str, rows: &Rows) -> Result<Vec<u8>, Fault> {
        let Self(table) = self;
        let mut numbers = Vec::with_capacity(rows.messages.len());
        for number in &rows.messages {
            let record = database.record(table.root, *number)?;
            numbers.push((table.value(&record, "seq").and_then(Value::integer), *number));
        }
        numbers.sort_unstable();
        let mut out = Vec::with_capacity(usize::try_from(rows.bytes).unwrap_or_default());
        for (seq, number) in numbers {
            let record = database.record(table.root, number)?;
            if let Some(Value::Blob(bytes)) = table.value(&record, "event_zstd") {
                let damaged = |why| Fault::Damaged(format!("entry {}: {why}", seq.unwrap_or_default()));
                out.extend(compressed::content(bytes).map_err(damaged)?);
            } else {
                out.extend_from_slice(table.text(&record, "event_json")?.as_bytes());
            }
            out.push(b'\n');
        }
        Ok(out)
    }
}
