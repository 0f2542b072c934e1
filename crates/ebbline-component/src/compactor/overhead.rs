//! What is sent beside the messages, learnt from reported usage.

/// The tokens, as the caller said or as usage showed. The request with the fewest messages says it best: what others say also
/// holds the error of the messages' estimate.
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    pub(crate) tokens: Option<u64>,
    least: Option<(u64, u64)>,
}

impl Overhead {
    /// What the caller said.
    pub(crate) fn new(tokens: Option<u64>) -> Self {
        Self { tokens, least: None }
    }

    /// Learns from a request of which so many tokens are reported, and whose messages are estimated at `sent`.
    pub(crate) fn learn(&mut self, reported: u64, sent: u64) {
        let tokens = reported.saturating_sub(sent);
        if self.least.is_none_or(|(least, _)| sent <= least) {
            self.least = Some((sent, tokens));
        }
        self.tokens = Some(tokens.max(self.least.map_or(0, |(_, tokens)| tokens)));
    }
}
