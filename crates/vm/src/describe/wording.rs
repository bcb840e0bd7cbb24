//! Names of memory and of its contents in reports.
//!
//! A global or local variable has its name and its type from the debug information. Heap memory has neither: it is
//! named by the type of a pointer to it that was seen in the execution, if that is a structure, and otherwise by the
//! function that allocated it; numbered in the order of allocation: `node#2.next`, `malloc#1+8`.

use super::names::{demangled, is_foreign};
use crate::code::{Call, Callee, Instruction, Operand};
use crate::ids::ObjectId;
use crate::machine::{Logged, Machine, Place};
use crate::memory::{Life, Origin};
use crate::spurious::FAILS;
use everyway_ir::{DebugType, DebugTypeId, Encoding, FunctionId};
use everyway_runtime::{Bytes, Class, Condition, Effect, Then, Verb, Visit};
use rustc_hash::FxHashMap;

/// The names of what is in memory in the current execution.
pub(crate) struct Wording<'m> {
    machine: &'m Machine,
    /// The types of what is on the heap: of the whole, or of each element.
    types: FxHashMap<ObjectId, DebugTypeId>,
    names: FxHashMap<ObjectId, String>,
}

impl<'m> Wording<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Self {
        let mut this = Self { machine, types: FxHashMap::default(), names: FxHashMap::default() };
        this.learn_constructed();
        // What a pointer in an object of the heap points to is known only when the type of that object is.
        while this.learn_types() {}
        this.name_heap();
        this
    }

    fn origin(&self, object: ObjectId) -> Origin {
        self.machine.memory.object(object).state.origin
    }

    /// Learns the types of objects from the pointers that were read and written; whether there was anything new.
    fn learn_types(&mut self) -> bool {
        let known = self.types.len();
        for logged in &self.machine.steps {
            let Some(visit) = self.machine.ended_by(logged) else { continue };
            let Some(DebugType::Pointer(Some(target))) = self.scalar_at(logged.address) else { continue };
            let target = *target;
            for value in [visit.before, visit.after] {
                self.learn_type(visit.access.bytes.get(value), target);
            }
        }
        self.types.len() > known
    }

    /// Learns the types of objects whose constructor is called right after `new`.
    fn learn_constructed(&mut self) {
        for object in self.machine.memory.ids() {
            let Origin::New(function, pc) = self.origin(object) else { continue };
            let Some(class) = self.constructed_at(function, pc as usize) else { continue };
            let is_it =
                |ty: &DebugType| matches!(ty, DebugType::Record { name, size, .. } if *name == class && *size > 0);
            if let Some(position) = self.machine.module.types.iter().position(is_it) {
                self.learn_type(crate::memory::address_of(object), DebugTypeId::new(position));
            }
        }
    }

    /// The class whose constructor takes what the call at this place returns.
    fn constructed_at(&self, function: FunctionId, pc: usize) -> Option<String> {
        const NEAR: usize = 4;
        let code = &self.machine.code;
        let body = code.body(function)?;
        let Instruction::Call(new) = *body.instructions.get(pc)? else { return None };
        let &result = code.calls[new as usize].results.of(&code.lanes).first()?;
        let near = body.instructions.iter().skip(pc + 1).take(NEAR);
        let mut calls = near.filter_map(|instruction| match instruction {
            Instruction::Call(call) => Some(&code.calls[*call as usize]),
            _ => None,
        });
        let on_it = |call: &&Call| {
            call.arguments.of(&code.arguments).first().is_some_and(|first| first.value == Operand::lane(result))
        };
        let Callee::Direct(constructor) = calls.find(on_it)?.callee else { return None };
        let name = demangled(&self.machine.module.function(constructor).name)?;
        let (class, method) = name.rsplit_once("::")?;
        let class = class.rsplit_once("::").map_or(class, |(_, last)| last);
        class.starts_with(method).then(|| class.to_owned())
    }

    fn learn_type(&mut self, pointer: u64, target: DebugTypeId) {
        let Some((object, 0)) = self.machine.memory.resolve(pointer) else { return };
        let size = self.machine.module.debug_size(target);
        let has_room = size > 0 && self.machine.memory.object(object).state.size >= size;
        if has_room && matches!(self.origin(object), Origin::Heap(..) | Origin::New(..)) {
            self.types.entry(object).or_insert(target);
        }
    }

    fn name_heap(&mut self) {
        let is_heap = |&object: &ObjectId| {
            let state = &self.machine.memory.object(object).state;
            state.life != Life::Unborn && matches!(state.origin, Origin::Heap(..) | Origin::New(..))
        };
        let mut heap: Vec<ObjectId> = self.machine.memory.ids().filter(is_heap).collect();
        heap.sort_by_key(|&object| self.machine.memory.object(object).state.born);
        let mut counts: FxHashMap<&str, u32> = FxHashMap::default();
        for object in heap {
            let record = self.types.get(&object).map(|&ty| self.machine.module.debug_type(ty));
            let kind = match (record, self.origin(object)) {
                (Some(DebugType::Record { name, .. }), _) if !name.is_empty() && !name.starts_with('_') => {
                    name.as_str()
                }
                (_, Origin::New(..)) => "new",
                _ => "malloc",
            };
            let count = counts.entry(kind).or_default();
            *count += 1;
            self.names.insert(object, format!("{kind}#{count}"));
        }
    }

    /// The name of an object.
    pub(crate) fn object(&self, object: ObjectId) -> String {
        let module = &self.machine.module;
        match self.origin(object) {
            Origin::Global(id) | Origin::ThreadLocal(id) => {
                let global = module.global(id);
                let name = || demangled(&global.name).unwrap_or_else(|| global.name.clone());
                global.source_name.clone().unwrap_or_else(name)
            }
            Origin::Function(id) => self.machine.function_name(id),
            Origin::Stack(function, slot) => {
                let body = module.function(function).body.as_ref();
                body.and_then(|body| body.slot(slot).name.as_deref()).unwrap_or("a temporary").to_owned()
            }
            Origin::Heap(..) | Origin::New(..) => self.names.get(&object).cloned().unwrap_or("memory".to_owned()),
            Origin::Internal(name) => name.to_owned(),
            Origin::Nothing => "nothing".to_owned(),
        }
    }

    /// The type of an object, or of the element of it at `offset`; what comes before the element, and the offset in it.
    fn typed(&self, object: ObjectId, offset: u64) -> Option<(String, DebugTypeId, u64)> {
        let module = &self.machine.module;
        let whole = match self.origin(object) {
            Origin::Global(id) | Origin::ThreadLocal(id) => module.global(id).debug_type,
            Origin::Stack(function, slot) => module.function(function).body.as_ref()?.slot(slot).debug_type,
            _ => None,
        };
        if let Some(ty) = whole {
            return Some((String::new(), ty, offset));
        }
        let &element = self.types.get(&object)?;
        let size = module.debug_size(element);
        if self.machine.memory.object(object).state.size < 2 * size {
            return Some((String::new(), element, offset));
        }
        Some((format!("[{}]", offset / size), element, offset % size))
    }

    /// What people call a byte of an object: `queue.head`, `a[3]`.
    pub(crate) fn at(&self, object: ObjectId, offset: u64) -> String {
        self.part(object, offset, None)
    }

    /// The same for the part of type `wanted` that starts there.
    fn part(&self, object: ObjectId, offset: u64, wanted: Option<DebugTypeId>) -> String {
        let mut name = self.object(object);
        match self.typed(object, offset) {
            Some((index, ty, offset)) => {
                let path = self.machine.module.path_to(ty, offset, wanted).0;
                name.push_str(&public(&format!("{index}{path}")));
            }
            None if offset > 0 => name.push_str(&format!("+{offset}")),
            None => {}
        }
        name
    }

    /// What people call what is at an address.
    pub(crate) fn address(&self, address: u64) -> String {
        self.pointed(address, None)
    }

    fn pointed(&self, address: u64, wanted: Option<DebugTypeId>) -> String {
        match self.machine.memory.resolve(address) {
            Some((object, offset)) if offset >= 0 => self.part(object, offset as u64, wanted),
            Some((object, offset)) => format!("{}{offset}", self.object(object)),
            None => format!("{address:#x}"),
        }
    }

    /// The type of the scalar at an address.
    fn scalar_at(&self, address: u64) -> Option<&'m DebugType> {
        let (object, offset) = self.machine.memory.resolve(address)?;
        let (_, ty, offset) = self.typed(object, u64::try_from(offset).ok()?)?;
        let (_, scalar) = self.machine.module.path_to(ty, offset, None);
        Some(self.machine.module.debug_type(scalar?))
    }

    /// What a step was about.
    pub(crate) fn object_of(&self, step: usize) -> String {
        let logged = &self.machine.steps[step];
        match logged.joins {
            Some(joined) => format!("'{}'", self.machine.thread_name(joined)),
            None if logged.address == 0 => String::new(),
            None if logged.verb.ends_objects() => match self.machine.memory.resolve(logged.address) {
                Some((object, _)) => self.object(object),
                None => self.address(logged.address),
            },
            None => self.address(logged.address),
        }
    }

    /// What the input is that a step has asked for.
    fn input_of(&self, logged: &Logged) -> String {
        let code = &self.machine.code;
        let called = code.body(logged.function).and_then(|body| match *body.instructions.get(logged.pc as usize)? {
            Instruction::Call(call) => Some((code.calls[call as usize].callee, code.calls[call as usize].looks)),
            _ => None,
        });
        let choice = logged.step.choice;
        match called {
            Some((Callee::Direct(function), looks)) => self.machine.input(function, looks, choice).to_string(),
            _ => self.machine.settings.samples.get(choice as usize).map_or(String::new(), i64::to_string),
        }
    }

    /// What a step has read or written, or how it turned out.
    pub(crate) fn value_of(&self, logged: &Logged) -> String {
        let Some(visit) = self.machine.ended_by(logged) else {
            let choice = logged.step.choice;
            return match logged.verb {
                Verb::Choose => choice.to_string(),
                Verb::CompareExchange if choice == FAILS => "fails spuriously".to_owned(),
                Verb::Input => self.input_of(logged),
                _ => String::new(),
            };
        };
        let is_memory = matches!(self.machine.locations[visit.access.location.index()], Place::Memory { .. });
        if !is_memory {
            return self.refusal(logged, &visit);
        }
        if logged.verb.ends_objects() || logged.verb == Verb::Create {
            return String::new();
        }
        let bytes = visit.access.bytes;
        let show = |whole: u64| {
            let is_read = visit.class == Class::Read;
            let unset = is_read && self.is_last(logged) && !self.is_set(logged.address, bytes.0.count_ones());
            if unset { "not set".to_owned() } else { self.show_part(logged.address, whole, bytes) }
        };
        match (visit.class, visit.access.effect) {
            (Class::Read, Effect::Read) => show(visit.before),
            (Class::Read, _) => format!("fails, is {}", show(visit.before)),
            (Class::Write | Class::Store, Effect::Write(_) | Effect::Store(_))
                if visit.access.when == Condition::Always =>
            {
                show(visit.after)
            }
            _ => format!("{} -> {}", show(visit.before), show(visit.after)),
        }
    }

    fn is_last(&self, logged: &Logged) -> bool {
        self.machine.steps.last().is_some_and(|last| std::ptr::eq(last, logged))
    }

    /// Whether memory has a value now.
    fn is_set(&self, address: u64, bytes: u32) -> bool {
        match self.machine.memory.locate(address, bytes.into()) {
            Ok((object, offset)) => self.machine.memory.read(object, offset, bytes).is_defined(),
            Err(_) => true,
        }
    }

    /// Why an operation on a lock or the like did not do what it is for.
    fn refusal(&self, logged: &Logged, visit: &Visit) -> String {
        let conditional = visit.access.when != Condition::Always && visit.access.fails != Then::Block;
        if !conditional || visit.class != Class::Read {
            return String::new();
        }
        match logged.verb {
            Verb::NotifyOne | Verb::NotifyAll => "no thread waits",
            Verb::Once | Verb::Guard => "not the first",
            Verb::SemTryWait | Verb::SemTimedWait => "fails, is 0",
            _ => "fails, is held",
        }
        .to_owned()
    }

    /// The value that these bytes of a word have at an address.
    pub(crate) fn show_part(&self, address: u64, whole: u64, bytes: Bytes) -> String {
        self.show(address, bytes.get(whole), bytes.0.count_ones())
    }

    /// A value as the type of what it is in has it.
    pub(crate) fn show(&self, address: u64, bits: u64, bytes: u32) -> String {
        let signed = crate::cell::sign_extend(bits, 8 * bytes);
        match self.scalar_at(address) {
            Some(DebugType::Scalar { encoding: Encoding::Unsigned, .. }) => bits.to_string(),
            Some(DebugType::Scalar { encoding: Encoding::Bool, .. }) => (bits != 0).to_string(),
            Some(DebugType::Scalar { encoding: Encoding::Char, .. }) => match bits as u8 {
                byte if bytes == 1 && (byte.is_ascii_graphic() || byte == b' ') => format!("'{}'", char::from(byte)),
                _ => signed.to_string(),
            },
            Some(DebugType::Scalar { encoding: Encoding::Float, .. }) if bytes == 4 => {
                f32::from_bits(bits as u32).to_string()
            }
            Some(DebugType::Scalar { encoding: Encoding::Float, .. }) => f64::from_bits(bits).to_string(),
            Some(DebugType::Enumeration { values, .. }) => {
                let known = values.iter().find(|(_, value)| *value == signed);
                known.map_or_else(|| signed.to_string(), |(name, _)| name.clone())
            }
            Some(DebugType::Pointer(_)) if bits == 0 => "null".to_owned(),
            Some(&DebugType::Pointer(target)) => self.show_pointer(bits, target, signed),
            _ if bytes == 8 && self.points_into_an_object(bits) => self.show_pointer(bits, None, signed),
            _ => signed.to_string(),
        }
    }

    /// Whether a word of unknown type is likely to be a pointer.
    fn points_into_an_object(&self, bits: u64) -> bool {
        let found = self.machine.memory.resolve(bits);
        found.is_some_and(|(object, offset)| {
            u64::try_from(offset).is_ok_and(|offset| offset <= self.machine.memory.object(object).state.size)
        })
    }

    fn show_pointer(&self, bits: u64, target: Option<DebugTypeId>, number: i64) -> String {
        match self.machine.memory.resolve(bits) {
            Some(_) => format!("&{}", self.pointed(bits, target)),
            None => number.to_string(),
        }
    }

    /// Where an object of the heap comes from: ` (allocated at queue.c:12)`.
    pub(crate) fn allocated(&self, object: ObjectId) -> String {
        let place = match self.origin(object) {
            Origin::Heap(function, pc) | Origin::New(function, pc) => self.machine.place_text(function, pc),
            _ => None,
        };
        place.map_or(String::new(), |place| format!(" (allocated at {place})"))
    }

    /// When an object has ended: `was freed at queue.c:36 by 'consumer'`.
    pub(crate) fn ended(&self, object: ObjectId) -> String {
        let ends = |logged: &&Logged| {
            logged.verb.ends_objects()
                && self.machine.memory.resolve(logged.address).is_some_and(|found| found.0 == object)
        };
        let how = match self.machine.memory.object(object).state.life {
            Life::Freed => "was freed",
            Life::OutOfScope => "is gone: its scope has ended",
            _ => "is gone: its function has returned",
        };
        let Some(end) = self.machine.steps.iter().find(ends) else { return how.to_owned() };
        let who = self.machine.thread_name(end.step.thread);
        let place = self.machine.place_text(end.function, end.pc).map_or(String::new(), |place| format!(" at {place}"));
        format!("{how}{place} by '{who}'")
    }
}

/// A path without what libraries keep to themselves: a lock is called by its own name, not by that of its first
/// member, and neither are members that only hold something together.
fn public(path: &str) -> String {
    let mut name = String::new();
    for part in path.split_inclusive(['.']).map(|part| part.trim_end_matches('.')) {
        match part.strip_prefix("_M_") {
            _ if part.starts_with("__") => break,
            Some("mutex" | "cond" | "impl" | "i" | "b" | "base" | "head_impl" | "storage") => {}
            Some(rest) => name = format!("{name}.{rest}"),
            None if part.is_empty() => {}
            None if part.starts_with(['[', '+']) => name.push_str(part),
            None => name = format!("{name}.{part}"),
        }
    }
    name
}

impl Machine {
    /// What people call an object.
    pub(crate) fn object_name(&self, object: ObjectId) -> String {
        Wording::new(self).object(object)
    }

    /// What people call what is at an address.
    pub(crate) fn name_at(&self, address: u64) -> String {
        Wording::new(self).address(address)
    }

    /// Whether a function is not the user's.
    pub(crate) fn is_foreign_function(&self, function: FunctionId) -> bool {
        let function = self.module.functions.get(function.index());
        function.is_some_and(|function| is_foreign(&self.module, function.location))
    }
}

#[cfg(test)]
mod tests {
    use super::public;

    #[test]
    fn names_are_those_of_the_program() {
        assert_eq!(public(".head"), ".head");
        assert_eq!(public("[2].next"), "[2].next");
        assert_eq!(public(".items[2].next"), ".items[2].next");
        assert_eq!(public(".lock.__data.__lock"), ".lock");
        assert_eq!(public(".mutex._M_mutex.__data.__lock"), ".mutex");
        assert_eq!(public(".used._M_i"), ".used");
        assert_eq!(public(".entries._M_impl._M_finish"), ".entries.finish");
    }
}
