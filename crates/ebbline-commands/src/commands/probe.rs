//! `probe`: asks a command for facts that the agent used after a policy had removed them.

use ebbline::SessionText;
use ebbline::binding::probe::{
    AGAIN, Fact, NO_OUTPUT, Probe, Said, chosen, recalled, says_fact, says_unknown,
};
use ebbline::length::Length;
use ebbline::policy::Estimator;
use serde::Serialize;

use crate::amount::{amount, counted};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::{as_javascript, line};
use crate::name::Name;
use crate::printable::printable;
use crate::probe::answer::{self, Answer};
use crate::probe::options::ProbeOptions;
use crate::probe::rows::{ProbeRow, ProbeRows, checksum};
use crate::probe::totals::{ProbeTotals, page, totals};
use crate::run::Run;
use crate::summary_command::{Purpose, answer_of};
use crate::window_note::note_assumed;

/// A request as every server of OpenAI's protocol takes it.
#[derive(Serialize)]
struct Request<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'r str>,
    messages: &'r [Said],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'r> {
    file: String,
    session: &'r str,
    seed: u64,
    facts: usize,
    questions: usize,
    answers: usize,
    left: usize,
    totals: Vec<ProbeTotals>,
}

/// What is spent in this run.
#[derive(Default)]
struct Spent {
    requests: u64,
    tokens: u64,
    /// Which budget does not allow the next answer, and the tokens of its question where no run with this budget gets it.
    over: Option<(String, Option<u64>)>,
}

/// The answer to a question, after all that was asked for it.
struct Told {
    answer: Answer,
    recalled: Option<(String, bool)>,
    requests: u64,
    tokens: u64,
}

/// Asks for facts.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let options = ProbeOptions::of(&run.given.values)?;
    let bytes = run.io.read(name).await?;
    let session = options.engine.read(&bytes, &options.engine.plain_policy()?)?;
    let sum = checksum(&bytes);
    let rows = ProbeRows::read(options.out.as_deref(), &sum, options.seed, &run.io).await?;
    if run.given.values.text("context").is_none() && !run.given.values.sets_window() {
        note_assumed(None, &mut run.notes, "--context");
    }
    let course = Course { name, session: &session, sum: &sum, options: &options };
    course.run(rows, run).await
}

/// What the questions are asked about.
struct Course<'c> {
    name: &'c Name,
    session: &'c SessionText<'c>,
    sum: &'c str,
    options: &'c ProbeOptions,
}

impl Course<'_> {
    async fn run(&self, mut rows: ProbeRows, run: &mut Run) -> Result<Exit, Failure> {
        let options = self.options;
        let probe = Probe::of(self.session, &options.policies, &options.replay);
        let facts = probe.facts();
        let asked = chosen(&facts, options.seed, options.questions);
        if asked.is_empty() {
            self.note("no policy had removed what the agent used later, so nothing was asked", run);
        }
        let whole = asked.len() * options.policies.len() * options.recalls.len();
        let (mut spent, mut answered): (Spent, Vec<ProbeRow>) = (Spent::default(), Vec::new());
        let mut known = 0;
        'questions: for (number, fact) in asked.iter().enumerate() {
            for life in 0..options.policies.len() {
                let context = probe.context(life, fact);
                for recall in options.recalls {
                    let row = self.row(&probe, (number + 1, fact), (life, *recall), &context);
                    if let Some(row) = rows.find(&row) {
                        answered.push(row.clone());
                        known += 1;
                        continue;
                    }
                    let place = (answered.len() + 1, whole);
                    let Some(told) =
                        self.told(&probe, fact, (&context, *recall), &mut spent, place, run).await?
                    else {
                        break 'questions;
                    };
                    let row = scored(row, told, fact);
                    let line = rows.add(row.clone());
                    answered.push(row);
                    if let Some(out) = &options.out {
                        run.io.write(out, rows.bytes(), None).await?;
                    } else if run.is_json() {
                        run.out.write(line).await?;
                    }
                }
            }
        }
        if known > 0 {
            let out = options.out.as_deref().unwrap_or_default();
            self.note(
                &format!("{} of {} stood in {out}", counted(known as u64, "answer"), amount(whole)),
                run,
            );
        }
        let left = whole - answered.len();
        self.show(facts.len(), asked.len(), left, &answered, run).await?;
        let Some((over, alone)) = spent.over else { return Ok(Exit::Ok) };
        let next = match alone {
            Some(tokens) => format!("; the next question alone has {}", counted(tokens, "token")),
            None if options.out.is_some() => "; the same command goes on".to_owned(),
            None => "; with -o OUT it could go on".to_owned(),
        };
        self.note(
            &format!("{over} is reached: {} of {} are missing{next}", amount(left), counted(whole, "answer")),
            run,
        );
        Ok(Exit::Work)
    }

    /// What is known of an answer before it is given.
    fn row(
        &self,
        probe: &Probe<'_, '_>,
        (question, fact): (usize, &Fact),
        (life, recall): (usize, bool),
        context: &[Said],
    ) -> ProbeRow {
        let policy = self.options.policies.get(life).cloned().unwrap_or_default();
        ProbeRow {
            file: self.name.given(),
            session: self.sum.to_owned(),
            seed: self.options.seed,
            model: self.options.model.clone(),
            settings: self.options.settings.clone(),
            window: policy.model.context.map(u64::from),
            policy: policy.profile,
            recall,
            question,
            request: fact.request,
            message: fact.message,
            part: fact.part,
            kind: fact.kind.as_str().to_owned(),
            fact: fact.text.clone(),
            output_message: fact.output_message,
            left: fact.left.get(life).copied().flatten().map(|left| left.as_str().to_owned()),
            in_context: Probe::holds(context, fact),
            context_tokens: probe.tokens(life, fact),
            asked: fact.question(recall),
            ..ProbeRow::default()
        }
    }

    /// What the model answers, perhaps after it has had an output back; `None` if a budget does not allow it. An answer that is begun
    /// is finished: otherwise a budget of one request would never get one.
    async fn told(
        &self,
        probe: &Probe<'_, '_>,
        fact: &Fact,
        (context, recall): (&[Said], bool),
        spent: &mut Spent,
        place: (usize, usize),
        run: &mut Run,
    ) -> Result<Option<Told>, Failure> {
        let mut messages = context.to_vec();
        messages.push(Said::words("user", fact.question(recall)));
        let request = self.request(&messages);
        if !self.allows(request.1, spent) {
            return Ok(None);
        }
        let (answer, tokens) = self.ask(request, spent, place, run).await?;
        let first = Told { answer, recalled: None, requests: 1, tokens };
        let Some(id) = Some(recall).filter(|recall| *recall).and_then(|_| recalled(&first.answer.text))
        else {
            return Ok(Some(first));
        };
        let output = probe.recall(&id, fact);
        let is_found = output.is_some();
        let back = output.map_or_else(|| NO_OUTPUT.to_owned(), |output| format!("{output}\n\n{AGAIN}"));
        messages.push(Said::words("assistant", first.answer.text.clone()));
        messages.push(Said::words("user", back));
        let (answer, more) = self.ask(self.request(&messages), spent, place, run).await?;
        let counted = first.answer.counted.zip(answer.counted).map(|(one, other)| one + other);
        let answer = Answer { counted, ..answer };
        Ok(Some(Told { answer, recalled: Some((id, is_found)), requests: 2, tokens: first.tokens + more }))
    }

    /// The body of a request, with its tokens.
    fn request(&self, messages: &[Said]) -> (String, u64) {
        let request = line(&Request { model: self.options.model.as_deref(), messages });
        let tokens = Estimator::default().tokens_of_text(Length::of(&request));
        (request, tokens)
    }

    /// Whether the budgets allow to begin an answer.
    fn allows(&self, tokens: u64, spent: &mut Spent) -> bool {
        let options = self.options;
        let over = if spent.requests >= options.requests {
            Some((counted(options.requests, "request"), None))
        } else if spent.tokens.saturating_add(tokens) > options.tokens {
            Some((counted(options.tokens, "token"), Some(tokens).filter(|tokens| *tokens > options.tokens)))
        } else {
            None
        };
        spent.over = over.map(|(budget, alone)| (format!("the budget of {budget}"), alone));
        spent.over.is_none()
    }

    /// What the command answers, and the tokens that were sent.
    async fn ask(
        &self,
        (request, tokens): (String, u64),
        spent: &mut Spent,
        (at, of): (usize, usize),
        run: &mut Run,
    ) -> Result<(Answer, u64), Failure> {
        let options = self.options;
        (spent.requests, spent.tokens) = (spent.requests + 1, spent.tokens + tokens);
        let left = match &options.out {
            Some(out) if at > 1 => {
                format!("what was answered before stays in {out}: the same command goes on")
            }
            Some(_) => "nothing was written".to_owned(),
            None => "without -o OUT no answer was kept".to_owned(),
        };
        let progress = format!("answer {} of {}", amount(at), amount(of));
        let purpose = Purpose { progress: &progress, wanted: "answer", left: &left };
        let said = answer_of(&options.command, request, options.seconds, purpose, run).await?;
        let answer = answer::read(&said).map_err(|why| Failure::File(format!("{why}, and {left}")))?;
        Ok((answer, tokens))
    }

    async fn show(
        &self,
        facts: usize,
        questions: usize,
        left: usize,
        answered: &[ProbeRow],
        run: &mut Run,
    ) -> Result<(), Failure> {
        let totals = totals(answered);
        if !run.is_json() {
            let page = page(&totals, run.style());
            return if totals.is_empty() { Ok(()) } else { run.out.write(page).await };
        }
        if self.options.out.is_none() {
            return Ok(());
        }
        let (file, session, seed) = (self.name.given(), self.sum, self.options.seed);
        let answers = answered.len();
        let report = Report { file, session, seed, facts, questions, answers, left, totals };
        run.out.write(as_javascript(line(&report).trim_end())).await
    }

    fn note(&self, sentence: &str, run: &mut Run) {
        run.notes.write(&format!("ebbline: {}: {sentence}\n", printable(&self.name.said())));
    }
}

/// An answer with its score.
fn scored(row: ProbeRow, told: Told, fact: &Fact) -> ProbeRow {
    let Told { answer, recalled, requests, tokens } = told;
    let (recalled, recall_found) = recalled.unzip();
    ProbeRow {
        correct: says_fact(&answer.text, fact),
        unknown: says_unknown(&answer.text),
        answer: answer.text,
        counted_tokens: answer.counted,
        recalled,
        recall_found,
        requests,
        sent_tokens: tokens,
        ..row
    }
}
