//! Values that every thread has for itself, with destructors; and what runs at the end of the program.

use super::errno::EINVAL;
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::KeyId;
use crate::machine::{MAIN, Machine};
use crate::script::scripted;
use crate::undo::Undo;
use everyway_ir::FunctionId;
use everyway_runtime::ThreadId;

/// How often the values of a thread are looked through for ones to destroy.
const ROUNDS: u8 = 4;

pub(super) fn create(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, destructor) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let key = script.once(|machine| Ok(Cell::new(machine.new_key(call.thread, destructor))))?;
        script.write(target, 4, key)?;
        Ok(Reply::int(0))
    })
}

pub(super) fn delete(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::int(0)
}

pub(super) fn set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (key, value) = (call.number(0)? as usize, call.number(1)?);
    if machine.keys.get(key).copied().flatten().is_none() {
        return Reply::int(EINVAL);
    }
    machine.set_key(call.thread, key, value);
    Reply::int(0)
}

pub(super) fn get(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let key = call.number(0)? as usize;
    Reply::word(machine.threads[call.thread].keys.get(key).copied().unwrap_or(0))
}

/// `__cxa_thread_atexit(destructor, variable, ...)`: a thread-local variable has been constructed.
pub(super) fn at_thread_exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let destructor = (call.number(0)?, call.number(1)?);
    machine.threads[call.thread].destructors.push(destructor);
    machine.log.push(Undo::Destructor { thread: call.thread, taken: None });
    Reply::int(0)
}

impl Machine {
    /// The key that `thread` makes next: the same in every execution.
    fn new_key(&mut self, thread: ThreadId, destructor: u64) -> u64 {
        let position = self.threads[thread].core.keys as usize;
        self.threads[thread].core.keys += 1;
        while self.threads[thread].known_keys.len() <= position {
            self.threads[thread].known_keys.push(KeyId::new(self.keys.len()));
            self.keys.push(None);
        }
        let key = self.threads[thread].known_keys[position];
        let old = self.keys[key.index()].replace(destructor);
        self.log.push(Undo::KeyMade { key, old });
        key.0.into()
    }

    fn set_key(&mut self, thread: ThreadId, key: usize, value: u64) {
        let keys = &mut self.threads[thread].keys;
        if keys.len() <= key {
            keys.resize(key + 1, 0);
        }
        let old = std::mem::replace(&mut keys[key], value);
        self.log.push(Undo::Key { thread, key: KeyId::new(key), old });
    }

    /// What a thread that has ended otherwise still has to call, and with what.
    pub(crate) fn next_destructor(&mut self, thread: ThreadId) -> Result<Option<(FunctionId, u64)>, Failure> {
        let after = std::mem::take(&mut self.threads[thread].core.after);
        if after != 0 {
            return Ok(Some((self.virtual_function(after, 1)?, after)));
        }
        if !self.threads[thread].core.at_once
            && let Some(destructor) = self.threads[thread].destructors.pop()
        {
            self.log.push(Undo::Destructor { thread, taken: Some(destructor) });
            return Ok(Some((self.function_at(Cell::new(destructor.0))?, destructor.1)));
        }
        let wanted = |(key, &destructor): (usize, &Option<u64>)| {
            let is_set = self.threads[thread].keys.get(key).is_some_and(|&value| value != 0);
            destructor.filter(|&destructor| destructor != 0 && is_set).map(|destructor| (key, destructor))
        };
        let exiting = self.threads[thread].core.exiting;
        if !exiting
            && self.threads[thread].core.rounds <= ROUNDS
            && let Some((key, destructor)) = self.keys.iter().enumerate().find_map(wanted)
        {
            let value = self.threads[thread].keys[key];
            self.set_key(thread, key, 0);
            return Ok(Some((self.function_at(Cell::new(destructor))?, value)));
        }
        if (exiting || thread == MAIN) && !self.threads[thread].core.at_once {
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
