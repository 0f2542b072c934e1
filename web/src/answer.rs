//! The answers to the page's requests.

use crate::content::{Content, ExportRequest};
use crate::export;
use crate::life::Life;
use crate::life_words;
use crate::link::sealed;
use crate::open_session::OpenSession;
use crate::question::{Answer, Request};
use crate::readable;
use crate::sheet;

/// The maximum length of a row's preview, in characters.
const PREVIEW: usize = 160;

impl<C: Content> OpenSession<C> {
    /// Answers a request.
    pub fn answer(&self, request: &Request) -> Answer {
        match request {
            Request::Plan { policy, force, at } => {
                Answer::Planned(Box::new(self.plan_at(policy, *force, at.as_deref())))
            }
            Request::Life { policy, fit, before } => {
                let before = before.as_ref().filter(|before| before.profile != policy.profile);
                let before = before.map(|before| (before, self.with_life(before, Life::clone)));
                let (life, mut opening) = self.open_life(policy, *fit);
                if let Some((before, was)) = before {
                    let names = (before.profile.as_str(), policy.profile.as_str());
                    opening.words = format!("{} {}", life_words::changed(&was, &life, names), opening.words);
                }
                Answer::Life(Box::new(life), opening)
            }
            Request::Previews(messages) => Answer::Previews(
                messages
                    .iter()
                    .map(|message| readable::preview(self.content(), *message as usize, PREVIEW))
                    .collect(),
            ),
            Request::Inspect { message, policy, force, whole, from, at } => {
                let shown = (*whole, *from);
                Answer::Inspected(Box::new(self.inspect_at(*message, policy, *force, shown, at.as_deref())))
            }
            Request::Find(text) => Answer::Found(self.find(text)),
            Request::Sheet(ask) => Answer::Sheet(sheet::write(self, ask)),
            Request::Line(policy) => Answer::Line(self.line(policy)),
            Request::Export { wanted, policy, window, force, summary, free_bytes, at, theme } => {
                let (wanted, force, free_bytes) = (*wanted, *force, *free_bytes);
                let shown = export::as_shown(wanted, policy, (*window, at.is_some()));
                let policy = &shown.policy;
                let exported = self.export_shown(wanted, policy, force, (at.as_deref(), *theme)).map_or_else(
                    || self.content().export(&ExportRequest { wanted, policy, force, summary, free_bytes }),
                    Ok,
                );
                Answer::Exported(exported.map(|exported| shown.told(exported)))
            }
            Request::Fingerprint => {
                Answer::Fingerprint(sealed::fingerprint(self.content().source().as_bytes()))
            }
        }
    }
}
