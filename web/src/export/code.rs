//! The policy as code: calls of the npm package and of the Rust crate.

use ebbline::Policy;

use super::Exported;
use super::turned::{paths, turned};

/// The policy as calls of the npm package: the profile's name and the knobs that differ from it. `force` compacts at
/// once.
pub fn javascript(policy: &Policy, force: bool) -> Exported {
    let (profile, changes) = turned(policy);
    let mut overlay = String::new();
    for (group, knobs) in &changes {
        let knobs: Vec<_> = knobs.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        overlay += &format!("    {group}: {{ {} }},\n", knobs.join(", "));
    }
    if !overlay.is_empty() {
        overlay = format!("\n  policy: {{\n{overlay}  }},");
    }
    let (call, options) =
        if force { ("compactNow", "{ ...options, force: true }") } else { ("prepare", "options") };
    let text = format!(
        "// npm install ebbline\n\
         import {{ createCompactor, plan }} from \"ebbline\";\n\n\
         // In a browser, begin with `await init()`, which \"ebbline\" exports as well.\n\
         // `messages` is the array that you send to your model, in the shape of its provider, such as\n\
         // [{{ role: \"user\", content: \"Hello\" }}, …] for OpenAI Chat. It is never changed.\n\
         const options = Object.freeze({{\n  profile: {profile:?},{overlay}\n}});\n\n\
         // Before each request: what to send. `summarize: askYourModel` lets your model write the summaries;\n\
         // with \"deterministic\" they are written by rule.\n\
         const compactor = createCompactor({{ ...options, summarize: \"deterministic\" }});\n\
         const view = await compactor.{call}(messages);\n\n\
         // What the policy would do, and why, message by message.\n\
         const {{ verdict, reason }} = plan(messages, {options});\n",
    );
    Exported::of_text("compact.mjs", text)
        .with_note("The package: npm install ebbline. It also takes Responses, Anthropic, Gemini, Bedrock and AI SDK messages.".to_owned())
}

/// The policy as calls of the Rust crate; `force` as in [`javascript`].
pub fn rust(policy: &Policy, force: bool) -> Exported {
    let (profile, changes) = turned(policy);
    let mut sets = String::new();
    for (path, value) in paths(&changes) {
        sets += &format!("policy.set({path:?}, {value:?})?;\n");
    }
    let (options, plan) = if force {
        ("PlanOptions, ", "plan_with(&policy, PlanOptions::new().force(true))")
    } else {
        ("", "plan(&policy)")
    };
    let mutable = if sets.is_empty() { "" } else { "mut " };
    let text = format!(
        "use ebbline::{{EditOptions, {options}SessionText}};\n\nlet session = SessionText::read(text)?;\nlet {mutable}policy = ebbline::profiles::get({profile:?})?;\n{sets}let plan = session.{plan};\nlet compacted = session.compact(&plan, &EditOptions::new())?;\n"
    );
    Exported::of_text("compact.rs", text)
}

#[cfg(test)]
mod tests {
    use ebbline::Error;

    use super::*;
    use crate::export::tests::{text, turned};

    #[test]
    fn code_names_the_profile_and_what_differs() {
        insta::assert_snapshot!(text(javascript(&turned(), false)), @r#"
        // npm install ebbline
        import { createCompactor, plan } from "ebbline";

        // In a browser, begin with `await init()`, which "ebbline" exports as well.
        // `messages` is the array that you send to your model, in the shape of its provider, such as
        // [{ role: "user", content: "Hello" }, …] for OpenAI Chat. It is never changed.
        const options = Object.freeze({
          profile: "opencode@2026-01",
          policy: {
            model: { context: 128000 },
            prune: { protect: 30000, protectedTools: ["skill", "task"] },
          },
        });

        // Before each request: what to send. `summarize: askYourModel` lets your model write the summaries;
        // with "deterministic" they are written by rule.
        const compactor = createCompactor({ ...options, summarize: "deterministic" });
        const view = await compactor.prepare(messages);

        // What the policy would do, and why, message by message.
        const { verdict, reason } = plan(messages, options);
        "#);
        insta::assert_snapshot!(text(rust(&turned(), false)), @r#"
        use ebbline::{EditOptions, SessionText};

        let session = SessionText::read(text)?;
        let mut policy = ebbline::profiles::get("opencode@2026-01")?;
        policy.set("model.context", "128000")?;
        policy.set("prune.protect", "30000")?;
        policy.set("prune.protectedTools", "[\"skill\", \"task\"]")?;
        let plan = session.plan(&policy);
        let compacted = session.compact(&plan, &EditOptions::new())?;
        "#);
        let plain = ebbline::profiles::get("ebbline@1").unwrap();
        let plain = text(javascript(&plain, false));
        assert!(!plain.contains("policy:") && !plain.contains("force"));
    }

    #[test]
    fn what_follows_the_window_is_no_change() {
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        crate::knob::Knob::Context.set(&mut policy, 64_000);
        let code = text(rust(&policy, false));
        assert_eq!(code.matches("policy.set").count(), 1, "{code}");
    }

    #[test]
    fn code_contains_the_option_that_forces_compaction() {
        let policy = ebbline::profiles::get("ebbline@1").unwrap();
        for policy in [policy.clone(), turned()] {
            let code = text(javascript(&policy, true));
            assert!(code.contains("compactor.compactNow(messages)"));
            assert!(code.contains("plan(messages, { ...options, force: true });"));
        }
        assert!(
            text(rust(&policy, true)).contains("session.plan_with(&policy, PlanOptions::new().force(true));")
        );
    }

    /// Compiles a snippet, and keeps its words to compare them with what is exported.
    macro_rules! compiled {
        ($name:ident($text:ident) -> $compacted:ident, $words:ident, $($code:tt)*) => {
            fn $name($text: &str) -> Result<String, Error> {
                $($code)*
                Ok($compacted)
            }
            const $words: &str = stringify!($($code)*);
        };
    }

    compiled! { forced(text) -> compacted, FORCED,
        use ebbline::{EditOptions, PlanOptions, SessionText};
        let session = SessionText::read(text)?;
        let mut policy = ebbline::profiles::get("opencode@2026-01")?;
        policy.set("model.context", "128000")?;
        policy.set("prune.protect", "30000")?;
        policy.set("prune.protectedTools", "[\"skill\", \"task\"]")?;
        let plan = session.plan_with(&policy, PlanOptions::new().force(true));
        let compacted = session.compact(&plan, &EditOptions::new())?;
    }

    compiled! { plain(text) -> compacted, PLAIN,
        use ebbline::{EditOptions, SessionText};
        let session = SessionText::read(text)?;
        let policy = ebbline::profiles::get("ebbline@2")?;
        let plan = session.plan(&policy);
        let compacted = session.compact(&plan, &EditOptions::new())?;
    }

    #[test]
    fn the_rust_code_compiles_and_does_what_the_page_does() {
        let bare = |code: &str| code.split_whitespace().collect::<String>();
        let default = ebbline::profiles::get("ebbline@2").unwrap();
        assert_eq!(bare(FORCED), bare(&text(rust(&turned(), true))));
        assert_eq!(bare(PLAIN), bare(&text(rust(&default, false))));
        let sample = crate::sample::text();
        let page = ebbline::SessionText::read(&sample).unwrap();
        let plan = page.plan(&default);
        assert_eq!(plain(&sample).unwrap(), page.compact(&plan, &ebbline::EditOptions::new()).unwrap());
        assert!(forced(&sample).is_ok() || forced(&sample).unwrap_err().code() == "no_summary");
    }
}
