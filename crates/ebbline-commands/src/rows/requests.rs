//! Rows of requests.

use ebbline::economics::Charge;
use ebbline::replay::{Replay, Request};
use ebbline::{Policy, SessionText};

use super::RowsOf;
use super::cell::{Column, Field, cells, columns, flags, integers, texts};
use super::sessions::{front, rows};
use crate::life::Terms;

/// An answered request.
struct Answered<'r> {
    profile: &'r str,
    number: usize,
    message: Option<u32>,
    request: &'r Request,
    charge: &'r Charge,
    /// Whether outputs were pruned before it, and whether a summary was made.
    prunes: bool,
    summarizes: bool,
}

fn request_fields<'r>() -> Vec<Field<Answered<'r>>> {
    vec![
        texts("profile", |each| each.profile.into()),
        integers("request", |each| each.number.into()),
        integers("message", |each| each.message.into()),
        integers("tokens", |each| each.request.tokens.into()),
        integers("unchanged", |each| each.request.unchanged.into()),
        flags("prunes", |each| each.prunes.into()),
        flags("summarizes", |each| each.summarizes.into()),
        flags("fits", |each| each.request.fits.into()),
        flags("over_window", |each| each.request.over_window.into()),
        integers("fresh", |each| each.charge.fresh.into()),
        integers("cached", |each| each.charge.cached.into()),
        integers("written", |each| each.charge.written.into()),
        integers("output", |each| each.charge.output.into()),
        integers("summary_input", |each| each.charge.summary_input.into()),
        integers("summary_output", |each| each.charge.summary_output.into()),
        integers("broken", |each| each.charge.broken.into()),
    ]
}

/// The columns of a request.
pub(crate) fn of_requests() -> Vec<Column> {
    front().chain(columns(&request_fields())).collect()
}

/// A row for each answered request under each policy.
pub(crate) fn requests(session: &SessionText<'_>, policies: &[Policy], terms: &Terms) -> RowsOf {
    let mut own = Vec::new();
    for policy in policies {
        let moments = terms.moments(session, [policy]);
        let replay = Replay::with_moments(session, policy, &terms.options, &moments);
        let bill = terms.with(&moments).bill(&replay);
        let (messages, fields) = (replay.history().messages(), request_fields());
        for (number, (request, charge)) in replay.requests().iter().zip(bill.charges()).enumerate() {
            let compaction = request.compaction.and_then(|at| replay.compactions().get(at as usize));
            own.push(cells(
                &fields,
                &Answered {
                    profile: &policy.profile,
                    number,
                    message: messages.get(request.at as usize).copied(),
                    request,
                    charge,
                    prunes: compaction.is_some_and(|compaction| compaction.decision.prune.applied),
                    summarizes: compaction.is_some_and(|compaction| compaction.decision.retain.applied),
                },
            ));
        }
    }
    rows(session, own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::Life;
    use crate::rows::cell::Cell;

    #[test]
    fn every_answered_request_has_a_row() {
        let text = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"},
            {"role":"assistant","content":"d"},{"role":"user","content":"e"}]"#;
        let session = SessionText::read(text).unwrap();
        let life = Life::default();
        let policies = [life.options.policy_named("pi@1.5").unwrap(), life.options.plain_policy().unwrap()];
        let rows = requests(&session, &policies, &life.terms().unwrap());
        assert_eq!(rows.len(), 4);
        let at = |name: &str| of_requests().iter().position(|column| column.name == name).unwrap();
        assert!(rows.iter().all(|row| row.len() == of_requests().len()));
        assert_eq!(
            (&rows[1][at("request")], &rows[1][at("message")]),
            (&Cell::Integer(1), &Cell::Integer(3))
        );
        assert_eq!(
            (&rows[0][at("profile")], &rows[0][at("fits")]),
            (&Cell::from("pi@1.5"), &Cell::Flag(true))
        );
    }
}
