//! The machine: a program and the state it is in.

use crate::code::Code;
use crate::describe::Stack;
use crate::failure::Failure;
use crate::fixed::{Fixed, Users};
use crate::ids::{ObjectId, SyncId};
use crate::library;
use crate::lower::{self, Addresses};
use crate::memory::{Memory, Origin, Owner, Word, address_of};
use crate::overdue::Overdue;
use crate::races::{Role, Tracking};
use crate::settings::Settings;
use crate::sync::Syncs;
use crate::thread::{Back, Frame, Phase, Thread, ThreadTable};
use crate::told::Told;
use crate::undo::Log;
use everyway_ir::{FunctionId, Global, GlobalId, Module, SourceLocation};
use everyway_report::{BugKind, SetAside, Source};
use everyway_runtime::{
    Execution as _, Location, Operation, Ordering, Outcome, Races, Step, ThreadId, ThreadSet, Threads, Verb, Visit,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the engine's name of a location stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A word of an object.
    Memory { object: ObjectId, granule: u32 },
    /// Something that the machine itself keeps.
    Value(u64),
}

/// A step that was taken, with what its thread had announced: for going back, and for people to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logged {
    pub(crate) step: Step,
    pub(crate) verb: Verb,
    pub(crate) joins: Option<ThreadId>,
    pub(crate) fence: Option<Ordering>,
    /// Where its accesses begin in the log.
    pub(crate) accesses: u32,
    /// The access that ended it; none if it has none.
    pub(crate) ended_by: Option<LastAccess>,
    /// The synchronisation object that it used.
    pub(crate) uses: Option<SyncId>,
    pub(crate) address: u64,
    pub(crate) function: FunctionId,
    pub(crate) pc: u32,
    /// How long the log of changes was before the step.
    pub(crate) mark: usize,
    /// The frame that it starts in, which is saved; none if its thread has none.
    pub(crate) frame: Option<u32>,
}

/// The access that ended a step. What it did is told by what it found ([`Machine::ended_by`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastAccess {
    /// Where it is in the log.
    pub(crate) access: u32,
    /// What its location held.
    pub(crate) before: u64,
}

/// A program under exploration, and the state it is in.
#[derive(Debug)]
pub struct Machine {
    pub(crate) module: Arc<Module>,
    pub(crate) code: Arc<Code>,
    /// A second handle of it, for running threads: cloning one with every step would cost more than the step.
    pub(crate) code_to_run: Option<Arc<Code>>,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) settings: Settings,
    pub(crate) memory: Memory,
    pub(crate) threads: ThreadTable,
    /// The threads that exist and have not ended.
    pub(crate) alive: ThreadSet,
    /// How many threads have been started, the first one included.
    pub(crate) started: u32,
    /// Threads that have not run up to their first visible operation yet.
    pub(crate) newborn: Vec<ThreadId>,
    pub(crate) locations: Vec<Place>,
    /// What each location is to data races.
    pub(crate) roles: Vec<Role>,
    pub(crate) races: Races,
    pub(crate) overdue: Overdue,
    pub(crate) told: Told,
    /// The data race that was found last, and how many steps there were then.
    pub(crate) last_race: Option<(usize, Failure)>,
    /// Whether an atomic access or a fence that is not `seq_cst` was met although there should be none.
    pub(crate) has_weak_ordering: bool,
    /// Whether operations of several threads commute although there should be none that do.
    pub(crate) has_commuting: bool,
    /// By location: who was the first to do something to it that commutes, as far as that matters.
    pub(crate) first_commuting: Vec<Option<ThreadId>>,
    pub(crate) syncs: Syncs,
    /// Who is in an atomic section, if there can be only one.
    pub(crate) section: Location,
    /// The locks that atomic sections take otherwise, by [`GuardId`].
    pub(crate) guards: Vec<Location>,
    /// Whether the end of the program has begun.
    pub(crate) ending: Location,
    /// The destructors (or 0) of the keys that were made, among all that were made in any execution so far.
    pub(crate) keys: Vec<Option<u64>>,
    /// The functions to be called at the end, with their arguments.
    pub(crate) exit_handlers: Vec<(u64, Option<u64>)>,
    /// What it has printed to its standard output and its standard error.
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    pub(crate) outcome: Outcome,
    pub(crate) log: Log,
    pub(crate) steps: Vec<Logged>,
    /// The calls that each step is in; empty unless the settings ask for them.
    pub(crate) stacks: Vec<Stack>,
    /// What has failed and has not been told.
    pub(crate) failures: Vec<Failure>,
    pub(crate) scratch: Vec<Visit>,
    pub(crate) publishing: Vec<ObjectId>,
    /// The thread-local globals, in the order in which a thread makes them.
    pub(crate) thread_locals: Vec<GlobalId>,
    /// What the program has asked of its environment that has one answer only.
    pub(crate) fixed: BTreeSet<Fixed>,
    /// The threads that have used objects whose accesses are no steps while others could, in this execution or an earlier one.
    pub(crate) users_of_unobserved: Users,
    /// How many bytes were allocated since it was looked whether everything is to end.
    pub(crate) unwatched: u64,
    /// Whether an execution has got to the end of the program.
    pub(crate) reached_the_end: bool,
    /// Whether values were sampled, so that the verdict says nothing about others.
    pub(crate) sampled: bool,
    /// The loops that were cut, so that the verdict says nothing about more rounds.
    pub(crate) cut_loops: BTreeSet<Option<SourceLocation>>,
    /// The atomic accesses that were explored as if they were stronger than they are.
    pub(crate) strengthened: BTreeSet<Option<SourceLocation>>,
    /// Failures that are not what is looked for, by kind and place.
    pub(crate) set_aside: BTreeSet<(BugKind, Option<SourceLocation>)>,
    /// Whether a thread has used the address of memory that was taken to be another's own.
    pub(crate) escaped: bool,
    /// Whether the order in which threads arrive at a barrier makes a difference although it should not.
    pub(crate) ordered_arrivals: bool,
    /// The status with which the program asked to end.
    pub(crate) exit_status: Option<i32>,
    /// How many bytes a `long` of the program has.
    pub(crate) long_bytes: u32,
    /// The addresses of tables of characters, once they are needed.
    pub(crate) tables: [u64; 3],
}

/// The thread that runs `main`.
pub(crate) const MAIN: ThreadId = Threads::FIRST;

impl Machine {
    /// The program, run up to its first visible operation.
    ///
    /// # Errors
    /// When the program has no `main`, or fails before any thread does something that others could notice. The
    /// machine then is in the state in which it failed.
    pub fn new(module: Arc<Module>, settings: Settings) -> Result<Self, (Box<Self>, Failure)> {
        let mut machine = Self::begin(module, settings);
        match machine.further_failure() {
            None => Ok(machine),
            Some(failure) => Err((Box::new(machine), failure)),
        }
    }

    /// The program, run up to its first visible operation. If it fails before, the engine is told.
    pub fn begin(module: Arc<Module>, settings: Settings) -> Self {
        let mut machine = Self::prepare(module, settings);
        if let Err(failure) = machine.start() {
            machine.failures.push(failure);
        }
        machine.note_leak();
        machine
    }

    /// The program before its first instruction.
    pub(crate) fn prepare(module: Arc<Module>, settings: Settings) -> Self {
        let mut memory = Memory::default();
        memory.reserve(0);
        let addresses = place_symbols(&module, &mut memory);
        let code = lower::lower(&module, &addresses, &settings);
        let thread_locals = (0..module.globals.len()).map(GlobalId::new);
        let thread_locals = thread_locals.filter(|&id| module.global(id).thread_local).collect();
        let mut machine = Self {
            code: Arc::new(code),
            code_to_run: None,
            addresses: Arc::new(addresses),
            settings,
            memory,
            threads: ThreadTable::default(),
            alive: ThreadSet::default(),
            started: 0,
            newborn: Vec::new(),
            locations: Vec::new(),
            roles: Vec::new(),
            races: Races::default(),
            overdue: Overdue::default(),
            told: Told::default(),
            last_race: None,
            has_weak_ordering: false,
            has_commuting: false,
            first_commuting: Vec::new(),
            syncs: Syncs::default(),
            section: Location(0),
            guards: Vec::new(),
            ending: Location(0),
            keys: Vec::new(),
            exit_handlers: Vec::new(),
            output: Vec::new(),
            errors: Vec::new(),
            outcome: Outcome::default(),
            log: Log::default(),
            steps: Vec::new(),
            stacks: Vec::new(),
            failures: Vec::new(),
            scratch: Vec::new(),
            publishing: Vec::new(),
            thread_locals,
            fixed: BTreeSet::new(),
            users_of_unobserved: Users::default(),
            unwatched: 0,
            reached_the_end: false,
            sampled: false,
            cut_loops: BTreeSet::new(),
            strengthened: BTreeSet::new(),
            set_aside: BTreeSet::new(),
            escaped: false,
            ordered_arrivals: false,
            exit_status: None,
            long_bytes: module.long_bytes(),
            tables: [0; 3],
            module,
        };
        // Races look for the writes of the initial state there.
        machine.log.is_on = machine.race_tracking() == Tracking::On;
        machine.prepare_sections();
        machine.ending = machine.new_location(Place::Value(0), Role::Synchronisation);
        machine.initialise_globals();
        machine
    }

    /// Runs the program up to its first visible operation.
    ///
    /// # Errors
    /// When there is nothing to run. What fails on the way is among the failures.
    fn start(&mut self) -> Result<(), Failure> {
        let Some(main) = self.module.entry() else {
            return Err(Failure::unsupported("the program has no function `main`"));
        };
        self.fix_arguments(main);
        self.add_thread();
        self.begin_thread(MAIN, main);
        self.started = 1;
        let destructors = self.module.destructors.iter().rev();
        self.exit_handlers = destructors.map(|id| (self.addresses.functions[id.index()], None)).collect();
        let first = self.module.constructors.first().copied().unwrap_or(main);
        self.push_first_frame(MAIN, first)?;
        self.newborn.push(MAIN);
        self.run_newborn(&mut Vec::new());
        self.log.is_on = true;
        Ok(())
    }

    /// A new name for the engine.
    pub(crate) fn new_location(&mut self, place: Place, role: Role) -> Location {
        self.locations.push(place);
        self.roles.push(role);
        Location::new(self.locations.len() - 1)
    }

    /// How many locations have been named so far, in this execution or an earlier one.
    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// The places of the loops that were cut, where they are known: a verdict says nothing about more rounds of them.
    /// `None` if none was.
    pub fn cut_loops(&self) -> Option<Vec<Source>> {
        self.sources(&self.cut_loops)
    }

    /// The places of the atomic accesses that were explored as if they were stronger than they are, where they are known: a verdict
    /// says nothing about what only the weaker ones allow. `None` if there was none.
    pub fn strengthened(&self) -> Option<Vec<Source>> {
        self.sources(&self.strengthened)
    }

    fn sources(&self, places: &BTreeSet<Option<SourceLocation>>) -> Option<Vec<Source>> {
        let sources = || places.iter().filter_map(|&place| self.source(place)).collect();
        (!places.is_empty()).then(sources)
    }

    /// Failures that were not looked for: see [`Settings::set_aside`](crate::Settings::set_aside).
    pub fn failures_set_aside(&self) -> impl Iterator<Item = SetAside> + '_ {
        self.set_aside.iter().map(|&(kind, place)| SetAside { kind, source: self.source(place) })
    }

    /// Whether values were sampled, so that a verdict says nothing about other values.
    pub fn has_sampled(&self) -> bool {
        self.sampled
    }

    /// Whether a thread has used a pointer that it cannot have: see [`Privacy`](crate::Privacy).
    pub fn has_escaped(&self) -> bool {
        self.escaped
    }

    /// Whether the order in which threads arrive at a barrier makes a difference: see [`Arrivals`](crate::Arrivals).
    pub fn has_ordered_arrivals(&self) -> bool {
        self.ordered_arrivals
    }

    /// Whether an ordering weaker than `seq_cst` was met although the rules assume that there is none.
    pub fn has_weak_ordering(&self) -> bool {
        self.has_weak_ordering
    }

    /// Whether threads have operations in common that commute although the rules assume that there are none.
    pub fn has_commuting(&self) -> bool {
        self.has_commuting
    }

    /// What the program has printed to its standard output, if the settings ask for it.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// What the program has printed to its standard error, if the settings ask for it.
    pub fn errors(&self) -> &[u8] {
        &self.errors
    }

    /// A thread that was not met in any execution so far.
    pub(crate) fn add_thread(&mut self) {
        let names = [(); 2].map(|()| self.new_location(Place::Value(0), Role::Synchronisation));
        self.threads.add(Thread::new(names));
    }

    /// The thread begins to exist. Its core has been saved.
    pub(crate) fn begin_thread(&mut self, thread: ThreadId, start: FunctionId) {
        let is_foreign = self.is_foreign_function(start);
        let this = &mut self.threads[thread];
        this.core = crate::thread::Core::new();
        this.core.phase = Phase::Running;
        self.alive.insert(thread);
        this.operation = Operation::local();
        this.frames.clear();
        this.watermark = 0;
        this.keys.clear();
        this.destructors.clear();
        this.core.named = (!is_foreign).then_some(start);
        self.birth_thread_locals(thread);
    }

    /// The frame of the function that a thread runs when it has no other.
    pub(crate) fn push_first_frame(&mut self, thread: ThreadId, function: FunctionId) -> Result<(), Failure> {
        let Some(lanes) = self.code.body(function).map(|body| body.lanes) else {
            let name = &self.module.function(function).name;
            return Err(Failure::unsupported(format!("`{name}` is not defined in the program")));
        };
        let this = &mut self.threads[thread];
        if this.lanes.len() < lanes as usize {
            this.lanes.resize(lanes as usize, Default::default());
        }
        this.lanes.fill(Default::default());
        this.frames.push(Frame {
            function,
            pc: 0,
            base: 0,
            objects: None,
            variadic: 0,
            back: Back::End,
            record: Default::default(),
            section: false,
        });
        if Some(function) == self.module.entry() && thread == MAIN {
            self.pass_arguments()?;
        }
        Ok(())
    }

    /// `argc` and `argv`.
    fn pass_arguments(&mut self) -> Result<(), Failure> {
        let strings = self.settings.arguments.clone();
        let size = 8 * (strings.len() as u64 + 1);
        let list = self.birth(MAIN, size, Origin::Internal("argv"), true)?;
        for (index, string) in strings.iter().enumerate() {
            let object = self.birth(MAIN, string.len() as u64 + 1, Origin::Internal("argv[]"), true)?;
            for (offset, &byte) in string.as_bytes().iter().enumerate() {
                self.write(object, offset as u64, 1, Word::new(byte.into()));
            }
            self.write(list, 8 * index as u64, 8, Word::new(address_of(object)));
        }
        let lanes = &mut self.threads[MAIN].lanes;
        for (lane, value) in lanes.iter_mut().zip([strings.len() as u64, address_of(list), 0]) {
            *lane = Word::new(value);
        }
        Ok(())
    }

    fn initialise_globals(&mut self) {
        let module = Arc::clone(&self.module);
        for (index, global) in module.globals.iter().enumerate() {
            let object = self.memory.resolve(self.addresses.globals[index]).map_or(ObjectId(0), |found| found.0);
            if !global.thread_local {
                self.fill(object, global);
            }
        }
    }

    /// Gives an object the initial contents of a global.
    pub(crate) fn fill(&mut self, object: ObjectId, global: &Global) {
        let address = address_of(object);
        let words = &mut self.memory.object_mut(object).words;
        let Some(initialiser) = &global.initialiser else {
            // Something of the C library, such as `stderr`: a pointer that is good for passing on.
            words.fill(Word::new(address));
            return;
        };
        for (word, bytes) in words.iter_mut().zip(initialiser.bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = Word::new(u64::from_le_bytes(whole));
        }
        for relocation in &initialiser.relocations {
            let target = self.addresses.of(relocation.symbol).wrapping_add_signed(relocation.addend);
            self.write(object, relocation.offset, 8, Word::new(target));
        }
    }
}

/// Gives every global and function its object. What may be missing, and is, is at null.
fn place_symbols(module: &Module, memory: &mut Memory) -> Addresses {
    let mut place = |size: u64, origin: Origin, constant: bool| {
        let object = memory.reserve(size);
        memory.give_life(object, size, origin, Owner::Shared);
        memory.object_mut(object).state.constant = constant;
        address_of(object)
    };
    let mut addresses = Addresses::default();
    for (index, global) in module.globals.iter().enumerate() {
        let size = if global.initialiser.is_none() { global.size.max(64) } else { global.size };
        let address = place(size, Origin::Global(GlobalId::new(index)), global.constant);
        let is_missing = global.weak && global.initialiser.is_none();
        addresses.globals.push(if is_missing { 0 } else { address });
    }
    for (index, function) in module.functions.iter().enumerate() {
        let address = place(0, Origin::Function(FunctionId::new(index)), true);
        let is_missing = function.weak && function.body.is_none() && library::find(&function.name).is_none();
        addresses.functions.push(if is_missing { 0 } else { address });
    }
    addresses
}
