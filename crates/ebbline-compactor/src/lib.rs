//! Keeps the session of an LLM agent inside its context window.
//!
//! The agent hands over its whole history before each request and sends what the compactor says. The engine
//! ([`ebbline`]) decides when something is done and what; this crate carries it out and remembers it.
//!
//! # Example
//!
//! ```
//! use ebbline_compactor::{Compactor, Event, Model, Options, RequestInfo, Step, Usage};
//! use serde_json::{Value, json};
//!
//! // A small window, so that something happens.
//! let options = Options::new().model(Model::new(8_000).output(1_000)).set("retain.keep", "1500");
//! let mut compactor = Compactor::new(options)?;
//!
//! let mut history: Vec<Value> = vec![json!({"role": "user", "content": "Mend the login test."})];
//! for number in 0..30 {
//!     let step = compactor.prepare(&history, RequestInfo::new())?;
//!     // Ask your model with `request.system`, `request.messages` and `request.max_tokens`.
//!     let step = compactor.summarize(step, |_request| {
//!         Ok::<_, std::io::Error>("The user wants the login test mended. The agent has read files; none explains it.".to_owned())
//!     })?;
//!     assert!(matches!(step, Step::Send));
//!     let body: Vec<&str> = compactor.messages().collect();
//!     // Send `body`; then say how large the provider found it, if it said so.
//!     compactor.usage(Usage::default());
//!
//!     let call = json!({"name": "read", "arguments": "{}"});
//!     let calls = json!([{"id": format!("call_{number}"), "type": "function", "function": call}]);
//!     history.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
//!     let output = format!("line {number} of the file\n").repeat(60);
//!     history.push(json!({"role": "tool", "tool_call_id": format!("call_{number}"), "content": output}));
//! }
//! assert!(compactor.messages().count() < history.len());
//! assert!(compactor.events().iter().any(|event| matches!(event, Event::Compacted(_))));
//!
//! // Everything that was decided can be taken back.
//! while compactor.undo()? {}
//! assert!(compactor.messages().eq(compactor.history()));
//! # Ok::<(), ebbline_compactor::CompactorError>(())
//! ```
//!
//! `examples/agent.rs` shows the loop of an agent, with an overflow, and with another process that goes on.
//!
//! # How it is made
//!
//! A call returns a [`Step`]: what is to be sent, or what the caller has to do first. There is no clock, no model, no thread and no
//! async runtime inside, so a [`Compactor`] can be driven from a loop of any kind.
//!
//! There are three parts. `course` decides: when something is done, what follows what, who is asked, what a refusal teaches. It sees
//! decisions and sizes, never a message, and answers with actions. `compactor` carries them out for messages that are texts, and `texts`
//! reads, counts, pins and edits these (`LiveMessages`). The npm package carries the same course out for live objects
//! (`npm/src/course-actions.ts`). Both ask `judgement` whether an answer may replace history.
//!
//! What both hosts still have of their own: the requests of a summary in parts (`compactor::summary`), a
//! summary that is put in front of an edited tail (`compactor::background`), the view of a history (`view`), and records (`record`).

mod chunks;
mod compaction;
mod compactor;
mod context_size;
mod course;
mod error;
mod event;
mod judgement;
mod message;
mod options;
mod overflow;
mod recall_tool;
mod record;
mod reference_places;
mod step;
mod summary_request;
mod texts;
mod usage;
mod view;

pub use compaction::{Cause, Compaction, SummaryAppendix};
pub use compactor::Compactor;
pub use error::CompactorError;
pub use event::Event;
pub use message::Message;
pub use options::{Author, Background, Chunks, Fallback, Model, Options};
pub use step::{Original, Permission, RequestInfo, Step, Wishes};
pub use summary_request::{SummaryMessage, SummaryRequest};
pub use usage::Usage;
pub use view::{Sent, View};

/// What bindings take from this crate beyond its API. It may change in any version.
#[doc(hidden)]
pub mod binding {
    pub use crate::chunks::{Division, Weight, is_too_much, joined_summaries};
    pub use crate::compactor::seen;
    pub use crate::context_size::larger_summary;
    pub use crate::course::{Action, CallFacts, Context, Course, Order, Passed};
    pub use crate::event::reason_of_edit;
    pub use crate::judgement::{Refusal, judged};
    pub use crate::options::{
        POLICY, acceptance_of, introductions, members, policy_of, reading_of, trigger_of,
    };
    pub use crate::overflow::LearntWindow;
    pub use crate::recall_tool::recall_tools;
    pub use crate::texts::{LiveMessages, Outcome, SUMMARIZES_ALL};
}
