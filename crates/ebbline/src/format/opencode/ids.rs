//! Ids as OpenCode makes them: a time and random characters.

use std::collections::HashSet;

use super::{Stored, StoredPart};
use crate::json::Text;

/// The ids of two new messages and of the part of each.
#[derive(Debug)]
pub(super) struct Ids {
    pub(super) messages: [String; 2],
    pub(super) parts: [String; 2],
}

impl Ids {
    /// Unused ids that sort after all others, because OpenCode orders messages by them.
    pub(super) fn after(stored: &[Stored<'_>], now: u64) -> Self {
        let decoded = |id: Option<Text<'_>>| id.map(|id| id.decode().into_owned());
        let newest = stored.iter().filter_map(|message| decoded(message.id)).max().unwrap_or_default();
        let messages = match Moment::next(&newest, now) {
            Some(moment) => [moment.id(&newest, 0), moment.id(&newest, 1)],
            None => [format!("{newest}0"), format!("{newest}1")],
        };
        let parts: HashSet<String> = stored
            .iter()
            .flat_map(|message| message.parts.iter())
            .filter_map(|part: &StoredPart<'_>| decoded(part.id))
            .collect();
        let parts = messages.each_ref().map(|message| {
            let mut id = format!("prt_{}", message.strip_prefix("msg_").unwrap_or(message));
            while parts.contains(&id) {
                id.push('0');
            }
            id
        });
        Self { messages, parts }
    }
}

/// The clock of OpenCode's ids: milliseconds times 4,096 plus a counter; the last 48 bits are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment(u64);

impl Moment {
    const BITS: u64 = (1 << 48) - 1;

    /// The current time, or the next one after `newest` if that is later; `None` if `newest` has another form.
    fn next(newest: &str, now: u64) -> Option<Self> {
        let present = now.wrapping_mul(4_096) & Self::BITS;
        if newest.is_empty() {
            return Some(Self(present));
        }
        let digits =
            newest.strip_prefix("msg_").filter(|rest| rest.len() == 26).and_then(|rest| rest.get(..12))?;
        let is_lower = digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        let written = u64::from_str_radix(digits, 16).ok().filter(|_| is_lower)?;
        Some(Self(present.max(written + 1))).filter(|moment| moment.0 < Self::BITS)
    }

    /// The id `step` steps from here. Its random characters are computed from `seed`, so that the same session gives
    /// the same ids.
    fn id(self, seed: &str, step: u64) -> String {
        const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut state = seed.bytes().chain([step as u8]).fold(0xcbf2_9ce4_8422_2325_u64, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let lot = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            LETTERS.get((state >> 33) as usize % LETTERS.len()).copied().map_or('0', char::from)
        });
        format!("msg_{:012x}{}", self.0 + step, lot.take(14).collect::<String>())
    }
}
