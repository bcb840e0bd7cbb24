//! Building the linked program: what was chosen, with the ids of the whole.

use super::Unit;
use super::merge::Merged;
use everyway_ir::{
    Body, Callee, DebugType, DebugTypeId, FileId, Frame, FrameId, Function, FunctionId, Global, Instruction, Module,
    Operation, SourceLocation, Symbol, Value,
};
use rustc_hash::FxHashMap;

pub(super) fn build(units: &[Unit], merged: Merged) -> Module {
    let mut module = Module { target: units[0].module.target.clone(), ..Module::default() };
    let mut files: FxHashMap<String, FileId> = FxHashMap::default();
    let mut renumber = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let map = Renumber {
            merged: &merged,
            unit: index,
            files: unit.module.files.iter().map(|file| file_id(&mut module, &mut files, file)).collect(),
            first_type: module.types.len() as u32,
            first_frame: module.frames.len() as u32,
        };
        module.frames.extend(unit.module.frames.iter().map(|frame| map.frame(frame.clone())));
        module.types.extend(unit.module.types.iter().map(|ty| map.debug_type(ty.clone())));
        renumber.push(map);
    }
    for chosen in &merged.globals {
        let global = units[chosen.unit].module.globals[chosen.index].clone();
        module.globals.push(Global { name: chosen.name.clone(), ..renumber[chosen.unit].global(global) });
    }
    for chosen in &merged.functions {
        let function = units[chosen.unit].module.functions[chosen.index].clone();
        module.functions.push(Function { name: chosen.name.clone(), ..renumber[chosen.unit].function(function) });
    }
    for (unit, map) in units.iter().zip(&renumber) {
        module.constructors.extend(unit.module.constructors.iter().map(|&id| map.function_id(id)));
        module.destructors.extend(unit.module.destructors.iter().map(|&id| map.function_id(id)));
    }
    module
}

fn file_id(module: &mut Module, files: &mut FxHashMap<String, FileId>, file: &str) -> FileId {
    *files.entry(file.to_owned()).or_insert_with(|| {
        module.files.push(file.to_owned());
        FileId::new(module.files.len() - 1)
    })
}

/// What the ids of one file are in the program.
struct Renumber<'r> {
    merged: &'r Merged,
    unit: usize,
    files: Vec<FileId>,
    first_type: u32,
    first_frame: u32,
}

impl Renumber<'_> {
    fn function_id(&self, id: FunctionId) -> FunctionId {
        let new = self.merged.function_maps[self.unit][id.index()];
        match self.merged.redirects.get(&Symbol::Function(new)) {
            Some(&(Symbol::Function(target), 0)) => target,
            _ => new,
        }
    }

    fn symbol(&self, symbol: Symbol) -> (Symbol, i64) {
        let new = match symbol {
            Symbol::Global(id) => Symbol::Global(self.merged.global_maps[self.unit][id.index()]),
            Symbol::Function(id) => Symbol::Function(self.merged.function_maps[self.unit][id.index()]),
        };
        self.merged.redirects.get(&new).copied().unwrap_or((new, 0))
    }

    fn type_id(&self, id: DebugTypeId) -> DebugTypeId {
        DebugTypeId(id.0 + self.first_type)
    }

    fn debug_type(&self, mut ty: DebugType) -> DebugType {
        match &mut ty {
            DebugType::Pointer(Some(to)) => *to = self.type_id(*to),
            DebugType::Array { element, .. } => *element = self.type_id(*element),
            DebugType::Record { members, .. } => {
                members.iter_mut().for_each(|member| member.ty = self.type_id(member.ty))
            }
            _ => {}
        }
        ty
    }

    fn location(&self, location: &mut Option<SourceLocation>) {
        *location = location.map(|location| self.place(location));
    }

    fn place(&self, location: SourceLocation) -> SourceLocation {
        let inlined = location.inlined.map(|FrameId(frame)| FrameId(frame + self.first_frame));
        SourceLocation { file: self.files[location.file.index()], inlined, ..location }
    }

    fn frame(&self, Frame { function, location }: Frame) -> Frame {
        Frame { function, location: self.place(location) }
    }

    fn global(&self, mut global: Global) -> Global {
        global.debug_type = global.debug_type.map(|ty| self.type_id(ty));
        self.location(&mut global.location);
        for relocation in global.initialiser.iter_mut().flat_map(|initialiser| &mut initialiser.relocations) {
            let (symbol, offset) = self.symbol(relocation.symbol);
            relocation.symbol = symbol;
            relocation.addend = relocation.addend.wrapping_add(offset);
        }
        global
    }

    fn function(&self, mut function: Function) -> Function {
        self.location(&mut function.location);
        if let Some(body) = &mut function.body {
            self.body(body);
        }
        function
    }

    fn value(&self, value: &mut Value) {
        if let Value::Address { symbol, offset } = value {
            let (new, beyond) = self.symbol(*symbol);
            (*symbol, *offset) = (new, offset.wrapping_add(beyond));
        }
    }

    fn body(&self, body: &mut Body) {
        for slot in &mut body.slots {
            slot.debug_type = slot.debug_type.map(|ty| self.type_id(ty));
            self.location(&mut slot.location);
        }
        for block in &mut body.blocks {
            for phi in &mut block.phis {
                self.location(&mut phi.location);
                phi.incoming.iter_mut().for_each(|incoming| self.value(&mut incoming.1));
            }
            block.instructions.iter_mut().for_each(|instruction| self.instruction(instruction));
            self.location(&mut block.terminator.location);
            block.terminator.kind.for_each_value_mut(|value| self.value(value));
        }
    }

    fn instruction(&self, instruction: &mut Instruction) {
        self.location(&mut instruction.location);
        instruction.operation.for_each_value_mut(|value| self.value(value));
        if let Operation::Call { callee: Callee::Direct(id), .. } = &mut instruction.operation {
            *id = self.function_id(*id);
        }
    }
}
