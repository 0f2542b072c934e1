//! What the page and the worker tell each other, as bytes that are transferred in one buffer.
//!
//! A worker's message is an array of the request's number, a tag, and bytes, which `postcard` writes and reads.

pub(crate) mod column;
pub(crate) mod policy;

use serde::{Deserialize, Serialize};

/// The worker runs and takes requests.
pub const READY: u8 = 100;
/// How many bytes of the file the worker has read.
pub const PROGRESS: u8 = 101;
/// The session is open or could not be opened: an [`Overview`](crate::overview::Overview), or why there is none.
pub const OPENED: u8 = 102;
/// An [`Answer`](crate::question::Answer).
pub const ANSWER: u8 = 103;

/// The worker's script reports that its program is being fetched. Any unknown tag means that it stopped.
pub const LOADING: u8 = 1;

/// Encodes what the other side [decodes](decode).
pub fn encode(told: &impl Serialize) -> Vec<u8> {
    // Only lists of unknown length could fail. Nothing that is told has one.
    postcard::to_allocvec(told).unwrap_or_default()
}

/// Decodes [`encode`]; `None` if the bytes are invalid.
pub fn decode<'b, Told: Deserialize<'b>>(bytes: &'b [u8]) -> Option<Told> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_text::UserError;
    use crate::export::{ExportKind, Theme};
    use crate::knob::{Knob, change};
    use crate::overview::Overview;
    use crate::question::{Answer, Request};
    use crate::sheet::{Ask, Block, Which, share};
    use crate::view::At;

    type Opened = Result<Overview, UserError>;

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
            let back: Request = decode(&encode(&request)).unwrap();
            assert_eq!(format!("{back:?}"), format!("{request:?}"));
            let answer = session.answer(&request);
            let bytes = encode(&answer);
            assert_eq!(format!("{:?}", decode::<Answer>(&bytes).unwrap()), format!("{answer:?}"));
            assert!(decode::<Answer>(&bytes[..bytes.len() - 1]).is_none());
        }
        assert_eq!(decode(&encode(&Opened::Ok(opened.clone()))), Some(Opened::Ok(opened)));
        let problem = UserError::from_page("worker", "It stopped.");
        assert_eq!(decode(&encode(&Opened::Err(problem.clone()))), Some(Opened::Err(problem)));
    }

    #[test]
    fn every_sheet_of_the_sample_survives() {
        let (session, _) = crate::sample::opened();
        let history = ebbline::profiles::ALL[0].policy();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        Knob::Context.set(&mut policy, 32_000);
        for which in Which::ALL {
            for request in [None, Some(39)] {
                let fields = vec![
                    ("answer".to_owned(), "A summary.".to_owned()),
                    (share::LINK.to_owned(), "https://example.org/#1._jxlYmJsaW5lQDI".to_owned()),
                ];
                let (history, policy) = (history.clone(), policy.clone());
                let asked =
                    Request::Sheet(Box::new(Ask { which, history, policy, force: true, request, fields }));
                let back: Request = decode(&encode(&asked)).unwrap();
                assert_eq!(format!("{back:?}"), format!("{asked:?}"));
                let Answer::Sheet(blocks) = session.answer(&asked) else { panic!("no sheet") };
                assert!(!blocks.is_empty(), "{which:?}");
                let bytes = encode(&blocks);
                assert_eq!(decode::<Vec<Block>>(&bytes), Some(blocks));
                assert!(decode::<Vec<Block>>(&bytes[..bytes.len() - 1]).is_none());
            }
        }
    }

    #[test]
    fn damaged_bytes_are_nothing_or_another_answer() {
        let (session, opened) = crate::sample::opened();
        let policy = Box::new(ebbline::profiles::ALL[0].policy());
        let plan = encode(&session.answer(&Request::Plan { policy: policy.clone(), force: false, at: None }));
        let question = encode(&Request::Line(policy));
        let opened = encode(&Opened::Ok(opened));
        for (bytes, read) in [
            (&plan, (|bytes| decode::<Answer>(bytes).is_some()) as fn(&[u8]) -> bool),
            (&question, |bytes| decode::<Request>(bytes).is_some()),
            (&opened, |bytes| decode::<Opened>(bytes).is_some()),
        ] {
            assert!(read(bytes));
            for at in 0..bytes.len().min(4_000) {
                assert!(!read(&bytes[..at]), "torn at {at}");
                let mut damaged = bytes.clone();
                for byte in [0, 0x7f, 0xff] {
                    damaged[at] = byte;
                    read(&damaged);
                }
            }
        }
        assert!(decode::<Request>(&[99]).is_none());
        // A list that claims to be larger than all memory.
        assert!(decode::<Vec<Block>>(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]).is_none());
        assert!(decode::<Vec<u32>>(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 7]).is_none());
    }
}
