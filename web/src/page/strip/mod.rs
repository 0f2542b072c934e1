//! The strip: the context before, above the context after, on the scale of the context window, with a handle at each edge
//! that can be moved.

mod handle;
mod instead;
mod legend;
mod paint;
mod scale;

use ebbline::numbers::grouped;
use ebbline_web::edge::Edge;
use ebbline_web::kind::Shown;
use ebbline_web::strip::{Ruler, Weight};
use ebbline_web::view::EARLIER_SUMMARY;
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlCanvasElement;

use super::canvas::{Room, paint_when_changed, watch_size};
use super::live::{flag, words};
use super::state::State;
use crate::page::attributes::{AriaAttributes, GlobalAttributes};
use handle::Handle;
use instead::Instead;
use legend::Legend;
pub(super) use scale::scale_of;
use scale::{AFTER, AXIS, BEFORE, HEIGHT, fitting, shown_scale};

/// The strip with its labels, handles and legend.
#[component]
pub(super) fn Strip() -> impl IntoView {
    let state = expect_context::<State>();
    let canvas = NodeRef::<html::Canvas>::new();
    let room = RwSignal::new(Room { width: 0.0, ratio: 1.0 });
    let pointed = RwSignal::new(None::<(f64, u32)>);
    watch_size(canvas, room);
    paint_strip(state, canvas, room);

    let summary = Memo::new(move |_| {
        state
            .planned
            .with(|shown| shown.as_ref().map_or_else(String::new, |shown| shown.said.picture.clone()))
    });
    let figure = move |after: bool| {
        state.planned.with(|planned| {
            let figures = planned.as_ref().map(|planned| &planned.figures);
            figures.map_or(0, |figures| if after { figures.total_after() } else { figures.total_before() })
        })
    };
    let pick = move |event: &web_sys::MouseEvent| {
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        message_at(state, room.get_untracked(), x, y).map(|message| (x, message))
    };
    let is_message =
        |message: &u32| !matches!(*message, paint::NOT_IN_FILE | paint::SUMMARY | EARLIER_SUMMARY);
    view! {
        <section class="strip card" aria-labelledby="strip-title">
            <h2 id="strip-title" class="out-of-sight">"The context window, before and after"</h2>
            <div class="strip-rows">
                <div class="row-name before"><span>"before"</span><b>{words(move || grouped(figure(false)))}</b></div>
                <div class="row-name after"><span>"after"</span><b>{words(move || grouped(figure(true)))}</b></div>
                <div class="picture">
                    <canvas
                        node_ref=canvas
                        role="img"
                        aria-label=words(move || summary.get())
                        on:mousemove=move |event| pointed.set(pick(&event))
                        on:mouseleave=move |_| pointed.set(None)
                        on:click=move |event| if let Some((_, message)) = pick(&event).filter(|(_, message)| is_message(message)) {
                            state.select(message);
                        }
                    ></canvas>
                    <Handle edge=Edge::Prune room/>
                    <Handle edge=Edge::Keep room/>
                    <Handle edge=Edge::Limit room/>
                    <Pointed pointed room/>
                </div>
            </div>
            <Instead/>
            <Legend/>
            <p class="busy" role="status" hidden=flag(move || state.busy().is_empty())>{words(move || state.busy())}</p>
        </section>
    }
}

/// The label of the segment under the pointer; the list and the inspector say the same without a pointer.
#[component]
fn Pointed(pointed: RwSignal<Option<(f64, u32)>>, room: RwSignal<Room>) -> impl IntoView {
    let state = expect_context::<State>();
    let pointed_at = move || {
        let (_, message) = pointed.get()?;
        if message == paint::NOT_IN_FILE {
            let not_in_file = state
                .planned
                .with(|planned| planned.as_ref().map(|planned| planned.figures.not_in_file()))?;
            return Some(format!("about {} not in the file, by reported usage", grouped(not_in_file)));
        }
        if message == EARLIER_SUMMARY {
            return Some("a summary made earlier under this policy".to_owned());
        }
        let at = message as usize;
        let (kind, tool) = state.opened.with(|opened| opened.as_ref()?.kind_and_tool(at))?;
        state.planned.with(|planned| {
            let fates = &planned.as_ref()?.fates;
            let fate = Shown::from_code(*fates.fate.get(at)?).word();
            Some(format!(
                "#{} {} {tool} · {} · {fate}",
                at + 1,
                kind.word(),
                grouped(u64::from(*fates.before.get(at)?))
            ))
        })
    };
    view! {
        <div
            class="pointed"
            aria-hidden="true"
            class:shown=flag(move || pointed.get().is_some())
            style:left=words(move || {
                let width = room.get().width;
                let x = pointed.get().map_or(0.0, |(x, _)| x);
                format!("{}px", x.min(width - 90.0).max(90.0).round() as i32)
            })
        >
            {words(move || pointed_at().unwrap_or_default())}
        </div>
    }
}

/// The message at a point of the strip.
fn message_at(state: State, room: Room, x: f64, y: f64) -> Option<u32> {
    state.planned.with_untracked(|planned| {
        let planned = planned.as_ref()?;
        let place = x / room.width.max(1.0) * untrack(|| shown_scale(state, planned)) as f64;
        let not_in_file = planned.figures.not_in_file() as f64;
        if (BEFORE.0 - 2.0..=BEFORE.0 + BEFORE.1 + 2.0).contains(&y) {
            if place < not_in_file {
                return Some(paint::NOT_IN_FILE);
            }
            Ruler::new(&planned.segments, Weight::Everything).message_at(place - not_in_file)
        } else if (AFTER.0 - 2.0..=AFTER.0 + AFTER.1 + 2.0).contains(&y) {
            let mut end = 0.0;
            paint::after(planned).find_map(|(message, _, _, tokens)| {
                end += f64::from(tokens);
                (place < end).then_some(message)
            })
        } else {
            None
        }
    })
}

/// Paints the strip when something that it shows has changed.
fn paint_strip(state: State, canvas: NodeRef<html::Canvas>, room: RwSignal<Room>) {
    let painter = paint::Painter::default();
    let track = move || {
        state.planned.track();
        state.selected.track();
        state.held.track();
        state.scale.track();
        state.colors.track();
        room.track();
    };
    let paint = move |canvas: &HtmlCanvasElement| {
        let Some(planned) = state.planned.get_untracked() else { return };
        let scene = paint::Scene {
            planned: &planned,
            policy: &planned.policy,
            scale: untrack(|| shown_scale(state, &planned)),
            selected: state.selected.get_untracked(),
            held: state.held.get_untracked(),
            colors: state.colors.get_untracked(),
        };
        painter.paint(canvas, room.get_untracked(), &scene);
    };
    paint_when_changed(track, paint, canvas);
}
