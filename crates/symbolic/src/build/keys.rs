//! Values that every thread has for itself, by key, with destructors.
//!
//! Keys are made while there is only one thread. A value is memory of its thread, which is there from the start.

use super::walk::{Flow, Region, Walk};
use super::{Builder, Owner};
use crate::system::{POINTER_BITS, Unsupported};
use crate::term::Term;
use everyway_ir::{FunctionId, Instruction};
use std::rc::Rc;

/// How often the values of a thread are looked through for ones to destroy.
const ROUNDS: u32 = 4;

impl Builder<'_> {
    /// A new key, whose number goes to memory.
    pub(super) fn create_key(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        if !self.alone {
            return self
                .unsupported("a key that is made while there are several threads is not supported by bmc", location);
        }
        let destructor = match self.terms.value(arguments[1]) {
            Some(0) => None,
            _ => match self.function_at(arguments[1]) {
                Some(function) if self.module.function(function).body.is_some() => Some(function),
                _ => return self.unsupported("a destructor that is not known before the program runs", location),
            },
        };
        let number = self.terms.constant(32, self.keys.len() as u128);
        self.keys.push(destructor);
        self.value_of_key(walk.thread, self.keys.len() - 1);
        self.write_result(walk, arguments[0], number, region, instruction)?;
        self.give(walk, instruction, 0)
    }

    /// Where a thread has its value for a key.
    fn value_of_key(&mut self, thread: usize, key: usize) -> Term {
        let thing = match self.key_values.get(&(thread, key)) {
            Some(&thing) => thing,
            None => {
                let thing = self.thing("the value of a key", POINTER_BITS / 8, Owner::Thread(thread));
                self.key_values.insert((thread, key), thing);
                thing
            }
        };
        self.pointer_to(thing, 0)
    }

    /// A thread starts with no values.
    pub(super) fn start_with_keys(&mut self, walk: &mut Walk) {
        let zero = self.terms.constant(8, 0);
        for key in 0..self.keys.len() {
            let pointer = self.value_of_key(walk.thread, key);
            let object = self.object_of(pointer);
            let object = self.terms.value(object).unwrap_or(0) as u32;
            walk.memory.insert(object, Rc::new(vec![zero; POINTER_BITS as usize / 8]));
        }
    }

    /// When a key is this one.
    fn is_key(&mut self, key: Term, number: usize) -> Term {
        let number = self.terms.constant(self.terms.width(key), number as u128);
        self.terms.equal(key, number)
    }

    /// The keys that a call may be about. If there is only one, it is that, or what comes is not supported.
    fn keys_of(&mut self, walk: &Walk, key: Term, region: &mut Region) -> Vec<(usize, Term)> {
        let count = self.keys.len();
        let mut found: Vec<(usize, Term)> = (0..count).map(|number| (number, self.is_key(key, number))).collect();
        let any = self.terms.any(found.iter().map(|(_, is_it)| *is_it));
        let none = self.terms.not(any);
        self.note_unsupported(walk, none, "a key that was not made", region);
        if let [(_, is_it)] = &mut found[..] {
            *is_it = self.terms.bool(true);
        }
        found
    }

    pub(super) fn set_specific(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        (key, value): (Term, Term),
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        for (number, is_it) in self.keys_of(walk, key, region) {
            let pointer = self.value_of_key(walk.thread, number);
            let before = self.read_own(walk, pointer, POINTER_BITS / 8);
            let after = self.terms.choose(is_it, value, before);
            self.write_own(walk, pointer, after);
        }
        self.give(walk, instruction, 0)
    }

    pub(super) fn get_specific(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        key: Term,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let mut result = self.terms.constant(POINTER_BITS, 0);
        for (number, is_it) in self.keys_of(walk, key, region) {
            let pointer = self.value_of_key(walk.thread, number);
            let value = self.read_own(walk, pointer, POINTER_BITS / 8);
            result = self.terms.choose(is_it, value, result);
        }
        if let Some(&reg) = instruction.results.first() {
            walk.set(reg, result);
        }
        Ok(Flow::Next)
    }

    /// A thread has nothing more to do: the destructor that it still has to call, and with what.
    pub(super) fn next_destructor(&mut self, walk: &mut Walk) -> Result<Option<(FunctionId, Term)>, Unsupported> {
        for key in 0..self.keys.len() {
            let Some(destructor) = self.keys[key].filter(|_| walk.rounds < ROUNDS) else { continue };
            let pointer = self.value_of_key(walk.thread, key);
            let value = self.read_own(walk, pointer, POINTER_BITS / 8);
            let object = self.object_of(value);
            let mut found = Vec::new();
            match self.terms.value(value) {
                Some(0) => continue,
                Some(_) => {}
                None if self.terms.leaves(object, &mut found) && !found.contains(&0) => {}
                None => {
                    let what = "whether a value is destroyed is not known before the program runs";
                    return self.unsupported(what, self.module.function(destructor).location);
                }
            }
            if self.wants_results {
                let what = "threads whose results are wanted and whose values are destroyed are not supported by bmc";
                return self.unsupported(what, self.module.function(destructor).location);
            }
            let zero = self.terms.constant(POINTER_BITS, 0);
            self.write_own(walk, pointer, zero);
            walk.rounds += 1;
            return Ok(Some((destructor, value)));
        }
        Ok(None)
    }
}
