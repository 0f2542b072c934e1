//! Direct calls of browser APIs.

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, Document, HtmlCanvasElement, HtmlElement, HtmlImageElement, Window};

/// The id of the file input, which the key `O` clicks.
pub(super) const FILE_INPUT: &str = "file";

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// Whether an input inside what `selector` matches has the focus.
pub(super) fn is_typing_in(selector: &str) -> bool {
    let focused = document().and_then(|document| document.active_element());
    focused.is_some_and(|focused| {
        focused.tag_name() == "INPUT" && focused.closest(selector).ok().flatten().is_some()
    })
}

pub(super) fn element(id: &str) -> Option<HtmlElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

pub(super) fn focus(id: &str) {
    if let Some(element) = element(id) {
        let _gone = element.focus();
    }
}

/// Closes the menus that are open. Returns whether one was.
pub(super) fn close_menus() -> bool {
    let open = document().and_then(|document| document.query_selector("details.menu[open]").ok().flatten());
    let Some(open) = open else { return false };
    let _never = open.remove_attribute("open");
    if let Ok(Some(summary)) = open.query_selector("summary")
        && let Ok(summary) = summary.dyn_into::<HtmlElement>()
    {
        let _gone = summary.focus();
    }
    true
}

/// The part of the page's address from `#` on.
pub(super) fn hash() -> Option<String> {
    window()?.location().hash().ok()
}

/// Leaves for another page of the site.
pub(super) fn go(page: &str) {
    if let Some(window) = window() {
        let _never = window.location().set_href(page);
    }
}

/// Stores a short setting for the next visit. Sessions are never stored.
pub(super) fn store(name: &str, value: &str) {
    if let Some(Ok(Some(storage))) = window().map(|window| window.local_storage()) {
        let _full = storage.set_item(name, value);
    }
}

/// Loads a setting stored by an earlier visit.
pub(super) fn stored(name: &str) -> Option<String> {
    window()?.local_storage().ok()??.get_item(name).ok()?
}

/// Marks the whole page with the version: `data-ready` once it can be used, `data-open` once a worker has opened a session.
pub(super) fn mark(attribute: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _never = root.set_attribute(attribute, env!("CARGO_PKG_VERSION"));
    }
}

/// Whether the system asks for as little motion as possible.
pub(super) fn wants_no_motion() -> bool {
    matches_media("(prefers-reduced-motion: reduce)")
}

/// Whether a media query is true.
pub(super) fn matches_media(query: &str) -> bool {
    let asked = window().and_then(|window| window.match_media(query).ok().flatten());
    asked.is_some_and(|asked| asked.matches())
}

/// A file with the content `text`.
pub(super) fn blob(text: &str) -> Option<web_sys::Blob> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    web_sys::Blob::new_with_str_sequence_and_options(&parts, &kind_of_blob()).ok()
}

fn kind_of_blob() -> web_sys::BlobPropertyBag {
    let kind = web_sys::BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    kind
}

/// Saves `bytes` as a download.
pub(super) fn save(name: &str, bytes: &[u8]) {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &kind_of_blob()).ok();
    let Some(blob) = blob else { return };
    let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) else { return };
    follow_link(&url, name);
    gloo::timers::callback::Timeout::new(10_000, move || {
        let _gone = web_sys::Url::revoke_object_url(&url);
    })
    .forget();
}

/// The address of an SVG document, which an image shows. The page's policy allows `data:` and no `blob:` there.
pub(super) fn picture_url(svg: &str) -> String {
    format!("data:image/svg+xml,{}", String::from(js_sys::encode_uri_component(svg)))
}

/// Saves the picture at `address` as a PNG with twice its size.
pub(super) fn save_png(name: &str, address: &str) {
    let Ok(image) = HtmlImageElement::new() else { return };
    let (loaded, name) = (image.clone(), name.to_owned());
    let save = Closure::<dyn FnMut()>::new(move || {
        if let Some(png) = drawn(&loaded) {
            follow_link(&png, &name);
        }
    });
    image.set_onload(Some(save.as_ref().unchecked_ref()));
    image.set_src(address);
    // It lives as long as the picture may still be loaded.
    save.forget();
}

/// A picture with twice its size, as the address of a PNG.
fn drawn(image: &HtmlImageElement) -> Option<String> {
    let (width, height) = (image.natural_width() * 2, image.natural_height() * 2);
    let canvas: HtmlCanvasElement = document()?.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height).ok()?;
    canvas.to_data_url_with_type("image/png").ok()
}

/// Saves what is at `address` under `name`.
fn follow_link(address: &str, name: &str) {
    let Some(document) = document() else { return };
    if let Ok(Ok(link)) = document.create_element("a").map(JsCast::dyn_into::<web_sys::HtmlAnchorElement>) {
        link.set_href(address);
        link.set_download(name);
        link.click();
    }
}

/// Decodes `bytes`; if they are not valid UTF-8, every byte beyond ASCII becomes a question mark.
pub(super) fn text_of(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(
        |_| bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect(),
        str::to_owned,
    )
}

/// Copies `text` to the clipboard, which the browser may refuse.
pub(super) async fn copy(text: String) -> bool {
    let Some(window) = window() else { return false };
    let promise = window.navigator().clipboard().write_text(&text);
    wasm_bindgen_futures::JsFuture::from(promise).await.is_ok()
}
