//! How shared memory is divided into cells, so that an access touches few of them.
//!
//! The cells of an object are as wide as the sizes and offsets of all accesses that may concern it allow: an array of
//! `int` that is only accessed as such has a cell for each element. Synchronisation objects have cells of their own,
//! apart from the memory they lie in, and so has the life of objects.

use crate::system::{Access, AccessKind, OBJECT_BITS, OFFSET_BITS, SYNC_BITS, System};
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;

/// How the contents of an object are kept in a time frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As its cells.
    Cells,
    /// As the writes to it: every access is to one cell.
    Log,
}

/// From so many cells on, an object is kept as the writes to it. Fewer cells are cheaper than the writes of a search
/// that is deep enough to be of use.
const LARGE: usize = 24;

/// The cells of an object, or of the synchronisation objects in it.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// How they are kept.
    pub(crate) form: Form,
    /// How many bytes of the object a cell stands for.
    pub(crate) grain: u32,
    /// What the cells hold at the start.
    pub(crate) initial: Vec<Term>,
}

/// An object, the synchronisation objects in it, or its life.
pub(crate) type Spot = (AccessKind, u32);

/// How shared memory is divided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) cells: FxHashMap<Spot, Cells>,
    /// The objects that pointers of which nothing is known may point to.
    held: Vec<u32>,
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Layout {
    pub(crate) fn of(system: &mut System) -> Self {
        let shared = |object: &crate::system::Object| object.size > 0 && !object.bytes.is_empty();
        let held = (0..system.objects.len() as u32)
            .filter(|&object| shared(&system.objects[object as usize]) && system.objects[object as usize].is_held);
        let mut layout = Self { cells: FxHashMap::default(), held: held.collect() };
        let mut usage: FxHashMap<Spot, Usage> = FxHashMap::default();
        let places = || system.threads.iter().flat_map(|thread| &thread.places);
        let accesses: Vec<Access> = places().flat_map(|place| place.action.accesses.iter().cloned()).collect();
        let published: Vec<u32> =
            places().flat_map(|place| place.effect.published.iter().map(|published| published.object)).collect();
        let observed = system.invariant.iter().flat_map(|invariant| invariant.reads.clone());
        for access in accesses.iter().cloned().chain(observed).collect::<Vec<_>>() {
            for object in layout.candidates(&mut system.terms, access.address) {
                let size = system.objects.get(object as usize).map_or(0, |object| object.size);
                if size == 0 {
                    continue;
                }
                let start = if access.kind == AccessKind::Memory { access.bytes } else { 0 };
                let used = usage.entry((access.kind, object)).or_insert(Usage { grain: start, largest: 0 });
                used.grain = gcd(gcd(used.grain, start), access.divisor);
                used.largest = used.largest.max(access.bytes);
            }
        }
        for ((kind, object), used) in usage {
            let mut cells = cells(system, kind, object, used.grain);
            let one_each = kind == AccessKind::Memory && used.largest == cells.grain && !published.contains(&object);
            if one_each && cells.initial.len() >= LARGE {
                cells.form = Form::Log;
            }
            layout.cells.insert((kind, object), cells);
        }
        layout
    }

    /// The objects that a pointer may point to.
    pub(crate) fn candidates(&self, terms: &mut Terms, address: Term) -> Vec<u32> {
        let object = terms.extract(address, OFFSET_BITS, OBJECT_BITS);
        let mut found = Vec::new();
        if terms.leaves(object, &mut found) { found } else { self.held.clone() }
    }
}

/// How an object is accessed.
struct Usage {
    /// What the offsets and the sizes of all accesses are multiples of.
    grain: u32,
    /// The size of the largest access.
    largest: u32,
}

fn cells(system: &mut System, kind: AccessKind, object: u32, grain: u32) -> Cells {
    let Some(shared) = system.objects.get(object as usize) else {
        return Cells { form: Form::Cells, grain: 1, initial: Vec::new() };
    };
    let grain = if grain == 0 { shared.size } else { grain };
    let bytes = shared.bytes.clone();
    let terms = &mut system.terms;
    let initial = match kind {
        AccessKind::Sync => {
            let untouched = terms.constant(SYNC_BITS, 0);
            let mut syncs = vec![untouched; bytes.len().div_ceil(grain as usize)];
            for (&(_, offset), &value) in system.first_syncs.iter().filter(|((it, _), _)| *it == object) {
                if let Some(sync) = syncs.get_mut((offset / grain) as usize) {
                    *sync = value;
                }
            }
            syncs
        }
        AccessKind::Life => vec![terms.bool(system.first_dead.contains(&object))],
        AccessKind::Memory => bytes.chunks_exact(grain as usize).map(|cell| whole(terms, cell)).collect(),
    };
    Cells { form: Form::Cells, grain, initial }
}

/// Bytes as one term, the lowest first.
pub(crate) fn whole(terms: &mut Terms, bytes: &[Term]) -> Term {
    let (high, rest) = bytes.split_last().expect("a cell has at least one byte");
    rest.iter().rev().fold(*high, |high, &low| terms.concat(high, low))
}

impl Cells {
    /// How many cells an access of so many bytes touches.
    pub(crate) fn touched(&self, kind: AccessKind, bytes: u32) -> usize {
        match kind {
            AccessKind::Sync | AccessKind::Life => 1,
            AccessKind::Memory => (bytes / self.grain) as usize,
        }
    }
}
