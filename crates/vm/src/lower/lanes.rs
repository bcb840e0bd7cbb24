//! Which lanes of a frame the registers of a function lie in.
//!
//! The frame of the thread that moves is copied with every step, so it had better be small. Most registers are assigned and
//! read in one block only: such a register has its lanes from the instruction that assigns it to the last one that reads it,
//! and others have them afterwards. All other registers have lanes of their own. That takes no more than one look at each
//! operand, however large the function is.
//!
//! An instruction never gets the lanes of its operands for its results: some write before they have read everything, and a
//! function that the machine models looks at its arguments again when it goes on. After `longjmp` a register has to be what
//! it was when `setjmp` was called, so that nothing is shared where that is called.

use everyway_ir::{BlockId, Body, Instruction, Reg, Type, Value};

/// The number of lanes of a value.
pub(super) fn lanes_for(ty: Type) -> u32 {
    if ty.bits() > 64 { 2 } else { 1 }
}

/// How long a register is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lifetime {
    /// As long as the frame is there.
    Frame,
    /// In this block, up to the instruction at this position.
    Block(BlockId, usize),
}

/// The position behind all instructions of a block: its terminator, and the phis of its successors.
const END: usize = usize::MAX;

/// The lanes of a frame.
#[derive(Debug)]
pub(super) struct Lanes<'a> {
    source: &'a Body,
    lifetimes: Vec<Lifetime>,
    /// By register, its first lane as long as it has one.
    of: Vec<Option<u32>>,
    /// Those that nothing is in: single ones, and pairs.
    free: [Vec<u32>; 2],
    /// The first lanes of what the instruction at hand needs for itself, and how many they are.
    temporaries: Vec<(u32, u32)>,
    /// The registers of the block at hand that have lanes up to its end.
    until_end: Vec<Reg>,
    /// How many there are.
    count: u32,
}

impl<'a> Lanes<'a> {
    /// Those of a body with this many parameters, which come first. Where nothing may be shared, every register has its own.
    pub(super) fn new(source: &'a Body, parameters: usize, may_share: bool) -> Self {
        let lifetimes = match may_share {
            true => lifetimes(source),
            false => vec![Lifetime::Frame; source.registers.len()],
        };
        let of = vec![None; lifetimes.len()];
        let free = [Vec::new(), Vec::new()];
        let mut lanes = Self { source, lifetimes, of, free, temporaries: Vec::new(), until_end: Vec::new(), count: 0 };
        for parameter in 0..parameters {
            lanes.of(Reg::new(parameter));
        }
        lanes
    }

    /// How many a frame has.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The first lane of a register.
    pub(super) fn of(&mut self, register: Reg) -> u32 {
        if let Some(lane) = self.of[register.index()] {
            return lane;
        }
        let width = lanes_for(self.source.register(register).ty);
        let lane = match self.lifetimes[register.index()] {
            Lifetime::Frame => self.add(width),
            Lifetime::Block(_, END) => {
                self.until_end.push(register);
                self.take(width)
            }
            Lifetime::Block(..) => self.take(width),
        };
        self.of[register.index()] = Some(lane);
        lane
    }

    /// Lanes that the instruction at hand needs for itself.
    pub(super) fn temporary(&mut self, width: u32) -> u32 {
        let lane = self.take(width);
        self.temporaries.push((lane, width));
        lane
    }

    /// What the instruction at this position of its block needed, and nothing needs any more, is free.
    pub(super) fn release(&mut self, instruction: &Instruction, position: usize) {
        self.release_temporaries();
        let operands = instruction.operation.values();
        for register in operands.into_iter().filter_map(Value::reg).chain(instruction.results.iter().copied()) {
            if let Lifetime::Block(_, last) = self.lifetimes[register.index()]
                && last == position
            {
                self.release_register(register);
            }
        }
    }

    /// A block has ended.
    pub(super) fn release_at_end(&mut self) {
        self.release_temporaries();
        for register in std::mem::take(&mut self.until_end) {
            self.release_register(register);
        }
    }

    fn release_register(&mut self, register: Reg) {
        if let Some(lane) = self.of[register.index()].take() {
            self.free[lanes_for(self.source.register(register).ty) as usize - 1].push(lane);
        }
    }

    fn release_temporaries(&mut self) {
        for (lane, width) in self.temporaries.drain(..) {
            self.free[width as usize - 1].push(lane);
        }
    }

    fn take(&mut self, width: u32) -> u32 {
        self.free[width as usize - 1].pop().unwrap_or_else(|| self.add(width))
    }

    fn add(&mut self, width: u32) -> u32 {
        self.count += width;
        self.count - width
    }
}

/// How long each register is needed. A parameter, or the result of a phi, comes from elsewhere.
fn lifetimes(source: &Body) -> Vec<Lifetime> {
    let mut lifetimes = vec![Lifetime::Frame; source.registers.len()];
    for id in source.block_ids() {
        for (position, instruction) in source.block(id).instructions.iter().enumerate() {
            for result in &instruction.results {
                lifetimes[result.index()] = Lifetime::Block(id, position);
            }
        }
    }
    let mut read = |value: Value, block: BlockId, position: usize| {
        let Some(lifetime) = value.reg().map(|register| &mut lifetimes[register.index()]) else { return };
        match lifetime {
            Lifetime::Block(home, last) if *home == block => *last = position.max(*last),
            _ => *lifetime = Lifetime::Frame,
        }
    };
    for id in source.block_ids() {
        let block = source.block(id);
        for (position, instruction) in block.instructions.iter().enumerate() {
            instruction.operation.values().into_iter().for_each(|value| read(value, id, position));
        }
        block.terminator.kind.values().into_iter().for_each(|value| read(value, id, END));
        for &(from, value) in block.phis.iter().flat_map(|phi| &phi.incoming) {
            read(value, from, END);
        }
    }
    lifetimes
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_ir::parse;
    use rustc_hash::FxHashMap;

    /// How many lanes a frame of the first function of a program has, whose instructions are gone through as they are
    /// lowered. What an instruction reads is still where it was put.
    fn count(text: &str, may_share: bool) -> u32 {
        let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let function = &module.functions[0];
        let source = function.body.as_ref().expect("it has a body");
        let parameters = function.signature.parameters.len();
        let mut lanes = Lanes::new(source, parameters, may_share);
        let mut holds = FxHashMap::default();
        for parameter in (0..parameters).map(Reg::new) {
            holds.insert(lanes.of(parameter), parameter);
        }
        for id in source.block_ids() {
            for (position, instruction) in source.block(id).instructions.iter().enumerate() {
                for &result in &instruction.results {
                    holds.insert(lanes.of(result), result);
                }
                holds.remove(&lanes.temporary(1));
                for register in instruction.operation.values().into_iter().filter_map(Value::reg) {
                    assert_eq!(holds.get(&lanes.of(register)), Some(&register));
                }
                lanes.release(instruction, position);
            }
            for register in source.block(id).terminator.kind.values().into_iter().filter_map(Value::reg) {
                assert_eq!(holds.get(&lanes.of(register)), Some(&register));
            }
            lanes.release_at_end();
        }
        lanes.count()
    }

    const CHAIN: &str = "function @f(%0:i32) -> i32 {\nb0:\n %1:i32 = add %0, 1:i32\n %2:i32 = add %1, 1:i32\n \
        %3:i32 = add %2, 1:i32\n %4:i32 = add %3, 1:i32\n return %4\n}\n";

    #[test]
    fn registers_of_one_block_share_lanes() {
        // The parameter, a register that is read and one that is assigned, and what the instruction has for itself.
        assert_eq!(count(CHAIN, true), 4);
        assert_eq!(count(CHAIN, false), 6);
    }

    #[test]
    fn registers_that_other_blocks_read_have_their_own() {
        let text = "function @f(%0:i32, %1:i1) -> i32 {\nb0:\n %2:i32 = add %0, 1:i32\n %3:i32 = add %0, 2:i32\n branch %1, b1, b2\n\
            b1:\n %4:i32 = add %2, 1:i32\n return %4\nb2:\n %5:i32 = add %3, 1:i32\n return %5\n}\n";
        // Both parameters, both that are read elsewhere, one that is returned, and what instructions have for themselves.
        assert_eq!(count(text, true), 6);
    }
}
