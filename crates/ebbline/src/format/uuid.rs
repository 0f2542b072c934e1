//! Ids for what is added to a session.

/// An id in the shape of a UUID that is not taken; the same session gives the same id. Numbers from `start` on are tried.
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
