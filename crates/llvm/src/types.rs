//! The types of LLVM, interned.

use rustc_hash::FxHashMap;

/// An interned type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeId(u32);

impl TypeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A type of LLVM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ty<'a> {
    Void,
    Int(u32),
    Float,
    Double,
    /// `long double`, by its name: 16 bytes in memory, of which we use those of a double.
    LongDouble(&'static str),
    /// A floating point type that we do not compute with: its name, size and alignment in bytes.
    OtherFloat(&'static str, u64, u64),
    Ptr,
    Label,
    Token,
    Metadata,
    Array(u64, TypeId),
    Vector(u64, TypeId),
    Struct {
        packed: bool,
        fields: Vec<TypeId>,
    },
    Named(&'a str),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        variadic: bool,
    },
    Opaque,
}

/// All types of a file.
#[derive(Debug, Default)]
pub(crate) struct Types<'a> {
    types: Vec<Ty<'a>>,
    ids: FxHashMap<Ty<'a>, TypeId>,
    named: FxHashMap<&'a str, TypeId>,
}

impl<'a> Types<'a> {
    pub(crate) fn intern(&mut self, ty: Ty<'a>) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub(crate) fn define(&mut self, name: &'a str, ty: TypeId) {
        self.named.insert(name, ty);
    }

    /// The type, names looked through; `Opaque` for a name that is not defined.
    pub(crate) fn get(&self, id: TypeId) -> &Ty<'a> {
        let mut ty = &self.types[id.index()];
        // A name may stand for a name, and in a broken file for itself.
        for _ in 0..8 {
            let Ty::Named(name) = ty else { return ty };
            ty = self.named.get(name).map_or(&Ty::Opaque, |id| &self.types[id.index()]);
        }
        &Ty::Opaque
    }

    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }

    /// The type as LLVM spells it, for messages.
    pub(crate) fn name(&self, id: TypeId) -> String {
        match &self.types[id.index()] {
            Ty::Void => "void".into(),
            Ty::Int(bits) => format!("i{bits}"),
            Ty::Float => "float".into(),
            Ty::Double => "double".into(),
            Ty::LongDouble(name) | Ty::OtherFloat(name, ..) => (*name).into(),
            Ty::Ptr => "ptr".into(),
            Ty::Label => "label".into(),
            Ty::Token => "token".into(),
            Ty::Metadata => "metadata".into(),
            Ty::Array(count, _) => format!("an array of {count} elements"),
            Ty::Vector(count, _) => format!("a vector of {count} elements"),
            Ty::Struct { .. } => "a structure".into(),
            Ty::Named(name) => format!("%{name}"),
            Ty::Function { .. } => "a function type".into(),
            Ty::Opaque => "opaque".into(),
        }
    }
}
