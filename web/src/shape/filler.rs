//! Makes a session of filler from a shape: the same roles, calls and sizes, in the form of `OpenAI` Chat.

use std::collections::HashMap;

use ebbline::policy::Estimator;
use ebbline::{SessionText, Transcript};

use super::{Item, What, read};
use crate::error_text::UserError;

/// The filler. Its words are short and common, so that almost every size can be met exactly.
const WORDS: &str = "the words of this message are not here only its size is kept so that it can be shown ";
/// How often a length is corrected.
const TRIES: usize = 12;

/// The session that a link with a shape describes.
pub fn session(link: &str) -> Result<String, UserError> {
    Ok(of_items(&read(link)?))
}

/// The session of a shape.
pub(crate) fn of_items(items: &[Item]) -> String {
    let default = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy);
    let mut made = Made { estimator: default.unwrap_or_default().estimator, lengths: HashMap::new() };
    let mut text = "[\n".to_owned();
    let (mut calls, mut open) = (0_u64, Vec::<u64>::new());
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ",\n" });
        let message: Box<dyn Fn(usize) -> String> = match item.what {
            What::System => Box::new(|length| said("system", length)),
            What::User => Box::new(|length| said("user", length)),
            What::Assistant => Box::new(|length| said("assistant", length)),
            What::Calls(count) => {
                let numbers: Vec<u64> = (calls + 1..=calls + count).collect();
                calls += count;
                open.extend(&numbers);
                Box::new(move |length| called(&numbers, length))
            }
            What::Output(place) => {
                let place = usize::try_from(place).unwrap_or(usize::MAX);
                let number = if place < open.len() { open.remove(place) } else { 0 };
                Box::new(move |length| {
                    let content = filler(length);
                    format!(r#"{{"role":"tool","tool_call_id":"call_{number}","content":"{content}"}}"#)
                })
            }
        };
        let length = made.length(*item, &message);
        text.push_str(&message(length));
    }
    text + "\n]\n"
}

fn said(role: &str, length: usize) -> String {
    format!(r#"{{"role":"{role}","content":"{}"}}"#, filler(length))
}

/// An answer with calls; the filler is what the first one is called with.
fn called(numbers: &[u64], length: usize) -> String {
    let calls: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(at, number)| {
            let arguments = if at == 0 && length > 0 { format!(r#"{{\"a\":\"{}\"}}"#, filler(length)) } else { "{}".to_owned() };
            format!(
                r#"{{"id":"call_{number}","type":"function","function":{{"name":"tool","arguments":"{arguments}"}}}}"#
            )
        })
        .collect();
    format!(r#"{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, calls.join(","))
}

fn filler(length: usize) -> String {
    WORDS.chars().cycle().take(length).collect()
}

/// Finds lengths of filler that have a wanted number of tokens.
struct Made {
    estimator: Estimator,
    /// By kind and tokens: sizes repeat.
    lengths: HashMap<(u8, u64, u64), usize>,
}

impl Made {
    /// The length of filler with which `message` is as large as `item`, or as near as it gets.
    fn length(&mut self, item: Item, message: &dyn Fn(usize) -> String) -> usize {
        let key = match item.what {
            What::Calls(count) => (1, count, item.tokens),
            What::Output(_) => (2, 0, item.tokens),
            _ => (0, 0, item.tokens),
        };
        if let Some(length) = self.lengths.get(&key) {
            return *length;
        }
        let wanted = item.tokens;
        let measured = |length: usize| self.tokens(item.what, &message(length));
        let (mut low, mut at_low) = (0_usize, measured(0));
        let mut best = (wanted.abs_diff(at_low), 0);
        if at_low < wanted {
            // About five characters a token; an upper end is looked for from there.
            let mut high = (wanted as usize).saturating_mul(5).max(8);
            let mut at_high = measured(high);
            while at_high < wanted {
                (low, at_low) = (high, at_high);
                high = high.saturating_mul(2);
                at_high = measured(high);
            }
            best = best.min((wanted.abs_diff(at_high), high)).min((wanted.abs_diff(at_low), low));
            for _ in 0..TRIES {
                if best.0 == 0 || high - low <= 1 {
                    break;
                }
                // By the share of the tokens, and never outside.
                let share = (wanted - at_low) as f64 / (at_high - at_low).max(1) as f64;
                let middle = (low + ((high - low) as f64 * share) as usize).clamp(low + 1, high - 1);
                let at = measured(middle);
                best = best.min((wanted.abs_diff(at), middle));
                if at < wanted {
                    (low, at_low) = (middle, at);
                } else {
                    (high, at_high) = (middle, at);
                }
            }
        }
        self.lengths.insert(key, best.1);
        best.1
    }

    /// The tokens of one message. An output needs its call to be one.
    fn tokens(&self, what: What, message: &str) -> u64 {
        let text = match what {
            What::Output(_) => {
                let number = message.split("call_").nth(1).and_then(|rest| rest.split('"').next());
                let number = number.and_then(|number| number.parse().ok()).unwrap_or(0);
                format!("[{},{message}]", called(&[number], 0))
            }
            _ => format!("[{message}]"),
        };
        SessionText::read(text.as_str()).map_or(0, |session| {
            let transcript: &Transcript = session.transcript();
            self.estimator.message(transcript, transcript.messages().len().saturating_sub(1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::Knob;
    use crate::shape::{link, of};
    use ebbline::replay::History;

    fn there_and_back(text: &str) -> (SessionText<'static>, SessionText<'static>) {
        let read = SessionText::read(text.to_owned()).unwrap();
        let filler = session(&link(&of(&History::from(&read))).unwrap()).unwrap();
        (read, SessionText::read(filler).unwrap())
    }

    /// The sample in filler: every message has its role, every call its output, and every size is met to a token.
    #[test]
    fn filler_has_the_roles_and_sizes_of_the_session() {
        let (sample, filler) = there_and_back(&crate::sample::text());
        let estimator = ebbline::profiles::ALL[0].policy().estimator;
        let (one, other) = (sample.transcript(), filler.transcript());
        assert_eq!(one.messages().len(), other.messages().len());
        let (mut exact, mut furthest) = (0, 0);
        for index in 0..one.messages().len() {
            assert_eq!(one.messages()[index].role, other.messages()[index].role);
            let off = estimator.message(one, index).abs_diff(estimator.message(other, index));
            exact += usize::from(off == 0);
            furthest = furthest.max(off);
        }
        assert!(furthest <= 2, "off by {furthest}");
        assert!(exact * 10 >= one.messages().len() * 9, "{exact} of {}", one.messages().len());
        let (one, other) = (sample.counts(), filler.counts());
        assert_eq!((one.calls, one.results), (other.calls, other.results));
        assert_eq!((other.calls_without_result, other.results_without_call), (0, 0));
    }

    /// Under the default profile, the filler is compacted as the session is.
    #[test]
    fn filler_is_compacted_as_the_session_is() {
        let (sample, filler) = there_and_back(&crate::sample::text());
        for window in [200_000, 64_000] {
            let mut policy = ebbline::profiles::ALL[0].policy();
            Knob::Context.set(&mut policy, window);
            let (one, other) = (sample.plan(&policy), filler.plan(&policy));
            assert_eq!(one.decision.verdict, other.decision.verdict);
            let off = one.decision.tokens_before.abs_diff(other.decision.tokens_before);
            assert!(off * 1_000 <= one.decision.tokens_before, "{off}");
            for (index, (one, other)) in one.messages.iter().zip(&other.messages).enumerate() {
                // A shape names no tools, so none is protected by its name.
                let is_named = one.reason == ebbline::Reason::ProtectedTool;
                assert!(one.fate == other.fate || is_named, "{window} {index}");
            }
        }
    }

    #[test]
    fn tools_have_no_names_in_filler() {
        let (_, filler) = there_and_back(&crate::sample::text());
        assert_eq!(filler.transcript().tool_name(0), Some("tool"));
        assert_eq!(filler.transcript().tool_name(1), None);
    }
}
