//! Extracts facts from an error of any shape: texts, codes, statuses, the provider and usage.
//!
//! Errors are nested: a retry error contains an API error whose body is JSON in which a gateway quotes the JSON
//! of another provider. All levels are read, and each finding comes with its path. The contents of the request
//! are not read.

use crate::json::{Document, Kind, Value};
use crate::notation::javascript::Number;

/// The deepest nesting of errors, bodies and causes that is followed.
const DEEPEST: usize = 12;
/// The largest number of texts that are examined.
const MOST_TEXTS: usize = 32;
/// The largest number of bytes of a text that are examined, half of them at each end. A longer text is a page
/// rather than a message.
const LONGEST_TEXT: usize = 16 * 1024;

/// Members whose text says what went wrong.
const WORDS: &[&str] = &[
    "message", "errorMessage", "error_message", "errorText", "error_description", "msg", "title",
    "statusText", "Message", "statusMessage", "originalMessage", "description", "exception_message",
    "err_msg", "error_msg",
];
/// Members that contain a text, a nested error, or JSON inside a text.
const BODIES: &[&str] = &[
    "error", "cause", "responseBody", "body", "data", "response", "detail", "details", "errors", "lastError",
    "reason", "metadata", "raw", "value", "$metadata", "$response", "innererror", "innerError",
    "inner_error", "Error", "exceptions", "originalError", "original_error", "original_exception",
    "__cause__", "__context__", "exception", "failure", "rawResponse", "rawMessage", "incomplete_details",
    "base_resp", "fault", "parsed_body",
];
const CODES: &[&str] = &[
    "code", "type", "name", "status", "errorCode", "error_code", "__type", "error_type", "errorType", "Code",
    "Type", "reason", "errcode", "err_code", "status_msg",
];
const STATUSES: &[&str] = &["status", "statusCode", "status_code", "httpStatusCode", "httpStatus", "code"];
const PROVIDERS: &[&str] = &["provider", "providerID", "providerId", "provider_name"];
const STOPS: &[&str] = &["stopReason", "stop_reason", "finishReason", "finish_reason", "done_reason"];
/// Where an answer of a client says these.
const ANSWERS: &[&[&str]] = &[
    &[],
    &["choices", "0"],
    &["candidates", "0"],
    &["response_metadata"],
    &["incomplete_details"],
    &["response"],
];
const USAGES: &[&str] = &["usage", "usageMetadata", "usage_metadata", "totalUsage"];
/// Members with the size of a context that is refused.
const WINDOWS: &[&str] =
    &["n_ctx", "context_length", "max_context_length", "context_window", "max_model_len", "token_limit"];

/// Something found in an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// What was found.
    pub text: String,
    /// The path to it: `cause.responseBody.error.message`; empty for an error that is a text.
    pub at: String,
}

/// Usage that a provider reported for an answer, in tokens. A figure that was not reported is NaN, as in
/// JavaScript.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Usage {
    /// Input that was not read from a cache.
    pub input: f64,
    /// Output.
    pub output: f64,
    /// Input read from a cache.
    pub cache_read: f64,
    /// Input written to a cache.
    pub cache_write: f64,
}

impl Usage {
    /// So much input and output, without a cache.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::overflow::Usage::new(9_000.0, 400.0).cache_read, 0.0);
    /// ```
    #[must_use]
    pub const fn new(input: f64, output: f64) -> Self {
        Self { input, output, cache_read: 0.0, cache_write: 0.0 }
    }
}

/// The facts known about a failed request, or about an answer that may hide a failure.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// All texts of the error, outermost first.
    pub texts: Vec<Found>,
    /// Names and codes of errors.
    pub codes: Vec<Found>,
    /// HTTP statuses, outermost first.
    pub statuses: Vec<(u16, String)>,
    /// The provider, in lower case.
    pub provider: Option<String>,
    /// What the answer used.
    pub usage: Option<Usage>,
    /// Why the answer ended, if there was one.
    pub stop_reason: Option<String>,
    /// The size of a context that a member of the error says.
    pub window: Option<f64>,
}

impl Failure {
    /// An error of which only the text is known.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::overflow::Failure;
    /// let failure = Failure::of_text(r#"400 {"error": {"code": "context_length_exceeded"}}"#);
    /// assert_eq!(failure.codes[0].at, "error.code");
    /// ```
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let mut failure = Self::default();
        failure.take_text(text, "", 0);
        failure
    }

    /// Reads an error, or an assistant message, that was written as JSON.
    ///
    /// If an answer did not end in an error, its texts and codes are not read.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::overflow::Failure;
    /// let error = ebbline::json::Document::parse(r#"{"status": 413, "error": {"message": "too large"}}"#)?;
    /// let failure = Failure::read(error.root());
    /// assert_eq!((failure.statuses[0].0, failure.texts[0].at.as_str()), (413, "error.message"));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn read(error: Value<'_>) -> Self {
        let mut failure = Self::default();
        failure.take(error, "", 0);
        let usages = || USAGES.iter().filter_map(|key| error.get(key)).filter(|usage| usage.is_object());
        let flat = || error.get("prompt_eval_count").map(|_| error);
        failure.usage = usages().next().or_else(flat).map(usage);
        failure.stop_reason = ANSWERS.iter().find_map(|way| stop_at(error, way));
        if failure.stop_reason.as_deref().is_some_and(|reason| reason != "error") {
            failure.texts.clear();
            failure.codes.clear();
            failure.statuses.clear();
        }
        failure
    }

    fn take(&mut self, value: Value<'_>, at: &str, depth: usize) {
        if depth > DEEPEST || self.texts.len() >= MOST_TEXTS {
            return;
        }
        match value.kind() {
            Kind::Plain | Kind::Escaped => {
                if let Some(text) = value.text() {
                    self.take_text(&text.decode(), at, depth);
                }
            }
            Kind::Array => {
                for (index, element) in value.elements().enumerate() {
                    self.take(element, &path(at, &index.to_string()), depth + 1);
                }
            }
            Kind::Object => self.take_object(value, at, depth),
            _ => {}
        }
    }

    fn take_object(&mut self, object: Value<'_>, at: &str, depth: usize) {
        for key in STATUSES {
            let status =
                object.get(key).and_then(Value::number).filter(|status| (100.0..600.0).contains(status));
            if let Some(status) = status {
                self.statuses.push((status as u16, path(at, key)));
            }
        }
        let window = WINDOWS.iter().find_map(|key| object.get(key)?.number());
        self.window = self.window.or(window.filter(|window| *window >= 1.0));
        for key in CODES {
            if let Some(text) = text_of(object, key) {
                self.codes.push(Found { text, at: path(at, key) });
            }
        }
        for key in PROVIDERS {
            self.provider =
                self.provider.take().or_else(|| text_of(object, key).map(|name| name.to_ascii_lowercase()));
        }
        let is_cerebras = text_of(object, "url").is_some_and(|url| url.contains(".cerebras.ai/"));
        if is_cerebras && self.provider.is_none() {
            self.provider = Some("cerebras".to_owned());
        }
        for key in WORDS {
            if let Some(words) = object.get(key) {
                self.take(words, &path(at, key), depth + 1);
            }
        }
        // Of several attempts, only the last counts.
        let has_last = object.present("lastError").is_some();
        for key in BODIES.iter().filter(|key| !(has_last && **key == "errors")) {
            if let Some(body) = object.get(key) {
                self.take(body, &path(at, key), depth + 1);
            }
        }
    }

    /// Adds a text, and reads the JSON in it: the whole text, or a part among other words.
    fn take_text(&mut self, text: &str, at: &str, depth: usize) {
        if text.trim().is_empty() || self.texts.len() >= MOST_TEXTS {
            return;
        }
        self.texts.push(Found { text: both_ends(text), at: at.to_owned() });
        let is_code = text.len() <= 64
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        if is_code {
            self.codes.push(Found { text: text.to_owned(), at: at.to_owned() });
        }
        for (open, close) in [('{', '}'), ('[', ']')] {
            let (Some(start), Some(end)) = (text.find(open), text.rfind(close)) else { continue };
            if let Some(Ok(document)) = text.get(start..=end).map(Document::parse) {
                self.take(document.root(), at, depth + 1);
                break;
            }
        }
    }
}

/// The beginning and the end of a text that is too long: the error usually stands before a log or after one.
fn both_ends(text: &str) -> String {
    const GAP: &str = "\n\n";
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(LONGEST_TEXT / 2);
    let tail = text.ceil_char_boundary(text.len() - (LONGEST_TEXT / 2 - GAP.len()));
    [text.get(..head).unwrap_or_default(), GAP, text.get(tail..).unwrap_or_default()].concat()
}

/// Why an answer ended, by the word at the end of a way; what is said of a state only is not that.
fn stop_at(answer: Value<'_>, way: &[&str]) -> Option<String> {
    let mut place = answer;
    for step in way {
        place = if *step == "0" { place.elements().next()? } else { place.get(step)? };
    }
    if way == ["incomplete_details"] {
        return text_of(place, "reason");
    }
    STOPS.iter().find_map(|key| text_of(place, key))
}

fn usage(usage: Value<'_>) -> Usage {
    const INPUTS: &[&str] = &[
        "input", "input_tokens", "prompt_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count",
        "promptTokens",
    ];
    const OUTPUTS: &[&str] = &[
        "output", "output_tokens", "completion_tokens", "outputTokens", "candidatesTokenCount", "eval_count",
        "completionTokens",
    ];
    // Newer AI SDKs say the total of each as one of several figures.
    let total = |value: Value<'_>| {
        if value.is_object() { value.get("total").map_or(f64::NAN, as_number) } else { as_number(value) }
    };
    let number = |keys: &[&str]| keys.iter().find_map(|key| usage.get(key)).map_or(f64::NAN, total);
    Usage {
        input: number(INPUTS),
        output: number(OUTPUTS),
        cache_read: number(&["cacheRead", "cache_read_input_tokens", "cacheReadInputTokens"]),
        cache_write: number(&["cacheWrite", "cache_creation_input_tokens", "cacheWriteInputTokens"]),
    }
}

/// The number that JavaScript adds for a value.
fn as_number(value: Value<'_>) -> f64 {
    match value.kind() {
        Kind::Null | Kind::False => 0.0,
        Kind::True => 1.0,
        _ => Number::read(value).map_or(f64::NAN, |number| number.0),
    }
}

fn text_of(object: Value<'_>, key: &str) -> Option<String> {
    object.text_of(key).map(|text| text.decode().into_owned())
}

fn path(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Failure {
        Failure::read(Document::parse(source).unwrap().root())
    }

    #[test]
    fn errors_inside_errors_are_found_with_their_paths() {
        let failure = read(
            r#"{"name": "AI_RetryError", "message": "Failed after 3 attempts.", "lastError":
                {"statusCode": 400, "url": "https://api.cerebras.ai/v1", "responseBody":
                 "{\"error\": {\"message\": \"upstream: {\\\"code\\\": \\\"context_too_large\\\"}\"}}"},
                "errors": [{"statusCode": 429}]}"#,
        );
        assert_eq!(failure.statuses, [(400, "lastError.statusCode".to_owned())]);
        let codes: Vec<_> = failure.codes.iter().map(|code| (code.text.as_str(), code.at.as_str())).collect();
        assert_eq!(
            codes,
            [("AI_RetryError", "name"), ("context_too_large", "lastError.responseBody.error.message.code")]
        );
        assert_eq!(failure.provider.as_deref(), Some("cerebras"));
    }

    #[test]
    fn json_is_found_among_other_words() {
        for text in [
            r#"400 {"code": "c"}"#,
            r#"[Client Error] 400: {"code": "c"} (request id 7)"#,
            r#"upstream: [{"code": "c"}] ."#,
        ] {
            let failure = Failure::of_text(text);
            assert!(failure.codes.iter().any(|code| code.text == "c"), "{text}");
        }
        assert!(Failure::of_text("{'code': 'c'} [").codes.is_empty());
    }

    #[test]
    fn what_the_request_held_is_not_read() {
        let failure = read(r#"{"message": "x", "requestBodyValues": {"message": "prompt is too long"}}"#);
        assert_eq!(failure.texts.len(), 1);
    }

    #[test]
    fn an_answer_has_no_words_of_an_error_unless_it_ended_in_one() {
        let message =
            r#"{"stopReason": "REASON", "errorMessage": "x", "usage": {"input": 5, "cacheRead": null}}"#;
        assert_eq!(read(&message.replace("REASON", "error")).texts.len(), 1);
        let stopped = read(&message.replace("REASON", "stop"));
        assert_eq!((stopped.texts.len(), stopped.stop_reason.as_deref()), (0, Some("stop")));
        let usage = stopped.usage.unwrap();
        assert_eq!((usage.input.to_string(), usage.cache_read.to_string()), ("5".to_owned(), "0".to_owned()));
        assert!(usage.output.is_nan());
    }

    #[test]
    fn endless_errors_come_to_an_end() {
        let deep = format!("{}{{\"message\":\"x\"}}{}", r#"{"cause":"#.repeat(40), "}".repeat(40));
        assert!(read(&deep).texts.is_empty());
        let wide = format!(r#"{{"errors":[{}"x"]}}"#, r#""x","#.repeat(500));
        assert_eq!(read(&wide).texts.len(), MOST_TEXTS);
        let long = read(&format!(r#"{{"message":"{}"}}"#, "é".repeat(20_000)));
        assert_eq!(long.texts[0].text.len(), LONGEST_TEXT);
    }
}
