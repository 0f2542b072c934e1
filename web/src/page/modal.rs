//! The frame of all dialogs.

use leptos::html;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{click, effect, part};
use super::panels::Dialog;
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
    let is_open = Memo::new(move |_| state.dialog.is(which));
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
