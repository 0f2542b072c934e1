//! The resource `compactor`: the compactor of the crate `ebbline-compactor`, which has the state and decides.

use std::cell::RefCell;

use ebbline::json::{Document, Writer};
use ebbline_compactor::{Compactor, Model, Options, RequestInfo, Step, Usage, binding};

use crate::bindings::api::{self, Failure, GuestCompactor};
use crate::session::decision;

/// Keeps a session inside its context window.
#[derive(Debug)]
pub(crate) struct Keeper(RefCell<Compactor>);

/// What a call asks the caller for.
type Asked = Result<Option<String>, Failure>;

fn asked(step: Result<Step, ebbline_compactor::CompactorError>) -> Asked {
    Ok(step?.to_json())
}

fn info(about: api::RequestInfo) -> RequestInfo {
    let api::RequestInfo { focus, notes, model, has_model, target, known_tokens, idle, now } = about;
    let info = RequestInfo::new().notes(notes).has_model(has_model).target(target).known_tokens(known_tokens);
    let info = info.model(model.map(Model::unread)).idle(idle).now(now);
    match focus {
        Some(focus) => info.focus(focus),
        None => info,
    }
}

/// Texts as a JSON array.
fn array<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let mut out = Writer::default();
    out.raw("[");
    for (at, text) in texts.into_iter().enumerate() {
        out.raw(if at == 0 { "" } else { "," }).string(text);
    }
    out.raw("]");
    out.finish()
}

impl GuestCompactor for Keeper {
    fn open(options: String) -> Result<api::Compactor, Failure> {
        let machine = Compactor::new(Options::from_json(&options)?)?;
        Ok(api::Compactor::new(Self(RefCell::new(machine))))
    }

    fn pin(&self, rule: u32, messages: Vec<u32>) -> Result<(), Failure> {
        Ok(self.0.borrow_mut().pin(rule, &messages)?)
    }

    fn seen(&self, messages: String) -> Result<String, Failure> {
        Ok(array(&binding::seen(&messages)?))
    }

    fn renew(&self, indices: Vec<u32>, messages: String) -> Result<(), Failure> {
        Ok(self.0.borrow_mut().renew(&indices, &messages)?)
    }

    fn prepare(&self, keep: u32, added: String, about: api::RequestInfo) -> Asked {
        asked(self.0.borrow_mut().prepare_from(keep as usize, &added, info(about)))
    }

    fn resume(&self, keep: u32, added: String) -> Asked {
        asked(self.0.borrow_mut().resume_from(keep as usize, &added))
    }

    fn overflowed(&self, words: String) -> Result<(), Failure> {
        self.0.borrow_mut().overflowed(&words);
        Ok(())
    }

    fn recover(&self, keep: u32, added: String, about: api::RequestInfo) -> Asked {
        asked(self.0.borrow_mut().recover_from(keep as usize, &added, info(about)))
    }

    fn compact_now(&self, keep: u32, added: String, about: api::RequestInfo) -> Asked {
        asked(self.0.borrow_mut().compact_now_from(keep as usize, &added, info(about)))
    }

    fn allow(&self, wish: Option<String>) -> Asked {
        asked(self.0.borrow_mut().allow_json(wish.as_deref()))
    }

    fn answer(&self, text: String, truncated: bool) -> Asked {
        asked(self.0.borrow_mut().answer(&text, truncated))
    }

    fn give_up(&self, why: String) -> Asked {
        asked(self.0.borrow_mut().give_up(&why))
    }

    fn is_wanted(&self) -> bool {
        self.0.borrow().is_wanted()
    }

    fn stored(&self, texts: u32) -> Asked {
        asked(self.0.borrow_mut().stored(texts as usize))
    }

    fn counted(&self, tokens: String) -> Asked {
        asked(self.0.borrow_mut().counted_json(&tokens))
    }

    fn lacks(&self) -> String {
        array(&self.0.borrow().missing_keys())
    }

    fn found(&self, texts: String) -> Result<(), Failure> {
        let document = Document::parse(&texts)?;
        let texts = document.root().elements().map(|text| text.text().map(|text| text.decode().into_owned()));
        self.0.borrow_mut().found(texts.collect());
        Ok(())
    }

    fn cancel(&self) {
        self.0.borrow_mut().cancel();
    }

    fn view(&self) -> String {
        self.0.borrow().view().to_json()
    }

    fn restored(&self) -> Option<String> {
        self.0.borrow().restored()
    }

    fn known(&self) -> u32 {
        self.0.borrow().view().known() as u32
    }

    fn changes(&self) -> u32 {
        self.0.borrow().view().changes()
    }

    fn usage(&self, tokens: Option<u64>, cleared: Option<u64>) {
        let mut usage = Usage::default();
        (usage.tokens, usage.cleared) = (tokens, cleared);
        self.0.borrow_mut().usage(usage);
    }

    fn decide(&self) -> api::Decision {
        decision(&self.0.borrow_mut().decide())
    }

    fn undo(&self) -> Result<bool, Failure> {
        Ok(self.0.borrow_mut().undo()?)
    }

    fn redo(&self) -> Result<bool, Failure> {
        Ok(self.0.borrow_mut().redo()?)
    }

    fn recall(&self, id: String) -> Result<Option<String>, Failure> {
        Ok(self.0.borrow().recall(&id)?)
    }

    fn record(&self) -> String {
        self.0.borrow().record()
    }

    fn events(&self) -> String {
        let events: Vec<String> = self.0.borrow_mut().events().iter().map(|event| event.to_json()).collect();
        format!("[{}]", events.join(","))
    }
}
