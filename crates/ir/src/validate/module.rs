//! The rules about modules.

use super::require;
use crate::debug::DebugType;
use crate::ids::{DebugTypeId, FrameId};
use crate::module::{Global, Module};
use crate::source::SourceLocation;
use crate::value::Symbol;
use rustc_hash::FxHashSet;

pub(super) fn check(module: &Module) -> Result<(), String> {
    let mut names = FxHashSet::default();
    let functions = module.functions.iter().map(|function| &function.name);
    for name in module.globals.iter().map(|global| &global.name).chain(functions) {
        require(names.insert(name), || format!("two things are called `{name}`"))?;
    }
    for (index, frame) in module.frames.iter().enumerate() {
        check_location(module, Some(frame.location))?;
        check_frame(frame.location.inlined, index)?;
    }
    module.types.iter().try_for_each(|ty| check_debug_type(module, ty))?;
    module.globals.iter().try_for_each(|global| check_global(module, global))?;
    for function in &module.functions {
        check_location(module, function.location)?;
        require(!function.weak || function.body.is_none(), || format!("`{}` is defined and weak", function.name))?;
        require(function.signature.parameters.len() < u32::MAX as usize, || "too many parameters".into())?;
    }
    for function in module.constructors.iter().chain(&module.destructors) {
        require(function.index() < module.functions.len(), || format!("there is no function {function}"))?;
    }
    Ok(())
}

fn check_debug_type(module: &Module, ty: &DebugType) -> Result<(), String> {
    match ty {
        DebugType::Pointer(to) => check_debug_id(module, *to),
        DebugType::Array { element, .. } => check_debug_id(module, Some(*element)),
        DebugType::Record { members, .. } => {
            members.iter().try_for_each(|member| check_debug_id(module, Some(member.ty)))
        }
        DebugType::Scalar { .. } | DebugType::Enumeration { .. } | DebugType::Opaque(_) => Ok(()),
    }
}

pub(super) fn check_debug_id(module: &Module, id: Option<DebugTypeId>) -> Result<(), String> {
    id.map_or(Ok(()), |id| require(id.index() < module.types.len(), || format!("there is no debug type {id}")))
}

pub(super) fn check_location(module: &Module, location: Option<SourceLocation>) -> Result<(), String> {
    location.map_or(Ok(()), |location| {
        require(location.file.index() < module.files.len(), || format!("there is no file {}", location.file))?;
        check_frame(location.inlined, module.frames.len())
    })
}

fn check_frame(frame: Option<FrameId>, known: usize) -> Result<(), String> {
    frame.map_or(Ok(()), |frame| require(frame.index() < known, || format!("there is no frame {frame} by then")))
}

pub(super) fn check_symbol(module: &Module, symbol: Symbol) -> Result<(), String> {
    let exists = match symbol {
        Symbol::Global(id) => id.index() < module.globals.len(),
        Symbol::Function(id) => id.index() < module.functions.len(),
    };
    require(exists, || format!("there is no symbol {symbol:?}"))
}

fn check_global(module: &Module, global: &Global) -> Result<(), String> {
    let name = &global.name;
    require(global.align.is_power_of_two(), || format!("the alignment of `{name}` is no power of two"))?;
    check_debug_id(module, global.debug_type)?;
    check_location(module, global.location)?;
    let Some(initialiser) = &global.initialiser else { return Ok(()) };
    require(!global.weak, || format!("`{name}` is defined and weak"))?;
    require(initialiser.bytes.len() as u64 <= global.size, || format!("the bytes of `{name}` exceed its size"))?;
    let mut end = 0;
    for relocation in &initialiser.relocations {
        check_symbol(module, relocation.symbol)?;
        require(relocation.offset >= end, || format!("pointers in `{name}` overlap or are out of order"))?;
        end = relocation.offset.saturating_add(8);
        require(end <= global.size, || format!("a pointer in `{name}` is not inside it"))?;
    }
    Ok(())
}
