//! A program as the driver sees it: the assumptions about it, and the descriptions of its failures.

use crate::failure::Failure;
use crate::machine::Machine;
use crate::settings::{Arrivals, Grain, Privacy, Settings};
use everyway_driver::{Rules, Subject};
use everyway_explore::{DataRace, MemoryModel, Trace, Unsupported};
use everyway_ir::Module;
use everyway_report::{Bug, BugKind, Execution, SetAside, Source, Wait};
use everyway_runtime::{EventId, ThreadId};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What an exploration takes for granted about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// Memory that nothing shared points to is out of reach of other threads: see [`Privacy::Checked`].
    PrivateMemory,
    /// Every atomic access and every fence is `seq_cst`.
    SeqCst,
    /// The order in which threads arrive at a barrier makes no difference: see [`Arrivals::AnyOrder`].
    AnyArrivalOrder,
    /// Threads have no operations in common that commute.
    NothingCommutes,
    /// The same bytes are always accessed together: see [`Grain::Accesses`].
    OneSize,
}

impl Assumption {
    /// As frontiers have it.
    fn name(self) -> &'static str {
        match self {
            Assumption::PrivateMemory => "private-memory",
            Assumption::SeqCst => "seq-cst",
            Assumption::AnyArrivalOrder => "any-arrival-order",
            Assumption::NothingCommutes => "nothing-commutes",
            Assumption::OneSize => "one-size",
        }
    }
}

/// A program, and how it is to be run.
#[derive(Clone, Debug)]
pub struct Program {
    module: Arc<Module>,
    settings: Settings,
    retracted: Vec<Assumption>,
}

impl Program {
    /// The program `module`, run as `settings` say.
    pub fn new(module: Arc<Module>, settings: Settings) -> Self {
        Self { module, settings, retracted: Vec::new() }
    }

    /// The program itself.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// How it is run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The assumptions that turned out wrong.
    pub fn retracted(&self) -> &[Assumption] {
        &self.retracted
    }
}

impl Subject for Program {
    type Execution = Machine;
    type Assumption = Assumption;

    fn begin(&self) -> Machine {
        Machine::begin(Arc::clone(&self.module), self.settings.clone())
    }

    fn refuted(&self, machine: &Machine, _: &Failure) -> Option<Assumption> {
        let escaped = machine.has_escaped().then_some(Assumption::PrivateMemory);
        let arrivals = machine.has_ordered_arrivals().then_some(Assumption::AnyArrivalOrder);
        let commuting = machine.has_commuting().then_some(Assumption::NothingCommutes);
        escaped.or(machine.has_weak_ordering().then_some(Assumption::SeqCst)).or(arrivals).or(commuting)
    }

    fn retract(&mut self, assumption: Assumption) {
        match assumption {
            Assumption::PrivateMemory => self.settings.privacy = Privacy::None,
            Assumption::SeqCst | Assumption::NothingCommutes => {}
            Assumption::AnyArrivalOrder => self.settings.arrivals = Arrivals::Ordered,
            Assumption::OneSize => self.settings.grain = Grain::Bytes,
        }
        self.retracted.push(assumption);
    }

    /// Where data races are no failures, all accesses are atomic to the engine, and stay whole.
    fn behind_refusal(&self, what: Unsupported) -> Option<Assumption> {
        let is_refuted = matches!(what, Unsupported::MixedSizes(_)) && self.settings.races;
        (is_refuted && self.settings.grain == Grain::Accesses).then_some(Assumption::OneSize)
    }

    fn run_under(&mut self, rules: Rules) {
        self.settings.rules = rules;
    }

    fn is_probed(&self) -> bool {
        true
    }

    fn has_commuting(&self) -> bool {
        self.retracted.contains(&Assumption::NothingCommutes)
    }

    fn has_weak_orderings(&self) -> bool {
        self.retracted.contains(&Assumption::SeqCst)
    }

    fn is_told_only(&self, machine: &Machine, event: EventId) -> bool {
        machine.is_fence(event)
    }

    fn interleaved(&self) -> Option<Self> {
        let settings = Settings { rules: Rules::INTERLEAVED, ..self.settings.clone() };
        Some(Self { settings, ..self.clone() })
    }

    fn describe_race(&self, machine: &Machine, trace: &Trace, race: DataRace) -> Option<Bug> {
        Some(self.describe_failure(machine, trace, &machine.race_between(race)))
    }

    fn kind(&self, failure: &Failure) -> BugKind {
        failure.kind
    }

    fn places(&self, machine: &Machine, failure: &Failure) -> Vec<Source> {
        let waits = if failure.kind == BugKind::Deadlock { machine.waits() } else { Vec::new() };
        let waits = waits.into_iter().filter_map(|wait| wait.source);
        let accesses = failure.accesses.iter().filter_map(|access| access.source.clone());
        waits.chain(accesses).chain(machine.source(failure.location)).collect()
    }

    fn can_go_on(&self, failure: &Failure) -> bool {
        !matches!(failure.kind, BugKind::Unsupported | BugKind::StepLimit | BugKind::Nondeterminism)
    }

    fn place(&self, machine: &Machine, event: EventId) -> Option<Source> {
        machine.place_of_step(event.index())
    }

    fn place_of_thread(&self, machine: &Machine, thread: ThreadId) -> Option<Source> {
        machine.source(machine.place_of(thread))
    }

    fn describe(&self, machine: &Machine, trace: &Trace) -> Execution {
        machine.describe(trace)
    }

    fn describe_failure(&self, machine: &Machine, trace: &Trace, failure: &Failure) -> Bug {
        let waits = match failure.kind {
            BugKind::Deadlock | BugKind::Livelock => machine.waits(),
            _ => Vec::new(),
        };
        let tips = match failure.kind {
            BugKind::StepLimit if !self.settings.cancelled.load(Ordering::Relaxed) => {
                vec!["a loop that waits for another thread has to read what that thread writes".to_owned()]
            }
            _ => Vec::new(),
        };
        let source = machine.source(failure.location);
        let execution = machine.describe(trace);
        let tips = tips.into_iter().chain(self.tip_on_sources(&execution)).collect();
        Bug {
            kind: failure.kind,
            message: failure.message.clone(),
            source: source.or_else(|| last_wait(&waits).and_then(|wait| wait.source.clone())),
            thread: failure.thread.map(ThreadId::index),
            execution,
            calls: machine.calls(&failure.stack),
            waits,
            unreceived: Vec::new(),
            accesses: failure.accesses.clone(),
            tips,
            divergence: None,
            passing: None,
            replay: None,
            executions: 1,
        }
    }

    fn tips_on_length(&self, in_loop: Option<&Source>) -> Vec<String> {
        let mut tips = vec!["if the execution is just long, raise the limit with --max-steps".to_owned()];
        if in_loop.is_some() {
            let tip = "if the loop waits for another thread, cut it after some rounds: --spin-rounds 3, say, leaves other loops \
                       as they are";
            tips.push(tip.to_owned());
        }
        tips
    }

    /// The calls that steps are in take time to keep.
    fn in_detail(&self, _: &Machine) -> Option<Self> {
        let settings = Settings { calls: true, ..self.settings.clone() };
        Some(Self { settings, ..self.clone() })
    }

    fn cuts(&self, machine: &Machine) -> Vec<String> {
        let mut cuts = Vec::new();
        if machine.has_sampled() {
            let samples: Vec<String> = self.settings.samples.iter().map(i64::to_string).collect();
            cuts.push(format!("nondeterministic values other than booleans were only tried as {}", samples.join(", ")));
        }
        let untried: Vec<&str> = machine.untried_answers().collect();
        if !untried.is_empty() {
            cuts.push(format!(
                "other answers of the environment were not tried: it was assumed {}",
                untried.join(", and ")
            ));
        }
        let listed = |places: Vec<Source>| {
            let places: Vec<String> = places.iter().map(|source| format!("{}:{}", source.file, source.line)).collect();
            if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) }
        };
        if let Some(places) = machine.cut_loops() {
            let which = listed(places);
            cuts.push(format!("loops were cut after the rounds that --unroll or --spin-rounds allows{which}"));
        }
        if let Some(places) = machine.strengthened() {
            let which = listed(places);
            cuts.push(format!("atomic accesses to more than 8 bytes were explored as if they were seq_cst{which}"));
        }
        let aside: Vec<String> = machine.failures_set_aside().map(|failure| failure.to_string()).collect();
        if !aside.is_empty() {
            cuts.push(format!("there is a failure that is not about the property: {}", aside.join(", ")));
        }
        cuts
    }

    fn set_aside(&self, machine: &Machine) -> Vec<SetAside> {
        machine.failures_set_aside().collect()
    }

    fn retracted(&self) -> Vec<String> {
        self.retracted.iter().map(|assumption| assumption.name().to_owned()).collect()
    }

    fn retract_named(&mut self, name: &str) -> bool {
        use Assumption::*;
        let all = [PrivateMemory, SeqCst, AnyArrivalOrder, NothingCommutes, OneSize];
        let named = all.into_iter().find(|assumption| assumption.name() == name);
        named.map(|assumption| self.retract(assumption)).is_some()
    }

    fn assumed(&self, machine: &Machine) -> Vec<String> {
        let pointers = (machine.long_bytes != 8).then_some("that pointers have 64 bits, as `-m32` has it here");
        machine.assumptions().chain(pointers).map(str::to_owned).collect()
    }

    fn reaches_the_end(&self, machine: &Machine) -> bool {
        machine.reached_the_end
    }

    fn notes(&self) -> Vec<String> {
        let note = |assumption: &Assumption| match assumption {
            Assumption::PrivateMemory => Some(
                "pointers reach other threads in disguise (byte by byte, say, or combined with others), so all memory \
                 was taken for shared, as with --all-shared",
            ),
            // The check names the memory model.
            Assumption::SeqCst => None,
            // It costs executions, and changes nothing else.
            Assumption::AnyArrivalOrder => None,
            // The check names the strategy.
            Assumption::NothingCommutes => None,
            // It costs time, and changes nothing else.
            Assumption::OneSize => None,
        };
        self.retracted.iter().filter_map(note).map(str::to_owned).collect()
    }
}

impl Program {
    /// What it means that a read does not see the newest write, if one does not.
    fn tip_on_sources(&self, execution: &Execution) -> Option<String> {
        let why = match self.settings.rules.model {
            MemoryModel::Sc => return None,
            MemoryModel::Tso | MemoryModel::Pso => "the write is still in the store buffer of its thread",
            MemoryModel::Rc11 => "nothing that its thread has synchronised with orders that write before the read",
        };
        execution.events.iter().any(|event| !event.could_read.is_empty()).then(|| {
            format!(
                "`not the ... of ...` marks a read of an older value although a newer one was written before: {why}"
            )
        })
    }
}

/// The wait that the others end in when each is followed to the thread it waits for: one of a cycle, or one that waits
/// for no thread in particular.
fn last_wait(waits: &[Wait]) -> Option<&Wait> {
    let next = |wait: &&Wait| waits.iter().find(|other| Some(other.thread) == wait.waits_for);
    // After as many steps as there are waits, the rest is a cycle.
    std::iter::successors(waits.first(), next).take(waits.len() + 1).last()
}
