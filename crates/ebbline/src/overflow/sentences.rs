//! What the sentences of an error say, by their words.
//!
//! Hundreds of servers say the same in words of their own, so no list of their texts is ever complete. A sentence says
//! that a context was too large if something that is sent (a prompt, the input) or a name of the window stands with a
//! word for too much. Sentences about other limits are told apart first: of an answer's length, of tools, of images.

use super::FailureKind;
use super::figures::{Figures, figures};

/// What is counted in tokens and has a limit.
const WINDOWS: &[&str] = &[
    "context window", "context length", "context size", "context limit", "context_length", "context_window",
    "context_size", "context_limit", "max context", "maximum context", "max_context", "model_max_length",
    "max_model_len", "max_seq_len", "maximum model length", "model max length", "max model length",
    "maximum sequence length", "max sequence length", "n_ctx", "num_ctx", "prompt length", "input length",
    "sequence length", "length of the input", "length of the messages", "length of the prompt",
    "token limit", "tokens limit", "tokens_limit", "token_limit", "limit of tokens", "token count",
    "token budget", "number of tokens", "number of input tokens", "number of prompt tokens", "input token",
    "prompt token", "total token", "requested token", "max tokens allowed", "maximum tokens allowed",
    "max_input_tokens", "max_prompt_tokens", "input_tokens", "prompt_tokens", "context overflow",
    "context capacity", "上下文", "コンテキスト", "컨텍스트", "토큰", "トークン", "контекст", "contexto",
    "contexte", "kontextfenster", "kontextlänge",
];

/// What is sent.
const SENT: &[&str] = &[
    "prompt", "input", "messages", "conversation", "history", "chat", "thread", "transcript", "context",
    "token", "query", "text", "提示", "输入", "輸入", "对话", "消息", "プロンプト", "入力", "メッセージ",
    "프롬프트", "입력", "запрос", "entrada", "entrée", "eingabe",
];

/// That it is too much.
const TOO_MUCH: &[&str] = &[
    "too long", "too_long", "too large", "too_large", "too big", "too many", "toolong", "toolarge", "exceed",
    "longer than", "larger than", "greater than", "more than", "bigger than", "over the", "over limit",
    "overflow", "beyond", "above the", "surpass", "is full", "out of context", "not fit", "n't fit",
    "no longer fit", "less than", "must be <", "at most", "maximum length", "limit reached", "limit_reached",
    "limit was reached", "reached the", "reached its", "reached max", "reached context", "hit the",
    "ran out of", "not enough", " > ", " >= ", "超出", "超过", "超過", "超长", "超長", "过长", "過長",
    "太长", "太大", "超限", "長すぎ", "초과", "너무", "过多", "太多", "多すぎ", "превыш", "слишком",
    "excede", "demasiado", "supera", "dépasse", "trop long", "zu lang", "überschr", "zu groß",
];

/// That a smaller input is asked for.
const REDUCE: &[&str] = &[
    "reduce the length", "reduce the prompt", "reduce your prompt", "reduce the input", "reduce your input",
    "reduce the number of tokens", "reduce input", "reduce context", "shorten your", "shorten the",
    "shorter prompt", "shorter input", "shorter message", "decrease input length", "truncate the input",
    "truncate your", "trim your", "start a new chat", "start a new conversation", "压缩上下文", "缩短上下文",
    "减少上下文",
];

/// What is shown, heard or attached.
const MEDIA: &[&str] = &[
    "image", "picture", "photo", "pdf", "document", "audio", "video", "attachment", "referenced file",
    "pixel", "megapixel", "图片", "图像", "圖片", "文档", "画像", "이미지",
];

/// That there is a limit, in sentences about what is attached.
const LIMITED: &[&str] = &[
    "limit", "maximum", "max ", "max_", "no more than", "up to", "only support", "may be provided",
    "fewer than", "supported size", "resolution", "at least", "allowed range", "最多", "上限", "限制",
];

/// Limits of other things, which a smaller context does not mend.
const OTHER_LIMITS: &[&str] = &[
    "batch size", "tools[", "number of tools", "tool_calls", "many tools", "tool name", "function name",
    "tool description", "function.description", "stop sequence", "schema", "enum", "array too long",
    "array_above", "budget_tokens", "thinking budget", "thinking_budget", "top_logprobs", "credit", "afford",
    "balance", "billing", "load model", "loading model", "memory", "vram", "kv cache", "gpu", "api key",
    "header", "url", "uri ", "metadata", "embedding", "cache_control", "temperature", "timeout", "timed out",
    "file name", "filename", "concurren", "in the queue", "retries", "attempts", "turns", "iterations",
    "recursion", "redirect", "tool result", "tool_result", "tool use", "tool_use", "upload",
];

/// The limit of an answer.
const OUTPUTS: &[&str] = &[
    "max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens", "max_new_tokens",
    "maxtokens", "output tokens", "completion tokens", "output token", "maximum output", "output limit",
    "output length", "response length", "generated", "maximum tokens you requested", "maximum tokens value",
    "max tokens exceed",
];

/// That the answer's length has a limit of its own, whatever the sentence says of the window besides.
const LIMITED_OUTPUTS: &[&str] =
    &["max_tokens must be less", "max_completion_tokens must be less", "max_output_tokens must be less"];

/// What is not the answer.
const INPUTS: &[&str] = &[
    "input", "prompt", "context", "messages", "n_ctx", "max_model_len", "上下文", "history", "conversation",
    "your request has", "got -",
];

/// That the size is one in bytes.
const BYTES: &[&str] = &[
    " bytes", "byte", "kb", "mb", "gb", "kib", "mib", "payload", "body", "entity", "request size",
    "content size",
];

/// That a text of a request has too many characters or bytes for whoever reads it, with the limit in the same words.
const LENGTHS: &[&str] = &[
    "expected maxlength", "max length of", "input characters", "string value length",
    "must have length less than", "message larger than max",
];

/// Words that make a whole text one about something else, whatever its other sentences say.
const OTHER_TEXTS: &[&str] = &["batch size", "budget_tokens", "requested context size"];

/// What a text says as a whole, if its words say it, and the words.
pub(super) fn said(text: &str) -> Option<(FailureKind, String)> {
    let lower = text.to_ascii_lowercase();
    if first(&lower, OTHER_TEXTS).is_some() {
        return None;
    }
    let mut found: Vec<_> = sentences(&lower).filter_map(meaning).collect();
    let Figures { limit, size, .. } = figures(&lower);
    let counts = |words: &[&'static str]| first(&lower, words);
    // A size and a smaller window say it without a word for too much.
    if let (Some(what), true) = (counts(WINDOWS), limit.zip(size).is_some_and(|(limit, size)| size > limit)) {
        found.push((FailureKind::ContextOverflow, what.to_owned()));
    }
    // A request or a body that is counted in tokens.
    if limit.is_some() && counts(&["tokens"]).is_some() {
        for (kind, _) in found.iter_mut().filter(|(kind, _)| *kind == FailureKind::PayloadTooLarge) {
            *kind = FailureKind::ContextOverflow;
        }
    }
    [FailureKind::ContextOverflow, FailureKind::MediaLimit, FailureKind::PayloadTooLarge]
        .into_iter()
        .find_map(|kind| found.iter().find(|(found, _)| *found == kind).cloned())
}

/// The text without its sentences about limits of something else.
pub(super) fn about_the_context(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let is_else = |sentence: &str| {
        is_about_output(sentence) || is_about_media(sentence).is_some() || is_about_something_else(sentence)
    };
    if !sentences(&lower).any(is_else) {
        return text.to_owned();
    }
    let mut left = String::new();
    let mut at = 0;
    for sentence in sentences(&lower) {
        if !is_else(sentence) {
            left.push_str(text.get(at..at + sentence.len()).unwrap_or_default());
        }
        at += sentence.len();
    }
    left
}

fn meaning(sentence: &str) -> Option<(FailureKind, String)> {
    if let Some(words) = is_about_media(sentence) {
        return Some((FailureKind::MediaLimit, words));
    }
    if sentence.contains("string too long") || sentence.contains("string_above_max_length") {
        let is_message = first(sentence, &["messages[", "input[", "contents[", "content"]).is_some();
        return (is_message && !sentence.contains("tools["))
            .then(|| (FailureKind::PayloadTooLarge, "string too long".to_owned()));
    }
    if is_about_output(sentence) || is_about_something_else(sentence) {
        return None;
    }
    if let Some(words) = first(sentence, LENGTHS) {
        return Some((FailureKind::PayloadTooLarge, words.to_owned()));
    }
    if let (Some(what), Some(much)) = (first(sentence, WINDOWS), first(sentence, TOO_MUCH)) {
        return Some((FailureKind::ContextOverflow, format!("{what} … {much}")));
    }
    if let Some(words) = first(sentence, REDUCE) {
        return Some((FailureKind::ContextOverflow, words.to_owned()));
    }
    // What is left for an answer is less than nothing.
    if sentence.contains("got -") && first(sentence, OUTPUTS).is_some() {
        return Some((FailureKind::ContextOverflow, "got -".to_owned()));
    }
    let much = first(sentence, TOO_MUCH)?;
    let is_bytes = first(sentence, BYTES).is_some();
    if let (Some(what), false) = (first(sentence, SENT), is_bytes) {
        // An input that is too long says it by itself; one that only exceeds something, if that is its model or tokens.
        let is_length = [
            "too long", "too large", "too big", "too_long", "too_large", "超长", "过长", "太长", "長すぎ",
            "너무",
        ];
        let says = first(sentence, &is_length).is_some()
            || first(sentence, &["token", "model", "maximum", "max ", "limit"]).is_some();
        if says && what != "text" {
            return Some((FailureKind::ContextOverflow, format!("{what} … {much}")));
        }
    }
    let what = first(
        sentence,
        &["payload", "request body", "body", "request entity", "request size", "request", "content size"],
    )?;
    let is_size = is_bytes || ["too large", "too_large", "too big"].contains(&much);
    is_size.then(|| (FailureKind::PayloadTooLarge, format!("{what} … {much}")))
}

fn is_about_output(sentence: &str) -> bool {
    first(sentence, LIMITED_OUTPUTS).is_some()
        || (first(sentence, OUTPUTS).is_some() && first(sentence, INPUTS).is_none())
}

fn is_about_media(sentence: &str) -> Option<String> {
    let what = first(sentence, MEDIA)?;
    let counts_tokens =
        ["token", "context window", "context length", "context size", "prompt is too long", "max_model_len"];
    if first(sentence, &counts_tokens).is_some() {
        return None;
    }
    let much = first(sentence, TOO_MUCH).or_else(|| first(sentence, LIMITED))?;
    let refuses = ["not support", "unsupported", "invalid image", "rate", "per minute", "per day", "quota"];
    first(sentence, &refuses).is_none().then(|| format!("{what} … {much}"))
}

fn is_about_something_else(sentence: &str) -> bool {
    first(sentence, OTHER_LIMITS).is_some()
        && first(
            sentence,
            &[
                "context length", "context window", "context size", "context limit",
                "context_length_exceeded", "input length", "n_ctx", "prompt is too long",
            ],
        )
        .is_none()
        || (sentence.contains("load") && sentence.contains("memory"))
}

/// The first phrase of a list that stands in a sentence, at the beginning of a word.
fn first<'a>(sentence: &str, phrases: &[&'a str]) -> Option<&'a str> {
    phrases.iter().copied().find(|phrase| {
        let is_word = phrase.starts_with(|character: char| character.is_ascii_alphanumeric());
        sentence.match_indices(phrase).any(|(at, _)| {
            let before = sentence.get(..at).and_then(|head| head.chars().next_back());
            !is_word || !before.is_some_and(|character| character.is_ascii_alphanumeric())
        })
    })
}

/// The sentences of a text, each with what ends it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut characters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, character)) = characters.next() {
            let is_followed = characters.peek().is_none_or(|(_, next)| !next.is_ascii_alphanumeric());
            let is_end = match character {
                '\n' | '{' | '}' | '。' | '；' | '！' => true,
                '.' | '!' | '?' | ';' => is_followed,
                _ => false,
            };
            if is_end {
                end = at + character.len_utf8();
                break;
            }
        }
        let (sentence, more) = rest.split_at_checked(end)?;
        rest = more;
        Some(sentence)
    })
}
