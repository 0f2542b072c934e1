//! How OpenCode stores what a provider threw, and which errors are overflows: as of 2026-06-25.

use ebbline::Error;
use ebbline::json::{Document, Text, Value};
use ebbline::notation::javascript::{Utf16, is_white_space, stringify};
use ebbline::overflow::{Rules, is_overflow_text};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::question::Question;

const OVERFLOW_CODE: &str = "context_length_exceeded";

/// A thrown value, as JSON.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Thrown<'d> {
    /// The AI SDK's `APICallError`: `message`, `url`, `statusCode`, `responseBody`, `responseHeaders`,
    /// `isRetryable`.
    ApiCall(Value<'d>),
    /// Any other instance of `Error`, with its `message`.
    Error(Value<'d>),
    /// Any other value, as streams may throw.
    Value(Value<'d>),
}

/// An error as OpenCode stores it with a message.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StoredError {
    /// `ContextOverflowError`, `APIError` or `UnknownError`.
    pub name: &'static str,
    /// Its fields.
    pub data: ErrorData,
}

/// The fields of a stored error; its name decides which of them exist.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ErrorData {
    /// What went wrong, in words.
    pub message: Utf16,
    /// The HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_code: Option<f64>,
    /// Whether the same request may succeed later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_retryable: Option<bool>,
    /// The response's headers, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_headers: Option<Box<RawValue>>,
    /// The response's body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_body: Option<Utf16>,
    /// More about the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// More about a call that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metadata {
    /// The address of the request.
    pub url: Utf16,
}

/// Whether OpenCode considers an error with this text an overflow.
#[must_use]
pub fn is_context_overflow(message: &str) -> bool {
    is_overflow_text(message, None, Rules::Opencode202606)
}

/// How OpenCode stores a value that `provider` threw; a `ContextOverflowError` leads to a compaction.
///
/// # Example
///
/// ```
/// use ebbline_compat::opencode::{Thrown, from_error};
/// use ebbline::json::Document;
/// let error = Document::parse(r#"{"message": "", "statusCode": 413}"#)?;
/// assert_eq!(from_error(Thrown::ApiCall(error.root()), "anthropic").name, "ContextOverflowError");
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn from_error(thrown: Thrown<'_>, provider: &str) -> StoredError {
    match thrown {
        Thrown::ApiCall(error) => of_api_call(error, provider),
        Thrown::Error(error) => unknown(text(error, "message")),
        Thrown::Value(value) => of_stream(value).unwrap_or_else(|| unknown(stringify(value))),
    }
}

fn unknown(message: Utf16) -> StoredError {
    StoredError { name: "UnknownError", data: ErrorData { message, ..ErrorData::default() } }
}

fn of_api_call(error: Value<'_>, provider: &str) -> StoredError {
    let body = error.text_of("responseBody");
    let status = error.get("statusCode").and_then(Value::number);
    let message = message_of(&text(error, "message"), body, status);
    let parsed = body.map(Text::decode).and_then(|body| parsed(&body, has_overflow_code));
    let response_body = body.map(Utf16::from);
    if is_context_overflow(&message.to_text()) || status == Some(413.0) || parsed == Some(true) {
        let data = ErrorData { message, response_body, ..ErrorData::default() };
        return StoredError { name: "ContextOverflowError", data };
    }
    // OpenAI sometimes answers 404 for a model that exists.
    let is_openai_404 = provider.starts_with("openai") && status == Some(404.0);
    let is_retryable =
        is_openai_404 || error.get("isRetryable").map_or(is_transient(status), Value::is_truthy);
    let headers = error.present("responseHeaders").map(|headers| stringify(headers).to_text());
    let data = ErrorData {
        message,
        status_code: status,
        is_retryable: Some(is_retryable),
        response_headers: headers.and_then(|headers| RawValue::from_string(headers).ok()),
        response_body,
        metadata: Some(text(error, "url")).filter(|url| !url.is_empty()).map(|url| Metadata { url }),
    };
    StoredError { name: "APIError", data }
}

/// Which errors the AI SDK considers worth a retry, unless the error itself says.
fn is_transient(status: Option<f64>) -> bool {
    status.is_some_and(|status| [408.0, 409.0, 429.0].contains(&status) || status >= 500.0)
}

fn message_of(message: &Utf16, body: Option<Text<'_>>, status: Option<f64>) -> Utf16 {
    let phrase = status.and_then(reason_phrase);
    let body = body.map(Utf16::from).filter(|body| !body.is_empty());
    if message.is_empty() {
        return body.unwrap_or_else(|| Utf16::from(phrase.unwrap_or("Unknown error"))).trim();
    }
    let Some(body) = body else { return message.trim() };
    let says_more_than_its_status = status.is_some_and(|status| status != 0.0)
        && phrase.is_none_or(|phrase| *message != Utf16::from(phrase));
    if says_more_than_its_status {
        return message.trim();
    }
    let mut joined = message.clone();
    joined.push_str(": ");
    if let Some(words) = parsed(&body.to_text(), words_of).flatten() {
        joined.push(&words);
    } else if is_html(&body) {
        return match status {
            Some(401.0) => Utf16::from(UNAUTHORIZED_PAGE),
            Some(403.0) => Utf16::from(FORBIDDEN_PAGE),
            _ => message.trim(),
        };
    } else {
        joined.push(&body);
    }
    joined.trim()
}

const UNAUTHORIZED_PAGE: &str = "Unauthorized: request was blocked by a gateway or proxy. Your authentication token may be missing or expired — try running `opencode auth login <your provider URL>` to re-authenticate.";
const FORBIDDEN_PAGE: &str = "Forbidden: request was blocked by a gateway or proxy. You may not have permission to access this resource — check your account and provider settings.";

/// The message in a JSON body.
fn words_of(body: Value<'_>) -> Option<Utf16> {
    let said =
        ["message", "error"].into_iter().find_map(|key| body.get(key).filter(|said| said.is_truthy()))?;
    said.text().map(Utf16::from)
}

fn has_overflow_code(body: Value<'_>) -> bool {
    body.get("error").and_then(|error| error.text_of("code")).is_some_and(|code| code.is(OVERFLOW_CODE))
}

fn is_html(body: &Utf16) -> bool {
    let spaces = body.units().iter().take_while(|unit| is_white_space(**unit)).count();
    let start = body.slice(spaces, spaces + "<!doctype".len()).to_text().to_ascii_lowercase();
    start == "<!doctype" || start.starts_with("<html")
}

/// An error object (or its JSON) that the response stream threw, or an error whose message is such JSON.
fn of_stream(thrown: Value<'_>) -> Option<StoredError> {
    if let Some(json) = thrown.text() {
        return parsed(&json.decode(), body_or_message).flatten();
    }
    body_or_message(thrown)
}

fn body_or_message(value: Value<'_>) -> Option<StoredError> {
    if !value.is_object() {
        return None;
    }
    let Some(message) = value.text_of("message") else { return of_body(value) };
    let is_body = |body: Value<'_>| (body.is_object() || body.is_array()).then(|| of_body(body));
    parsed(&message.decode(), is_body).flatten().unwrap_or_else(|| of_body(value))
}

fn of_body(body: Value<'_>) -> Option<StoredError> {
    if !body.text_of("type").is_some_and(|kind| kind.is("error")) {
        return None;
    }
    let error = body.get("error")?;
    let code = error.text_of("code")?;
    let said = |otherwise: &str| error.text_of("message").map_or_else(|| Utf16::from(otherwise), Utf16::from);
    let (message, is_retryable) = match code.decode().as_ref() {
        OVERFLOW_CODE => (Utf16::from("Input exceeds context window of this model"), None),
        "insufficient_quota" => {
            (Utf16::from("Quota exceeded. Check your plan and billing details."), Some(false))
        }
        "usage_not_included" => {
            let upgrade =
                "To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.";
            (Utf16::from(upgrade), Some(false))
        }
        "invalid_prompt" => (said("Invalid prompt."), Some(false)),
        "server_is_overloaded" | "server_error" => (said("Server error."), Some(true)),
        _ => return None,
    };
    let name = if is_retryable.is_none() { "ContextOverflowError" } else { "APIError" };
    let response_body = Some(stringify(body));
    Some(StoredError {
        name,
        data: ErrorData { message, is_retryable, response_body, ..ErrorData::default() },
    })
}

/// Applies `read` to a text that is JSON.
fn parsed<T>(text: &str, read: impl FnOnce(Value<'_>) -> T) -> Option<T> {
    Document::parse(text).ok().map(|document| read(document.root()))
}

fn text(object: Value<'_>, key: &str) -> Utf16 {
    object.text_of(key).map(Utf16::from).unwrap_or_default()
}

pub(super) fn ask_is_overflow(question: Question<'_>) -> Result<String, Error> {
    let text =
        question.data.text().ok_or_else(|| Error::invalid_settings("the text of an error is a string"))?;
    Question::answer(&is_context_overflow(&text.decode()))
}

pub(super) fn ask_from_error(question: Question<'_>) -> Result<String, Error> {
    let data = question.data;
    let is_api_call = data.text_of("name").is_some_and(|name| name.is("AI_APICallError"));
    let is_error = question.options.get("isError").is_some_and(Value::is_truthy);
    let thrown = match (is_api_call, is_error) {
        (true, _) => Thrown::ApiCall(data),
        (false, true) => Thrown::Error(data),
        (false, false) => Thrown::Value(data),
    };
    let provider = question.options.text_of("providerID").map(|id| id.decode()).unwrap_or_default();
    Question::answer(&from_error(thrown, &provider))
}

/// The phrases that Node knows for HTTP statuses.
#[rustfmt::skip]
fn reason_phrase(status: f64) -> Option<&'static str> {
    if status.fract() != 0.0 || !(100.0..600.0).contains(&status) {
        return None;
    }
    Some(match status as u16 {
        100 => "Continue", 101 => "Switching Protocols", 102 => "Processing", 103 => "Early Hints",
        200 => "OK", 201 => "Created", 202 => "Accepted", 203 => "Non-Authoritative Information",
        204 => "No Content", 205 => "Reset Content", 206 => "Partial Content", 207 => "Multi-Status",
        208 => "Already Reported", 226 => "IM Used",
        300 => "Multiple Choices", 301 => "Moved Permanently", 302 => "Found", 303 => "See Other",
        304 => "Not Modified", 305 => "Use Proxy", 307 => "Temporary Redirect", 308 => "Permanent Redirect",
        400 => "Bad Request", 401 => "Unauthorized", 402 => "Payment Required", 403 => "Forbidden",
        404 => "Not Found", 405 => "Method Not Allowed", 406 => "Not Acceptable",
        407 => "Proxy Authentication Required", 408 => "Request Timeout", 409 => "Conflict", 410 => "Gone",
        411 => "Length Required", 412 => "Precondition Failed", 413 => "Payload Too Large",
        414 => "URI Too Long", 415 => "Unsupported Media Type", 416 => "Range Not Satisfiable",
        417 => "Expectation Failed", 418 => "I'm a Teapot", 421 => "Misdirected Request",
        422 => "Unprocessable Entity", 423 => "Locked", 424 => "Failed Dependency", 425 => "Too Early",
        426 => "Upgrade Required", 428 => "Precondition Required", 429 => "Too Many Requests",
        431 => "Request Header Fields Too Large", 451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error", 501 => "Not Implemented", 502 => "Bad Gateway",
        503 => "Service Unavailable", 504 => "Gateway Timeout", 505 => "HTTP Version Not Supported",
        506 => "Variant Also Negotiates", 507 => "Insufficient Storage", 508 => "Loop Detected",
        509 => "Bandwidth Limit Exceeded", 510 => "Not Extended", 511 => "Network Authentication Required",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(source: &str, is_api_call: bool, provider: &str) -> String {
        let document = Document::parse(source).unwrap();
        let thrown =
            if is_api_call { Thrown::ApiCall(document.root()) } else { Thrown::Value(document.root()) };
        serde_json::to_string(&from_error(thrown, provider)).unwrap()
    }

    #[test]
    fn calls_that_failed() {
        let cases = [
            (
                r#"{"message": "Bad Request", "statusCode": 400, "responseBody": "{\"message\": \"prompt is too long\"}"}"#,
                r#"{"name":"ContextOverflowError","data":{"message":"Bad Request: prompt is too long","responseBody":"{\"message\": \"prompt is too long\"}"}}"#,
            ),
            (
                r#"{"message": "", "statusCode": 502, "url": "u", "responseHeaders": {"b": "1", "2": "x"}}"#,
                r#"{"name":"APIError","data":{"message":"Bad Gateway","statusCode":502.0,"isRetryable":true,"responseHeaders":{"2":"x","b":"1"},"metadata":{"url":"u"}}}"#,
            ),
            (
                r#"{"message": "Not Found", "statusCode": 404, "isRetryable": false, "responseBody": " <HTML>"}"#,
                r#"{"name":"APIError","data":{"message":"Not Found","statusCode":404.0,"isRetryable":true,"responseBody":" <HTML>"}}"#,
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(stored(source, true, "openai"), expected);
        }
    }

    #[test]
    fn values_that_a_stream_threw() {
        let overflow = r#"{"type":"error","error":{"code":"context_length_exceeded"}}"#;
        let quoted = serde_json::to_string(overflow).unwrap();
        for source in [overflow.to_owned(), quoted.clone(), format!(r#"{{"message":{quoted}}}"#)] {
            assert!(stored(&source, false, "").starts_with(r#"{"name":"ContextOverflowError""#), "{source}");
        }
        assert_eq!(
            stored(r#"{"b":1,"1":"\ud800"}"#, false, ""),
            r#"{"name":"UnknownError","data":{"message":"{\"1\":\"\\ud800\",\"b\":1}"}}"#
        );
        assert_eq!(stored("null", false, ""), r#"{"name":"UnknownError","data":{"message":"null"}}"#);
    }
}
