//! Options as JSON, with the names that they have in the npm package: for bindings, and for settings that are kept in a file.

use ebbline::json::{Document, Value};
use ebbline::summary::{Acceptance, SummaryOptions};
use ebbline::{Error, Format, Policy, ReadOptions};

use super::introduction::Introduction;
use super::members::{amount, flag, known, text};
use super::policy::PolicySource;
use super::{Author, Background, Chunks, Fallback, Options, trigger};
use crate::error::{CompactorError, invalid};
use crate::record::Record;
use crate::texts::Pins;

/// The names of options that say the policy.
pub const POLICY: &[&str] = &["profile", "policy", "model", "set"];
/// The other options of a compactor.
const OWN: &[&str] = &[
    "format", "overhead", "summaries", "fallback", "budgetTokens", "auto", "failures", "cooldown", "accept",
    "pins", "when", "introduction", "originals", "record", "hooks", "notices", "background", "chunks",
    "store", "countTokens",
];

impl Options {
    /// Reads options from JSON: an object with the names that the WIT package `ebbline:engine` describes.
    ///
    /// # Errors
    ///
    /// `not_json`; `invalid_option` for a name that does not exist or a value that does not fit; `unknown_profile`,
    /// `invalid_policy`; `mismatch` for a record that is none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_compactor::Options;
    /// assert!(Options::from_json(r#"{"model": {"context": 32000}, "summaries": "deterministic"}"#).is_ok());
    /// let error = Options::from_json(r#"{"modle": {}}"#).unwrap_err();
    /// assert_eq!(error.message(), "there is no option modle: did you mean model?");
    /// ```
    pub fn from_json(json: &str) -> Result<Self, CompactorError> {
        let document = Document::parse(json)?;
        known(document.root(), &[POLICY, OWN])?;
        Self::read(document.root())
    }

    fn read(given: Value<'_>) -> Result<Self, CompactorError> {
        let author =
            text(given, "summaries")?.map_or(Some(Author::default()), |word| Author::from_word(&word));
        let author = author
            .ok_or_else(|| invalid("the option summaries must be model, deterministic, later or none"))?;
        let fallback = text(given, "fallback")?;
        let fallback = fallback
            .map_or(Some(Fallback::default()), |word| Fallback::from_word(&word))
            .ok_or_else(|| invalid("the option fallback must be when_full, deterministic or history"))?;
        let has_originals = match text(given, "originals")?.as_deref() {
            None | Some("nowhere") => false,
            Some("record") => true,
            Some(_) => return Err(invalid("the option originals must be record or nowhere").into()),
        };
        let is_counted = flag(given, "countTokens")?.unwrap_or(false);
        let source = PolicySource::read(given)?.with(author != Author::Nobody, is_counted);
        source.policy()?;
        let mut options = Self { is_counted, author, fallback, has_originals, ..Self::of(source) };
        let controller = &mut options.controller;
        controller.auto = flag(given, "auto")?.unwrap_or(controller.auto);
        controller.failures = amount(given, "failures")?.map_or(controller.failures, |most| most as u32);
        controller.cooldown = amount(given, "cooldown")?.map_or(controller.cooldown, |long| long as u32);
        options.record = given.present("record").map(Record::read).transpose()?;
        options.format = format_of(given)?;
        options.overhead = amount(given, "overhead")?;
        options.acceptance = acceptance_of(given)?;
        options.summaries = SummaryOptions::new().budget_tokens(amount(given, "budgetTokens")?);
        options.chunks = chunks_of(given)?;
        options.pins = Pins::read(given)?;
        options.trigger = given.present("when").map(trigger::trigger).transpose()?;
        options.introduction = Introduction::read(given)?;
        options.has_store = flag(given, "store")?.unwrap_or(false);
        options.has_notices = flag(given, "notices")?.unwrap_or(false);
        options.asks_permission = flag(given, "hooks")?.unwrap_or(false);
        options.background = background_of(given)?;
        Ok(options)
    }
}

fn chunks_of(given: Value<'_>) -> Result<Chunks, Error> {
    match text(given, "chunks")?.as_deref() {
        None => Ok(Chunks::WhereNeeded),
        Some("rolling") => Ok(Chunks::Rolling),
        Some("map_reduce") => Ok(Chunks::MapReduce),
        Some(_) => Err(invalid("the option chunks must be 'rolling' or 'map_reduce'")),
    }
}

fn background_of(given: Value<'_>) -> Result<Background, Error> {
    let refused = || invalid("the option background must be true, false, or { onEdit: 'rebase' or 'drop' }");
    let Some(given) = given.present("background") else { return Ok(Background::Off) };
    match given.source() {
        "true" => return Ok(Background::Rebase),
        "false" => return Ok(Background::Off),
        _ => {}
    }
    let on_edit = text(given, "onEdit").map_err(|_| refused())?;
    match on_edit.as_deref().filter(|_| given.members().count() == 1) {
        Some("rebase") => Ok(Background::Rebase),
        Some("drop") => Ok(Background::Drop),
        _ => Err(refused()),
    }
}

fn format_of(given: Value<'_>) -> Result<Option<Format>, Error> {
    text(given, "format")?.map(|name| Format::from_name(&name)).transpose()
}

/// How a text is read, under a policy whose placeholder marks pruned outputs.
///
/// # Errors
///
/// `invalid_option`; as [`Format::from_name`].
pub fn reading_of(given: Value<'_>, policy: &Policy) -> Result<ReadOptions, Error> {
    let format = format_of(given)?;
    // A number that is too large here is one that no file has.
    let conversation =
        amount(given, "conversation")?.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let options = ReadOptions::new().format(format).placeholder(policy.prune.placeholder.clone());
    Ok(options.strict(flag(given, "strict")?.unwrap_or(false)).conversation(conversation))
}

/// What a summary must have; `accept: false` asks for nothing but that it is one.
///
/// # Errors
///
/// `invalid_option`.
pub fn acceptance_of(given: Value<'_>) -> Result<Acceptance, Error> {
    let mut least = Acceptance::default();
    let Some(accept) = given.present("accept") else { return Ok(least) };
    if accept.source() == "false" {
        (least.headings, least.language, least.facts) = (false, false, 0.0);
        return Ok(least);
    }
    if !accept.is_object() {
        return Err(invalid("the option accept must be false, or { headings, language, facts }"));
    }
    least.headings = flag(accept, "headings")?.unwrap_or(least.headings);
    least.language = flag(accept, "language")?.unwrap_or(least.language);
    least.facts = accept.get("facts").and_then(Value::number).unwrap_or(least.facts);
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_option_is_refused() {
        for (options, sentence) in [
            (r#"{"background":"rebase"}"#, "{ onEdit: 'rebase' or 'drop' }"),
            (r#"{"background":{"onEdit":"drop","more":1}}"#, "{ onEdit: 'rebase' or 'drop' }"),
            (r#"{"chunks":"parts"}"#, "'rolling' or 'map_reduce'"),
            (r#"{"store":"here"}"#, "the option store must be true or false"),
            (r#"{"proflie":"ebbline@1"}"#, "there is no option proflie: did you mean profile?"),
        ] {
            let error = Options::from_json(options).unwrap_err();
            assert!(error.message().contains(sentence), "{}", error.message());
        }
    }
}
