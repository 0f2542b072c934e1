//! An edge that the user can move: with the pointer, the keyboard or the number box, which all change one value. It turns the
//! knob that decides there; where none does, it is not drawn.

use ebbline::numbers::grouped;
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::edge::Edge;
use ebbline_web::knob::Knob;
use ebbline_web::lever::Lever;
use ebbline_web::strip::{Ruler, Weight};
use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

use super::{Room, fitting, scale_of, shown_scale};
use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use crate::page::live::{flag, words};
use crate::page::state::State;

/// The start of a drag: the knob, the pointer's position, the edge's position in tokens, and the value that belongs to it.
#[derive(Clone, Copy)]
struct Held {
    knob: Knob,
    x: f64,
    place: f64,
    value: u64,
}

/// The widest window that a key reaches.
const MOST: u64 = 2_000_000;
/// Dragged values are rounded to multiples of this.
const ROUND: u64 = 100;

fn lever(edge: Edge, planned: &DrawnPlan) -> Option<&Lever> {
    planned.said.levers.get(edge as usize)
}

/// The position of the edge, in tokens from the left.
fn place_of(edge: Edge, planned: &DrawnPlan, window: u64) -> u64 {
    let (prune, keep) = planned.figures.places;
    match edge {
        Edge::Prune => planned.figures.not_in_file() + prune,
        Edge::Keep => planned.figures.not_in_file() + keep,
        Edge::Limit => window,
    }
}

/// The value after a key; `None` for keys without a meaning here. Left and right move the edge on the screen, up and down
/// change its value.
fn moved(knob: Knob, key: &str, alt: bool, value: u64, planned: &DrawnPlan, context: u64) -> Option<u64> {
    let ruler = Ruler::new(&planned.segments, Weight::of(knob));
    let is_window = knob == Knob::Context;
    let total = if is_window { MOST } else { ruler.total() };
    let (more, share) = match key {
        // The window ends where its value is; everything else is counted from the newest message.
        "ArrowLeft" => (!is_window, 100),
        "ArrowRight" => (is_window, 100),
        "ArrowUp" => (true, 100),
        "ArrowDown" => (false, 100),
        "PageUp" => (true, 20),
        "PageDown" => (false, 20),
        "Home" => return Some(if is_window { ebbline_web::knob::MIN_CONTEXT } else { 0 }),
        "End" => return Some(total),
        _ => return None,
    };
    if alt && !is_window {
        return Some(ruler.next_edge(value.min(total), more));
    }
    let step = if knob.is_count() { 100 / share } else { (context / share).max(1) };
    let least = u64::from(is_window);
    Some(if more { (value + step).min(total.max(value)) } else { value.saturating_sub(step).max(least) })
}

/// What is moved.
#[derive(Clone, Copy)]
struct Grip {
    state: State,
    edge: Edge,
    room: RwSignal<Room>,
    /// Whether it is dragged, and from where.
    dragged: RwSignal<bool>,
    held: StoredValue<Held>,
    /// The code of the knob that it turns.
    code: Memo<Option<u32>>,
    value: Memo<u64>,
}

impl Grip {
    fn new(state: State, edge: Edge, room: RwSignal<Room>) -> Self {
        let dragged = RwSignal::new(false);
        // While it is held, it stays and turns the same knob, even where that changes nothing any more.
        let code = Memo::new(move |before: Option<&Option<u32>>| {
            let is_held = dragged.get() || state.held.is(edge);
            let now = state.planned.with(|planned| lever(edge, planned.as_ref()?)?.knob);
            let before = before.copied().flatten().filter(|_| is_held);
            before.or(now.map(|knob| knob as u32))
        });
        let value = Memo::new(move |_| {
            let knob = code.get().map(Knob::from_code);
            knob.map_or(0, |knob| state.policy.with(|policy| knob.value(policy)))
        });
        let held = StoredValue::new(Held { knob: Knob::Context, x: 0.0, place: 0.0, value: 0 });
        Self { state, edge, room, dragged, held, code, value }
    }

    /// The knob that it turns.
    fn knob(self) -> Option<Knob> {
        self.code.get().map(Knob::from_code)
    }

    /// Its position as a share of the width.
    fn place(self) -> f64 {
        let window = self.state.policy.with(|policy| Knob::Context.value(policy));
        self.state.planned.with(|planned| {
            planned.as_ref().map_or(0.0, |planned| {
                let place = place_of(self.edge, planned, window) as f64;
                (place / shown_scale(self.state, planned) as f64).min(1.0)
            })
        })
    }

    fn effect(self) -> String {
        self.state.planned.with(|planned| {
            let lever = planned.as_ref().and_then(|planned| lever(self.edge, planned));
            lever.filter(|lever| lever.knob.is_some()).map_or_else(String::new, |lever| lever.said.clone())
        })
    }

    fn take(self, event: &PointerEvent) {
        let Some(knob) = untrack(|| self.knob()) else { return };
        let held = self.state.planned.with_untracked(|planned| {
            let planned = planned.as_ref()?;
            self.state.scale.set(Some(u32::try_from(scale_of(planned, &planned.policy)).unwrap_or(u32::MAX)));
            let place = place_of(self.edge, planned, Knob::Context.value(&planned.policy)) as f64;
            // The value may have been turned since the plan was made.
            let lever = lever(self.edge, planned).filter(|lever| lever.knob == Some(knob));
            let value = lever.map_or_else(|| self.value.get_untracked(), |lever| lever.from);
            Some(Held { knob, x: f64::from(event.client_x()), place, value })
        });
        if let Some(held) = held {
            self.held.set_value(held);
            self.dragged.set(true);
        }
    }

    fn drag(self, event: &PointerEvent) {
        if !self.dragged.get_untracked() {
            return;
        }
        let held = self.held.get_value();
        let moved = (f64::from(event.client_x()) - held.x) / self.room.get_untracked().width.max(1.0);
        let wanted = self.state.planned.with_untracked(|planned| {
            let planned = planned.as_ref()?;
            let by = moved * untrack(|| shown_scale(self.state, planned)) as f64;
            if held.knob == Knob::Context {
                let step = held.knob.step(held.value);
                return Some(((held.place + by) / step as f64).round().max(1.0) as u64 * step);
            }
            let ruler = Ruler::new(&planned.segments, Weight::of(held.knob));
            let place = held.place - planned.figures.not_in_file() as f64;
            let wanted = ruler.dragged(held.value, place, place + by);
            Some(if held.knob.is_count() { wanted } else { (wanted + ROUND / 2) / ROUND * ROUND })
        });
        if let Some(wanted) = wanted {
            self.state.set_knob(held.knob, wanted);
        }
    }

    fn release(self) {
        self.dragged.set(false);
        self.state.scale.set(None);
    }

    fn reset(self) {
        if let Some(knob) = untrack(|| self.knob()) {
            self.state.set_knob(knob, knob.value(&self.state.preset()));
        }
    }

    fn press(self, event: &KeyboardEvent) {
        let Some(knob) = untrack(|| self.knob()) else { return };
        if event.key() == "Backspace" {
            self.reset();
        } else {
            let wanted = self.state.planned.with_untracked(|planned| {
                let context = self.state.policy.with_untracked(|policy| Knob::Context.value(policy));
                let value = self.value.get_untracked();
                moved(knob, &event.key(), event.alt_key(), value, planned.as_ref()?, context)
            });
            let Some(wanted) = wanted else { return };
            self.state.set_knob(knob, wanted);
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

/// The handle at an edge.
#[component]
pub(super) fn Handle(edge: Edge, room: RwSignal<Room>) -> impl IntoView {
    let state = expect_context::<State>();
    let handle = NodeRef::<html::Div>::new();
    let grip = Grip::new(state, edge, room);
    let Grip { dragged, code, value, .. } = grip;
    let place = Memo::new(move |_| grip.place());
    let name = move || grip.knob().map_or("", Knob::label);
    view! {
        <div
            node_ref=handle
            id=format!("handle-{}", edge.id())
            class=format!("handle {}", edge.id())
            class:held=flag(move || dragged.get())
            class:at-start=flag(move || place.get() * room.get().width < 120.0)
            class:at-end=flag(move || (1.0 - place.get()) * room.get().width < 120.0)
            style:left=words(move || format!("{}px", (place.get() * room.get().width).round() as i32))
            hidden=flag(move || code.get().is_none())
            data-knob=words(move || grip.knob().map_or("", Knob::id).to_owned())
            role="slider"
            tabindex="0"
            aria-label=words(move || format!("{}: {}", edge.name(), name().to_ascii_lowercase()))
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax=words(move || state.planned.with(|planned| {
                let total = planned.as_ref().zip(grip.knob()).map_or(0, |(planned, knob)| {
                    Ruler::new(&planned.segments, Weight::of(knob)).total()
                });
                total.max(value.get()).to_string()
            }))
            aria-valuenow=words(move || value.get().to_string())
            aria-valuetext=words(move || format!("{} {}; {}", name(), grouped(value.get()), grip.effect()))
            on:keydown=move |event: KeyboardEvent| grip.press(&event)
            on:focus=move |_| state.held.set(Some(edge))
            on:blur=move |_| state.held.set(None)
            on:pointerdown=move |event: PointerEvent| {
                if event.button() == 0
                    && let Some(handle) = handle.get_untracked()
                {
                    let _refused = handle.set_pointer_capture(event.pointer_id());
                    let _gone = handle.focus();
                    grip.take(&event);
                    event.prevent_default();
                }
            }
            on:pointermove=move |event: PointerEvent| grip.drag(&event)
            on:pointerup=move |_| grip.release()
            on:pointercancel=move |_| grip.release()
            on:dblclick=move |_| grip.reset()
        >
            <span class="stem"></span>
            <span class="tag">
                <span class="grip" aria-hidden="true"></span>
                <span class="name">{words(move || name().to_ascii_lowercase())}" "<b>{words(move || fitting(value.get(), room.get()))}</b></span>
                <span class="effect">{words(move || grip.effect())}</span>
            </span>
        </div>
    }
}
