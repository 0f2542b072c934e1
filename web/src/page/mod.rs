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
    // The module that is shipped has no messages of panics.
    #[cfg(debug_assertions)]
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&wasm_bindgen::JsValue::from_str(&info.to_string()));
    }));
    app::mount();
}
