//! Whole failures, as agents meet them.

use super::FailureKind::{ContextOverflow, MediaLimit, Other, PayloadTooLarge, RateLimit};
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
        ("number exceeds the limit of 10 images", Rules::Pi15, MediaLimit),
        ("Number of images exceeds the limit of 20 images per request", Rules::Opencode202606, MediaLimit),
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
    let over = classify(&Failure::of_text(request), Rules::Union, Limits::default());
    assert_eq!((over.kind, over.code), (ContextOverflow, Some(OVER_RATE_LIMIT)));
    assert_eq!(over.evidence.and_then(|evidence| evidence.window), Some(30_000));
    let waits = "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000";
    assert_eq!(kind_of_text(waits, Rules::Union), RateLimit);
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

/// What servers answer when the context is full, word for word as their users report it.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of what servers say")]
fn servers_say_in_many_words_that_the_context_is_full() {
    let cases = [
        (
            "LM Studio",
            "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.",
        ),
        ("LM Studio", "Trying to keep the first 6547 tokens when context overflows."),
        (
            "LM Studio",
            "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length",
        ),
        ("LM Studio", "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"),
        (
            "LM Studio",
            "Reached context length of 32000 tokens with model (arch: gpt-oss) that does not currently support mid-generation context overflow.",
        ),
        (
            "llama.cpp",
            "the request exceeds the available context size. try increasing the context size or enable context shift",
        ),
        (
            "llama.cpp",
            "request (15408 tokens) exceeds the available context size (4096 tokens), try increasing it",
        ),
        ("llama.cpp", "request (40631 tokens) exceeds available context size (32768)"),
        ("llama-cpp-python", "ValueError: Requested tokens (2285) exceed context window of 2048"),
        ("Ollama", "the input length exceeds the context length"),
        ("Ollama", "400 `prompt too long; exceeded max context length by 100918 tokens`"),
        (
            "Ollama",
            "level=WARN source=runner.go:131 msg=\"truncating input prompt\" limit=2048 prompt=5065 keep=5 new=2048",
        ),
        (
            "vLLM",
            "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
        ),
        (
            "vLLM",
            "This model's maximum context length is 2048 tokens. However, your request has 2100 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=2100)",
        ),
        ("vLLM", "Input length (11680) exceeds model's maximum context length (4096)."),
        ("vLLM", "max_tokens must be at least 1, got -7584. (parameter=max_tokens, value=-7584)"),
        (
            "vLLM",
            "The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller",
        ),
        ("SGLang", "The input (61709 tokens) is longer than the model's context length (40960 tokens)."),
        (
            "SGLang",
            "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.",
        ),
        (
            "SGLang",
            "Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens",
        ),
        ("Hugging Face", "Input validation error: `inputs` must have less than 4096 tokens. Given: 4545"),
        (
            "Hugging Face",
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`",
        ),
        (
            "Bedrock",
            "The model returned the following errors: prompt is too long: 903884 tokens > 200000 maximum",
        ),
        ("Bedrock", "The model returned the following errors: Input is too long for requested model."),
        ("Mistral", "Prompt contains 65673 tokens, too large for model with 32768 maximum context length"),
        (
            "Mistral",
            "The number of tokens in the prompt exceeds the model's maximum context length of 32768. Please use a shorter prompt.",
        ),
        (
            "DeepSeek",
            "This model's maximum context length is 65536 tokens. However, you requested 73149 tokens (73149 in the messages, 0 in the completion).",
        ),
        ("xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
        (
            "OpenAI",
            "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 305127 tokens.",
        ),
        (
            "Google",
            "Unable to submit request because the input token count is 135538 but model only supports up to 32768",
        ),
        ("Google", "The input token count (317740) exceeds the maximum number of tokens allowed (131072)."),
        (
            "Google",
            "Your input context is too long. Reduce your input context or temporarily switch to another model.",
        ),
        ("Kimi", "Input token length too long"),
        ("z.ai", "Input length is too long"),
        ("Cohere", "too many tokens: total tokens in the prompt cannot exceed 4081 - received 5000."),
        ("DeepInfra", "Requested input length 39818 exceeds maximum input length 32767"),
        ("Volcengine", "Total tokens of image and text exceed max message tokens. Request id: 0217"),
    ];
    for (server, text) in cases {
        assert_eq!(kind_of_text(text, Rules::Union), ContextOverflow, "{server}: {text}");
    }
    for source in [
        r#"{"error": {"code": 500, "message": "odd", "type": "exceed_context_size_error", "n_prompt_tokens": 1407, "n_ctx": 256}}"#,
        r#"{"error": {"code": "model_max_prompt_tokens_exceeded", "message": "odd"}}"#,
    ] {
        assert_eq!(judged(source, Rules::Union).kind, ContextOverflow, "{source}");
    }
}

/// Errors that speak of tokens, lengths and limits, and that a smaller context does not mend.
#[test]
fn other_limits_are_not_the_context() {
    for text in [
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
        "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "Range of max_tokens should be [1, 32768]",
        "max_tokens must be at least 1, got 0",
        "input (900 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
        "File size exceeds the limit of 20 MB",
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2000 instead.",
        "Invalid 'messages[3].tool_calls': array too long. Expected an array with maximum length 128",
        "Your credit balance is too low to access the API.",
        "the model `llama3` does not exist",
        "context canceled",
        "failed to load model: context size 131072 does not fit into memory",
    ] {
        assert_eq!(kind_of_text(text, Rules::Union), Other, "{text}");
    }
    for text in [
        "Rate limit reached for gpt-5 in organization org on input tokens per min (ITPM): Limit 30000, Used 29000, Requested 4000.",
        "You exceeded your current quota, please check your plan and billing details.",
        "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
        "Too many tokens per day, please wait before trying again.",
    ] {
        assert_eq!(kind_of_text(text, Rules::Union), RateLimit, "{text}");
    }
    for text in [
        "Maximum content size limit (26214400) exceeded (26219450 bytes read)",
        "ValidationException: too many total text bytes: 26214400",
    ] {
        assert_eq!(kind_of_text(text, Rules::Union), PayloadTooLarge, "{text}");
    }
}

/// A log around an error, or an error around a log: what matters stands at either end.
#[test]
fn of_a_long_text_both_ends_are_looked_at() {
    let padding = "é".repeat(200_000);
    let said = "prompt is too long: 213462 tokens > 200000 maximum";
    for text in [format!("{said}{padding}"), format!("{padding}{said}")] {
        assert_eq!(kind_of_text(&text, Rules::Union), ContextOverflow);
    }
    assert_eq!(kind_of_text(&format!("prompt is {padding} too long"), Rules::Union), Other);
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

/// A code says an overflow by its words, in every spelling, and by no other words.
#[test]
fn codes_say_an_overflow_by_their_words() {
    for code in [
        "context_length_exceeded", "context_too_large", "prompt_too_long", "string_input_too_long",
        "tokens_too_long", "ContextWindowOverflowException", "ContextWindowExceededError",
        "exceededContextWindowSize", "CONTEXT_WINDOW_EXCEEDED", "exceed_context_size_error",
        "model_context_window_exceeded", "context_exceeded", "TokenLimitExceededException",
        "input_token_limit_exceeded",
    ] {
        assert_eq!(judged(&format!(r#"{{"code": "{code}"}}"#), Rules::Union).kind, ContextOverflow, "{code}");
    }
    for code in [
        "ThrottlingException", "RATE_LIMITED", "provider_rate_limit_error", "LimitExceededException",
        "QUOTA_USER_DAILY",
    ] {
        assert_eq!(judged(&format!(r#"{{"code": "{code}"}}"#), Rules::Union).kind, RateLimit, "{code}");
    }
    for code in [
        "context_deadline_exceeded",
        "context_canceled",
        "output_context_length_exceeded",
        "input_tokens_too_many_per_minute_exceeded",
        "DEADLINE_EXCEEDED",
        "max_output_tokens_exceeded",
        "invalid_context",
        "file_too_large",
    ] {
        let kind = judged(&format!(r#"{{"code": "{code}"}}"#), Rules::Union).kind;
        assert_ne!(kind, ContextOverflow, "{code}");
    }
}

/// A request that no waiting lets through, and one that only comes too early: what earlier requests used is not asked for.
#[test]
fn what_is_in_use_is_not_what_was_asked_for() {
    let kind = |text| {
        let found = classify(&Failure::of_text(text), Rules::Union, Limits::default());
        (found.kind, found.code)
    };
    let over = (ContextOverflow, Some(OVER_RATE_LIMIT));
    assert_eq!(kind("tokens per min (TPM): Limit 30000, Used 12000, Requested 41000"), over);
    for waits in [
        "tokens per min (TPM): Limit 30000, Used 41000, Requested 4000",
        "request reached organization TPD rate limit, current: 1506556, limit: 1500000",
    ] {
        assert_eq!(kind(waits), (RateLimit, None), "{waits}");
    }
    assert_eq!(kind("429 Extra usage is required for long context requests"), (ContextOverflow, None));
    assert_eq!(kind("requested context size too large for model"), (Other, None));
}

/// Texts of providers and servers, each with its reference: what they mean, and the window that they name. What is learnt
/// from a window lies between a twentieth of what was sent and that.
#[test]
fn collected_texts_mean_what_they_mean() {
    let table = Document::parse(include_str!("../../../../tests/errors/texts.json")).unwrap();
    let mut wrong = Vec::new();
    for row in table.root().elements() {
        let error = row.get("error").unwrap();
        let failure =
            error.text().map_or_else(|| Failure::read(error), |said| Failure::of_text(&said.decode()));
        let found = classify(&failure, Rules::Union, Limits::default());
        let evidence = found.evidence.as_ref();
        let number = |key: &str| row.get(key).and_then(|value| value.number()).map(|value| value as u64);
        let text = |key: &str| row.text_of(key).map(|text| text.decode().into_owned());
        let window = evidence.and_then(|evidence| evidence.window);
        let seen = (Some(found.kind.as_str().to_owned()), found.code.map(str::to_owned), window);
        let wanted = (text("kind"), text("code"), number("window"));
        if seen != wanted {
            let by = evidence.map(|evidence| evidence.pattern.as_str());
            wrong.push(format!("{}: {wanted:?}, seen {seen:?} by {by:?}", text("ref").unwrap_or_default()));
        }
        if let (Some(window), Some(sent)) = (wanted.2, number("sent")) {
            let learnt = window_learnt(Some(window), sent, None);
            let is_believed = window >= sent.div_ceil(20);
            assert_eq!(learnt, Some(if is_believed { window } else { sent }), "{:?}", text("ref"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
