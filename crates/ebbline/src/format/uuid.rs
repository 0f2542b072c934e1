//! Ids for entries that are added to a session.

/// An unused id in the form of a UUID, always the same for the same session. Tries numbers from `start` on.
pub(super) fn fresh_uuid(start: usize, is_taken: impl Fn(&str) -> bool) -> String {
    let mut count = start as u64;
    loop {
        let id = format!("{:08x}-0000-4000-8000-{count:012x}", (count as u32).wrapping_mul(0x9E37_79B1));
        if !is_taken(&id) {
            return id;
        }
        count = count.wrapping_add(1);
    }
}
