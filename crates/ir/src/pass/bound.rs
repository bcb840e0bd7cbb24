//! Bounds on loops: every natural loop counts its rounds, and asks at each whether it may go on.
//!
//! The question is a call of the external function [`LOOP_BOUND`], which whoever executes the program answers: by
//! stopping the thread if the first argument, the rounds so far, is more than the second, the bound. Cycles with
//! several entries are not bounded.

use crate::analysis::{ControlFlow, Dominators, Loop, Loops};
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

/// Makes every loop of the program ask after each of its rounds whether it has been through more than `rounds`.
pub fn bound_loops(module: &mut Module, rounds: u64) {
    let asked = FunctionId(module.functions.len() as u32);
    module.functions.push(Function {
        name: LOOP_BOUND.to_owned(),
        source_name: None,
        signature: Signature { parameters: vec![Type::Int(64); 2], ..Signature::default() },
        location: None,
        weak: false,
        body: None,
    });
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        let flow = ControlFlow::new(body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        for (_, found) in Loops::new(&flow, &dominators).iter() {
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
