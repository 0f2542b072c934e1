//! Whether a message list is a valid request.

use ebbline::Format;
use ebbline::validate::{Facts, Rule};
use ebbline_wasm_shared::EbblineError;
use wasm_bindgen::prelude::*;

use crate::replay::transcript;
use crate::validation::{Waiting, answer, rules};

/// Validates live messages of a format, given as the records that a walker made of them and the names of the tools
/// that these number; `also` and `except` name rules. `empty_calls`, `cache_marks`, `blank_texts` and `calls` are what no record holds, see
/// [`Facts`]. Of a pending call, `number` is the call's number in the records.
#[wasm_bindgen(js_name = validateRecords, unchecked_return_type = "NumberedValidation")]
pub fn validate_records(
    words: &[u32],
    tools: Vec<String>,
    format: &str,
    also: Vec<String>,
    except: Vec<String>,
    empty_calls: &[u32],
    cache_marks: &[u32],
    blank_texts: &[u32],
    calls: &[u32],
) -> Result<JsValue, EbblineError> {
    let format = Format::from_name(format)?;
    let rules = rules(format, &also, &except)?;
    let transcript = transcript(words, &tools)?;
    // What is not sent breaks no rule.
    let is_sent = |place: &usize| transcript.messages().get(*place).is_some_and(|message| message.active);
    let places = |places: &[u32]| places.iter().map(|place| *place as usize).filter(is_sent).collect();
    // A message and what is wrong with one of its calls.
    let refused = |words: &[u32]| match words {
        [message, 0] => (*message as usize, Rule::CallId),
        [message, 1] => (*message as usize, Rule::CallName),
        words => (words.first().copied().unwrap_or_default() as usize, Rule::CallInput),
    };
    let mut facts = Facts::default();
    [facts.empty_calls, facts.cache_marks, facts.blank_texts] =
        [empty_calls, cache_marks, blank_texts].map(places);
    facts.calls = calls.chunks_exact(2).map(refused).filter(|(place, _)| is_sent(place)).collect();
    let named =
        |call: Option<u32>| call.filter(|call| !transcript.is_paired_by_place(*call)).map(|call| call + 1);
    let pending = ebbline::validate::pending(&transcript).into_iter();
    let pending = pending.map(|call| Waiting { number: named(call.call), call }).collect();
    Ok(answer(format, ebbline::validate::validate_knowing(&transcript, &rules, &facts), pending))
}
