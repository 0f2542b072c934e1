//! Streams: the chunks in which a provider sends one answer. They look like JSON Lines but are not a session.

use super::signs::{self, LOOKED_AT, Shows};
use super::source::Source;
use super::table;
use crate::error::{Error, ErrorCode};
use crate::json::Document;

/// The signs of the known streams.
fn known() -> impl Iterator<Item = signs::Stream> {
    table::signs().filter_map(|(_, shows)| match shows {
        Shows::Stream(stream) => Some(stream),
        _ => None,
    })
}

/// A detected stream.
pub(super) struct Stream {
    /// The known stream; `None` if its chunks are of unknown kinds.
    known: Option<signs::Stream>,
    /// The kinds of its chunks, in order and without repetition.
    kinds: Vec<String>,
}

impl Stream {
    /// The error that refuses the stream.
    pub(super) fn refusal(&self) -> Error {
        let shown = self.kinds.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        let more = if self.kinds.len() > 3 { ", …" } else { "" };
        let message = match self.known {
            Some(signs::Stream { name, is_answer: true, .. }) => format!(
                "an answer of {name} ({shown}), not a session: a session has contents, the answer's content among them"
            ),
            Some(signs::Stream { name, .. }) => format!(
                "stream chunks of {name} ({shown}{more}), not a session: collect them into a message first"
            ),
            None => "server-sent events, not a session: collect their data into messages first".to_owned(),
        };
        Error::new(ErrorCode::NoMessages, message)
    }
}

/// The stream whose chunks most values of the source are.
pub(super) fn of_values(source: &Source<'_>) -> Option<Stream> {
    let list = source.root().filter(|root| !source.is_lines && root.is_array());
    let values: Vec<_> = match list {
        Some(list) => list.elements().take(LOOKED_AT).collect(),
        None => source.values().take(LOOKED_AT).collect(),
    };
    known().find_map(|stream| {
        let found: Vec<_> = values.iter().filter_map(|value| (stream.kind)(*value)).collect();
        (!found.is_empty() && found.len() * 2 > values.len())
            .then(|| Stream { known: Some(stream), kinds: distinct(found) })
    })
}

/// The stream in a text of server-sent events, which has lines with `data:` and `event:`.
pub(super) fn of_events(text: &str) -> Option<Stream> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LOOKED_AT);
    let is_event =
        |line: &str| ["data:", "event:", "id:", "retry:", ":"].iter().any(|field| line.starts_with(field));
    let data = || lines().filter_map(|line| line.strip_prefix("data:"));
    if data().next().is_none() || !lines().all(is_event) {
        return None;
    }
    let documents: Vec<_> = data().filter_map(|data| Document::parse(data.trim()).ok()).collect();
    let stream = known().find_map(|stream| {
        let found: Vec<_> = documents.iter().filter_map(|chunk| (stream.kind)(chunk.root())).collect();
        (!found.is_empty()).then(|| Stream { known: Some(stream), kinds: distinct(found) })
    });
    Some(stream.unwrap_or(Stream { known: None, kinds: Vec::new() }))
}

fn distinct(kinds: Vec<String>) -> Vec<String> {
    let mut seen = Vec::new();
    for kind in kinds {
        if !seen.contains(&kind) {
            seen.push(kind);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use crate::format::detect;

    #[test]
    fn a_stream_is_named_with_the_kinds_of_its_chunks() {
        let texts = [
            "{\"type\":\"message_start\"}\n{\"type\":\"content_block_start\"}\n{\"type\":\"ping\"}\n\
             {\"type\":\"content_block_delta\"}\n{\"type\":\"message_stop\"}",
            "{\"type\":\"content_block_delta\",\"index\":0}\n{\"type\":\"ping\"}\n{\"type\":\"message_stop\"}",
            "{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[]}",
            "{\"type\":\"response.created\"}\n{\"type\":\"response.output_text.delta\",\"delta\":\"a\"}",
            r#"[{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}]},{"candidates":[]}]"#,
            r#"{"candidates":[{"content":{"parts":[]}}],"usageMetadata":{}}"#,
            "event: message_start\ndata: {\"type\":\"message_start\"}\n\nevent: ping\ndata: {\"type\": \"ping\"}\n",
            "data: {\"object\":\"chat.completion.chunk\"}\n\ndata: [DONE]\n",
            ": keep-alive\n\ndata: hello\n",
            "data: {\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"a\"}\n\n",
        ];
        let answers: Vec<_> = texts
            .iter()
            .map(|text| {
                let error = detect(text).unwrap_err();
                format!("{text:?}\n    {}: {error}", error.code())
            })
            .collect();
        insta::assert_snapshot!(answers.join("\n"));
    }
}
