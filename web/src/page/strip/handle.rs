//! A boundary that the user can move: with the pointer, the keyboard or the number box, which all change one value.

use ebbline::numbers::grouped;
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::knob::Knob;
use ebbline_web::strip::{Ruler, Weight};
use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

use super::{Room, fitting, scale_of};
use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use crate::page::live::{flag, words};
use crate::page::state::State;

fn weight(knob: Knob) -> Weight {
    if knob == Knob::Protect { Weight::Outputs } else { Weight::Everything }
}

/// The start of a drag: the pointer's position, the boundary's position in tokens, and the knob's value.
#[derive(Clone, Copy, Default)]
struct Held {
    x: f64,
    place: f64,
    value: u64,
}

/// Dragged values are rounded to multiples of this.
const ROUND: u64 = 100;

/// The position of the plan's boundary, in tokens of the file.
fn place_of(knob: Knob, planned: &DrawnPlan) -> u64 {
    let (protect, keep) = planned.figures.places;
    if knob == Knob::Protect { protect } else { keep }
}

/// What the boundary does, in a few words behind its number.
fn effect(knob: Knob, planned: &DrawnPlan) -> &str {
    let [protect, keep] = &planned.said.boundaries;
    if knob == Knob::Protect { protect } else { keep }
}

fn is_applied(knob: Knob, planned: &DrawnPlan) -> bool {
    if knob == Knob::Protect { planned.figures.prune.applied } else { planned.figures.retain.applied }
}

/// The value that a screen reader announces while the handle moves.
fn spoken(knob: Knob, value: u64, planned: &DrawnPlan) -> String {
    let what = if knob == Knob::Protect {
        "tool-output tokens protected"
    } else {
        "newest tokens kept word for word"
    };
    format!("{} {what}; {}", grouped(value), effect(knob, planned))
}

/// The value after a key; `None` for keys without a meaning here. Left and right move the boundary on the screen, up
/// and down change its value.
fn moved(knob: Knob, key: &str, alt: bool, value: u64, planned: &DrawnPlan, context: u64) -> Option<u64> {
    let ruler = Ruler::new(&planned.segments, weight(knob));
    let total = ruler.total();
    let (more, share) = match key {
        "ArrowLeft" | "ArrowUp" => (true, 100),
        "ArrowRight" | "ArrowDown" => (false, 100),
        "PageUp" => (true, 20),
        "PageDown" => (false, 20),
        "Home" => return Some(0),
        "End" => return Some(total),
        _ => return None,
    };
    if alt {
        return Some(ruler.next_edge(value.min(total), more));
    }
    let step = (context / share).max(1);
    Some(if more { (value + step).min(total.max(value)) } else { value.saturating_sub(step) })
}

/// The handle of the protection or the retention boundary.
#[component]
pub(super) fn Handle(knob: Knob, room: RwSignal<Room>) -> impl IntoView {
    let state = expect_context::<State>();
    let handle = NodeRef::<html::Div>::new();
    let dragged = RwSignal::new(false);
    let taken = StoredValue::new(Held::default());
    let value = Memo::new(move |_| state.policy.with(|policy| knob.value(policy)));
    let with = move |read: &dyn Fn(&DrawnPlan) -> String| {
        state.planned.with(|planned| planned.as_ref().map_or_else(String::new, |planned| read(planned)))
    };
    // The handle's position as a share of the width. It is the position of the plan's boundary, which may differ from
    // the knob's number.
    let place = Memo::new(move |_| {
        state.planned.with(|planned| {
            planned.as_ref().map_or(0.0, |planned| {
                let place = (planned.figures.not_in_file() + place_of(knob, planned)) as f64;
                (place / scale_of(planned, &planned.policy) as f64).min(1.0)
            })
        })
    });
    // A drag changes the knob by the distance moved.
    let take = move |event: &PointerEvent| {
        let place =
            state.planned.with_untracked(|planned| planned.as_ref().map(|shown| place_of(knob, shown)));
        taken.set_value(Held {
            x: f64::from(event.client_x()),
            place: place.unwrap_or(0) as f64,
            value: value.get_untracked(),
        });
        dragged.set(true);
    };
    let drag = move |event: &PointerEvent| {
        let held = taken.get_value();
        let moved = (f64::from(event.client_x()) - held.x) / room.get_untracked().width.max(1.0);
        let wanted = state.planned.with_untracked(|planned| {
            let planned = planned.as_ref()?;
            let by = moved * scale_of(planned, &planned.policy) as f64;
            let ruler = Ruler::new(&planned.segments, weight(knob));
            Some(ruler.dragged(held.value, held.place, held.place + by))
        });
        if let Some(wanted) = wanted {
            state.set_knob(knob, (wanted + ROUND / 2) / ROUND * ROUND);
        }
    };
    let press = move |event: KeyboardEvent| {
        let preset = (event.key() == "Backspace").then(|| knob.value(&state.preset()));
        let wanted = preset.or_else(|| {
            state.planned.with_untracked(|planned| {
                let context = state.policy.with_untracked(|policy| Knob::Context.value(policy));
                moved(knob, &event.key(), event.alt_key(), value.get_untracked(), planned.as_ref()?, context)
            })
        });
        if let Some(wanted) = wanted {
            event.prevent_default();
            event.stop_propagation();
            state.set_knob(knob, wanted);
        }
    };
    view! {
        <div
            node_ref=handle
            id=format!("handle-{}", knob.id())
            class=format!("handle {}", knob.id())
            class:held=flag(move || dragged.get())
            class:idle=flag(move || state.planned.with(|planned| planned.as_ref().is_none_or(|planned| !is_applied(knob, planned))))
            class:at-start=flag(move || place.get() * room.get().width < 120.0)
            class:at-end=flag(move || (1.0 - place.get()) * room.get().width < 120.0)
            style:left=words(move || format!("{}px", (place.get() * room.get().width).round() as i32))
            role="slider"
            tabindex="0"
            aria-label=if knob == Knob::Protect { "Protection boundary" } else { "Retention boundary" }
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax=words(move || state.planned.with(|planned| {
                let total = planned.as_ref().map_or(0, |planned| Ruler::new(&planned.segments, weight(knob)).total());
                total.max(value.get()).to_string()
            }))
            aria-valuenow=words(move || value.get().to_string())
            aria-valuetext=words(move || with(&|planned| spoken(knob, value.get(), planned)))
            on:keydown=press
            on:focus=move |_| state.held.set(Some(knob))
            on:blur=move |_| state.held.set(None)
            on:pointerdown=move |event: PointerEvent| {
                if event.button() == 0
                    && let Some(handle) = handle.get_untracked()
                {
                    let _refused = handle.set_pointer_capture(event.pointer_id());
                    let _gone = handle.focus();
                    take(&event);
                    event.prevent_default();
                }
            }
            on:pointermove=move |event: PointerEvent| if dragged.get_untracked() { drag(&event) }
            on:pointerup=move |_| dragged.set(false)
            on:pointercancel=move |_| dragged.set(false)
            on:dblclick=move |_| state.set_knob(knob, knob.value(&state.preset()))
        >
            <span class="stem"></span>
            <span class="tag">
                <span class="grip" aria-hidden="true"></span>
                <span class="name">{knob.id()}" "<b>{words(move || fitting(value.get(), room.get()))}</b></span>
                <span class="effect">{words(move || with(&|planned| effect(knob, planned).to_owned()))}</span>
            </span>
        </div>
    }
}
