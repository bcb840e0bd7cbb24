//! Global variables that are accessed as a whole only, by their names.
//!
//! Nothing else leads to them, so that all that is ever stored there is known. A pointer to such a variable may be kept in
//! another one, as long as it is only loaded through: programs that delay reads remember what they were to read.

use super::extents::named;
use crate::function::{Body, Instruction};
use crate::ids::{GlobalId, Reg};
use crate::module::{Global, Module};
use crate::operation::Operation;
use crate::types::Type;
use crate::value::{Symbol, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A global variable that is accessed as a whole only.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    /// How it is accessed.
    pub(crate) ty: Type,
    /// Whether it is ever loaded.
    pub(crate) is_read: bool,
    /// What it may point to, if all of that is known, and it is only loaded through.
    pub(crate) targets: Option<BTreeSet<GlobalId>>,
}

/// The global variables that are accessed as a whole only.
#[derive(Clone, Debug)]
pub(crate) struct Scalars(Vec<Option<Scalar>>);

impl Scalars {
    pub(crate) fn new(module: &Module) -> Self {
        let mut search = Search { accesses: vec![Accesses::default(); module.globals.len()] };
        for (index, global) in module.globals.iter().enumerate() {
            let Some(initialiser) = &global.initialiser else { continue };
            for relocation in &initialiser.relocations {
                search.escapes(Value::Address { symbol: relocation.symbol, offset: 0 });
            }
            let is_null = initialiser.relocations.is_empty() && initialiser.bytes.iter().all(|&byte| byte == 0);
            search.accesses[index].is_open = !is_null;
        }
        module.functions.iter().filter_map(|function| function.body.as_ref()).for_each(|body| search.body(body));
        search.follow_pointers();
        // Without `main`, the rest of the program may do whatever it likes.
        let is_whole = module.entry().is_some();
        let scalar = |(global, of): (&Global, Accesses)| {
            let Accesses { ty, is_read, escapes, targets, leaks, is_open, .. } = of;
            let ty = ty.filter(|&ty| is_whole && !escapes && may_be_scalar(global, ty))?;
            Some(Scalar { ty, is_read, targets: (!leaks && !is_open).then_some(targets) })
        };
        Self(module.globals.iter().zip(search.accesses).map(scalar).collect())
    }

    /// The variable at an address.
    pub(crate) fn at(&self, address: Value) -> Option<(GlobalId, &Scalar)> {
        let (id, _) = named(address)?;
        Some((id, self.of(id)?))
    }

    /// What is known of a variable.
    pub(crate) fn of(&self, id: GlobalId) -> Option<&Scalar> {
        self.0[id.index()].as_ref()
    }

    /// Whether what is stored at an address is never read. What is as wide as a pointer may lead to memory, which would be lost
    /// without it.
    pub(crate) fn is_unread(&self, address: Value) -> bool {
        self.at(address).is_some_and(|(_, scalar)| !scalar.is_read && scalar.ty.bytes() < Type::Ptr.bytes())
    }
}

/// Whether a variable is as large as what is accessed, and there for all threads to be written.
fn may_be_scalar(global: &Global, ty: Type) -> bool {
    let is_plain = !global.thread_local && !global.constant && !global.weak && global.initialiser.is_some();
    is_plain && global.size == u64::from(ty.bytes()) && global.size <= 8
}

/// How a variable is accessed.
#[derive(Clone, Debug, Default)]
struct Accesses {
    ty: Option<Type>,
    is_read: bool,
    /// Whether it is accessed otherwise, too.
    escapes: bool,
    /// The variables whose addresses are stored there.
    targets: BTreeSet<GlobalId>,
    /// Whether anything else is stored there, but for null.
    is_open: bool,
    /// Whether anything is done with what is loaded from there but to load through it.
    leaks: bool,
    /// What is loaded through it.
    loaded: Vec<Type>,
}

impl Accesses {
    /// It is accessed as a whole with this type.
    fn is_accessed(&mut self, ty: Type) {
        self.escapes |= *self.ty.get_or_insert(ty) != ty;
    }
}

struct Search {
    /// By global variable.
    accesses: Vec<Accesses>,
}

impl Search {
    /// Something else is done with an address than to access the variable there.
    fn escapes(&mut self, value: Value) {
        if let Value::Address { symbol: Symbol::Global(id), .. } = value {
            self.accesses[id.index()].escapes = true;
        }
    }

    fn body(&mut self, body: &Body) {
        let mut pointers: FxHashMap<Reg, GlobalId> = FxHashMap::default();
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            let Some((id, ty)) = accessed(body, instruction) else {
                instruction.operation.values().into_iter().for_each(|value| self.escapes(value));
                continue;
            };
            let of = &mut self.accesses[id.index()];
            of.is_accessed(ty);
            match instruction.operation {
                Operation::Store { value: Value::Address { symbol: Symbol::Global(target), offset: 0 }, .. } => {
                    of.targets.insert(target);
                }
                Operation::Store { value, .. } => {
                    of.is_open |= value != Value::NULL;
                    self.escapes(value);
                }
                _ => {
                    of.is_read = true;
                    if ty == Type::Ptr {
                        pointers.insert(instruction.results[0], id);
                    }
                }
            }
        }
        self.uses(body, &pointers);
    }

    /// What is done with pointers that were loaded.
    fn uses(&mut self, body: &Body, pointers: &FxHashMap<Reg, GlobalId>) {
        let pointer = |value: Value| pointers.get(&value.reg()?).map(|id| id.index());
        for block in &body.blocks {
            for value in block.values_at_ends() {
                self.escapes(value);
                pointer(value).into_iter().for_each(|id| self.accesses[id].leaks = true);
            }
            for instruction in &block.instructions {
                match instruction.operation {
                    Operation::Load { address, .. } if pointer(address).is_some() => {
                        let ty = body.register(instruction.results[0]).ty;
                        pointer(address).into_iter().for_each(|id| self.accesses[id].loaded.push(ty));
                    }
                    Operation::Compare { .. } => {}
                    ref operation => {
                        let leaked = operation.values().into_iter().filter_map(pointer);
                        leaked.for_each(|id| self.accesses[id].leaks = true);
                    }
                }
            }
        }
    }

    /// What pointers point to is accessed as they are, and escapes if they do.
    fn follow_pointers(&mut self) {
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for index in 0..self.accesses.len() {
                let Accesses { escapes, leaks, is_read, targets, loaded, .. } = self.accesses[index].clone();
                for target in targets {
                    let of = &mut self.accesses[target.index()];
                    let before = (of.escapes, of.is_read);
                    of.escapes |= escapes || leaks;
                    of.is_read |= is_read;
                    loaded.iter().for_each(|&ty| of.is_accessed(ty));
                    has_changed |= (of.escapes, of.is_read) != before;
                }
            }
        }
    }
}

/// The variable that an instruction loads or stores as a whole, by its name.
fn accessed(body: &Body, instruction: &Instruction) -> Option<(GlobalId, Type)> {
    let (address, ty) = instruction.accessed(body)?;
    named(address).filter(|it| it.1 == 0).map(|(id, _)| (id, ty))
}
