//! Values that every thread has for itself, with destructors; and what runs at the end of the program.

use super::errno::EINVAL;
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::{MAIN, Machine};
use crate::undo::Undo;
use everyway_ir::FunctionId;

/// How often the values of a thread are looked through for ones to destroy.
const ROUNDS: u8 = 4;

pub(super) fn create(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, offset) = machine.follow(call.cell(0), 4)?;
    let destructor = call.number(1)?;
    machine.keys.push(destructor);
    machine.log.push(Undo::KeyMade);
    let key = machine.keys.len() as u64 - 1;
    machine.write(object, offset, 4, Cell::new(key));
    Reply::int(0)
}

pub(super) fn delete(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::int(0)
}

pub(super) fn set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (key, value) = (call.number(0)? as usize, call.number(1)?);
    if key >= machine.keys.len() {
        return Reply::int(EINVAL);
    }
    machine.set_key(call.thread, key, value);
    Reply::int(0)
}

pub(super) fn get(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let key = call.number(0)? as usize;
    Reply::word(machine.threads[call.thread].keys.get(key).copied().unwrap_or(0))
}

impl Machine {
    fn set_key(&mut self, thread: usize, key: usize, value: u64) {
        let keys = &mut self.threads[thread].keys;
        if keys.len() <= key {
            keys.resize(key + 1, 0);
        }
        let old = std::mem::replace(&mut keys[key], value);
        self.log.push(Undo::Key { thread: thread as u32, key: key as u32, old });
    }

    /// What a thread that has ended otherwise still has to call, and with what.
    pub(crate) fn next_destructor(&mut self, thread: usize) -> Result<Option<(FunctionId, u64)>, Failure> {
        let after = std::mem::take(&mut self.threads[thread].core.after);
        if after != 0 {
            return Ok(Some((self.virtual_function(after, 1)?, after)));
        }
        let wanted = |(key, &destructor): (usize, &u64)| {
            (destructor != 0 && self.threads[thread].keys.get(key).is_some_and(|&value| value != 0)).then_some(key)
        };
        let exiting = self.threads[thread].core.exiting;
        if !exiting
            && self.threads[thread].core.rounds <= ROUNDS
            && let Some(key) = self.keys.iter().enumerate().find_map(wanted)
        {
            let value = self.threads[thread].keys[key];
            self.set_key(thread, key, 0);
            return Ok(Some((self.function_at(Cell::new(self.keys[key]))?, value)));
        }
        if exiting || thread == MAIN {
            return self.next_exit_handler();
        }
        Ok(None)
    }

    fn next_exit_handler(&mut self) -> Result<Option<(FunctionId, u64)>, Failure> {
        let Some(handler) = self.exit_handlers.pop() else { return Ok(None) };
        self.log.push(Undo::ExitHandler(Some(handler)));
        let (function, argument) = handler;
        Ok(Some((self.function_at(Cell::new(function))?, argument.unwrap_or(0))))
    }
}
