//! The outline of a summary: headings and what to write under each.

/// A heading and what to write under it.
///
/// # Example
///
/// ```
/// use ebbline::summary::{Section, outline};
/// let goal = Section::new("## Goal", "What the user wants.");
/// let next = Section::new("## Next Steps", "1. What comes next.");
/// assert_eq!(outline(&[goal, next]), "## Goal\nWhat the user wants.\n\n## Next Steps\n1. What comes next.");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The heading with its number signs.
    pub heading: &'static str,
    /// What to write under it; empty for a heading that only groups others.
    pub about: &'static str,
}

impl Section {
    /// A section with this heading and content.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::Section;
    /// assert_eq!(Section::new("## Goal", "What the user wants.").heading, "## Goal");
    /// ```
    #[must_use]
    pub const fn new(heading: &'static str, about: &'static str) -> Self {
        Self { heading, about }
    }
}

/// The last rule of every request, for every system: a summary in another language makes the agent switch to that
/// language.
pub const LANGUAGE: &str = "Write in the language in which the user and the assistant speak to each other.";

/// The rules for every section.
pub const CLOSING: &str = "Keep every heading and its order; write \"(none)\" where there is nothing to say. \
Be brief, but copy file paths, names, commands, numbers and error messages exactly as they stand.";

/// The sections as an outline to fill in. A heading without content is followed directly by the next one.
///
/// # Example
///
/// ```
/// use ebbline::summary::{Section, outline};
/// let text = outline(&[Section::new("## Goal", "What the user wants.")]);
/// assert!(text.starts_with("## Goal\n"), "{text}");
/// ```
#[must_use]
pub fn outline(sections: &[Section]) -> String {
    let mut outline = String::new();
    for (index, section) in sections.iter().enumerate() {
        let groups = index > 0 && sections.get(index - 1).is_some_and(|above| above.about.is_empty());
        if index > 0 {
            outline.push_str(if groups { "\n" } else { "\n\n" });
        }
        outline.push_str(section.heading);
        if !section.about.is_empty() {
            outline.push('\n');
            outline.push_str(section.about);
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_that_groups_stands_directly_above_its_first_part() {
        let sections = [
            Section::new("## Progress", ""),
            Section::new("### Done", "- [x] …"),
            Section::new("### Blocked", "- …"),
        ];
        assert_eq!(outline(&sections), "## Progress\n### Done\n- [x] …\n\n### Blocked\n- …");
    }
}
