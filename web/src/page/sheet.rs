//! Sheets: what the worker writes, as dialogs and, for the comparison, in the page itself.

use std::sync::Arc;

use ebbline_web::number::fraction;
use ebbline_web::open_session::{Answer, Request};
use ebbline_web::sheet::{Act, Ask, Bar, Block, Dot, Field, Look, Row, Which};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::browser;
use super::help::Modal;
use super::lesson;
use super::live::{click, effect, field, flag, part, words};
use super::state::{Dialog, Latest, Panel, State};

/// The sheets that are dialogs.
const DIALOGS: [Which; 4] = [Which::Fills, Which::Frontier, Which::Facts, Which::Summary];

/// Buttons that lead to a closer look.
#[component]
pub(super) fn Closer() -> impl IntoView {
    let state = expect_context::<State>();
    let sheet = move |id: &'static str, which: Which| {
        let open = click(move || state.dialog.set(Some(Dialog::Sheet(which))));
        view! { <button type="button" class="small" id=id on:click=open>{which.title()}</button> }.into_any()
    };
    view! {
        <div class="steps closer" role="group" aria-label="Look closer">
            <button
                type="button"
                class="small"
                id="compare-switch"
                title="Compare with the policy that writes the history (C)"
                aria-pressed=words(move || state.comparing.get().to_string())
                on:click=click(move || state.comparing.update(|comparing| *comparing = !*comparing))
            >"Compare two policies"</button>
            {sheet("what-costs", Which::Frontier)}
            {sheet("what-fills", Which::Fills)}
            {sheet("what-is-carried", Which::Facts)}
            {sheet("what-is-asked", Which::Summary)}
            <button type="button" class="small" id="data-table" on:click=click(move || state.dialog.set(Some(Dialog::Table)))>"Data table"</button>
        </div>
    }
}

/// All sheets that are dialogs.
#[component]
pub(super) fn Sheets() -> impl IntoView {
    DIALOGS
        .map(|which| {
            view! {
                <Modal which=Dialog::Sheet(which) id=which.id() title=which.title()>
                    <Contents which/>
                </Modal>
            }
            .into_any()
        })
        .into_iter()
        .collect::<Vec<_>>()
}

/// The comparison, below the picture to which it belongs.
#[component]
pub(super) fn Compare() -> impl IntoView {
    let state = expect_context::<State>();
    let asking = Latest::new();
    effect(move || {
        let policy = Box::new(state.policy.get());
        let is_other = state.life.with(|life| life.as_ref().is_some_and(|life| life.policy != *policy));
        if !state.comparing.get() || !is_other {
            state.other.set(None);
            return;
        }
        asking.run((state.generation.get_value(), Request::Line(policy)), move |(_, request), done| {
            state.ask(&request, move |answer| {
                if let (Answer::Line(line), true) = (answer, state.comparing.get_untracked()) {
                    state.other.set(Some(Arc::new(line)));
                }
                done();
            });
        });
    });
    part(move || {
        state.comparing.get().then(|| {
            view! {
                <section class="compare card" aria-labelledby="compare-title">
                    <div class="heading">
                        <h2 id="compare-title">{Which::Compare.title()}</h2>
                        <span class="quiet key"><i class="solid"></i>"A"<i class="dashed"></i>"B"</span>
                        <button type="button" class="small" on:click=click(move || state.comparing.set(false))>"Close"</button>
                    </div>
                    <Contents which=Which::Compare/>
                </section>
            }
        })
    })
}

/// A sheet, written again when something changes that it is about.
#[component]
pub(super) fn Contents(which: Which) -> impl IntoView {
    let state = expect_context::<State>();
    let blocks = RwSignal::new(None::<Vec<Block>>);
    let asking = Latest::new();
    effect(move || {
        let (policy, force, request, fields) =
            (state.policy.get(), state.force.get(), state.at.get(), state.fields.get());
        let Some(history) = state.life.with(|life| life.as_ref().map(|life| life.policy.clone())) else {
            return;
        };
        let ask = Box::new(Ask { which, history, policy, force, request, fields });
        asking.run((state.generation.get_value(), Request::Sheet(ask)), move |(_, request), done| {
            state.ask(&request, move |answer| {
                if let Answer::Sheet(written) = answer {
                    blocks.try_set(Some(written));
                }
                done();
            });
        });
    });
    let count = Memo::new(move |_| blocks.with(|blocks| blocks.as_ref().map(Vec::len)));
    // A block that stays the same is not built again, so that a field keeps the focus.
    let each = move |at: usize| {
        let block = Memo::new(move |_| blocks.with(|blocks| blocks.as_ref()?.get(at).cloned()));
        part(move || block.get().map(|block| shown(state, block)))
    };
    view! {
        <div class="written">
            {part(move || match count.get() {
                None => view! { <p class="quiet" role="status">"Working it out."</p> }.into_any(),
                Some(count) => (0..count).map(each).collect::<Vec<_>>().into_any(),
            })}
        </div>
    }
}

fn shown(state: State, block: Block) -> AnyView {
    match block {
        Block::Words(look, words) => match look {
            Look::Plain => view! { <p>{words}</p> }.into_any(),
            Look::Quiet => view! { <p class="quiet">{words}</p> }.into_any(),
            Look::Warning => view! { <p class="warning" role="alert">{words}</p> }.into_any(),
            Look::Heading => view! { <h3>{words}</h3> }.into_any(),
        },
        Block::Table { caption, columns, rows } => table(state, caption, columns, rows),
        Block::Bars { title, bars } => {
            let bars = bars.into_iter().map(|bar| self::bar(state, bar)).collect::<Vec<_>>();
            view! { <section class="fills"><h3>{title}</h3><ol>{bars}</ol></section> }.into_any()
        }
        Block::Text { title, name, text } => self::text(title, name, text),
        Block::Fields(fields) => {
            let fields = fields.into_iter().map(|field| typed(state, field)).collect::<Vec<_>>();
            view! { <div class="typed">{fields}</div> }.into_any()
        }
        Block::Picture { svg, about, dots } => picture(state, &svg, about, dots),
        Block::Stage { history, policy, request, light } => {
            state.light.set(light);
            state.live(*history, false, Some((request, *policy)));
            ().into_any()
        }
        Block::Actions(actions) => {
            let button = |(name, what): (String, Act)| {
                view! { <button type="button" class="small" on:click=click(move || act(state, &what))>{name}</button> }
                    .into_any()
            };
            view! { <p class="actions-row">{actions.into_iter().map(button).collect::<Vec<_>>()}</p> }
                .into_any()
        }
    }
}

/// Carries out what a click means.
fn act(state: State, act: &Act) {
    match act {
        Act::None => {}
        Act::Lead { of, messages } => {
            state.dialog.set(None);
            state.panel.set(Panel::Messages);
            state.only_kind.set(None);
            state.only_fate.set(None);
            state.query.set(String::new());
            if let Some(first) = messages.first() {
                state.select(*first);
            }
            let several = messages.len() > 1;
            state.found.set(several.then(|| Arc::new(messages.clone())));
            state.found_of.set(if several { of.clone() } else { String::new() });
            browser::focus("list");
        }
        Act::Take(policy) => state.policy.set((**policy).clone()),
        Act::FromTheStart => state.relive(false),
        Act::Swap => state.swap(),
        Act::Open(which) => state.dialog.set(Some(Dialog::Sheet(*which))),
        Act::Type { id, value } => type_into(state, id, value.clone()),
        Act::Step(step) => lesson::go(state, *step),
    }
}

/// What stands in a field.
pub(super) fn typed_into(state: State, id: &str) -> Option<String> {
    state.fields.with(|fields| fields.iter().find(|(of, _)| of == id).map(|(_, value)| value.clone()))
}

/// Changes what stands in a field.
pub(super) fn type_into(state: State, id: &str, value: String) {
    state.fields.update(|fields| {
        fields.retain(|(of, _)| of != id);
        fields.push((id.to_owned(), value));
    });
}

fn table(state: State, caption: String, columns: Vec<String>, rows: Vec<Row>) -> AnyView {
    let label = caption.clone();
    let head = columns.into_iter().map(|name| view! { <th scope="col">{name}</th> }.into_any());
    let row = |Row { cells, act: what }: Row| {
        let mut cells = cells.into_iter();
        let name = cells.next().unwrap_or_default();
        let name = match what {
            Act::None => name.into_any(),
            what => {
                view! { <button type="button" class="link" on:click=click(move || act(state, &what))>{name}</button> }
                    .into_any()
            }
        };
        let cells = cells.map(|cell| view! { <td>{cell}</td> }.into_any()).collect::<Vec<_>>();
        view! { <tr><th scope="row">{name}</th>{cells}</tr> }.into_any()
    };
    view! {
        <div class="table" tabindex="0" role="group" aria-label=label>
            <table>
                <caption>{caption}</caption>
                <thead><tr>{head.collect::<Vec<_>>()}</tr></thead>
                <tbody>{rows.into_iter().map(row).collect::<Vec<_>>()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn bar(state: State, bar: Bar) -> AnyView {
    let Bar { name, said, spoken, share, act: what } = bar;
    let width = format!("{share}%");
    view! {
        <li>
            <button type="button" aria-label=spoken on:click=click(move || act(state, &what))>
                <span class="name">{name}</span>
                <span class="share" aria-hidden="true"><i style:width=width></i></span>
                <span class="tokens">{said}</span>
            </button>
        </li>
    }
    .into_any()
}

/// A text with buttons that copy and save it.
fn text(title: String, name: String, text: String) -> AnyView {
    let copied = RwSignal::new("");
    let (to_copy, to_save) = (text.clone(), text.clone());
    let label = title.clone();
    view! {
        <details class="text-of">
            <summary>{title}</summary>
            <pre class="file" tabindex="0" aria-label=label>{text}</pre>
            <p class="actions-row">
                <button type="button" class="small" on:click=click(move || {
                    let text = to_copy.clone();
                    spawn_local(async move {
                        let words = if browser::copy(text).await { "Copied." } else { "The browser refused to copy it." };
                        copied.try_set(words);
                    });
                })>"Copy"</button>
                <button type="button" class="small" on:click=click(move || browser::save(&name, to_save.as_bytes()))>"Save"</button>
                <span role="status" class="quiet">{copied}</span>
            </p>
        </details>
    }
    .into_any()
}

/// A field, whose content stays when the dialog is closed.
fn typed(state: State, of: Field) -> AnyView {
    let Field { id, label, value, lines } = of;
    let value = untrack(|| typed_into(state, &id)).unwrap_or(value);
    let key = id.clone();
    let changed = field(move |field| {
        type_into(state, &key, field.value());
    });
    let id = format!("field-{id}");
    let input = if lines > 0 {
        view! { <textarea id=id.clone() rows=lines.to_string() prop:value=value on:input=changed></textarea> }
            .into_any()
    } else {
        view! { <input id=id.clone() type="text" inputmode="decimal" prop:value=value on:input=changed/> }
            .into_any()
    };
    view! { <label class:wide=flag(move || lines > 0) for=id>{label}{input}</label> }.into_any()
}

/// A picture, with a button at each of its points.
fn picture(state: State, svg: &str, about: String, dots: Vec<Dot>) -> AnyView {
    let url = browser::picture_url(svg);
    let dot = |Dot { place: (x, y), name, act: what }: Dot| {
        let [left, top] = [x, y].map(|at| format!("{}%", fraction(at, 10, 1)));
        view! {
            <button type="button" class="dot" style:left=left style:top=top title=name.clone() aria-label=name on:click=click(move || act(state, &what))></button>
        }
        .into_any()
    };
    view! {
        <div class="dotted">
            <img src=url alt=about/>
            {dots.into_iter().map(dot).collect::<Vec<_>>()}
        </div>
    }
    .into_any()
}
