//! Texts that providers write when a request is too large, and texts that only look like them.
//!
//! The patterns use the JavaScript syntax of the systems and have the same meaning, ignoring the case of ASCII
//! letters. Each row names the provider of the message and the systems that have the pattern. Rows that only
//! [`Rules::Union`] has are the engine's own: messages that no system recognizes, and narrower versions of
//! patterns that match too much.

use super::Rules;
use super::Rules::{Opencode202606, OpencodeLater, Pi15, Pi058, Pi084, Tunacode02, Union};
use super::phrase::{
    Phrase, Text, begins_with_word, has_status, has_word, in_line, is_space, is_word, near, stands_at_word,
};

/// A pattern that is searched for in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pattern {
    /// The regular expression as JavaScript spells it, with the flag `i`.
    pub source: &'static str,
    /// The provider of the message, in words.
    pub provider: &'static str,
    /// The rules that have it.
    pub rules: &'static [Rules],
}

/// A pattern, and how it is looked for.
#[derive(Clone, Copy, Debug)]
struct Row {
    pattern: Pattern,
    phrase: Phrase,
}

/// Patterns with the same meaning.
#[derive(Debug)]
pub(super) struct Table(&'static [Row]);

impl Table {
    /// The first pattern of `rules` that is found in `text`.
    pub(super) fn find(&self, text: &str, rules: Rules) -> Option<&'static Pattern> {
        let text = Text::new(text);
        let mut rows = self.0.iter().filter(|row| row.pattern.rules.contains(&rules));
        rows.find(|row| row.phrase.is_in(&text)).map(|row| &row.pattern)
    }
}

/// A pattern that consists of its own characters, in lower case.
const fn literal(source: &'static str, provider: &'static str, rules: &'static [Rules]) -> Row {
    Row { pattern: Pattern { source, provider, rules }, phrase: Phrase::Literal(source) }
}

/// A pattern that means one of each group of words, joined. `/` divides groups, `|` the words of one.
const fn words(
    source: &'static str,
    groups: &'static str,
    provider: &'static str,
    rules: &'static [Rules],
) -> Row {
    Row { pattern: Pattern { source, provider, rules }, phrase: Phrase::Joined(groups) }
}

const fn check(
    source: &'static str,
    check: fn(&str) -> bool,
    provider: &'static str,
    rules: &'static [Rules],
) -> Row {
    Row { pattern: Pattern { source, provider, rules }, phrase: Phrase::Check(check) }
}

const EVERYBODY: &[Rules] = &[Pi058, Pi084, Pi15, Opencode202606, OpencodeLater, Union];
const PERIODS: &[&str] = &["daily", "hourly", "weekly", "monthly", "per-minute"];
/// What stands before a status.
const STATUS: &[&str] = &["status", "status code", "error code", "http", "api error"];
const BUSY_STATUSES: &[&str] = &["429", "503", "529"];

/// The request has more tokens than the model's context window.
#[rustfmt::skip]
pub(super) static OVERFLOW: Table = Table(&[
    literal("prompt is too long", "Anthropic", &[Pi058, Pi084, Opencode202606, OpencodeLater]),
    words(r"prompt (?:is )?too long", "prompt /is |/too long", "Anthropic, z.ai", &[Pi15, Union]),
    literal("prompt exceeds max length", "z.ai", &[Pi15, Union]),
    literal("request_too_large", "Anthropic", &[Pi084, Pi15]),
    words(r"input length and `?max_tokens`? exceed context limit", "input length and /`|/max_tokens/`|/ exceed context limit", "Anthropic", &[Union]),
    literal("input is too long for requested model", "Amazon Bedrock", EVERYBODY),
    literal("too many input tokens", "Amazon Bedrock", &[Union]),
    literal("number of input tokens exceeds", "Amazon Bedrock", &[Union]),
    literal("exceeds the context window", "OpenAI", EVERYBODY),
    words(r"exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))", "exceeds /the |/model's |models |/maximum context length/ of 0 token| of 0,0 token| (0)|(0)| (0,0)|(0,0)", "LiteLLM", &[Pi084, Pi15, OpencodeLater]),
    words(r"exceeds? (?:the |this )?(?:model'?s )?maximum context length", "exceed/s | /the |this |/model's |models |/maximum context length", "LiteLLM", &[Union]),
    literal("context window exceeded", "LiteLLM", &[Pi15, Union]),
    words(r"ContextWindowExceededError", "contextwindowexceedederror", "LiteLLM", &[Union]),
    check(r"input token count.*exceeds the maximum", |text| in_line(text, &["input token count", "exceeds the maximum"]), "Google", EVERYBODY),
    words(r"maximum prompt length is \d+", "maximum prompt length is 0", "xAI", EVERYBODY),
    literal("reduce the length of the messages", "Groq", EVERYBODY),
    words(r"maximum context length is \d+ tokens", "maximum context length is 0 tokens", "OpenRouter, OpenAI, DeepSeek, vLLM", EVERYBODY),
    words(r"maximum context length is [\d,]+", "maximum context length is 0", "OpenRouter, OpenAI, DeepSeek, vLLM", &[Union]),
    words(r"exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?", "exceeds /the |/maximum allowed input length of /0|0,0/ token", "OpenRouter", &[Pi084, Pi15, OpencodeLater, Union]),
    words(r"input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)", "input (0 tokens) is longer than the /model's |models /context length (0 tokens)", "Together AI", &[Pi084, Pi15, OpencodeLater, Union]),
    words(r"exceeds the limit of \d+", "exceeds the limit of 0", "GitHub Copilot", &[Pi058, Pi084, Pi15, Opencode202606, OpencodeLater]),
    check(r"\btokens?\b[^.\n]{0,60}exceeds the limit of [\d,]+\s*(?:$|[^\w ,]|tokens?\b)", is_beyond_limit_of_tokens, "GitHub Copilot", &[Union]),
    literal("exceeds the available context size", "llama.cpp", EVERYBODY),
    literal("context size has been exceeded", "llama.cpp, LM Studio", &[Union]),
    literal("greater than the context length", "LM Studio", EVERYBODY),
    literal("context window exceeds limit", "MiniMax", EVERYBODY),
    literal("exceeded model token limit", "Kimi", EVERYBODY),
    words(r"too large for model with \d+ maximum context length", "too large for model with 0 maximum context length", "Mistral", EVERYBODY),
    words(r"prompt has [\d,]+ tokens?, but the configured context size is [\d,]+ tokens?", "prompt has /0|0,0/ token, | tokens, /but the configured context size is /0|0,0/ token", "DS4", &[Pi084, Pi15, OpencodeLater, Union]),
    literal("model_context_window_exceeded", "z.ai", EVERYBODY),
    literal("tokens in request more than max tokens allowed", "z.ai", &[OpencodeLater, Union]),
    words(r"prompt too long; exceeded (?:max )?context length", "prompt too long; exceeded /max |/context length", "Ollama", &[Pi084, Pi15, Opencode202606, OpencodeLater]),
    literal("range of input length should be", "DashScope", &[Pi084, Pi15, Union]),
    words(r"context length is only \d+ tokens", "context length is only 0 tokens", "vLLM", &[Opencode202606, OpencodeLater, Union]),
    check(r"input length.*exceeds.*context length", |text| in_line(text, &["input length", "exceeds", "context length"]), "vLLM", &[Opencode202606, OpencodeLater, Union]),
    literal("is longer than the maximum model length", "vLLM", &[Union]),
    words(r"`inputs` tokens \+ `max_new_tokens` must be", "`inputs` tokens + `max_new_tokens` must be", "Hugging Face", &[Union]),
    words(r"trying to keep the first [\d,]+ tokens when (?:the )?context", "trying to keep the first /0|0,0/ tokens when /the |/context", "LM Studio", &[Union]),
    literal("cannot truncate prompt with n_keep", "LM Studio", &[Union]),
    words(r"reached context length of [\d,]+ tokens", "reached context length of /0|0,0/ tokens", "LM Studio", &[Union]),
    literal("exceed_context_size_error", "llama.cpp", &[Union]),
    words(r"exceeds? (?:the )?(?:available )?context size", "exceed/s | /the |/available |/context size", "llama.cpp, Ollama", &[Union]),
    words(r"requested tokens \([\d,]+\) exceed context window", "requested tokens (/0|0,0/) exceed context window", "llama-cpp-python", &[Union]),
    words(r"input length (?:is )?exceeds? (?:the )?context (?:length|window|size)", "input length /is |/exceed/s | /the |/context length|context window|context size", "Ollama", &[Union]),
    words(r"truncating input (?:prompt|message)", "truncating input prompt|truncating input message", "Ollama", &[Union]),
    literal("too long to fit into the model", "vLLM", &[Union]),
    words(r"max_(?:completion_)?tokens must be at least 1, got -\d", "max_tokens|max_completion_tokens/ must be at least 0,0 got -0", "vLLM", &[Union]),
    words(r"input length \([\d,]+(?: tokens)?\) exceeds (?:the )?maximum allowed length", "input length (/0|0,0/ tokens|/) exceeds /the |/maximum allowed length", "SGLang", &[Union]),
    words(r"`?inputs`? must have less than [\d,]+ tokens", "input/s|/`|/ must have less than /0|0,0/ tokens", "Hugging Face", &[Union]),
    words(r"requested input length [\d,]+ exceeds (?:the )?maximum input length", "requested input length /0|0,0/ exceeds /the |/maximum input length", "DeepInfra", &[Union]),
    literal("tokens of image and text exceed max message tokens", "Volcengine", &[Union]),
    literal("input tokens exceed the configured limit", "OpenAI", &[Union]),
    words(r"input token count is [\d,]+ but (?:the )?model only supports", "input token count is /0|0,0/ but /the |/model only supports", "Google", &[Union]),
    literal("input context is too long", "Google", &[Union]),
    words(r"input (?:token )?length (?:is )?too long", "input /token |/length /is |/too long", "Kimi, z.ai", &[Union]),
    literal("model_max_prompt_tokens_exceeded", "GitHub Copilot", &[Union]),
    literal("request entity too large", "any proxy", &[Opencode202606]),
    words(r"context[_ ]length[_ ]exceeded", "context_|context /length_|length /exceeded", "any", EVERYBODY),
    literal("context_too_large", "any", &[Union]),
    literal("too many tokens", "any", &[Pi058, Pi084, Pi15, OpencodeLater, Union]),
    literal("token limit exceeded", "any", &[Pi058, Pi084, Pi15, OpencodeLater, Union]),
    check(r"^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))", is_status_413, "any (HTTP 413)", &[Pi15]),
    check(r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)", is_bodyless, "any (HTTP 400 or 413 without a body)", &[Pi058, Pi084, Opencode202606, OpencodeLater]),
    literal("context_length_exceeded", "OpenAI", &[Tunacode02]),
    literal("maximum context length", "OpenAI", &[Tunacode02]),
]);

/// The request has more bytes than the server accepts, whatever its number of tokens.
#[rustfmt::skip]
pub(super) static PAYLOAD: Table = Table(&[
    literal("request_too_large", "Anthropic", &[OpencodeLater, Union]),
    literal("request exceeds the maximum size", "Anthropic", &[Union]),
    literal("request entity too large", "any proxy", &[OpencodeLater, Union]),
    literal("payload too large", "any proxy", &[OpencodeLater, Union]),
    literal("request too large", "any proxy", &[OpencodeLater, Union]),
    words(r"(?:request )?body (?:is )?too large", "body /is |/too large", "any proxy", &[Union]),
    check(r"(?:payload size|request body|request size)[^.\n]{0,40} exceeds", |text| !near(text, &["payload size", "request body", "request size"], 40, &[" exceeds"]).is_empty(), "Google, any proxy", &[Union]),
    literal("too many total text bytes", "Amazon Bedrock", &[Union]),
    words(r"maximum content size limit \([\d,]+\) exceeded", "maximum content size limit (/0|0,0/) exceeded", "OpenAI", &[Union]),
    check(r"^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))", is_status_413, "any (HTTP 413)", &[Union]),
    check(r"(?:status|status code|error code|http|api error|request failed)[^\w\n]{1,3}413\b", |text| has_status(text, STATUS, &["413"]) || has_status(text, &["request failed"], &["413"]), "any (HTTP 413)", &[Union]),
]);

/// An account may send long requests only against an extra payment: waiting does not help, and a smaller request passes.
pub(super) static LONG_CONTEXT: Table = Table(&[words(
    r"(?:required|enabled|available|eligible) for long context requests",
    "required|enabled|available|eligible/ for long context requests",
    "Anthropic",
    &[Union],
)]);

/// The request was not processed: too many requests, an account without quota, or a server without capacity.
#[rustfmt::skip]
pub(super) static BUSY: Table = Table(&[
    check(r"^(?:Throttling error|Service unavailable):", |text| text.starts_with("throttling error:") || text.starts_with("service unavailable:"), "Amazon Bedrock", &[Pi084, Pi15, OpencodeLater]),
    literal("rate limit", "any", &[Pi084, Pi15, OpencodeLater]),
    literal("too many requests", "any", &[Pi084, Pi15, OpencodeLater, Union]),
    words(r"rate[ _-]?limit", "rate/ |_|-|/limit", "any", &[Union]),
    words(r"throttl(?:ed|ing)", "throttled|throttling", "Amazon Bedrock, Azure", &[Union]),
    literal("too many tokens, please wait", "Amazon Bedrock", &[Union]),
    words(r"service (?:is )?(?:currently |temporarily )?unavailable", "service /is |/currently |temporarily |/unavailable", "any", &[Union]),
    literal("overloaded", "Anthropic, OpenAI", &[Union]),
    check(r"\b(?:tokens?|requests?)[ _-]per[ _-](?:sec|min|hour|day)", |text| is_per_time(text, "tokens|token|requests|request"), "OpenAI, Groq", &[Union]),
    check(r"\bTPM\b", |text| has_word(text, &["tpm"]), "OpenAI, Groq", &[Union]),
    check(r"\bTPD\b", |text| has_word(text, &["tpd"]), "OpenAI, Groq", &[Union]),
    check(r"\bRPM\b", |text| has_word(text, &["rpm"]), "OpenAI, Groq", &[Union]),
    check(r"\bRPD\b", |text| has_word(text, &["rpd"]), "OpenAI, Groq", &[Union]),
    check(r"\b(?:daily|hourly|weekly|monthly|per-minute)\b[^.\n]{0,30} limit\b", |text| near(text, PERIODS, 30, &[" limit"]).iter().any(|pair| pair.is_whole), "any", &[Union]),
    check(r"\b(?:daily|hourly|weekly|monthly|per-minute)\b[^.\n]{0,30} quota\b", |text| near(text, PERIODS, 30, &[" quota"]).iter().any(|pair| pair.is_whole), "any", &[Union]),
    words(r"insufficient[ _]quota", "insufficient quota|insufficient_quota", "OpenAI", &[Union]),
    words(r"quota (?:has been )?exceeded", "quota /has been |/exceeded", "Google", &[Union]),
    words(r"exceeded your (?:current )?quota", "exceeded your /current |/quota", "OpenAI", &[Union]),
    words(r"resource (?:has been )?exhausted", "resource /has been |/exhausted", "Google", &[Union]),
    words(r"(?:concurrency|usage|spending|request|message|call|quota) limit (?:has been |was |is )?(?:reached|exceeded)", "concurrency|usage|spending|request|message|call|quota/ limit /has been |was |is |/reached|exceeded", "any", &[Union]),
    literal("too many concurrent", "any", &[Union]),
    check(r"concurren(?:t|cy)[^.\n]{0,40} (?:limit|exceed|maximum)", |text| !near(text, &["concurrent", "concurrency"], 40, &[" limit", " exceed", " maximum"]).is_empty(), "any", &[Union]),
    literal("out of capacity", "Google", &[Union]),
    words(r"(?:at|over|insufficient|no) capacity", "at|over|insufficient|no/ capacity", "any", &[Union]),
    check(r"(?:server|engine|model|service)[^.\n]{0,20} (?:is )?(?:currently )?busy", |text| !near(text, &["server", "engine", "model", "service"], 20, &[" busy", " is busy", " currently busy", " is currently busy"]).is_empty(), "any", &[Union]),
    literal("high demand", "any", &[Union]),
    words(r"queue (?:is )?full", "queue /is |/full", "any", &[Union]),
    words(r"(?:tier|small|medium|large|model|server|service) capacity (?:is |was |has been )?exceeded", "tier|small|medium|large|model|server|service/ capacity /is |was |has been |/exceeded", "Mistral", &[Union]),
    literal("request rate", "Alibaba", &[Union]),
    words(r"cool(?:ing)?[ _-]?down", "cool/ing|/ |_|-|/down", "any", &[Union]),
    words(r"(?:given|this|current|per) (?:time ?frame|time ?window|time period|minute|hour)", "given |this |current |per /time frame|timeframe|time window|timewindow|time period|minute|hour", "any", &[Union]),
    words(r"(?:usage|inference) limit", "usage|inference/ limit", "any", &[Union]),
    check(r"^(?:429|503|529)\b", |text| BUSY_STATUSES.iter().any(|status| begins_with_word(text, status)), "any", &[Union]),
    check(r"(?:status|status code|error code|http|api error)[^\w\n]{1,3}(?:429|503|529)\b", |text| has_status(text, STATUS, BUSY_STATUSES), "any", &[Union]),
    literal("请求过于频繁", "any", &[Union]),
    literal("频率", "any", &[Union]),
    literal("限流", "any", &[Union]),
    literal("并发", "any", &[Union]),
    literal("访问量过大", "z.ai", &[Union]),
    literal("速率限制", "any", &[Union]),
    literal("流量限制", "any", &[Union]),
    literal("使用上限", "z.ai", &[Union]),
    literal("限额将", "z.ai", &[Union]),
    literal("次数限额", "z.ai", &[Union]),
    literal("饱和", "one-api", &[Union]),
    literal("繁忙", "any", &[Union]),
]);

/// Cerebras's answer to a request that is too large.
pub(super) static BODYLESS: Table =
    Table(&[check(r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)", is_bodyless, "Cerebras", &[Pi15, Union])]);

/// Words of a limit of tokens for a time.
#[rustfmt::skip]
pub(super) static RATES: Table = Table(&[
    check(r"\btokens?[ _-]per[ _-](?:sec|min|hour|day)", |text| is_per_time(text, "tokens|token"), "OpenAI, Groq", &[Union]),
    check(r"\b(?:TPM|TPD|ITPM|TPS|TPH)\b", |text| has_word(text, &["tpm", "tpd", "itpm", "tps", "tph"]), "OpenAI, Groq", &[Union]),
]);

/// A limit of tokens, and of nothing else that is counted.
fn is_beyond_limit_of_tokens(text: &str) -> bool {
    near(text, &["token", "tokens"], 60, &["exceeds the limit of "]).iter().any(|pair| {
        let unit = pair.rest.trim_start_matches(|one: char| one.is_ascii_digit() || one == ',');
        let word = unit.trim_start_matches(is_space);
        let is_other = word.starts_with(|one| is_word(one) || one == ',');
        let is_apart = unit.strip_suffix(word).is_some_and(|spaces| spaces.contains(|one| one != ' '));
        pair.is_whole
            && unit.len() < pair.rest.len()
            && (!is_other || is_apart || ["token", "tokens"].iter().any(|unit| begins_with_word(word, unit)))
    })
}

/// `413`, `413: …`, or how an agent's library words it.
fn is_status_413(text: &str) -> bool {
    let by_library = text.split_once(" api error (413):").is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|one| is_word(one) || matches!(one, ' ' | '-'))
    });
    let bare = text.strip_prefix("413");
    by_library
        || bare.is_some_and(|rest| rest.is_empty() || rest.starts_with(|one| one == ':' || is_space(one)))
}

fn is_bodyless(text: &str) -> bool {
    let status = text.strip_prefix("400").or_else(|| text.strip_prefix("413"));
    status.map(|rest| rest.trim_start_matches(is_space)).is_some_and(|rest| {
        let rest = rest.strip_prefix("status code").unwrap_or(rest);
        rest.trim_start_matches(is_space).starts_with("(no body)")
    })
}

/// Whether these are counted for a time: `tokens per minute`, `requests_per_day`.
fn is_per_time(text: &str, counted: &str) -> bool {
    stands_at_word(text, &format!("{counted}/ |_|-/per/ |_|-/sec|min|hour|day"))
}

/// Codes that mean an overflow and do not say so by their words, as [`says_overflow`] reads them.
pub(super) const OVERFLOW_CODES: &[&str] = &[
    "model_max_prompt_tokens_exceeded",
    "tokens_limit_reached",
    "max_tokens_exceeded_input",
    "prompt_tokens_exceeded",
];

impl Rules {
    /// The error codes that mean an overflow.
    pub(super) fn overflow_codes(self) -> &'static [&'static str] {
        match self {
            Self::Union => OVERFLOW_CODES,
            Self::Opencode202606 | Self::OpencodeLater => &["context_length_exceeded"],
            _ => &[],
        }
    }
}

/// Whether a code means an overflow by the words that it is made of: `context_length_exceeded`, `prompt_too_long`,
/// `ContextWindowOverflowError`, `exceededContextWindowSize`.
pub(super) fn says_overflow(code: &str) -> bool {
    let what = [
        "contextwindow", "contextlength", "contextsize", "contextlimit", "contexttoo", "contextexceed",
        "contextoverflow", "prompttoo", "inputtoo", "tokenstoo", "tokenlimit",
    ];
    has(code, &what)
        && has(code, &["exceed", "overflow", "toolong", "toolarge", "toobig"])
        && !has(code, &["ratelimit", "minute", "daily", "output"])
}

/// Codes that mean too many bytes.
pub(super) const PAYLOAD_CODES: &[&str] =
    &["request_too_large", "payload_too_large", "request_entity_too_large", "PayloadTooLargeError"];

/// Whether a code means by its words that the request was not processed: `rate_limit_exceeded`, `ThrottlingException`,
/// `insufficient_quota`, `engine_overloaded_error`.
pub(super) fn says_busy(code: &str) -> bool {
    has(
        code,
        &[
            "ratelimit", "toomanyrequests", "throttling", "overloaded", "usagelimit", "quota",
            "capacityexceeded", "resourceexhausted", "serviceunavailable", "slowdown", "modelnotready",
            "limitexceededexception",
        ],
    )
}

/// Whether a code contains one of these words, whatever its spelling.
fn has(code: &str, words: &[&str]) -> bool {
    let plain: String =
        code.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect();
    words.iter().any(|word| plain.contains(word))
}

/// Every pattern by which a system or the engine recognizes an overflow.
///
/// # Example
///
/// ```
/// assert!(ebbline::overflow::overflow_patterns().count() > 10);
/// ```
pub fn overflow_patterns() -> impl Iterator<Item = &'static Pattern> {
    OVERFLOW.0.iter().map(|row| &row.pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pattern with a message as its provider sends it.
    #[rustfmt::skip]
    const MESSAGES: &[(&str, &str)] = &[
        (r"prompt is too long", "prompt is too long: 204817 tokens > 200000 maximum"),
        (r"prompt (?:is )?too long", r#"{"error":{"code":"1261","message":"Prompt too long"}}"#),
        (r"prompt exceeds max length", "Prompt exceeds max length"),
        (r"request_too_large", r#"413 {"type":"error","error":{"type":"request_too_large"}}"#),
        (r"input length and `?max_tokens`? exceed context limit", "input length and `max_tokens` exceed context limit: 190021 + 32000 > 200000, decrease input length"),
        (r"input is too long for requested model", "ValidationException: Input is too long for requested model."),
        (r"too many input tokens", "Too many input tokens. Max input tokens: 8192, request input token count: 9310"),
        (r"number of input tokens exceeds", "Input Tokens Exceeded: Number of input tokens exceeds maximum length."),
        (r"exceeds the context window", "Your input exceeds the context window of this model. Please adjust your input."),
        (r"exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))", "Requested token count exceeds the model's maximum context length of 65,536 tokens."),
        (r"exceeds? (?:the |this )?(?:model'?s )?maximum context length", "The sum of prompt and output tokens exceeds the maximum context length"),
        (r"context window exceeded", "Context window exceeded for given call: claude-sonnet"),
        (r"ContextWindowExceededError", "litellm.ContextWindowExceededError: AnthropicException"),
        (r"input token count.*exceeds the maximum", "The input token count (1310720) exceeds the maximum number of tokens allowed (1048575)."),
        (r"maximum prompt length is \d+", "This model's maximum prompt length is 256000 but the request contains 310022 tokens."),
        (r"reduce the length of the messages", "Please reduce the length of the messages or completion."),
        (r"maximum context length is \d+ tokens", "This endpoint's maximum context length is 163840 tokens. However, you requested about 171002 tokens"),
        (r"maximum context length is [\d,]+", "maximum context length is 163,840, got 171,002"),
        (r"exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?", "Input length 140000 exceeds the maximum allowed input length of 131,040 tokens."),
        (r"input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)", "The input (140000 tokens) is longer than the model's context length (131072 tokens)."),
        (r"exceeds the limit of \d+", "prompt token count of 131001 exceeds the limit of 128000"),
        (r"\btokens?\b[^.\n]{0,60}exceeds the limit of [\d,]+\s*(?:$|[^\w ,]|tokens?\b)", "prompt token count of 131001 exceeds the limit of 128,000"),
        (r"exceeds the available context size", "the request exceeds the available context size, try increasing it"),
        (r"context size has been exceeded", "Context size has been exceeded."),
        (r"greater than the context length", "The number of tokens to keep from the initial prompt is greater than the context length."),
        (r"context window exceeds limit", "invalid params, context window exceeds limit (2013)"),
        (r"exceeded model token limit", "Your request exceeded model token limit: 262144 (requested: 270001)"),
        (r"too large for model with \d+ maximum context length", "Prompt contains 140000 tokens, too large for model with 131072 maximum context length"),
        (r"prompt has [\d,]+ tokens?, but the configured context size is [\d,]+ tokens?", "Prompt has 41,000 tokens, but the configured context size is 32,768 tokens"),
        (r"model_context_window_exceeded", "finish_reason: model_context_window_exceeded"),
        (r"tokens in request more than max tokens allowed", "tokens in request more than max tokens allowed"),
        (r"prompt too long; exceeded (?:max )?context length", "prompt too long; exceeded max context length by 512 tokens"),
        (r"range of input length should be", "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"),
        (r"context length is only \d+ tokens", "You passed 9000 input tokens. However, the model's context length is only 8192 tokens"),
        (r"input length.*exceeds.*context length", "The input length (9000) exceeds the model's context length"),
        (r"is longer than the maximum model length", "The decoder prompt (length 9000) is longer than the maximum model length of 8192."),
        (r"`inputs` tokens \+ `max_new_tokens` must be", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000"),
        (r"trying to keep the first [\d,]+ tokens when (?:the )?context", "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough."),
        (r"cannot truncate prompt with n_keep", "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"),
        (r"reached context length of [\d,]+ tokens", "Reached context length of 4096 tokens with model (arch: qwen3vlmoe) that does not currently support mid-generation context overflow."),
        (r"exceed_context_size_error", "400 type: exceed_context_size_error"),
        (r"exceeds? (?:the )?(?:available )?context size", "request (40631 tokens) exceeds available context size (32768 tokens)"),
        (r"requested tokens \([\d,]+\) exceed context window", "Requested tokens (2285) exceed context window of 2048"),
        (r"input length (?:is )?exceeds? (?:the )?context (?:length|window|size)", "the input length exceeds the context length"),
        (r"truncating input (?:prompt|message)", "level=WARN msg=\"truncating input prompt\" limit=2048 prompt=91541 keep=5 new=2048"),
        (r"too long to fit into the model", "The prompt (total length 9000) is too long to fit into the model (context length 8192)."),
        (r"max_(?:completion_)?tokens must be at least 1, got -\d", "max_tokens must be at least 1, got -7584. (parameter=max_tokens, value=-7584)"),
        (r"input length \([\d,]+(?: tokens)?\) exceeds (?:the )?maximum allowed length", "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."),
        (r"`?inputs`? must have less than [\d,]+ tokens", "Input validation error: `inputs` must have less than 4096 tokens. Given: 4545"),
        (r"requested input length [\d,]+ exceeds (?:the )?maximum input length", "Requested input length 39818 exceeds maximum input length 32767"),
        (r"tokens of image and text exceed max message tokens", "Total tokens of image and text exceed max message tokens. Request id: 0217"),
        (r"input tokens exceed the configured limit", "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 277112 tokens."),
        (r"input token count is [\d,]+ but (?:the )?model only supports", "Unable to submit request because the input token count is 35868 but model only supports up to 32768."),
        (r"input context is too long", "Your input context is too long. Reduce your input context."),
        (r"input (?:token )?length (?:is )?too long", "Input token length too long"),
        (r"model_max_prompt_tokens_exceeded", "code: model_max_prompt_tokens_exceeded"),
        (r"too many total text bytes", "ValidationException: too many total text bytes: 26214400"),
        (r"maximum content size limit \([\d,]+\) exceeded", "413 Maximum content size limit (26214400) exceeded (26219450 bytes read)"),
        (r"request entity too large", "<html><h1>413 Request Entity Too Large</h1></html>"),
        (r"context[_ ]length[_ ]exceeded", "Error code: 400, context_length_exceeded"),
        (r"context_too_large", "upstream said context_too_large"),
        (r"too many tokens", "too many tokens: size limit exceeded by 812 tokens"),
        (r"token limit exceeded", "Token limit exceeded: 131072"),
        (r"^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))", "github-copilot API error (413): failed to parse request"),
        (r"^4(?:00|13)\s*(?:status code)?\s*\(no body\)", "400 status code (no body)"),
        (r"context_length_exceeded", "Error code: 400 - {'code': 'context_length_exceeded'}"),
        (r"maximum context length", "This model's maximum context length is 128000 tokens."),
        (r"request exceeds the maximum size", "Request exceeds the maximum size"),
        (r"payload too large", "413 Payload Too Large"),
        (r"request too large", "Request too large"),
        (r"(?:request )?body (?:is )?too large", "http: request body too large"),
        (r"(?:payload size|request body|request size)[^.\n]{0,40} exceeds", "Request payload size exceeds the limit: 20971520 bytes."),
        (r"^(?:Throttling error|Service unavailable):", "Throttling error: Too many tokens, please wait before trying again."),
        (r"rate limit", "Rate limit reached for gpt-5"),
        (r"too many requests", "429 Too Many Requests"),
        (r"rate[ _-]?limit", "error type: rate_limit_error"),
        (r"throttl(?:ed|ing)", "ThrottlingException: Too many tokens"),
        (r"too many tokens, please wait", "Too many tokens, please wait before trying again."),
        (r"service (?:is )?(?:currently |temporarily )?unavailable", "The service is temporarily unavailable."),
        (r"overloaded", "Overloaded"),
        (r"\b(?:tokens?|requests?)[ _-]per[ _-](?:sec|min|hour|day)", "Request too large on tokens per min: limit 30000, requested 41000"),
        (r"\bTPM\b", "Request too large for model on TPM: Limit 6000, Requested 8120"),
        (r"\bTPD\b", "Limit of tokens reached (TPD): 500000"),
        (r"\bRPM\b", "Limit 3 RPM"),
        (r"\bRPD\b", "Limit 200 RPD, used 200"),
        (r"\b(?:daily|hourly|weekly|monthly|per-minute)\b[^.\n]{0,30} limit\b", "Daily token limit exceeded"),
        (r"\b(?:daily|hourly|weekly|monthly|per-minute)\b[^.\n]{0,30} quota\b", "The monthly token quota is used up"),
        (r"insufficient[ _]quota", "type: insufficient_quota"),
        (r"quota (?:has been )?exceeded", "Quota exceeded for metric generate_content_input_tokens"),
        (r"exceeded your (?:current )?quota", "You exceeded your current quota"),
        (r"resource (?:has been )?exhausted", "Resource has been exhausted (e.g. check quota)."),
        (r"(?:concurrency|usage|spending|request|message|call|quota) limit (?:has been |was |is )?(?:reached|exceeded)", "concurrency limit has been reached"),
        (r"too many concurrent", "Too many concurrent requests"),
        (r"concurren(?:t|cy)[^.\n]{0,40} (?:limit|exceed|maximum)", "Your concurrent request limit is used up"),
        (r"out of capacity", "the service is temporarily out of capacity"),
        (r"(?:at|over|insufficient|no) capacity", "The model is at capacity"),
        (r"(?:server|engine|model|service)[^.\n]{0,20} (?:is )?(?:currently )?busy", "The server is currently busy"),
        (r"high demand", "This model is currently experiencing high demand."),
        (r"queue (?:is )?full", "The queue is full"),
        (r"(?:usage|inference) limit", "You have hit your usage limit."),
        (r"^(?:429|503|529)\b", "429 status code (no body)"),
        (r"(?:status|status code|error code|http|api error)[^\w\n]{1,3}(?:429|503|529)\b", "Error code: 529 - {'type': 'error'}"),
        ("请求过于频繁", "请求过于频繁，请稍后再试"),
        ("频率", "您的账户已达到速率限制，请您控制请求频率"),
        ("限流", "触发限流"),
        ("并发", "您当前使用该API的并发数过高"),
        ("访问量过大", "该模型当前访问量过大，请您稍后再试"),
        ("速率限制", "您的账户已达到速率限制"),
        ("流量限制", "该 API 已触发流量限制"),
        ("使用上限", "已达到 5 小时 的使用上限"),
        ("限额将", "您的限额将在 2026-01-12 00:00:00 重置"),
        ("次数限额", "该 API 已达今日调用次数限额"),
        ("饱和", "当前分组上游负载已饱和，请稍后再试"),
        ("繁忙", "系统繁忙，请稍后再试"),
        (r"(?:tier|small|medium|large|model|server|service) capacity (?:is |was |has been )?exceeded", "Service tier capacity exceeded for this model."),
        (r"request rate", "Upstream error from Alibaba: Request rate increased too quickly."),
        (r"cool(?:ing)?[ _-]?down", "model_cooldown: All credentials for model gpt-5 are cooling down"),
        (r"(?:given|this|current|per) (?:time ?frame|time ?window|time period|minute|hour)", "You have exceeded the maximum number of tokens allowed within a given time frame."),
        (r"(?:status|status code|error code|http|api error|request failed)[^\w\n]{1,3}413\b", "Request Failed: 413 {\"error\":{\"message\":\"failed to parse request\"}}"),
        (r"(?:required|enabled|available|eligible) for long context requests", "Extra usage is required for long context requests"),
        (r"\btokens?[ _-]per[ _-](?:sec|min|hour|day)", "Rate limit reached on tokens per min"),
        (r"\b(?:TPM|TPD|ITPM|TPS|TPH)\b", "Limit 6000 TPM"),
    ];

    /// `regex-lite` is compiled for the machine's own tests only.
    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn every_pattern_finds_what_a_library_for_expressions_finds() {
        let any = r"[^\n\r\x{2028}\x{2029}]*";
        let space =
            r"[\t-\r\x20\xA0\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]";
        let pieces: Vec<&str> =
            MESSAGES.iter().flat_map(|(_, message)| message.split_inclusive(' ')).collect();
        let odd = ["\u{a0}", "\u{85}", "\n", "(", ")", "12,3", ".", "-", "_", "ſ", "K", "s", " "];
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut found = 0;
        for (source, message) in MESSAGES {
            let phrase = rows().find(|row| row.pattern.source == *source).unwrap().phrase;
            let library = format!("(?i){}", source.replace(".*", any).replace(r"\s", space));
            let library = regex_lite::Regex::new(&library).unwrap();
            for round in 0..300 {
                let mut words: Vec<&str> = message.split_inclusive(' ').collect();
                for _ in 0..round % 5 {
                    let at = random(words.len() + 1);
                    let new =
                        if random(2) == 0 { odd[random(odd.len())] } else { pieces[random(pieces.len())] };
                    if random(3) == 0 && at < words.len() {
                        words.remove(at);
                    } else {
                        words.insert(at, new);
                    }
                }
                let text = words.concat();
                let expected = library.is_match(&text);
                assert_eq!(phrase.is_in(&Text::new(&text)), expected, "{source} in {text:?}");
                found += usize::from(expected);
            }
        }
        assert!(found > 5_000 && found < MESSAGES.len() * 250, "{found}");
    }

    const TABLES: [&Table; 6] = [&OVERFLOW, &PAYLOAD, &BUSY, &BODYLESS, &RATES, &LONG_CONTEXT];

    fn rows() -> impl Iterator<Item = &'static Row> {
        TABLES.into_iter().flat_map(|table| table.0)
    }

    #[test]
    fn every_pattern_finds_its_providers_message() {
        for Row { pattern: row, phrase } in rows() {
            let (_, message) = MESSAGES
                .iter()
                .find(|(source, _)| *source == row.source)
                .unwrap_or_else(|| panic!("{}", row.source));
            for text in [(*message).to_owned(), message.to_ascii_uppercase()] {
                assert!(phrase.is_in(&Text::new(&text)), "{}: {text}", row.source);
            }
            assert!(!row.rules.is_empty() && !row.provider.is_empty(), "{}", row.source);
        }
        for (source, _) in MESSAGES {
            assert!(rows().any(|row| row.pattern.source == *source), "{source}");
        }
    }

    #[test]
    fn the_union_has_every_message_of_every_system() {
        for row in overflow_patterns().filter(|row| !row.rules.contains(&Union)) {
            let (_, message) = MESSAGES.iter().find(|(source, _)| *source == row.source).unwrap();
            let is_bodyless = row.source.contains("no body");
            let known = OVERFLOW.find(message, Union).or_else(|| PAYLOAD.find(message, Union)).is_some();
            assert!(known || is_bodyless, "{message}");
        }
    }

    #[test]
    fn the_tables_have_as_many_rows_as_the_systems() {
        let count =
            |table: &Table, rules| table.0.iter().filter(|row| row.pattern.rules.contains(&rules)).count();
        for (rules, overflow, busy) in
            [(Pi058, 18, 0), (Pi084, 25, 3), (Pi15, 27, 3), (Opencode202606, 20, 0), (OpencodeLater, 26, 3)]
        {
            assert_eq!((count(&OVERFLOW, rules), count(&BUSY, rules)), (overflow, busy), "{rules:?}");
        }
    }
}
