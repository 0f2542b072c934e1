//! The link that gives the state away, what it holds, and on request a link with the session's shape.

use super::{Act, Ask, Block};
use crate::content::Content;
use crate::link::Linked;
use crate::open_session::OpenSession;
use crate::shape;

/// The fields by which the page tells the link, and whether the browser has copied it.
pub const LINK: &str = "share-link";
/// `yes` or `no`.
pub const COPIED: &str = "share-copied";
/// Anything once the user has asked for the shape.
pub const SHAPE: &str = "share-shape";

/// The sheet.
pub(super) fn share<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let Some((page, hash)) = ask.field(LINK).and_then(|address| address.split_once('#')) else {
        return Vec::new();
    };
    let mut blocks = vec![text("Link", format!("{page}#{hash}"))];
    match ask.field(COPIED) {
        Some("yes") => blocks.push(Block::plain("Copied.")),
        Some(_) => blocks.push(Block::plain("The browser refused to copy it.")),
        None => {}
    }
    if shape::link_in(hash).is_some() {
        blocks.push(Block::quiet(
            "The link holds the shape that is shown, the settings and the place. No text of a session is in it.",
        ));
        return blocks;
    }
    let linked = Linked::read(hash);
    if let Ok(linked) = &linked {
        blocks.push(Block::quiet(linked.says()));
    }
    blocks.push(Block::heading("With the session's shape"));
    blocks.push(Block::quiet(
        "For a report about compaction: roles, calls and sizes of all messages, and no text. Tools have no names in it, so \
         none is protected by its name.",
    ));
    if ask.field(SHAPE).is_none() {
        let make = Act::Type { id: SHAPE.to_owned(), value: "yes".to_owned() };
        blocks.push(Block::Actions(vec![("Make a link with the shape".to_owned(), make)]));
        return blocks;
    }
    match shape::link(&shape::of(session.history())) {
        Ok(shape) => {
            let state = linked.map(|linked| format!(".{}", linked.without_session().write()));
            let link = format!("{page}#{shape}{}", state.unwrap_or_default());
            blocks.push(text("Link with the shape", link));
        }
        Err(problem) => blocks.push(Block::warning(problem.sentence)),
    }
    blocks
}

fn text(title: &str, text: String) -> Block {
    Block::Text { title: title.to_owned(), name: "link.txt".to_owned(), text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Of, Place};
    use crate::sheet::{Which, write};

    fn asked(fields: &[(&str, &str)]) -> Vec<Block> {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let fields = fields.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        let ask =
            Ask { which: Which::Share, history: policy.clone(), policy, force: false, request: None, fields };
        write(&session, &ask)
    }

    #[test]
    fn the_sheet_has_the_link_and_on_request_one_with_the_shape() {
        let linked = Linked {
            policy: ebbline::profiles::ALL[0].policy(),
            force: false,
            history: None,
            fitted: false,
            place: Place::default(),
            of: Of::Sample("bug-hunt".to_owned()),
            file: String::new(),
        };
        let link = format!("https://example.org/#{}", linked.write());
        let blocks = asked(&[(LINK, &link), (COPIED, "yes")]);
        assert_eq!(blocks.first(), Some(&text("Link", link.clone())));
        assert!(blocks.contains(&Block::quiet(linked.says())));
        assert!(matches!(blocks.last(), Some(Block::Actions(_))));
        let blocks = asked(&[(LINK, &link), (SHAPE, "yes")]);
        let Some(Block::Text { text: link, .. }) = blocks.last() else { panic!("{blocks:?}") };
        let (page, hash) = link.split_once('#').unwrap();
        assert_eq!(page, "https://example.org/");
        let (shape, state) = shape::divided(hash);
        assert!(shape.starts_with("s1."));
        assert_eq!(Linked::read(state.unwrap()).unwrap(), linked.without_session());
        let blocks = asked(&[(LINK, link)]);
        assert!(
            matches!(blocks.last(), Some(Block::Words(_, words)) if words.contains("shape that is shown"))
        );
        assert_eq!(asked(&[]), []);
    }
}
