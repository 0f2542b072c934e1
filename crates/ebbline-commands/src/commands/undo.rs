//! `undo`: gives back a session as it was before a compaction; messages that came since stay.

use ebbline::ErrorCode;
use ebbline::text::Text;
use serde::Serialize;

use crate::amount::counted;
use crate::deliver;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::line;
use crate::name::Name;
use crate::printable::printable;
use crate::record::Record;
use crate::run::Run;
use crate::undo::{Restoration, undo};

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    out: Option<&'a str>,
    undone: usize,
    added: usize,
    links: usize,
}

/// Undoes a compaction.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let usage = |sentence: &str| Failure::Usage(sentence.to_owned());
    let record = run.given.values.text("record").map(Name::from).ok_or_else(|| {
        usage("undo needs --record RECORD, which compact --record or summarize --record wrote")
    })?;
    if name.is_stdin() && record.is_stdin() {
        return Err(usage("the session and the record cannot both come from standard input"));
    }
    deliver::check("undo", &run.given.values)?;
    let record = Record::read(&record, &run.io).await?;
    let seen = run.io.state(name).await;
    let now = run.io.read(name).await?;
    check_whole(&now, name)?;
    let Restoration { bytes, added, links } = undo(&now, &record, name)?;
    deliver::deliver(bytes, seen, run).await?;
    let undone = record.edits.len();
    if run.is_json() {
        let out = run.given.values.text("out");
        let report = line(&Report { file: name.given(), out, undone, added, links });
        run.out.write(report).await?;
    } else {
        let said = account(undone, added, links);
        run.notes.write(&format!("ebbline: {}: {said}\n", printable(&name.said())));
    }
    Ok(Exit::Ok)
}

/// Of a file that is cut off, nobody knows what came since.
fn check_whole(bytes: &[u8], name: &Name) -> Result<(), Failure> {
    let found = Text::from_bytes(bytes).and_then(|text| ebbline::format::detect_text(&text));
    match found {
        Err(error) if matches!(error.kind(), ErrorCode::Empty | ErrorCode::NotJson | ErrorCode::TornLine) => {
            Err(Failure::File(format!("{} is damaged, and nothing is undone: {error}", name.said())))
        }
        _ => Ok(()),
    }
}

fn account(undone: usize, added: usize, links: usize) -> String {
    let what = match undone {
        0 => "nothing was changed".to_owned(),
        changes => format!("{} undone", counted(changes, "change")),
    };
    let since = match added {
        0 => String::new(),
        bytes => format!("; {} that came since stay", counted(bytes, "byte")),
    };
    let linked = match links {
        0 => String::new(),
        links => format!(", and follow what the compaction followed ({} changed)", counted(links, "link")),
    };
    format!("{what}{since}{linked}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_stayed() {
        assert_eq!(account(0, 0, 0), "nothing was changed");
        assert_eq!(
            account(2, 1_000, 1),
            "2 changes undone; 1,000 bytes that came since stay, and follow what the compaction followed (1 link changed)"
        );
    }
}
