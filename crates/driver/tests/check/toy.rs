//! A tiny language whose programs are checked in these tests, as a front end gives them to the driver.

use everyway_driver::Subject;
use everyway_explore::Trace;
use everyway_report::{Bug, BugKind, Event, Execution as Shown, Source, Thread as Name, Wait};
use everyway_runtime::{
    Access, Effect, Execution, Halt, Location, Matching, Operation, Performed, State, Status, Step, ThreadId,
    ThreadPath, Threads, evaluate,
};

/// What a thread does, step by step. Each step is in a line of its own: `100 * body + position`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
    /// Writes a value.
    Set(u32, u64),
    /// Reads, and fails unless it finds the value.
    Expect(u32, u64),
    /// Reads, and spawns a thread with this body if it finds the value.
    SpawnIf(u32, u64, usize),
    /// Reads for ever.
    Spin(u32),
    /// Does what is not possible as long as the program is taken for simple.
    BeClever(u32),
}

/// A program: the bodies of its threads, the first of which is that of the first thread.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    pub(crate) bodies: Vec<Vec<Do>>,
    /// Whether it is taken for simple.
    pub(crate) is_simple: bool,
}

impl Toy {
    pub(crate) fn new(bodies: &[&[Do]]) -> Self {
        Self { bodies: bodies.iter().map(|body| body.to_vec()).collect(), is_simple: true }
    }
}

/// That the program is simple.
pub(crate) struct Simplicity;

/// What ends a thread.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    thread: ThreadId,
    line: u32,
    kind: BugKind,
    found: u64,
}

struct Thread {
    body: Option<usize>,
    position: usize,
    spawned: u32,
    has_failed: bool,
    next: Operation,
}

/// A toy under exploration. It goes back by running again; ids of threads stay.
pub(crate) struct Machine {
    toy: Toy,
    names: Threads,
    threads: Vec<Thread>,
    values: [u64; 4],
    steps: Vec<(Step, Do, u32)>,
}

impl Machine {
    fn restart(&mut self) {
        self.values = [0; 4];
        self.steps.clear();
        self.threads.iter_mut().for_each(|thread| thread.body = None);
        self.start(Threads::FIRST, 0);
    }

    fn start(&mut self, thread: ThreadId, body: usize) {
        while self.threads.len() <= thread.index() {
            let next = Operation::local();
            self.threads.push(Thread { body: None, position: 0, spawned: 0, has_failed: false, next });
        }
        let this = &mut self.threads[thread.index()];
        *this = Thread { body: Some(body), position: 0, spawned: 0, has_failed: false, next: Operation::local() };
        self.announce(thread);
    }

    fn current(&self, thread: ThreadId) -> Option<Do> {
        let this = self.threads.get(thread.index())?;
        self.toy.bodies[this.body?].get(this.position).copied()
    }

    fn announce(&mut self, thread: ThreadId) {
        let access = match self.current(thread) {
            Some(Do::Set(x, value)) => Access::new(Location(x), Effect::Write(value)),
            Some(Do::Expect(x, _) | Do::SpawnIf(x, ..) | Do::Spin(x) | Do::BeClever(x)) => {
                Access::new(Location(x), Effect::Read)
            }
            None => return,
        };
        self.threads[thread.index()].next = Operation::one(access);
    }

    fn line(&self, thread: ThreadId) -> u32 {
        let this = &self.threads[thread.index()];
        100 * this.body.unwrap_or_default() as u32 + this.position as u32
    }

    fn name(&self, thread: ThreadId) -> String {
        format!("T{}", self.names.path(thread))
    }
}

impl Matching for Machine {}

impl State for Machine {
    fn threads(&self) -> usize {
        self.threads.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        match self.current(thread) {
            None => Status::Ended,
            Some(_) if self.threads[thread.index()].has_failed => Status::Blocked,
            Some(_) => Status::Ready,
        }
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.threads[thread.index()].next
    }

    fn choices(&self, _: ThreadId) -> u32 {
        1
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.names.path(thread).clone()
    }

    fn value(&self, location: Location) -> u64 {
        self.values[location.index()]
    }
}

impl Execution for Machine {
    type Failure = Failed;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Failed>> {
        let thread = step.thread;
        let Some(what) = self.current(thread).filter(|_| self.status(thread) == Status::Ready) else {
            let kind = BugKind::Nondeterminism;
            return Err(Halt::Diverged(Failed { thread, line: 0, kind, found: 0 }));
        };
        let line = self.line(thread);
        let values = self.values;
        let found = |access: &Access| values[access.location.index()];
        evaluate(&self.threads[thread.index()].next.accesses, found, |visit| performed.visits.push(visit));
        self.steps.push((step, what, line));
        let fails = |kind, found| Err(Halt::Failure(Failed { thread, line, kind, found }));
        let result = match what {
            Do::Expect(x, wanted) if values[x as usize] != wanted => fails(BugKind::Assertion, values[x as usize]),
            Do::BeClever(_) if self.toy.is_simple => fails(BugKind::Unsupported, 0),
            _ => Ok(()),
        };
        if result.is_err() {
            self.threads[thread.index()].has_failed = true;
            // It waits for nothing.
            self.threads[thread.index()].next = Operation::local();
            return result;
        }
        match what {
            Do::Set(x, value) => self.values[x as usize] = value,
            Do::SpawnIf(x, value, body) if values[x as usize] == value => {
                let nth = self.threads[thread.index()].spawned;
                self.threads[thread.index()].spawned += 1;
                let child = self.names.child(thread, nth);
                self.start(child, body);
                performed.spawned.push(child);
            }
            _ => {}
        }
        if !matches!(what, Do::Spin(_)) {
            self.threads[thread.index()].position += 1;
        }
        self.announce(thread);
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Failed>> {
        let steps: Vec<Step> = self.steps.iter().map(|(step, ..)| *step).collect();
        self.restart();
        for &step in &steps[..depth] {
            // What failed before fails again.
            let _ = self.step(step, &mut Performed::default());
        }
        Ok(())
    }

    fn blocked(&mut self) -> Option<Failed> {
        None
    }
}

fn source(line: u32) -> Option<Source> {
    Some(Source { file: "toy".to_owned(), line, column: 0 })
}

impl Subject for Toy {
    type Execution = Machine;
    type Assumption = Simplicity;

    fn is_probed(&self) -> bool {
        true
    }

    fn begin(&self) -> Machine {
        let (names, threads) = (Threads::new(), Vec::new());
        let mut machine = Machine { toy: self.clone(), names, threads, values: [0; 4], steps: Vec::new() };
        machine.restart();
        machine
    }

    fn refuted(&self, _: &Machine, failure: &Failed) -> Option<Simplicity> {
        (failure.kind == BugKind::Unsupported).then_some(Simplicity)
    }

    fn retract(&mut self, _: Simplicity) {
        self.is_simple = false;
    }

    fn kind(&self, failure: &Failed) -> BugKind {
        failure.kind
    }

    fn places(&self, _: &Machine, failure: &Failed) -> Vec<Source> {
        source(failure.line).into_iter().collect()
    }

    fn can_go_on(&self, failure: &Failed) -> bool {
        failure.kind == BugKind::Assertion
    }

    fn describe(&self, machine: &Machine, trace: &Trace) -> Shown {
        let threads = (0..machine.threads()).map(|thread| Name { name: machine.name(ThreadId::new(thread)) });
        let events = machine.steps.iter().enumerate().map(|(position, (step, what, line))| Event {
            thread: step.thread.index(),
            operation: format!("{what:?}"),
            source: source(*line),
            happens_after: match position < trace.len() {
                true => {
                    trace.predecessors(everyway_explore::EventId::new(position)).iter().map(|e| e.index()).collect()
                }
                false => Vec::new(),
            },
            ..Event::default()
        });
        Shown { threads: threads.collect(), events: events.collect() }
    }

    fn describe_failure(&self, machine: &Machine, trace: &Trace, failure: &Failed) -> Bug {
        Bug {
            kind: failure.kind,
            message: format!("found {}", failure.found),
            source: source(failure.line),
            thread: Some(failure.thread.index()),
            execution: self.describe(machine, trace),
            calls: Vec::new(),
            waits: Vec::<Wait>::new(),
            unreceived: Vec::new(),
            accesses: Vec::new(),
            tips: Vec::new(),
            divergence: None,
            passing: None,
            replay: None,
            executions: 1,
        }
    }

    fn tips_on_length(&self, place: Option<&Source>) -> Vec<String> {
        place.map(|source| format!("look at line {}", source.line)).into_iter().collect()
    }

    fn cuts(&self, _: &Machine) -> Vec<String> {
        Vec::new()
    }

    fn notes(&self) -> Vec<String> {
        if self.is_simple { Vec::new() } else { vec!["it is not simple".to_owned()] }
    }
}
