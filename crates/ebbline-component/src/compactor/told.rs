//! What happened, as JSON for whoever listens.

use ebbline::Plan;
use ebbline::controller::Notice;
use ebbline::json::Writer;

use super::cause::Cause;
use super::view::About;
use crate::bindings::api::Failure;

/// Events that nobody was told yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told(Vec<String>);

impl Told {
    /// All of them, as an array, once.
    pub(crate) fn take(&mut self) -> String {
        format!("[{}]", std::mem::take(&mut self.0).join(","))
    }

    fn tell(&mut self, kind: &str, write: impl FnOnce(&mut Writer)) {
        let mut out = Writer::default();
        out.raw("{\"type\":").string(kind);
        write(&mut out);
        out.raw("}");
        self.0.push(out.finish());
    }

    /// A compaction was made.
    pub(crate) fn compacted(&mut self, about: &About) {
        self.tell("compacted", |out| {
            out.raw(",\"cause\":").string(about.cause.as_str());
            about.write(out);
            if about.carried.is_none() {
                out.raw(",\"byRule\":false");
            }
        });
    }

    /// A model is asked for a summary of what a plan summarises: part number `part` of `parts`, or the only one.
    pub(crate) fn requested(&mut self, cause: Cause, plan: &Plan, part: usize, parts: usize) {
        let retain = &plan.decision.retain;
        self.tell("summary_requested", |out| {
            out.raw(",\"cause\":").string(cause.as_str());
            let figures = [
                (",\"messages\":", retain.messages as u64),
                (",\"tokens\":", retain.summarised),
                (",\"part\":", part as u64),
                (",\"parts\":", parts as u64),
            ];
            for (name, figure) in figures {
                out.raw(name).number(figure);
            }
        });
    }

    /// There is no summary.
    pub(crate) fn failed(&mut self, cause: Cause, error: &Failure) {
        self.tell("summary_failed", |out| {
            out.raw(",\"cause\":").string(cause.as_str());
            write_error(error, out);
        });
    }

    /// The provider refused a request as too large.
    pub(crate) fn overflow(&mut self, words: &str) {
        self.tell("overflow", |out| {
            out.raw(",\"message\":").string(words);
        });
    }

    /// Nothing makes the context fit.
    pub(crate) fn gave_up(&mut self, error: &Failure) {
        self.tell("gave_up", |out| write_error(error, out));
    }

    /// The view is sent, though it is estimated at more than the window.
    pub(crate) fn over_window(&mut self, tokens: u64, window: u64) {
        let sentence = format!(
            "what is sent has about {tokens} tokens, and the context window has {window}: nothing more could be cleared or summarised"
        );
        // Said at each request until somebody listens: the newest figures do.
        self.0.retain(|event| !event.starts_with("{\"type\":\"over_window\""));
        self.tell("over_window", |out| {
            out.raw(",\"tokens\":").number(tokens).raw(",\"window\":").number(window);
            out.raw(",\"message\":").string(&sentence);
        });
    }

    /// Known messages were changed or are gone: the first `kept` of `known` stand, and `sent` messages are sent now.
    pub(crate) fn edited(&mut self, kept: usize, known: usize, sent: usize) {
        let reason = if kept == 0 {
            format!(
                "none of the {known} known messages is in the history: pass the whole history at each call, and use one compactor for each session"
            )
        } else {
            format!(
                "the first {kept} of {known} known messages are as they were; what was decided about the others is dropped"
            )
        };
        self.tell("edited", |out| {
            let figures =
                [(",\"messages\":", sent as u64), (",\"kept\":", kept as u64), (",\"known\":", known as u64)];
            for (name, figure) in figures {
                out.raw(name).number(figure);
            }
            out.raw(",\"reason\":").string(&reason);
        });
    }

    /// Something is most likely a mistake of the caller.
    pub(crate) fn notice(&mut self, notice: Notice, sentence: &str) {
        self.tell("notice", |out| {
            out.raw(",\"kind\":").string(notice.as_str()).raw(",\"message\":").string(sentence);
        });
    }

    /// A compaction was taken back, or made again; so many messages are sent now.
    pub(crate) fn turned(&mut self, is_redo: bool, sent: usize) {
        self.tell(if is_redo { "redone" } else { "undone" }, |out| {
            out.raw(",\"messages\":").number(sent as u64);
        });
    }
}

/// An error as members of an event.
fn write_error(error: &Failure, out: &mut Writer) {
    out.raw(",\"code\":").string(&error.code).raw(",\"message\":").string(&error.message);
}
