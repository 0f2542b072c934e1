//! The help: what the page shows, and its keys. Also the frame of all dialogs.

use leptos::html;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{click, effect, field, flag, part};
use super::panels::Dialog;
use super::shortcuts;
use super::state::State;

/// A dialog. The browser traps the focus in it, closes it with Esc, and restores the focus.
#[component]
pub(super) fn Modal(
    which: Dialog,
    id: &'static str,
    title: &'static str,
    children: ChildrenFn,
) -> impl IntoView {
    let state = expect_context::<State>();
    let dialog = NodeRef::<html::Dialog>::new();
    let is_open = Memo::new(move |_| state.dialog.get() == Some(which));
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        if is_open.get() && !dialog.open() {
            let _never = dialog.show_modal();
        } else if !is_open.get() && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <dialog node_ref=dialog id=id aria-labelledby=format!("{id}-title") on:close=move |_| {
            if state.dialog.get_untracked() == Some(which) {
                state.dialog.set(None);
            }
        }>
            <div class="heading">
                <h2 id=format!("{id}-title")>{title}</h2>
                <button type="button" class="small" on:click=click(move || state.dialog.set(None))>"Close"</button>
            </div>
            {part(move || is_open.get().then(|| children()))}
        </dialog>
    }
}

#[component]
pub(super) fn Help() -> impl IntoView {
    let letters = RwSignal::new(shortcuts::letters_are_on());
    view! {
        <Modal which=Dialog::Help id="help" title="What this shows">
            <p>
                "An agent's context fills with tool output. "<b>"Pruning"</b>" clears old outputs behind the protection boundary; "
                <b>"summarizing"</b>" replaces everything before the retention boundary when the window is full. The upper picture is the session's life, \
                request by request; the lower one its context at the moment that the line marks. The knobs act on that moment. \
                Drag the line or the boundaries, or drop a session of your own anywhere on the page. It stays in this tab: nothing is sent anywhere. \
                This browser stores the settings for the next visit, but nothing from a session."
            </p>
            <p class="quiet">
                "All token counts are estimates from the length of the text, made as in the chosen profile's system."
            </p>
            <h3>"Keys"</h3>
            <dl class="keys">
                {shortcuts::KEYS.iter().map(|(key, what)| view! { <div><dt><kbd>{*key}</kbd></dt><dd>{*what}</dd></div> }).collect_view()}
            </dl>
            <label class="check">
                <input type="checkbox" prop:checked=flag(move || letters.get()) on:change=field(move |field| {
                    letters.set(field.checked());
                    shortcuts::switch_letters(field.checked());
                })/>
                <span>"Single letters are keys"</span>
            </label>
        </Modal>
    }
}
