//! Images and files inside a tool result: they are pruned together with the result.

use std::collections::HashMap;

use crate::transcript::{Part, PartKind};

/// The images and files of a message that are inside a tool result, each paired with its result. Both are indices
/// into `parts`.
///
/// An id may occur twice. The result is then the last one of its call before the image, or else the first one
/// behind it.
pub(crate) fn followed_results(parts: &[Part]) -> Vec<(usize, usize)> {
    if !parts.iter().any(belongs_to_result) {
        return Vec::new();
    }
    let call_of = |part: &Part| part.call.filter(|_| part.kind == PartKind::ToolResult);
    let mut results: HashMap<u32, usize> = HashMap::new();
    for (at, part) in parts.iter().enumerate().rev() {
        results.extend(call_of(part).map(|call| (call, at)));
    }
    let mut followed = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        results.extend(call_of(part).map(|call| (call, at)));
        let result = part.call.filter(|_| belongs_to_result(part)).and_then(|call| results.get(&call));
        followed.extend(result.map(|result| (at, *result)));
    }
    followed
}

/// Whether a part is an image or a file inside a tool result.
pub(crate) fn belongs_to_result(part: &Part) -> bool {
    matches!(part.kind, PartKind::Image | PartKind::File) && part.call.is_some()
}
