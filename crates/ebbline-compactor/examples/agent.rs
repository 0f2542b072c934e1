//! An agent that reads files until its context is full, and goes on: `cargo run -p ebbline-compactor --example agent`.
//!
//! Provider and model are stand-ins of a few lines. What an agent of yours needs is in `Agent`.

#![expect(clippy::print_stdout, reason = "it tells what happens")]

use ebbline_compactor::{
    Compactor, CompactorError, Event, Model, Options, RequestInfo, SummaryRequest, Usage,
};
use serde_json::{Value, json};

/// The window that the caller believes in, and the smaller one that the provider has, in tokens.
const BELIEVED: u64 = 16_000;
const REAL: u64 = 12_000;

/// The loop of an agent: its whole history, and the compactor that says what to send of it.
struct Agent {
    history: Vec<Value>,
    compactor: Compactor,
}

impl Agent {
    fn new(options: Options) -> Result<Self, CompactorError> {
        Ok(Self { history: Vec::new(), compactor: Compactor::new(options)? })
    }

    /// One request: what to send, the answer, and what the provider says about its size.
    fn request(&mut self) -> Result<(), CompactorError> {
        let step = self.compactor.prepare(&self.history, RequestInfo::new())?;
        self.compactor.summarize(step, summary)?;
        let answer = match provider(&self.body()) {
            Ok(answer) => answer,
            Err(refusal) => {
                // The window is smaller than we thought: the compactor learns it, and the request is made again.
                let step = self.compactor.recover(&self.history, &refusal, RequestInfo::new())?;
                self.compactor.summarize(step, summary)?;
                provider(&self.body()).unwrap_or_else(|refusal| panic!("refused twice: {refusal}"))
            }
        };
        self.compactor.usage(answer.usage);
        self.history.push(answer.message);
        self.history.push(answer.output);
        Ok(())
    }

    /// The body of a request: a JSON array of what is sent.
    fn body(&self) -> String {
        format!("[{}]", self.compactor.messages().collect::<Vec<_>>().join(","))
    }
}

fn main() -> Result<(), CompactorError> {
    let mut agent = Agent::new(options())?;
    agent.history.push(json!({"role": "user", "content": "Mend the login test. Never push to main."}));
    for number in 0..60 {
        agent.request()?;
        for event in agent.compactor.events() {
            println!("request {number:2}: {}", in_words(&event));
        }
    }
    agent.compactor.prepare(&agent.history, RequestInfo::new())?;
    let sent = agent.compactor.messages().count();
    println!("the history has {} messages, and {sent} are sent", agent.history.len());

    // Another process goes on with the same history and the record.
    let record = agent.compactor.record();
    let mut resumed =
        Agent { history: agent.history.clone(), compactor: Compactor::new(options().record(&record)?)? };
    resumed.compactor.prepare(&resumed.history, RequestInfo::new())?;
    assert_eq!(resumed.body(), agent.body());
    println!("another process sends the same");
    Ok(())
}

fn options() -> Options {
    Options::new().model(Model::new(BELIEVED).output(2_000)).set("retain.keep", "3000")
}

fn in_words(event: &Event) -> String {
    match event {
        Event::Compacted(compaction) => format!(
            "compacted ({}): {} outputs cleared, {} messages summarized, {} tokens of {} left",
            compaction.cause.as_str(),
            compaction.pruned,
            compaction.summarized,
            compaction.tokens_after,
            compaction.tokens_before
        ),
        Event::SummaryRequested { messages, tokens, .. } => {
            format!("a summary is asked for of {messages} messages with {tokens} tokens")
        }
        event => event.to_json(),
    }
}

/// What a model would say. A real one is asked with `system`, `messages` and `max_tokens`.
fn summary(request: &SummaryRequest) -> Result<String, std::io::Error> {
    if request.messages.is_empty() {
        return Err(std::io::Error::other("there is nothing to summarize"));
    }
    Ok("The user wants the login test mended. The agent has read source files one after the other; none of them \
        explains yet why the test fails, and nothing was changed."
        .to_owned())
}

/// The answer of a provider: a call, its output, and the size of the request.
struct Answer {
    message: Value,
    output: Value,
    usage: Usage,
}

/// A provider that counts four bytes as a token, and refuses what is too large.
fn provider(body: &str) -> Result<Answer, String> {
    let tokens = body.len() as u64 / 4;
    if tokens > REAL {
        return Err(format!("prompt is too long: {tokens} tokens > {REAL} maximum"));
    }
    let id = format!("call_{tokens}");
    let call = json!({"name": "read_file", "arguments": "{\"path\": \"src/login.rs\"}"});
    let thought =
        "The test logs in twice, and the second time fails: the session may not be closed. ".repeat(8);
    let message = json!({"role": "assistant", "content": thought, "tool_calls": [{"id": id, "type": "function", "function": call}]});
    let output =
        json!({"role": "tool", "tool_call_id": id, "content": "fn login() -> bool { true }\n".repeat(60)});
    Ok(Answer { message, output, usage: Usage::of_tokens(tokens) })
}
