//! The versions of pi, and how they differ.

use std::str::FromStr;

use ebbline::Error;

/// A reproduced version of pi; the default is the newest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Version {
    /// pi 0.58 of March 2026.
    V0_58,
    /// pi 0.84 of August 2026.
    V0_84,
    /// pi 1.5 of November 2026.
    #[default]
    V1_5,
}

impl FromStr for Version {
    type Err = Error;

    /// Reads `1.5`, `1.5.2` or `pi@1.5`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let numbers = name.strip_prefix("pi@").unwrap_or(name);
        let mut numbers = numbers.split('.');
        match (numbers.next(), numbers.next()) {
            (Some("0"), Some("58")) => Ok(Self::V0_58),
            (Some("0"), Some("84")) => Ok(Self::V0_84),
            (Some("1"), Some("5")) => Ok(Self::V1_5),
            _ => Err(Error::invalid_settings(format!(
                "{name:?} is none of the versions of pi: 0.58, 0.84, 1.5"
            ))),
        }
    }
}

impl Version {
    /// The version as `major.minor`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0_58 => "0.58",
            Self::V0_84 => "0.84",
            Self::V1_5 => "1.5",
        }
    }

    /// Whether a user's image has a weight. pi 0.58 only counts images of tools.
    pub(crate) fn weighs_images_of_users(self) -> bool {
        self > Self::V0_58
    }

    /// Whether `system` messages have a weight, and compactions keep one to replay.
    pub(crate) fn knows_system_messages(self) -> bool {
        self == Self::V1_5
    }

    /// Whether a usage of zero tokens counts as missing. pi 0.58 takes it for an empty context.
    pub(crate) fn anchor_needs_tokens(self) -> bool {
        self > Self::V0_58
    }

    /// Whether usage reported before the newest compaction or edit is ignored.
    pub(crate) fn anchor_must_be_newer_than_compaction(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the context is also measured between the turns of a run (pi 0.84.4 and later).
    pub(crate) fn checks_between_turns(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the context is compared with the threshold if no answer reports its usage.
    pub(crate) fn compacts_without_usage(self) -> bool {
        self == Self::V1_5
    }

    /// Whether a request is repeated whose answer was complete but used more than the window.
    pub(crate) fn repeats_whole_answers(self) -> bool {
        self == Self::V0_58
    }

    /// Whether missing or null content is read as empty.
    pub(crate) fn repairs_content(self) -> bool {
        self > Self::V0_58
    }

    /// Whether `context_edit` entries change the entries that they name (pi 0.87 and later).
    pub(crate) fn applies_edits(self) -> bool {
        self == Self::V1_5
    }

    /// Whether an older compaction in the kept range of the newest one is sent again as a summary.
    pub(crate) fn repeats_inner_compactions(self) -> bool {
        self == Self::V0_84
    }

    /// Whether the walk to the cut point weighs everything that is sent. pi 0.58 only weighs messages.
    pub(crate) fn weighs_every_entry(self) -> bool {
        self > Self::V0_58
    }

    /// Whether a budget that trailing tool results exceed moves the cut to the newest possible place instead of the
    /// oldest (pi 0.86 and later).
    pub(crate) fn cuts_at_the_newest_place(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the next compaction summarizes what the previous one kept. pi 0.58 loses it.
    pub(crate) fn summarizes_kept_entries(self) -> bool {
        self > Self::V0_58
    }

    /// Whether a compaction measures what is sent. pi 0.58 measures the file from the previous compaction on.
    pub(crate) fn measures_what_is_sent(self) -> bool {
        self > Self::V0_58
    }

    /// Whether a preparation with nothing to summarize is rejected. pi 0.58 requests an empty summary.
    pub(crate) fn refuses_empty_preparations(self) -> bool {
        self > Self::V0_58
    }

    /// Whether calls by a script, recorded in its result, count as file operations.
    pub(crate) fn reads_nested_calls(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the transcript for the summarizer includes the model's thinking.
    pub(crate) fn serializes_thinking(self) -> bool {
        self < Self::V1_5
    }

    /// Whether a text that is cut for the summarizer may end in the middle of a surrogate pair.
    pub(crate) fn splits_surrogate_pairs(self) -> bool {
        self < Self::V1_5
    }

    /// Whether one function reads the summarizer's content for every role: a tool result may then be one text, and an
    /// answer may not. In pi 0.58 it is the other way round.
    pub(crate) fn shares_content_reader(self) -> bool {
        self > Self::V0_58
    }

    /// Whether both parts of a split turn are summarized at the same time.
    pub(crate) fn asks_for_both_parts_at_once(self) -> bool {
        self == Self::V0_58
    }

    /// Whether summary requests are kept out of the provider's cache.
    pub(crate) fn keeps_summaries_out_of_the_cache(self) -> bool {
        self > Self::V0_58
    }

    /// Whether the previous summary is kept if a compaction only adds the first part of a turn to it. Before pi 1.5
    /// it was lost.
    pub(crate) fn keeps_the_summary_of_a_split_turn(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the request for the first part of a turn has headings instead of tags, and calls it a conversation
    /// instead of a turn.
    pub(crate) fn names_the_prefix_a_conversation(self) -> bool {
        self == Self::V1_5
    }

    /// Whether the user's focus is also part of the request for the first part of a turn.
    pub(crate) fn focuses_the_prefix(self) -> bool {
        self == Self::V1_5
    }

    /// Whether an answer that was cut off or that calls a tool is rejected (pi 0.84.3 and later).
    pub(crate) fn checks_summaries(self) -> bool {
        self == Self::V1_5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_named_with_and_without_patch_and_system() {
        for (name, version) in [
            ("0.58", Some(Version::V0_58)),
            ("0.58.3", Some(Version::V0_58)),
            ("pi@0.84", Some(Version::V0_84)),
            ("1.5.2", Some(Version::V1_5)),
            ("1", None),
            ("1.50", None),
            ("opencode@1.5", None),
            ("", None),
        ] {
            assert_eq!(name.parse().ok(), version, "{name}");
        }
        for version in [Version::V0_58, Version::V0_84, Version::V1_5] {
            assert_eq!(version.as_str().parse(), Ok(version));
        }
    }
}
