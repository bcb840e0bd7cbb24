//! Partial Loop Purity elimination: rounds of a loop that do nothing are blocked (FMCAD 2022, Sect. III).
//!
//! For every disjunct of the purity condition of a loop, an assume of its negation is put where it can be known: after
//! the assignments of its registers, and after whatever may fail on the way. What is left out if a thread is stopped
//! there is a round after which everything would be as before.

use super::carry::Carried;
use crate::analysis::{
    Conjunction, ControlFlow, Definition, Definitions, Dominators, Limits, Literal, Loop, Loops, Obstacle, Point,
    Purity, Reread, Subject, count_uses, locks_are_silent, relevant_registers,
};
use crate::environment::Environment;
use crate::function::{Body, Instruction, Phi};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::BinaryOp;
use crate::source::SourceLocation;
use crate::text::Shown;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// What became of a loop.
#[derive(Clone, Debug)]
pub struct TreatedLoop {
    /// The function that it is in.
    pub function: FunctionId,
    /// Its header.
    pub header: BlockId,
    /// Where it is in the source.
    pub location: Option<SourceLocation>,
    /// The conditions under which a round does nothing, each of which is assumed not to hold; in the text form.
    pub pure_if: Vec<String>,
    /// What keeps other rounds from doing nothing.
    pub obstacles: Vec<Obstacle>,
    /// The blocks from which it goes back to its header.
    pub latches: Vec<BlockId>,
    /// Whether no round is left: a thread that would come back to the header has been stopped.
    pub is_complete: bool,
}

/// The loops that are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treated {
    /// Those that do nothing but poll.
    Polling,
    /// Those of which some rounds do nothing.
    All,
}

/// Blocks the pure rounds of loops.
pub fn eliminate_pure_rounds(module: &mut Module, which: Treated, environment: Environment) -> Vec<TreatedLoop> {
    let mut treated = Vec::new();
    let locks_are_silent = locks_are_silent(module, environment);
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        let flow = ControlFlow::new(&body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        let mut definitions = Definitions::new(&body);
        let uses = count_uses(&body);
        let relevant = relevant_registers(&body, &flow, &definitions);
        // Inner loops come first. Blocks and edges stay, so that one analysis of them is enough.
        let mut dead = Vec::new();
        for (_, found) in Loops::new(&flow, &dominators).iter().rev() {
            let limits = Limits::of((module, &body, &flow), &environment, found);
            let mut elimination = Elimination {
                module,
                body: &mut body,
                flow: &flow,
                dominators: &dominators,
                found,
                which,
                environment,
                locks_are_silent,
                relevant: &relevant,
                limits: &limits,
                uses: &uses,
                dead: &mut dead,
            };
            treated.push(elimination.run(FunctionId::new(index), &mut definitions));
        }
        module.functions[index].body = Some(body);
    }
    treated.sort_by_key(|it| (it.function, it.header));
    treated
}

/// Where a loop is in the source: where its header first says.
pub(super) fn location_of(body: &Body, found: &Loop) -> Option<SourceLocation> {
    let header = body.block(found.header);
    let first = header.instructions.iter().find_map(|instruction| instruction.location);
    // The jump to a header that tests is where the source has the loop, if a statement is before the loop.
    first.or(header.terminator.location)
}

struct Elimination<'a> {
    module: &'a Module,
    body: &'a mut Body,
    flow: &'a ControlFlow,
    dominators: &'a Dominators,
    found: &'a Loop,
    which: Treated,
    environment: Environment,
    locks_are_silent: bool,
    relevant: &'a [bool],
    limits: &'a Limits,
    uses: &'a [u32],
    /// Edges that cannot be taken any more.
    dead: &'a mut Vec<(BlockId, BlockId)>,
}

impl Elimination<'_> {
    fn run(&mut self, function: FunctionId, definitions: &mut Definitions) -> TreatedLoop {
        let location = location_of(self.body, self.found);
        let subject = Subject {
            module: self.module,
            body: self.body,
            flow: self.flow,
            dominators: self.dominators,
            definitions,
            found: self.found,
            environment: self.environment,
            locks_are_silent: self.locks_are_silent,
            relevant: self.relevant,
            limits: self.limits,
            uses: self.uses,
            dead: self.dead,
        };
        let is_wanted = self.which == Treated::All || subject.only_polls();
        let purity = if is_wanted { subject.analyse() } else { Purity::default() };
        let inner = subject.inner_back_edges();
        let assumes = purity.condition.disjuncts.iter().map(|disjunct| {
            let point = self.point(disjunct, definitions);
            let known = subject.known_at(point.block);
            let unknown = disjunct.literals.iter().filter(|literal| !known.contains(literal));
            (point, unknown.cloned().collect())
        });
        let assumes: Vec<(Point, Vec<Literal>)> = assumes.collect();
        let pure_if = purity.condition.disjuncts.iter().map(|disjunct| self.show(disjunct)).collect();
        let is_complete = purity.is_complete;
        if is_complete {
            self.dead.extend(self.found.latches.iter().map(|&latch| (latch, self.found.header)));
        }
        self.insert(&assumes, purity.reread.as_ref(), definitions, inner, location);
        if !assumes.is_empty() {
            let before = purity.reread.as_ref().map(|reread| reread.entry.0);
            definitions.refresh(self.body, self.found.body.iter().copied().chain(before));
        }
        let (header, latches) = (self.found.header, self.found.latches.clone());
        TreatedLoop { function, header, location, pure_if, obstacles: purity.obstacles, latches, is_complete }
    }

    fn show(&self, disjunct: &Conjunction) -> String {
        let literals = disjunct.literals.iter().map(|literal| {
            let text = literal.test.show(&|value| Shown(self.module, value).to_string());
            if literal.is { text } else { format!("not {text}") }
        });
        let literals: Vec<String> = literals.collect();
        if literals.is_empty() { "always".to_owned() } else { literals.join(" and ") }
    }

    /// Puts the assumes of the negations of conjunctions into the loop, and says in the header that a round begins.
    fn insert(
        &mut self,
        assumes: &[(Point, Vec<Literal>)],
        reread: Option<&Reread>,
        definitions: &Definitions,
        inner: Vec<(BlockId, BlockId)>,
        location: Option<SourceLocation>,
    ) {
        if assumes.is_empty() {
            return;
        }
        let round = self.body.add_register(Type::I64, None);
        let mut insertions = match reread {
            Some(reread) => self.mark_rereads(round, reread, location),
            None => {
                let header = Point { block: self.found.header, position: 0 };
                vec![(header, vec![mark(round, location)])]
            }
        };
        let mut carried = CarriedRegisters { known: FxHashMap::default() };
        let mut took_inner = Carried::edges(self.flow, self.found, inner);
        for (point, literals) in assumes {
            let point = *point;
            let mut instructions = Vec::new();
            let mut alternatives = Vec::new();
            for literal in literals {
                let test = self.emit(&literal.negated(), definitions, point, location, &mut carried, &mut instructions);
                alternatives.push(test);
            }
            // "to exclude paths that took some internal backedge"
            let took = took_inner.at_start(self.body, point.block);
            if took != Value::bool(false) {
                alternatives.push(took);
            }
            let condition = disjunction(self.body, alternatives, location, &mut instructions);
            let operation = Operation::Assume { condition, round: Some(Value::Reg(round)) };
            instructions.push(Instruction { results: smallvec![], operation, location });
            insertions.push((point, instructions));
        }
        // From the last position on, so that the others stay what they are; stable, so that the round comes first.
        insertions.reverse();
        insertions.sort_by_key(|(point, _)| std::cmp::Reverse(point.position));
        for (point, instructions) in insertions {
            let block = &mut self.body.blocks[point.block.index()];
            block.instructions.splice(point.position..point.position, instructions);
        }
    }

    /// Says that a round begins before each load of what the loop reads again, and what the header has of that.
    fn mark_rereads(
        &mut self,
        round: Reg,
        reread: &Reread,
        location: Option<SourceLocation>,
    ) -> Vec<(Point, Vec<Instruction>)> {
        let mut insertions = Vec::new();
        let mut incoming: Vec<(BlockId, Value)> = Vec::new();
        for &(block, position) in reread.fresh.iter().chain([&reread.entry]) {
            let begun = self.body.add_register(Type::I64, None);
            insertions.push((Point { block, position }, vec![mark(begun, location)]));
            incoming.push((block, Value::Reg(begun)));
        }
        for &from in self.flow.predecessors(self.found.header) {
            if incoming.iter().all(|it| it.0 != from) {
                // All rounds that come this way are pure.
                incoming.push((from, Value::Reg(round)));
            }
        }
        incoming.sort_by_key(|it| it.0);
        let phi = Phi { result: round, incoming, location };
        self.body.blocks[self.found.header.index()].phis.push(phi);
        insertions
    }

    /// "the earliest point that is textually after the definitions of all registers", and after what may fail. Where
    /// several points are on the way to the header, the order of the blocks is the order in which they are met.
    fn point(&self, disjunct: &Conjunction, definitions: &Definitions) -> Point {
        let mut latest = disjunct.after;
        let order = |point: Point| (self.flow.position(point.block), point.position);
        let mut consider = |reg: Reg| {
            let point = match definitions.of(reg) {
                Definition::Phi(block) => Point { block, position: 0 },
                Definition::Instruction(block, position) => Point { block, position: position + 1 },
                Definition::Parameter => return,
            };
            if self.found.contains(point.block) && latest.is_none_or(|latest| order(latest) < order(point)) {
                latest = Some(point);
            }
        };
        disjunct.literals.iter().for_each(|literal| literal.test.for_each_register(&mut consider));
        latest.unwrap_or(Point { block: self.found.header, position: 0 })
    }

    /// Appends instructions that compute whether the literal holds, at `point`.
    fn emit(
        &mut self,
        literal: &Literal,
        definitions: &Definitions,
        point: Point,
        location: Option<SourceLocation>,
        carried: &mut CarriedRegisters,
        to: &mut Vec<Instruction>,
    ) -> Value {
        let (flow, dominators, found) = (self.flow, self.dominators, self.found);
        let mut name = |body: &mut Body, reg: Reg| {
            let block = match definitions.of(reg) {
                Definition::Phi(block) | Definition::Instruction(block, _) => block,
                Definition::Parameter => return Value::Reg(reg),
            };
            if dominators.dominates(block, point.block) {
                return Value::Reg(reg);
            }
            carried.at_start(body, flow, found, block, reg, point.block)
        };
        let value = literal.test.emit(self.body, location, &mut name, to);
        if literal.is { value } else { negation(self.body, value, location, to) }
    }
}

/// Registers that are carried to where their assignment does not dominate.
struct CarriedRegisters {
    known: FxHashMap<(Reg, BlockId), Value>,
}

impl CarriedRegisters {
    fn at_start(
        &mut self,
        body: &mut Body,
        flow: &ControlFlow,
        found: &Loop,
        from: BlockId,
        reg: Reg,
        to: BlockId,
    ) -> Value {
        *self.known.entry((reg, to)).or_insert_with(|| {
            let ty = body.register(reg).ty;
            Carried::register(flow, found, from, Value::Reg(reg), ty).at_start(body, to)
        })
    }
}

fn mark(round: Reg, location: Option<SourceLocation>) -> Instruction {
    Instruction { results: smallvec![round], operation: Operation::Round, location }
}

fn compute(
    body: &mut Body,
    op: BinaryOp,
    [lhs, rhs]: [Value; 2],
    location: Option<SourceLocation>,
    to: &mut Vec<Instruction>,
) -> Value {
    let result = body.add_register(Type::BOOL, None);
    to.push(Instruction { results: smallvec![result], operation: Operation::Binary { op, lhs, rhs }, location });
    Value::Reg(result)
}

fn negation(body: &mut Body, value: Value, location: Option<SourceLocation>, to: &mut Vec<Instruction>) -> Value {
    compute(body, BinaryOp::Xor, [value, Value::bool(true)], location, to)
}

fn disjunction(
    body: &mut Body,
    alternatives: Vec<Value>,
    location: Option<SourceLocation>,
    to: &mut Vec<Instruction>,
) -> Value {
    let either = |a, b| compute(body, BinaryOp::Or, [a, b], location, to);
    alternatives.into_iter().reduce(either).unwrap_or(Value::bool(false))
}
