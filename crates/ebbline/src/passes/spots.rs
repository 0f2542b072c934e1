//! Where thinking, images and the arguments of calls are in the JSON of a message, in any format: by what providers and
//! libraries call them. Where there are not as many as the message has parts, nothing is found, and nothing is changed.

use crate::format::{Element, OwnElement};
use crate::json::{Value, quote};
use crate::transcript::{Part, PartKind};

/// Elements are looked for so deep.
const DEEPEST: usize = 12;

/// A step on the way from a message to what it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Member(String),
    Element(usize),
}

/// The way from a message to what it contains.
pub(crate) type Path = Vec<Step>;

/// What a message's JSON contains, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spots {
    thinking: Vec<Path>,
    images: Vec<Image>,
    /// The arguments of calls; `None` for a call that shows none.
    arguments: Vec<Option<Path>>,
}

/// An image, and how a text is written where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(super) path: Path,
    /// The type of the text; `None` where elements have none.
    text: Option<&'static str>,
}

impl Image {
    fn of(element: Value<'_>, path: Path) -> Self {
        let text = element
            .text_of("type")
            .map(|kind| if kind.starts_with("input_") { "input_text" } else { "text" });
        Self { path, text }
    }

    /// A note as an element in its place, as JSON.
    pub(super) fn note(&self, note: &str) -> String {
        let text = quote(note);
        match self.text {
            Some(kind) => format!(r#"{{"type":"{kind}","text":{text}}}"#),
            None => format!(r#"{{"text":{text}}}"#),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Thinking,
    Image,
    Call,
}

impl Spots {
    pub(crate) fn of(message: Value<'_>) -> Self {
        let mut spots = Self::default();
        spots.search(message, &mut Vec::new(), DEEPEST);
        if spots.arguments.is_empty() {
            // A message that is one call.
            let bodies = ["", "payload", "item", "message"];
            let body = |name: &&str| {
                if name.is_empty() {
                    Some((message, vec![]))
                } else {
                    Some((message.get(name)?, vec![member(name)]))
                }
            };
            let call = bodies.iter().filter_map(body).find(|(body, _)| found(*body) == Some(Found::Call));
            spots.arguments.extend(call.map(|(body, path)| arguments_of(body, &path)));
        }
        spots
    }

    /// The element that is part `at`, which is thinking.
    pub(crate) fn thinking(&self, parts: &[Part], at: usize) -> Option<&Path> {
        self.thinking.get(rank(parts, at, PartKind::Thinking, self.thinking.len())?)
    }

    /// The element that is part `at`, which is an image.
    pub(crate) fn image(&self, parts: &[Part], at: usize) -> Option<&Image> {
        self.images.get(rank(parts, at, PartKind::Image, self.images.len())?)
    }

    /// The arguments of part `at`, which is a call.
    pub(crate) fn arguments(&self, parts: &[Part], at: usize) -> Option<&Path> {
        self.arguments.get(rank(parts, at, PartKind::ToolCall, self.arguments.len())?)?.as_ref()
    }

    fn search(&mut self, value: Value<'_>, path: &mut Path, depth: usize) {
        if depth == 0 {
            return;
        }
        for (index, element) in value.elements().enumerate() {
            path.push(Step::Element(index));
            match found(element) {
                Some(Found::Thinking) => self.thinking.push(path.clone()),
                Some(Found::Image) => self.images.push(Image::of(element, path.clone())),
                Some(Found::Call) => {
                    self.arguments.push(arguments_of(element, path));
                    // The result may be inside, with images of its own.
                    self.search(element, path, depth - 1);
                }
                None => self.search(element, path, depth - 1),
            }
            path.pop();
        }
        for (key, inner) in value.members() {
            // Arguments are the model's own and may look like anything.
            if !(inner.is_array() || inner.is_object()) || ARGUMENTS.iter().any(|name| key.is(name)) {
                continue;
            }
            path.push(Step::Member(key.decode().into_owned()));
            self.search(inner, path, depth - 1);
            path.pop();
        }
    }
}

/// Follows a path.
pub(super) fn resolve<'d>(message: Value<'d>, path: &[Step]) -> Option<Value<'d>> {
    path.iter().try_fold(message, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Element(index) => value.elements().nth(*index),
    })
}

/// The place of part `at` among the `count` parts of its kind.
fn rank(parts: &[Part], at: usize, kind: PartKind, count: usize) -> Option<usize> {
    let same = |parts: &[Part]| parts.iter().filter(|part| part.kind == kind).count();
    let is_kind = parts.get(at).is_some_and(|part| part.kind == kind);
    (is_kind && same(parts) == count).then(|| same(parts.get(..at).unwrap_or_default()))
}

/// The names of members that hold arguments.
const ARGUMENTS: &[&str] = &["input", "arguments", "args", "rawInput", "argsText", "partial_args"];
/// Members of a call that hold the member with its arguments.
const HOLDERS: &[&str] = &["function", "toolUse", "functionCall", "toolInvocation", "state"];

fn arguments_of(call: Value<'_>, path: &Path) -> Option<Path> {
    let within = |body: Value<'_>| {
        let found = ARGUMENTS.iter().take(3).find(|name| body.present(name).is_some());
        found.map(|name| member(name))
    };
    let beside = |step: Step, before: &[&str]| {
        path.iter().cloned().chain(before.iter().map(|name| member(name))).chain([step]).collect()
    };
    within(call)
        .map(|step| beside(step, &[]))
        .or_else(|| HOLDERS.iter().find_map(|holder| Some(beside(within(call.present(holder)?)?, &[holder]))))
        .or_else(|| {
            let inside = own(&call.text_of("type")?.decode(), Element::Call)?.inside;
            let holder = inside.iter().try_fold(call, |value, name| value.get(name))?;
            Some(beside(within(holder)?, inside))
        })
}

/// What elements of this type are in the one format that has them.
fn own(kind: &str, element: Element) -> Option<&'static OwnElement> {
    OwnElement::of(kind).filter(|own| own.element == element)
}

fn member(name: &str) -> Step {
    Step::Member(name.to_owned())
}

fn found(element: Value<'_>) -> Option<Found> {
    if !element.is_object() {
        return None;
    }
    let has = |name: &str| element.get(name).is_some_and(Value::is_object);
    let kind = element.text_of("type").map(|kind| kind.decode().into_owned()).unwrap_or_default();
    match kind.as_str() {
        "thinking" | "redacted_thinking" | "redactedThinking" | "reasoning" => return Some(Found::Thinking),
        "image" | "image_url" | "input_image" | "image-data" | "image-url" => return Some(Found::Image),
        "tool_use" | "server_tool_use" | "mcp_tool_use" | "tool_call" | "tool-call" | "toolCall"
        | "function_call" | "tool-invocation" | "dynamic-tool" | "tool" => return Some(Found::Call),
        "file" | "media" | "file-data" | "file-url" | "document" if is_image(element) => {
            return Some(Found::Image);
        }
        name if name.starts_with("tool-") && element.get("state").is_some() => return Some(Found::Call),
        name if own(name, Element::Call).is_some() => return Some(Found::Call),
        _ => {}
    }
    if element.get("thought").is_some_and(Value::is_truthy) || has("reasoningContent") {
        Some(Found::Thinking)
    } else if has("functionCall")
        || has("toolUse")
        || has("function") && element.get("id").is_some()
        || has("args") && element.text_of("name").is_some()
    {
        Some(Found::Call)
    } else if kind.is_empty() && has("image")
        || ["inlineData", "inline_data", "fileData", "file_data"]
            .iter()
            .any(|name| element.get(name).is_some_and(is_image))
    {
        Some(Found::Image)
    } else {
        None
    }
}

fn is_image(element: Value<'_>) -> bool {
    ["mediaType", "mimeType", "media_type", "mime_type", "mime"]
        .iter()
        .any(|name| element.text_of(name).is_some_and(|kind| kind.starts_with("image/")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn shown(path: &Path) -> String {
        let steps = path.iter().map(|step| match step {
            Step::Member(name) => name.clone(),
            Step::Element(index) => index.to_string(),
        });
        steps.collect::<Vec<_>>().join(".")
    }

    #[test]
    fn elements_are_found_in_every_formats_message() {
        for (message, thinking, images, arguments) in [
            (
                r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"tool_use","id":"1","name":"f","input":{"type":"image","a":[{"type":"image"}]}}]}"#,
                "content.0",
                "",
                "content.1.input",
            ),
            (
                r#"{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x"},{"type":"image","source":{}}]}]}"#,
                "",
                "content.0.content.1",
                "",
            ),
            (
                r#"{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
                "",
                "",
                "tool_calls.0.function.arguments",
            ),
            (r#"{"type":"function_call","call_id":"1","name":"f","arguments":"{}"}"#, "", "", "arguments"),
            (
                r#"{"role":"assistant","content":[{"type":"toolRequest","id":"1","toolCall":{"value":{"name":"f","arguments":{}}}}]}"#,
                "",
                "",
                "content.0.toolCall.value.arguments",
            ),
            (
                r#"{"type":"response_item","payload":{"type":"function_call","arguments":"{}"}}"#,
                "",
                "",
                "payload.arguments",
            ),
            (
                r#"{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t"}}},{"toolUse":{"toolUseId":"1","name":"f","input":{}}},{"image":{"format":"png"}}]}"#,
                "content.0",
                "content.2",
                "content.1.toolUse.input",
            ),
            (
                r#"{"role":"model","parts":[{"text":"t","thought":true},{"functionCall":{"name":"f","args":{}}},{"inlineData":{"mimeType":"image/png","data":""}},{"inlineData":{"mimeType":"audio/wav","data":""}}]}"#,
                "parts.0",
                "parts.2",
                "parts.1.functionCall.args",
            ),
            (
                r#"{"role":"assistant","parts":[{"type":"reasoning","text":"t"},{"type":"tool-f","toolCallId":"1","state":"output-available","input":{},"output":{"content":[{"type":"image","data":""}]}},{"type":"file","mediaType":"image/png","url":""}]}"#,
                "parts.0",
                "parts.1.output.content.0 parts.2",
                "parts.1.input",
            ),
        ] {
            let document = Document::parse(message).unwrap();
            let spots = Spots::of(document.root());
            let list = |paths: &[Path]| paths.iter().map(shown).collect::<Vec<_>>().join(" ");
            assert_eq!(list(&spots.thinking), thinking, "{message}");
            let found: Vec<Path> = spots.images.iter().map(|image| image.path.clone()).collect();
            assert_eq!(list(&found), images, "{message}");
            assert_eq!(list(&spots.arguments.iter().flatten().cloned().collect::<Vec<_>>()), arguments);
            for path in spots.thinking.iter().chain(&found).chain(spots.arguments.iter().flatten()) {
                assert!(resolve(document.root(), path).is_some());
            }
        }
    }
}
