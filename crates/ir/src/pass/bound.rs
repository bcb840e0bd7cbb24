//! Bounds on loops: natural loops count their rounds, and check at each whether they may continue.
//!
//! The check is a call of the external function [`LOOP_BOUND`], at which the virtual machine stops the thread if the first
//! argument, the rounds so far, is greater than the second, the bound. Cycles with several entries are not bounded.

use crate::analysis::{ControlFlow, Definitions, Dominators, Loop, Loops, is_counted};
use crate::function::{Body, Function, Instruction, Phi, Register, Signature};
use crate::ids::{FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::BinaryOp;
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;

/// The function that loops ask.
pub const LOOP_BOUND: &str = "__everyway_loop_bound";

/// The loops that are bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// All.
    All,
    /// Those that do not count up to something: they wait, in a way that could not be treated, or try again.
    Spinning,
}

/// Makes loops of the program ask after each of their rounds whether they have been through more than `rounds`.
pub fn bound_loops(module: &mut Module, which: Bounded, rounds: u64) {
    let asked = module.functions.iter().position(|function| function.name == LOOP_BOUND);
    let asked = FunctionId::new(asked.unwrap_or(module.functions.len()));
    if asked.index() == module.functions.len() {
        module.functions.push(Function {
            name: LOOP_BOUND.to_owned(),
            source_name: None,
            signature: Signature { parameters: vec![Type::Int(64); 2], ..Signature::default() },
            location: None,
            weak: false,
            body: None,
        });
    }
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        let flow = ControlFlow::new(body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        let definitions = Definitions::new(body);
        let loops = Loops::new(&flow, &dominators);
        let is_wanted = |found: &Loop| which == Bounded::All || !is_counted(body, &definitions, &dominators, found);
        let wanted: Vec<&Loop> = loops.iter().map(|(_, found)| found).filter(|found| is_wanted(found)).collect();
        for found in wanted {
            bound(body, found, &flow, asked, rounds);
        }
    }
}

fn bound(body: &mut Body, found: &Loop, flow: &ControlFlow, asked: FunctionId, rounds: u64) {
    let number = |bits: u64| Value::Const { ty: Type::Int(64), bits: bits.into() };
    let (count, next) = (add_register(body), add_register(body));
    let mut predecessors = flow.predecessors(found.header).to_vec();
    predecessors.sort_unstable();
    predecessors.dedup();
    let start = |&block: &_| (block, if found.contains(block) { Value::Reg(next) } else { number(0) });
    let incoming = predecessors.iter().map(start).collect();
    let header = &mut body.blocks[found.header.index()];
    let first = header.instructions.iter().find_map(|instruction| instruction.location);
    let location = first.or(header.terminator.location);
    header.phis.push(Phi { result: count, incoming, location });
    let add = Operation::Binary { op: BinaryOp::Add, lhs: Value::Reg(count), rhs: number(1) };
    let ask =
        Operation::Call { callee: Callee::Direct(asked), arguments: vec![Value::Reg(count), number(rounds)], fixed: 2 };
    let instructions = [
        Instruction { results: smallvec![next], operation: add, location },
        Instruction { results: smallvec![], operation: ask, location },
    ];
    header.instructions.splice(0..0, instructions);
}

fn add_register(body: &mut Body) -> Reg {
    body.registers.push(Register { ty: Type::Int(64), name: None });
    Reg(body.registers.len() as u32 - 1)
}
