//! `recall`: the whole output of one call, also if it was pruned.

use serde::Serialize;

use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::line;
use crate::name::Name;
use crate::printable::printable_lines;
use crate::record::Record;
use crate::run::Run;
use crate::undo::undo;

#[derive(Serialize)]
struct Recalled<'a> {
    file: String,
    id: &'a str,
    text: &'a str,
}

/// Prints the whole output of a call.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let [name, id] = &*run.given.files else {
        return Err(Failure::Usage("recall needs a FILE and the ID of a call".to_owned()));
    };
    let (name, id) = (name.clone(), id.given());
    let record = run.given.values.text("record").map(Name::from);
    if name.is_stdin() && record.as_ref().is_some_and(Name::is_stdin) {
        let sentence = "the session and the record cannot both come from standard input";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let options = EngineOptions::of(&run.given.values)?;
    let record = match &record {
        Some(record) => Some(Record::read(record, &run.io).await?),
        None => None,
    };
    let mut bytes = run.io.read(&name).await?;
    if let Some(record) = &record {
        bytes = undo(&bytes, record, &name)?.bytes;
    }
    let session = options.read(&bytes, &options.policy()?)?;
    let refuse = |sentence: String| Failure::File(format!("{}: {sentence}", name.said()));
    let found = session
        .output_of_call(&id)
        .ok_or_else(|| refuse(format!("no result answers a call with the id {id}")))?;
    if !found.is_whole {
        let advice = if record.is_none() {
            ": pass the record of the compaction with --record"
        } else {
            ", because an earlier compaction pruned it"
        };
        return Err(refuse(format!("the output of {id} was pruned, and the file has no copy of it{advice}")));
    }
    let text = &*found.text;
    if run.is_json() {
        run.out.write(line(&Recalled { file: name.given(), id: &id, text })).await?;
    } else if run.out.is_terminal {
        run.out.write(printable_lines(text) + "\n").await?;
    } else {
        run.out.write(text).await?;
    }
    Ok(Exit::Ok)
}
