//! The machine as the engine sees it: states, steps, and rewinding.

use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::{LastAccess, Logged, Machine, Place};
use crate::races::Tracking;
use crate::settings::Grain;
use crate::thread::Phase;
use crate::undo::Undo;
use everyway_report::BugKind;
use everyway_runtime::{
    Access, Carried, Choices, Evaluation, EventId, Execution, Halt, Location, Manner, Matching, ModificationOrders,
    Operation, Performed, Source, State, Status, Step, ThreadId, ThreadPath, Verb, Visit, Waiting, evaluate,
    take_effect,
};

/// Why what going back asks for is there.
const SAVED: &str = "every change that is logged has saved what was there";

/// There are no mailboxes.
impl Matching for Machine {}

impl State for Machine {
    fn threads(&self) -> usize {
        self.threads.len()
    }

    #[inline]
    fn status(&self, thread: ThreadId) -> Status {
        let core = &self.threads[thread].core;
        match (core.phase, core.manner.waiting) {
            (Phase::Unborn | Phase::Ended, _) => Status::Ended,
            (Phase::Stuck, _) => Status::Blocked,
            (Phase::Running, Waiting::Never) => Status::Ready,
            (Phase::Running, _) => self.status_of_waiting(thread),
        }
    }

    #[inline]
    fn is_alive(&self, thread: ThreadId) -> bool {
        matches!(self.threads[thread].core.phase, Phase::Running | Phase::Stuck)
    }

    fn next_alive(&self, start: usize) -> Option<ThreadId> {
        self.alive.find_from(start, |_| true)
    }

    fn next_with(&self, start: usize, status: Status) -> Option<ThreadId> {
        debug_assert_ne!(status, Status::Ended, "only those that have not ended are looked for");
        self.alive.find_from(start, |thread| self.status(thread) == status)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.threads[thread].operation
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        match self.threads[thread].core.manner.choices {
            Choices::One => 1,
            Choices::Among(count) => count,
            Choices::Waiters(queue) => (self.syncs.waiters(queue.sync).reached_by(queue.reasons).count() as u32).max(1),
        }
    }

    fn path(&self, thread: ThreadId) -> ThreadPath {
        self.threads.names().path(thread).clone()
    }

    fn value(&self, location: Location) -> u64 {
        match self.locations[location.index()] {
            Place::Value(value) => value,
            Place::Memory { object, granule } => {
                self.memory.object(object).words.get(granule as usize).map_or(0, |word| word.bits)
            }
        }
    }

    fn initial_value(&self, location: Location) -> u64 {
        self.initial_word(location).bits
    }
}

impl Execution for Machine {
    type Failure = Failure;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Failure>> {
        let thread = step.thread;
        if self.threads.get(thread).is_none() || self.status(step.thread) != Status::Ready {
            return Err(self.cannot_go_on(thread));
        }
        self.begin_step(step);
        self.take_step(thread, step.choice, &mut performed.visits);
        self.end_step(performed)
    }

    fn can_be_told(&self) -> bool {
        self.is_told()
    }

    fn step_reading(&mut self, step: Step, sources: &[Source], performed: &mut Performed) -> Result<(), Halt<Failure>> {
        let thread = step.thread;
        if self.threads.get(thread).is_none_or(|this| this.core.phase != Phase::Running) {
            return Err(self.cannot_go_on(thread));
        }
        self.begin_step(step);
        self.lay_out(sources);
        self.take_step(thread, step.choice, &mut performed.visits);
        self.clear_away(&performed.visits);
        self.end_step(performed)
    }

    fn further_failure(&mut self) -> Option<Failure> {
        (!self.failures.is_empty()).then(|| self.failures.remove(0))
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Failure>> {
        while self.steps.len() > depth {
            let Some(logged) = self.steps.pop() else { break };
            while self.log.changes.len() > logged.mark {
                let Some(undo) = self.log.changes.pop() else { break };
                self.take_back(undo);
            }
            // If the step before it is of the same thread, and goes too, the thread becomes what it was before that: frames
            // that are older than those it has saved are among the changes of the steps that returned to them.
            let before = if self.steps.len() > depth { self.steps.last() } else { None };
            match before.is_some_and(|before| before.step.thread == logged.step.thread) {
                true => self.log.forget_start(&self.code, &logged),
                false => self.take_back_start(&logged),
            }
        }
        self.stacks.truncate(depth);
        self.newborn.clear();
        self.failures.clear();
        self.told.rewind(depth);
        if self.race_tracking() != Tracking::Off {
            self.overdue.rewind(depth);
            self.races.rewind(depth);
        }
        Ok(())
    }

    /// Whether a thread has ended the program, and with it all that wait for others. What is in a loop that does
    /// nothing, or assumes what does not hold, stands for executions that are others: this one is blocked.
    fn has_ended(&self) -> bool {
        self.has_exited() && self.threads.ids().all(|thread| self.waits_or_has_ended(thread))
    }

    fn told(&self, event: EventId) -> &[Source] {
        self.told.sources(event)
    }

    fn settle(&mut self, orders: ModificationOrders) {
        self.told.orders = Some(orders);
    }

    fn modification_orders(&self) -> Option<&ModificationOrders> {
        self.told.orders.as_ref()
    }

    fn blocked(&mut self) -> Option<Failure> {
        self.hold_newest();
        self.stalemate()
    }
}

impl Machine {
    /// Whether a thread has ended the program: by `exit` or the like, or by returning from `main`.
    ///
    /// Other threads go on nevertheless, to wherever they get. Nothing that they do comes after the end of the program
    /// in any order that the program could rely on: the end releases nothing, and is not joined. So whatever they do, and
    /// whatever fails, could have happened before it. But they need not get anywhere, so that those which cannot go on
    /// are in no deadlock.
    pub(crate) fn has_exited(&self) -> bool {
        self.threads.iter().any(|thread| thread.core.exiting && thread.core.phase == Phase::Ended)
    }

    fn cannot_go_on(&self, thread: ThreadId) -> Halt<Failure> {
        let message = format!("{} cannot go on here", self.thread_name(thread));
        Halt::Diverged(Failure::new(BugKind::Nondeterminism, message))
    }

    /// What comes after what a thread has done.
    fn end_step(&mut self, performed: &mut Performed) -> Result<(), Halt<Failure>> {
        self.run_newborn(&mut performed.spawned);
        self.note_leak();
        self.further_failure().map_or(Ok(()), |failure| Err(Halt::Failure(failure)))
    }

    /// Whether a thread whose operation others can delay can move.
    #[inline(never)]
    fn status_of_waiting(&self, thread: ThreadId) -> Status {
        let this = &self.threads[thread];
        let is_ready = match this.core.manner.waiting {
            Waiting::Never => true,
            Waiting::Assumption => false,
            Waiting::Access | Waiting::Spin | Waiting::Turn => {
                evaluate(&this.operation.accesses, |access| self.value(access.location), |_| {}).is_enabled()
            }
            Waiting::Join(joined) => {
                let joined = &self.threads[joined].core;
                // One that has ended the program is never joined.
                joined.phase == Phase::Ended && !joined.exiting
            }
        };
        if is_ready { Status::Ready } else { Status::Blocked }
    }

    /// Carries out what the thread has announced, and all that it does up to its next operation.
    fn take_step(&mut self, thread: ThreadId, choice: u32, visits: &mut Vec<Visit>) {
        if self.race_tracking() == Tracking::On {
            self.races.begin_step();
        }
        if let Err(failure) = self.carry_out_announced(thread, choice, visits) {
            return self.fail(thread, failure);
        }
        if self.has_raced(thread, visits) {
            return;
        }
        if let Err(failure) = self.run(thread, true) {
            self.fail(thread, failure);
        }
    }

    /// A failure of `thread`, which does not go on. Others do: that it has failed is no access.
    pub(crate) fn fail(&mut self, thread: ThreadId, failure: Failure) {
        if !self.settings.ignored.contains(&failure.kind) {
            let failure = self.locate_failure(thread, failure);
            if self.settings.set_aside.contains(&failure.kind) {
                self.set_aside.insert((failure.kind, failure.location));
            } else {
                self.failures.push(failure);
            }
        }
        self.give_up(thread, None);
    }

    /// Saves what the step of a thread will change, and logs the step.
    fn begin_step(&mut self, step: Step) {
        let thread = step.thread;
        let mark = self.log.changes.len();
        self.begin_log_of_step();
        let (function, pc) = self.user_place(thread);
        let this = &mut self.threads[thread];
        self.log.save_core(&this.core);
        let accesses = self.log.save_accesses(&this.operation.accesses);
        let Operation { verb, joins, fence, .. } = this.operation;
        let (address, uses) = (this.core.address, this.core.uses);
        this.operation.clear();
        this.watermark = this.frames.len().saturating_sub(1);
        let frame = this.frames.last().map(|frame| {
            self.log.save_frame(&self.code, frame, &this.lanes);
            this.watermark as u32
        });
        let ended_by = None;
        let logged = Logged { step, verb, joins, fence, accesses, ended_by, uses, address, function, pc, mark, frame };
        self.steps.push(logged);
        if self.settings.calls {
            self.stacks.push(self.stack(thread));
        }
    }

    /// Carries out what the thread has announced, which is the last of the saved operations.
    fn carry_out_announced(&mut self, thread: ThreadId, choice: u32, visits: &mut Vec<Visit>) -> Result<(), Failure> {
        let crate::thread::Core { manner: Manner { special, .. }, uses, .. } = self.threads[thread].core;
        let verb = self.steps.last().map_or(Verb::None, |logged| logged.verb);
        let start = visits.len();
        let accesses = self.last_accesses();
        let evaluation = evaluate(accesses, |access| State::value(self, access.location), |visit| visits.push(visit));
        let count = accesses.len();
        let carried = Carried { thread, verb, special, choice };
        let outcome = take_effect(self, carried, (evaluation, count), visits, start)?;
        // An access that fails has found nothing that counts: the memory is gone, or the like.
        self.note_last_access(evaluation, &visits[start..]);
        if let Some(outcome) = outcome {
            self.outcome = outcome;
        }
        uses.map_or(Ok(()), |sync| self.check_use(sync))
    }

    /// Logs which access ends the last step, if it can be taken.
    #[inline]
    fn note_last_access(&mut self, evaluation: Evaluation, visits: &[Visit]) {
        if let (Evaluation::Done { last }, Some(logged)) = (evaluation, self.steps.last_mut()) {
            let access = logged.accesses + last as u32;
            logged.ended_by = visits.get(last).map(|visit| LastAccess { access, before: visit.before });
        }
    }

    /// What the access did that ended a step. If it was told of a word byte by byte, it is what it did to the word.
    pub(crate) fn ended_by(&self, logged: &Logged) -> Option<Visit> {
        let LastAccess { access: last, before } = logged.ended_by?;
        let visit = |access: &Access| Visit::carry_out(access, before).0;
        let accesses = &self.log.accesses[logged.accesses as usize..=last as usize];
        let whole = accesses.last().map(visit)?;
        match self.settings.grain {
            Grain::Bytes => Some(crate::told::joined(accesses, whole)),
            _ => Some(whole),
        }
    }

    /// The accesses of the last step, whether they were carried out or not.
    #[inline]
    pub(crate) fn last_accesses(&self) -> &[Access] {
        &self.log.accesses[self.start_of_last()..]
    }

    /// Where in the log they begin.
    #[inline]
    pub(crate) fn start_of_last(&self) -> usize {
        self.steps.last().map_or(self.log.accesses.len(), |logged| logged.accesses as usize)
    }

    /// Whether all bits of these bytes have a value.
    pub(crate) fn is_known(&self, object: ObjectId, granule: u32, bytes: u8) -> bool {
        let undef = self.memory.object(object).words[granule as usize].undef;
        (0..8).all(|byte| bytes >> byte & 1 == 0 || undef >> (8 * byte) & 0xff == 0)
    }

    pub(crate) fn set_value(&mut self, location: Location, new: u64) {
        if let Place::Value(old) = self.locations[location.index()] {
            self.log.push(Undo::Value { location, old });
            self.locations[location.index()] = Place::Value(new);
        }
    }

    /// Runs every thread that has been started up to its first visible operation.
    pub(crate) fn run_newborn(&mut self, spawned: &mut Vec<ThreadId>) {
        // In the order of their birth; what they start in turn comes at the end.
        let mut position = 0;
        while let Some(&thread) = self.newborn.get(position) {
            position += 1;
            spawned.push(thread);
            if let Err(failure) = self.run(thread, false) {
                self.fail(thread, failure);
            }
        }
        self.newborn.clear();
    }

    pub(crate) fn save_core(&mut self, thread: ThreadId) {
        if self.log.is_on {
            self.log.save_core(&self.threads[thread].core);
            self.log.changes.push(Undo::Core { thread });
        }
    }

    /// Undoes what every step does: its thread is where it was before.
    fn take_back_start(&mut self, logged: &Logged) {
        let thread = logged.step.thread;
        if let Some(depth) = logged.frame {
            self.restore_frame(thread, depth);
        }
        self.log.restore_operation(logged, &mut self.threads[thread].operation);
        self.restore_core(thread);
    }

    /// Makes a thread as a whole what it was when that was saved last.
    fn restore_core(&mut self, thread: ThreadId) {
        let core = self.log.cores.pop().expect(SAVED);
        let this = &mut self.threads[thread];
        let (left, phase) = (this.core.phase, core.phase);
        this.core = core;
        if left == phase {
            return;
        }
        if phase == Phase::Unborn {
            self.started -= 1;
        }
        match phase {
            Phase::Running | Phase::Stuck => self.alive.insert(thread),
            Phase::Unborn | Phase::Ended => self.alive.remove(thread),
        }
    }

    /// Puts the frame that was saved last where it was.
    fn restore_frame(&mut self, thread: ThreadId, depth: u32) {
        let frame = self.log.frames.pop().expect(SAVED);
        let count = self.code.body(frame.function).map_or(0, |body| body.lanes as usize);
        let start = self.log.lanes.len() - count;
        let this = &mut self.threads[thread];
        let base = frame.base as usize;
        this.lanes[base..base + count].copy_from_slice(&self.log.lanes[start..]);
        self.log.lanes.truncate(start);
        this.frames.truncate(depth as usize);
        this.frames.push(frame);
    }

    /// Undoes one change.
    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Word { object, granule, old } => self.memory.object_mut(object).words[granule as usize] = old,
            Undo::Object { object } => {
                self.memory.object_mut(object).state = self.log.objects.pop().expect(SAVED);
            }
            Undo::Contents { object } => self.memory.object_mut(object).words = self.log.contents.pop().expect(SAVED),
            Undo::Value { location, old } => self.locations[location.index()] = Place::Value(old),
            Undo::Sync { sync } => self.syncs.restore(sync, self.log.syncs.pop().expect(SAVED)),
            Undo::Joined { sync, thread } => {
                self.syncs.leave(sync, thread);
            }
            Undo::Left { queue, thread } => self.syncs.join(queue, thread, self.threads.names()),
            Undo::Turn { sync, thread } => self.syncs.take_back_turn(sync, thread),
            Undo::Dropped { sync } => self.syncs.take_back_drop(sync),
            Undo::Core { thread } => self.restore_core(thread),
            Undo::Frame { thread, depth } => self.restore_frame(thread, depth),
            Undo::Recorded { thread, at, old } => self.threads[thread].script[at as usize] = old,
            Undo::Key { thread, key, old } => self.threads[thread].keys[key.index()] = old,
            Undo::KeyMade { key, old } => self.keys[key.index()] = old,
            Undo::ExitHandler(handler) => match handler {
                Some(handler) => self.exit_handlers.push(handler),
                None => {
                    self.exit_handlers.pop();
                }
            },
            Undo::Destructor { thread, taken } => match taken {
                Some(destructor) => self.threads[thread].destructors.push(destructor),
                None => {
                    self.threads[thread].destructors.pop();
                }
            },
            // Race detection goes back by itself.
            Undo::Time { .. } | Undo::Fence { .. } | Undo::Touched { .. } => {}
            Undo::FirstWrite { location } => self.told.forget_first_write(location),
            Undo::Printed { length } => self.output.truncate(length),
            Undo::Complained { length } => self.errors.truncate(length),
        }
    }
}
