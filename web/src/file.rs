//! A session that the engine has read from a file. Only the worker's program holds one: with it go the readers and
//! writers of all formats.

use std::borrow::Cow;
use std::ops::Range;

use ebbline::format::ReportedInput;
use ebbline::json::Document;
use ebbline::text::Text;
use ebbline::{EditOptions, ErrorCode, PlanOptions, ReadOptions, Session, Transcript};

use crate::content::{Content, Order};
use crate::desk::{About, Desk, Opened, Rows, tools};
use crate::error_text::Trouble;
use crate::export::{self, Exported, Wanted};
use crate::number::{counted, grouped};

/// How many troubles are listed with their place; all are counted.
const LISTED: usize = 5;

/// A session with the file that it comes from.
#[derive(Debug)]
pub struct File {
    name: String,
    session: Session<'static>,
}

impl Desk<File> {
    /// Reads a session.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in plain words.
    pub fn open(source: Vec<u8>, name: &str, options: &ReadOptions) -> Result<(Self, Opened), Trouble> {
        // What is said of bytes that are no text, as long as they are there as they were.
        let fault = ebbline::text::utf8(&source).err().map(|error| Trouble::new(&error, &source));
        let source = Text::from_bytes(source)
            .map_err(|error| fault.clone().unwrap_or_else(|| Trouble::new(&error, &[])))?;
        let session = Session::read_with(source.clone(), options).map_err(|error| match fault {
            Some(fault) if error.kind() == ErrorCode::NotUtf8 => fault,
            _ => Trouble::new(&error, source.as_str().as_bytes()),
        })?;
        let file = File { name: name.to_owned(), session };
        let opened = file.opened();
        Ok((Self::new(file), opened))
    }
}

impl File {
    fn opened(&self) -> Opened {
        let transcript = self.session.transcript();
        let problems = self.session.problems();
        Opened {
            about: About {
                name: self.name.clone(),
                bytes: self.source().len() as u64,
                format: self.session.format().title().to_owned(),
                evidence: self.session.evidence().to_owned(),
                counts: self.session.counts(),
                troubles: problems
                    .iter()
                    .take(LISTED)
                    .map(|problem| Trouble::of_line(problem, self.source().as_bytes()))
                    .collect(),
                trouble_count: problems.len(),
                tools: tools(transcript),
                facts: self.facts(),
            },
            rows: Rows::of(transcript),
        }
    }

    /// What the file records beside its messages: what its own agent did to them, and what the provider counted.
    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut recorded: Vec<(&str, u64)> = Vec::new();
        for marker in self.session.markers() {
            match recorded.iter_mut().find(|(name, _)| *name == marker.name) {
                Some((_, count)) => *count += 1,
                None => recorded.push((marker.name, 1)),
            }
        }
        if !recorded.is_empty() {
            let each: Vec<_> =
                recorded.iter().map(|(name, count)| format!("{name} × {}", grouped(*count))).collect();
            facts.push(("Recorded".to_owned(), each.join(", ")));
        }
        let answers =
            self.session.transcript().messages().iter().filter(|message| message.usage.is_some()).count();
        if answers > 0 {
            let covers = match self.session.format().reported_input() {
                Some(ReportedInput::IncludesCache) => "; its input includes what came from the cache",
                Some(ReportedInput::ExcludesCache) => {
                    "; its input is reported apart from what came from the cache"
                }
                _ => "",
            };
            let counted = counted(answers as u64, "answer");
            facts.push(("Reported usage".to_owned(), format!("with {counted}: exact{covers}")));
        }
        facts
    }
}

impl Content for File {
    fn transcript(&self) -> &Transcript {
        self.session.transcript()
    }

    fn source(&self) -> &str {
        self.session.text().as_str()
    }

    fn span(&self, message: usize) -> Range<usize> {
        self.session.span(message)
    }

    fn text_of(&self, part: usize) -> Cow<'_, str> {
        self.session.text_of(part)
    }

    fn values_of(&self, part: usize) -> String {
        let arguments = self.text_of(part);
        let Ok(document) = Document::parse(&arguments) else { return arguments.into_owned() };
        let values = document.root().members().map(|(_, value)| match value.text() {
            Some(text) => text.decode().into_owned(),
            None => value.source().to_owned(),
        });
        values.collect::<Vec<_>>().join(" ")
    }

    fn export(&self, order: &Order<'_>) -> Option<Result<Exported, Trouble>> {
        let Order { wanted, policy, force, summary, free_bytes } = *order;
        let plan = || self.session.plan_with(policy, PlanOptions::new().force(force));
        Some(match wanted {
            Wanted::Session => {
                let options = EditOptions::new().free_bytes(free_bytes);
                export::session(&self.session, &self.name, &plan(), summary, &options)
            }
            Wanted::Policy => Ok(export::policy_json(policy)),
            Wanted::JavaScript => Ok(export::javascript(policy, force)),
            Wanted::Rust => Ok(export::rust(policy, force)),
            Wanted::Plan => Ok(export::plan(&plan(), &self.name)),
        })
    }
}
