//! Printing a module.

use super::escape::{Quoted, SymbolName};
use super::print_body::write_body;
use crate::debug::DebugType;
use crate::function::{Function, Signature};
use crate::ids::{DebugTypeId, FileId, FrameId, FunctionId};
use crate::module::{Global, Module};
use crate::source::SourceLocation;
use crate::types::Type;
use std::fmt;

/// One function of a module, to be printed; see [`Module::display_function`].
pub struct DisplayFunction<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Module {
    /// The text form of one function.
    pub fn display_function(&self, id: FunctionId) -> DisplayFunction<'_> {
        DisplayFunction { module: self, function: self.function(id) }
    }
}

impl fmt::Display for DisplayFunction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_function(f, self.module, self.function)
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "target {}", Quoted(self.target.as_bytes()))?;
        for (index, file) in self.files.iter().enumerate() {
            writeln!(f, "file {} = {}", FileId::new(index), Quoted(file.as_bytes()))?;
        }
        for (index, frame) in self.frames.iter().enumerate() {
            writeln!(f, "frame {} = {} at {}", FrameId::new(index), Quoted(frame.function.as_bytes()), frame.location)?;
        }
        for (index, ty) in self.types.iter().enumerate() {
            write!(f, "type {} = ", DebugTypeId::new(index))?;
            write_debug_type(f, ty)?;
        }
        for global in &self.globals {
            write_global(f, self, global)?;
        }
        for (keyword, list) in [("constructor", &self.constructors), ("destructor", &self.destructors)] {
            for &function in list {
                writeln!(f, "{keyword} {}", SymbolName(&self.function(function).name))?;
            }
        }
        self.functions.iter().try_for_each(|function| write_function(f, self, function))
    }
}

fn write_debug_type(f: &mut fmt::Formatter<'_>, ty: &DebugType) -> fmt::Result {
    let quoted = |name: &str| Quoted(name.as_bytes()).to_string();
    match ty {
        DebugType::Scalar { name, size, encoding } => writeln!(f, "scalar {} {size} {encoding}", quoted(name)),
        DebugType::Pointer(None) => writeln!(f, "pointer"),
        DebugType::Pointer(Some(to)) => writeln!(f, "pointer {to}"),
        DebugType::Array { element, stride, count } => writeln!(f, "array {element} stride {stride} count {count}"),
        DebugType::Record { name, size, members } => {
            write!(f, "record {} {size} {{", quoted(name))?;
            for (index, member) in members.iter().enumerate() {
                let separator = if index > 0 { "," } else { "" };
                write!(f, "{separator} {} {} {}", quoted(&member.name), member.offset, member.ty)?;
            }
            writeln!(f, " }}")
        }
        DebugType::Enumeration { name, size, values } => {
            write!(f, "enumeration {} {size} {{", quoted(name))?;
            for (index, (name, value)) in values.iter().enumerate() {
                let separator = if index > 0 { "," } else { "" };
                write!(f, "{separator} {} {value}", quoted(name))?;
            }
            writeln!(f, " }}")
        }
        DebugType::Opaque(name) => writeln!(f, "opaque {}", quoted(name)),
    }
}

fn write_global(f: &mut fmt::Formatter<'_>, module: &Module, global: &Global) -> fmt::Result {
    write!(f, "global {} size {} align {}", SymbolName(&global.name), global.size, global.align)?;
    for (flag, word) in [(global.weak, " weak"), (global.thread_local, " thread_local"), (global.constant, " constant")]
    {
        if flag {
            f.write_str(word)?;
        }
    }
    write_origin(f, global.source_name.as_deref(), global.debug_type, global.location)?;
    if let Some(initialiser) = &global.initialiser {
        write!(f, " = {}", Quoted(&initialiser.bytes))?;
        for relocation in &initialiser.relocations {
            let name = SymbolName(module.symbol_name(relocation.symbol));
            write!(f, ", {}: {name}{:+}", relocation.offset, relocation.addend)?;
        }
    }
    writeln!(f)
}

/// Name, type and place in the source, as far as they are known.
pub(super) fn write_origin(
    f: &mut fmt::Formatter<'_>,
    name: Option<&str>,
    debug_type: Option<DebugTypeId>,
    location: Option<SourceLocation>,
) -> fmt::Result {
    if let Some(name) = name {
        write!(f, " named {}", Quoted(name.as_bytes()))?;
    }
    if let Some(ty) = debug_type {
        write!(f, " type {ty}")?;
    }
    write_location(f, location)
}

/// ` at f0:1:2`, or nothing.
pub(super) fn write_location(f: &mut fmt::Formatter<'_>, location: Option<SourceLocation>) -> fmt::Result {
    location.map_or(Ok(()), |location| write!(f, " at {location}"))
}

fn write_function(f: &mut fmt::Formatter<'_>, module: &Module, function: &Function) -> fmt::Result {
    let keyword = if function.body.is_some() { "function" } else { "declare" };
    write!(f, "{keyword} {}(", SymbolName(&function.name))?;
    write_parameters(f, function)?;
    f.write_str(")")?;
    write_results(f, &function.signature)?;
    f.write_str(if function.weak { " weak" } else { "" })?;
    write_origin(f, function.source_name.as_deref(), None, function.location)?;
    match &function.body {
        Some(body) => {
            writeln!(f, " {{")?;
            write_body(f, module, body)?;
            writeln!(f, "}}")
        }
        None => writeln!(f),
    }
}

fn write_parameters(f: &mut fmt::Formatter<'_>, function: &Function) -> fmt::Result {
    for (index, ty) in function.signature.parameters.iter().enumerate() {
        f.write_str(if index > 0 { ", " } else { "" })?;
        match &function.body {
            Some(body) => super::print_body::write_definition(f, body, crate::ids::Reg::new(index))?,
            None => write!(f, "{ty}")?,
        }
    }
    if function.signature.variadic {
        f.write_str(if function.signature.parameters.is_empty() { "..." } else { ", ..." })?;
    }
    Ok(())
}

fn write_results(f: &mut fmt::Formatter<'_>, signature: &Signature) -> fmt::Result {
    let mut results = signature.results.iter().map(Type::to_string);
    if let Some(first) = results.next() {
        write!(f, " -> {first}")?;
        results.try_for_each(|ty| write!(f, ", {ty}"))?;
    }
    Ok(())
}
