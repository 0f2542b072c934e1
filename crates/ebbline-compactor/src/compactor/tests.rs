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
    let first = texts(&state.forced(Cause::Asked, RequestInfo::new()).unwrap().to_json().unwrap());
    assert!(first.first().is_some_and(|key| key.starts_with("0-")) && first.len() > 20);
    assert_eq!(state.stored(3).unwrap().to_json(), None);
    assert!(
        state.view().compactions().is_empty()
            && !state.events().iter().any(|event| event.kind() == "compacted")
    );
    let rest = texts(&state.forced(Cause::Asked, RequestInfo::new()).unwrap().to_json().unwrap());
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
        let mut asked = state.forced(Cause::Asked, RequestInfo::new()).unwrap().to_json();
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

/// A compactor under which outputs that are repeated give way, and the caller is asked before.
fn with_passes(more: &str) -> Compactor {
    let options = format!(
        r#"{{"model":{{"context":400000}},"set":{{"prune.repeated":true,"prune.minimum":0,"prune.preview":0,"prune.protect":1000,"retain.keep":50}},"accept":false{more}}}"#
    );
    Compactor::new(Options::from_json(&options).unwrap()).unwrap()
}

/// A history whose steps have the same output.
fn repeats() -> Vec<String> {
    let step = |at: usize| {
        let call = format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"r{at}","type":"function","function":{{"name":"read","arguments":"{{}}"}}}}]}}"#
        );
        let output = "a line of the file ".repeat(90);
        [call, format!(r#"{{"role":"tool","tool_call_id":"r{at}","content":"{output}"}}"#)]
    };
    let person = r#"{"role":"user","content":"Mend the login test."}"#.to_owned();
    std::iter::once(person).chain((0..20).flat_map(step)).collect()
}

#[test]
fn passes_are_asked_for_and_taken_back_by_themselves() {
    let mut compactor = with_passes(r#","hooks":true"#);
    let step = compactor.compact_now(&repeats(), RequestInfo::new()).unwrap();
    assert!(matches!(&step, Step::Permit(question) if !question.is_summary));
    let next = compactor.allow(Some(Wishes::default())).unwrap();
    assert!(matches!(&next, Step::Permit(question) if question.is_summary));
    assert_eq!(compactor.view().compactions().len(), 1);
    // Nobody has heard of the passes yet, and a call that is cancelled leaves everything as it was.
    assert!(compactor.events().is_empty());
    compactor.cancel();
    assert!(compactor.view().compactions().is_empty() && compactor.events().is_empty());
    assert!(compactor.messages().eq(compactor.history()));
    compactor.compact_now(&repeats(), RequestInfo::new()).unwrap();
    assert!(compactor.allow(None).unwrap().is_send(), "what is not allowed is not made");
    assert!(compactor.messages().eq(compactor.history()));
}

#[test]
fn passes_and_a_summary_are_two_changes() {
    let mut compactor = with_passes("");
    let step = compactor.compact_now(&repeats(), RequestInfo::new()).unwrap();
    let step = compactor.summarize(step, |_| Ok::<_, std::fmt::Error>(SUMMARY.to_owned())).unwrap();
    assert!(step.is_send());
    let events: Vec<&str> = compactor.events().iter().map(Event::kind).collect();
    assert_eq!(events, ["summary_requested", "compacted", "compacted"]);
    assert!(compactor.undo().unwrap() && compactor.undo().unwrap() && !compactor.undo().unwrap());
}

#[test]
fn what_a_model_does_not_see_may_change_and_what_it_sees_may_not() {
    let mut compactor = with_passes("");
    let mut history = repeats();
    history.insert(0, r#"{"role":"system","content":"It is Monday."}"#.to_owned());
    compactor.prepare(&history, RequestInfo::new()).unwrap();
    let known = compactor.view().known();
    history[0] = r#"{"role":"system","content":"It is Tuesday."}"#.to_owned();
    history[2] = history[2].replacen('{', r#"{"metadata":{"turn":1},"#, 1);
    compactor.prepare(&history, RequestInfo::new()).unwrap();
    assert!(compactor.events().is_empty() && compactor.messages().eq(&history));
    history.truncate(5);
    history[1] = r#"{"role":"user","content":"Mend the logout test."}"#.to_owned();
    compactor.prepare(&history, RequestInfo::new()).unwrap();
    let events = compactor.events();
    assert!(matches!(events[0], Event::Edited { kept: 0, known: 42, .. }), "{events:?}");
    assert!(known == 42 && compactor.messages().eq(&history));
}

#[test]
fn an_output_that_another_compactor_cleared_is_not_recalled() {
    let options = r#"{"model":{"context":16000,"output":2000},"accept":false}"#;
    let made = || Compactor::new(Options::from_json(options).unwrap()).unwrap();
    let history: Vec<String> = history(0, 26).iter().map(|text| text.json.to_string()).collect();
    let (mut first, mut other) = (made(), made());
    first.prepare(&history, RequestInfo::new()).unwrap();
    let view: Vec<String> = first.messages().map(str::to_owned).collect();
    let reference = view[2].split("[ref ").nth(1).unwrap()[..8].to_owned();
    other.prepare(&view, RequestInfo::new()).unwrap();
    for name in ["c0", &reference] {
        assert!(first.recall(name).unwrap().unwrap().starts_with("line 0 of the file"), "{name}");
        assert_eq!(other.recall(name).unwrap(), None, "{name}");
    }
    assert!(other.recall("c25").unwrap().is_some());
}

#[test]
fn a_compactor_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Compactor>();
}

#[test]
fn a_pause_that_the_cache_has_not_outlived_prunes_nothing_also_across_a_restart() {
    let cleared = |compactor: &Compactor| compactor.messages().filter(|text| text.contains("[ref ")).count();
    let at = |minutes: u64| RequestInfo::new().now(1_800_000_000_000 + minutes * 60_000);
    let options = || Options::from_json(r#"{"profile":"ebbline@3","model":{"context":15000}}"#).unwrap();
    let history = repeats();
    for (pause, is_cold) in [(4, false), (5, true)] {
        let mut compactor = Compactor::new(options()).unwrap();
        compactor.prepare(&history[..39], at(0)).unwrap();
        assert_eq!(cleared(&compactor), 0, "nothing is full");
        let record = compactor.record();
        compactor.prepare(&history, at(pause)).unwrap();
        assert_eq!(cleared(&compactor) > 0, is_cold, "{pause}");
        let mut resumed = Compactor::new(options().record(&record).unwrap()).unwrap();
        resumed.prepare(&history, at(pause)).unwrap();
        assert_eq!(cleared(&resumed) > 0, is_cold, "{pause}, after a restart");
        let mut told = Compactor::new(options().record(&record).unwrap()).unwrap();
        told.prepare(&history, at(pause).idle(1)).unwrap();
        assert_eq!(cleared(&told), 0, "what the caller says counts");
    }
}
