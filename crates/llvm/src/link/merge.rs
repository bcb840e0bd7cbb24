//! Deciding which symbol of which file each name means.

use super::Unit;
use crate::ast::Linkage;
use crate::error::Error;
use everyway_ir::{FunctionId, GlobalId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// A symbol of the program: where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) unit: usize,
    /// The index of the function or global in its file.
    pub(super) index: usize,
    pub(super) name: String,
    linkage: Linkage,
    defined: bool,
    /// A declaration of something that may be missing.
    weak: bool,
    size: u64,
}

/// What linking decides.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) globals: Vec<Chosen>,
    pub(super) functions: Vec<Chosen>,
    /// For each file, what its globals and functions have become.
    pub(super) global_maps: Vec<Vec<GlobalId>>,
    pub(super) function_maps: Vec<Vec<FunctionId>>,
    /// Declarations that turn out to be other names for a symbol of a file.
    pub(super) redirects: FxHashMap<Symbol, (Symbol, i64)>,
}

pub(super) fn merge(units: &[Unit]) -> Result<Merged, Error> {
    let mut linker =
        Linker { units, taken: external_names(units), named: FxHashMap::default(), merged: Merged::default() };
    for (index, unit) in units.iter().enumerate() {
        let globals =
            (0..unit.module.globals.len()).map(|global| linker.global(index, global)).collect::<Result<_, _>>()?;
        linker.merged.global_maps.push(globals);
        let functions = (0..unit.module.functions.len())
            .map(|function| linker.function(index, function))
            .collect::<Result<_, _>>()?;
        linker.merged.function_maps.push(functions);
    }
    linker.redirect();
    Ok(linker.merged)
}

/// The names that files share.
fn external_names(units: &[Unit]) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    for unit in units {
        let globals = unit.module.globals.iter().map(|global| &global.name).zip(&unit.globals);
        let functions = unit.module.functions.iter().map(|function| &function.name).zip(&unit.functions);
        let external = globals.chain(functions).filter(|(_, linkage)| **linkage != Linkage::Internal);
        names.extend(external.map(|(name, _)| name.clone()));
    }
    names
}

struct Linker<'u> {
    units: &'u [Unit],
    taken: FxHashSet<String>,
    named: FxHashMap<String, Symbol>,
    merged: Merged,
}

impl Linker<'_> {
    fn global(&mut self, unit: usize, index: usize) -> Result<GlobalId, Error> {
        let global = &self.units[unit].module.globals[index];
        let candidate = Chosen {
            unit,
            index,
            name: global.name.clone(),
            linkage: self.units[unit].globals[index],
            defined: global.initialiser.is_some(),
            weak: global.weak,
            size: global.size,
        };
        match self.place(candidate, true)? {
            Symbol::Global(id) => Ok(id),
            Symbol::Function(_) => Err(self.mismatch(unit, &global.name)),
        }
    }

    fn function(&mut self, unit: usize, index: usize) -> Result<FunctionId, Error> {
        let function = &self.units[unit].module.functions[index];
        let candidate = Chosen {
            unit,
            index,
            name: function.name.clone(),
            linkage: self.units[unit].functions[index],
            defined: function.body.is_some(),
            weak: function.weak,
            size: 0,
        };
        match self.place(candidate, false)? {
            Symbol::Function(id) => Ok(id),
            Symbol::Global(_) => Err(self.mismatch(unit, &function.name)),
        }
    }

    fn mismatch(&self, unit: usize, name: &str) -> Error {
        let message = format!("`{name}` is a function in one file and a variable in another");
        Error { file: self.units[unit].name.clone(), ..Error::new(0, message) }
    }

    /// The symbol of the program that a symbol of a file becomes.
    fn place(&mut self, mut candidate: Chosen, is_global: bool) -> Result<Symbol, Error> {
        if candidate.linkage == Linkage::Internal {
            candidate.name = self.fresh_name(&candidate.name);
        } else if let Some(&symbol) = self.named.get(&candidate.name) {
            if matches!(symbol, Symbol::Global(_)) == is_global {
                self.meet(symbol, candidate)?;
            }
            return Ok(symbol);
        }
        let list = if is_global { &mut self.merged.globals } else { &mut self.merged.functions };
        let symbol = match is_global {
            true => Symbol::Global(GlobalId::new(list.len())),
            false => Symbol::Function(FunctionId::new(list.len())),
        };
        self.named.insert(candidate.name.clone(), symbol);
        list.push(candidate);
        Ok(symbol)
    }

    fn fresh_name(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 1;
        while !self.taken.insert(fresh.clone()) {
            fresh = format!("{name}.{number}");
            number += 1;
        }
        fresh
    }

    /// Two symbols of one name: which one stays.
    fn meet(&mut self, symbol: Symbol, new: Chosen) -> Result<(), Error> {
        let old = match symbol {
            Symbol::Global(id) => &mut self.merged.globals[id.index()],
            Symbol::Function(id) => &mut self.merged.functions[id.index()],
        };
        let gives_way = |chosen: &Chosen| matches!(chosen.linkage, Linkage::Weak | Linkage::Common);
        let replace = match (old.defined, new.defined) {
            // One declaration that needs it is enough to need it.
            (false, false) => old.weak && !new.weak,
            (true, false) => false,
            (false, true) => true,
            (true, true) if old.linkage == Linkage::Common && new.linkage == Linkage::Common => new.size > old.size,
            (true, true) if gives_way(&new) => false,
            (true, true) if gives_way(old) => true,
            (true, true) => {
                let (first, second) = (&self.units[old.unit].name, &self.units[new.unit].name);
                let message = format!("`{}` is defined here and in {first}", new.name);
                return Err(Error { file: second.clone(), ..Error::new(0, message) });
            }
        };
        if replace {
            *old = new;
        }
        Ok(())
    }

    /// Lets declarations that another file defines by an alias mean what the alias means.
    fn redirect(&mut self) {
        for (index, unit) in self.units.iter().enumerate() {
            for (name, target, offset) in &unit.aliases {
                let Some(&symbol) = self.named.get(name) else { continue };
                let defined = match symbol {
                    Symbol::Global(id) => self.merged.globals[id.index()].defined,
                    Symbol::Function(id) => self.merged.functions[id.index()].defined,
                };
                let target = match *target {
                    Symbol::Global(id) => Symbol::Global(self.merged.global_maps[index][id.index()]),
                    Symbol::Function(id) => Symbol::Function(self.merged.function_maps[index][id.index()]),
                };
                if !defined && symbol != target {
                    self.merged.redirects.entry(symbol).or_insert((target, *offset));
                }
            }
        }
    }
}
