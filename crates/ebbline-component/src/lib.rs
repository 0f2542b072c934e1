//! The engine as a WebAssembly component. Nothing is decided here: each export hands its arguments to the engine and its
//! answer back, and a compactor is that of the crate `ebbline-compactor`.
//!
//! What crosses, and how, is in `wit/engine.wit`. It was measured in wasmtime for Python, whose calls are the dearest of all
//! hosts: a call takes 20 microseconds, a member of a record 10 more, an element of a list of variants 45. So what is called
//! before every request returns one flat record or a text, and views leave as JSON.

mod commands;
mod compactor;
mod failure;
mod life;
mod options;
mod session;
mod texts;
mod weighed;

use bindings::api;

/// What `wit-bindgen` writes.
#[allow(
    unsafe_code,
    missing_docs,
    clippy::pedantic,
    clippy::indexing_slicing,
    clippy::allow_attributes_without_reason,
    unreachable_pub,
    missing_debug_implementations,
    reason = "generated: the canonical ABI passes pointers into the module's memory, and nothing else can write them"
)]
mod bindings {
    wit_bindgen::generate!({ path: "wit", world: "engine" });

    pub(crate) use exports::ebbline::engine::{api, commands};

    use super::Component;

    export!(Component);
}

/// The component.
#[derive(Debug)]
struct Component;

impl api::Guest for Component {
    type Session = session::Growing;
    type Compactor = compactor::Keeper;
    type Sweep = weighed::Swept;

    fn detect(text: String) -> Result<api::Detection, api::Failure> {
        Ok(texts::detect(text)?)
    }

    fn read(text: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::read(text, &options)?)
    }

    fn count(text: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::count(text, &options)?)
    }

    fn call_ids(text: String, calls: Vec<u32>, options: String) -> Result<Vec<String>, api::Failure> {
        Ok(texts::call_ids(text, &calls, &options)?)
    }

    fn plan(text: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::plan(text, &options)?)
    }

    fn compact(text: String, options: String) -> Result<api::Compacted, api::Failure> {
        Ok(texts::compact(text, &options)?)
    }

    fn compact_messages(messages: String, options: String) -> Result<api::Changed, api::Failure> {
        Ok(texts::compact_messages(messages, &options)?)
    }

    fn summary_request(text: String, options: String) -> Result<Option<String>, api::Failure> {
        Ok(texts::summary_request(text, &options)?)
    }

    fn summary_again(
        text: String,
        options: String,
        answer: String,
        reminder: String,
    ) -> Result<String, api::Failure> {
        Ok(texts::summary_again(text, &options, &answer, &reminder)?)
    }

    fn review_summary(
        context: String,
        answer: String,
        truncated: bool,
    ) -> Result<api::Summary, api::Failure> {
        Ok(texts::review_summary(&context, &answer, truncated)?)
    }

    fn summary_shortcomings(text: String, summary: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::summary_shortcomings(text, &summary, &options)?)
    }

    fn deterministic_summary(text: String, options: String) -> Result<Option<String>, api::Failure> {
        Ok(texts::deterministic_summary(text, &options)?)
    }

    fn validate(text: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::validate(text, &options)?)
    }

    fn repair(text: String, options: String) -> Result<api::Repaired, api::Failure> {
        Ok(texts::repair(text, &options)?)
    }

    fn classify_error(error: String, options: String) -> Result<String, api::Failure> {
        Ok(texts::classify_error(&error, &options)?)
    }

    fn introductions() -> String {
        ebbline_compactor::binding::introductions()
    }

    fn profiles() -> String {
        texts::profiles()
    }

    fn replay(text: String, options: String) -> Result<String, api::Failure> {
        Ok(life::replay(text, &options)?)
    }

    fn compare(text: String, policies: String, options: String) -> Result<String, api::Failure> {
        Ok(life::compare(text, &policies, &options)?)
    }

    fn weigh(text: String, grid: String, options: String) -> Result<String, api::Failure> {
        Ok(weighed::weigh(text, &grid, &options)?)
    }

    fn audit(text: String, findings: u32, options: String) -> Result<String, api::Failure> {
        Ok(life::audit(text, findings, &options)?)
    }

    fn output_of_call(text: String, id: String, options: String) -> Result<Option<String>, api::Failure> {
        Ok(texts::output_of_call(text, &id, &options)?)
    }

    fn ask_system(
        system: String,
        question: String,
        data: String,
        options: String,
    ) -> Result<String, api::Failure> {
        Ok(ebbline_compat::ask(&system, &question, &data, &options)?)
    }
}
