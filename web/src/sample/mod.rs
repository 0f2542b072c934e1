//! The sample session: an agent hunts a rounding bug in a small web shop. Written for this page; nothing in it is
//! anybody's recording. Conversation and findings are a script; long tool outputs are generated from it, always the same.

mod code;
mod outputs;
mod script;

use script::{Call, SYSTEM, TURNS};

/// The sample's file name.
pub const NAME: &str = "bug-hunt.json";

/// The session as a list of `OpenAI` Chat messages.
#[must_use]
pub fn text() -> String {
    let mut messages = vec![format!(r#"{{"role":"system","content":{}}}"#, quoted(SYSTEM))];
    let mut made = 0_u64;
    for turn in TURNS {
        messages.push(format!(r#"{{"role":"user","content":{}}}"#, quoted(turn.user)));
        for step in turn.steps {
            let first = made;
            let mut calls = Vec::new();
            for call in step.calls {
                made += 1;
                calls.push(format!(
                    r#"{{"id":"{}","type":"function","function":{{"name":"{}","arguments":{}}}}}"#,
                    id(made),
                    call.tool,
                    quoted(&arguments(call))
                ));
            }
            let said = if step.say.is_empty() { "null".to_owned() } else { quoted(step.say) };
            let calls = calls.join(",");
            messages.push(format!(r#"{{"role":"assistant","content":{said},"tool_calls":[{calls}]}}"#));
            for (number, call) in (first + 1..).zip(step.calls) {
                let output = outputs::of(call.output, number);
                let (id, output) = (id(number), quoted(&output));
                messages.push(format!(r#"{{"role":"tool","tool_call_id":"{id}","content":{output}}}"#));
            }
        }
        messages.push(format!(r#"{{"role":"assistant","content":{}}}"#, quoted(turn.answer)));
    }
    format!("[\n{}\n]\n", messages.join(",\n"))
}

fn id(number: u64) -> String {
    format!("call_{:04x}{number:02}", number.wrapping_mul(40_503) & 0xffff)
}

fn arguments(call: &Call) -> String {
    let members: Vec<String> =
        call.arguments.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", members.join(","))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ebbline::{ReadOptions, Session, Verdict};

    #[test]
    fn the_sample_is_a_session_in_which_something_happens() {
        let text = super::text();
        assert_eq!(text, super::text(), "always the same");
        let session = Session::read(&text, &ReadOptions::default()).unwrap();
        let counts = session.counts();
        assert_eq!(counts.results, 60);
        assert!((110..=130).contains(&counts.messages), "{}", counts.messages);
        assert_eq!((counts.calls_without_result, counts.results_without_call), (0, 0));

        let mut policy = ebbline::profiles::ALL[0].policy();
        let plan = session.plan(&policy, ebbline::PlanOptions::default());
        assert_eq!(plan.verdict, Verdict::Prune);
        assert!((175_000..200_000).contains(&plan.tokens_before), "{}", plan.tokens_before);
        assert!((45_000..80_000).contains(&plan.tokens_after), "{}", plan.tokens_after);
        policy.model.context = 32_000;
        assert_eq!(
            session.plan(&policy, ebbline::PlanOptions::default()).verdict,
            Verdict::PruneThenSummarise
        );
    }
}
