//! The resource `compactor`: carries out what the engine's controller says, before each request of an agent.

mod asking;
mod background;
mod carrying;
mod cause;
mod glob;
mod head;
mod introduction;
mod metadata;
mod notices;
mod parts;
mod pins;
mod record;
mod reference_places;
mod refusal;
mod reported;
mod settings;
mod size;
mod store;
mod told;
mod view;
mod when;
mod work;

use std::cell::RefCell;
use std::fmt;

use crate::bindings::api::{self, Failure, GuestCompactor};
use crate::failure::failure;
use crate::options::{OF_COMPACTORS, parsed};
use crate::session::{decision, elements};
use cause::Cause;
use ebbline::json::Writer;
pub(crate) use introduction::known as introductions;
pub(crate) use pins::Pins;
use record::seen_of;
use settings::Settings;
pub(crate) use view::View;
use work::{Due, Work};

/// Keeps a session inside its context window.
#[derive(Debug)]
pub(crate) struct Keeper {
    work: RefCell<Work>,
    /// The call that is made again once the caller has counted.
    again: RefCell<Option<Call>>,
}

/// What a call does, and asks the caller for.
type Making = dyn Fn(&mut Work) -> Result<Option<String>, Failure>;

/// A call that may have to be made again.
struct Call(Box<Making>);

impl fmt::Debug for Call {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Call")
    }
}

impl Keeper {
    /// Works towards what is to be sent. Once nothing is asked for any more, it says so if that exceeds the window.
    fn towards(
        &self,
        call: impl Fn(&mut Work) -> Result<Option<String>, Failure> + 'static,
    ) -> Result<Option<String>, Failure> {
        self.call(Call(Box::new(move |work| {
            let asked = call(work)?;
            if asked.is_none() {
                work.warn();
            }
            Ok(asked)
        })))
    }

    /// Makes a call. If the caller has to count texts first, nothing is changed, and it is asked for.
    fn call(&self, call: Call) -> Result<Option<String>, Failure> {
        self.again.take();
        let mut work = self.work.borrow_mut();
        if !work.counts().are_wanted() {
            return call.0(&mut work);
        }
        let before = work.clone();
        work.counts().forget_missing();
        let asked = call.0(&mut work);
        // What was decided by other figures, a failure too, was not decided.
        let Some(request) = work.counts().request() else { return asked };
        *work = before;
        self.again.replace(Some(call));
        Ok(Some(request))
    }
}

impl GuestCompactor for Keeper {
    fn open(options: String) -> Result<api::Compactor, Failure> {
        let given = parsed(&options, OF_COMPACTORS)?;
        let work = Work::new(Settings::read(given.root())?)?;
        Ok(api::Compactor::new(Self { work: RefCell::new(work), again: RefCell::default() }))
    }

    fn pin(&self, rule: u32, messages: Vec<u32>) -> Result<(), Failure> {
        Ok(self.work.borrow_mut().pin(rule, &messages)?)
    }

    fn seen(&self, messages: String) -> Result<String, Failure> {
        let seen = elements(&messages)?.into_iter().map(|text| seen_of(&text.words));
        let mut out = Writer::default();
        for (at, seen) in seen.enumerate() {
            out.raw(if at == 0 { "[" } else { "," }).string(&seen);
        }
        let written = out.finish();
        Ok(if written.is_empty() { "[]".to_owned() } else { written + "]" })
    }

    fn renew(&self, indices: Vec<u32>, messages: String) -> Result<(), Failure> {
        let messages = elements(&messages)?;
        self.work.borrow_mut().renew(&indices, messages);
        Ok(())
    }

    fn prepare(
        &self,
        keep: u32,
        added: String,
        focus: Option<String>,
        model: Option<String>,
        idle: Option<u64>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let added = elements(&added)?;
        self.towards(move |work| {
            if work.take(keep as usize, added.clone())? {
                work.answered();
            }
            if let Some(model) = &model {
                work.switch_to(model)?;
            }
            work.prepare(Due { focus: focus.clone(), idle, now })
        })
    }

    fn overflowed(&self, words: String) -> Result<(), Failure> {
        self.work.borrow_mut().overflowed(&words);
        Ok(())
    }

    fn recover(
        &self,
        keep: u32,
        added: String,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let added = elements(&added)?;
        self.towards(move |work| {
            work.take(keep as usize, added.clone())?;
            work.forced(Cause::Overflow, focus.clone(), now)
        })
    }

    fn compact_now(
        &self,
        keep: u32,
        added: String,
        focus: Option<String>,
        now: Option<u64>,
    ) -> Result<Option<String>, Failure> {
        let added = elements(&added)?;
        // Nothing is sent now.
        self.call(Call(Box::new(move |work| {
            work.take(keep as usize, added.clone())?;
            work.forced(Cause::Asked, focus.clone(), now)
        })))
    }

    fn allow(&self, wish: Option<String>) -> Result<Option<String>, Failure> {
        self.towards(move |work| work.allow(wish.as_deref()))
    }

    fn answer(&self, text: String, truncated: bool) -> Result<Option<String>, Failure> {
        self.towards(move |work| work.answer(&text, truncated))
    }

    fn give_up(&self, why: String) -> Result<Option<String>, Failure> {
        self.towards(move |work| work.give_up(&why))
    }

    fn is_wanted(&self) -> bool {
        self.work.borrow().wants()
    }

    fn stored(&self, texts: u32) -> Result<Option<String>, Failure> {
        self.towards(move |work| work.stored(texts as usize))
    }

    fn counted(&self, tokens: String) -> Result<Option<String>, Failure> {
        let call = self.again.take();
        let call = call.ok_or_else(|| failure("mismatch", "nothing is waited for that had to be counted"))?;
        self.work.borrow().counts().take(&tokens)?;
        self.call(call)
    }

    fn lacks(&self) -> String {
        self.work.borrow().lacks()
    }

    fn found(&self, texts: String) -> Result<(), Failure> {
        self.work.borrow_mut().found(&texts)
    }

    fn cancel(&self) {
        let mut work = self.work.borrow_mut();
        if self.again.take().is_some() {
            work.forget_meant();
        }
        work.cancel();
    }

    fn view(&self) -> String {
        self.work.borrow().sent()
    }

    fn restored(&self) -> Option<String> {
        self.work.borrow().restored()
    }

    fn known(&self) -> u32 {
        self.work.borrow().view().log() as u32
    }

    fn changes(&self) -> u32 {
        self.work.borrow().view().changes()
    }

    fn usage(&self, tokens: Option<u64>, cleared: Option<u64>) {
        self.work.borrow_mut().usage(tokens, cleared);
    }

    fn decide(&self) -> api::Decision {
        decision(&self.work.borrow_mut().decide(None))
    }

    fn undo(&self) -> Result<bool, Failure> {
        Ok(self.work.borrow_mut().turn(false)?)
    }

    fn redo(&self) -> Result<bool, Failure> {
        Ok(self.work.borrow_mut().turn(true)?)
    }

    fn recall(&self, id: String) -> Result<Option<String>, Failure> {
        self.work.borrow().recall(&id)
    }

    fn record(&self) -> String {
        self.work.borrow().record()
    }

    fn events(&self) -> String {
        self.work.borrow_mut().told()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::Text;
    use ebbline::json::Document;

    const SUMMARY: &str = "The agent read some files. The fault is not found yet.";
    const OPTIONS: &str = r#""model":{"context":16000,"output":2000},"set":{"prune.enabled":false,"retain.keep":2000},"accept":false,"introduction":"""#;

    /// A compactor with more options.
    fn work(more: &str) -> Work {
        let options = format!("{{{OPTIONS},{more}}}");
        Work::new(Settings::read(parsed(&options, OF_COMPACTORS).unwrap().root()).unwrap()).unwrap()
    }

    /// A request and so many steps of an agent, from step `from` on.
    fn history(from: usize, steps: usize) -> Vec<Text> {
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
        std::iter::once(person).chain(steps).map(|message| Text::of(&message)).collect()
    }

    fn has(json: &str, member: &str) -> bool {
        Document::parse(json).unwrap().root().present(member).is_some()
    }

    #[test]
    fn the_agent_goes_on_until_the_summary_is_there() {
        let mut work = work(r#""background":true"#);
        let count = history(0, 26).len();
        work.take(0, history(0, 26)).unwrap();
        let request = work.prepare(Due::default()).unwrap().unwrap();
        assert!(has(&request, "background") && !has(&request, "awaited") && has(&request, "messages"));
        work.take(count, vec![]).unwrap();
        assert_eq!(work.prepare(Due::default()).unwrap(), None);
        assert!(work.wants() && !work.sent().contains(SUMMARY));
        assert_eq!(work.answer(SUMMARY, false).unwrap(), None);
        assert!(!work.wants() && !work.sent().contains(SUMMARY), "a later call takes it over");
        assert_eq!(work.prepare(Due::default()).unwrap(), None);
        assert!(work.sent().contains(SUMMARY));
        assert_eq!(work.answer(SUMMARY, false).unwrap_err().code, "mismatch");
    }

    #[test]
    fn it_has_to_be_awaited_if_nothing_fits_otherwise() {
        let mut work = work(r#""background":{"onEdit":"drop"}"#);
        let count = history(0, 26).len();
        work.take(0, history(0, 26)).unwrap();
        work.prepare(Due::default()).unwrap();
        work.take(count, history(30, 12)).unwrap();
        let request = work.prepare(Due::default()).unwrap().unwrap();
        assert!(has(&request, "awaited") && has(&request, "messages"));
        // Whoever stops waiting leaves the model to go on.
        work.cancel();
        let reminder = work.answer("", false).unwrap().unwrap();
        assert!(has(&reminder, "background") && !has(&reminder, "awaited"));
        assert!(work.prepare(Due::default()).unwrap().is_some_and(|asked| has(&asked, "awaited")));
        work.answer(SUMMARY, false).unwrap();
        assert!(work.sent().contains(SUMMARY));
        // Any edit drops the next one.
        work.take(0, history(0, 26)).unwrap();
        assert!(work.prepare(Due::default()).unwrap().is_some_and(|asked| has(&asked, "background")));
        work.take(40, vec![]).unwrap();
        assert!(!work.wants());
    }

    #[test]
    fn nothing_is_compacted_unless_all_of_it_is_stored() {
        let mut work = work(r#""store":true,"summaries":"deterministic""#);
        work.take(0, history(0, 26)).unwrap();
        let texts = |request: &str| {
            let document = Document::parse(request).unwrap();
            let list = document.root().get("store").unwrap();
            list.elements().map(|one| one.text_of("key").unwrap().decode().into_owned()).collect::<Vec<_>>()
        };
        let first = texts(&work.forced(Cause::Asked, None, None).unwrap().unwrap());
        assert!(first.first().is_some_and(|key| key.starts_with("0-")) && first.len() > 20);
        assert_eq!(work.stored(3).unwrap(), None);
        assert!(work.view().done().is_empty() && !work.told().contains("\"compacted\""));
        let rest = texts(&work.forced(Cause::Asked, None, None).unwrap().unwrap());
        assert_eq!(rest, first.split_at(3).1, "what is stored is stored once");
        assert_eq!(work.stored(rest.len()).unwrap(), None);
        assert_eq!(work.view().done().len(), 1);
        assert!(work.stored(0).is_err());
    }

    #[test]
    fn a_summary_is_written_in_parts() {
        for (chunks, joined) in [("rolling", 0), ("map_reduce", 1)] {
            let mut work = work(&format!(r#""budgetTokens":3000,"chunks":"{chunks}""#));
            work.take(0, history(0, 40)).unwrap();
            let mut asked = work.forced(Cause::Asked, None, None).unwrap();
            let mut requests = 0;
            while let Some(request) = asked {
                requests += 1;
                let is_rolled = request.contains("<previous-summary>");
                assert_eq!(is_rolled, joined == 0 && requests > 1, "{chunks}, {requests}");
                asked = work.answer(&format!("{SUMMARY} ({requests})"), false).unwrap();
            }
            assert!(requests > 3 && work.sent().contains(&format!("({requests})")), "{chunks}: {requests}");
            let told = work.told();
            assert!(told.contains(&format!("\"part\":{requests},\"parts\":{requests}}}")), "{told}");
        }
    }

    #[test]
    fn what_is_no_option_is_refused() {
        for (more, sentence) in [
            (r#""background":"rebase""#, "{ onEdit: 'rebase' or 'drop' }"),
            (r#""background":{"onEdit":"drop","more":1}"#, "{ onEdit: 'rebase' or 'drop' }"),
            (r#""chunks":"parts""#, "'rolling' or 'map_reduce'"),
            (r#""store":"here""#, "the option store must be true or false"),
        ] {
            let options = format!("{{{more}}}");
            let error = Settings::read(parsed(&options, OF_COMPACTORS).unwrap().root()).unwrap_err();
            assert!(error.message.contains(sentence), "{}", error.message);
        }
    }
}
