//! A closure as the driver sees it: the assumptions about it, and the descriptions of its failures.

use super::attendance::Attendance;
use crate::model::describe::source;
use crate::model::detail::Detail;
use crate::model::owners::Counted;
use crate::model::program::Program;
use crate::model::{CodeSite, Ended, Failure, Model, Settings};
use everyway_driver::{Rules, Subject};
use everyway_explore::Trace;
use everyway_report::frontier::Remark;
use everyway_report::{Bug, BugKind, Divergence, Execution, Source};
use everyway_runtime::{EventId, ThreadId};

/// A closure, and how it is to be run.
#[derive(Clone)]
pub(super) struct Closure<'f> {
    pub(super) body: &'f (dyn Fn() + Sync),
    pub(super) settings: Settings,
    /// Who looks after the threads of the operating system that run it.
    pub(super) attendance: &'f Attendance<'f>,
    /// What it does that cannot be done where reads are told their sources.
    pub(super) refused: Option<String>,
}

/// What is assumed of a program.
pub(super) enum Assumed {
    /// That it does not look at a detail.
    Overlooks(Detail),
    /// That it cannot tell how many owners something shared has.
    DoesNotCount(Counted),
    /// That it does not do this, which cannot be done where reads are told their sources; and where it does.
    Avoids(&'static str, CodeSite),
}

impl<'f> Subject for Closure<'f> {
    type Execution = Program<'f>;
    type Assumption = Assumed;

    fn begin(&self) -> Program<'f> {
        self.attendance.look_after_worker();
        Program::new(Model::new(self.settings.clone()), self.body)
    }

    fn refuted(&self, _: &Program<'f>, ended: &Box<Ended>) -> Option<Assumed> {
        match **ended {
            Ended::Wants(detail) => Some(Assumed::Overlooks(detail)),
            Ended::WantsCount(of) => Some(Assumed::DoesNotCount(of)),
            Ended::Refused(what, at) => Some(Assumed::Avoids(what, at)),
            Ended::Failed(_) => None,
        }
    }

    fn retract(&mut self, assumed: Assumed) {
        match assumed {
            Assumed::Overlooks(detail) => self.settings.details = self.settings.details.with(detail),
            Assumed::DoesNotCount(of) => self.settings.counted.push(of),
            Assumed::Avoids(what, at) => {
                self.refused = Some(format!("{what} ({}:{})", at.file(), at.line()));
            }
        }
    }

    fn run_under(&mut self, rules: Rules) {
        self.settings.rules = rules;
    }

    fn has_weak_orderings(&self) -> bool {
        self.settings.details.contains(Detail::Orderings)
    }

    /// On a thread of its own, as by another worker.
    fn is_probed(&self) -> bool {
        true
    }

    fn has_commuting(&self) -> bool {
        self.settings.details.contains(Detail::Commuting)
    }

    fn refused(&self) -> Option<String> {
        self.refused.clone()
    }

    fn kind(&self, ended: &Box<Ended>) -> BugKind {
        match &**ended {
            Ended::Failed(failure) => failure.kind,
            Ended::Wants(_) | Ended::WantsCount(_) | Ended::Refused(..) => BugKind::Unsupported,
        }
    }

    fn places(&self, program: &Program<'f>, ended: &Box<Ended>) -> Vec<Source> {
        let Ended::Failed(failure) = &**ended else { return Vec::new() };
        let waits = if failure.kind == BugKind::Deadlock { program.waits() } else { Vec::new() };
        let waits = waits.into_iter().filter_map(|wait| wait.source);
        let accesses = failure.accesses.iter().filter_map(|access| access.source.clone());
        waits.chain(accesses).chain(failure.source.clone()).collect()
    }

    fn can_go_on(&self, ended: &Box<Ended>) -> bool {
        self.settings.keeps_going && ended.can_go_on()
    }

    fn place(&self, program: &Program<'f>, event: EventId) -> Option<Source> {
        program.log().get(event.index()).map(|logged| source(logged.label.caller))
    }

    fn describe(&self, program: &Program<'f>, trace: &Trace) -> Execution {
        program.describe(trace)
    }

    fn describe_failure(&self, program: &Program<'f>, trace: &Trace, ended: &Box<Ended>) -> Bug {
        match &**ended {
            Ended::Failed(failure) => describe_failure(program, trace, failure),
            Ended::Wants(_) | Ended::WantsCount(_) | Ended::Refused(..) => {
                // It is refuted before it is described.
                let message = "the program looks at something that is not kept track of".to_owned();
                describe_failure(program, trace, &Failure::new(BugKind::Unsupported, message))
            }
        }
    }

    fn tips_on_length(&self, place: Option<&Source>) -> Vec<String> {
        let place = place.map_or("it".to_owned(), |source| format!("the loop at {}:{}", source.file, source.line));
        let loops = if self.settings.details.contains(Detail::Rounds) {
            format!("{place} may never end, whatever other threads do: it finds something new in each round")
        } else {
            format!(
                "if {place} waits for another thread, call everyway::hint::spin_loop() or everyway::thread::yield_now() \
                 in it: it is then explored without any bound, or for a few rounds if it writes"
            )
        };
        vec![
            loops,
            "if the execution is just long, raise the limit with Builder::max_steps or EVERYWAY_MAX_STEPS".to_owned(),
        ]
    }

    /// What messages look like is known only in detail.
    fn in_detail(&self, program: &Program<'f>) -> Option<Self> {
        let Self { body, settings, refused, attendance } = self;
        let with_texts = || Settings { details: settings.details.with(Detail::Texts), ..settings.clone() };
        let again = || Self { body: *body, settings: with_texts(), refused: refused.clone(), attendance };
        program.model().state().untold.then(again)
    }

    fn cuts(&self, program: &Program<'f>) -> Vec<String> {
        let state = program.model().state();
        let mut cuts = Vec::new();
        if state.not_interleaved {
            cuts.push("what was done while a panic unwound was not interleaved with other threads".to_owned());
        }
        if let Some(at) = state.cut_rounds {
            cuts.push(format!(
                "a thread that came to {}:{} more than {} times without finding anything new had to wait for others \
                 (Builder::max_rounds)",
                at.file(),
                at.line(),
                self.settings.max_rounds
            ));
        }
        cuts
    }

    fn assumed(&self, program: &Program<'f>) -> Vec<String> {
        let what = match self.settings.spurious {
            false => {
                "that condition variables, `park` and `compare_exchange_weak` never wake up or fail spuriously (Builder::spurious)"
            }
            true => {
                "that condition variables, `park` and `compare_exchange_weak` wake up or fail spuriously at most once in each thread"
            }
        };
        if program.model().state().was_never_spurious { vec![what.to_owned()] } else { Vec::new() }
    }

    fn remarks(&self, program: &mut Program<'f>) -> Vec<Remark> {
        program.leftovers().remark().into_iter().collect()
    }

    fn retracted(&self) -> Vec<String> {
        let details = self.settings.details.iter().map(|detail| detail.name().to_owned());
        details.chain(self.settings.counted.iter().map(Counted::name)).collect()
    }

    fn retract_named(&mut self, name: &str) -> bool {
        let detail = Detail::named(name).map(Assumed::Overlooks);
        let assumed = detail.or_else(|| Counted::named(name).map(Assumed::DoesNotCount));
        assumed.map(|assumed| self.retract(assumed)).is_some()
    }

    fn abandon(&self, program: &mut Program<'f>) {
        program.abandon();
    }
}

/// A failure as reports have it.
fn describe_failure(program: &Program<'_>, trace: &Trace, failure: &Failure) -> Bug {
    describe_failure_of(program, program.describe(trace), failure)
}

/// A failure that ends the process, as reports have it.
pub(super) fn describe_crash(program: &Program<'_>, failure: &Failure) -> Bug {
    describe_failure_of(program, program.describe_untraced(), failure)
}

fn describe_failure_of(program: &Program<'_>, mut execution: Execution, failure: &Failure) -> Bug {
    let divergence = (!failure.before.is_empty()).then(|| {
        let before = program.describe_steps(&failure.before);
        let first_difference = failure.parts_at.unwrap_or(failure.before.len() - 1);
        if failure.parts_at.is_none() {
            execution = diverged(program, &execution, first_difference);
        }
        Divergence { before, first_difference }
    });
    let (waits, unreceived) = match failure.kind {
        BugKind::Deadlock | BugKind::Livelock => (program.waits(), program.unreceived()),
        _ => (Vec::new(), Vec::new()),
    };
    let mut tips = tips(failure, &execution);
    if failure.kind == BugKind::Deadlock && program.model().has(Detail::WaitingWriters) {
        tips.push(
            "a thread that reads an RwLock which it holds for reading may wait for a writer that waits for it: \
             std::sync::RwLock::read says so"
                .to_owned(),
        );
    }
    if program.spins_without_hint() {
        tips.push(
            "a loop that waits for other threads is told from other code by a hint, and explored in fewer executions: \
             everyway::hint::spin_loop() or everyway::thread::yield_now()"
                .to_owned(),
        );
    }
    let message = match failure.moment {
        Some(moment) => format!("{}\n{}", failure.message, program.describe_moment(failure, moment)),
        None => failure.message.clone(),
    };
    let source = failure.source.clone().or_else(|| waits.first().and_then(|wait| wait.source.clone()));
    Bug {
        kind: failure.kind,
        message,
        source,
        thread: failure.thread.map(ThreadId::index),
        execution,
        calls: Vec::new(),
        waits,
        unreceived,
        accesses: failure.accesses.clone(),
        tips,
        divergence,
        passing: None,
        replay: None,
        executions: 1,
    }
}

/// The new execution, up to and including what was about to be done where it differs.
fn diverged(program: &Program<'_>, execution: &Execution, first_difference: usize) -> Execution {
    let mut events: Vec<_> = execution.events.iter().take(first_difference).cloned().collect();
    events.extend(program.describe_announced(first_difference));
    Execution { threads: execution.threads.clone(), events }
}

fn tips(failure: &Failure, execution: &Execution) -> Vec<String> {
    let mut tips = tips_on(failure);
    if execution.events.iter().any(|event| !event.could_read.is_empty()) {
        tips.push(
            "`not the ... of ...` marks a read of an older value although a newer one was written before: nothing \
             that its thread has synchronised with orders that write before the read"
                .to_owned(),
        );
    }
    tips
}

fn tips_on(failure: &Failure) -> Vec<String> {
    match failure.kind {
        BugKind::DataRace if failure.accesses.iter().any(|access| access.operation == crate::model::races::GET) => {
            vec!["the pointer of UnsafeCell::get counts as a write; where the value is only read, write `use everyway::cell::Tracked as _;` and `cell.with(|value| ...)`, or `cell.read()`".to_owned()]
        }
        BugKind::Nondeterminism => vec![NOT_DETERMINISTIC.to_owned()],
        _ => Vec::new(),
    }
}

/// What may be the reason that a program does not do the same twice.
pub(super) const NOT_DETERMINISTIC: &str = "what does not go through everyway's types is not seen: locks, atomics and Arcs of std's \
     that threads share, and what is done when the last of several std Arcs is dropped";
