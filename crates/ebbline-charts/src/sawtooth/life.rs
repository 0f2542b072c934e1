//! The requests of a life.

/// What happened before a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Outputs were pruned.
    Prune,
    /// Messages were summarized, whether or not outputs were pruned as well.
    Summary,
}

/// One request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Tokens before it was made room.
    pub before: u64,
    /// Tokens that are sent.
    pub sent: u64,
    /// How room was made.
    pub event: Option<Event>,
}

/// The requests of a life, in order.
pub type Life = Vec<Point>;
