//! Names in the source for the bytes of an object.

use crate::ids::DebugTypeId;
use crate::module::Module;
use crate::words::words;
use std::fmt::Write;

/// A type of the source, as far as a report needs it. Typedefs and qualifiers are looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// A number, character or truth value.
    Scalar {
        /// The name, such as `unsigned int`.
        name: String,
        /// The size in bytes.
        size: u64,
        /// How to read its bits.
        encoding: Encoding,
    },
    /// A pointer or reference; to nothing that is known for `void *`.
    Pointer(Option<DebugTypeId>),
    /// An array.
    Array {
        /// The type of an element.
        element: DebugTypeId,
        /// The size of an element in bytes.
        stride: u64,
        /// The number of elements; 0 if it is not known.
        count: u64,
    },
    /// A structure, class or union.
    Record {
        /// The tag, or empty.
        name: String,
        /// The size in bytes.
        size: u64,
        /// The members, base classes first. Those of a union overlap.
        members: Vec<Member>,
    },
    /// An enumeration.
    Enumeration {
        /// The tag, or empty.
        name: String,
        /// The size in bytes.
        size: u64,
        /// The names and values.
        values: Vec<(String, i64)>,
    },
    /// Something else, of which only the name is known.
    Opaque(String),
}

words!(
    /// How the bits of a scalar are to be read.
    Encoding {
        /// A signed integer.
        Signed = "signed",
        /// An unsigned integer.
        Unsigned = "unsigned",
        /// A character.
        Char = "char",
        /// A truth value.
        Bool = "bool",
        /// A floating point number.
        Float = "float",
    }
);

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The name; empty for a base class or an anonymous member, whose own members count as the record's.
    pub name: String,
    /// The offset in bytes.
    pub offset: u64,
    /// The type.
    pub ty: DebugTypeId,
}

/// Whether a file is not the user's, but comes with the compiler or the system.
pub fn is_system_file(file: &str) -> bool {
    file.starts_with("/usr/") || ["/include/c++/", "/lib/clang/", "/lib/gcc/"].iter().any(|part| file.contains(part))
}

/// How deep [`Module::path`] looks into a type: types read from a file may contain themselves.
const DEPTH_LIMIT: u32 = 32;

impl Module {
    /// The size in bytes of a debug type, 0 where it is not known.
    pub fn debug_size(&self, id: DebugTypeId) -> u64 {
        match self.types.get(id.index()) {
            Some(
                DebugType::Scalar { size, .. } | DebugType::Record { size, .. } | DebugType::Enumeration { size, .. },
            ) => *size,
            Some(DebugType::Pointer(_)) => 8,
            Some(DebugType::Array { stride, count, .. }) => stride.saturating_mul(*count),
            Some(DebugType::Opaque(_)) | None => 0,
        }
    }

    /// Whether there is nothing in a structure: a base class that only has functions, say.
    fn is_empty(&self, id: DebugTypeId, depth: u32) -> bool {
        match self.types.get(id.index()) {
            Some(DebugType::Record { members, .. }) => {
                depth > 0 && members.iter().all(|member| self.is_empty(member.ty, depth - 1))
            }
            _ => false,
        }
    }

    /// What to append to the name of an object of type `id` for an access to the byte at `offset`: `.head`,
    /// `[3]`, `.items[2].next`, or `+5` where the type does not say. Also the scalar type found there.
    pub fn path(&self, id: DebugTypeId, offset: u64) -> (String, Option<DebugTypeId>) {
        self.path_to(id, offset, None)
    }

    /// The same, but not into what has the type `wanted`: the type found there is that, if there is one.
    pub fn path_to(&self, id: DebugTypeId, offset: u64, wanted: Option<DebugTypeId>) -> (String, Option<DebugTypeId>) {
        let mut path = String::new();
        let found = self.extend_path(&mut path, (id, offset), wanted, DEPTH_LIMIT);
        (path, found)
    }

    fn extend_path(
        &self,
        path: &mut String,
        (id, offset): (DebugTypeId, u64),
        wanted: Option<DebugTypeId>,
        depth: u32,
    ) -> Option<DebugTypeId> {
        if offset == 0 && Some(id) == wanted {
            return Some(id);
        }
        match self.types.get(id.index()) {
            Some(DebugType::Array { element, stride, count }) if depth > 0 && *stride > 0 => {
                let index = offset / stride;
                if *count == 0 || index < *count {
                    let _ = write!(path, "[{index}]");
                    return self.extend_path(path, (*element, offset % stride), wanted, depth - 1);
                }
            }
            Some(DebugType::Record { members, .. }) if depth > 0 => {
                let here = |member: &&Member| {
                    let size = self.debug_size(member.ty).max(1);
                    !self.is_empty(member.ty, depth) && member.offset <= offset && offset - member.offset < size
                };
                if let Some(member) = members.iter().find(here) {
                    if !member.name.is_empty() {
                        let _ = write!(path, ".{}", member.name);
                    }
                    return self.extend_path(path, (member.ty, offset - member.offset), wanted, depth - 1);
                }
            }
            Some(_) if offset == 0 => return Some(id),
            _ => {}
        }
        if offset > 0 {
            let _ = write!(path, "+{offset}");
        }
        None
    }
}
