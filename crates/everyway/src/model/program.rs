//! A closure as a program that the engine explores. It goes back by running again from the start.

use super::coroutine::{Resumed, Stacks};
use super::describe;
use super::thread::Life;
use super::{Failure, Label, Model, Waiting};
use everyway_explore::{Execution, Halt, Location, Operation, Performed, State, Status, Step, ThreadId, Visit};
use everyway_report::BugKind;
use std::sync::atomic::{AtomicU64, Ordering};

/// A step that was taken, for people to read and to be compared when it is taken again.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) step: Step,
    pub(crate) label: Label,
    /// The access that ended the operation, if it had any.
    pub(crate) ended_by: Option<Visit>,
    /// Its position among the accesses.
    pub(crate) last: usize,
}

/// A closure under exploration.
pub(crate) struct Program<'f> {
    model: Model,
    body: &'f dyn Fn(),
    stacks: Stacks,
    log: Vec<Logged>,
    /// Each thread's announced operation, where the engine can look at it.
    announced: Vec<Announced>,
    scratch: Performed,
}

#[derive(Clone, Debug)]
struct Announced {
    operation: Operation,
    status: Announcement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Announcement {
    Ready,
    Waits,
    Ended,
}

impl<'f> Program<'f> {
    /// The program in its initial state.
    ///
    /// # Errors
    /// When it fails before any thread does something that others could notice.
    pub(crate) fn new(model: Model, body: &'f dyn Fn()) -> Result<Self, (Box<Self>, Failure)> {
        let stacks = Stacks::new(model.settings.stack_size);
        let mut program =
            Self { model, body, stacks, log: Vec::new(), announced: Vec::new(), scratch: Performed::default() };
        match program.start() {
            Ok(()) => Ok(program),
            Err(Halt::Failure(failure) | Halt::Diverged(failure)) => Err((Box::new(program), failure)),
        }
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The steps of the current execution.
    pub(crate) fn log(&self) -> &[Logged] {
        &self.log
    }

    /// Runs the closure up to its first visible operation.
    fn start(&mut self) -> Result<(), Halt<Failure>> {
        static EPOCHS: AtomicU64 = AtomicU64::new(1);
        self.model.state().reset(EPOCHS.fetch_add(1, Ordering::Relaxed));
        for announced in &mut self.announced {
            announced.status = Announcement::Ended;
        }
        let body: *const dyn Fn() = self.body;
        // SAFETY: the closure outlives the program, and its coroutine is gone before the program is.
        let run: Box<dyn FnOnce() + '_> = Box::new(move || unsafe { (*body)() });
        let run: Box<dyn FnOnce()> = unsafe { std::mem::transmute(run) };
        self.model.spawn_main(run);
        let mut spawned = Vec::new();
        self.run_newborn(&mut spawned)
    }

    /// Lets `thread` go on until it has announced its next operation.
    fn resume(&mut self, thread: ThreadId) {
        let mut state = self.model.state();
        state.running = thread;
        let mut coroutine = state.thread(thread).coroutine.take().expect("a thread that has not ended");
        drop(state);
        let resumed = self.model.enter(|| coroutine.resume(&mut self.stacks));
        if resumed == Resumed::GaveWay {
            self.model.state().thread(thread).coroutine = Some(coroutine);
        }
        self.note_announcement(thread);
    }

    /// Runs every thread that has been spawned up to its first visible operation.
    fn run_newborn(&mut self, spawned: &mut Vec<ThreadId>) -> Result<(), Halt<Failure>> {
        loop {
            let mut state = self.model.state();
            if let Some(failure) = state.failure.take() {
                return Err(Halt::Failure(failure));
            }
            let Some(&thread) = state.born.get(state.begun) else { return Ok(()) };
            state.begun += 1;
            if let Life::Unborn(body) = std::mem::replace(&mut state.thread(thread).life, Life::Alive) {
                let coroutine = self.stacks.start(body);
                state.thread(thread).coroutine = Some(coroutine);
            }
            drop(state);
            spawned.push(thread);
            self.resume(thread);
        }
    }

    fn note_announcement(&mut self, thread: ThreadId) {
        let mut state = self.model.state();
        let thread_state = state.thread(thread);
        let status = match (&thread_state.life, thread_state.pending.waiting) {
            (Life::Ended, _) => Announcement::Ended,
            (_, Waiting::Never) => Announcement::Ready,
            _ => Announcement::Waits,
        };
        while self.announced.len() <= thread.index() {
            self.announced.push(Announced { operation: Operation::local(), status: Announcement::Ended });
        }
        let announced = &mut self.announced[thread.index()];
        announced.status = status;
        announced.operation.clone_from(&thread_state.pending.operation);
    }

    /// Takes a step and logs it.
    fn advance(&mut self, step: Step, performed: &mut Performed) -> Result<Logged, Halt<Failure>> {
        let mut state = self.model.state();
        let thread = state.thread(step.thread);
        let pending = thread.pending.clone();
        let outcome = state.carry_out(step.thread, &pending, step.choice, &mut performed.visits);
        state.thread(step.thread).outcome = outcome;
        drop(state);
        let ended_by = (!pending.operation.accesses.is_empty()).then(|| performed.visits[outcome.last]);
        self.resume(step.thread);
        performed.visits.append(&mut self.model.state().extra);
        let logged = Logged { step, label: pending.label, ended_by, last: outcome.last };
        self.run_newborn(&mut performed.spawned).map(|()| logged.clone()).inspect_err(|_| self.log.push(logged))
    }

    /// Ends the current execution: threads that are suspended are unwound.
    fn finish(&mut self) {
        let mut state = self.model.state();
        state.tearing_down = true;
        // Children first: they may borrow from their parents' stacks.
        for thread in std::mem::take(&mut state.born).into_iter().rev() {
            let Some(coroutine) = state.thread(thread).coroutine.take() else { continue };
            state.running = thread;
            drop(state);
            self.model.enter(|| coroutine.tear_down(&mut self.stacks));
            state = self.model.state();
        }
    }

    /// Ends the current execution, which failed, without running any more of it.
    pub(crate) fn abandon(&mut self) {
        let mut state = self.model.state();
        for thread in std::mem::take(&mut state.born) {
            if let Some(coroutine) = state.thread(thread).coroutine.take() {
                coroutine.abandon(&mut self.stacks);
            }
        }
        state.copies.leak();
    }

    fn diverged(&self, message: String, depth: usize) -> Halt<Failure> {
        let before = self.log[..=depth.min(self.log.len() - 1)].to_vec();
        Halt::Diverged(Failure { before, ..Failure::new(BugKind::Nondeterminism, message) })
    }

    /// Whether the operation that `thread` has announced is the one that was logged at `depth`.
    fn does_the_same(&self, depth: usize) -> bool {
        let Logged { step, label, .. } = &self.log[depth];
        let mut state = self.model.state();
        if step.thread.index() >= state.threads.len() || !matches!(state.thread(step.thread).life, Life::Alive) {
            return false;
        }
        let now = state.thread(step.thread).pending.label;
        now.what == label.what && now.object == label.object && now.caller == label.caller
    }
}

impl State for Program<'_> {
    fn threads(&self) -> usize {
        self.announced.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        match self.announced[thread.index()].status {
            Announcement::Ready => Status::Ready,
            Announcement::Ended => Status::Ended,
            Announcement::Waits if self.model.state().can_go(thread) => Status::Ready,
            Announcement::Waits => Status::Blocked,
        }
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.announced[thread.index()].operation
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        self.model.state().choices(thread)
    }

    fn value(&self, location: Location) -> u64 {
        self.model.state().value(location)
    }
}

impl Execution for Program<'_> {
    type Failure = Failure;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Failure>> {
        let known = self.announced.get(step.thread.index()).is_some();
        if !known || self.status(step.thread) != Status::Ready {
            let message = "a thread that could go on before cannot do so now".to_owned();
            return Err(Halt::Diverged(Failure::new(BugKind::Nondeterminism, message)));
        }
        let logged = self.advance(step, performed)?;
        self.log.push(logged);
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Failure>> {
        self.finish();
        self.start()?;
        let mut performed = std::mem::take(&mut self.scratch);
        for position in 0..depth {
            if !self.does_the_same(position) {
                let message = "the program did not do again what it had done before".to_owned();
                return Err(self.diverged(message, position));
            }
            performed.clear();
            let step = self.log[position].step;
            if self.status(step.thread) != Status::Ready {
                let message = "a thread waits where it did not wait before".to_owned();
                return Err(self.diverged(message, position));
            }
            match self.advance(step, &mut performed) {
                Ok(logged) => self.log[position] = logged,
                Err(_) => return Err(self.diverged("a step fails that did not fail before".to_owned(), position)),
            }
        }
        self.scratch = performed;
        self.log.truncate(depth);
        Ok(())
    }

    fn blocked(&mut self) -> Option<Failure> {
        describe::blocked(&mut self.model.state(), self.announced.len())
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        self.finish();
        self.model.state().reset(0);
    }
}
