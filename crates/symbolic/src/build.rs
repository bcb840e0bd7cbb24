//! From a program to a transition system.
//!
//! The first thread runs by itself up to where others can notice what it does (`alone`, with `order` and `feasible`), and
//! starts threads on its way. From there on, each thread is explored place by place (`places`): from a place on, all
//! paths are followed to the next ones (`walk`), which gives the effect of the step in between. At a place, a
//! register has the value that it has on every way there, if there is only one; else it is a state variable. So a
//! thread's number or the address of its array is a constant to the rest of the analysis, and a loop counter is not.
//!
//! - `walk` executes what is local: control flow (`flow`), arithmetic (`arithmetic`), memory of one thread (`memory`);
//! - `calls` has calls, `library` the functions of the environment by name, `births` those about threads, `sync` and `waiting`
//!   those about what threads synchronise by, `heap` those about memory, `sections` atomic sections, `keys`
//!   values by key; `access` is what others
//!   can notice;
//! - `invariant` is a property of the state that is checked after every step;
//! - `publish` is what happens when others come to know an object of a thread;
//! - `effects` puts the paths between places together; `liveness` tells which registers matter.
//!
//! What is not supported ends the analysis, with its place in the source, as soon as some path comes there.

mod access;
mod alone;
mod arithmetic;
mod births;
mod calls;
mod effects;
mod feasible;
mod flow;
mod heap;
mod invariant;
mod keys;
mod library;
mod liveness;
mod memory;
mod order;
mod places;
mod publish;
mod sections;
mod sync;
mod waiting;
mod walk;

use crate::limit::Limit;
use crate::system::{Access, FirstInput, Object, Published, StateVariable, System, Thread, Unsupported};
use crate::term::{Term, Terms};
use alone::Past;
use everyway_ir::{BlockId, FunctionId, Module, SourceLocation, Symbol};
use feasible::Feasible;
use liveness::Liveness;
use order::Order;
use places::PlaceDraft;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Who can reach an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// All threads.
    Shared,
    /// All threads, to read it.
    Constant,
    Thread(usize),
    /// It is a function.
    Function(FunctionId),
    /// None: it is what the null pointer points to.
    Null,
}

/// An object of the program.
#[derive(Clone, Debug)]
struct Thing {
    name: String,
    size: u32,
    owner: Owner,
    /// Its bytes; from the start of the first thread on, those at that time.
    bytes: Vec<Term>,
    is_held: bool,
    /// Whether it belongs to a thread at first, and is shared later.
    is_published: bool,
    /// Whether there is a synchronisation object in it although it belongs to a thread.
    has_sync: bool,
}

/// A thread while it is analysed.
#[derive(Debug)]
struct ThreadDraft {
    name: String,
    counter: Term,
    /// What others have done about its end.
    settled: Term,
    /// What it returns.
    result: Term,
    places: Vec<PlaceDraft>,
    by_key: FxHashMap<places::Key, usize>,
}

/// A call of a function: by whom, and where; threads begin with one that no other function makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Call {
    thread: usize,
    site: Option<Site>,
    function: FunctionId,
}

/// An instruction of a function that was reached by these calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Site {
    call: u32,
    block: BlockId,
    index: usize,
}

/// What has no particular value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Undefined {
    /// An operand of so many bits of an instruction.
    Operand { thread: usize, site: Option<Site>, width: u32 },
    /// The memory of an object that was not initialised.
    Memory { thread: usize, thing: u32 },
}

/// See [`Builder::heap`].
type HeapKey = (u32, Site, usize);

struct Builder<'m> {
    module: &'m Module,
    setup: &'m Setup,
    /// Whether the limit was reached.
    is_stopped: bool,
    terms: Terms,
    liveness: FxHashMap<FunctionId, Rc<Liveness>>,
    things: Vec<Thing>,
    globals: Vec<u32>,
    functions: Vec<u32>,
    threads: Vec<ThreadDraft>,
    /// Whether the first thread is the only one so far.
    alone: bool,
    /// Whether several of its ways are open then.
    is_parted: bool,
    orders: FxHashMap<FunctionId, Rc<Order>>,
    feasible: Feasible,
    calls: FxHashMap<Call, u32>,
    slots: FxHashMap<(u32, u32), u32>,
    /// Objects on the heap by the place their thread came from, if that is unrolled, the call, and how many came before.
    heap: FxHashMap<HeapKey, u32>,
    children: FxHashMap<places::Birth, usize>,
    variables: FxHashMap<places::VariableKey, Term>,
    undefined: FxHashMap<Undefined, Term>,
    /// The free variables that do not change: inputs from before the first step.
    rigid: FxHashSet<Term>,
    first_inputs: Vec<FirstInput>,
    /// What the first thread has done while it was the only one, once it is not any more.
    past: Past,
    /// Whether the program gives memory back.
    has_free: bool,
    /// Whether some thread wants to know what another one returns.
    wants_results: bool,
    /// The destructors of the keys that were made.
    keys: Vec<Option<FunctionId>>,
    /// By thread and key, the object with the value.
    key_values: FxHashMap<(usize, usize), u32>,
    /// What the invariant reads, while it is computed.
    observed: Option<Vec<Access>>,
    uninitialised: Option<Unsupported>,
    is_verification_task: bool,
}

/// What a program is built with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The arguments of the program, its name first.
    pub arguments: Vec<String>,
    /// The function that is to return something else than 0 after every step, if there is one.
    pub invariant: Option<String>,
    /// When to stop.
    pub limit: Limit,
}

impl Default for Setup {
    fn default() -> Self {
        Self { arguments: vec!["program".to_owned()], invariant: None, limit: Limit::none() }
    }
}

/// Why there is no transition system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The program does something that is not supported, before its first step or anywhere.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The limit was reached.
    #[error("the analysis of the program was stopped")]
    Stopped,
}

/// The program as a transition system.
///
/// # Errors
/// If it does something that is not supported, or if the limit is reached.
pub fn build(module: &Module, setup: &Setup) -> Result<System, BuildError> {
    let mut builder = Builder::new(module, setup)?;
    let built = builder.build();
    if builder.is_stopped { Err(BuildError::Stopped) } else { Ok(built?) }
}

impl<'m> Builder<'m> {
    fn new(module: &'m Module, setup: &'m Setup) -> Result<Self, Unsupported> {
        let names = module.functions.iter().map(|function| function.name.as_str());
        let is_verification_task = names.into_iter().any(|n| n.starts_with("__VERIFIER_") || n == "reach_error");
        let mut builder = Self {
            module,
            setup,
            is_stopped: false,
            terms: Terms::default(),
            liveness: FxHashMap::default(),
            things: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            threads: Vec::new(),
            alone: true,
            is_parted: false,
            orders: FxHashMap::default(),
            feasible: Feasible::new(setup.limit.clone()),
            calls: FxHashMap::default(),
            slots: FxHashMap::default(),
            heap: FxHashMap::default(),
            children: FxHashMap::default(),
            variables: FxHashMap::default(),
            undefined: FxHashMap::default(),
            rigid: FxHashSet::default(),
            first_inputs: Vec::new(),
            past: Past::default(),
            has_free: module.functions.iter().any(|function| function.name == "free"),
            wants_results: false,
            keys: Vec::new(),
            key_values: FxHashMap::default(),
            observed: None,
            uninitialised: None,
            is_verification_task,
        };
        builder.place_symbols()?;
        Ok(builder)
    }

    fn unsupported<T>(&self, what: impl Into<String>, location: Option<SourceLocation>) -> Result<T, Unsupported> {
        Err(Unsupported { what: what.into(), location })
    }

    /// Gives every global and function its object.
    fn place_symbols(&mut self) -> Result<(), Unsupported> {
        self.thing("nothing", 0, Owner::Null);
        for global in &self.module.globals {
            let owner = if global.constant { Owner::Constant } else { Owner::Shared };
            let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let Ok(size) = u32::try_from(global.size) else {
                return self.unsupported(format!("`{name}` is very large"), global.location);
            };
            let thing = self.thing(name, size, owner);
            self.globals.push(thing);
        }
        for (index, function) in self.module.functions.iter().enumerate() {
            let thing = self.thing(function.name.clone(), 0, Owner::Function(FunctionId::new(index)));
            self.functions.push(thing);
        }
        for (index, global) in self.module.globals.iter().enumerate() {
            let Some(initialiser) = &global.initialiser else { continue };
            let thing = self.globals[index];
            let size = self.things[thing as usize].size as usize;
            let zero = self.terms.constant(8, 0);
            let mut bytes = vec![zero; size];
            for (byte, &value) in bytes.iter_mut().zip(&initialiser.bytes) {
                *byte = self.terms.constant(8, value.into());
            }
            self.things[thing as usize].bytes = bytes;
            for relocation in &initialiser.relocations {
                let pointer = self.address(relocation.symbol, relocation.addend);
                self.hold(pointer);
                self.write_bytes_of(thing, relocation.offset as usize, pointer);
            }
        }
        Ok(())
    }

    /// A new object.
    fn thing(&mut self, name: impl Into<String>, size: u32, owner: Owner) -> u32 {
        let zero = self.terms.constant(8, 0);
        let bytes = vec![zero; size as usize];
        self.things.push(Thing {
            name: name.into(),
            size,
            owner,
            bytes,
            is_held: false,
            is_published: false,
            has_sync: false,
        });
        self.things.len() as u32 - 1
    }

    /// The address of something that has one before the program runs.
    fn address(&mut self, symbol: Symbol, offset: i64) -> Term {
        let thing = match symbol {
            Symbol::Global(id) => self.globals[id.index()],
            Symbol::Function(id) => self.functions[id.index()],
        };
        self.pointer_to(thing, offset)
    }

    fn liveness_of(&mut self, function: FunctionId) -> Rc<Liveness> {
        let module = self.module;
        let known = self.liveness.entry(function).or_insert_with(|| {
            let body = module.function(function).body.as_ref();
            Rc::new(body.map_or_else(|| Liveness::of(&everyway_ir::Body::default()), Liveness::of))
        });
        Rc::clone(known)
    }

    fn build(&mut self) -> Result<System, Unsupported> {
        let Some(main) = self.module.entry() else {
            return self.unsupported("the program has no function `main`", None);
        };
        if let Some(&first) = self.module.constructors.first() {
            let location = self.module.function(first).location;
            return self.unsupported("functions that run before `main` are not supported by bmc", location);
        }
        self.mark_held();
        let start = self.start(main)?;
        let Some(start) = start else { return Ok(self.system(Vec::new(), Vec::new(), true)) };
        self.explore_all()?;
        let (initial, effects) = self.effects(start)?;
        for Published { object, when, bytes } in &initial.published {
            for (position, &byte) in bytes.iter().enumerate() {
                let before = self.things[*object as usize].bytes[position];
                self.things[*object as usize].bytes[position] = self.terms.choose(*when, byte, before);
            }
        }
        let fails_at_once = initial.fails.is_some_and(|fails| self.terms.is_true(fails));
        let invariant = match &self.setup.invariant {
            None => None,
            Some(name) => Some(self.invariant(name)?),
        };
        let variables = self.initial_values(&initial);
        let threads = self.threads(effects);
        let mut system = self.system(variables, threads, fails_at_once);
        system.invariant = invariant;
        system.first_started = initial.started;
        system.first_passed = initial.passed;
        system.first_fails = initial.fails;
        system.first_unsupported = initial.unsupported;
        system.check_births()?;
        Ok(system)
    }

    fn system(&mut self, variables: Vec<StateVariable>, threads: Vec<Thread>, fails_at_once: bool) -> System {
        let Past { syncs, dead } = std::mem::take(&mut self.past);
        let objects = std::mem::take(&mut self.things).into_iter().map(|thing| match thing.owner {
            owner if owner == Owner::Shared || thing.is_published || thing.has_sync => {
                Object { name: thing.name, size: thing.size, bytes: thing.bytes, is_held: thing.is_held }
            }
            _ => Object { name: thing.name, ..Object::default() },
        });
        System {
            objects: objects.collect(),
            terms: std::mem::take(&mut self.terms),
            variables,
            threads,
            first_inputs: std::mem::take(&mut self.first_inputs),
            fails_at_once,
            invariant: None,
            first_started: Vec::new(),
            first_passed: Vec::new(),
            first_syncs: syncs.into_iter().collect(),
            first_dead: dead,
            first_fails: None,
            first_unsupported: Vec::new(),
            uninitialised: self.uninitialised.take(),
        }
    }
}
