//! Reads and writes of files that newer calls make needless.

use std::collections::HashSet;

use super::arguments;
use super::scene::Scene;
use crate::json::Document;
use crate::plan::{Becomes, Given, Reason};
use crate::summary::{Access, access_of};
use crate::transcript::{PartKind, Role};

/// What newer calls have done to files.
#[derive(Default)]
struct Newer {
    /// Files that were read or written as a whole.
    whole: HashSet<String>,
    /// Files that were written as a whole.
    written: HashSet<String>,
    /// Parts of files that were read.
    parts: HashSet<(String, String)>,
}

/// The outputs of superseded reads, and the arguments of superseded writes.
pub(super) fn parts(scene: &Scene<'_, '_>) -> Vec<Given> {
    let transcript = scene.original.transcript;
    let may_give_way: HashSet<usize> = scene.parts().map(|(index, _)| index).collect();
    let mut newer = Newer::default();
    let mut given = Vec::new();
    for (index, part) in transcript.parts().iter().enumerate().rev() {
        let message = transcript.messages().get(scene.message_of(index));
        let is_sent = message.is_some_and(|message| message.active && message.role == Role::Assistant);
        if part.kind != PartKind::ToolCall || !is_sent {
            continue;
        }
        let text = scene.text_of(index);
        let Some(access) =
            Document::parse(&text).ok().and_then(|document| access_of(scene.tool_of(part), document.root()))
        else {
            continue;
        };
        let Some((result, output)) = scene.result_of(part) else { continue };
        if output.output.has_failed() {
            continue;
        }
        match access {
            Access::Read { path, part: read } => {
                let is_superseded = newer.whole.contains(&path)
                    || newer.written.contains(&path)
                    || newer.parts.contains(&(path.clone(), read.clone()));
                if is_superseded && may_give_way.contains(&result) {
                    given.extend(scene.cleared(result, Reason::Superseded));
                }
                if read.is_empty() {
                    newer.whole.insert(path.clone());
                }
                newer.parts.insert((path, read));
            }
            Access::Write { path } => {
                let is_superseded = newer.whole.contains(&path) || newer.written.contains(&path);
                if is_superseded && may_give_way.contains(&index) {
                    let shorter = arguments::without_texts(scene, index, &path);
                    given.extend(
                        shorter.map(|json| scene.given(index, Reason::Superseded, Becomes::Arguments(json))),
                    );
                }
                newer.written.insert(path);
            }
        }
    }
    given
}
