//! Shortens a text while it fails in the same way.

/// How many texts are tried at most.
const TRIES: usize = 2_000;

/// The shortest text found for which `fails` is true: removes halves, then smaller and smaller pieces, first of the
/// lines, then of the characters (Zeller, "Simplifying and isolating failure-inducing input", 2002).
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut tries = 0;
    let mut fails = |text: &str| {
        tries += 1;
        tries <= TRIES && fails(text)
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let shorter = without(&lines, &mut fails).concat();
    let characters: Vec<String> = shorter.chars().map(String::from).collect();
    let characters: Vec<&str> = characters.iter().map(String::as_str).collect();
    without(&characters, &mut fails).concat()
}

fn without<'p>(pieces: &[&'p str], fails: &mut impl FnMut(&str) -> bool) -> Vec<&'p str> {
    let mut kept = pieces.to_vec();
    let mut size = kept.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let before = kept.len();
        while at < kept.len() && kept.len() > 1 {
            let end = (at + size).min(kept.len());
            let shorter = [kept.get(..at), kept.get(end..)].into_iter().flatten().flatten().copied();
            let shorter: Vec<&str> = shorter.collect();
            if fails(&shorter.concat()) {
                kept = shorter;
            } else {
                at = end;
            }
        }
        if size == 1 && kept.len() == before {
            return kept;
        }
        size = size.div_ceil(2).max(1);
        if size == 1 && kept.len() > 4_000 {
            return kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let text = format!("{}the needle is here\n{}", "hay and hay\n".repeat(300), "more hay\n".repeat(200));
        assert_eq!(shrink(&text, |text| text.contains("needle")), "needle");
        assert_eq!(shrink("ab", |_| true), "b");
    }
}
