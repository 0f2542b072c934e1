//! Whether two texts are in the same language: by their scripts, and among Latin scripts by the commonest words.

/// Fewer letters than this show no script.
const LEAST_LETTERS: usize = 40;
/// Fewer common words than this show no language.
const LEAST_WORDS: usize = 6;
/// Of so many Chinese letters one is Japanese in a Japanese text; terse ones are mostly Chinese letters.
const CHINESE_LETTERS: usize = 8;

/// Languages in Latin script and common words that the others do not have.
const COMMON: &[(&str, &[&str])] = &[
    (
        "English",
        &["the", "and", "is", "was", "to", "of", "that", "with", "it", "for", "are", "not", "this", "be"],
    ),
    (
        "German",
        &[
            "der", "die", "das", "und", "ist", "nicht", "mit", "für", "ein", "eine", "wird", "zu", "auf",
            "den",
        ],
    ),
    (
        "French",
        &["le", "les", "des", "est", "et", "une", "dans", "pour", "pas", "sur", "avec", "qui", "sont", "du"],
    ),
    (
        "Spanish",
        &["el", "los", "las", "una", "que", "del", "por", "con", "para", "está", "pero", "como", "y", "más"],
    ),
    (
        "Italian",
        &[
            "il", "gli", "che", "della", "sono", "è", "non", "per", "di", "nel", "questo", "anche", "ma",
            "alla",
        ],
    ),
    (
        "Portuguese",
        &["os", "não", "uma", "com", "são", "em", "ao", "mais", "foi", "pelo", "você", "isso", "e", "dos"],
    ),
    (
        "Dutch",
        &[
            "het", "een", "niet", "van", "zijn", "wordt", "voor", "maar", "ook", "dat", "met", "naar", "bij",
            "dit",
        ],
    ),
];

/// The language of a text by its name; `None` if the text does not show one.
///
/// A language in another script than Latin has the name of its script.
pub(super) fn language_of(text: &str) -> Option<&'static str> {
    match script_of(text)? {
        "Latin" => common_language(text),
        script => Some(script),
    }
}

/// The script of more than half of the letters.
fn script_of(text: &str) -> Option<&'static str> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    let mut letters = 0;
    for script in text.chars().filter(|letter| letter.is_alphabetic()).map(script_of_letter) {
        letters += 1;
        match counts.iter_mut().find(|(there, _)| *there == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let of = |script: &str| counts.iter().find(|(there, _)| *there == script).map_or(0, |(_, count)| *count);
    let (kana, chinese) = (of("Japanese"), of("Chinese"));
    if kana > 0 && kana * CHINESE_LETTERS >= chinese {
        counts.retain(|(script, _)| !matches!(*script, "Japanese" | "Chinese"));
        counts.push(("Japanese", kana + chinese));
    }
    // Words of Chinese, Japanese and Korean have few letters.
    let (script, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let least =
        if matches!(script, "Chinese" | "Japanese" | "Korean") { LEAST_LETTERS / 4 } else { LEAST_LETTERS };
    (count >= least && count * 2 > letters).then_some(script)
}

fn script_of_letter(letter: char) -> &'static str {
    match u32::from(letter) {
        0x370..=0x3FF => "Greek",
        0x400..=0x52F => "Cyrillic",
        0x590..=0x5FF => "Hebrew",
        0x600..=0x6FF | 0x750..=0x77F => "Arabic",
        0x900..=0x97F => "Devanagari",
        0xE00..=0xE7F => "Thai",
        0x1100..=0x11FF | 0xAC00..=0xD7AF => "Korean",
        0x3040..=0x30FF => "Japanese",
        0x3400..=0x9FFF => "Chinese",
        _ => "Latin",
    }
}

/// The language of which a text has at least twice as many common words as of any other.
fn common_language(text: &str) -> Option<&'static str> {
    let mut counts = [0_usize; COMMON.len()];
    for word in text.split(|letter: char| !letter.is_alphabetic()) {
        let word = word.to_lowercase();
        for (count, (_, common)) in counts.iter_mut().zip(COMMON) {
            *count += usize::from(common.contains(&word.as_str()));
        }
    }
    let (best, count) = counts.iter().copied().enumerate().max_by_key(|(_, count)| *count)?;
    let is_clear = counts.iter().enumerate().all(|(at, other)| at == best || other * 2 <= count);
    let name = COMMON.get(best).map(|(name, _)| *name);
    name.filter(|_| count >= LEAST_WORDS && is_clear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_its_script_or_its_common_words() {
        let cases = [
            (
                "The agent mended the test and it is not red any more, but the mail was not sent to the user.",
                Some("English"),
            ),
            (
                "Der Test ist nicht mehr rot, und die Mail wird mit dem neuen Dienst an den Kunden geschickt.",
                Some("German"),
            ),
            (
                "Le test est vert et les messages sont dans la base, mais pas pour les anciens avec une erreur.",
                Some("French"),
            ),
            ("Тест исправлен, и теперь письма отправляются через новый сервис без ошибок.", Some("Cyrillic")),
            ("测试已经修复,登录邮件现在由新的服务发送。", Some("Chinese")),
            (
                "ログインのテストをなおしました。メールはあたらしいサービスからおくられます。",
                Some("Japanese"),
            ),
            ("cargo test", None),
            ("src/login.rs src/mail.rs fn main() let mut cart = Cart::new()", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(language_of(text), expected, "{text}");
        }
    }
}
