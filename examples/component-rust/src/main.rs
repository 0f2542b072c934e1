//! The component in Rust, through wasmtime: `component-rust ebbline.wasm < answers.json`.
//!
//! Standard input has a session, options, and the answers of the npm package; what was checked is printed.

use std::io::read_to_string;

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker};
use wasmtime::error::Context;
use wasmtime::{Engine, Error, Result, Store, bail, ensure, format_err};

mod bindings {
    wasmtime::component::bindgen!({ path: "../../crates/ebbline-component/wit", world: "engine" });
}

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("usage: component-rust ebbline.wasm < answers.json")?;
    let expected: Value = serde_json::from_str(&read_to_string(std::io::stdin())?)?;
    let text = expected["text"].as_str().context("text")?;
    let options = expected["options"].as_str().context("options")?;
    let messages: Vec<Value> = serde_json::from_str(text)?;

    let engine = Engine::default();
    let component = Component::from_file(&engine, path)?;
    let mut store = Store::new(&engine, ());
    // It imports nothing, so there is nothing to link.
    let engine = bindings::Engine::instantiate(&mut store, &component, &Linker::new(&engine))?;
    let api = engine.ebbline_engine_api();

    let changed = api.call_compact_messages(&mut store, text, options)?.map_err(told)?;
    ensure!(serde_json::from_str::<Value>(&changed.plan)? == expected["plan"], "plan: another one");
    let view: Vec<Value> = serde_json::from_str(&changed.view)?;
    let sent: Vec<Value> = view
        .into_iter()
        .map(|entry| match entry.as_u64() {
            Some(index) => messages.get(index as usize).cloned().unwrap_or(Value::Null),
            None => entry["message"].clone(),
        })
        .collect();
    ensure!(json!(sent) == expected["view"], "view: another one");

    let Err(failure) = api.call_plan(&mut store, "{\"a\": tru}", "{}")? else { bail!("error: there is none") };
    ensure!(failure.code == "not_json" && failure.place.is_some_and(|place| place.line == 1), "error: another one");

    let session = api.session().call_open(&mut store, options)?.map_err(told)?;
    let count = api.session().call_push(&mut store, session, text)?.map_err(told)?;
    ensure!(count as usize == messages.len(), "session: {count} messages");

    println!("{}", json!({ "version": wasmtime_version(), "checked": ["compact", "errors", "session"] }));
    Ok(())
}

fn told(failure: bindings::exports::ebbline::engine::api::Failure) -> Error {
    format_err!("{}: {}", failure.code, failure.message)
}

/// The version that was compiled in.
fn wasmtime_version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let version = lock.split("name = \"wasmtime\"\nversion = \"").nth(1);
    version.and_then(|rest| rest.split('"').next()).unwrap_or_default()
}
