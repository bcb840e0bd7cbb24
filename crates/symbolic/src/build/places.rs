//! Places: the points where threads can stand, and what is known there.

use super::sections::Sections;
use super::sync::{After, Performed};
use super::walk::{Frame, Region, Stop, Walk};
use super::{Builder, Owner, ThreadDraft};
use crate::system::{Action, COUNTER_BITS, FIRST, OBJECT_BITS, OFFSET_BITS, POINTER_BITS, SETTLED_BITS, Unsupported};
use crate::term::{Term, mask};
use everyway_ir::{BlockId, FunctionId, Instruction, Operation, Reg, Type};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A place: by calls, blocks and instructions. While the first thread starts others, places are also told apart by
/// the one before, so that loops that start threads are unrolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The place before, or 0: see [`Builder::unrolled_from`].
    from: u32,
    at: Vec<(u32, BlockId, usize)>,
    /// The objects of the thread that others can reach.
    published: Vec<u32>,
    /// Which step of a call.
    stage: u32,
    sections: Sections,
    /// Whether it is before something visible; a loop may be cut at the same instruction.
    is_visible: bool,
}

/// A thread that is started: by whom, from which place, where, and as the how many-th on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Birth {
    thread: usize,
    origin: u32,
    at: Vec<(u32, BlockId, usize)>,
    nth: u32,
}

/// What a variable of the analysis is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum VariableKey {
    Register {
        call: u32,
        reg: Reg,
    },
    /// The offset in a register that always points to one object.
    Offset {
        call: u32,
        reg: Reg,
    },
    Byte {
        thing: u32,
        offset: u32,
    },
    Old {
        thread: usize,
        origin: u32,
        /// Which access of the place.
        nth: usize,
        width: u32,
    },
    Input {
        thread: usize,
        origin: u32,
    },
    Fresh {
        thing: u32,
    },
}

/// Something that is part of a thread's state at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Register { frame: usize, call: u32, reg: Reg, ty: Type },
    Byte { thing: u32, offset: u32 },
}

/// What is known of a slot at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It always holds this, which does not change.
    Same(Term),
    /// It is a pointer to this object.
    Within(u32),
    Any,
}

/// A place while it is analysed.
#[derive(Clone, Debug)]
pub(super) struct PlaceDraft {
    pub(super) frames: Vec<(FunctionId, u32, BlockId, usize)>,
    pub(super) slots: Vec<Slot>,
    pub(super) known: Vec<Known>,
    published: Vec<u32>,
    pub(super) sections: Sections,
    stage: u32,
    stop: Stop,
    /// Whether its successors are told apart from those of other places.
    is_unrolled: bool,
    is_new: bool,
}

fn positions(walk: &Walk) -> Vec<(u32, BlockId, usize)> {
    walk.frames.iter().map(|frame| (frame.call, frame.block, frame.index)).collect()
}

impl<'m> Builder<'m> {
    /// The variable for this; always the same.
    pub(super) fn variable(&mut self, key: VariableKey, name: &str, width: u32) -> Term {
        if let Some(&term) = self.variables.get(&key) {
            return term;
        }
        let term = self.terms.variable(name, width);
        self.variables.insert(key, term);
        term
    }

    fn draft(&mut self, function: FunctionId) -> usize {
        let declared = self.module.function(function);
        let name = declared.source_name.clone().unwrap_or_else(|| declared.name.clone());
        let counter = self.terms.variable(format!("pc of {name}"), COUNTER_BITS);
        let settled = self.terms.variable(format!("the end of {name}"), SETTLED_BITS);
        let result = self.terms.variable(format!("the result of {name}"), POINTER_BITS);
        self.threads.push(ThreadDraft {
            name,
            counter,
            settled,
            result,
            places: Vec::new(),
            by_key: FxHashMap::default(),
        });
        self.threads.len() - 1
    }

    /// The thread that is started where the path is.
    pub(super) fn child_of(&mut self, walk: &Walk, start: FunctionId) -> usize {
        let at = positions(walk);
        let birth = Birth { thread: walk.thread, origin: walk.origin, at, nth: walk.births };
        if let Some(&child) = self.children.get(&birth) {
            return child;
        }
        let child = self.draft(start);
        self.children.insert(birth, child);
        child
    }

    /// What `main` is given: how many arguments the program has, and where they are.
    fn program_arguments(&mut self, main: FunctionId) -> Result<Vec<Term>, Unsupported> {
        let parameters = self.module.function(main).signature.parameters.clone();
        let location = self.module.function(main).location;
        if parameters.is_empty() {
            return Ok(Vec::new());
        }
        if parameters.len() > 2 || parameters[0].bits() != 32 {
            return self
                .unsupported("a `main` that takes more than `argc` and `argv` is not supported by bmc", location);
        }
        let texts = self.setup.arguments.clone();
        let array = self.thing("argv", 8 * (texts.len() as u32 + 1), Owner::Shared);
        for (index, text) in texts.iter().enumerate() {
            let bytes: Vec<Term> = text.bytes().chain([0]).map(|byte| self.terms.constant(8, byte.into())).collect();
            let thing = self.thing("an argument", bytes.len() as u32, Owner::Shared);
            self.things[thing as usize].bytes = bytes;
            let pointer = self.pointer_to(thing, 0);
            self.hold(pointer);
            self.write_bytes_of(array, 8 * index, pointer);
        }
        let count = self.terms.constant(32, texts.len() as u128);
        let array = self.pointer_to(array, 0);
        Ok([count, array].into_iter().take(parameters.len()).collect())
    }

    /// Runs the first thread up to its first place; `None` if the program fails on the way.
    pub(super) fn start(&mut self, main: FunctionId) -> Result<Option<Region>, Unsupported> {
        let thread = self.draft(main);
        let always = self.terms.bool(true);
        let mut walk = Walk::new(thread, always, 0);
        let arguments = self.program_arguments(main)?;
        self.enter(&mut walk, main, &arguments, None)?;
        let mut region = Region::default();
        self.run_alone(walk, &mut region)?;
        for (walk, stop) in &mut region.stops {
            if walk.thread == thread && *stop == Stop::Cut {
                self.end_of_solitude(walk);
            }
        }
        self.alone = false;
        let stops: Vec<(Walk, Stop)> = region.stops.clone();
        for (walk, stop) in &stops {
            self.arrive(walk, *stop)?;
        }
        Ok((!region.fails.iter().any(|&fails| self.terms.is_true(fails))).then_some(region))
    }

    /// Explores all places until nothing new is known of any, nor of what pointers may point to.
    pub(super) fn explore_all(&mut self) -> Result<(), Unsupported> {
        loop {
            let before = self.reachable();
            while let Some((thread, place)) = self.next_new() {
                self.threads[thread].places[place].is_new = false;
                let (_, region) = self.explore(thread, place)?;
                for (walk, stop) in &region.stops {
                    self.arrive(walk, *stop)?;
                }
            }
            if self.reachable() == before {
                return Ok(());
            }
            for place in self.threads.iter_mut().flat_map(|draft| &mut draft.places) {
                place.is_new = true;
            }
        }
    }

    /// How many objects may be pointed to, or shared, without the program showing it, and how many threads there are.
    /// Their numbers only grow.
    fn reachable(&self) -> [usize; 4] {
        let held = self.things.iter().filter(|thing| thing.is_held).count();
        let published = self.things.iter().filter(|thing| thing.is_published).count();
        [held, published, self.threads.len(), usize::from(self.wants_results)]
    }

    pub(super) fn next_new(&self) -> Option<(usize, usize)> {
        let new = |draft: &ThreadDraft| draft.places.iter().position(|place| place.is_new);
        self.threads.iter().enumerate().find_map(|(thread, draft)| Some((thread, new(draft)?)))
    }

    /// Follows all paths from a place, after its action.
    pub(super) fn explore(&mut self, thread: usize, place: usize) -> Result<(Action, Region), Unsupported> {
        let draft = self.threads[thread].places[place].clone();
        let always = self.terms.bool(true);
        let mut walk = Walk::new(thread, always, place as u32 + 1);
        for &(function, call, block, index) in &draft.frames {
            walk.frames.push(Frame { function, call, block, index, registers: FxHashMap::default() });
        }
        let mut memory: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
        for (&slot, &known) in draft.slots.iter().zip(&draft.known) {
            let term = self.term_at(slot, known);
            match slot {
                Slot::Register { frame, reg, .. } => {
                    walk.frames[frame].registers.insert(reg, term);
                }
                Slot::Byte { thing, .. } => memory.entry(thing).or_default().push(term),
            }
        }
        walk.memory = memory.into_iter().map(|(thing, bytes)| (thing, Rc::new(bytes))).collect();
        walk.published = draft.published.clone();
        walk.stage = draft.stage;
        walk.sections = draft.sections;
        let mut region = Region::default();
        walk.begin();
        if draft.stop != Stop::Visible {
            self.run(walk, &mut region)?;
            return Ok((Action::default(), region));
        }
        walk.sections = draft.sections.used();
        let frame = walk.frames.last().expect("a place is in a function");
        let instruction = &self.block(frame).instructions[frame.index];
        let Performed { action, after, other } = match instruction.operation {
            Operation::Call { .. } => self.perform_call(&mut walk, instruction, &mut region)?,
            Operation::Await { ref access, ref until, .. } => {
                let access = Instruction { operation: (**access).clone(), ..instruction.clone() };
                self.perform_access(&mut walk, &access, Some(until), &mut region)?
            }
            _ => self.perform_access(&mut walk, instruction, None, &mut region)?,
        };
        for (mut walk, after) in other.into_iter().chain([(walk, after)]) {
            match after {
                After::Next => {
                    (walk.top().index, walk.stage) = (walk.top().index + 1, 0);
                    self.run(walk, &mut region)?;
                }
                After::Stage(stage) => {
                    walk.stage = stage;
                    region.stops.push((walk, Stop::Visible));
                }
            }
        }
        Ok((action, region))
    }

    /// What a slot holds at a place.
    pub(super) fn term_at(&mut self, slot: Slot, known: Known) -> Term {
        match (known, slot) {
            (Known::Same(term), _) => term,
            (Known::Within(object), Slot::Register { call, reg, .. }) => {
                let offset = self.variable(VariableKey::Offset { call, reg }, "offset", OFFSET_BITS);
                let object = self.terms.constant(OBJECT_BITS, object.into());
                self.terms.concat(object, offset)
            }
            (_, Slot::Register { call, reg, ty, .. }) => {
                self.variable(VariableKey::Register { call, reg }, "register", ty.bits())
            }
            (_, Slot::Byte { thing, offset }) => self.variable(VariableKey::Byte { thing, offset }, "byte", 8),
        }
    }

    /// The path may still start threads.
    fn may_start(&self, walk: &Walk) -> bool {
        walk.frames.iter().enumerate().any(|(depth, frame)| {
            let body = self.body(frame.function);
            let mut seen = vec![false; body.blocks.len()];
            let mut work = Vec::new();
            let starts = |instructions: &[everyway_ir::Instruction]| {
                instructions.iter().any(|instruction| self.call_starts_threads(instruction, &mut Vec::new()))
            };
            // The call of an outer frame is being executed already.
            let rest = frame.index + usize::from(depth + 1 < walk.frames.len());
            if starts(&body.block(frame.block).instructions[rest..]) {
                return true;
            }
            body.block(frame.block).terminator.kind.for_each_successor(|next| work.push(next));
            while let Some(block) = work.pop() {
                if std::mem::replace(&mut seen[block.index()], true) {
                    continue;
                }
                if starts(&body.block(block).instructions) {
                    return true;
                }
                body.block(block).terminator.kind.for_each_successor(|next| work.push(next));
            }
            false
        })
    }

    /// The place that the path comes from, plus 2, if the ones after it are told apart by that; 0 if not.
    pub(super) fn unrolled_from(&self, walk: &Walk) -> u32 {
        let from = |place: u32| &self.threads[walk.thread].places[place as usize];
        let is_unrolled = walk.thread == 0
            && walk.origin.checked_sub(1).is_none_or(|place| from(place).is_unrolled)
            && walk.forks == 0
            && self.may_start(walk);
        if is_unrolled { walk.origin + 1 } else { 0 }
    }

    fn key(&self, walk: &Walk, stop: Stop) -> Key {
        Key {
            from: self.unrolled_from(walk),
            at: positions(walk),
            published: walk.published.clone(),
            stage: walk.stage,
            sections: walk.sections,
            is_visible: stop == Stop::Visible,
        }
    }

    /// The state of the thread where the path ends.
    fn slots(&mut self, walk: &Walk) -> Vec<(Slot, Term)> {
        let mut slots = Vec::new();
        for (depth, frame) in walk.frames.iter().enumerate() {
            let body = self.body(frame.function);
            let liveness = self.liveness_of(frame.function);
            let live = match depth + 1 == walk.frames.len() {
                true => liveness.before(body, frame.block, frame.index),
                false => liveness.across(body, frame.block, frame.index),
            };
            for reg in live {
                let ty = body.register(reg).ty;
                let term = frame.registers[&reg];
                slots.push((Slot::Register { frame: depth, call: frame.call, reg, ty }, term));
            }
        }
        let mut things: Vec<(&u32, &Rc<Vec<Term>>)> = walk.memory.iter().collect();
        things.sort_unstable_by_key(|(thing, _)| **thing);
        for (&thing, bytes) in things {
            for (offset, &byte) in bytes.iter().enumerate() {
                slots.push((Slot::Byte { thing, offset: offset as u32 }, byte));
            }
        }
        slots
    }

    fn is_rigid(&self, term: Term) -> bool {
        self.terms.value(term).is_some()
            || self.terms.support(term).iter().all(|variable| self.rigid.contains(variable))
    }

    /// What can be said of a value by itself.
    fn known(&mut self, slot: Slot, term: Term) -> Known {
        if self.is_rigid(term) {
            return Known::Same(term);
        }
        if let Slot::Register { ty: Type::Ptr, .. } = slot {
            let object = self.object_of(term);
            if let Some(object) = self.terms.value(object) {
                return Known::Within(object as u32);
            }
        }
        Known::Any
    }

    fn join(&mut self, slot: Slot, one: Known, other: Known) -> Known {
        if one == other {
            return one;
        }
        let object = |builder: &mut Self, known: Known| match (known, slot) {
            (Known::Within(object), _) => Some(object),
            (Known::Same(term), Slot::Register { ty: Type::Ptr, .. }) => {
                let object = builder.object_of(term);
                builder.terms.value(object).map(|object| object as u32)
            }
            _ => None,
        };
        match (object(self, one), object(self, other)) {
            (Some(a), Some(b)) if a == b => Known::Within(a),
            _ => Known::Any,
        }
    }

    /// A path ends: the place where it does, if it is one, and the state there.
    pub(super) fn arrive(&mut self, walk: &Walk, stop: Stop) -> Result<Option<(usize, Vec<Term>)>, Unsupported> {
        if matches!(stop, Stop::Ended | Stop::Exited | Stop::Stuck) {
            return Ok(None);
        }
        let location = self.here(walk);
        let (key, slots) = (self.key(walk, stop), self.slots(walk));
        let values: Vec<Term> = slots.iter().map(|(_, term)| *term).collect();
        let is_unrolled = key.from != 0;
        let draft = &self.threads[walk.thread];
        let place = match draft.by_key.get(&key) {
            Some(&place) => place,
            None => {
                let place = draft.places.len();
                if place + usize::from(FIRST) >= mask(COUNTER_BITS) as usize {
                    return self.unsupported("a thread has too many steps", location);
                }
                let frames = walk.frames.iter().map(|f| (f.function, f.call, f.block, f.index)).collect();
                let known = slots.iter().map(|&(slot, term)| self.known(slot, term)).collect();
                let slots = slots.iter().map(|(slot, _)| *slot).collect();
                let published = walk.published.clone();
                let (sections, stage) = (walk.sections, walk.stage);
                let new =
                    PlaceDraft { frames, slots, known, published, sections, stage, stop, is_unrolled, is_new: true };
                let draft = &mut self.threads[walk.thread];
                draft.places.push(new);
                draft.by_key.insert(key, place);
                place
            }
        };
        let before = &self.threads[walk.thread].places[place];
        if before.slots.len() != slots.len() || before.slots.iter().zip(&slots).any(|(a, (b, _))| a != b) {
            return self.unsupported("memory is allocated on some ways to this place and not on others", location);
        }
        let mut known = before.known.clone();
        for (index, &(slot, term)) in slots.iter().enumerate() {
            let now = self.known(slot, term);
            let joined = self.join(slot, known[index], now);
            if joined == Known::Any {
                self.check_pointer(walk, term, location)?;
                if let Known::Same(term) = known[index] {
                    self.check_pointer(walk, term, location)?;
                }
            }
            known[index] = joined;
        }
        let draft = &mut self.threads[walk.thread].places[place];
        draft.is_new |= draft.known != known;
        draft.known = known;
        Ok(Some((place, values)))
    }

    /// What is not known any more must not be a pointer to something that only one thread has.
    fn check_pointer(
        &mut self,
        walk: &Walk,
        term: Term,
        location: Option<everyway_ir::SourceLocation>,
    ) -> Result<(), Unsupported> {
        if self.terms.width(term) != POINTER_BITS {
            return Ok(());
        }
        self.hold(term);
        let object = self.object_of(term);
        let mut found = Vec::new();
        self.terms.leaves(object, &mut found);
        let private = found.iter().filter(|object| !walk.published.contains(object));
        let private = private.filter_map(|&object| self.things.get(object as usize));
        let is_private = |owner: Owner| owner == Owner::Constant || owner == Owner::Thread(walk.thread);
        let mut private = private.filter(|thing| is_private(thing.owner));
        match private.next() {
            Some(thing) => {
                let what = format!("a pointer that may point to `{}` or to something else", thing.name);
                self.unsupported(what, location)
            }
            None => Ok(()),
        }
    }
}
