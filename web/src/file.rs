//! A session that the engine has read from a text. Only the worker's program contains this code, because it needs the
//! readers and writers of all formats.

use std::borrow::Cow;
use std::ops::Range;

use ebbline::format::ReportedInput;
use ebbline::json::Document;
use ebbline::policy::Estimator;
use ebbline::replay::History;
use ebbline::text::Text;
use ebbline::{EditOptions, ErrorCode, PlanOptions, ReadOptions, SessionText, Transcript};

use crate::content::{Content, ExportRequest};
use crate::error_text::UserError;
use crate::export::{self, ExportKind, Exported};
use crate::life::RecordedLife;
use crate::open_session::OpenSession;
use crate::overview::{About, Overview, Rows, tools};
use crate::shape;
use ebbline::numbers::{counted, grouped};

/// How many unreadable lines are listed with their place; all of them are counted.
const LISTED: usize = 5;
/// Texts that are longer, in bytes, are not looked at as links.
const LINK: usize = 20_000;

/// A session and the file it was read from.
#[derive(Debug)]
pub struct File {
    name: String,
    session: SessionText<'static>,
    /// Whether it was made from the shape of another session.
    is_shape: bool,
}

impl OpenSession<File> {
    /// Reads a session.
    pub fn open(source: Vec<u8>, name: &str, options: &ReadOptions) -> Result<(Self, Overview), UserError> {
        // A link with a shape is opened as the session that it describes.
        let link = Some(&source)
            .filter(|source| source.len() <= LINK)
            .and_then(|source| std::str::from_utf8(source).ok());
        let shape = link.and_then(shape::link_in).map(shape::session).transpose()?;
        let is_shape = shape.is_some();
        let source = shape.map_or(source, String::into_bytes);
        // Kept before the bytes are converted: the explanation of invalid UTF-8 needs them unchanged.
        let fault = ebbline::text::utf8(&source).err().map(|error| UserError::new(&error, &source));
        let source = Text::from_bytes(source)
            .map_err(|error| fault.clone().unwrap_or_else(|| UserError::new(&error, &[])))?;
        let session = SessionText::read_with(source.clone(), options).map_err(|error| match fault {
            Some(fault) if error.kind() == ErrorCode::NotUtf8 => fault,
            _ => UserError::new(&error, source.as_str().as_bytes()),
        })?;
        let file = File { name: name.to_owned(), session, is_shape };
        let opened = file.opened();
        Ok((Self::new(file), opened))
    }
}

impl File {
    fn opened(&self) -> Overview {
        let transcript = self.session.transcript();
        let problems = self.session.problems();
        Overview {
            about: About {
                name: self.name.clone(),
                bytes: self.source().len() as u64,
                format: self.session.format().title().to_owned(),
                evidence: self.session.evidence().to_owned(),
                counts: self.session.counts(),
                problems: problems
                    .iter()
                    .take(LISTED)
                    .map(|problem| UserError::from_line(problem, self.source().as_bytes()))
                    .collect(),
                problem_count: problems.len(),
                tools: tools(transcript),
                facts: self.facts(),
            },
            rows: Rows::of(transcript),
        }
    }

    /// What else the file records: what its agent pruned or summarized, and the usage that the provider reported.
    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        if self.is_shape {
            facts.push((shape::FACT.to_owned(), shape::SAID.to_owned()));
        }
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
    fn session(&self) -> &SessionText<'static> {
        &self.session
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn format(&self) -> &'static str {
        self.session.format().title()
    }

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

    fn files_of(&self, part: usize) -> Vec<String> {
        let transcript = self.session.transcript();
        let tool = transcript.parts().get(part).and_then(|part| transcript.tool_name(part.tool?));
        tool.map_or_else(Vec::new, |tool| ebbline::binding::files_of_call(tool, &self.text_of(part)))
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

    fn history(&self) -> History<'static> {
        History::from(&self.session).into_owned()
    }

    fn moments(&self) -> Vec<Option<u64>> {
        self.session.moments()
    }

    fn recorded(&self, estimator: &Estimator) -> RecordedLife {
        let departures = ebbline::loss::recorded(&self.session);
        // The sizes of requests are shown only where something left the context.
        let requests = match departures.len() {
            0 => Vec::new(),
            _ => ebbline::replay::recorded(&self.session, estimator),
        };
        RecordedLife { requests, departures }
    }

    fn export(&self, request: &ExportRequest<'_>) -> Result<Exported, UserError> {
        let ExportRequest { wanted, policy, force, summary, free_bytes } = *request;
        let plan = || self.session.plan_with(policy, PlanOptions::new().force(force));
        match wanted {
            ExportKind::Session => {
                let options = EditOptions::new().free_bytes(free_bytes);
                export::session(&self.session, &self.name, &plan(), summary, &options)
            }
            ExportKind::Report => Ok(export::report(&self.session, &self.name, &plan(), policy)),
            ExportKind::Plan => Ok(export::plan(&plan(), &self.name)),
            _ => Ok(export::of_policy(wanted, policy, force, &self.name)),
        }
    }
}
