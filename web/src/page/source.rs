//! What a worker opens: a sample or a file, while it is read, and why it could not be opened.

use ebbline_web::error_text::UserError;
use ebbline_web::sample::Sample;
use ebbline_web::sessions::{Arrival, Source};
use wasm_bindgen::JsCast;

/// A file that a worker is reading.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loading {
    pub(super) name: String,
    pub(super) size: f64,
    pub(super) read: f64,
}

/// The error of a file that could not be opened.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failed {
    pub(super) name: String,
    pub(super) problem: UserError,
}

/// What a worker opens.
#[derive(Clone)]
pub(super) enum Content {
    Sample(&'static Sample),
    File(web_sys::Blob),
}

impl PartialEq for Content {
    /// The same sample, or the same file, unchanged.
    fn eq(&self, other: &Self) -> bool {
        let about = |blob: &web_sys::Blob| {
            let file = blob.dyn_ref::<web_sys::File>();
            file.map(|file| (file.name(), file.size(), file.last_modified()))
        };
        match (self, other) {
            (Self::Sample(one), Self::Sample(other)) => one.id == other.id,
            (Self::File(one), Self::File(other)) => {
                one == other || about(one).is_some_and(|one| about(other) == Some(one))
            }
            _ => false,
        }
    }
}

/// A session of the menu.
#[derive(Clone)]
pub(super) struct FileSource {
    /// Its number in the menu.
    pub(super) number: u32,
    pub(super) file: Source<Content>,
    /// What came at once with it, if it is the first.
    pub(super) came: Arrival,
}

/// Told how a session that another window handed over was opened: the number of its messages, or why not.
pub(super) type Outcome = Box<dyn FnOnce(Result<u64, UserError>)>;
