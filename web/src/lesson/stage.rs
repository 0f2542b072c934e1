//! What each step of the lesson shows: a policy, a moment of the lesson's own session, and the figures of its sentences.

use ebbline::Policy;
use ebbline::economics::{self, Cache, Rates, Terms};
use ebbline::numbers::{counted, grouped};
use ebbline::replay::ReplayOptions;

use super::Step;
use crate::content::Content;
use crate::figures;
use crate::kind::Shown;
use crate::knob::{Knob, change};
use crate::open_session::OpenSession;
use crate::view::At;

/// A window that the lesson's session fills several times.
pub const WINDOW: u64 = 64_000;
/// The agents whose rules stand side by side, by their profiles.
pub const AGENTS: [&str; 3] = ["opencode@2026-06", "pi@1.5", "tunacode@2026-01"];

/// The figures of a sentence, by their places in it.
pub type Figures = Vec<(&'static str, String)>;

/// A sentence with its figures; what has none stays as it is.
pub fn filled(sentence: &str, figures: &Figures) -> String {
    figures.iter().fold(sentence.to_owned(), |said, (place, figure)| said.replace(place, figure))
}

/// What is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The policy that ran until here.
    pub history: Policy,
    /// The policy on the knobs.
    pub policy: Policy,
    /// The request that is about to be sent.
    pub request: u32,
}

/// A profile in the lesson's window; the default one if `name` is none.
fn profile(name: &str) -> Policy {
    let found = ebbline::profiles::find(name).or(ebbline::profiles::ALL.first());
    let Some(mut policy) = found.map(ebbline::profiles::Profile::policy) else {
        unreachable!("there are profiles")
    };
    Knob::Context.set(&mut policy, WINDOW);
    policy
}

fn without(mut policy: Policy, prune: bool, retain: bool) -> Policy {
    change(&mut policy, |policy| {
        policy.prune.enabled &= !prune;
        policy.retain.enabled &= !retain;
    });
    policy
}

/// A policy that clears at every chance: whenever anything stands before its boundary.
fn eager() -> Policy {
    let mut policy = without(profile("ebbline@1"), false, true);
    for (knob, value) in [(Knob::Turns, 0), (Knob::Minimum, 0), (Knob::Protect, 20_000)] {
        knob.set(&mut policy, value);
    }
    policy
}

impl Scene {
    /// What a step shows when it begins.
    pub fn of<C: Content>(step: &Step, session: &OpenSession<C>) -> Self {
        let history = match step.name {
            "window" => without(profile(""), true, true),
            "newest" | "summary" => without(profile(""), true, false),
            "cache" => eager(),
            "agents" => without(profile(agent(0)), true, true),
            _ => profile(""),
        };
        let policy = if step.name == "agents" { profile(agent(0)) } else { history.clone() };
        let request = match step.name {
            "resend" => 2,
            // Three requests before nothing fits any more, and where the context is full for each of the agents.
            "window" => 8,
            "agents" => 17,
            _ => session.with_life(&history, |life| life.telling().unwrap_or_default()),
        };
        Self { history, policy, request }
    }

    fn at(&self) -> At {
        At { history: self.history.clone(), request: self.request }
    }

    /// The figures of the plan.
    fn planned<C: Content>(&self, session: &OpenSession<C>) -> figures::Figures {
        session.plan_at(&self.policy, false, Some(&self.at())).figures
    }

    /// The figures of a step's sentences. `selected` is the message that is chosen in the list.
    pub fn figures<C: Content>(
        &self,
        step: &Step,
        session: &OpenSession<C>,
        selected: Option<usize>,
    ) -> Figures {
        let planned = session.plan_at(&self.policy, false, Some(&self.at()));
        let of = &planned.figures;
        let tokens = session.with_life(&self.history, |life| life.found.get(self.request as usize).copied());
        let knob = |knob: Knob| grouped(knob.value(&self.policy));
        let row = |tokens: &[u32]| {
            let row = selected.and_then(|at| tokens.get(at).copied());
            grouped(u64::from(row.unwrap_or_default()))
        };
        let mut figures = vec![
            ("{request}", grouped(u64::from(self.request) + 1)),
            ("{tokens}", grouped(u64::from(tokens.unwrap_or_default()))),
            ("{window}", knob(Knob::Context)),
            ("{threshold}", grouped(of.trigger.threshold)),
            ("{outputs}", counted(of.prune.outputs as u64, "old output")),
            ("{before}", grouped(of.total_before())),
            ("{after}", grouped(of.total_after())),
            ("{messages}", grouped(of.retain.messages as u64)),
            ("{kept}", grouped(of.retain.kept)),
            ("{reserve}", knob(Knob::Reserve)),
            ("{minimum}", knob(Knob::Minimum)),
            ("{was}", row(&planned.fates.before)),
            ("{is}", row(&planned.fates.after)),
            ("{profile}", self.policy.profile.clone()),
        ];
        if step.name == "cache" {
            let moments = session.content().moments();
            // The rates with which the comparison on the screen begins.
            let terms = Terms::new(Rates::new(0.1, 1.25, 5.0))
                .options(ReplayOptions::new().overhead(session.beside(&self.history)))
                .cache(Cache::new(0, 1, None), &moments);
            let policies = [self.history.clone(), self.policy.clone()];
            let outcomes = economics::compare(session.history().clone(), &policies, &terms);
            for (places, outcome) in
                [["{often}", "{dear}"], ["{seldom}", "{cheap}"]].into_iter().zip(outcomes)
            {
                let [often, dear] = places;
                figures.push((often, grouped(outcome.prunes.into())));
                figures.push((dear, grouped(outcome.cost.max(0.0).round() as u64)));
            }
        }
        figures
    }

    /// Whether what a step asks for was done, where it begins with `begin`. `seen` tells what the page shows beside the plan:
    /// the message whose after is read, and the sheet that was opened last.
    pub fn is_done<C: Content>(
        &self,
        step: &Step,
        begin: &Self,
        session: &OpenSession<C>,
        (read, opened): (Option<usize>, &str),
    ) -> bool {
        if self.history != begin.history {
            return false;
        }
        let turned = |figure: fn(&figures::Figures) -> u64| {
            self.policy != begin.policy && figure(&self.planned(session)) != figure(&begin.planned(session))
        };
        match step.name {
            "resend" => self.request > begin.request,
            "window" => session.with_life(&self.history, |life| {
                life.found.get(self.request as usize).is_some_and(|found| u64::from(*found) > WINDOW)
            }),
            "boundary" => turned(figures::Figures::total_after),
            "placeholder" => {
                let fates = session.plan_at(&self.policy, false, Some(&self.at())).fates.fate;
                let fate = read.and_then(|at| fates.get(at).copied());
                fate.is_some_and(|fate| Shown::from_code(fate) == Shown::Pruned)
            }
            "newest" => turned(|figures| figures.retain.kept),
            "summary" => opened == "facts",
            "cache" => Knob::Minimum.value(&self.policy) >= 20_000,
            "thresholds" => {
                turned(|figures| figures.trigger.threshold) && !self.planned(session).prune.applied
            }
            _ => {
                self.policy.profile != begin.policy.profile && AGENTS.contains(&self.policy.profile.as_str())
            }
        }
    }
}

fn agent(at: usize) -> &'static str {
    AGENTS.get(at).copied().unwrap_or_default()
}

/// The scene of one of [`AGENTS`]: the moment at which their rules stand side by side, with its own on the knobs.
pub fn of_agent(begin: &Scene, name: &str) -> Scene {
    Scene { policy: profile(name), ..begin.clone() }
}

/// An agent's rule at the moment: its profile, from where the context is full, what it does, and how large the context is then.
pub fn rule<C: Content>(scene: &Scene, session: &OpenSession<C>) -> [String; 4] {
    let of = scene.planned(session);
    let does = if of.retain.applied {
        format!("summarizes {}", counted(of.retain.messages as u64, "message"))
    } else if of.prune.applied {
        format!("clears {}", counted(of.prune.outputs as u64, "output"))
    } else {
        "waits".to_owned()
    };
    let full =
        if scene.policy.retain.enabled { grouped(of.trigger.threshold) } else { "any size".to_owned() };
    [scene.policy.profile.clone(), full, does, grouped(of.total_after())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::STEPS;

    fn step(name: &str) -> &'static Step {
        STEPS.iter().find(|step| step.name == name).unwrap()
    }

    #[test]
    fn every_place_of_a_sentence_has_its_figure() {
        let (session, _) = crate::sample::opened();
        let said = STEPS.iter().map(|step| {
            let scene = Scene::of(step, &session);
            let figures = scene.figures(step, &session, Some(5));
            let said =
                [step.title, step.text, step.seen].map(|sentence| filled(sentence, &figures)).join("\n  ");
            assert!(!said.contains(['{', '}']), "{said}");
            said
        });
        insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn what_the_steps_say_holds_for_the_session() {
        let (session, _) = crate::sample::opened();
        let scene = |name: &str| Scene::of(step(name), &session);
        // Each request has everything before it; one is refused, and so it would be in a window twice as large.
        let endless = scene("window").history;
        session.with_life(&endless, |life| {
            assert!(life.found.is_sorted());
            assert!(u64::from(life.found[8]) < WINDOW && life.peak() > 2 * WINDOW);
        });
        // Clearing is enough at the boundary; the further left it is, the less is freed.
        let begin = scene("boundary");
        assert!(begin.planned(&session).prune.applied && !begin.planned(&session).retain.applied);
        let left = [12_800, 25_600, 38_400, 51_200].map(|down_to| {
            let mut scene = begin.clone();
            Knob::DownTo.set(&mut scene.policy, down_to);
            scene.planned(&session).total_after()
        });
        assert!(left.is_sorted() && left[0] < left[3], "{left:?}");
        assert!(scene("newest").planned(&session).retain.applied);
        // Three agents, three rules.
        let begin = scene("agents");
        let rules = AGENTS.map(|name| rule(&of_agent(&begin, name), &session));
        for (at, one) in rules.iter().enumerate() {
            assert_ne!(one[2], "waits", "{one:?}");
            assert!(
                rules.iter().skip(at + 1).all(|other| one[1] != other[1] && one[2] != other[2]),
                "{rules:?}"
            );
        }
    }

    #[test]
    fn what_was_done_is_seen_and_what_was_not_is_not() {
        let (session, _) = crate::sample::opened();
        let turned = |scene: &Scene, knob: Knob, value: u64| {
            let mut policy = scene.policy.clone();
            knob.set(&mut policy, value);
            Scene { policy, ..scene.clone() }
        };
        for step in &STEPS {
            let begin = Scene::of(step, &session);
            assert!(!begin.is_done(step, &begin, &session, (None, "")), "{}", step.name);
            let pruned = session.plan_at(&begin.policy, false, Some(&begin.at())).fates.fate;
            let pruned = pruned.iter().position(|fate| Shown::from_code(*fate) == Shown::Pruned);
            let (now, seen) = match step.name {
                "resend" => (Scene { request: 9, ..begin.clone() }, (None, "")),
                "window" => (Scene { request: 11, ..begin.clone() }, (None, "")),
                "boundary" => (turned(&begin, Knob::DownTo, 40_000), (None, "")),
                "placeholder" => (begin.clone(), (pruned, "")),
                "newest" => (turned(&begin, Knob::Keep, 12_800), (None, "")),
                "summary" => (begin.clone(), (None, "facts")),
                "cache" => (turned(&begin, Knob::Minimum, 20_000), (None, "")),
                "thresholds" => (turned(&begin, Knob::Reserve, 4_000), (None, "")),
                _ => (of_agent(&begin, AGENTS[2]), (None, "")),
            };
            assert!(now.is_done(step, &begin, &session, seen), "{}", step.name);
            let elsewhere = Scene { history: ebbline::profiles::ALL[0].policy(), ..now };
            assert!(!elsewhere.is_done(step, &begin, &session, seen), "{}: another history", step.name);
        }
    }

    #[test]
    fn scenes_are_made_of_what_the_page_can_set() {
        let (session, _) = crate::sample::opened();
        for scene in STEPS.iter().map(|step| Scene::of(step, &session)) {
            for policy in [scene.history, scene.policy] {
                let words = crate::saved::write(&policy, false);
                assert_eq!(crate::saved::parse(&words).unwrap().0, policy, "{words}");
            }
        }
    }

    #[test]
    fn batching_is_cheaper_than_clearing_at_every_chance() {
        let (session, _) = crate::sample::opened();
        let cache = step("cache");
        let mut scene = Scene::of(cache, &session);
        Knob::Minimum.set(&mut scene.policy, 20_000);
        let figures = scene.figures(cache, &session, None);
        let of = |place: &str| -> u64 {
            let (_, figure) = figures.iter().find(|(of, _)| *of == place).unwrap();
            figure.replace(',', "").parse().unwrap()
        };
        assert!(of("{seldom}") * 2 < of("{often}") && of("{cheap}") * 4 < of("{dear}") * 3, "{figures:?}");
    }
}
