//! The policy's knobs: those that matter at this moment, and behind them all others by what they decide. Each has a slider and
//! a number box, which change the same value as the handles on the strip.

use ebbline::Policy;
use ebbline::numbers::{grouped, short};
use ebbline_web::knob::{Knob, STEPS, preset};
use ebbline_web::verdict::OfKnob;
use leptos::prelude::*;

use super::attributes::{AriaAttributes, GlobalAttributes};
use super::live::{Piece, click, field, flag, part, words};
use super::state::State;

#[component]
pub(super) fn Settings() -> impl IntoView {
    let state = expect_context::<State>();
    let is_changed = Memo::new(move |_| state.policy.with(|policy| *policy != preset(policy)));
    let about = move || {
        let name = state.policy.with(|policy| policy.profile.trim_end_matches('*').to_owned());
        ebbline::profiles::ALL
            .iter()
            .find(|profile| profile.name == name)
            .map_or_else(String::new, |profile| profile.about.to_owned())
    };
    view! {
        <section class="settings card" aria-labelledby="settings-title">
            <div class="heading">
                <h2 id="settings-title">"Policy"</h2>
                <span class="quiet profile-name">{words(move || state.policy.with(|policy| policy.profile.clone()))}</span>
                <button type="button" class="small" id="reset" disabled=flag(move || !is_changed.get()) on:click=click(move || state.policy.set(state.preset()))>"Reset"</button>
            </div>
            <div class="scroller" tabindex="0" role="group" aria-label="Knobs">
                <div class="four" id="four">
                    {part(move || state.first.get().map(|first| first.iter().map(|knob| slider(Knob::from_code(*knob))).collect::<Vec<_>>()))}
                </div>
                <details class="all-knobs" id="all-knobs">
                    <summary>"All knobs"</summary>
                    <p class="explanation">"“−31,000 here” is how much smaller the context is now than with the knob at 0."</p>
                    <Step
                        title="Where pruning ends"
                        id="prune-enabled"
                        of=|policy| &mut policy.prune.enabled
                    >
                        {rest(state, &[Knob::Protect, Knob::DownTo, Knob::Turns, Knob::KeepOutputs])}
                        <ProtectedTools/>
                    </Step>
                    <fieldset class="step">
                        <legend>"Whether pruning is worth it"</legend>
                        {rest(state, &[Knob::Minimum, Knob::Preview])}
                    </fieldset>
                    <Step
                        title="What a summary leaves"
                        id="retain-enabled"
                        of=|policy| &mut policy.retain.enabled
                    >
                        {rest(state, &[Knob::Keep, Knob::KeepTurns, Knob::UserWords])}
                    </Step>
                    <fieldset class="step">
                        <legend>"When it is full"</legend>
                        {rest(state, &[Knob::Context, Knob::Reserve])}
                        <label class="check">
                            <input type="checkbox" id="force" prop:checked=flag(move || state.force.get()) on:change=field(move |field| state.force.set(field.checked()))/>
                            <span>"Force compaction now"</span>
                        </label>
                        <p class="explanation" id="force-about">
                            "As after a command, or after the provider's error that the context is too long. "
                            {words(move || state.planned.with(|planned| planned.as_ref().map(|planned| planned.said.forced.clone())).unwrap_or_default())}
                        </p>
                    </fieldset>
                    <p class="about">{words(about)}</p>
                    <p class="explanation">"This browser stores the settings for your next visit, but nothing from a session."</p>
                </details>
            </div>
        </section>
    }
}

fn slider(knob: Knob) -> AnyView {
    view! { <Slider knob/> }.into_any()
}

/// The knobs of a group that do not stand first.
fn rest(state: State, group: &'static [Knob]) -> Piece {
    part(move || {
        let rest = group.iter().filter(|knob| !state.is_first(**knob));
        Some(rest.map(|knob| slider(*knob)).collect::<Vec<_>>())
    })
}

/// One of the two steps, with its switch.
#[component]
fn Step(
    title: &'static str,
    id: &'static str,
    of: fn(&mut Policy) -> &mut bool,
    children: Children,
) -> impl IntoView {
    let state = expect_context::<State>();
    let is_on = Memo::new(move |_| state.policy.with(|policy| *of(&mut policy.clone())));
    view! {
        <fieldset class="step" class:off=flag(move || !is_on.get())>
            <legend>
                <label class="switch">
                    <input
                        type="checkbox"
                        role="switch"
                        id=id
                        prop:checked=flag(move || is_on.get())
                        on:change=field(move |field| {
                            let on = field.checked();
                            state.change(|policy| *of(policy) = on);
                        })
                    />
                    <span>{title}</span>
                </label>
            </legend>
            {children()}
        </fieldset>
    }
}

/// A slider with its number box.
#[component]
fn Slider(knob: Knob) -> impl IntoView {
    let state = expect_context::<State>();
    let value = Memo::new(move |_| state.policy.with(|policy| knob.value(policy)));
    let tokens = Memo::new(move |_| {
        state.planned.with(|planned| planned.as_ref().map_or(0, |planned| planned.figures.before))
    });
    let most = Memo::new(move |_| state.policy.with(|policy| knob.slider_max(policy, tokens.get())));
    let place = move || knob.to_slider(value.get(), most.get());
    let typed = move |field: &web_sys::HtmlInputElement| {
        let number = field.value_as_number();
        if number >= 0.0 {
            state.set_knob(knob, number.round() as u64);
        }
        // What is no number, or outside the knob's range, leaves the value as it was.
        field.set_value(&value.get_untracked().to_string());
    };
    let slid = move |place: f64| state.set_knob(knob, knob.from_slider(place, most.get_untracked()));
    let said = move |read: fn(&OfKnob) -> &String| {
        state.planned.with(|planned| {
            let said = planned.as_ref().and_then(|planned| planned.said.knobs.get(knob as usize));
            said.map_or_else(String::new, |said| read(said).clone())
        })
    };
    let id = format!("{}-value", knob.id());
    let unit = if knob.is_count() { "" } else { " tokens" };
    view! {
        <div class="knob">
            <label for=id.clone()>{knob.label()}</label>
            <span class="box">
                <input
                    type="number"
                    id=id
                    min="0"
                    step="any"
                    inputmode="numeric"
                    aria-describedby=format!("{}-about", knob.id())
                    prop:value=words(move || value.get().to_string())
                    on:change=field(typed)
                />
                // A box of numbers cannot group them; who types sees the box itself.
                <span class="grouped" aria-hidden="true">{words(move || grouped(value.get()))}</span>
            </span>
            <input
                type="range"
                id=format!("{}-slider", knob.id())
                min="0"
                max=(STEPS as u32).to_string()
                step="1"
                aria-label=format!("{} slider", knob.label())
                aria-valuetext=words(move || format!("{}{unit}", short(value.get())))
                style=("--filled", words(move || format!("{}%", (place() / STEPS * 100.0).round() as u32)))
                prop:value=words(move || (place().round() as u32).to_string())
                on:input=field(move |field| slid(field.value_as_number()))
            />
            <p class="explanation" id=format!("{}-about", knob.id())>
                <b class="here">{words(move || said(|said| &said.here))}</b>" "
                <span class="idle">{words(move || said(|said| &said.idle))}</span>" "
                {words(move || said(|said| &said.about))}
            </p>
        </div>
    }
}

/// Tools whose outputs are never pruned.
#[component]
fn ProtectedTools() -> impl IntoView {
    let state = expect_context::<State>();
    let names = Memo::new(move |_| state.policy.with(|policy| policy.prune.protected_tools.clone()));
    let others = Memo::new(move |_| {
        let protected = names.get();
        let tools = state
            .opened
            .with(|opened| opened.as_ref().map(|opened| opened.about.tools.clone()).unwrap_or_default());
        tools.into_iter().filter(|tool| !protected.contains(tool)).collect::<Vec<_>>()
    });
    let put = move |names: Vec<String>| state.change(|policy| policy.prune.protected_tools = names);
    let chip = move |name: &String| {
        let (dropped, label) = (name.clone(), format!("Prune {name} again"));
        view! {
            <li class="tool-chip">
                {name.clone()}
                <button type="button" aria-label=label on:click=click(move || {
                    let left: Vec<_> = names.get_untracked().into_iter().filter(|other| *other != dropped).collect();
                    put(left);
                })>"×"</button>
            </li>
        }
        .into_any()
    };
    let option = |tool: &String| view! { <option value=tool.clone()>{tool.clone()}</option> }.into_any();
    view! {
        <div class="tools">
            <span id="tools-label">"Never prune"</span>
            <ul aria-labelledby="tools-label">
                {part(move || names.with(|names| names.iter().map(chip).collect::<Vec<_>>()))}
                <li>
                    <select aria-label="Add a tool that is never pruned" on:change=field(move |field| {
                        let mut list = names.get_untracked();
                        list.push(field.value());
                        put(list);
                        field.set_value("");
                    })>
                        <option value="">"add a tool"</option>
                        {part(move || others.with(|others| others.iter().map(option).collect::<Vec<_>>()))}
                    </select>
                </li>
            </ul>
        </div>
    }
}
