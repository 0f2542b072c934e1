//! The blocks of a sheet as elements, built by hand: they have too many shapes for a view of each, and every view adds to
//! what the first visit downloads.

use ebbline::numbers::fraction;
use ebbline_web::sheet::{Act, Bar, Block, Dot, Field, Look, Menu, Row};
use gloo::events::EventListener;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement};

use super::browser;
use super::panels::Side;
use super::sheet::{act, type_into, typed_into};
use super::state::State;

/// Texts that are shorter, in bytes, are open from the start.
const SHORT: usize = 2_000;

/// A block on screen. Its listeners are removed with it.
pub(super) struct Drawn {
    block: Block,
    element: Option<Element>,
    _listeners: Vec<EventListener>,
}

/// Shows `blocks` in `place`, where `drawn` is shown.
pub(super) fn draw(state: State, place: &Element, blocks: Vec<Block>, drawn: &mut Vec<Drawn>) {
    if drawn.is_empty() {
        place.set_inner_html("");
    }
    for gone in drawn.drain(blocks.len().min(drawn.len())..) {
        if let Some(element) = gone.element {
            element.remove();
        }
    }
    for (at, block) in blocks.into_iter().enumerate() {
        if drawn.get(at).is_some_and(|old| old.block == block) {
            continue;
        }
        let mut build = Build { state, listeners: Vec::new() };
        let element = build.block(&block);
        let new = Drawn { block, element: element.clone(), _listeners: build.listeners };
        let old = if let Some(place) = drawn.get_mut(at) {
            std::mem::replace(place, new).element
        } else {
            drawn.push(new);
            None
        };
        let Some(element) = element else { continue };
        // What has the focus keeps it, as far as there is such an element again.
        let focused = browser::document().and_then(|document| document.active_element());
        let focused = focused.filter(|focused| old.as_ref().is_some_and(|old| old.contains(Some(focused))));
        let _never = match old {
            Some(old) => old.replace_with_with_node_1(&element),
            None => place.append_child(&element).map(|_| ()),
        };
        if let Some(focused) = focused {
            browser::focus(&focused.id());
        }
    }
}

/// Builds elements, and collects what listens to them.
struct Build {
    state: State,
    listeners: Vec<EventListener>,
}

/// An element with attributes, such as `class`, in pairs.
fn element(tag: &str, attributes: &[(&str, &str)], text: &str) -> Option<Element> {
    let element = browser::document()?.create_element(tag).ok()?;
    for (name, value) in attributes {
        element.set_attribute(name, value).ok()?;
    }
    if !text.is_empty() {
        element.set_text_content(Some(text));
    }
    Some(element)
}

/// An element with children.
fn around(
    tag: &str,
    attributes: &[(&str, &str)],
    children: impl IntoIterator<Item = Option<Element>>,
) -> Option<Element> {
    let parent = element(tag, attributes, "")?;
    for child in children.into_iter().flatten() {
        parent.append_child(&child).ok()?;
    }
    Some(parent)
}

impl Build {
    fn on(&mut self, of: Option<&Element>, event: &'static str, run: impl FnMut() + 'static) {
        let mut run: Box<dyn FnMut()> = Box::new(run);
        self.listeners.extend(of.map(|of| EventListener::new(of, event, move |_| run())));
    }

    /// A button that carries out an act.
    fn button(&mut self, class: &str, name: &str, what: &Act) -> Option<Element> {
        let button = element("button", &[("type", "button"), ("class", class)], name);
        let (state, what) = (self.state, what.clone());
        self.on(button.as_ref(), "click", move || act(state, &what));
        button
    }

    fn block(&mut self, block: &Block) -> Option<Element> {
        match block {
            Block::Words(look, words) => {
                let (tag, attributes): (_, &[_]) = match look {
                    Look::Plain => ("p", &[]),
                    Look::Quiet => ("p", &[("class", "quiet")]),
                    Look::Warning => ("p", &[("class", "warning"), ("role", "alert")]),
                    Look::Done => ("p", &[("class", "done"), ("role", "status")]),
                    Look::Heading => ("h3", &[]),
                };
                element(tag, attributes, words)
            }
            Block::Table { caption, columns, rows } => self.table(caption, columns, rows),
            Block::Bars { title, bars } => {
                let bars = bars.iter().map(|bar| self.bar(bar)).collect::<Vec<_>>();
                around("section", &[("class", "fills")], [element("h3", &[], title), around("ol", &[], bars)])
            }
            Block::Text { title, name, text } => self.text(title, name, text),
            Block::Fields(fields) => {
                let fields = fields.iter().map(|field| self.field(field)).collect::<Vec<_>>();
                around("div", &[("class", "typed")], fields)
            }
            Block::Picture { svg, about, dots } => {
                let image = element("img", &[("src", &browser::picture_url(svg)), ("alt", about)], "");
                let dots = dots.iter().map(|dot| self.dot(dot)).collect::<Vec<_>>();
                around("div", &[("class", "dotted")], [image].into_iter().chain(dots))
            }
            Block::Actions(actions) => {
                let buttons =
                    actions.iter().map(|(name, act)| self.button("small", name, act)).collect::<Vec<_>>();
                around("p", &[("class", "actions-row")], buttons)
            }
            Block::Menus(menus) => {
                let menus = menus.iter().map(|menu| self.menu(menu)).collect::<Vec<_>>();
                around("div", &[("class", "actions-row")], menus)
            }
            Block::Typed { id, value } => {
                if untrack(|| typed_into(self.state, id)).as_ref() != Some(value) {
                    type_into(self.state, id, value.clone());
                }
                None
            }
            Block::Progress { done, of } => {
                let said = format!("{done} of {of} done");
                let attributes =
                    [("max", &*of.to_string()), ("value", &done.to_string()), ("aria-label", &said)];
                around(
                    "p",
                    &[("class", "quiet progress")],
                    [element("progress", &attributes, ""), element("span", &[], &said)],
                )
            }
            Block::Stage { history, policy, request, light, is_compared, .. } => {
                self.state.light.set(light.clone());
                self.state.comparing.set(*is_compared);
                self.state.side.set(Some(Side::Before));
                self.state.live((**history).clone(), false, Some((*request, (**policy).clone())));
                None
            }
        }
    }

    fn table(&mut self, caption: &str, columns: &[String], rows: &[Row]) -> Option<Element> {
        let head = columns.iter().map(|name| element("th", &[("scope", "col")], name));
        let rows = rows
            .iter()
            .map(|Row { cells, act }| {
                let (name, others) = cells.split_first()?;
                let name = match act {
                    Act::None => element("th", &[("scope", "row")], name),
                    act => around("th", &[("scope", "row")], [self.button("link", name, act)]),
                };
                let others = others.iter().map(|cell| element("td", &[], cell));
                around("tr", &[], [name].into_iter().chain(others))
            })
            .collect::<Vec<_>>();
        let table = around(
            "table",
            &[],
            [
                element("caption", &[], caption),
                around("thead", &[], [around("tr", &[], head)]),
                around("tbody", &[], rows),
            ],
        );
        let attributes = [("class", "table"), ("tabindex", "0"), ("role", "group"), ("aria-label", caption)];
        around("div", &attributes, [table])
    }

    fn bar(&mut self, bar: &Bar) -> Option<Element> {
        let length = element("i", &[], "");
        place(length.as_ref(), "width", &format!("{}%", bar.share));
        let button = self.button("", "", &bar.act)?;
        let parts = [
            element("span", &[("class", "name")], &bar.name),
            around("span", &[("class", "share"), ("aria-hidden", "true")], [length]),
            element("span", &[("class", "tokens")], &bar.said),
        ];
        for part in parts.into_iter().flatten() {
            button.append_child(&part).ok()?;
        }
        button.set_attribute("aria-label", &bar.spoken).ok()?;
        around("li", &[], [Some(button)])
    }

    /// A text with buttons that copy and save it.
    fn text(&mut self, title: &str, name: &str, text: &str) -> Option<Element> {
        let said = element("span", &[("role", "status"), ("class", "quiet")], "");
        let [copy, save] =
            ["Copy", "Save"].map(|name| element("button", &[("type", "button"), ("class", "small")], name));
        let (copied, of_status) = (text.to_owned(), said.clone());
        self.on(copy.as_ref(), "click", move || {
            let (text, status) = (copied.clone(), of_status.clone());
            spawn_local(async move {
                let words =
                    if browser::copy(text).await { "Copied." } else { "The browser refused to copy it." };
                if let Some(status) = status {
                    status.set_text_content(Some(words));
                }
            });
        });
        let (name, saved) = (name.to_owned(), text.to_owned());
        self.on(save.as_ref(), "click", move || browser::save(&name, saved.as_bytes()));
        around(
            "details",
            if text.len() < SHORT { &[("class", "text-of"), ("open", "")] } else { &[("class", "text-of")] },
            [
                element("summary", &[], title),
                element("pre", &[("class", "file"), ("tabindex", "0"), ("aria-label", title)], text),
                around("p", &[("class", "actions-row")], [copy, save, said]),
            ],
        )
    }

    /// A field, whose content stays when the sheet is closed.
    fn field(&mut self, field: &Field) -> Option<Element> {
        let Field { id, label, value, lines } = field;
        let of = format!("field-{id}");
        let input = match lines {
            0 => element("input", &[("id", &of), ("type", "text"), ("inputmode", "decimal")], ""),
            lines => element("textarea", &[("id", &of), ("rows", &lines.to_string())], ""),
        }?;
        let state = self.state;
        let known = untrack(|| typed_into(state, id));
        // A text area has the same `value`.
        let typed: HtmlInputElement = input.clone().unchecked_into();
        typed.set_value(known.as_ref().unwrap_or(value));
        let id = id.clone();
        self.on(Some(&input), "input", move || type_into(state, &id, typed.value()));
        let class = if *lines > 0 { "wide" } else { "" };
        around("label", &[("for", &of), ("class", class)], [element("span", &[], label), Some(input)])
    }

    fn menu(&mut self, menu: &Menu) -> Option<Element> {
        let options = menu.options.iter().zip(0_u64..).map(|((name, _), at)| {
            let chosen: &[_] = if at == menu.chosen { &[("selected", "")] } else { &[] };
            element("option", chosen, name)
        });
        let select = around("select", &[("id", &menu.id)], options)?;
        let (state, acts) = (self.state, menu.options.clone());
        let of: HtmlSelectElement = select.clone().unchecked_into();
        self.on(Some(&select), "change", move || {
            if let Some((_, chosen)) = acts.get(of.selected_index() as usize) {
                act(state, chosen);
            }
        });
        around("label", &[], [element("span", &[], &menu.label), Some(select)])
    }

    fn dot(&mut self, dot: &Dot) -> Option<Element> {
        let button = self.button("dot", "", &dot.act);
        for (side, at) in [("left", dot.place.0), ("top", dot.place.1)] {
            place(button.as_ref(), side, &format!("{}%", fraction(at, 10, 1)));
        }
        let button = button?;
        for attribute in ["title", "aria-label"] {
            button.set_attribute(attribute, &dot.name).ok()?;
        }
        Some(button)
    }
}

/// Sets a property of the style. The page's policy allows no style attribute.
fn place(of: Option<&Element>, property: &str, value: &str) {
    if let Some(of) = of.and_then(|of| of.dyn_ref::<HtmlElement>()) {
        let _never: Result<(), JsValue> = of.style().set_property(property, value);
    }
}
