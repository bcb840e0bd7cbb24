//! Inlining of small functions.
//!
//! A loop that calls a function - `while (!try_lock(&l))`, `while (x.load())` - can be analysed only with the body of the
//! function in the place of the call. No execution differs. Not inlined are recursive functions, functions that the virtual
//! machine has to see, and mostly functions with variables in memory, because these end with the call: see
//! [`adopt_variables`]. Names of variables and
//! source locations are kept; code from a system header is attributed to the user's call. A user's function is not inlined
//! into one of the system's, where a reader of the report would not find it.

use super::adopt_variables::{adopt_variables, asks_the_time, can_be_adopted};
use super::fold::fold;
use super::promote::promote;
use super::unwind::{Throwing, is_asked_about, lead_exceptions, take_question};
use crate::debug::is_system_file;
use crate::environment::{Called, Environment};
use crate::function::{Block, Body, Function, Instruction, Phi, Terminator, TerminatorKind};
use crate::ids::{BlockId, FrameId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::source::{Frame, SourceLocation};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Functions of more instructions stay where they are. A compare-exchange whose orderings are parameters is some 200, of which
/// hardly any are left where it is called.
const CALLEE_LIMIT: usize = 256;
/// Functions do not grow beyond this many instructions.
const CALLER_LIMIT: usize = 8192;

/// Puts small functions where they are called.
pub fn inline(module: &mut Module, environment: &Environment) {
    let order = callees_first(module);
    let throwing = Throwing::of(module, &environment.throws);
    let entry = module.entry();
    let mut suits = vec![Called::Seen; module.functions.len()];
    let mut frames = std::mem::take(&mut module.frames);
    for (id, is_recursive) in order {
        let Some(mut body) = module.functions[id.index()].body.take() else { continue };
        Caller { module, id, suits: &suits, throwing: &throwing, is_foreign: is_foreign(module, id) }
            .inline_into(&mut body, &mut frames);
        fold(&mut body);
        let returns_twice = module.returns_twice_in(&body);
        let function = &mut module.functions[id.index()];
        function.body = Some(body);
        // What was passed by its address to a function that is gone need not be in memory any more.
        promote(function);
        if !is_recursive && Some(id) != entry && !returns_twice {
            let function = module.function(id);
            if is_suitable(module, function, environment) {
                suits[id.index()] = (environment.must_be_called)(&function.name);
            }
        }
    }
    module.frames = frames;
}

/// The functions, those that a function calls before it, and whether each can call itself: it is in a strongly connected
/// component with others, or calls itself (Tarjan, 1972).
fn callees_first(module: &Module) -> Vec<(FunctionId, bool)> {
    let callees: Vec<Vec<FunctionId>> = module.functions.iter().map(callees).collect();
    let mut order = Vec::with_capacity(callees.len());
    // When a function was met, and the first one that can be reached from it among those that are not finished.
    let mut met: Vec<Option<(usize, usize)>> = vec![None; callees.len()];
    let mut finished = vec![false; callees.len()];
    let mut component = Vec::new();
    let mut count = 0;
    for root in 0..callees.len() {
        let mut stack = vec![(root, 0)];
        while let Some((function, next)) = stack.last_mut() {
            let function = *function;
            if *next == 0 {
                if met[function].is_some() {
                    stack.pop();
                    continue;
                }
                met[function] = Some((count, count));
                count += 1;
                component.push(function);
            }
            *next += 1;
            let callee = callees[function].get(*next - 1).map(|callee| callee.index());
            match callee {
                Some(callee) if met[callee].is_none() => stack.push((callee, 0)),
                Some(_) => {}
                None => {
                    stack.pop();
                    finish(function, &callees, &mut met, &mut finished, &mut component, &mut order);
                }
            }
        }
    }
    order
}

/// All that `function` calls was met: if it is the first of its component, that is complete.
fn finish(
    function: usize,
    callees: &[Vec<FunctionId>],
    met: &mut [Option<(usize, usize)>],
    finished: &mut [bool],
    component: &mut Vec<usize>,
    order: &mut Vec<(FunctionId, bool)>,
) {
    let Some((when, _)) = met[function] else { return };
    let open = callees[function].iter().filter(|callee| !finished[callee.index()]);
    let low = open.filter_map(|callee| met[callee.index()]).map(|(_, low)| low).min().map_or(when, |low| low.min(when));
    met[function] = Some((when, low));
    if low < when {
        return;
    }
    let Some(first) = component.iter().rposition(|&it| it == function) else { return };
    let members = component.split_off(first);
    let calls_itself = callees[function].iter().any(|callee| callee.index() == function);
    let is_recursive = members.len() > 1 || calls_itself;
    for member in members.into_iter().rev() {
        finished[member] = true;
        order.push((FunctionId::new(member), is_recursive));
    }
}

/// The functions that a function calls by name.
fn callees(function: &Function) -> Vec<FunctionId> {
    let blocks = function.body.iter().flat_map(|body| &body.blocks);
    let operations = blocks.flat_map(|block| &block.instructions).map(|instruction| &instruction.operation);
    let callee = |operation: &Operation| match operation {
        Operation::Call { callee: Callee::Direct(id), .. } => Some(*id),
        _ => None,
    };
    operations.filter_map(callee).collect()
}

fn size(body: &Body) -> usize {
    body.blocks.iter().map(|block| block.instructions.len() + 1).sum()
}

/// Whether a call of the function can be replaced by what it does.
fn is_suitable(module: &Module, function: &Function, environment: &Environment) -> bool {
    let Some(body) = &function.body else { return false };
    let mut instructions = body.blocks.iter().flat_map(|block| &block.instructions);
    !function.signature.variadic
        && size(body) <= CALLEE_LIMIT
        && !instructions.any(|it| matches!(it.operation, Operation::VariadicArea))
        && (has_no_variables(body) || can_be_adopted(body) && asks_the_time(module, body, environment))
}

/// The registers with the addresses of the function's variables.
fn variables(body: &Body) -> FxHashSet<Reg> {
    let instructions = body.blocks.iter().flat_map(|block| &block.instructions);
    let allocas = instructions.filter(|instruction| matches!(instruction.operation, Operation::Alloca { .. }));
    allocas.flat_map(|instruction| instruction.results.iter().copied()).collect()
}

fn has_no_variables(body: &Body) -> bool {
    variables(body).is_empty()
}

/// Whether a function is from a header of the system.
fn is_foreign(module: &Module, id: FunctionId) -> bool {
    is_foreign_place(module, module.function(id).location)
}

fn is_foreign_place(module: &Module, location: Option<SourceLocation>) -> bool {
    location.is_some_and(|location| is_system_file(module.file(location.file)))
}

/// A function whose calls are replaced. One that an exception may leave, and that has a landing pad for this, is given what has
/// neither variables, which would end then, nor landing pads of its own, which would have to be one with that.
struct Caller<'a> {
    module: &'a Module,
    id: FunctionId,
    /// Whether functions can be put in the place of their calls.
    suits: &'a [Called],
    throwing: &'a Throwing,
    is_foreign: bool,
}

impl Caller<'_> {
    fn inline_into(&self, body: &mut Body, frames: &mut Vec<Frame>) {
        let mut block = 0;
        let mut all = size(body);
        let variables = variables(body);
        while block < body.blocks.len() && all < CALLER_LIMIT {
            // What was put in comes in blocks further down, and has had its own calls replaced before.
            if let Some((position, callee)) = self.call_in(body, block, &variables) {
                let calls = Calls::new(self.module, frames, (self.id, callee));
                replace_call(calls, body, BlockId::new(block), position, (callee, self.throwing));
                all += self.module.function(callee).body.as_ref().map_or(0, size);
            }
            block += 1;
        }
    }

    /// The first call in the block of a function that suits, and is called as it is defined.
    fn call_in(&self, body: &Body, block: usize, variables: &FxHashSet<Reg>) -> Option<(usize, FunctionId)> {
        let instructions = &body.blocks[block].instructions;
        instructions.iter().enumerate().find_map(|(position, instruction)| {
            let Operation::Call { callee: Callee::Direct(id), arguments, .. } = &instruction.operation else {
                return None;
            };
            let signature = &self.module.function(*id).signature;
            let fits = arguments.len() == signature.parameters.len()
                && arguments.iter().zip(&signature.parameters).all(|(argument, ty)| argument.ty(body) == Some(*ty))
                && instruction.results.len() == signature.results.len();
            let may_move = !self.is_foreign || is_foreign(self.module, *id);
            let is_unseen = match self.suits[id.index()] {
                Called::Seen => false,
                Called::Unseen => true,
                Called::UnseenOfVariables => {
                    arguments.first().and_then(|first| first.reg()).is_some_and(|reg| variables.contains(&reg))
                }
            };
            let may_be_left = || {
                let body = self.module.function(*id).body.as_ref();
                !is_asked_about(self.module, instructions, position)
                    || body.is_some_and(|body| !self.throwing.asks(body) && has_no_variables(body))
            };
            (fits && may_move && is_unseen && may_be_left()).then_some((position, *id))
        })
    }
}

/// Puts the blocks of `callee` in the place of a call. The block of the call ends before it; what came after is in a
/// new block, the last one.
fn replace_call(
    mut calls: Calls<'_>,
    body: &mut Body,
    id: BlockId,
    position: usize,
    (callee, throwing): (FunctionId, &Throwing),
) {
    let Some(source) = &calls.module.function(callee).body else { return };
    let first = body.blocks.len();
    let rest = BlockId::new(first + source.blocks.len());
    let block = &mut body.blocks[id.index()];
    let mut after = block.instructions.split_off(position + 1);
    let question = take_question(calls.module, &mut after);
    let Some(call) = block.instructions.pop() else { return };
    let Operation::Call { arguments, .. } = call.operation else { return };
    let jump = Terminator { kind: TerminatorKind::Jump(BlockId::new(first)), location: call.location };
    let terminator = std::mem::replace(&mut block.terminator, jump);
    let label = block.label.clone();
    rename_predecessor(body, &terminator.kind, id, rest);
    calls.location = call.location;
    let copier = Copier::new(body, source, arguments, first, rest);
    let mut returned: Vec<(BlockId, SmallVec<[Value; 2]>)> = Vec::new();
    for (index, block) in source.blocks.iter().enumerate() {
        let copy = copier.block(&mut calls, block);
        if let TerminatorKind::Return(values) = &block.terminator.kind {
            let values = values.iter().map(|&value| copier.value(value)).collect();
            returned.push((BlockId::new(first + index), values));
        }
        body.blocks.push(copy);
    }
    let phi = |(index, &result): (usize, &Reg)| Phi {
        result,
        incoming: returned.iter().map(|(from, values)| (*from, values[index])).collect(),
        location: call.location,
    };
    adopt_variables(body, source, first);
    let phis: Vec<Phi> = call.results.iter().enumerate().map(phi).collect();
    if let Some(question) = question {
        let phis = phis.into_iter().chain([no_exception(&question, &returned)]).collect();
        body.blocks.push(Block { label, phis, instructions: after, terminator });
        lead_exceptions(body, (first, rest), throwing, &question);
    } else if returned.is_empty() {
        // It does not return; the results are assigned for form's sake, in a block that is not reached.
        let undefined = call.results.iter().map(|&result| (result, Value::Undef(body.register(result).ty)));
        let replacements: Vec<(Reg, Value)> = undefined.collect();
        body.blocks.push(Block { label, phis: Vec::new(), instructions: after, terminator });
        replace_registers(body, &replacements);
    } else {
        body.blocks.push(Block { label, phis, instructions: after, terminator });
    }
}

/// What is answered where a function returns to: that no exception has left it.
fn no_exception(question: &Instruction, returned: &[(BlockId, SmallVec<[Value; 2]>)]) -> Phi {
    let incoming = returned.iter().map(|(from, _)| (*from, Value::bool(false))).collect();
    Phi { result: question.results[0], incoming, location: question.location }
}

/// Makes the phis of the successors of a terminator that was moved look to its new block.
pub(super) fn rename_predecessor(body: &mut Body, kind: &TerminatorKind, from: BlockId, to: BlockId) {
    kind.for_each_successor(|successor| {
        for phi in &mut body.blocks[successor.index()].phis {
            phi.incoming.iter_mut().filter(|incoming| incoming.0 == from).for_each(|incoming| incoming.0 = to);
            phi.incoming.sort_by_key(|incoming| incoming.0);
        }
    });
}

/// Replaces registers everywhere.
pub(super) fn replace_registers(body: &mut Body, replacements: &[(Reg, Value)]) {
    if replacements.is_empty() {
        return;
    }
    let mut map: Vec<Option<Value>> = vec![None; body.registers.len()];
    replacements.iter().for_each(|&(reg, value)| map[reg.index()] = Some(value));
    // A replacement may be replaced in turn. Every register on such a chain is pointed to its end (path compression), so
    // that long chains are followed once.
    for &(start, _) in replacements {
        let mut end = Value::Reg(start);
        while let Some(next) = end.reg().and_then(|reg| map[reg.index()]) {
            end = next;
        }
        let mut at = Value::Reg(start);
        while let Some(next) = at.reg().and_then(|reg| map[reg.index()].replace(end)) {
            if at == end {
                break;
            }
            at = next;
        }
        if let Some(reg) = end.reg() {
            map[reg.index()] = None;
        }
    }
    let rename = |value: &mut Value| {
        if let Some(next) = value.reg().and_then(|reg| map[reg.index()]) {
            *value = next;
        }
    };
    for block in &mut body.blocks {
        block.phis.iter_mut().flat_map(|phi| &mut phi.incoming).for_each(|incoming| rename(&mut incoming.1));
        block.instructions.iter_mut().for_each(|instruction| instruction.operation.for_each_value_mut(rename));
        block.terminator.kind.for_each_value_mut(rename);
    }
}

/// The places of what is put in the place of a call: where it is shown to be, and the calls that it is in.
struct Calls<'a> {
    module: &'a Module,
    frames: &'a mut Vec<Frame>,
    caller: FunctionId,
    callee: FunctionId,
    /// The place of the call.
    location: Option<SourceLocation>,
    /// The innermost of the calls that the call is in, once it is known.
    outer: Option<FrameId>,
    /// What the places of the callee have become.
    known: FxHashMap<SourceLocation, FrameId>,
}

impl<'a> Calls<'a> {
    fn new(module: &'a Module, frames: &'a mut Vec<Frame>, (caller, callee): (FunctionId, FunctionId)) -> Self {
        Self { module, frames, caller, callee, location: None, outer: None, known: FxHashMap::default() }
    }

    /// The place of an instruction of the callee: that of the call, if it has none or is in a header of the system.
    fn place(&mut self, place: Option<SourceLocation>) -> Option<SourceLocation> {
        let (Some(inner), Some(call)) = (place, self.location) else { return place.or(self.location) };
        let shown = if is_foreign_place(self.module, place) { call } else { inner };
        let inlined = match self.known.get(&inner) {
            Some(&known) => known,
            None => self.add_frames(inner, call),
        };
        Some(SourceLocation { inlined: Some(inlined), ..shown })
    }

    /// Adds the calls that `inner` is in when it comes to stand at `call`.
    fn add_frames(&mut self, inner: SourceLocation, call: SourceLocation) -> FrameId {
        let mut outer = match call.inlined.or(self.outer) {
            Some(frame) => frame,
            None => self.add(self.symbol(self.caller), call),
        };
        self.outer = Some(outer);
        let frame = |id: FrameId| &self.frames[id.index()];
        let own = std::iter::successors(inner.inlined.map(frame), |inner| inner.location.inlined.map(frame));
        let mut own: Vec<Frame> = own.cloned().collect();
        if own.is_empty() {
            own.push(Frame { function: self.symbol(self.callee), location: inner });
        }
        for Frame { function, location } in own.into_iter().rev() {
            outer = self.add(function, SourceLocation { inlined: Some(outer), ..location });
        }
        self.known.insert(inner, outer);
        outer
    }

    fn add(&mut self, function: String, location: SourceLocation) -> FrameId {
        self.frames.push(Frame { function, location });
        FrameId::new(self.frames.len() - 1)
    }

    /// The symbol of a function, if it is one of C++, which tells more than the name in the source.
    fn symbol(&self, id: FunctionId) -> String {
        let function = self.module.function(id);
        let is_mangled = function.name.starts_with("_Z");
        function.source_name.clone().filter(|_| !is_mangled).unwrap_or_else(|| function.name.clone())
    }
}

/// Copies blocks from one body to another.
struct Copier {
    /// What stands for each register.
    registers: Vec<Value>,
    /// The first of the new blocks.
    first: usize,
    /// Where a return goes.
    rest: BlockId,
}

impl Copier {
    fn new(body: &mut Body, source: &Body, arguments: Vec<Value>, first: usize, rest: BlockId) -> Self {
        let mut registers = arguments;
        for register in &source.registers[registers.len()..] {
            registers.push(Value::Reg(body.add_register(register.ty, register.name.clone())));
        }
        Self { registers, first, rest }
    }

    fn value(&self, value: Value) -> Value {
        value.reg().map_or(value, |reg| self.registers[reg.index()])
    }

    /// The register that an instruction assigns: never one that an argument stands for.
    fn result(&self, reg: Reg) -> Reg {
        self.registers[reg.index()].reg().unwrap_or(reg)
    }

    fn target(&self, block: BlockId) -> BlockId {
        BlockId::new(self.first + block.index())
    }

    fn block(&self, calls: &mut Calls<'_>, block: &Block) -> Block {
        let mut copy = block.clone();
        copy.terminator.location = calls.place(copy.terminator.location);
        for phi in &mut copy.phis {
            phi.result = self.result(phi.result);
            for incoming in &mut phi.incoming {
                *incoming = (self.target(incoming.0), self.value(incoming.1));
            }
        }
        for instruction in &mut copy.instructions {
            instruction.results.iter_mut().for_each(|result| *result = self.result(*result));
            instruction.operation.for_each_value_mut(|value| *value = self.value(*value));
            instruction.location = calls.place(instruction.location);
        }
        match &mut copy.terminator.kind {
            kind @ TerminatorKind::Return(_) => *kind = TerminatorKind::Jump(self.rest),
            kind => {
                kind.for_each_successor_mut(|target| *target = self.target(*target));
                kind.for_each_value_mut(|value| *value = self.value(*value));
            }
        }
        copy
    }
}
