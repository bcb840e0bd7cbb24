//! A closure as the engine sees it: the next operations of its threads, steps, and rewinding by running again.

use super::describe;
use super::program::Program;
use super::suspended::Announcement;
use super::told::ToldStep;
use super::{Ended, Failure};
use everyway_report::BugKind;
use everyway_runtime::{
    Choices, EventId, Execution, Halt, Location, Matching, Message, ModificationOrders, Operation, Performed, Source,
    State, Status, Step, ThreadId, ThreadPath,
};

impl Matching for Program<'_> {
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        self.model.state().mailbox(mailbox).matches(receive, message)
    }

    fn matches_everything(&self, mailbox: Location) -> bool {
        self.model.state().mailbox(mailbox).matches_everything()
    }
}

impl State for Program<'_> {
    fn threads(&self) -> usize {
        self.threads.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        let suspended = &self.threads[thread.index()];
        match suspended.status {
            Announcement::Ready => Status::Ready,
            Announcement::Ended => Status::Ended,
            Announcement::Waits if self.can_go(&suspended.pending) => Status::Ready,
            Announcement::Waits | Announcement::Failed => Status::Blocked,
        }
    }

    #[inline]
    fn is_alive(&self, thread: ThreadId) -> bool {
        !matches!(self.threads[thread.index()].status, Announcement::Ended)
    }

    fn next_alive(&self, start: usize) -> Option<ThreadId> {
        self.alive.find_from(start, |_| true)
    }

    #[inline]
    fn next_with(&self, start: usize, status: Status) -> Option<ThreadId> {
        debug_assert_ne!(status, Status::Ended, "only those that have not ended are looked for");
        self.alive.find_from(start, |thread| self.status(thread) == status)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.threads[thread.index()].pending.operation
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        let pending = &self.threads[thread.index()].pending;
        match pending.manner.choices {
            // Mostly; the state need not be asked.
            Choices::One => 1,
            _ => self.model.state().choices(pending),
        }
    }

    fn value(&self, location: Location) -> u64 {
        self.model.state().value(location)
    }

    fn initial_value(&self, location: Location) -> u64 {
        self.model.state().initial_value(location)
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.model.state().paths.path(thread).clone()
    }
}

impl Execution for Program<'_> {
    type Failure = Box<Ended>;

    #[inline]
    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Box<Ended>>> {
        let ready = self.pending(step.thread).is_some() && self.status(step.thread) == Status::Ready;
        if !ready || step.choice >= self.choices(step.thread) {
            return Err(Halt::Diverged(Box::new(self.cannot_go_on())));
        }
        self.advance(self.log.len(), step, performed)
    }

    fn can_be_told(&self) -> bool {
        self.model.is_told()
    }

    #[inline]
    fn step_reading(
        &mut self,
        step: Step,
        sources: &[Source],
        performed: &mut Performed,
    ) -> Result<(), Halt<Box<Ended>>> {
        let depth = self.log.len();
        self.told.truncate(depth);
        self.told.push(ToldStep { sources: sources.into(), ..ToldStep::default() });
        if !self.can_step(depth, step) || step.choice >= self.choices(step.thread) {
            return Err(Halt::Diverged(Box::new(self.cannot_go_on())));
        }
        self.advance(depth, step, performed)
    }

    fn told(&self, event: EventId) -> &[Source] {
        self.sources(event.index())
    }

    fn settle(&mut self, orders: ModificationOrders) {
        self.orders = Some(orders);
    }

    fn modification_orders(&self) -> Option<&ModificationOrders> {
        self.orders.as_ref()
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Box<Ended>>> {
        self.orders = None;
        self.look_for_leftovers();
        self.finish();
        self.trials.truncate(depth);
        self.go_back(depth)?;
        self.before = self.log.split_off(depth);
        self.branched_at = depth;
        self.told.truncate(depth);
        Ok(())
    }

    fn contradicts_itself(&mut self) -> Option<Box<Ended>> {
        Some(Box::new(self.contradiction("what they do depends on more than the operations that they announce")))
    }

    fn further_failure(&mut self) -> Option<Box<Ended>> {
        self.at_start.take().or_else(|| self.failures.pop_front())
    }

    fn blocked(&mut self) -> Option<Box<Ended>> {
        self.hold_newest();
        describe::blocked(self).map(|failure| Box::new(Ended::Failed(failure)))
    }
}

impl Program<'_> {
    /// A thread was to take a step, which the execution before this one tells of, and is not able to.
    #[cold]
    fn cannot_go_on(&self) -> Ended {
        if self.before.is_empty() {
            let message = "a thread that could go on before cannot do so now".to_owned();
            return Ended::Failed(Failure::new(BugKind::Nondeterminism, message));
        }
        self.contradiction("a thread that could go on in another execution cannot do so in this one")
    }

    /// This execution and the one before it cannot be of the same program, for this reason.
    fn contradiction(&self, why: &str) -> Ended {
        let message = format!("something that everyway cannot see connects the threads: {why}");
        let (in_common, now) = self.log.split_at(self.branched_at.min(self.log.len()));
        let shared = now.iter().zip(&self.before).take_while(|(now, before)| now.step == before.step).count();
        let parts_at = Some(in_common.len() + shared);
        let before = [in_common, &self.before].concat();
        Ended::Failed(Failure { before, parts_at, ..Failure::new(BugKind::Nondeterminism, message) })
    }
}
