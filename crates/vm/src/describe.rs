//! The current execution as people read it: variables by name, places in the source.

use crate::machine::{Logged, MAIN, Machine, Place};
use crate::memory::Origin;
use crate::sync::Kind;
use crate::thread::{Phase, Waiting};
use everyway_explore::{Class, Condition, Effect, EventId, State as _, Status, ThreadId, Trace};
use everyway_ir::{DebugType, DebugTypeId, Encoding, SourceLocation};
use everyway_report::{Event, Execution, Source, Thread, Wait};

impl Machine {
    /// The current execution.
    pub fn describe(&self, trace: &Trace) -> Execution {
        let threads = (0..self.threads.len()).map(|thread| Thread { name: self.thread_name(thread) });
        let events = self.steps.iter().enumerate().map(|(position, logged)| {
            let known = position < trace.len();
            let id = EventId::new(position);
            Event {
                thread: logged.step.thread.index(),
                operation: logged.what.to_owned(),
                object: self.name_of_step(logged),
                value: self.value_of_step(logged),
                source: self.source(self.place(logged.function, logged.pc)),
                happens_after: if known { indices(trace.predecessors(id)) } else { Vec::new() },
                reads_from: if known { indices(trace.reads_from(id)) } else { Vec::new() },
            }
        });
        Execution { threads: threads.collect(), events: events.collect() }
    }

    /// A place as reports have it.
    pub fn source(&self, place: Option<SourceLocation>) -> Option<Source> {
        let place = place?;
        let file = self.module.files.get(place.file.index())?.clone();
        Some(Source { file, line: place.line, column: place.column })
    }

    /// Who waits for what, when nobody can go on.
    pub fn waits(&self) -> Vec<Wait> {
        let waiting = (0..self.threads.len()).filter(|&thread| self.status(ThreadId::new(thread)) == Status::Blocked);
        waiting.map(|thread| self.wait_of(thread)).collect()
    }

    fn wait_of(&self, thread: usize) -> Wait {
        if let Some(wait) = self.spin_of(thread) {
            return wait;
        }
        let core = &self.threads[thread].core;
        let mut operation = core.what.to_owned();
        if core.address != 0 {
            operation = format!("{operation} {}", self.name_at(core.address));
        }
        let (waits_for, because) = match core.waiting {
            _ if core.phase == Phase::Stuck => (None, "what it assumes does not hold".to_owned()),
            Waiting::Join(joined) => {
                operation = format!("join '{}'", self.thread_name(joined.index()));
                (Some(joined.index()), "which has not ended".to_owned())
            }
            _ => self.holder(thread, core.address),
        };
        Wait { thread, operation, source: self.source(self.place_of(thread)), waits_for, because }
    }

    /// Who holds the lock at `address`, and since when.
    fn holder(&self, thread: usize, address: u64) -> (Option<usize>, String) {
        let Some(sync) = self.syncs.at(address) else { return (None, String::new()) };
        let value = self.sync_value(sync);
        let holder = match self.syncs.state(sync).kind {
            Kind::Mutex | Kind::Spin => (value as usize).checked_sub(1),
            Kind::RwLock => (value & 0xffff_ffff).checked_sub(1).map(|t| t as usize).filter(|_| value >> 32 != 0),
            _ => None,
        };
        let Some(holder) = holder else { return (None, String::new()) };
        let takes = |logged: &&Logged| {
            logged.step.thread.index() == holder && logged.address == address && logged.what.contains("lock")
        };
        let since = self.steps.iter().rev().find(takes);
        let since = since.and_then(|logged| self.source(self.place(logged.function, logged.pc)));
        let since = since.map_or(String::new(), |source| format!(" since {}:{}", source.file, source.line));
        let itself = if holder == thread { " itself" } else { "" };
        (Some(holder), format!("held by '{}'{itself}{since}", self.thread_name(holder)))
    }

    /// What people call a thread: its function, with a number if there are several.
    pub(crate) fn thread_name(&self, thread: usize) -> String {
        if thread == MAIN {
            return "main".to_owned();
        }
        let Some(this) = self.threads.get(thread) else { return format!("thread {thread}") };
        let name = |start: u32| {
            let function = self.module.functions.get(start as usize)?;
            Some(function.source_name.clone().unwrap_or_else(|| function.name.clone()))
        };
        let Some(function) = name(this.start) else { return format!("thread {thread}") };
        // Numbered in the order of this execution, which a replay meets them in too.
        let is_born = |other: &&crate::thread::Thread| other.core.phase != Phase::Unborn;
        let alike = self.threads.iter().skip(1).filter(is_born).filter(|other| other.start == this.start);
        let older = alike.clone().filter(|other| other.core.born < this.core.born).count();
        if alike.count() < 2 { function } else { format!("{function} {}", older + 1) }
    }

    /// The position of each thread among all in the order in which they were started in this execution, or in the
    /// steps of it that are `kept`: that in which the exploration has met them may be another.
    pub fn birth_order(&self, kept: impl Fn(usize) -> bool) -> Vec<usize> {
        let rank = |thread: &crate::thread::Thread| {
            let step = (thread.core.born_at as usize).checked_sub(1);
            let is_born = thread.core.phase != Phase::Unborn && step.is_none_or(&kept);
            if is_born { thread.core.born } else { u32::MAX }
        };
        let mut order: Vec<usize> = (0..self.threads.len()).collect();
        order.sort_by_key(|&thread| rank(&self.threads[thread]));
        let mut positions = vec![0; order.len()];
        for (position, &thread) in order.iter().enumerate() {
            positions[thread] = position;
        }
        positions
    }

    /// What people call an object.
    pub(crate) fn object_name(&self, object: u32) -> String {
        let site = |what: &str, function: u32, pc: u32| match self.source(self.place(function, pc)) {
            Some(source) => format!("the memory from `{what}` at {}:{}", source.file, source.line),
            None => format!("memory from `{what}`"),
        };
        match self.memory.object(object).state.origin {
            Origin::Global(id) | Origin::ThreadLocal(id) => {
                let global = self.module.global(id);
                global.source_name.clone().unwrap_or_else(|| global.name.clone())
            }
            Origin::Function(id) => format!("the function `{}`", self.module.function(id).name),
            Origin::Stack(function, slot) => {
                let slots = self.module.function(function).body.as_ref().map(|body| body.slot(slot));
                slots.and_then(|slot| slot.name.as_deref()).unwrap_or("a temporary").to_owned()
            }
            Origin::Heap(function, pc) => site("malloc", function, pc),
            Origin::New(function, pc) => site("new", function, pc),
            Origin::Internal(name) => name.to_owned(),
            Origin::Nothing => "nothing".to_owned(),
        }
    }

    /// The type of an object in the source, where it is known.
    fn debug_type(&self, object: u32) -> Option<DebugTypeId> {
        match self.memory.object(object).state.origin {
            Origin::Global(id) | Origin::ThreadLocal(id) => self.module.global(id).debug_type,
            Origin::Stack(function, slot) => self.module.function(function).body.as_ref()?.slot(slot).debug_type,
            _ => None,
        }
    }

    /// What people call a byte of an object: `queue.head`, `a[3]`.
    pub(crate) fn object_name_at(&self, object: u32, offset: u64) -> String {
        let mut name = self.object_name(object);
        match self.debug_type(object) {
            Some(ty) => name.push_str(&self.module.path(ty, offset).0),
            None if offset > 0 => name.push_str(&format!("+{offset}")),
            None => {}
        }
        name
    }

    /// What people call what is at an address.
    pub(crate) fn name_at(&self, address: u64) -> String {
        match self.memory.resolve(address) {
            Some((object, offset)) if offset >= 0 => {
                // A lock is called by its own name, not by that of its first member.
                let ty = self.debug_type(object);
                let whole = offset == 0 && self.syncs.at(address).is_some();
                let is_array = ty.is_some_and(|ty| matches!(self.module.debug_type(ty), DebugType::Array { .. }));
                let name = self.object_name_at(object, offset as u64);
                if whole && !is_array {
                    return self.object_name(object);
                }
                name.split(".__data").next().unwrap_or_default().to_owned()
            }
            _ => format!("{address:#x}"),
        }
    }

    fn name_of_step(&self, logged: &Logged) -> String {
        if logged.address == 0 { String::new() } else { self.name_at(logged.address) }
    }

    /// The type of the scalar at an address.
    fn scalar_at(&self, address: u64) -> Option<&DebugType> {
        let (object, offset) = self.memory.resolve(address)?;
        let (_, scalar) = self.module.path(self.debug_type(object)?, u64::try_from(offset).ok()?);
        Some(self.module.debug_type(scalar?))
    }

    fn value_of_step(&self, logged: &Logged) -> String {
        let Some(visit) = &logged.ended_by else {
            return if logged.what == "choose" { logged.step.choice.to_string() } else { String::new() };
        };
        let is_memory = matches!(self.locations[visit.access.location.index()], Place::Memory { .. });
        let conditional = visit.access.when != Condition::Always;
        if !is_memory {
            let refused =
                conditional && visit.class == Class::Read && visit.access.fails != everyway_explore::Then::Block;
            return if refused { "refused".to_owned() } else { String::new() };
        }
        if matches!(logged.what, "free" | "delete" | "realloc" | "return" | "exit" | "create") {
            return String::new();
        }
        let show =
            |whole: u64| self.show(logged.address, visit.access.bytes.get(whole), visit.access.bytes.0.count_ones());
        match (visit.class, visit.access.effect) {
            (Class::Read, Effect::Read) => show(visit.before),
            (Class::Read, _) => format!("failed, is {}", show(visit.before)),
            (Class::Write | Class::Store, Effect::Write(_) | Effect::Store(_)) if !conditional => show(visit.after),
            _ => format!("{} -> {}", show(visit.before), show(visit.after)),
        }
    }

    /// A value as the type of what it is in has it.
    pub(crate) fn show(&self, address: u64, bits: u64, bytes: u32) -> String {
        let signed = crate::cell::sign_extend(bits, 8 * bytes);
        match self.scalar_at(address) {
            Some(DebugType::Scalar { encoding: Encoding::Unsigned, .. }) => bits.to_string(),
            Some(DebugType::Scalar { encoding: Encoding::Bool, .. }) => (bits != 0).to_string(),
            Some(DebugType::Scalar { encoding: Encoding::Float, .. }) if bytes == 4 => {
                f32::from_bits(bits as u32).to_string()
            }
            Some(DebugType::Scalar { encoding: Encoding::Float, .. }) => f64::from_bits(bits).to_string(),
            Some(DebugType::Enumeration { values, .. }) => {
                let known = values.iter().find(|(_, value)| *value == signed);
                known.map_or_else(|| signed.to_string(), |(name, _)| name.clone())
            }
            _ if bytes == 8 && bits == 0 && matches!(self.scalar_at(address), Some(DebugType::Pointer(_))) => {
                "null".to_owned()
            }
            _ if bytes == 8 && self.memory.resolve(bits).is_some() => format!("&{}", self.name_at(bits)),
            _ => signed.to_string(),
        }
    }
}

fn indices(events: Vec<EventId>) -> Vec<usize> {
    events.into_iter().map(EventId::index).collect()
}
