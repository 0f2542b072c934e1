//! Reads a record.

use std::collections::HashMap;
use std::sync::Arc;

use ebbline::json::Value;

use super::checksum::sum_of_record;
use super::{Bound, Record, Recorded, SummaryRecord, VERSION, refused};
use crate::compaction::Cause;
use crate::compaction::{Compaction, SummaryAppendix};
use crate::error::CompactorError;
use crate::overflow::LearntWindow;

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// `mismatch` for what is none.
    pub(crate) fn read(given: Value<'_>) -> Result<Self, CompactorError> {
        let version = given.get("version").and_then(Value::number);
        if version != Some(VERSION) {
            let found = given.get("version").map_or("none", |version| version.source());
            return Err(refused(&format!("it is of version {found}, and only version 2 is read")));
        }
        record(given).ok_or_else(|| refused("it is damaged"))
    }
}

/// `None` if a member is missing or of another kind.
fn record(given: Value<'_>) -> Option<Record> {
    let messages = whole(given, "messages")?;
    let overhead = match given.present("overhead") {
        Some(overhead) => Some(amount(overhead)?),
        None => None,
    };
    let learnt = match given.present("learnt") {
        Some(learnt) => Some(LearntWindow {
            window: learnt.get("window").and_then(amount).filter(|window| *window > 0)?,
            told: match learnt.present("told") {
                Some(told) => Some(amount(told)?),
                None => None,
            },
        }),
        None => None,
    };
    let controller = list(given, "controller")?.into_iter().map(Value::number).collect::<Option<_>>()?;
    let mut originals = HashMap::new();
    let has_originals = given.present("originals").is_some();
    if has_originals {
        for one in list(given, "originals")? {
            let message = whole(one, "message").filter(|message| *message < messages)?;
            originals.insert(message, Arc::from(one.get("original").filter(|one| one.is_object())?.source()));
        }
    }
    let changes: Vec<Recorded> = list(given, "changes")?.into_iter().map(change).collect::<Option<_>>()?;
    // A record without changes says nothing that could be wrong about a history.
    if !changes.is_empty() && whole(given, "checksum") != Some(sum_of_record(given) as usize) {
        return None;
    }
    Some(Record {
        source: given.source().to_owned(),
        messages,
        overhead,
        learnt,
        controller,
        originals,
        has_originals,
        changes,
    })
}

fn change(given: Value<'_>) -> Option<Recorded> {
    // A moment is larger than what a 32-bit word holds.
    let figure = |name| given.get(name).and_then(amount);
    let summary = match given.present("summary") {
        Some(summary) => Some(SummaryRecord {
            until: whole(summary, "until")?,
            replaces: list(summary, "replaces")?.into_iter().map(bound).collect::<Option<_>>()?,
            earlier: list(summary, "earlier")?.into_iter().map(index).collect::<Option<_>>()?,
            made: list(summary, "made")?
                .into_iter()
                .map(|made| Some((whole(made, "place")?, becomes(made)?)))
                .collect::<Option<_>>()?,
        }),
        None => None,
    };
    let is_by_rule = given.get("byRule").is_some_and(|flag| flag.source() == "true");
    let appendix = SummaryAppendix {
        orders: figure("orders").unwrap_or(0),
        pins: figure("pins").unwrap_or(0),
        is_by_rule,
    };
    Some(Recorded {
        compaction: Compaction {
            at: figure("at")?,
            cause: Cause::from_word(&given.text_of("cause")?.decode())?,
            profile: given.text_of("profile")?.decode().into_owned(),
            pruned: figure("pruned")?,
            // Records that were stored before 0.1.0 have British spelling.
            summarized: figure("summarized").or_else(|| figure("summarised"))?,
            appendix: summary.is_some().then_some(appendix),
            tokens_before: figure("tokensBefore")?,
            tokens_after: figure("tokensAfter")?,
        },
        replaced: list(given, "replaced")?
            .into_iter()
            .map(|one| Some((bound(one)?, becomes(one)?)))
            .collect::<Option<_>>()?,
        summary,
    })
}

fn bound(given: Value<'_>) -> Option<Bound> {
    let checksum = u32::try_from(whole(given, "checksum")?).ok()?;
    Some(Bound { message: whole(given, "message")?, checksum })
}

fn becomes(given: Value<'_>) -> Option<String> {
    given.get("becomes").filter(|value| value.is_object()).map(|value| value.source().to_owned())
}

fn list<'d>(given: Value<'d>, name: &str) -> Option<Vec<Value<'d>>> {
    given.get(name).filter(|value| value.is_array()).map(|value| value.elements().collect())
}

fn whole(given: Value<'_>, name: &str) -> Option<usize> {
    given.get(name).and_then(index)
}

fn index(given: Value<'_>) -> Option<usize> {
    amount(given).map(|amount| amount as usize)
}

fn amount(given: Value<'_>) -> Option<u64> {
    given.number().filter(|number| *number >= 0.0 && number.fract() == 0.0).map(|number| number as u64)
}
