//! From the program representation to the form that is executed.

mod body;
mod calls;
mod inputs;
mod lanes;

use crate::cell::Cell;
use crate::code::{Code, Function, Operand};
use crate::library;
use crate::sections::Sections;
use crate::settings::{CompilerBarrier, Settings, Unset, Volatile};
use everyway_ir::{AtomicOrdering, FunctionId, Module, Symbol, marks_verification_task};
use everyway_runtime::Ordering;
use inputs::{Classes, classes};
use rustc_hash::FxHashMap;

/// The address of every global and function, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    pub(crate) globals: Vec<u64>,
    pub(crate) functions: Vec<u64>,
}

impl Addresses {
    pub(crate) fn of(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(id) => self.globals[id.index()],
            Symbol::Function(id) => self.functions[id.index()],
        }
    }
}

/// What all functions are lowered with.
struct Lowering<'a> {
    module: &'a Module,
    addresses: &'a Addresses,
    volatile: Volatile,
    compiler_barrier: CompilerBarrier,
    unset: Unset,
    /// The values that are enough for some of the inputs.
    input_classes: Classes,
    code: Code,
    constants: FxHashMap<(u64, u64), usize>,
}

/// Lowers all functions of `module`.
pub(crate) fn lower(module: &Module, addresses: &Addresses, settings: &Settings) -> Code {
    let &Settings { volatile, compiler_barrier, unset, .. } = settings;
    let (code, constants) = (Code::default(), FxHashMap::default());
    let input_classes = classes(module);
    let mut lowering =
        Lowering { module, addresses, volatile, compiler_barrier, unset, input_classes, code, constants };
    lowering.code.sections = Sections::of(module, settings);
    lowering.code.has_exit_handlers = !module.destructors.is_empty();
    for (index, function) in module.functions.iter().enumerate() {
        let name = function.name.as_str();
        lowering.code.has_exit_handlers |= matches!(name, "atexit" | "__cxa_atexit");
        lowering.code.is_verification_task |= marks_verification_task(name);
        // Where a program brings its own definition of a verification function, ours says the same better.
        let lowered = match (&function.body, library::find(name)) {
            (_, Some(handler)) if library::takes_precedence(name) => {
                Function::Modelled(handler, lowering.stub(index, function))
            }
            (Some(body), _) => Function::Defined(lowering.body(FunctionId::new(index), body)),
            (None, Some(handler)) => Function::Modelled(handler, lowering.stub(index, function)),
            (None, None) => Function::Unknown,
        };
        lowering.code.functions.push(lowered);
    }
    lowering.code
}

/// The memory ordering of an atomic access. `unordered` is the weakest that there is elsewhere.
fn atomic(ordering: AtomicOrdering) -> Ordering {
    match ordering {
        AtomicOrdering::Unordered | AtomicOrdering::Monotonic => Ordering::Relaxed,
        AtomicOrdering::Acquire => Ordering::Acquire,
        AtomicOrdering::Release => Ordering::Release,
        AtomicOrdering::AcqRel => Ordering::AcqRel,
        AtomicOrdering::SeqCst => Ordering::SeqCst,
    }
}

impl Lowering<'_> {
    /// The memory ordering of an access that need not be atomic.
    fn ordering(&self, ordering: Option<AtomicOrdering>, volatile: bool) -> Ordering {
        match ordering {
            Some(ordering) => atomic(ordering),
            None if volatile && self.volatile == Volatile::Atomic => Ordering::Relaxed,
            None => Ordering::Plain,
        }
    }

    fn pooled(&mut self, cell: Cell) -> Operand {
        let pool = &mut self.code.pool;
        let index = *self.constants.entry((cell.bits, cell.undef)).or_insert_with(|| {
            pool.push(cell);
            pool.len() - 1
        });
        Operand::constant(index)
    }

    /// A constant of two lanes, which lie side by side in the pool.
    fn pooled_wide(&mut self, low: Cell, high: Cell) -> Operand {
        self.code.pool.push(low);
        self.code.pool.push(high);
        Operand::constant(self.code.pool.len() - 2)
    }
}
