//! Encodes requests and answers as bytes, which the page and the worker transfer in one buffer.
//!
//! A worker's message is an array of the request's number, a tag, and bytes. Numbers are little-endian; texts and
//! columns start with their length in bytes. A policy is encoded as the name of its profile and everything that the
//! page can change in it.

mod bytes;
mod life;
mod overview;
mod plan;
mod sheet;

use self::bytes::{NONE, Reader, Writer, numbers};
use self::life::{read_life, write_life};
pub use self::overview::{decode_overview, encode_overview};
use self::plan::{read_plan, write_plan};
use crate::export::{ExportKind, Exported, Theme};
use crate::inspected::Inspected;
use crate::opening::Opening;
use crate::question::{Answer, Line, Request};

/// The worker runs and takes requests.
pub const READY: u8 = 100;
/// How many bytes of the file the worker has read.
pub const PROGRESS: u8 = 101;
/// The session is open or could not be opened: [`decode_overview`].
pub const OPENED: u8 = 102;
/// An answer: [`decode_answer`].
pub const ANSWER: u8 = 103;

/// The worker's script reports that its program is being fetched. Any unknown tag means that it stopped.
pub const LOADING: u8 = 1;

/// Encodes several encodings as one.
#[must_use]
pub fn encode_parts(parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Writer::default();
    for part in parts {
        out.bytes(part);
    }
    out.0
}

/// Decodes [`encode_parts`] of `N` parts; `None` if the bytes are invalid.
#[must_use]
pub fn decode_parts<const N: usize>(bytes: &[u8]) -> Option<[&[u8]; N]> {
    let from = &mut Reader(bytes);
    let mut parts = [&[][..]; N];
    for part in &mut parts {
        *part = from.bytes()?;
    }
    Some(parts)
}

/// Encodes a request.
#[must_use]
pub fn encode_request(request: &Request) -> Vec<u8> {
    let mut out = Writer::default();
    match request {
        Request::Plan { policy, force, at } => {
            out.numbers(&[0, u64::from(*force)]);
            out.policy(policy);
            out.at(at.as_deref());
        }
        Request::Previews(messages) => {
            out.number(1);
            out.words(messages);
        }
        Request::Inspect { message, policy, force, whole, from, at } => {
            out.numbers(&[2, u64::from(*force), u64::from(*message), u64::from(*whole), *from as u64]);
            out.policy(policy);
            out.at(at.as_deref());
        }
        Request::Find(text) => {
            out.number(3);
            out.text(text);
        }
        Request::Export { wanted, policy, window, force, summary, free_bytes, at, theme } => {
            let is_dark = u64::from(*theme == Theme::Dark);
            out.numbers(&[4, u64::from(*force), u64::from(*free_bytes), is_dark, *wanted as u64]);
            out.number(window.unwrap_or(NONE));
            out.policy(policy);
            out.text(summary);
            out.at(at.as_deref());
        }
        Request::Fingerprint => out.number(8),
        Request::Sheet(ask) => {
            out.number(6);
            sheet::write_ask(ask, &mut out);
        }
        Request::Line(policy) => {
            out.number(7);
            out.policy(policy);
        }
        Request::Life { policy, fit, before } => {
            out.numbers(&[5, u64::from(*fit)]);
            out.policy(policy);
            out.number(u64::from(before.is_some()));
            if let Some(before) = before {
                out.policy(before);
            }
        }
    }
    out.0
}

/// Decodes [`encode_request`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_request(bytes: &[u8]) -> Option<Request> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Request::Plan {
            force: from.number()? == 1,
            policy: from.policy()?,
            at: from.at()?.pop().map(Box::new),
        },
        1 => Request::Previews(from.words()?),
        2 => Request::Inspect {
            force: from.number()? == 1,
            message: u32::try_from(from.number()?).ok()?,
            whole: from.number()? == 1,
            from: from.size()?,
            policy: from.policy()?,
            at: from.at()?.pop().map(Box::new),
        },
        3 => Request::Find(from.text()?),
        4 => Request::Export {
            force: from.number()? == 1,
            free_bytes: from.number()? == 1,
            theme: if from.number()? == 1 { Theme::Dark } else { Theme::Light },
            wanted: ExportKind::ALL.get(from.size()?).copied()?,
            window: Some(from.number()?).filter(|window| *window != NONE),
            policy: from.policy()?,
            summary: from.text()?,
            at: from.at()?.pop().map(Box::new),
        },
        6 => Request::Sheet(Box::new(sheet::read_ask(from)?)),
        7 => Request::Line(from.policy()?),
        8 => Request::Fingerprint,
        5 => Request::Life {
            fit: from.number()? == 1,
            policy: from.policy()?,
            before: from.list(Reader::policy)?.pop(),
        },
        _ => return None,
    })
}

/// Encodes an answer.
#[must_use]
pub fn encode_answer(answer: &Answer) -> Vec<u8> {
    let mut out = Writer::default();
    match answer {
        Answer::Planned(planned) => {
            out.number(0);
            write_plan(planned, &mut out);
        }
        Answer::Previews(lines) => {
            out.numbers(&[1, lines.len() as u64]);
            for line in lines {
                out.text(line);
            }
        }
        Answer::Inspected(inspected) => {
            let Inspected { message, why, blocks, blocks_after, raw, left_out, parts, partners, span } =
                &**inspected;
            out.numbers(&[2, u64::from(*message), left_out.0, left_out.1, parts.0, parts.1, span.0, span.1]);
            out.text(why);
            out.text(raw);
            out.words(partners);
            out.blocks(blocks);
            out.blocks(blocks_after);
        }
        Answer::Found(messages) => {
            out.number(3);
            out.words(messages);
        }
        Answer::Exported(Ok(file)) => {
            out.number(4);
            out.text(&file.name);
            out.bytes(&file.bytes);
            out.text(&file.note);
            out.text(&file.warning);
            out.text(&file.profile);
            out.number(file.summarized);
        }
        Answer::Exported(Err(problem)) => {
            out.number(5);
            out.problem(problem);
        }
        Answer::Fingerprint(fingerprint) => out.numbers(&[9, *fingerprint]),
        Answer::Sheet(blocks) => {
            out.number(7);
            sheet::write_blocks(blocks, &mut out);
        }
        Answer::Line(line) => {
            out.number(8);
            out.words(&line.found);
            out.words(&line.sent);
        }
        Answer::Life(life, opening) => {
            out.number(6);
            write_life(life, &mut out);
            let Opening { request, window, words, told } = opening;
            out.numbers(&[request.map_or(NONE, u64::from), window.unwrap_or(NONE)]);
            out.text(words);
            for text in told {
                out.text(text);
            }
        }
    }
    out.0
}

/// Decodes [`encode_answer`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_answer(bytes: &[u8]) -> Option<Answer> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Answer::Planned(Box::new(read_plan(from)?)),
        1 => Answer::Previews(from.list(Reader::text)?),
        2 => Answer::Inspected(Box::new(Inspected {
            message: u32::try_from(from.number()?).ok()?,
            left_out: (from.number()?, from.number()?),
            parts: (from.number()?, from.number()?),
            span: (from.number()?, from.number()?),
            why: from.text()?,
            raw: from.text()?,
            partners: from.words()?,
            blocks: from.blocks()?,
            blocks_after: from.blocks()?,
        })),
        3 => Answer::Found(from.words()?),
        4 => Answer::Exported(Ok(Exported {
            name: from.text()?,
            bytes: from.column()?,
            note: from.text()?,
            warning: from.text()?,
            profile: from.text()?,
            summarized: from.number()?,
        })),
        5 => Answer::Exported(Err(from.problem()?)),
        7 => Answer::Sheet(sheet::read_blocks(from)?),
        8 => Answer::Line(Line { found: from.words()?, sent: from.words()? }),
        9 => Answer::Fingerprint(from.number()?),
        6 => {
            let life = Box::new(read_life(from)?);
            let [request, window] = numbers(from)?;
            let request = u32::try_from(request).ok();
            let window = Some(window).filter(|window| *window != NONE);
            let (words, told) = (from.text()?, [from.text()?, from.text()?, from.text()?]);
            Answer::Life(life, Opening { request, window, words, told })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_text::UserError;
    use crate::knob::{Knob, change};
    use crate::view::At;

    #[test]
    fn codes_are_inverted() {
        assert!(ExportKind::ALL.iter().enumerate().all(|(code, wanted)| *wanted as usize == code));
    }

    #[test]
    fn every_question_and_answer_survives() {
        let (session, opened) = crate::sample::opened();
        let mut policy = Box::new(ebbline::profiles::get("tunacode@0.2").unwrap());
        change(&mut policy, |policy| {
            policy.prune.enabled = true;
            policy.prune.protected_tools.push("skill".to_owned());
        });
        Knob::Reserve.set(&mut policy, 1_234);
        let (force, message) = (true, 58);
        let at = Some(Box::new(At { history: ebbline::profiles::ALL[0].policy(), request: 40 }));
        let asks = [
            Request::Line(policy.clone()),
            Request::Life { policy: policy.clone(), fit: true, before: None },
            Request::Life {
                policy: policy.clone(),
                fit: true,
                before: Some(Box::new(ebbline::profiles::ALL[0].policy())),
            },
            Request::Plan { policy: policy.clone(), force, at: at.clone() },
            Request::Plan { policy: policy.clone(), force, at: None },
            Request::Previews(vec![0, 70]),
            Request::Inspect { message, policy: policy.clone(), force, whole: true, from: 1, at: at.clone() },
            Request::Find("voucher".to_owned()),
            Request::Export {
                wanted: ExportKind::Rust,
                policy: policy.clone(),
                window: None,
                force,
                summary: "s".to_owned(),
                free_bytes: true,
                at: None,
                theme: Theme::Light,
            },
            Request::Export {
                wanted: ExportKind::Context,
                policy,
                window: Some(64_000),
                force,
                summary: String::new(),
                free_bytes: false,
                at,
                theme: Theme::Dark,
            },
            Request::Fingerprint,
        ];
        for request in asks {
            let back = decode_request(&encode_request(&request)).unwrap();
            assert_eq!(format!("{back:?}"), format!("{request:?}"));
            let answer = session.answer(&request);
            assert_eq!(
                format!("{:?}", decode_answer(&encode_answer(&answer)).unwrap()),
                format!("{answer:?}")
            );
        }
        assert_eq!(decode_overview(&encode_overview(&Ok(opened.clone()))), Some(Ok(opened)));
        let problem = UserError::from_page("worker", "It stopped.");
        assert_eq!(decode_overview(&encode_overview(&Err(problem.clone()))), Some(Err(problem)));
    }

    #[test]
    fn torn_bytes_are_nothing() {
        let (session, _) = crate::sample::opened();
        let bytes = encode_answer(&session.answer(&Request::Previews(vec![1, 2, 3])));
        for end in 0..bytes.len() {
            assert!(decode_answer(&bytes[..end]).is_none());
        }
        assert!(decode_request(&[9; 8]).is_none());
    }
}
