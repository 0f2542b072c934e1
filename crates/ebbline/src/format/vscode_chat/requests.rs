//! The requests of a session: of a document, or of lines each of which changes it.

use crate::format::source::Source;
use crate::json::{Text, Value};

/// A request with what came of it.
#[derive(Clone)]
pub(super) struct Request<'d> {
    pub(super) value: Value<'d>,
    /// The parts that the person saw.
    pub(super) response: Vec<Value<'d>>,
    result: Option<Value<'d>>,
}

impl<'d> Request<'d> {
    fn of(value: Value<'d>) -> Self {
        Self { value, response: value.elements_of("response").collect(), result: value.present("result") }
    }

    pub(super) fn metadata(&self) -> Option<Value<'d>> {
        self.result?.present("metadata")
    }

    pub(super) fn rounds(&self) -> Vec<Value<'d>> {
        self.metadata().into_iter().flat_map(|metadata| metadata.elements_of("toolCallRounds")).collect()
    }
}

/// The requests as they stand at the end.
pub(super) fn requests<'d>(source: &'d Source<'_>) -> Vec<Request<'d>> {
    let mut requests = Vec::new();
    for line in source.values() {
        let kind = line.get("kind").and_then(Value::number).map(|kind| kind as u8);
        match (kind, line.get("v")) {
            (Some(0), Some(value)) => requests = listed(value.get("requests")),
            (Some(kind @ (1..=3)), value) => change(&mut requests, kind, line, value),
            _ => requests.extend(listed(line.get("requests"))),
        }
    }
    requests
}

fn listed(list: Option<Value<'_>>) -> Vec<Request<'_>> {
    list.into_iter().flat_map(Value::elements).map(Request::of).collect()
}

/// Carries out one line: 1 sets a value, 2 adds to a list behind its first `i` elements, 3 deletes.
fn change<'d>(requests: &mut Vec<Request<'d>>, kind: u8, line: Value<'d>, value: Option<Value<'d>>) {
    let path: Vec<_> = line.elements_of("k").collect();
    let is_of = |key: Option<&Value<'_>>, name: &str| {
        key.copied().and_then(Value::text).is_some_and(|key: Text<'_>| key.is(name))
    };
    if !is_of(path.first(), "requests") {
        return;
    }
    let from = line.get("i").and_then(Value::number).map(|from| from as usize);
    let added = || value.into_iter().flat_map(Value::elements);
    let Some(index) = path.get(1).copied().and_then(Value::number).map(|index| index as usize) else {
        if kind != 2 {
            requests.clear();
        }
        requests.truncate(from.unwrap_or(usize::MAX));
        requests.extend(added().map(Request::of));
        return;
    };
    let Some(request) = requests.get_mut(index) else { return };
    match path.len() {
        2 => {
            if let Some(value) = value {
                *request = Request::of(value);
            }
        }
        3 if is_of(path.get(2), "result") => request.result = value.filter(|value| !value.is_null()),
        3 if is_of(path.get(2), "response") => {
            if kind != 2 {
                request.response.clear();
            }
            request.response.truncate(from.unwrap_or(usize::MAX));
            request.response.extend(added());
        }
        _ => {}
    }
}
