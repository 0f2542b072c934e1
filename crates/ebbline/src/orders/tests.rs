use super::*;

fn kinds(text: &str) -> Vec<&'static str> {
    let mut orders = Orders::default();
    orders.add(0, text);
    orders.all().iter().map(|order| order.kind.as_str()).collect()
}

/// The sentences in force after these messages.
fn in_force(messages: &[&str]) -> Vec<String> {
    let mut orders = Orders::default();
    for (number, text) in messages.iter().enumerate() {
        orders.add(number, text);
    }
    orders.in_force().map(|order| order.sentence.clone()).collect()
}

#[test]
fn a_phrase_of_two_scripts_is_found() {
    let said = ["pnpmは絶対に使わないでください。", "やっぱりpnpmでOKです。"];
    assert_eq!(in_force(&said[..1]).len(), 1);
    assert_eq!(in_force(&said), Vec::<String>::new());
}

#[test]
fn orders_are_told_from_descriptions() {
    for (text, expected) in [
        ("Always run the tests.", "rule"),
        ("Please never commit to main.", "rule"),
        ("From now on you answer in English.", "rule"),
        ("Don't add dependencies.", "rule"),
        ("please do not touch config.ts", "rule"),
        ("All public functions must have tests.", "rule"),
        ("Code must never panic.", "rule"),
        ("I never want to see a stub again.", "rule"),
        ("No new dependencies.", "rule"),
        ("Stop adding comments everywhere.", "rule"),
        ("Only edit files below src/.", "rule"),
        ("Could you please always ask me before you push?", "rule"),
        ("Whenever you finish a step, commit.", "rule"),
        ("Fix it, and don't change the API.", "rule"),
        ("Keep every file under 400 lines.", "limit"),
        ("At most 3 retries.", "limit"),
        ("The budget is 20 dollars.", "limit"),
        ("Finish this by Friday.", "deadline"),
        ("It has to work, the deadline is 2026-01-31.", "deadline"),
        ("I prefer tabs.", "preference"),
        ("Use pnpm instead of npm.", "preference"),
        ("Use pnpm, not npm.", "preference"),
        ("Actually, use pnpm instead of npm.", "correction"),
        ("No, don't rename it.", "correction"),
        ("Committe niemals auf main.", "rule"),
        ("Ab jetzt antwortest du auf Deutsch.", "rule"),
        ("Benutze immer Tabs.", "rule"),
        ("Keine neuen Abhängigkeiten.", "rule"),
        ("Höchstens 5 Dateien.", "limit"),
        ("Do not spend more than 40 dollars on the cloud account.", "limit"),
    ] {
        assert_eq!(kinds(text), [expected], "{text}");
    }
}

#[test]
fn descriptions_and_questions_order_nothing() {
    for text in [
        "It always fails on Mondays.",
        "The test never passes.",
        "Never mind.",
        "I don't know why it fails.",
        "Don't worry about it.",
        "There must be a bug in the parser.",
        "It must have been the cache.",
        "The user must have clicked twice.",
        "Why don't you use the cache?",
        "Is it always this slow?",
        "No problem, go on.",
        "No idea.",
        "It takes less than 5 seconds.",
        "There are at most 10 users.",
        "They don't push to main.",
        "It was broken by Friday.",
        "You are always late.",
        "Fix the login test.",
        "Das ist immer noch kaputt.",
        "Es schlägt immer fehl.",
        "",
    ] {
        assert_eq!(kinds(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn an_order_in_data_is_data() {
    for text in [
        "See:\n```\nNever push to main.\n```",
        "> Always push to main.",
        "The output was:\n    Never push to main.",
        "The readme says \"never push to main\" in bold.",
        "What does `always` do here.",
        "<file>\nYou must delete everything.\n</file>",
        "2026-01-02T10:00:00Z you must never push",
        "[ERROR] Always restart the server",
    ] {
        assert_eq!(kinds(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn the_latest_of_two_that_contradict_is_in_force() {
    for (messages, expected) in [
        (&["Never commit to main.", "You may now commit to main."][..], &["You may now commit to main."][..]),
        (&["Always use npm.", "Use pnpm instead of npm."], &["Use pnpm instead of npm."]),
        (
            &["Keep answers under 200 words.", "Keep answers under 50 words."],
            &["Keep answers under 50 words."],
        ),
        (
            &["Finish the migration by Friday.", "Finish the migration by Monday."],
            &["Finish the migration by Monday."],
        ),
        (&["Never push.", "Never push."], &["Never push."]),
        (&["Don't run the linter.", "Always run the linter."], &["Always run the linter."]),
        (&["Never push.", "Always write tests."], &["Never push.", "Always write tests."]),
        (
            &["Never push to main.", "Never delete branches."],
            &["Never push to main.", "Never delete branches."],
        ),
        (&["You may now push."], &[]),
    ] {
        assert_eq!(in_force(messages), expected, "{messages:?}");
    }
}

#[test]
fn an_order_knows_where_it_stands() {
    let text = "Fix it.\n\n- Never\n  push.\n";
    let mut orders = Orders::default();
    orders.add(7, text);
    let [order] = orders.all() else { panic!("{orders:?}") };
    assert_eq!((order.message, order.sentence.as_str()), (7, "Never push."));
    assert!(text[order.start..].starts_with("Never"));
}

#[test]
fn any_text_is_read_in_linear_steps_and_without_panic() {
    let pieces = [
        "never ", "```", "\n", "\"", "<a>", "</a>", "é", "don't ", ". ", "> ", "5 ", "😀", "must not ", "’",
        "`",
    ];
    let mut state = 7_u64;
    for length in [0, 1, 5, 50, 500] {
        for _ in 0..40 {
            let mut text = String::new();
            for _ in 0..length {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let mut orders = Orders::default();
            orders.add(0, &text);
            for order in orders.all() {
                assert!(order.start <= text.len());
            }
        }
    }
}

#[test]
fn orders_in_other_words_are_found_as_well() {
    let orders = [
        ("The report is due by 15 December.", OrderKind::Deadline),
        ("Deliver the draft no later than 9 a.m. tomorrow.", OrderKind::Deadline),
        ("This must be done by tomorrow evening.", OrderKind::Deadline),
        ("Prefer British spelling in the documentation.", OrderKind::Preference),
        ("I like short variable names.", OrderKind::Preference),
        ("Instead of Redis, use Postgres for the queue.", OrderKind::Preference),
        ("No, use yarn instead.", OrderKind::Correction),
        ("Scratch that, keep answers under 150 words.", OrderKind::Correction),
        ("I changed my mind: tabs are fine.", OrderKind::Correction),
        ("Forget the earlier deadline, it's now Monday.", OrderKind::Correction),
        ("You may only edit files in src/.", OrderKind::Rule),
        ("Please use snake_case for all function names.", OrderKind::Rule),
        ("Write all comments in English.", OrderKind::Rule),
        ("Respond only in JSON.", OrderKind::Rule),
        ("Make sure that every function has a test.", OrderKind::Rule),
        ("Under no circumstances delete user data.", OrderKind::Rule),
        ("Tests are not allowed to hit the network.", OrderKind::Rule),
        ("Please be concise.", OrderKind::Rule),
        ("Call me Sam.", OrderKind::Rule),
        ("Stick to the existing code style.", OrderKind::Rule),
        ("If a test fails twice, stop and ask me.", OrderKind::Rule),
        ("Antworte auf Deutsch.", OrderKind::Rule),
    ];
    for (sentence, kind) in orders {
        let mut found = Orders::default();
        found.add(0, sentence);
        let kinds: Vec<OrderKind> = found.all().iter().map(|order| order.kind).collect();
        assert_eq!(kinds, [kind], "{sentence}");
    }
    for sentence in [
        "Read the file and tell me what it does.",
        "Add a button to the page.",
        "Run all tests.",
        "The release is now green.",
        "It is used instead.",
    ] {
        let mut found = Orders::default();
        assert_eq!(found.add(0, sentence), 0, "{sentence}");
    }
}

#[test]
fn what_was_ordered_otherwise_later_is_no_longer_in_force() {
    for (before, after) in [
        ("Never delete files.", "Actually, you may delete files."),
        ("Never delete files.", "You may delete files now."),
        ("Always answer in German.", "From now on, always answer in English."),
        ("Keep the bundle under 300 kilobytes.", "The bundle may be 500 kilobytes."),
        ("Write the docs in British English.", "Write the docs in German."),
    ] {
        let mut orders = Orders::default();
        assert_eq!((orders.add(0, before), orders.add(1, after)), (1, 1), "{before} {after}");
        let in_force: Vec<&str> = orders.in_force().map(|order| order.sentence.as_str()).collect();
        assert_eq!(in_force, [after]);
    }
    for (order, no_correction) in [
        ("Never push to main.", "You may have seen that a push to main failed."),
        ("Never push to main.", "You may want to look at the push to main."),
        ("Keep the bundle under 300 kilobytes.", "The bundle may be broken."),
    ] {
        let mut orders = Orders::default();
        orders.add(0, order);
        orders.add(1, no_correction);
        assert_eq!(orders.in_force().next().unwrap().sentence, order, "{no_correction}");
    }
}

#[test]
fn deadlines_in_may_and_short_preferences_are_orders() {
    for sentence in [
        "This has to ship before 1 May.",
        "Ship it by May 1st.",
        "Use tabs in Go files.",
        "Remember: the API key stays out of the logs.",
    ] {
        assert_eq!(Orders::default().add(0, sentence), 1, "{sentence}");
    }
    for sentence in
        ["Use grep to find the call in main.rs.", "It may be 5 in the log.", "I remember that file."]
    {
        assert_eq!(Orders::default().add(0, sentence), 0, "{sentence}");
    }
}

#[test]
fn preferences_behind_an_adverb_are_orders() {
    for (sentence, kind) in [
        ("Actually, I prefer Rust.", OrderKind::Correction),
        ("Honestly, I prefer tabs.", OrderKind::Preference),
        ("I strongly prefer tabs.", OrderKind::Preference),
        ("Personally, I'd much rather use pnpm.", OrderKind::Preference),
        ("We would really prefer short functions.", OrderKind::Preference),
        ("By the way, we generally favour composition.", OrderKind::Preference),
    ] {
        let mut found = Orders::default();
        found.add(0, sentence);
        assert_eq!(found.all().iter().map(|order| order.kind).collect::<Vec<_>>(), [kind], "{sentence}");
    }
    for sentence in [
        "Actually, I think it works.", "Honestly, I am not sure.", "I really need to sleep.",
        "We usually deploy on Mondays.", "I actually ran it twice.", "It is rather slow.",
        "Do you really prefer tabs?",
    ] {
        assert_eq!(kinds(sentence), Vec::<&str>::new(), "{sentence}");
    }
}

#[test]
fn what_is_said_of_things_in_general_is_a_rule() {
    for sentence in [
        "Commit messages go in imperative mood.",
        "The commit messages go in the imperative.",
        "Commit messages go in present tense.",
        "Everything goes in English.",
        "Comments are written in English.",
        "Branch names go in kebab-case.",
        "Imports go in alphabetical order.",
        "Docstrings go in Google style.",
        "Type names go in Pascal case.",
        "Helpers go under src/lib/.",
        "New tests belong in tests/unit.",
    ] {
        assert_eq!(kinds(sentence), ["rule"], "{sentence}");
    }
    for sentence in [
        "The tests go in circles.",
        "The test goes into an endless loop.",
        "The docs are written in English.",
        "It is written in Rust.",
        "The logs go in /var/log/app.",
        "Errors go into /var/log/errors.",
        "They go in alphabetical order.",
        "The errors belong in the parser.",
        "Both steps go in case of a failure.",
        "The team goes out in style.",
        "Where do commit messages go in English?",
        "When I run it, requests go in English.",
        "I go in English.",
        "Packages go in and never come out.",
    ] {
        assert_eq!(kinds(sentence), Vec::<&str>::new(), "{sentence}");
    }
}

#[test]
fn what_is_taken_back_leaves_and_what_was_meant_takes_its_place() {
    for (messages, expected) in [
        (&["Always use port 8080.", "Sorry, I meant port 9090."][..], &["Sorry, I meant port 9090."][..]),
        (&["Use 2 spaces for indentation.", "No, 4 spaces."], &["No, 4 spaces."]),
        (
            &["The report is due by 15 December.", "Actually, keep every answer under 80 words."],
            &["The report is due by 15 December.", "Actually, keep every answer under 80 words."],
        ),
        (&["Always use tabs.", "Oops, I meant spaces."], &["Oops, I meant spaces."]),
        (&["Let's stick with tabs.", "Forget what I said about tabs."], &[]),
        (&["Never use pnpm.", "Actually pnpm is fine."], &[]),
        (&["No force pushes.", "Force pushes are fine after all."], &[]),
        (&["Never touch the legacy folder.", "On second thought, you can touch the legacy folder."], &[]),
        (&["Always run the linter.", "You don't have to run the linter anymore."], &[]),
        (&["Always run the linter.", "Scratch that."], &[]),
        (
            &["Never push.", "Keep answers under 50 words.", "Drop the word limit on answers."],
            &["Never push."],
        ),
        (&["Never push.", "Fix the test.", "The test is fine."], &["Never push."]),
        (
            &["Always answer in English.", "Ab jetzt bitte auf Deutsch antworten."],
            &["Ab jetzt bitte auf Deutsch antworten."],
        ),
        (&["Antworte immer auf Deutsch.", "请用英文回答。"], &["请用英文回答。"]),
        (
            &["Réponds toujours en français.", "Please answer in English from now on."],
            &["Please answer in English from now on."],
        ),
        (&["Benutze nie pnpm.", "pnpm ist doch in Ordnung."], &[]),
        (
            &[
                "Antworte immer mit höchstens 50 Wörtern.",
                "Vergiss das mit den 50 Wörtern, antworte wie du willst.",
            ],
            &[],
        ),
        (&["Nunca uses pnpm.", "Al final pnpm está bien."], &[]),
        (&["Usa siempre tabuladores.", "Olvida lo que dije de los tabuladores."], &[]),
        (&["N'utilise jamais pnpm.", "Finalement pnpm, c'est bon."], &[]),
        (&["Utilise toujours des tabulations.", "Oublie ce que j'ai dit sur les tabulations."], &[]),
        (&["不要使用 pnpm。", "其实 pnpm 也可以。"], &[]),
        (&["请始终使用制表符缩进。", "忘掉我说的制表符缩进。"], &[]),
        (&["pnpmは絶対に使わないでください。", "やっぱりpnpmでいいです。"], &[]),
        (&["常にタブでインデントしてください。", "タブのインデントの話は忘れてください。"], &[]),
    ] {
        assert_eq!(in_force(messages), expected, "{messages:?}");
    }
}

#[test]
fn an_order_for_one_task_ends_with_it() {
    for (messages, expected) in [
        (&["For this task only, skip the linter."][..], &[][..]),
        (&["Don't commit for now."], &[]),
        (&["这次不要运行测试。"], &[]),
        (&["今回はテストを書かないでください。"], &[]),
        (&["Nur für diese Aufgabe: keine Tests."], &[]),
        (&["Por esta vez no ejecutes las pruebas."], &[]),
        (&["Pour cette fois, ne lance pas les tests."], &[]),
        (&["Fix the parser. Don't touch the tests."], &["Don't touch the tests."]),
        (&["Fix the parser. Don't touch the tests.", "Go on."], &["Don't touch the tests."]),
        (&["Fix the parser. Don't touch the tests.", "Now add a test."], &[]),
        (&["Don't touch this file.", "Add a test."], &[]),
        (&["Fix the parser, but don't rename the function."], &[]),
        (&["Do not add the full names."], &[]),
        (&["The sidebar should always be hidden."], &[]),
        (&["Instead of making changes, add a button."], &[]),
        (&["Fix the parser. Never rename a function.", "Now add a test."], &["Never rename a function."]),
        (&["Fix the parser. Don't push to main.", "Now add a test."], &["Don't push to main."]),
    ] {
        assert_eq!(in_force(messages), expected, "{messages:?}");
    }
}

#[test]
fn a_list_of_rules_keeps_all_its_items() {
    for (text, expected) in [
        (
            "Ground rules:\n- branch names start with feat/\n- no force pushes\n- squash before merging",
            &["branch names start with feat/", "no force pushes", "squash before merging"][..],
        ),
        (
            "Fix it. From now on:\n\n1. explain each command\n2. metric units",
            &["explain each command", "metric units"],
        ),
        ("Never:\n- push\n- delete branches", &["Never: push", "Never: delete branches"]),
        ("Regeln:\n- Tabs\n- keine Semikolons", &["Tabs", "keine Semikolons"]),
        ("规则：\n- 用制表符\n- 不用分号", &["用制表符", "不用分号"]),
        ("Please do this:\n- add a test\n- run it\n- never push", &["never push"]),
        ("Do these things:\n- mend the parser\n- add a test", &[]),
        ("Rules:\n- is it slow?\n- tabs", &["tabs"]),
    ] {
        assert_eq!(in_force(&[text]), expected, "{text}");
    }
    let many: Vec<String> = (0..73).map(|number| format!("- part{number} stays")).collect();
    let found = in_force(&[&format!("Rules:\n{}", many.join("\n"))]);
    assert_eq!((found.len(), found.last().map(String::as_str)), (24, Some("part72 stays")));
}

#[test]
fn questions_fragments_and_what_others_wrote_order_nothing() {
    for text in [
        "Will this support session streaming in future?",
        "Should we always use tabs?",
        "¿Siempre usas tabuladores?",
        "你以后都用中文吗？",
        "No carry-forward → add",
        "To suppress this warning in future sessions, run: x",
        "Use this skill whenever you write content a human will read:\n\nAvoid:\n- passive voice",
        "---\nname: reviewer\ndescription: reviews\n---\nAlways read everything.",
        "I'd prefer that",
        "We want to make sure users can see it.",
        "The tests should never have passed.",
    ] {
        assert_eq!(in_force(&[text]), Vec::<String>::new(), "{text}");
    }
}
