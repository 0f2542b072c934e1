//! The list of messages. It can have any length, because only the visible rows are mounted.

use std::sync::Arc;

use ebbline::numbers::{counted, grouped};
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::question::{Answer, Request};
use ebbline_web::slice::{ROW, Slice};
use gloo::timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{click, effect, field, flag, part, words};
use super::panels::Panel;
use super::state::State;

/// Above this many previews, all are forgotten.
const PREVIEWS: usize = 3_000;
/// How long the user must stop typing before the search starts, in milliseconds.
const REST: u32 = 180;

/// The messages that pass the filters; `None` if all do.
fn filtered(state: State) -> Memo<Option<Arc<Vec<u32>>>> {
    Memo::new(move |_| {
        let (kind, fate, found) = (state.only_kind.get(), state.only_fate.get(), state.found.get());
        if kind.is_none() && fate.is_none() {
            return found;
        }
        let passes = |message: u32| {
            let at = message as usize;
            let of_kind = kind.is_none_or(|kind| {
                state.opened.with(|opened| {
                    opened.as_ref().is_some_and(|opened| opened.rows.kind.get(at) == Some(&(kind as u8)))
                })
            });
            of_kind
                && fate.is_none_or(|fate| {
                    state.planned.with(|planned| {
                        planned
                            .as_ref()
                            .is_some_and(|planned| planned.fates.fate.get(at) == Some(&(fate as u8)))
                    })
                })
        };
        let count = state.opened.with(|opened| opened.as_ref().map_or(0, |opened| opened.rows.kind.len()));
        let rows = match found {
            Some(found) => found.iter().copied().filter(|message| passes(*message)).collect(),
            None => (0..count as u32).filter(|message| passes(*message)).collect(),
        };
        Some(Arc::new(rows))
    })
}

/// The filtered messages and the positions of their rows.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    state: State,
    of: Memo<Option<Arc<Vec<u32>>>>,
}

impl Rows {
    fn count(self) -> usize {
        match self.of.get() {
            Some(rows) => rows.len(),
            None => {
                self.state.opened.with(|opened| opened.as_ref().map_or(0, |opened| opened.rows.kind.len()))
            }
        }
    }

    fn message(self, row: usize) -> Option<u32> {
        self.of.with(|rows| match rows {
            Some(rows) => rows.get(row).copied(),
            None => Some(row as u32),
        })
    }

    fn row_of(self, message: u32) -> Option<usize> {
        self.of.with_untracked(|rows| match rows {
            Some(rows) => rows.binary_search(&message).ok(),
            None => Some(message as usize),
        })
    }
}

#[component]
pub(super) fn Messages() -> impl IntoView {
    let state = expect_context::<State>();
    let rows = Rows { state, of: filtered(state) };
    let scroller = NodeRef::<html::Div>::new();
    let top = RwSignal::new(0.0);
    let height = RwSignal::new(420.0);
    let slice = Memo::new(move |_| Slice::new(rows.count(), top.get(), height.get()));
    let measure = move || {
        if let Some(scroller) = scroller.get_untracked() {
            top.set(f64::from(scroller.scroll_top()));
            height.set(f64::from(scroller.client_height()).max(ROW));
        }
    };
    effect(move || {
        scroller.track();
        state.panel.track();
        request_animation_frame(measure);
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());
    reveal_selection(state, rows, scroller, (top, height));
    fetch_previews(state, rows, slice);

    let largest = Memo::new(move |_| {
        state
            .planned
            .with(|planned| {
                planned.as_ref().and_then(|planned| planned.fates.before.iter().max().copied()).unwrap_or(1)
            })
            .max(1)
    });
    let active = move || {
        let row = rows.row_of(state.selected.get()?)?;
        let slice = slice.get();
        (slice.first..slice.end).contains(&row).then(|| format!("row-{row}"))
    };
    view! {
        <section class="messages card" aria-labelledby="messages-title">
            <Filters rows/>
            <div
                node_ref=scroller
                id="list"
                class="scroller"
                role=words(move || if rows.count() > 0 { "listbox" } else { "group" }.to_owned())
                tabindex="0"
                aria-label="Messages"
                aria-activedescendant=active
                // In the frame itself, whose layout is then done: `reveal_selection` may have scrolled in it.
                on:scroll=move |_| request_animation_frame(measure)
                on:keydown=move |event| press(state, rows, &event)
            >
                <div class="all" role="presentation" style:height=words(move || format!("{}px", slice.get().height.round() as i64))>
                    <div class="mounted" role="presentation" style:translate=words(move || format!("0 {}px", slice.get().top.round() as i64))>
                        <For
                            each=move || {
                                // Rows belong to one file, so another file replaces all of them.
                                state.opened.track();
                                let (slice, generation) = (slice.get(), state.generation.get_value());
                                let row = move |row| Some((generation, row, rows.message(row)?));
                                (slice.first..slice.end).filter_map(row).collect::<Vec<_>>()
                            }
                            key=|row| *row
                            let:((_, row, message))
                        >
                            <Row row message rows largest/>
                        </For>
                    </div>
                </div>
                <p class="none" hidden=flag(move || rows.count() > 0)>"No message passes the filters."</p>
            </div>
        </section>
    }
}

/// Search and filters.
#[component]
fn Filters(rows: Rows) -> impl IntoView {
    let state = expect_context::<State>();
    let timer = StoredValue::new_local(None::<Timeout>);
    let find = move |text: String| {
        state.query.set(text.clone());
        state.found_of.set(String::new());
        let look = Timeout::new(REST, move || {
            if text.trim().is_empty() {
                state.found.set(None);
                return;
            }
            state.ask(&Request::Find(text.clone()), move |answer| {
                if let Answer::Found(found) = answer
                    && state.query.with_untracked(|wanted| *wanted == text)
                {
                    state.found.set(Some(Arc::new(found)));
                }
            });
        });
        timer.set_value(Some(look));
    };
    let all = move || state.opened.with(|opened| opened.as_ref().map_or(0, |opened| opened.rows.kind.len()));
    view! {
        <div class="heading">
            <h2 id="messages-title">"Messages"</h2>
            <span class="quiet count">
                {words(move || {
                    let (count, all) = (rows.count(), all());
                    if count == all { grouped(all as u64) } else { format!("{} of {}", grouped(count as u64), grouped(all as u64)) }
                })}
            </span>
            <button
                type="button"
                class="small"
                id="found-of"
                title="Show all messages again"
                hidden=flag(move || state.found_of.with(String::is_empty))
                on:click=click(move || {
                    state.found_of.set(String::new());
                    state.found.set(None);
                })
            >
                {words(move || format!("of {} ×", state.found_of.get()))}
            </button>
            <input
                id="find"
                type="search"
                placeholder="Find in all text"
                aria-label="Find in all text"
                prop:value=words(move || state.query.get())
                on:input=field(move |field| find(field.value()))
            />
            <select aria-label="Kind" id="only-kind" on:change=field(move |field| {
                let name = field.value();
                state.only_kind.set(Kind::ALL.into_iter().find(|kind| kind.name() == name));
            }) prop:value=words(move || state.only_kind.get().map_or("", Kind::name).to_owned())>
                <option value="">"all kinds"</option>
                {Kind::ALL.iter().map(|kind| option(kind.name(), kind.word())).collect::<Vec<_>>()}
            </select>
            <select aria-label="Outcome" id="only-fate" on:change=field(move |field| {
                let name = field.value();
                state.only_fate.set(Shown::ALL.into_iter().find(|shown| shown.name() == name));
            }) prop:value=words(move || state.only_fate.get().map_or("", Shown::name).to_owned())>
                <option value="">"all outcomes"</option>
                {Shown::ALL.iter().map(|shown| option(shown.name(), shown.word())).collect::<Vec<_>>()}
            </select>
        </div>
    }
}

/// An option of a menu.
fn option(name: &'static str, word: &'static str) -> AnyView {
    view! { <option value=name>{word}</option> }.into_any()
}

/// One message.
#[component]
fn Row(row: usize, message: u32, rows: Rows, largest: Memo<u32>) -> impl IntoView {
    let state = expect_context::<State>();
    let at = message as usize;
    let (kind, tool) = state.opened.with_untracked(|opened| {
        opened.as_ref().map_or((Kind::System, String::new()), |opened| {
            let tool = opened
                .rows
                .tool
                .get(at)
                .and_then(|tool| opened.about.tools.get((*tool as usize).checked_sub(1)?));
            (
                Kind::from_code(opened.rows.kind.get(at).copied().unwrap_or(0)),
                tool.cloned().unwrap_or_default(),
            )
        })
    });
    // The swatch already says that it is an output, so the row names the tool.
    let who = if kind == Kind::Tool && !tool.is_empty() { tool } else { kind.word().to_owned() };
    let code = Memo::new(move |_| {
        state.planned.with(|planned| {
            u32::from(planned.as_ref().and_then(|planned| planned.fates.fate.get(at).copied()).unwrap_or(0))
        })
    });
    let fate = move || Shown::from_code(code.get() as u8);
    let before = Memo::new(move |_| {
        state.planned.with(|planned| {
            planned.as_ref().and_then(|planned| planned.fates.before.get(at).copied()).unwrap_or(0)
        })
    });
    let preview = move || state.previews.with(|previews| previews.get(&message).cloned().unwrap_or_default());
    view! {
        <div
            id=format!("row-{row}")
            class=format!("row kind-{}", kind.name())
            role="option"
            data-message=message.to_string()
            data-fate=words(move || fate().name().to_owned())
            aria-selected=words(move || (state.selected.get() == Some(message)).to_string())
            aria-setsize=words(move || rows.count().to_string())
            aria-posinset=(row + 1).to_string()
            on:click=click(move || state.select(message))
        >
            <Boundaries message/>
            <span class="number">{grouped(u64::from(message) + 1)}</span>
            <span class="kind"><i class=format!("swatch kind-{}", kind.name())></i>{who}</span>
            <span class="preview">{words(preview)}</span>
            <span class="tokens">{words(move || if fate().is_in_context() { grouped(u64::from(before.get())) } else { String::new() })}</span>
            <span class="share" aria-hidden="true">
                <i style:width=words(move || format!("{}%", (u64::from(before.get()) * 100 / u64::from(largest.get())).min(100)))></i>
            </span>
            <span class="fate"><i class=words(move || format!("swatch fate-{}", fate().name()))></i>{words(move || fate().word().to_owned())}</span>
        </div>
    }
}

/// The boundaries in front of a message.
#[component]
fn Boundaries(message: u32) -> impl IntoView {
    let state = expect_context::<State>();
    let at = message as usize;
    let protection = Memo::new(move |_| {
        state.planned.with(|planned| {
            planned.as_ref().map(|planned| planned.figures.prune).is_some_and(|prune| {
                prune.applied && prune.boundary.is_some_and(|boundary| boundary.message + 1 == at)
            })
        })
    });
    let retention = Memo::new(move |_| {
        state.planned.with(|planned| {
            let retain = planned.as_ref().map(|planned| planned.figures.retain);
            retain.is_some_and(|retain| retain.applied && retain.boundary == Some(at))
        })
    });
    let line = |boundary: Memo<bool>, name: &'static str, said: &'static str| {
        part(move || {
            let class = format!("boundary {name}");
            boundary.get().then(|| view! { <span class=class><span>{said.to_owned()}</span></span> })
        })
    };
    let cursor = Memo::new(move |_| {
        let request = state.at.get()?;
        let answer = state.life.with(|life| life.as_ref()?.life.answers.get(request as usize).copied())?;
        (answer == message).then_some(request)
    });
    view! {
        {part(move || cursor.get().map(|request| {
            let said = format!("request {}: what follows comes later", grouped(u64::from(request) + 1));
            view! { <span class="boundary cursor"><span>{said}</span></span> }
        }))}
        {line(protection, "prune", "older outputs are pruned")}
        {line(retention, "keep", "word for word from here on")}
    }
}

/// Scrolls the selected message into view. Where the list stands is known from its last scroll event, because to read it
/// from the element lays out the page in the middle of a frame. The rows of the new place are mounted before the list
/// scrolls, so that one layout does for both.
fn reveal_selection(
    state: State,
    rows: Rows,
    scroller: NodeRef<html::Div>,
    (top, height): (RwSignal<f64>, RwSignal<f64>),
) {
    effect(move || {
        let Some(message) = state.selected.get() else { return };
        let Some(row) = rows.row_of(message) else { return };
        let count = rows.of.with_untracked(|of| of.as_ref().map_or_else(|| all(state), |of| of.len()));
        let Some(to) = Slice::reveal(count, row, top.get_untracked(), height.get_untracked()) else { return };
        top.set(to.round());
        request_animation_frame(move || {
            if let Some(scroller) = scroller.get_untracked() {
                scroller.set_scroll_top(to.round() as i32);
            }
        });
    });
}

fn all(state: State) -> usize {
    state.opened.with_untracked(|opened| opened.as_ref().map_or(0, |opened| opened.rows.kind.len()))
}

/// Requests the previews of mounted rows that have none yet.
fn fetch_previews(state: State, rows: Rows, slice: Memo<Slice>) {
    let asked = StoredValue::new(std::collections::HashSet::<(u32, u32)>::new());
    effect(move || {
        state.opened.track();
        let slice = slice.get();
        let generation = state.generation.get_value();
        let missing: Vec<u32> = (slice.first..slice.end)
            .filter_map(|row| rows.message(row))
            .filter(|message| asked.with_value(|asked| !asked.contains(&(generation, *message))))
            .collect();
        if missing.is_empty() {
            return;
        }
        if asked.with_value(|asked| asked.len() > PREVIEWS) {
            asked.update_value(std::collections::HashSet::clear);
            state.previews.update(std::collections::HashMap::clear);
        }
        asked.update_value(|asked| asked.extend(missing.iter().map(|message| (generation, *message))));
        state.ask(&Request::Previews(missing.clone()), move |answer| {
            if let Answer::Previews(lines) = answer {
                state.previews.update(|previews| previews.extend(missing.into_iter().zip(lines)));
            }
        });
    });
}

/// Moves the selection with the keyboard.
fn press(state: State, rows: Rows, event: &KeyboardEvent) {
    let count = untrack(move || rows.count());
    let key = event.key();
    if key == "Enter" {
        state.panel.set(Some(Panel::Inspector));
        super::browser::focus("inspector-text");
        event.prevent_default();
        return;
    }
    let row = state.selected.get_untracked().and_then(|message| rows.row_of(message));
    let last = count.saturating_sub(1);
    let to = match key.as_str() {
        "ArrowDown" => row.map_or(0, |row| row + 1),
        "ArrowUp" => row.map_or(0, |row| row.saturating_sub(1)),
        "PageDown" => row.map_or(0, |row| row + 10),
        "PageUp" => row.map_or(0, |row| row.saturating_sub(10)),
        "Home" => 0,
        "End" => last,
        _ => return,
    };
    event.prevent_default();
    if let Some(message) = untrack(move || rows.message(to.min(last))) {
        state.select(message);
    }
}

/// Selects the next or previous message (with `people`, message of the user) from anywhere on the page.
pub(super) fn step(state: State, forward: bool, people: bool) {
    let count = all(state);
    let from = state.selected.get_untracked().map_or(0, |message| message as usize);
    let is_wanted = |at: &usize| {
        !people
            || state.opened.with_untracked(|opened| {
                opened.as_ref().is_some_and(|opened| opened.rows.kind.get(*at) == Some(&(Kind::User as u8)))
            })
    };
    let to = if forward { (from + 1..count).find(is_wanted) } else { (0..from).rev().find(is_wanted) };
    if let Some(to) = to {
        state.select(to as u32);
    }
}

/// How many messages the search found, for the status line.
pub(super) fn found_words(state: State) -> Option<String> {
    let found = state.found.get()?;
    let of = state.found_of.get();
    let with = if of.is_empty() { "with this text".to_owned() } else { format!("of {of}") };
    Some(format!("{} {with}.", counted(found.len() as u64, "message")))
}
