//! How types lie in memory and in registers.

use crate::error::{Error, Result};
use crate::types::{Ty, TypeId, Types};
use everyway_ir::Type;
use std::cell::RefCell;
use std::rc::Rc;

/// The parts of a data layout string that concern us.
#[derive(Clone, Debug)]
struct DataLayout {
    /// Alignment in bytes of integers by width in bits, increasing.
    integers: Vec<(u32, u64)>,
    /// Alignment in bytes of vectors by width in bits.
    vectors: Vec<(u64, u64)>,
}

impl DataLayout {
    fn new(text: &str) -> Result<Self> {
        let mut layout =
            Self { integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)], vectors: vec![(64, 8), (128, 16)] };
        for part in text.split('-') {
            let mut numbers = part.split(':');
            let head = numbers.next().unwrap_or_default();
            let mut number = || numbers.next().and_then(|digits| digits.parse::<u64>().ok());
            match head {
                "E" => return Err(Error::unsupported(0, "a big-endian target")),
                "p" | "p0" if number() != Some(64) => {
                    return Err(Error::unsupported(0, "a target whose pointers do not have 64 bits"));
                }
                _ => {}
            }
            if let (Some(bits), Some(align)) = (head.strip_prefix('i').and_then(|bits| bits.parse().ok()), number()) {
                layout.integers.retain(|entry| entry.0 != bits);
                layout.integers.push((bits, (align / 8).max(1)));
            } else if let (Some(bits), Some(align)) =
                (head.strip_prefix('v').and_then(|bits| bits.parse().ok()), number())
            {
                layout.vectors.retain(|entry| entry.0 != bits);
                layout.vectors.push((bits, (align / 8).max(1)));
            }
        }
        layout.integers.sort_unstable();
        Ok(layout)
    }

    /// The alignment of the narrowest listed integer that is wide enough, or of the widest.
    fn integer(&self, bits: u32) -> u64 {
        let fits = self.integers.iter().find(|entry| entry.0 >= bits);
        fits.or(self.integers.last()).map_or(8, |entry| entry.1)
    }

    fn vector(&self, bits: u64) -> u64 {
        let listed = self.vectors.iter().find(|entry| entry.0 == bits).map(|entry| entry.1);
        listed.unwrap_or_else(|| bits.div_ceil(8).checked_next_power_of_two().unwrap_or(1))
    }
}

/// The room that a type takes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// In an array: a multiple of the alignment.
    pub(super) size: u64,
    pub(super) align: u64,
}

/// A scalar within a type, and its offset in memory.
pub(super) type Scalar = (Type, u64);

/// The layouts of the types of a file.
pub(super) struct Layouts<'m, 'a> {
    types: &'m Types<'a>,
    data: DataLayout,
    known: RefCell<Vec<Option<Layout>>>,
    flat: RefCell<Vec<Option<Rc<[Scalar]>>>>,
}

/// How deep types may be nested; a type in a broken file may contain itself.
const DEPTH_LIMIT: u32 = 100;
/// How many scalars a type in a register may have.
const SCALARS_LIMIT: usize = 4096;

impl<'m, 'a> Layouts<'m, 'a> {
    pub(super) fn new(types: &'m Types<'a>, data_layout: Option<&str>) -> Result<Self> {
        let data = DataLayout::new(data_layout.unwrap_or("e-i64:64-i128:128"))?;
        let known = RefCell::new(vec![None; types.len()]);
        Ok(Self { types, data, known, flat: RefCell::new(vec![None; types.len()]) })
    }

    pub(super) fn ty(&self, id: TypeId) -> &'m Ty<'a> {
        self.types.get(id)
    }

    pub(super) fn name(&self, id: TypeId) -> String {
        self.types.name(id)
    }

    pub(super) fn layout(&self, id: TypeId, line: u32) -> Result<Layout> {
        self.layout_within(id, line, DEPTH_LIMIT)
    }

    fn layout_within(&self, id: TypeId, line: u32, depth: u32) -> Result<Layout> {
        if let Some(layout) = self.known.borrow()[id.index()] {
            return Ok(layout);
        }
        if depth == 0 {
            return Err(Error::new(line, format!("the type {} contains itself", self.name(id))));
        }
        let too_big = || Error::new(line, format!("the type {} is too big", self.name(id)));
        let scalar = |size: u64, align: u64| Layout { size: size.next_multiple_of(align), align };
        let layout = match self.ty(id) {
            Ty::Int(bits) => scalar(u64::from(bits.div_ceil(8)).max(1), self.data.integer(*bits)),
            Ty::Float => scalar(4, 4),
            Ty::Double | Ty::Ptr => scalar(8, 8),
            Ty::LongDouble(_) => scalar(16, 16),
            Ty::OtherFloat(_, size, align) => scalar(*size, *align),
            Ty::Array(count, element) => {
                let element = self.layout_within(*element, line, depth - 1)?;
                Layout { size: element.size.checked_mul(*count).ok_or_else(too_big)?, align: element.align }
            }
            Ty::Vector(count, element) => {
                let bits = self.element_bits(*element, line)?.checked_mul(*count).ok_or_else(too_big)?;
                let align = self.data.vector(bits);
                Layout { size: bits.div_ceil(8).checked_next_multiple_of(align).ok_or_else(too_big)?, align }
            }
            Ty::Struct { packed, fields } => {
                let (mut size, mut align) = (0u64, 1);
                for field in fields {
                    let field = self.layout_within(*field, line, depth - 1)?;
                    let field_align = if *packed { 1 } else { field.align };
                    align = align.max(field_align);
                    let start = size.checked_next_multiple_of(field_align).ok_or_else(too_big)?;
                    size = start.checked_add(field.size).ok_or_else(too_big)?;
                }
                Layout { size: size.checked_next_multiple_of(align).ok_or_else(too_big)?, align }
            }
            _ => return Err(Error::new(line, format!("the type {} has no size", self.name(id)))),
        };
        self.known.borrow_mut()[id.index()] = Some(layout);
        Ok(layout)
    }

    fn element_bits(&self, id: TypeId, line: u32) -> Result<u64> {
        match self.ty(id) {
            Ty::Int(bits) => Ok(u64::from(*bits)),
            Ty::Float => Ok(32),
            Ty::Double | Ty::Ptr => Ok(64),
            Ty::LongDouble(_) => Ok(128),
            Ty::OtherFloat(_, size, _) => Ok(size * 8),
            _ => Err(Error::new(line, format!("a vector of {}", self.name(id)))),
        }
    }

    /// The type and offset of a field of a structure or an element of an array or vector.
    pub(super) fn field(&self, id: TypeId, index: u64, line: u32) -> Result<(TypeId, u64)> {
        let missing = || Error::new(line, format!("the type {} has no field {index}", self.name(id)));
        match self.ty(id) {
            Ty::Struct { packed, fields } => {
                let mut offset = 0u64;
                for (position, &field) in fields.iter().enumerate() {
                    let layout = self.layout(field, line)?;
                    offset = offset.next_multiple_of(if *packed { 1 } else { layout.align });
                    if position as u64 == index {
                        return Ok((field, offset));
                    }
                    offset += layout.size;
                }
                Err(missing())
            }
            Ty::Array(_, element) | Ty::Vector(_, element) => {
                let size = self.layout(*element, line)?.size;
                Ok((*element, size.checked_mul(index).ok_or_else(missing)?))
            }
            _ => Err(missing()),
        }
    }

    /// The scalars that a value of this type consists of in registers, by offset.
    pub(super) fn scalars(&self, id: TypeId, line: u32) -> Result<Rc<[Scalar]>> {
        if let Some(scalars) = &self.flat.borrow()[id.index()] {
            return Ok(scalars.clone());
        }
        let mut scalars = Vec::new();
        self.flatten(id, 0, &mut scalars, line, DEPTH_LIMIT)?;
        let scalars: Rc<[Scalar]> = scalars.into();
        self.flat.borrow_mut()[id.index()] = Some(scalars.clone());
        Ok(scalars)
    }

    fn flatten(&self, id: TypeId, base: u64, scalars: &mut Vec<Scalar>, line: u32, depth: u32) -> Result<()> {
        if depth == 0 || scalars.len() > SCALARS_LIMIT {
            return Err(Error::unsupported(line, format!("a register of the type {}", self.name(id))));
        }
        let ty = match self.ty(id) {
            Ty::Void => return Ok(()),
            Ty::Int(bits @ 1..=128) => Type::Int(*bits as u8),
            Ty::Float => Type::F32,
            Ty::Double | Ty::LongDouble(_) => Type::F64,
            Ty::Ptr => Type::Ptr,
            // The count is checked by itself, because elements may have no scalars.
            Ty::Array(count, _) | Ty::Vector(count, _) if *count <= SCALARS_LIMIT as u64 => {
                for index in 0..*count {
                    let (element, offset) = self.field(id, index, line)?;
                    self.flatten(element, base + offset, scalars, line, depth - 1)?;
                }
                return Ok(());
            }
            Ty::Struct { fields, .. } => {
                for index in 0..fields.len() as u64 {
                    let (field, offset) = self.field(id, index, line)?;
                    self.flatten(field, base + offset, scalars, line, depth - 1)?;
                }
                return Ok(());
            }
            _ => return Err(Error::unsupported(line, format!("a value of the type {}", self.name(id)))),
        };
        scalars.push((ty, base));
        Ok(())
    }

    /// The only scalar of a type that is no aggregate.
    pub(super) fn scalar(&self, id: TypeId, line: u32) -> Result<Type> {
        match *self.scalars(id, line)? {
            [(ty, _)] => Ok(ty),
            _ => Err(Error::unsupported(line, format!("{} here", self.name(id)))),
        }
    }

    /// Which scalars of an aggregate the indices of `extractvalue` mean, and their type.
    pub(super) fn part(&self, mut id: TypeId, indices: &[u32], line: u32) -> Result<(std::ops::Range<usize>, TypeId)> {
        let mut start = 0;
        for &index in indices {
            let in_range = match self.ty(id) {
                Ty::Array(count, _) | Ty::Vector(count, _) => u64::from(index) < (*count).min(SCALARS_LIMIT as u64),
                Ty::Struct { fields, .. } => (index as usize) < fields.len(),
                _ => false,
            };
            if !in_range {
                return Err(Error::new(line, format!("the type {} has no field {index}", self.name(id))));
            }
            for before in 0..index {
                let (field, _) = self.field(id, u64::from(before), line)?;
                start += self.scalars(field, line)?.len();
            }
            id = self.field(id, u64::from(index), line)?.0;
        }
        Ok((start..start + self.scalars(id, line)?.len(), id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    /// Before LLVM 18, integers of 128 bits were aligned as those of 64.
    const X86_14: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";

    #[test]
    fn fields_are_aligned() {
        let mut types = Types::default();
        let (byte, wide, pointer) = (types.intern(Ty::Int(8)), types.intern(Ty::Int(128)), types.intern(Ty::Ptr));
        let array = types.intern(Ty::Array(3, pointer));
        let loose = types.intern(Ty::Struct { packed: false, fields: vec![byte, wide, byte, array] });
        let packed = types.intern(Ty::Struct { packed: true, fields: vec![byte, wide, byte, array] });
        let layouts = Layouts::new(&types, Some(X86)).expect("a layout");
        assert_eq!(layouts.layout(loose, 1), Ok(Layout { size: 64, align: 16 }));
        assert_eq!(layouts.layout(packed, 1), Ok(Layout { size: 42, align: 1 }));
        assert_eq!(layouts.field(loose, 3, 1).map(|field| field.1), Ok(40));
        let old = Layouts::new(&types, Some(X86_14)).expect("a layout");
        assert_eq!(old.layout(loose, 1), Ok(Layout { size: 56, align: 8 }));
    }

    #[test]
    fn scalars_come_by_offset() {
        let mut types = Types::default();
        let (float, short) = (types.intern(Ty::Float), types.intern(Ty::Int(16)));
        let vector = types.intern(Ty::Vector(2, float));
        let both = types.intern(Ty::Struct { packed: false, fields: vec![short, vector] });
        let layouts = Layouts::new(&types, Some(X86)).expect("a layout");
        let expected = [(Type::Int(16), 0), (Type::F32, 8), (Type::F32, 12)];
        assert_eq!(layouts.scalars(both, 1).as_deref(), Ok(&expected[..]));
        assert_eq!(layouts.part(both, &[1, 1], 1), Ok((2..3, float)));
        assert!(layouts.part(both, &[2], 1).is_err());
    }
}
