//! The machine in small sessions: a request, and the steps of an agent that reads files.

use ebbline::json::Document;

use super::*;

const SUMMARY: &str = "The agent read some files. The fault is not found yet.";
const OPTIONS: &str = r#""model":{"context":16000,"output":2000},"set":{"prune.enabled":false,"retain.keep":2000},"accept":false,"introduction":"""#;

/// A compactor with more options.
fn state(more: &str) -> State {
    State::new(Options::from_json(&format!("{{{OPTIONS},{more}}}")).unwrap()).unwrap()
}

/// A request and so many steps of an agent, from step `from` on.
fn history(from: usize, steps: usize) -> Vec<MessageText> {
    let person = r#"{"role":"user","content":"Mend the login test."}"#.to_owned();
    let step = |at: usize| {
        [
            format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{at}","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}}"#
            ),
            format!(
                r#"{{"role":"tool","tool_call_id":"c{at}","content":"{}"}}"#,
                format!("line {at} of the file ").repeat(90)
            ),
        ]
    };
    let steps = (from..from + steps).flat_map(step);
    std::iter::once(person).chain(steps).map(|message| MessageText::of(&message)).collect()
}

fn has(json: &str, member: &str) -> bool {
    Document::parse(json).unwrap().root().present(member).is_some()
}

#[test]
fn the_agent_goes_on_until_the_summary_is_there() {
    let mut state = state(r#""background":true"#);
    let count = history(0, 26).len();
    state.take(0, history(0, 26)).unwrap();
    let request = state.prepare(RequestInfo::new()).unwrap().to_json().unwrap();
    assert!(has(&request, "background") && !has(&request, "awaited") && has(&request, "messages"));
    state.take(count, vec![]).unwrap();
    assert_eq!(state.prepare(RequestInfo::new()).unwrap().to_json(), None);
    assert!(state.is_wanted() && !state.view().to_json().contains(SUMMARY));
    assert_eq!(state.answer(SUMMARY, false).unwrap().to_json(), None);
    assert!(!state.is_wanted() && !state.view().to_json().contains(SUMMARY), "a later call takes it over");
    assert_eq!(state.prepare(RequestInfo::new()).unwrap().to_json(), None);
    assert!(state.view().to_json().contains(SUMMARY));
    assert_eq!(state.answer(SUMMARY, false).unwrap_err().code(), "mismatch");
}

#[test]
fn it_has_to_be_awaited_if_nothing_fits_otherwise() {
    let mut state = state(r#""background":{"onEdit":"drop"}"#);
    let count = history(0, 26).len();
    state.take(0, history(0, 26)).unwrap();
    state.prepare(RequestInfo::new()).unwrap();
    state.take(count, history(30, 12)).unwrap();
    let request = state.prepare(RequestInfo::new()).unwrap().to_json().unwrap();
    assert!(has(&request, "awaited") && has(&request, "messages"));
    // Whoever stops waiting leaves the model to go on.
    state.cancel();
    let reminder = state.answer("", false).unwrap().to_json().unwrap();
    assert!(has(&reminder, "background") && !has(&reminder, "awaited"));
    assert!(state.prepare(RequestInfo::new()).unwrap().to_json().is_some_and(|asked| has(&asked, "awaited")));
    state.answer(SUMMARY, false).unwrap();
    assert!(state.view().to_json().contains(SUMMARY));
    // Any edit drops the next one.
    state.take(0, history(0, 26)).unwrap();
    assert!(
        state.prepare(RequestInfo::new()).unwrap().to_json().is_some_and(|asked| has(&asked, "background"))
    );
    state.take(40, vec![]).unwrap();
    assert!(!state.is_wanted());
}

#[test]
fn nothing_is_compacted_unless_all_of_it_is_stored() {
    let mut state = state(r#""store":true,"summaries":"deterministic""#);
    state.take(0, history(0, 26)).unwrap();
    let texts = |request: &str| {
        let document = Document::parse(request).unwrap();
        let list = document.root().get("store").unwrap();
        list.elements().map(|one| one.text_of("key").unwrap().decode().into_owned()).collect::<Vec<_>>()
    };
    let first = texts(&state.forced(Cause::Asked, None, None).unwrap().to_json().unwrap());
    assert!(first.first().is_some_and(|key| key.starts_with("0-")) && first.len() > 20);
    assert_eq!(state.stored(3).unwrap().to_json(), None);
    assert!(
        state.view().compactions().is_empty()
            && !state.events().iter().any(|event| event.kind() == "compacted")
    );
    let rest = texts(&state.forced(Cause::Asked, None, None).unwrap().to_json().unwrap());
    assert_eq!(rest, first.split_at(3).1, "what is stored is stored once");
    assert_eq!(state.stored(rest.len()).unwrap().to_json(), None);
    assert_eq!(state.view().compactions().len(), 1);
    assert!(state.stored(0).is_err());
}

#[test]
fn a_summary_is_written_in_parts() {
    for (chunks, joined) in [("rolling", 0), ("map_reduce", 1)] {
        let mut state = state(&format!(r#""budgetTokens":3000,"chunks":"{chunks}""#));
        state.take(0, history(0, 40)).unwrap();
        let mut asked = state.forced(Cause::Asked, None, None).unwrap().to_json();
        let mut requests = 0;
        while let Some(request) = asked {
            requests += 1;
            let is_rolled = request.contains("<previous-summary>");
            assert_eq!(is_rolled, joined == 0 && requests > 1, "{chunks}, {requests}");
            asked = state.answer(&format!("{SUMMARY} ({requests})"), false).unwrap().to_json();
        }
        assert!(
            requests > 3 && state.view().to_json().contains(&format!("({requests})")),
            "{chunks}: {requests}"
        );
        let told: String = state.events().iter().map(Event::to_json).collect();
        assert!(told.contains(&format!("\"part\":{requests},\"parts\":{requests}}}")), "{told}");
    }
}
