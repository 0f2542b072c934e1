//! One request of a kind at a time, and the newest of those that arrive meanwhile.

use ebbline_web::question::Request;
use leptos::prelude::*;

/// Lets one request through at a time, and remembers only the newest of the requests that arrive meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Latest {
    busy: StoredValue<Option<u32>>,
    next: StoredValue<Option<(u32, Request)>>,
}

impl Latest {
    pub(super) fn new() -> Self {
        Self { busy: StoredValue::new(None), next: StoredValue::new(None) }
    }

    pub(super) fn run(
        self,
        request: (u32, Request),
        send: impl Fn((u32, Request), Box<dyn FnOnce()>) + Copy + 'static,
    ) {
        // A request for an earlier session is never answered, so it must not block this one.
        if self.busy.get_value() == Some(request.0) {
            self.next.set_value(Some(request));
            return;
        }
        self.busy.set_value(Some(request.0));
        // What still waits is about an earlier session: asked of this one, its answer would be taken for the newest.
        self.next.set_value(None);
        // What asked may be gone when it is answered: a sheet is closed with its dialog.
        let done = move || {
            if self.busy.try_update_value(Option::take).is_none() {
                return;
            }
            let next = self.next.try_update_value(Option::take).flatten();
            if let Some(next) = next {
                self.run(next, send);
            }
        };
        send(request, Box::new(done));
    }
}
