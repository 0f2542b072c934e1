//! The messages of a saved session, as TunaCode's loader accepts them.

use ebbline::format::tinyagent::refusal;
use ebbline::json::Value;
use ebbline::{Error, ErrorCode};

/// The messages of a session if TunaCode 0.2.3 would load all of them; an empty list for `null`.
///
/// # Errors
///
/// `invalid_message` with the first fault.
pub(super) fn loaded(messages: Value<'_>) -> Result<Vec<Value<'_>>, Error> {
    let why = if messages.is_array() {
        messages.elements().find_map(refusal)
    } else {
        (!messages.is_null()).then(|| "messages must be a list".to_owned())
    };
    match why {
        Some(why) => Err(Error::new(ErrorCode::InvalidMessage, why)),
        None => Ok(messages.elements().collect()),
    }
}
