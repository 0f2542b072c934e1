//! The worker's program: it reads, keeps and writes the sessions of files. It brings the readers and writers of all
//! formats, which the page itself does without.
#![cfg_attr(not(target_arch = "wasm32"), allow(missing_docs, reason = "the worker exists only in a browser"))]

#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(target_arch = "wasm32")]
fn main() {
    worker::serve();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}
