//! The worker's program: it reads, keeps, plans and writes sessions. The page itself contains nothing of that.
#![cfg_attr(not(target_arch = "wasm32"), allow(missing_docs, reason = "the worker exists only in a browser"))]

#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::serve();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
