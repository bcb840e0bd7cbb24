//! Functions of a library that guard a pointer by a lock of their own, which orders less than a mutex: libstdc++'s
//! `std::atomic<std::shared_ptr<T>>` gives back its lock without a release where it has only read.
//!
//! The lock keeps two threads from being at the pointer at once, so that nothing is torn, and what is read is the last that was
//! written; but by the letter of C++, reading it is not ordered before the next write. As what the library promises is an atomic
//! operation, what it does to the pointer is atomic here, and orders nothing.

use crate::environment::Environment;
use crate::function::{Body, Instruction};
use crate::ids::Reg;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::AtomicOrdering;
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;

/// The alignment of pointers.
const ALIGN: u32 = 8;

/// Makes accesses to what is guarded like this atomic.
pub(super) fn adopt_own_locks(module: &mut Module, environment: &Environment) {
    for index in 0..module.functions.len() {
        let Some(parameter) = (environment.guards)(&module.functions[index].name) else { continue };
        let Some(mut body) = module.functions[index].body.take() else { continue };
        relax(module, environment, &mut body, Value::Reg(Reg::new(parameter)));
        module.functions[index].body = Some(body);
    }
}

/// Makes accesses to the pointer at this address atomic.
fn relax(module: &Module, environment: &Environment, body: &mut Body, guarded: Value) {
    for id in body.block_ids() {
        let before = std::mem::take(&mut body.blocks[id.index()].instructions);
        let mut after = Vec::with_capacity(before.len());
        for mut instruction in before {
            if let Some(addresses) = swapped(module, environment, body, &instruction) {
                after.extend(swap(body, &instruction, addresses, guarded));
                continue;
            }
            let is_guarded = instruction.accessed(body) == Some((guarded, Type::Ptr));
            if let Operation::Load { ordering: ordering @ None, .. }
            | Operation::Store { ordering: ordering @ None, .. } = &mut instruction.operation
                && is_guarded
            {
                *ordering = Some(AtomicOrdering::Monotonic);
            }
            after.push(instruction);
        }
        body.blocks[id.index()].instructions = after;
    }
}

/// The addresses of two pointers, if a call does nothing but swap those.
fn swapped(module: &Module, environment: &Environment, body: &Body, call: &Instruction) -> Option<[Value; 2]> {
    let Operation::Call { callee: Callee::Direct(id), arguments, .. } = &call.operation else { return None };
    let [one, other] = arguments[..] else { return None };
    let are_addresses = [one, other].iter().all(|argument| argument.ty(body) == Some(Type::Ptr));
    let swaps = (environment.swaps_pointers)(&module.function(*id).name);
    (swaps && are_addresses && call.results.is_empty()).then_some([one, other])
}

/// Swaps two pointers, as a call would.
fn swap(body: &mut Body, call: &Instruction, addresses: [Value; 2], guarded: Value) -> [Instruction; 4] {
    let location = call.location;
    let ordering = |address: Value| (address == guarded).then_some(AtomicOrdering::Monotonic);
    let [one, other] = addresses.map(|address| {
        let loaded = body.add_register(Type::Ptr, None);
        let operation = Operation::Load { address, align: ALIGN, volatile: false, ordering: ordering(address) };
        Instruction { results: smallvec![loaded], operation, location }
    });
    let store = |address: Value, from: &Instruction| {
        let value = Value::Reg(from.results[0]);
        let operation = Operation::Store { address, value, align: ALIGN, volatile: false, ordering: ordering(address) };
        Instruction { results: smallvec![], operation, location }
    };
    let (first, second) = (store(addresses[0], &other), store(addresses[1], &one));
    [one, other, first, second]
}
