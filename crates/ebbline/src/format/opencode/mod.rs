//! OpenCode: exports `{info, messages: [{info, parts}]}`, the list alone or on lines, and the
//! rows of its storage.
//!
//! Structures from anomalyco/opencode (`packages/opencode/src/session/message-v2.ts`) and npm `@opencode-ai/sdk`
//! 1.19.3.

mod entry;
mod ids;
mod layout;
mod message;
mod order;
mod record;
mod rows;
mod stored;

pub(super) use entry::ENTRY;

use super::placement::SummaryPlacement;
use super::recorder::{Counts, Recorder};
use super::source::Source;
use crate::error::{Error, ErrorCode};
use crate::json::Text;
use order::answered_marker;

pub use order::{Outline, failed_without_words, sent_in_order};

use rows::is_newer;
use stored::{Stored, StoredPart};

pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    recorder.set_injected(Counts::AsTurn);
    if let Some(newer) = source.list().into_iter().find(|message| is_newer(*message)) {
        let kind = newer.text_of("type").map(Text::decode).unwrap_or_default();
        return Err(Error::new(
            ErrorCode::UnsupportedFormat,
            format!("these are messages of OpenCode's second core (one of type {kind}), which are not read yet; export the session with `opencode export`"),
        )
        .located(source.text, newer.span().start));
    }
    rows::with_stored(source, |_, stored| read_stored(stored, recorder));
    Ok(SummaryPlacement::Record(&record::RECORDED))
}

/// Records messages in the order in which OpenCode sends them; messages that it does not send come first.
fn read_stored(stored: &[Stored<'_>], recorder: &mut Recorder) {
    let (foreign, own): (Vec<_>, Vec<_>) = stored.iter().partition(|message| message.is_foreign);
    let outlines: Vec<Outline> = own.iter().map(|message| message.outline()).collect();
    let sent = sent_in_order(&outlines);
    let mut is_sent = vec![false; own.len()];
    for index in &sent {
        if let Some(known) = is_sent.get_mut(*index) {
            *known = true;
        }
    }
    let left_out = is_sent.iter().enumerate().filter(|(_, is_sent)| !**is_sent).map(|(index, _)| index);
    let left_out = left_out.filter_map(|index| own.get(index).copied());
    let mut prunes = message::Prunes::default();
    for message in foreign.into_iter().chain(left_out) {
        message::read(message, false, false, &mut prunes, recorder);
        if message.is_foreign {
            recorder.set_newest_beside();
        }
    }
    let marker = answered_marker(&outlines);
    let marker_id = marker.and_then(|marker| outlines.get(marker)?.id.as_ref());
    let mut newest = 0;
    for index in sent {
        let (Some(message), Some(outline)) = (own.get(index), outlines.get(index)) else { continue };
        // Usage reported before a compaction describes the context that it replaced, even in its tail.
        let is_older = outline.id.as_ref().zip(marker_id).is_some_and(|(id, marker)| id < marker);
        let is_current = !(is_older || marker.is_some_and(|marker| index < marker));
        let says_nothing = message.is("assistant") && failed_without_words(message.info, message.values());
        message::read(message, !says_nothing, is_current, &mut prunes, recorder);
        // If this message began a tail, the tail would include the last compaction, which follows it in the file but
        // is sent before it.
        if index < newest {
            recorder.transcript.mark_continuing();
        }
        newest = newest.max(index);
    }
    place_prunes(&own, &prunes.parts, recorder);
    for (summary, tail) in order::tails(&outlines) {
        if let (Some(summary), Some(tail)) = (own.get(summary), own.get(tail)) {
            recorder.set_kept_from(summary.span.start, tail.span.start);
        }
    }
}

/// Finds what was written after each prune: a part records only the time.
fn place_prunes(own: &[&Stored<'_>], pruned: &[(usize, u64)], recorder: &mut Recorder) {
    let mut newest = 0;
    let created = own.iter().map(|message| {
        newest = newest.max(message.created().unwrap_or(0));
        (newest, message.span.start)
    });
    let created: Vec<(u64, usize)> = if pruned.is_empty() { Vec::new() } else { created.collect() };
    for (part, moment) in pruned {
        let behind = created.partition_point(|(created, _)| created < moment);
        recorder.set_part_pruned_from(*part, created.get(behind).map_or(usize::MAX, |(_, start)| *start));
    }
}

#[cfg(test)]
mod tests;
