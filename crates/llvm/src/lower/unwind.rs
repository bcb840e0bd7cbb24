//! Exceptions: an `invoke` becomes a call and a test whether an exception has left it ([`UNWINDS`]), which the virtual machine
//! answers. The arguments of the test say what the landing pad is for: whether it cleans up, and the types that it catches.
//! The pad itself asks for the exception and the number of its type ([`LANDING`]).

use super::function::{Flat, Lowerer};
use crate::ast::{Block, Instruction, Invoke, Kind, Typed};
use crate::error::Result;
use everyway_ir::{Callee, LANDING, Operation, Signature, TerminatorKind, Type, UNWINDS, Value};
use smallvec::smallvec;

impl<'a> Lowerer<'_, '_, 'a> {
    /// The end of an `invoke`, whose call has been made.
    pub(super) fn invoke(&mut self, invoke: Invoke<'a>) -> Result<()> {
        let Some(arguments) = self.pads.get(invoke.unwind).cloned() else {
            return self.error(format!("there is no landing pad at `%{}`", invoke.unwind));
        };
        let signature = || Signature { parameters: vec![Type::I32], results: smallvec![Type::BOOL], variadic: true };
        let callee = Callee::Direct(self.context.external(UNWINDS, signature));
        let condition = self.emit_one(Operation::Call { callee, arguments, fixed: 1 }, Type::BOOL);
        let (then, otherwise) = (self.target(invoke.unwind)?, self.target(invoke.normal)?);
        self.terminate(TerminatorKind::Branch { condition, then, otherwise });
        Ok(())
    }

    /// Finds out what landing pads are for.
    pub(super) fn landing_pads(&mut self, blocks: &[Block<'a>]) -> Result<()> {
        for block in blocks {
            let is_pad = |instruction: &Instruction<'a>| matches!(instruction.kind, Kind::LandingPad(_));
            let pad = block.instructions.iter().find(|&instruction| is_pad(instruction));
            if let (Some(label), Some(Kind::LandingPad(pad))) = (block.label, pad.map(|pad| &pad.kind)) {
                let mut arguments = vec![Value::constant(Type::I32, u128::from(pad.cleans_up))];
                for class in &pad.catches {
                    arguments.push(self.address(class)?);
                }
                self.pads.insert(label, arguments);
            }
        }
        Ok(())
    }

    /// The exception that has come here, and the number of its type.
    pub(super) fn landing(&mut self) -> Flat {
        let signature = || Signature { parameters: vec![], results: smallvec![Type::Ptr, Type::I32], variadic: false };
        let callee = Callee::Direct(self.context.external(LANDING, signature));
        self.emit(Operation::Call { callee, arguments: Vec::new(), fixed: 0 }, &[Type::Ptr, Type::I32])
    }

    /// An exception goes on after a clean-up.
    pub(super) fn resume(&mut self, exception: &Typed<'a>) -> Result<Flat> {
        let values = self.typed(exception)?;
        let signature = || Signature { parameters: vec![Type::Ptr], results: smallvec![], variadic: false };
        let callee = Callee::Direct(self.context.external("_Unwind_Resume", signature));
        self.emit(Operation::Call { callee, arguments: values[..1].to_vec(), fixed: 1 }, &[]);
        self.terminate(TerminatorKind::Unreachable);
        Ok(Flat::new())
    }
}
