//! Exceptions as objects: what the C++ runtime keeps in front of what was thrown.
//!
//! `std::rethrow_exception` throws a new exception that depends on the one it was given, so that every thread which catches
//! it counts its own handlers. Everything lies in memory, and is taken back as memory is.

use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::{Origin, address_of};
use everyway_runtime::ThreadId;

/// An exception, by the address of what was thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exception(pub(crate) u64);

/// What is kept of an exception, by where that is before what was thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The description of its type.
    Class = 56,
    /// The function that destroys it, or 0.
    Destructor = 48,
    /// How many use it.
    References = 40,
    /// How many handlers are in it; the negative number, if it has been thrown again.
    Handlers = 32,
    /// The exception that was caught before, in the same thread.
    Next = 24,
    /// What its handler is given.
    Caught = 16,
    /// The exception that it depends on, or 0.
    Primary = 8,
}

/// How many bytes come before what was thrown.
const HEADER: u64 = 64;

impl Exception {
    /// The address of a field.
    pub(crate) fn field(self, field: Field) -> u64 {
        self.0.wrapping_sub(field as u64)
    }
}

impl Machine {
    /// Memory for an exception of so many bytes.
    pub(crate) fn new_exception(&mut self, thread: ThreadId, size: u64) -> Result<Exception, Failure> {
        let object = self.birth(thread, HEADER + size, Origin::Internal("an exception"), false)?;
        for at in (0..HEADER).step_by(8) {
            self.write(object, at, 8, Cell::new(0));
        }
        Ok(Exception(address_of(object) + HEADER))
    }

    /// A field of an exception that the thread has to itself.
    pub(crate) fn of_exception(&self, exception: Exception, field: Field) -> u64 {
        match self.memory.resolve(exception.field(field)) {
            Some((object, offset)) if offset >= 0 => self.memory.read(object, offset as u64, 8).bits,
            _ => 0,
        }
    }

    pub(crate) fn set_of_exception(&mut self, exception: Exception, field: Field, value: u64) {
        if let Some((object, offset)) = self.memory.resolve(exception.field(field))
            && offset >= 0
        {
            self.write(object, offset as u64, 8, Cell::new(value));
        }
    }

    pub(crate) fn class_of(&self, exception: Exception) -> u64 {
        self.of_exception(exception, Field::Class)
    }

    /// Where what was thrown is.
    pub(crate) fn payload(&self, exception: Exception) -> u64 {
        match self.of_exception(exception, Field::Primary) {
            0 => exception.0,
            primary => primary,
        }
    }

    pub(crate) fn set_caught_object(&mut self, exception: Exception, object: u64) {
        self.set_of_exception(exception, Field::Caught, object);
    }

    /// What people call the class that is described at an address.
    pub(crate) fn class_name(&self, class: u64) -> String {
        if let Some(Origin::Function(function)) =
            self.memory.resolve(class).map(|found| self.memory.object(found.0).state.origin)
        {
            return format!("by {}", self.function_name(function));
        }
        let name = self.memory.locate(class.wrapping_add(8), 8).ok();
        let name = name.map_or(0, |(object, offset)| self.memory.read(object, offset, 8).bits);
        let name = self.text_at(name);
        let demangled = crate::describe::demangled(&format!("_ZTS{}", name.trim_start_matches('*')));
        let plain = demangled.and_then(|text| text.strip_prefix("typeinfo name for ").map(str::to_owned));
        plain.unwrap_or_else(|| if name.is_empty() { "of an unknown type".to_owned() } else { name })
    }
}
