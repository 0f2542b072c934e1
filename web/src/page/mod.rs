//! The page.
#![expect(unreachable_pub, reason = "the component macro writes structs of its own, and they are public")]

mod address;
mod app;
mod attributes;
mod backend;
mod bar;
mod before;
mod blocks;
mod browser;
mod canvas;
mod chip;
mod choice;
mod export_dialog;
mod follow;
mod hand_over;
mod inspector;
mod keys;
mod latest;
mod lesson;
mod life;
mod list;
mod live;
mod modal;
mod notices;
mod open;
mod panels;
mod paste;
mod samples;
mod scrubber;
mod settings;
mod sheet;
mod shortcuts;
mod shown_life;
mod source;
mod state;
mod strip;
mod theme;
mod theme_switch;
mod verdict_line;

pub(crate) fn start() {
    std::panic::set_hook(Box::new(|info| {
        let said = info.to_string();
        web_sys::console::error_1(&wasm_bindgen::JsValue::from_str(&said));
        // The message may quote a session; the place does not.
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        notices::show_panic(&place);
    }));
    app::mount();
}
