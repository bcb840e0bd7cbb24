//! From the syntax tree of LLVM to our own representation.
//!
//! What LLVM has and `ir` has not disappears here: types of memory become offsets, aggregates and vectors in
//! registers become lists of scalars, `byval` arguments become copies, computed gotos become switches, and
//! intrinsics become operations. An `invoke` becomes a call and a question (`unwind`). Blocks that cannot be reached are
//! dropped.
//!
//! One thing changes its meaning: `long double` is computed with the precision of `double`. Its size and its
//! alignment are kept, its bytes are not.

mod aggregate;
mod arithmetic;
mod assembly;
mod call;
mod constant;
mod debug;
mod flow;
mod function;
mod initialiser;
mod intrinsic;
mod layout;
mod memory;
mod number;
mod unwind;
mod variadic;

use crate::ast::{self, Constant, Linkage};
use crate::error::{Error, Result};
use crate::lex::unescape_text;
use crate::link::Unit;
use debug::Debug;
use everyway_ir::{Function, FunctionId, Global, GlobalId, Module, Signature, Symbol};
use layout::Layouts;
use rustc_hash::FxHashMap;

/// What is made of what a file says of the scopes of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scopes {
    /// Nothing: a compiler that optimises moves accesses out of them.
    Ignored,
    /// A variable must not be used outside of its scope.
    Watched,
}

/// Lowers one file.
pub(crate) fn lower(module: &ast::Module<'_>, scopes: Scopes) -> Result<Unit> {
    let layouts = Layouts::new(&module.types, module.data_layout)?;
    let mut context = Context {
        ast: module,
        layouts,
        debug: Debug::new(module),
        symbols: FxHashMap::default(),
        addressed: addressed_blocks(module),
        scopes,
        unit: Unit::default(),
    };
    context.unit.module.target = module.target.unwrap_or_default().into();
    context.declare()?;
    context.alias()?;
    context.initialise()?;
    for function in &module.functions {
        if let (Some(Symbol::Function(id)), Some(blocks)) = (context.symbol(function.name), &function.blocks) {
            let body = function::lower(&mut context, function, blocks)?;
            context.unit.module.functions[id.index()].body = Some(body);
        }
    }
    context.debug.finish_types();
    context.unit.module.files = context.debug.files;
    context.unit.module.frames = context.debug.frames;
    context.unit.module.types = context.debug.types;
    Ok(context.unit)
}

/// What is known while a file is lowered.
struct Context<'m, 'a> {
    ast: &'m ast::Module<'a>,
    layouts: Layouts<'m, 'a>,
    debug: Debug<'m, 'a>,
    /// What a name stands for: a symbol, and for aliases a number of bytes beyond it.
    symbols: FxHashMap<&'a str, (Symbol, i64)>,
    /// The blocks of each function whose address may be taken, by the number that stands for the address.
    addressed: FxHashMap<&'a str, Vec<&'a str>>,
    scopes: Scopes,
    unit: Unit,
}

impl<'a> Context<'_, 'a> {
    /// Gives every global and function its id. Intrinsics get theirs when they turn out to be needed.
    fn declare(&mut self) -> Result<()> {
        let ast = self.ast;
        for global in ast.globals.iter().filter(|global| !global.name.starts_with("llvm.")) {
            let lowered = self.global(global)?;
            let id = GlobalId::new(self.unit.module.globals.len());
            self.define(global.name, Symbol::Global(id), global.line)?;
            self.unit.module.globals.push(lowered);
            self.unit.globals.push(global.linkage);
        }
        for function in ast.functions.iter().filter(|function| !function.name.starts_with("llvm.")) {
            let (source_name, location) = self.debug.subprogram(function.debug);
            let name = unescape_text(function.name);
            let signature = self.signature(function)?;
            let id = FunctionId::new(self.unit.module.functions.len());
            self.define(function.name, Symbol::Function(id), function.line)?;
            let weak = function.weak && function.blocks.is_none();
            self.unit.module.functions.push(Function { name, source_name, signature, location, weak, body: None });
            self.unit.functions.push(function.linkage);
        }
        Ok(())
    }

    fn define(&mut self, name: &'a str, symbol: Symbol, line: u32) -> Result<()> {
        match self.symbols.insert(name, (symbol, 0)) {
            Some(_) => Err(Error::new(line, format!("`@{name}` is defined twice"))),
            None => Ok(()),
        }
    }

    fn symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).map(|symbol| symbol.0)
    }

    fn global(&mut self, global: &ast::Global<'a>) -> Result<Global> {
        let layout = match self.layouts.layout(global.ty, global.line) {
            Ok(layout) => layout,
            // Variables of an incomplete type can be declared.
            Err(_) if global.initialiser.is_none() => layout::Layout { size: 0, align: 1 },
            Err(error) => return Err(error),
        };
        let variable = self.debug.variable(global.debug);
        let (source_name, debug_type, location) =
            variable.map_or((None, None, None), |variable| (variable.name, variable.ty, variable.location));
        let align = global.align.map_or(layout.align, u64::from);
        Ok(Global {
            name: unescape_text(global.name),
            source_name,
            size: layout.size,
            align: power_of_two(align, global.line)?,
            weak: global.weak && global.initialiser.is_none(),
            thread_local: global.thread_local,
            constant: global.constant,
            initialiser: None,
            debug_type,
            location,
        })
    }

    fn signature(&self, function: &ast::Function<'a>) -> Result<Signature> {
        let mut signature = Signature { variadic: function.variadic, ..Signature::default() };
        // A declaration may use types that we cannot compute with: it matters only if it is called.
        let lenient = function.blocks.is_none();
        for parameter in &function.parameters {
            match self.layouts.scalars(parameter.ty, function.line) {
                Ok(scalars) => signature.parameters.extend(scalars.iter().map(|scalar| scalar.0)),
                Err(_) if lenient => signature.variadic = true,
                Err(error) => return Err(error),
            }
        }
        match self.layouts.scalars(function.result, function.line) {
            Ok(scalars) => signature.results.extend(scalars.iter().map(|scalar| scalar.0)),
            Err(_) if lenient => {}
            Err(error) => return Err(error),
        }
        Ok(signature)
    }

    /// Lets every alias stand for what it is an alias of.
    fn alias(&mut self) -> Result<()> {
        let mut pending: Vec<&ast::Alias<'a>> = self.ast.aliases.iter().collect();
        // An alias may be of another alias, in any order.
        while !pending.is_empty() {
            let before = pending.len();
            let mut rest = Vec::new();
            for alias in pending {
                match self.fold(&alias.target, alias.line) {
                    Ok(initialiser::Folded::Address(symbol, offset)) => {
                        self.symbols.insert(alias.name, (symbol, offset));
                        self.unit.aliases.push((unescape_text(alias.name), symbol, offset));
                    }
                    _ => rest.push(alias),
                }
            }
            if rest.len() == before {
                let message = format!("the alias `@{}`", rest[0].name);
                return Err(Error::unsupported(rest[0].line, message));
            }
            pending = rest;
        }
        Ok(())
    }

    /// Gives globals their contents, and notes constructors and destructors.
    fn initialise(&mut self) -> Result<()> {
        let ast = self.ast;
        for global in &ast.globals {
            let Some(value) = &global.initialiser else { continue };
            match (self.symbol(global.name), global.name) {
                (Some(Symbol::Global(id)), _) => {
                    let initialiser = initialiser::write(self, global.ty, value, global.line)?;
                    self.unit.module.globals[id.index()].initialiser = Some(initialiser);
                }
                (_, "llvm.global_ctors") => self.unit.module.constructors = self.prioritised(value)?,
                (_, "llvm.global_dtors") => {
                    let mut functions = self.prioritised(value)?;
                    functions.reverse();
                    self.unit.module.destructors = functions;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The functions of `[{ i32 priority, ptr function, ptr data }]`, by priority.
    fn prioritised(&self, value: &Constant<'a>) -> Result<Vec<FunctionId>> {
        let Constant::Aggregate(entries) = value else { return Ok(Vec::new()) };
        let mut functions = Vec::new();
        for (_, entry) in entries {
            let Constant::Aggregate(fields) = entry else { continue };
            if let [(_, Constant::Int(priority)), (_, Constant::Global(name)), ..] = fields.as_slice()
                && let Some(Symbol::Function(function)) = self.symbol(name)
            {
                functions.push((*priority, function));
            }
        }
        functions.sort_by_key(|entry| entry.0);
        Ok(functions.into_iter().map(|entry| entry.1).collect())
    }

    /// The function called `name`, declared on the spot if the file does not know it.
    fn external(&mut self, name: &str, signature: impl FnOnce() -> Signature) -> FunctionId {
        if let Some(Symbol::Function(id)) = self.symbol(name) {
            return id;
        }
        let module: &mut Module = &mut self.unit.module;
        if let Some(id) = module.function_named(name) {
            return id;
        }
        let id = FunctionId::new(module.functions.len());
        let (name, signature) = (name.to_owned(), signature());
        let function = Function { name, source_name: None, signature, location: None, weak: false, body: None };
        module.functions.push(function);
        self.unit.functions.push(Linkage::External);
        id
    }
}

/// An alignment as `ir` wants it.
fn power_of_two(align: u64, line: u32) -> Result<u32> {
    let fits = u32::try_from(align).ok().filter(|align| align.is_power_of_two());
    fits.ok_or_else(|| Error::new(line, format!("the alignment {align} is no power of two")))
}

/// The labels that are targets of computed gotos. A label's address is its position in this list plus one.
fn addressed_blocks<'a>(module: &ast::Module<'a>) -> FxHashMap<&'a str, Vec<&'a str>> {
    let mut addressed: FxHashMap<&'a str, Vec<&'a str>> = FxHashMap::default();
    for function in &module.functions {
        for instruction in function.blocks.iter().flatten().flat_map(|block| &block.instructions) {
            if let ast::Kind::IndirectJump(_, targets) = &instruction.kind {
                let known = addressed.entry(function.name).or_default();
                for target in targets {
                    if !known.contains(target) {
                        known.push(target);
                    }
                }
            }
        }
    }
    addressed
}
