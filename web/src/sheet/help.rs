//! The help: what the page shows, and its keys.

use super::{Act, Ask, Block, Row};

/// The field that says whether single letters are keys: `off`, or anything else.
pub const LETTERS: &str = "letters";

/// The keys and what they do.
const KEYS: [(&str, &str); 19] = [
    ("← →  Shift ← →", "request, turn of the session's life"),
    ("[  ]", "previous, next compaction"),
    ("Space", "play to the next compaction, pause"),
    ("j  k", "next, previous message"),
    ("J  K", "next, previous message of the user"),
    ("Enter", "in the list: to the inspector"),
    ("1  2  3", "before, after, raw"),
    ("/", "find in all text"),
    ("O", "open a file"),
    ("C", "compare two policies"),
    ("E", "export"),
    ("L", "the lesson"),
    ("S", "share: a link with the settings and the place"),
    ("T", "theme"),
    ("?", "this help"),
    ("Esc", "close"),
    ("← →", "on a handle: move it by 1 % of the window"),
    ("Page ↑ ↓, Home, End", "on a handle: by 5 %, to nothing, to everything"),
    ("Alt + arrow, Backspace", "on a handle: to the next message, to the profile's value"),
];

/// The help.
pub(super) fn help(ask: &Ask) -> Vec<Block> {
    let is_off = ask.field(LETTERS) == Some("off");
    let (now, then) = if is_off { ("off", "on") } else { ("on", "off") };
    let switch = Act::Type { id: LETTERS.to_owned(), value: then.to_owned() };
    let key =
        |(key, what): (&str, &str)| Row { cells: vec![key.to_owned(), what.to_owned()], act: Act::None };
    vec![
        Block::plain(
            "An agent's context fills with tool output. Pruning clears old outputs; summarizing replaces everything before the newest \
             messages when the window is full. The upper picture is the session's life, request by request; the lower one its context at \
             the moment that the line marks. The knobs act on that moment.",
        ),
        Block::plain(
            "Drag the line or the handles, or drop a session of your own anywhere on the page. It stays in this tab: nothing is sent \
             anywhere. This browser stores the settings for the next visit, but nothing from a session.",
        ),
        Block::quiet(
            "All token counts are estimates from the length of the text, made as in the chosen profile's system.",
        ),
        Block::Table {
            caption: "Keys".to_owned(),
            columns: ["Key", "What it does"].map(str::to_owned).to_vec(),
            rows: KEYS.map(key).to_vec(),
        },
        Block::Actions(vec![(format!("Single letters are keys: {now}"), switch)]),
    ]
}
