//! The policy as environment variables, for the agents that read some.

use ebbline::Policy;

use super::Exported;
use super::left_out::is_automatic;
use ebbline::numbers::grouped;

/// At how many percent of the window Claude Code compacts by itself. What is not below has no effect.
const OWN: u64 = 83;

/// The variables as a file for a shell: each agent's with what they do, and as a comment where there is nothing to set.
pub fn environment(policy: &Policy) -> Exported {
    let mut text =
        "# Claude Code. It prunes by rules of its own, and has no variables for what is kept.\n".to_owned();
    text += &match percent(policy) {
        _ if !is_automatic(policy) => "export DISABLE_AUTO_COMPACT=1\n".to_owned(),
        None => "# Nothing is set: without a window there is no percentage.\n".to_owned(),
        Some(percent) if percent < OWN => {
            format!(
                "# Compaction fires at {}.\nexport CLAUDE_AUTOCOMPACT_PCT_OVERRIDE={percent}\n",
                fires(policy)
            )
        }
        Some(_) => format!(
            "# Nothing is set: this policy fires at {}, and Claude Code itself at about {OWN} %. It only lets that be lowered.\n",
            fires(policy)
        ),
    };
    text += "\n# OpenCode. Its variables switch off; numbers belong into opencode.jsonc.\n";
    let off = [
        ("OPENCODE_DISABLE_PRUNE", policy.prune.enabled, "pruning is on"),
        ("OPENCODE_DISABLE_AUTOCOMPACT", is_automatic(policy), "summarizing is on"),
    ];
    for (name, is_on, words) in off {
        text +=
            &if is_on { format!("# {name} is not set: {words}.\n") } else { format!("export {name}=1\n") };
    }
    Exported::of_text("compaction.env", text).with_note(
        "pi and TunaCode read no such variables. Users report versions of Claude Code that ignore the percentage: try it."
            .to_owned(),
    )
}

/// At which size compaction fires, in words.
fn fires(policy: &Policy) -> String {
    let resolved = policy.resolved();
    let window = resolved.model.context.map_or(0, |window| window.get());
    let threshold = resolved.trigger.threshold(resolved.model, resolved.retain.keep);
    format!("{} of {} tokens", grouped(threshold), grouped(window))
}

/// At how many percent of the window compaction fires, from 1 to 100.
fn percent(policy: &Policy) -> Option<u64> {
    let resolved = policy.resolved();
    let window = resolved.model.context?.get();
    let threshold = resolved.trigger.threshold(resolved.model, resolved.retain.keep);
    Some((u128::from(threshold) * 100 / u128::from(window)).clamp(1, 100) as u64)
}

#[cfg(test)]
mod tests {
    use ebbline::settings::{self, Surroundings};

    use super::*;
    use crate::export::tests::{random_policies, text};
    use crate::knob::change;

    /// The variables of the file, as a shell would set them.
    fn variables(text: &str) -> Vec<(&str, &str)> {
        text.lines().filter_map(|line| line.strip_prefix("export ")?.split_once('=')).collect()
    }

    #[test]
    fn opencode_reads_its_variables_as_they_were_meant() {
        for policy in random_policies(50) {
            let text = text(environment(&policy));
            let mut surroundings = Surroundings::default();
            surroundings.environment = variables(&text);
            let back = settings::policy("opencode@2026-01", "{}", &surroundings).unwrap();
            assert_eq!(
                (back.prune.enabled, back.trigger.enabled),
                (policy.prune.enabled, is_automatic(&policy))
            );
            for line in text.lines() {
                assert!(line.is_empty() || line.starts_with("# ") || line.starts_with("export "), "{line}");
            }
            let percent = variables(&text).into_iter().find(|(name, _)| name.starts_with("CLAUDE"));
            let percent = percent.map(|(_, value)| value.parse::<u64>().unwrap());
            assert!(percent.is_none_or(|percent| (1..OWN).contains(&percent)));
        }
    }

    #[test]
    fn the_file_says_what_it_does() {
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        insta::assert_snapshot!(text(environment(&policy)), @r"
        # Claude Code. It prunes by rules of its own, and has no variables for what is kept.
        # Nothing is set: this policy fires at 170,000 of 200,000 tokens, and Claude Code itself at about 83 %. It only lets that be lowered.

        # OpenCode. Its variables switch off; numbers belong into opencode.jsonc.
        # OPENCODE_DISABLE_PRUNE is not set: pruning is on.
        # OPENCODE_DISABLE_AUTOCOMPACT is not set: summarizing is on.
        ");
        crate::knob::Knob::Reserve.set(&mut policy, 60_000);
        insta::assert_snapshot!(text(environment(&policy)), @r"
        # Claude Code. It prunes by rules of its own, and has no variables for what is kept.
        # Compaction fires at 140,000 of 200,000 tokens.
        export CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=70

        # OpenCode. Its variables switch off; numbers belong into opencode.jsonc.
        # OPENCODE_DISABLE_PRUNE is not set: pruning is on.
        # OPENCODE_DISABLE_AUTOCOMPACT is not set: summarizing is on.
        ");
        change(&mut policy, |policy| (policy.prune.enabled, policy.retain.enabled) = (false, false));
        insta::assert_snapshot!(text(environment(&policy)), @r"
        # Claude Code. It prunes by rules of its own, and has no variables for what is kept.
        export DISABLE_AUTO_COMPACT=1

        # OpenCode. Its variables switch off; numbers belong into opencode.jsonc.
        export OPENCODE_DISABLE_PRUNE=1
        export OPENCODE_DISABLE_AUTOCOMPACT=1
        ");
    }
}
