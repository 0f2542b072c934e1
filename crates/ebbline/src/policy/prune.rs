//! The knobs of pruning and of its protection boundary.

use std::num::NonZeroU64;

use super::knob::knobs;
use super::{Comparison, Model};
use crate::error::{Error, ErrorCode};
use crate::marks::{self, PLACEHOLDER, Reference};
use crate::nearest;
use crate::transcript::{Message, Output};

knobs! {
    /// When and how old tool outputs are cleared.
    pub struct PrunePolicy in prune {
        /// Whether outputs are pruned.
        enabled "enabled": bool,
        /// The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole.
        protect "protect": u64 [Tokens, share],
        /// Outputs are pruned only if together they have this many tokens.
        minimum "minimum": u64 [Tokens, share],
        /// Whether exactly `minimum` is enough.
        minimum_is "minimumIs": Comparison,
        /// A context with fewer tokens is left alone. Its size is measured as for summarizing (`trigger.measure`), before
        /// anything is pruned; where no usage was reported to measure it by, it is the estimate. 0: pruned at any size.
        minimum_context "minimumContext": u64 [Tokens, share] = default,
        /// Whether outputs are pruned only when the context is full, by the same test as for summarizing (`trigger`), or when
        /// compaction is forced.
        only_when_full "onlyWhenFull": bool = default,
        /// After how many milliseconds without a request the provider's cache is cold (`idle` of a plan's options): then a
        /// prune breaks nothing, and waits neither for a full context nor for `breaksAtMost`. Where it is known how long the
        /// provider's cache lives (`model.cacheLives`), that counts instead. 0: never.
        cold_after "coldAfter": u64 [Milliseconds] = default,
        /// How many tokens a prune may break out of the provider's cache for each token that it frees, while the context is
        /// not full: all tokens from the first pruned output on have to be written again. A prune pays for itself after
        /// `breaks / frees * (written - cached) / cached` requests; with a cache that reads at a tenth of the price and
        /// writes at 1.25, 4 means 46 requests. With `onlyWhenFull`, such a prune does not wait; without it, every other one
        /// does. 0: the cache is not considered.
        breaks_at_most "breaksAtMost": u64 [Ratio] = default,
        /// The size down to which protected outputs give way. Everything beyond the boundary is pruned first. If the context
        /// is then still full, or larger than this, newer outputs follow, oldest first, although `protect` and
        /// `protectedTurns` protect them. Pruning ends when `minimum` is reached and the context is neither. Outputs that no
        /// answer has followed stay. A forced compaction goes down to half of the context where that is less, and summarizes
        /// only if pruning does not get there. The size is measured as for `minimumContext`. 0: protected outputs stay.
        down_to "downTo": u64 [Tokens, share] = default,
        /// The most tokens that outputs without a later answer may have together, once they are cut to their head and tail.
        /// They are cut where the context is full, or compaction is forced, with everything pruned that may be,
        /// and a summary of everything older would not make enough room for them: the largest first, down to a common
        /// size. Above 0, no output without an answer is pruned or summarized otherwise. 0: nothing is cut.
        preview "preview": u64 [Tokens, share] = default,
        /// A session with fewer turns is left alone.
        minimum_turns "minimumTurns": u64 [Turns],
        /// How many of the newest turns keep their outputs, which are not counted either. `downTo` may still prune them.
        protected_turns "protectedTurns": u64 [Turns],
        /// How many of the newest outputs stay, whatever their size. `downTo` may still prune them.
        keep_outputs "keepOutputs": u64 [Outputs] = default,
        /// Whether messages that the agent wrote in the user's name count as turns.
        count_synthetic_turns "countSyntheticTurns": bool,
        /// Tools whose outputs are never pruned nor counted.
        protected_tools "protectedTools": Vec<String>,
        /// Whether the outputs of failed calls are counted and may be pruned.
        errors "errors": bool,
        /// Whether outputs that are not longer than the placeholder are pruned as well.
        short_outputs "shortOutputs": bool,
        /// Whether everything before a summary is left alone.
        stop_at_summary "stopAtSummary": bool,
        /// Whether everything before an already pruned output is left alone.
        stop_at_pruned "stopAtPruned": bool,
        /// Whether an output gives way that a newer output of the same tool repeats word for word. This and the next four knobs
        /// are passes: they come before the protection boundary is drawn, only where the context is full, or compaction is
        /// forced, and only if they free `minimum` together or pruning goes on behind them. What no answer has followed, what
        /// is pinned and what is signed stay.
        repeated "repeated": bool = default,
        /// Whether the output of reading a file gives way once the same part of it is read again or the whole file is written, and
        /// the text in the arguments of a write once the whole file is written or read again. Only calls that succeeded count.
        superseded "superseded": bool = default,
        /// How many of the newest answers keep their thinking; older thinking is removed. Thinking stays as long as the run of
        /// calls goes on that it belongs to. `null`: all keep it.
        thinking "thinking": Option<u32> [Answers, 1] = default,
        /// Texts in the arguments of calls beyond the protection boundary that have more tokens are cut to head and tail. 0: none
        /// is cut.
        arguments "arguments": u64 [Tokens, share] = default,
        /// How many of the newest images stay; older ones are replaced by a note. `null`: all stay.
        images "images": Option<u32> [Images] = default,
        /// How many tokens of its head and tail a pruned output keeps in front of the placeholder, where a reference stands
        /// behind it (`reference`). 0: the placeholder alone. A note between head and tail says what is missing; with less than
        /// about 40 tokens there is room for nothing else, so the placeholder stands alone as well.
        excerpt "excerpt": u64 [Tokens, share] = default,
        /// The most tokens of identifiers that stand behind the placeholder, where a reference stands behind them (`reference`): paths,
        /// ids, error codes and names in code that stood only in the output. They take at most a tenth of what it had. 0: none.
        names "names": u64 [Tokens] = default,
        /// The text that replaces a pruned output. `{tool}` in it stands for the name of the tool, `{argument}` for what the call
        /// was about (a command, a path), `{size}` for the number of characters that are gone, `{outcome}` for `, failed:` or `, ended:` and
        /// the line that says how a command ended. No other name may stand in braces. A plan assumes the longest text that this may become.
        /// A text with braces takes at most a twentieth of an output. Where it has no room, or no reference stands behind it (`reference`),
        /// `[Old tool result content cleared]` stands there. Where the agent has a field for pruned outputs, its own text stands there.
        placeholder "placeholder": String,
        /// Whether a reference to the call stands behind the placeholder where a format has no field for what is pruned:
        /// ` [ref kpbmgken]`. By it ebbline knows a pruned output again; no tool can write it, because no tool is told
        /// the id of its call. Without it, an output that only reads as the placeholder does cannot be told from one that
        /// was pruned. `ebbline@1`.
        reference "reference": bool = default,
    }
}

impl PrunePolicy {
    /// What may stand in braces in a placeholder.
    pub(crate) const TOLD: [&str; 4] = ["tool", "argument", "size", "outcome"];

    /// Refuses a name in braces that stands for nothing: it would reach the model as it is.
    pub(super) fn check_placeholder(&self) -> Result<(), Error> {
        for rest in self.placeholder.split('{').skip(1) {
            let Some((name, _)) = rest.split_once('}') else { continue };
            let is_name =
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
            if is_name && !Self::TOLD.contains(&name) {
                let fault = nearest::unknown("word in the braces of prune.placeholder", name, &Self::TOLD);
                return Err(Error::new(ErrorCode::InvalidPolicy, fault));
            }
        }
        Ok(())
    }

    /// Whether the placeholder says what stood there.
    pub(crate) fn is_template(&self) -> bool {
        let names = |rest: &str| {
            Self::TOLD.iter().any(|name| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('}')))
        };
        self.placeholder.split('{').skip(1).any(names)
    }

    /// What stands in place of an output of which nothing is said.
    #[doc(hidden)]
    #[must_use]
    pub fn bare_placeholder(&self) -> &str {
        if self.is_template() { PLACEHOLDER } else { &self.placeholder }
    }

    /// The text that is sent instead of a pruned output of `message`, without a description of it. `call` is
    /// the id of the call that the output answers.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let message = ebbline::transcript::Message::new(ebbline::transcript::Role::Tool);
    /// let cleared = policy.prune.cleared(&message, Some("toolu_1"));
    /// assert_eq!(cleared, "[Old tool result content cleared] [ref kpbmgken]");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn cleared(&self, message: &Message, call: Option<&str>) -> String {
        if message.has_prune_field {
            PLACEHOLDER.to_owned()
        } else if self.reference {
            marks::cleared(self.bare_placeholder(), call.map(Reference::to_call))
        } else {
            self.bare_placeholder().to_owned()
        }
    }

    /// Whether to assume that an output whose text equals the placeholder was pruned after usage was reported.
    /// This is so when the policy prunes and its placeholder carries no reference that would identify a pruned
    /// output.
    pub(crate) fn trusts_placeholders(&self) -> bool {
        self.enabled && !self.reference
    }

    /// Whether the provider's cache has not outlived `idle` milliseconds without a request.
    pub(crate) fn is_cold(&self, model: Model, idle: Option<u64>) -> bool {
        let lives = model.cache_lives.map_or(self.cold_after, NonZeroU64::get);
        self.cold_after > 0 && idle.is_some_and(|idle| idle >= lives)
    }

    /// Whether an output counts as pruned before: the format says so, or its text equals a placeholder that is
    /// trusted.
    pub(crate) fn was_pruned(&self, output: Output) -> bool {
        output == Output::Pruned || output.says_placeholder() && self.trusts_placeholders()
    }

    /// Pruning switched off. The figures are those on which OpenCode and TunaCode agree; all other values are
    /// those of `ebbline@1`.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(!ebbline::policy::PrunePolicy::none().enabled);
    /// ```
    #[must_use]
    pub fn none() -> Self {
        Self {
            enabled: false,
            protect: 40_000,
            minimum: 20_000,
            minimum_is: Comparison::AtLeast,
            minimum_context: 0,
            only_when_full: false,
            cold_after: 0,
            breaks_at_most: 0,
            down_to: 0,
            preview: 0,
            minimum_turns: 0,
            protected_turns: 2,
            keep_outputs: 0,
            count_synthetic_turns: false,
            protected_tools: Vec::new(),
            errors: false,
            short_outputs: false,
            stop_at_summary: false,
            stop_at_pruned: false,
            repeated: false,
            superseded: false,
            thinking: None,
            arguments: 0,
            images: None,
            excerpt: 0,
            names: 0,
            placeholder: PLACEHOLDER.to_owned(),
            reference: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::profiles;

    #[test]
    fn what_stands_in_braces_has_a_meaning() {
        let set = |placeholder: &str| {
            let mut policy = profiles::get("ebbline@2").unwrap();
            policy.set("prune.placeholder", &format!("{placeholder:?}")).map_err(|error| error.to_string())
        };
        for placeholder in [
            "[gone]", "{tool} {argument} {size}", r#"{"gone": true}"#, "{", "}{", "{}", "{ tool }",
            "{{tool}}",
        ] {
            assert_eq!(set(placeholder), Ok(()), "{placeholder}");
        }
        for (placeholder, said) in [
            ("[{tol}]", r#""tol"; did you mean "tool"?"#),
            ("{tool} {arguments}", r#""arguments"; did you mean "argument"?"#),
            (
                "{foo}",
                r#"there is no word in the braces of prune.placeholder "foo"; there are tool, argument, size, outcome"#,
            ),
            ("{{foo}}", r#""foo""#),
        ] {
            let fault = set(placeholder).unwrap_err();
            assert!(fault.contains(said), "{placeholder}: {fault}");
        }
    }
}
