//! Conversations as chats of VS Code with Copilot.

use serde_json::{Map, Value, json};

use super::{Said, Spelling, THINKING, arguments, lines, pretty};

pub(super) const SPELLINGS: &[Spelling] = &[("vscode_chat", document), ("vscode_chat/lines", changes)];

fn document(said: &[Said]) -> String {
    pretty(&session(&requests(said)))
}

fn changes(said: &[Said]) -> String {
    let begins = json!({"kind": 0, "v": session(&[])});
    let added = requests(said).into_iter().map(|request| json!({"kind": 2, "k": ["requests"], "v": [request]}));
    lines([begins].into_iter().chain(added))
}

fn session(requests: &[Value]) -> Value {
    json!({"version": 3, "responderUsername": "GitHub Copilot", "sessionId": "s", "requests": requests})
}

/// What a person said, the rounds behind it, and the results of their calls.
type Request = (String, Vec<Value>, Map<String, Value>);

/// One request for each message of the person, with the rounds behind it.
fn requests(said: &[Said]) -> Vec<Value> {
    let mut made: Vec<Request> = Vec::new();
    for said in said {
        if let Said::Person(text) = said {
            made.push((text.clone(), Vec::new(), Map::new()));
            continue;
        }
        if made.is_empty() {
            made.push((String::new(), Vec::new(), Map::new()));
        }
        let number: usize = made.iter().map(|(_, rounds, _)| rounds.len()).sum();
        let Some((_, rounds, results)) = made.last_mut() else { continue };
        let id = format!("round_{number}");
        match said {
            Said::Person(_) => {}
            Said::Answer(text) => rounds.push(json!({"id": id, "response": text, "toolCalls": []})),
            Said::Calls { signature, calls } => {
                let called = calls.iter().map(|call| {
                    json!({"id": call.id, "name": call.name, "arguments": arguments().to_string()})
                });
                let mut round = json!({"id": id, "response": "", "toolCalls": called.collect::<Vec<_>>()});
                if let Some(signature) = signature {
                    round["thinking"] = json!({"id": "t", "text": THINKING, "encrypted": signature});
                }
                rounds.push(round);
                for call in calls {
                    if let Some(output) = &call.output {
                        let content = json!([{"$mid": 21, "value": output}]);
                        results.insert(call.id.clone(), json!({"$mid": 20, "content": content}));
                    }
                }
            }
        }
    }
    let request = |(at, (text, rounds, results)): (usize, Request)| {
        json!({"requestId": format!("r{at}"), "message": {"text": text, "parts": []}, "response": [],
            "result": {"metadata": {"toolCallRounds": rounds, "toolCallResults": results}}})
    };
    made.into_iter().enumerate().map(request).collect()
}
