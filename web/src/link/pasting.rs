//! What programs do to a link that is passed on: they find it in a text, spell it in another way, and break its line. Links
//! of states and of shapes come through all of it; what a program cuts off is noticed.

use crate::link::tests::random_states;
use crate::link::{Fault, Linked, is_link, plain_part};
use crate::shape::{self, Item, What};

/// The page's address has a query, so that there is an `&` to spell in another way.
const PAGE: &str = "https://example.org/ebbline/?from=notes&view=plain";

/// A program that passes a text with an address on, and gives the address that a click on it opens.
type Program = fn(&str) -> String;

/// Spells the characters of `letters` as their bytes.
fn percent(address: &str, letters: &str) -> String {
    let spelled = |letter: char| {
        if letter.is_ascii() && !letters.contains(letter) {
            return letter.to_string();
        }
        letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
    };
    address.chars().map(spelled).collect()
}

/// A browser spells such characters in the part behind `#`, and leaves out breaks of lines and tabs.
fn browser(address: &str) -> String {
    let address: String =
        address.trim().chars().filter(|letter| !matches!(letter, '\n' | '\r' | '\t')).collect();
    percent(&address, " \"<>`")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The address in a text, as programs find one: it begins with its scheme and ends before a space or `<`.
fn found(text: &str) -> &str {
    let from = text.find("https://").unwrap();
    let address = &text[from..];
    address.find([' ', '<', '>', '\n', '"']).map_or(address, |end| &address[..end])
}

/// GitHub: marks at the end are no part of it, nor is a bracket that is not opened in it, nor `&name;`.
fn github(text: &str) -> String {
    let mut address = found(text);
    loop {
        let before = address.len();
        address = address.trim_end_matches(['?', '!', '.', ',', ':', '*', '_', '~', '\'', '"']);
        if address.ends_with(')') && address.matches(')').count() > address.matches('(').count() {
            address = &address[..address.len() - 1];
        }
        if let Some(at) = address.rfind('&').filter(|_| address.ends_with(';')) {
            address = &address[..at];
        }
        if address.len() == before {
            return browser(&unescaped(&escaped(&percent(address, "[]\\^`{|}"))));
        }
    }
}

/// Slack: sends it as `<address>` with `&amp;`, and marks and brackets at the end are no part of it.
fn slack(text: &str) -> String {
    let address = found(text)
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_', '~', '-', '\'', '|']);
    let sent = format!("<{}|{}>", escaped(address), escaped(address));
    let inside = sent.trim_start_matches('<').split_once('|').unwrap().0.to_owned();
    browser(&percent(&unescaped(&inside), "|<>\"^`{}"))
}

/// A mail client that makes links of addresses in a plain text, and is careful with marks and brackets at the end.
fn mail_of_plain_text(text: &str) -> String {
    let address =
        found(text).trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '\'', '-', '_', '*']);
    browser(address)
}

/// A mail as HTML: the address stands in `href`, with `&amp;`.
fn mail_of_html(text: &str) -> String {
    let html = format!(
        "<p><a href=\"{}\">here</a></p>",
        escaped(found(text).trim_end_matches(['.', ')', ']', ',']))
    );
    let href = html.split_once("href=\"").unwrap().1.split_once('"').unwrap().0.to_owned();
    browser(&unescaped(&href))
}

/// A mail as quoted-printable: lines of at most 76 characters, each broken by `=`; `=` itself is spelled.
fn quoted_printable(text: &str) -> String {
    let spelled = text.replace('=', "=3D");
    let mut lines = vec![String::new()];
    for letter in spelled.chars() {
        let line = lines.last_mut().unwrap();
        // Never within `=3D`.
        if line.len() >= 72 && letter != '3' && letter != 'D' || line.len() >= 75 {
            line.push('=');
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push(letter);
    }
    assert!(lines.iter().all(|line| line.len() <= 76));
    // On its way, a line that begins with a dot gets another one, which is taken away again.
    let sent: Vec<String> = lines
        .iter()
        .map(|line| if line.starts_with('.') { format!(".{line}") } else { line.clone() })
        .collect();
    let received = sent.iter().map(|line| line.strip_prefix('.').unwrap_or(line));
    let joined: String = received.map(|line| line.strip_suffix('=').unwrap_or(line)).collect();
    mail_of_plain_text(&joined.replace("=3D", "="))
}

/// A text whose lines are broken after `most` characters, of which the user copies the whole address.
fn broken(text: &str, most: usize) -> String {
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(most).collect();
    let lines: Vec<&str> = bytes.iter().map(|line| std::str::from_utf8(line).unwrap()).collect();
    let copied = lines.join("\r\n");
    let from = copied.find("https://").unwrap();
    browser(copied[from..].split([' ', ')', '>', ']', '"']).next().unwrap())
}

const PROGRAMS: [(&str, Program); 7] = [
    ("github", github),
    ("slack", slack),
    ("mail, plain", mail_of_plain_text),
    ("mail, html", mail_of_html),
    ("mail, quoted-printable", quoted_printable),
    ("mail, lines of 998", |text| broken(text, 998)),
    ("mail, lines of 76", |text| broken(text, 76)),
];

/// What stands around an address. A space follows where a program breaks lines anywhere.
const AROUND: [(&str, &str); 8] = [
    ("", ""),
    ("see ", " there"),
    ("(", ") of it"),
    ("<", ">"),
    ("\"", "\" it is"),
    ("[", "] "),
    ("look: ", " ."),
    ("go to ", " !"),
];
/// Marks that follow at once, which only programs that find addresses by themselves cut off.
const MARKS: [&str; 6] = [".", ",", "!", "?", ").", ":"];

/// What the page takes for a link.
fn hash(address: &str) -> &str {
    plain_part(address.split_once('#').unwrap().1)
}

fn comes_through(link: &str, check: impl Fn(&str)) {
    for (name, program) in PROGRAMS {
        for (before, after) in AROUND {
            let opened = program(&format!("{before}{PAGE}#{link}{after}"));
            assert_eq!(hash(&opened), link, "{name}: {before}…{after}");
            assert!(opened.starts_with(PAGE), "{name}: {before}…{after}");
            check(hash(&opened));
        }
    }
    for (name, program) in &PROGRAMS[..3] {
        for mark in MARKS {
            assert_eq!(hash(&program(&format!("see {PAGE}#{link}{mark} It"))), link, "{name}: {mark}");
        }
    }
    // One program after the other.
    let through = PROGRAMS.iter().fold(format!("{PAGE}#{link}"), |address, (_, program)| program(&address));
    check(hash(&through));
}

#[test]
fn five_hundred_states_come_through_every_program() {
    for state in random_states() {
        comes_through(&state.write(), |link| {
            assert!(is_link(link));
            assert_eq!(Linked::read(link), Ok(state.clone()));
        });
    }
}

#[test]
fn a_shape_of_thousands_of_characters_comes_through_as_well() {
    let items: Vec<Item> =
        (0..2_000).map(|at| Item { what: What::Output(0), tokens: at * 7_919 % 4_000 }).collect();
    let state = random_states().next().unwrap().without_session();
    let shape = shape::link(&items).unwrap();
    let link = format!("{shape}.{}", state.write());
    assert!(link.len() > 4 * 998, "{}", link.len());
    comes_through(&link, |opened| {
        let opened = shape::link_in(opened).unwrap();
        let (found, with) = shape::divided(opened);
        assert_eq!((found, Linked::read(with.unwrap())), (shape.as_str(), Ok(state.clone())));
    });
}

#[test]
fn a_link_of_which_a_program_leaves_the_first_line_is_damaged() {
    for state in random_states().take(50) {
        let link = state.write();
        let text = format!("{PAGE}#{link}");
        for most in [76, 998] {
            let first = &text[..most.min(text.len())];
            let expected = if first.len() < text.len() { Err(Fault::Damaged) } else { Ok(state.clone()) };
            assert_eq!(Linked::read(hash(&browser(first))), expected, "{most}");
        }
    }
}
