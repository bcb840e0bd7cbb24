//! Debug metadata: places, names and types of the source.

use crate::ast::{Metadata, Module, Node};
use crate::lex::unescape_text;
use everyway_ir::{DebugType, DebugTypeId, Encoding, FileId, Frame, FrameId, Member, SourceLocation, is_system_file};
use rustc_hash::FxHashMap;

/// A variable of the source.
pub(super) struct Variable {
    pub(super) name: Option<String>,
    pub(super) ty: Option<DebugTypeId>,
    pub(super) location: Option<SourceLocation>,
}

/// Translates debug metadata as it is asked for.
pub(super) struct Debug<'m, 'a> {
    nodes: &'m FxHashMap<u32, Node<'a>>,
    pub(super) files: Vec<String>,
    file_ids: FxHashMap<String, FileId>,
    locations: FxHashMap<u32, Option<SourceLocation>>,
    /// Calls whose place clang has put what is called in.
    pub(super) frames: Vec<Frame>,
    frame_ids: FxHashMap<u32, FrameId>,
    pub(super) types: Vec<DebugType>,
    type_ids: FxHashMap<u32, DebugTypeId>,
    /// Types that have an id and are not translated yet.
    pending: Vec<(u32, DebugTypeId)>,
}

/// How many scopes, typedefs and qualifiers are looked through: metadata in a broken file may be cyclic.
const CHAIN_LIMIT: u32 = 256;

impl<'m, 'a> Debug<'m, 'a> {
    pub(super) fn new(module: &'m Module<'a>) -> Self {
        Self {
            nodes: &module.metadata,
            files: Vec::new(),
            file_ids: FxHashMap::default(),
            locations: FxHashMap::default(),
            frames: Vec::new(),
            frame_ids: FxHashMap::default(),
            types: Vec::new(),
            type_ids: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    fn node(&self, id: u32) -> Option<&'m Node<'a>> {
        self.nodes.get(&id)
    }

    /// The place of a `!dbg` attachment.
    pub(super) fn location(&mut self, id: Option<u32>) -> Option<SourceLocation> {
        let id = id?;
        if let Some(known) = self.locations.get(&id) {
            return *known;
        }
        let location = self.resolve_location(id);
        self.locations.insert(id, location);
        location
    }

    /// Where an instruction comes from: if that is a function of a system's header that was inlined, where it was.
    fn resolve_location(&mut self, id: u32) -> Option<SourceLocation> {
        let inlined = self.frame(id);
        let mut id = id;
        for _ in 0..CHAIN_LIMIT {
            let node = self.node(id)?;
            let file = self.scope_file(node.node("scope")?)?;
            match node.node("inlinedAt") {
                Some(caller) if is_system_file(&self.files[file.index()]) => id = caller,
                _ => return Some(SourceLocation { inlined, ..self.place(file, self.node(id)?)? }),
            }
        }
        None
    }

    /// The innermost of the calls that a place is in, if what they call was put in their place.
    fn frame(&mut self, id: u32) -> Option<FrameId> {
        self.node(id)?.node("inlinedAt")?;
        let next = |&id: &u32| self.node(id)?.node("inlinedAt");
        let chain: Vec<u32> = std::iter::successors(Some(id), next).take(CHAIN_LIMIT as usize).collect();
        let mut outer = None;
        for id in chain.into_iter().rev() {
            outer = match self.frame_ids.get(&id) {
                Some(&known) => Some(known),
                None => self.new_frame(id, outer).or(outer),
            };
        }
        outer
    }

    fn new_frame(&mut self, id: u32, outer: Option<FrameId>) -> Option<FrameId> {
        let node = self.node(id)?;
        let scope = node.node("scope")?;
        let file = self.scope_file(scope)?;
        let location = SourceLocation { inlined: outer, ..self.place(file, node)? };
        let frame = FrameId::new(self.frames.len());
        self.frames.push(Frame { function: self.scope_function(scope)?, location });
        self.frame_ids.insert(id, frame);
        Some(frame)
    }

    /// The symbol of the function that a scope is in, or its name if it has none.
    fn scope_function(&self, scope: u32) -> Option<String> {
        let mut scope = Some(scope);
        for _ in 0..CHAIN_LIMIT {
            let node = self.node(scope?)?;
            if let Node::Record("DISubprogram", _) = node {
                let symbol = unescape_text(node.text("linkageName"));
                return Some(if symbol.is_empty() { unescape_text(node.text("name")) } else { symbol });
            }
            scope = node.node("scope");
        }
        None
    }

    /// A file with the line and column of a node; line 0 is the compiler's way to say that there is none.
    fn place(&self, file: FileId, node: &Node<'a>) -> Option<SourceLocation> {
        let line = u32::try_from(node.number("line")).ok().filter(|&line| line > 0)?;
        Some(SourceLocation { file, line, column: u32::try_from(node.number("column")).unwrap_or(0), inlined: None })
    }

    fn scope_file(&mut self, scope: u32) -> Option<FileId> {
        let mut scope = Some(scope);
        for _ in 0..CHAIN_LIMIT {
            let node = self.node(scope?)?;
            match node.node("file") {
                Some(file) => return self.file(file),
                None => scope = node.node("scope"),
            }
        }
        None
    }

    fn file(&mut self, id: u32) -> Option<FileId> {
        let name = unescape_text(self.node(id)?.text("filename"));
        if let Some(&known) = self.file_ids.get(&name) {
            return Some(known);
        }
        let file = FileId::new(self.files.len());
        self.files.push(name.clone());
        self.file_ids.insert(name, file);
        Some(file)
    }

    /// The variable of a `DILocalVariable` or `DIGlobalVariableExpression`.
    pub(super) fn variable(&mut self, id: Option<u32>) -> Option<Variable> {
        let mut node = self.node(id?)?;
        if let Node::Record("DIGlobalVariableExpression", _) = node {
            node = self.node(node.node("var")?)?;
        }
        let name = Some(unescape_text(node.text("name"))).filter(|name| !name.is_empty());
        let ty = node.node("type").map(|ty| self.ty(ty));
        let file = node.node("file").and_then(|file| self.file(file));
        Some(Variable { name, ty, location: file.and_then(|file| self.place(file, node)) })
    }

    /// The name and place of a `DISubprogram`.
    pub(super) fn subprogram(&mut self, id: Option<u32>) -> (Option<String>, Option<SourceLocation>) {
        let Some(node) = id.and_then(|id| self.node(id)) else { return (None, None) };
        let name = Some(unescape_text(node.text("name"))).filter(|name| !name.is_empty());
        let file = node.node("file").and_then(|file| self.file(file));
        (name, file.and_then(|file| self.place(file, node)))
    }

    /// The id of a type; [`finish_types`](Self::finish_types) translates it.
    fn ty(&mut self, id: u32) -> DebugTypeId {
        let id = self.look_through(id);
        if let Some(&known) = self.type_ids.get(&id) {
            return known;
        }
        let new = DebugTypeId::new(self.types.len());
        self.types.push(DebugType::Opaque(String::new()));
        self.type_ids.insert(id, new);
        self.pending.push((id, new));
        new
    }

    /// The type behind typedefs and qualifiers.
    fn look_through(&self, mut id: u32) -> u32 {
        for _ in 0..CHAIN_LIMIT {
            let Some(node) = self.node(id) else { break };
            let transparent = matches!(
                node.word("tag"),
                "DW_TAG_typedef"
                    | "DW_TAG_const_type"
                    | "DW_TAG_volatile_type"
                    | "DW_TAG_atomic_type"
                    | "DW_TAG_restrict_type"
                    | "DW_TAG_template_alias"
            );
            match node.node("baseType").filter(|_| transparent) {
                Some(base) => id = base,
                None => break,
            }
        }
        id
    }

    /// Translates the types that have been asked for, and those that they need.
    pub(super) fn finish_types(&mut self) {
        while let Some((id, to)) = self.pending.pop() {
            let translated = self.node(id).map(|node| self.translate(node));
            self.types[to.index()] = translated.unwrap_or(DebugType::Opaque(String::new()));
        }
        self.measure_open_arrays();
    }

    /// The elements of an array of unknown length have the size of their type.
    fn measure_open_arrays(&mut self) {
        for index in 0..self.types.len() {
            let DebugType::Array { element, stride: 0, .. } = self.types[index] else { continue };
            let size = match &self.types[element.index()] {
                DebugType::Scalar { size, .. } | DebugType::Record { size, .. } => *size,
                DebugType::Enumeration { size, .. } => *size,
                DebugType::Pointer(_) => 8,
                DebugType::Array { stride, count, .. } => stride.saturating_mul(*count),
                DebugType::Opaque(_) => 0,
            };
            if let DebugType::Array { stride, .. } = &mut self.types[index] {
                *stride = size;
            }
        }
    }

    fn translate(&mut self, node: &'m Node<'a>) -> DebugType {
        let name = unescape_text(node.text("name"));
        let size = u64::try_from(node.number("size")).unwrap_or(0) / 8;
        let Node::Record(kind, _) = node else { return DebugType::Opaque(name) };
        match (*kind, node.word("tag")) {
            ("DIBasicType", _) => DebugType::Scalar { name, size, encoding: encoding(node.word("encoding")) },
            (_, "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type") => {
                DebugType::Pointer(node.node("baseType").map(|to| self.ty(to)))
            }
            (_, "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type") => {
                DebugType::Record { name, size, members: self.members(node) }
            }
            (_, "DW_TAG_enumeration_type") => DebugType::Enumeration { name, size, values: self.enumerators(node) },
            (_, "DW_TAG_array_type") => self.array(node, size).unwrap_or(DebugType::Opaque(name)),
            _ => DebugType::Opaque(name),
        }
    }

    fn elements(&self, node: &Node<'a>) -> Vec<&'m Node<'a>> {
        let Some(Node::Tuple(elements)) = node.node("elements").and_then(|id| self.node(id)) else { return Vec::new() };
        let nodes =
            elements.iter().filter_map(|element| if let Metadata::Node(id) = element { Some(*id) } else { None });
        nodes.filter_map(|id| self.node(id)).collect()
    }

    fn members(&mut self, node: &Node<'a>) -> Vec<Member> {
        let mut members = Vec::new();
        for element in self.elements(node) {
            let static_member = matches!(element.word("flags"), "DIFlagStaticMember");
            let is_member = matches!(element.word("tag"), "DW_TAG_member" | "DW_TAG_inheritance");
            if let Some(ty) = element.node("baseType").filter(|_| is_member && !static_member) {
                let offset = u64::try_from(element.number("offset")).unwrap_or(0) / 8;
                members.push(Member { name: unescape_text(element.text("name")), offset, ty: self.ty(ty) });
            }
        }
        members
    }

    fn enumerators(&self, node: &Node<'a>) -> Vec<(String, i64)> {
        let value = |element: &Node<'a>| (unescape_text(element.text("name")), element.number("value") as i64);
        self.elements(node).into_iter().map(value).collect()
    }

    /// An array of several dimensions becomes arrays of arrays, the innermost last.
    fn array(&mut self, node: &Node<'a>, size: u64) -> Option<DebugType> {
        let counts: Vec<u64> = self.elements(node).iter().map(|range| count(range)).collect();
        let mut element = self.ty(node.node("baseType")?);
        let total: u64 = counts.iter().copied().fold(1, u64::saturating_mul);
        let mut stride = size.checked_div(total).unwrap_or(0);
        let (&outer, inner) = counts.split_first()?;
        for &count in inner.iter().rev() {
            let id = DebugTypeId::new(self.types.len());
            self.types.push(DebugType::Array { element, stride, count });
            stride = stride.saturating_mul(count);
            element = id;
        }
        Some(DebugType::Array { element, stride, count: outer })
    }
}

fn count(range: &Node<'_>) -> u64 {
    u64::try_from(range.number("count")).unwrap_or(0)
}

fn encoding(word: &str) -> Encoding {
    match word {
        "DW_ATE_signed" => Encoding::Signed,
        "DW_ATE_signed_char" | "DW_ATE_unsigned_char" | "DW_ATE_UTF" | "DW_ATE_ASCII" => Encoding::Char,
        "DW_ATE_boolean" => Encoding::Bool,
        "DW_ATE_float" | "DW_ATE_complex_float" => Encoding::Float,
        _ => Encoding::Unsigned,
    }
}
