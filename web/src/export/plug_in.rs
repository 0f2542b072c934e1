//! The policy as settings of the plug-ins with which ebbline compacts inside other agents: all of it, in the words of a
//! compactor's options.

use ebbline::Policy;

use super::Exported;
use super::turned::{paths, turned};

/// The profile and the knobs that differ from it, as members of JSON; `between` stands between two knobs. The window is the
/// agent's own.
fn options(policy: &Policy, between: &str) -> (String, String) {
    let (profile, changes) = turned(policy);
    let knobs = paths(&changes).filter(|(path, _)| !path.starts_with("model."));
    let knobs: Vec<_> = knobs.map(|(path, value)| format!("\"{path}\": {value}")).collect();
    (profile, knobs.join(between))
}

/// What is said beside the settings of `agent`'s plug-in.
fn told(exported: Exported, agent: &str, place: &str) -> Exported {
    exported.with_note(format!(
        "For {place}, beside what stands there. {agent} then compacts by this policy, all of it. The context window belongs to the \
         model; {agent} knows it."
    ))
}

/// The part of `openclaw.json` that sets the plug-in.
pub fn open_claw(policy: &Policy) -> Exported {
    let (profile, knobs) = options(policy, ",\n            ");
    let set = if knobs.is_empty() {
        String::new()
    } else {
        format!(",\n          \"set\": {{\n            {knobs}\n          }}")
    };
    let text = format!(
        r#"{{
  "plugins": {{
    "entries": {{
      "ebbline": {{
        "enabled": true,
        "config": {{
          "profile": "{profile}"{set}
        }}
      }}
    }}
  }}
}}
"#
    );
    let place = "~/.openclaw/openclaw.json, after `openclaw plugins install ebbline`";
    told(Exported::of_text("openclaw.json", text), "OpenClaw", place)
}

/// The part of Hermes' `config.yaml` that sets the plug-in. A line of JSON is YAML, too.
pub fn hermes(policy: &Policy) -> Exported {
    let (profile, knobs) = options(policy, ", ");
    let set = if knobs.is_empty() { String::new() } else { format!("    set: {{ {knobs} }}\n") };
    let text = format!("context:\n  engine: ebbline\n  ebbline:\n    profile: {profile}\n{set}");
    let place = "~/.hermes/config.yaml, after `pip install ebbline` and `python -m ebbline.adapters.hermes`";
    told(Exported::of_text("config.yaml", text), "Hermes", place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{random_policies, text, turned};
    use crate::knob::Knob;

    #[test]
    fn settings_are_what_the_plug_ins_read() {
        insta::assert_snapshot!(text(open_claw(&turned())), @r#"
        {
          "plugins": {
            "entries": {
              "ebbline": {
                "enabled": true,
                "config": {
                  "profile": "opencode@2026-01",
                  "set": {
                    "prune.protect": 30000,
                    "prune.protectedTools": ["skill", "task"]
                  }
                }
              }
            }
          }
        }
        "#);
        insta::assert_snapshot!(text(hermes(&turned())), @r#"
        context:
          engine: ebbline
          ebbline:
            profile: opencode@2026-01
            set: { "prune.protect": 30000, "prune.protectedTools": ["skill", "task"] }
        "#);
        let plain = ebbline::profiles::get("ebbline@3").unwrap();
        insta::assert_snapshot!(text(hermes(&plain)), @r"
        context:
          engine: ebbline
          ebbline:
            profile: ebbline@3
        ");
        assert!(!text(open_claw(&plain)).contains("set"));
    }

    /// 50 policies: set as the file says, the profile becomes the policy again, but for the window.
    #[test]
    fn policies_come_back_from_openclaws_settings() {
        for mut policy in random_policies(50) {
            let text = text(open_claw(&policy));
            let document = ebbline::json::Document::parse(&text).unwrap();
            let mut entry = document.root();
            for name in ["plugins", "entries", "ebbline", "config"] {
                entry = entry.get(name).unwrap();
            }
            let profile = entry.get("profile").unwrap().text().unwrap().decode().into_owned();
            let mut back = ebbline::profiles::get(&profile).unwrap();
            Knob::Context.set(&mut back, Knob::Context.value(&policy));
            for (path, value) in entry.get("set").into_iter().flat_map(|set| set.members()) {
                back.set(&path.decode(), value.source()).unwrap();
            }
            (policy.profile, back.profile) = (String::new(), String::new());
            assert_eq!(back, policy);
        }
    }
}
