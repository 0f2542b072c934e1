//! The model's answers.

use crate::format::openai_chat::{read_call, read_content};
use crate::format::recorder::Recorder;
use crate::json::Value;
use crate::transcript::PartKind;

/// An answer as `LiteLLM` returns it: OpenAI's message, with the thinking beside it as a text, as Anthropic's signed
/// blocks, or as both.
pub(super) fn read_answer(message: Value<'_>, recorder: &mut Recorder) {
    let blocks = || message.elements_of("thinking_blocks");
    let sign = |block: Value<'_>, recorder: &mut Recorder| {
        recorder.sign(block.text_of("signature"));
        recorder.sign(block.text_of("data"));
    };
    let thinking = message.text_of("reasoning_content").or_else(|| message.text_of("reasoning"));
    match thinking {
        Some(thinking) => {
            recorder.text(PartKind::Thinking, Some(thinking));
            blocks().for_each(|block| sign(block, recorder));
        }
        None => blocks().for_each(|block| {
            recorder.text(PartKind::Thinking, block.text_of("thinking"));
            sign(block, recorder);
        }),
    }
    read_content(message.present("content"), recorder);
    message.elements_of("tool_calls").for_each(|call| read_call(call, recorder));
}

pub(super) fn is_type(block: Value<'_>, name: &str) -> bool {
    block.text_of("type").is_some_and(|kind| kind.is(name))
}
