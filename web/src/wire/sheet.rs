//! Encodes sheets: what is asked for, and the blocks.

use super::bytes::{NONE, Reader, Writer, numbers};
use crate::sheet::{Act, Ask, Bar, Block, Dot, Field, Look, Menu, Row, Which};

pub(super) fn write_ask(ask: &Ask, out: &mut Writer) {
    let Ask { which, history, policy, force, request, fields } = ask;
    out.numbers(&[*which as u64, u64::from(*force), request.map_or(NONE, u64::from)]);
    out.policy(history);
    out.policy(policy);
    out.number(fields.len() as u64);
    for (id, value) in fields {
        out.text(id);
        out.text(value);
    }
}

pub(super) fn read_ask(from: &mut Reader<'_>) -> Option<Ask> {
    let [which, force, request] = numbers(from)?;
    Some(Ask {
        which: Which::ALL.get(usize::try_from(which).ok()?).copied()?,
        force: force == 1,
        request: u32::try_from(request).ok(),
        history: *from.policy()?,
        policy: *from.policy()?,
        fields: from.list(|from| Some((from.text()?, from.text()?)))?,
    })
}

fn write_act(act: &Act, out: &mut Writer) {
    match act {
        Act::None => out.number(0),
        Act::Lead { of, messages } => {
            out.number(1);
            out.text(of);
            out.words(messages);
        }
        Act::Take(policy) => {
            out.number(2);
            out.policy(policy);
        }
        Act::Write(policy) => {
            out.number(8);
            out.policy(policy);
        }
        Act::FromTheStart => out.number(3),
        Act::Swap => out.number(4),
        Act::Open(which) => out.numbers(&[5, *which as u64]),
        Act::Type { id, value } => {
            out.number(6);
            out.text(id);
            out.text(value);
        }
        Act::Step(step) => out.numbers(&[7, u64::from(*step)]),
    }
}

fn read_act(from: &mut Reader<'_>) -> Option<Act> {
    Some(match from.number()? {
        0 => Act::None,
        1 => Act::Lead { of: from.text()?, messages: from.words()? },
        2 => Act::Take(from.policy()?),
        3 => Act::FromTheStart,
        4 => Act::Swap,
        5 => Act::Open(Which::ALL.get(from.size()?).copied()?),
        6 => Act::Type { id: from.text()?, value: from.text()? },
        7 => Act::Step(u32::try_from(from.number()?).ok()?),
        8 => Act::Write(from.policy()?),
        _ => return None,
    })
}

pub(super) fn write_blocks(blocks: &[Block], out: &mut Writer) {
    out.number(blocks.len() as u64);
    for block in blocks {
        write_block(block, out);
    }
}

fn write_block(block: &Block, out: &mut Writer) {
    match block {
        Block::Words(look, words) => {
            out.numbers(&[0, *look as u64]);
            out.text(words);
        }
        Block::Table { caption, columns, rows } => {
            out.number(1);
            out.text(caption);
            out.texts(columns);
            out.number(rows.len() as u64);
            for Row { cells, act } in rows {
                out.texts(cells);
                write_act(act, out);
            }
        }
        Block::Bars { title, bars } => {
            out.number(2);
            out.text(title);
            out.number(bars.len() as u64);
            for Bar { name, said, spoken, share, act } in bars {
                for text in [name, said, spoken] {
                    out.text(text);
                }
                out.number(*share);
                write_act(act, out);
            }
        }
        Block::Text { title, name, text } => {
            out.number(3);
            for text in [title, name, text] {
                out.text(text);
            }
        }
        Block::Fields(fields) => {
            out.numbers(&[4, fields.len() as u64]);
            for Field { id, label, value, lines } in fields {
                for text in [id, label, value] {
                    out.text(text);
                }
                out.number(*lines);
            }
        }
        Block::Picture { svg, about, dots } => {
            out.number(5);
            out.text(svg);
            out.text(about);
            out.number(dots.len() as u64);
            for Dot { place, name, act } in dots {
                out.numbers(&[place.0, place.1]);
                out.text(name);
                write_act(act, out);
            }
        }
        Block::Stage { history, policy, request, light } => {
            out.numbers(&[7, request.map_or(NONE, u64::from)]);
            out.policy(history);
            out.policy(policy);
            out.text(light);
        }
        Block::Actions(actions) => {
            out.number(6);
            write_actions(actions, out);
        }
        Block::Menus(menus) => {
            out.numbers(&[8, menus.len() as u64]);
            for Menu { id, label, chosen, options } in menus {
                out.text(id);
                out.text(label);
                out.number(*chosen);
                write_actions(options, out);
            }
        }
    }
}

fn write_actions(actions: &[(String, Act)], out: &mut Writer) {
    out.number(actions.len() as u64);
    for (name, act) in actions {
        out.text(name);
        write_act(act, out);
    }
}

fn read_actions(from: &mut Reader<'_>) -> Option<Vec<(String, Act)>> {
    from.list(|from| Some((from.text()?, read_act(from)?)))
}

pub(super) fn read_blocks(from: &mut Reader<'_>) -> Option<Vec<Block>> {
    from.list(read_block)
}

fn read_block(from: &mut Reader<'_>) -> Option<Block> {
    Some(match from.number()? {
        0 => Block::Words(Look::ALL.get(from.size()?).copied()?, from.text()?),
        1 => Block::Table {
            caption: from.text()?,
            columns: from.list(Reader::text)?,
            rows: from.list(|from| Some(Row { cells: from.list(Reader::text)?, act: read_act(from)? }))?,
        },
        2 => Block::Bars {
            title: from.text()?,
            bars: from.list(|from| {
                Some(Bar {
                    name: from.text()?,
                    said: from.text()?,
                    spoken: from.text()?,
                    share: from.number()?,
                    act: read_act(from)?,
                })
            })?,
        },
        3 => Block::Text { title: from.text()?, name: from.text()?, text: from.text()? },
        4 => Block::Fields(from.list(|from| {
            Some(Field { id: from.text()?, label: from.text()?, value: from.text()?, lines: from.number()? })
        })?),
        5 => Block::Picture {
            svg: from.text()?,
            about: from.text()?,
            dots: from.list(|from| {
                Some(Dot {
                    place: (from.number()?, from.number()?),
                    name: from.text()?,
                    act: read_act(from)?,
                })
            })?,
        },
        7 => Block::Stage {
            request: u32::try_from(from.number()?).ok(),
            history: from.policy()?,
            policy: from.policy()?,
            light: from.text()?,
        },
        6 => Block::Actions(read_actions(from)?),
        8 => Block::Menus(from.list(|from| {
            Some(Menu {
                id: from.text()?,
                label: from.text()?,
                chosen: from.number()?,
                options: read_actions(from)?,
            })
        })?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::Knob;
    use crate::question::{Answer, Request};
    use crate::sheet::share;
    use crate::wire::{decode_answer, decode_request, encode_answer, encode_request};

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
                let back = decode_request(&encode_request(&asked)).unwrap();
                assert_eq!(format!("{back:?}"), format!("{asked:?}"));
                let answer = session.answer(&asked);
                let Answer::Sheet(blocks) = &answer else { panic!("no sheet") };
                assert!(!blocks.is_empty(), "{which:?}");
                let bytes = encode_answer(&answer);
                let Some(Answer::Sheet(read)) = decode_answer(&bytes) else { panic!("{which:?} is lost") };
                assert_eq!(&read, blocks);
                assert!(decode_answer(&bytes[..bytes.len() - 1]).is_none());
            }
        }
    }
}
