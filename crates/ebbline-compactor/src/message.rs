//! What an agent has as messages.

use std::borrow::Cow;

/// A message of an agent: JSON, as the provider's API takes it.
///
/// # Example
///
/// ```
/// use ebbline_compactor::Message;
/// let message = serde_json::json!({"role": "user", "content": "Mend the login test."});
/// assert_eq!(message.json(), r#"{"content":"Mend the login test.","role":"user"}"#);
/// ```
pub trait Message {
    /// The message as JSON. It must be the same text each time: only what changes is read again.
    fn json(&self) -> Cow<'_, str>;
}

impl Message for str {
    fn json(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl Message for String {
    fn json(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl Message for serde_json::Value {
    fn json(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl<M: Message + ?Sized> Message for &M {
    fn json(&self) -> Cow<'_, str> {
        (*self).json()
    }
}
