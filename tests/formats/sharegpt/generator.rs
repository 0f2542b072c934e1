//! Conversations as data of `ShareGPT`.

use serde_json::{Value, json};

use super::{Said, Spelling, arguments};

pub(super) const SPELLINGS: &[Spelling] = &[("sharegpt", sharegpt)];

fn sharegpt(said: &[Said]) -> String {
    let mut turns = Vec::new();
    let mut add = |from: &str, value: &str| turns.push(json!({"from": from, "value": value}));
    for said in said {
        match said {
            Said::Person(text) => add("human", text),
            Said::Answer(text) => add("gpt", text),
            Said::Calls { calls, .. } => {
                for call in calls {
                    add("function_call", &json!({"name": call.name, "arguments": arguments()}).to_string());
                }
                calls.iter().filter_map(|call| call.output.as_ref()).for_each(|output| add("observation", output));
            }
        }
    }
    json!({"conversations": Value::Array(turns), "tools": "[]"}).to_string()
}
