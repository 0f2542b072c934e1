//! Encodes plans: figures, columns, and what is said about them.

use std::num::NonZeroU64;

use ebbline::Verdict;
use ebbline::effect::Situation;
use ebbline::plan::{Position, PruneReport, RetainReport, Source, TriggerReport, VerdictReason};

use super::bytes::{NONE, Reader, Writer, numbers, optional};
use crate::drawn_plan::{DrawnPlan, Fates, Segments};
use crate::figures::{Figures, Size};
use crate::knob::Knob;
use crate::verdict::{Piece, Said};

fn write_figures(figures: &Figures, out: &mut Writer) {
    let Figures { verdict, reason, before, pruned, after, allowance, turns, .. } = figures;
    let Figures { trigger, prune, retain, size, situation, places, .. } = figures;
    out.numbers(&[*verdict as u64, *reason as u64, *before, *pruned, *after, *allowance, *turns]);
    let TriggerReport { context, threshold, tokens, source, overhead, fires, .. } = trigger;
    let context = context.map_or(0, NonZeroU64::get);
    let overhead = overhead.unwrap_or(NONE);
    out.numbers(&[context, *threshold, *tokens, *source as u64, overhead, u64::from(*fires)]);
    out.numbers(&[
        u64::from(prune.applied),
        prune.reason as u64,
        optional(prune.boundary.map(|boundary| boundary.message)),
        optional(prune.boundary.map(|boundary| boundary.part)),
        prune.counted,
        prune.candidates,
        prune.outputs as u64,
        prune.reclaimed,
    ]);
    out.numbers(&[
        u64::from(retain.applied),
        retain.reason as u64,
        optional(retain.proposed),
        optional(retain.boundary),
        optional(retain.split_turn),
        retain.kept,
        retain.summarized,
        retain.messages as u64,
    ]);
    out.numbers(&[size.measured, size.source as u64, size.by_default, places.0, places.1]);
    out.numbers(&[u64::from(situation.force), situation.source as u64, situation.history]);
}

fn read_figures(from: &mut Reader<'_>) -> Option<Figures> {
    let code = |code: u64| usize::try_from(code).ok();
    let reason = |number: u64| VerdictReason::ALL.get(code(number)?).copied();
    let place = |number: u64| if number == NONE { None } else { code(number) };
    let [verdict, why, before, pruned, after, allowance, turns] = numbers(from)?;
    let [context, threshold, tokens, source, overhead, fires] = numbers(from)?;
    let [prune_applied, prune_why, message, part, counted, candidates, outputs, reclaimed] = numbers(from)?;
    let [retain_applied, retain_why, proposed, boundary, split_turn, kept, summarized, messages] =
        numbers(from)?;
    let [measured, measured_by, by_default, protect, keep] = numbers(from)?;
    let [force, sized_by, history] = numbers(from)?;
    let of_size = |number: u64| Source::ALL.get(code(number)?).copied();
    let mut situation = Situation::default();
    (situation.force, situation.source, situation.history) = (force == 1, of_size(sized_by)?, history);
    let mut trigger = TriggerReport::default();
    trigger.context = NonZeroU64::new(context);
    (trigger.threshold, trigger.tokens) = (threshold, tokens);
    trigger.source = of_size(source)?;
    trigger.overhead = Some(overhead).filter(|tokens| *tokens != NONE);
    trigger.fires = fires == 1;
    let mut prune = PruneReport::default();
    prune.applied = prune_applied == 1;
    prune.reason = reason(prune_why)?;
    prune.boundary = place(message).zip(place(part)).map(|(message, part)| {
        let mut position = Position::default();
        (position.message, position.part) = (message, part);
        position
    });
    (prune.counted, prune.candidates) = (counted, candidates);
    (prune.outputs, prune.reclaimed) = (code(outputs)?, reclaimed);
    let mut retain = RetainReport::default();
    retain.applied = retain_applied == 1;
    retain.reason = reason(retain_why)?;
    [retain.proposed, retain.boundary, retain.split_turn] = [proposed, boundary, split_turn].map(place);
    (retain.kept, retain.summarized, retain.messages) = (kept, summarized, code(messages)?);
    Some(Figures {
        size: Size { measured, source: of_size(measured_by)?, by_default },
        situation,
        places: (protect, keep),
        verdict: Verdict::ALL.get(code(verdict)?).copied()?,
        reason: reason(why)?,
        before,
        pruned,
        after,
        allowance,
        turns,
        trigger,
        prune,
        retain,
    })
}

pub(super) fn write_plan(planned: &DrawnPlan, out: &mut Writer) {
    let DrawnPlan { figures, fates, segments, said } = planned;
    write_figures(figures, out);
    out.bytes(&fates.fate);
    out.words(&fates.before);
    out.words(&fates.after);
    out.words(&segments.message);
    out.bytes(&segments.kind);
    out.bytes(&segments.fate);
    out.bytes(&segments.counted);
    out.words(&segments.before);
    out.words(&segments.pruned);
    out.words(&segments.after);
    for pieces in [&said.headline, &said.details] {
        out.number(pieces.len() as u64);
        for piece in pieces {
            out.number(u64::from(piece.strong));
            out.text(&piece.text);
        }
    }
    out.text(&said.warning);
    for text in said.knobs.iter().flatten().chain(&said.boundaries) {
        out.text(text);
    }
    out.text(&said.forced);
    out.text(&said.picture);
}

pub(super) fn read_plan(from: &mut Reader<'_>) -> Option<DrawnPlan> {
    let figures = read_figures(from)?;
    let fates = Fates { fate: from.column()?, before: from.words()?, after: from.words()? };
    let segments = Segments {
        message: from.words()?,
        kind: from.column()?,
        fate: from.column()?,
        counted: from.column()?,
        before: from.words()?,
        pruned: from.words()?,
        after: from.words()?,
    };
    let piece = |from: &mut Reader<'_>| Some(Piece { strong: from.number()? == 1, text: from.text()? });
    let said = Said {
        headline: from.list(piece)?,
        details: from.list(piece)?,
        warning: from.text()?,
        knobs: {
            let mut knobs = Vec::new();
            for _ in Knob::ALL {
                knobs.push([from.text()?, from.text()?]);
            }
            knobs
        },
        boundaries: [from.text()?, from.text()?],
        forced: from.text()?,
        picture: from.text()?,
    };
    Some(DrawnPlan { figures, fates, segments, said })
}
