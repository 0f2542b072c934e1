//! Whole failures, as agents meet them.

use super::FailureKind::{ContextOverflow, Other, PayloadTooLarge, RateLimit};
use super::*;
use crate::json::Document;

fn judged(source: &str, rules: Rules) -> Classification {
    let document = Document::parse(source).unwrap();
    classify(&Failure::read(document.root()), rules, Limits::default())
}

fn kind_of_text(text: &str, rules: Rules) -> FailureKind {
    classify(&Failure::of_text(text), rules, Limits::default()).kind
}

/// Messages that some system takes for an overflow and that are none: the system's rules do it, the union does
/// not.
#[test]
fn known_false_positives_of_the_systems() {
    let cases = [
        ("number exceeds the limit of 10 images", Rules::Pi15, Other),
        ("Number of images exceeds the limit of 20 images per request", Rules::Opencode202606, Other),
        ("file exceeds the limit of 5 MB", Rules::Opencode202606, Other),
        ("number of tools exceeds the limit of 128 tools", Rules::Pi084, Other),
        ("this key exceeds the limit of 60 requests", Rules::Pi058, Other),
        ("Too many tokens, please wait before trying again.", Rules::Pi084, RateLimit),
        ("ThrottlingException: Too many tokens", Rules::Pi15, RateLimit),
        ("Throttling error: Too many tokens, please wait before trying again.", Rules::Pi058, RateLimit),
        ("429 Too many requests, token limit exceeded", Rules::Pi058, RateLimit),
        ("rate limit exceeded: too many tokens", Rules::Pi058, RateLimit),
        ("Too many tokens per minute (TPM): limit 40000", Rules::Pi15, RateLimit),
        ("token limit exceeded: 30000 tokens per min", Rules::OpencodeLater, RateLimit),
        ("insufficient quota: token limit exceeded", Rules::Pi15, RateLimit),
        ("daily token limit exceeded", Rules::Pi084, RateLimit),
        ("Service unavailable: exceeds the context window", Rules::Opencode202606, RateLimit),
        ("reduce the length of the messages and rate limit", Rules::Opencode202606, RateLimit),
        ("400 status code (no body)", Rules::Pi084, Other),
        ("413 Payload Too Large", Rules::Pi15, PayloadTooLarge),
        ("request entity too large", Rules::Opencode202606, PayloadTooLarge),
    ];
    for (text, rules, right) in cases {
        assert_eq!(kind_of_text(text, rules), ContextOverflow, "{rules:?}: {text}");
        assert_eq!(kind_of_text(text, Rules::Union), right, "union: {text}");
    }
}

#[test]
fn what_never_was_an_overflow_is_none() {
    for text in
        ["model runner crashed: unexpected EOF", "invalid api key", "socket hang up", "", "413px wide"]
    {
        assert_eq!(kind_of_text(text, Rules::Union), Other, "{text}");
    }
    let request = "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 41000";
    assert_eq!(kind_of_text(request, Rules::Union), RateLimit);
}

/// Messages that no system knows, or only some.
#[test]
fn overflows_that_the_systems_miss() {
    let cases = [
        r#"{"error": {"code": "context_too_large", "message": "The conversation is too big."}}"#,
        r#"{"statusCode": 400, "responseBody": "{\"code\":\"context_length_exceeded\"}", "message": "odd"}"#,
        r#"{"message": "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"}"#,
        r#""Context size has been exceeded.""#,
        r#"{"message": "prompt token count of 129,000 exceeds the limit of 128,000"}"#,
        r#"{"message": "Failed after 3 attempts.", "lastError": {"message": "x", "cause":
            {"error": {"message": "maximum context length is 131,072 tokens"}}}, "errors": [{"statusCode": 429}]}"#,
        r#"{"provider": "cerebras", "statusCode": 400, "message": "Bad Request", "responseBody": ""}"#,
        r#"{"url": "https://api.cerebras.ai/v1/chat", "message": "413 status code (no body)"}"#,
    ];
    for source in cases {
        assert_eq!(judged(source, Rules::Union).kind, ContextOverflow, "{source}");
    }
}

#[test]
fn statuses_count_where_words_are_missing() {
    let cases = [
        (r#"{"status": 413}"#, [PayloadTooLarge, ContextOverflow, PayloadTooLarge]),
        (r#"{"status": 413, "message": "Prompt is too long"}"#, [ContextOverflow; 3]),
        (r#"{"status": 400}"#, [Other; 3]),
        (
            r#"{"status": 429, "message": "prompt is too long"}"#,
            [RateLimit, ContextOverflow, ContextOverflow],
        ),
        (r#"{"message": "x", "cause": {"statusCode": 529}}"#, [RateLimit, Other, Other]),
    ];
    for (source, kinds) in cases {
        for (rules, kind) in
            [Rules::Union, Rules::Opencode202606, Rules::OpencodeLater].into_iter().zip(kinds)
        {
            assert_eq!(judged(source, rules).kind, kind, "{rules:?}: {source}");
        }
    }
}

#[test]
fn evidence_says_what_was_found_and_where() {
    let found =
        judged(r#"{"cause": {"body": {"error": {"code": "CONTEXT_LENGTH_EXCEEDED"}}}}"#, Rules::Union);
    let evidence = found.evidence.unwrap();
    assert_eq!((evidence.sign, evidence.at.as_str()), (Sign::Code, "cause.body.error.code"));
    let found = judged(r#"{"message": "prompt is too long: 5 tokens > 4 maximum"}"#, Rules::Union);
    let evidence = found.evidence.unwrap();
    assert_eq!(evidence.provider, Some("Anthropic, z.ai"));
    assert_eq!(evidence.pattern, "prompt (?:is )?too long");
}

#[test]
fn silent_overflows_show_in_the_usage() {
    let limits = Limits { context_window: Some(1000.0), desired_output: Some(64.0) };
    let judge = |usage: &str, stop: &str, rules| {
        let source = format!(r#"{{"role": "assistant", "stopReason": "{stop}", "usage": {usage}}}"#);
        let document = Document::parse(&source).unwrap();
        classify(&Failure::read(document.root()), rules, limits)
    };
    let over = r#"{"input": 600, "output": 9, "cacheRead": 401, "cacheWrite": 0}"#;
    assert_eq!(judge(over, "stop", Rules::Pi058).kind, ContextOverflow);
    assert_eq!(judge(over, "toolUse", Rules::Union).kind, Other);
    assert_eq!(judge(over, "stop", Rules::Opencode202606).kind, Other);
    let filled = r#"{"input": 990, "output": 0, "cacheRead": 0}"#;
    assert_eq!(judge(filled, "length", Rules::Pi058).kind, Other);
    assert_eq!(judge(filled, "length", Rules::Pi084).kind, ContextOverflow);
    assert!(judge(filled, "length", Rules::Union).recoverable_length);
    let written = r#"{"input": 1, "output": 5, "cacheRead": 0, "cacheWrite": 2000}"#;
    assert_eq!(judge(written, "stop", Rules::Pi15).kind, Other);
    assert_eq!(judge(written, "stop", Rules::Union).kind, ContextOverflow);
}
