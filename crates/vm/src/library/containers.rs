//! What libstdc++ keeps in its library of `std::map`, `std::set`, `std::list` and the hash containers.
//!
//! Trees are not balanced: that shows only in the time it takes. A node of a tree is its colour, its parent, and
//! its children; the header has the root for its parent, the first node for its left child and the last one for its
//! right child, and is told from a node by being red.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};

const RED: u64 = 0;
const BLACK: u64 = 1;
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;

impl Script<'_> {
    fn point(&mut self, address: u64, value: u64) -> Paused<()> {
        self.write(address, 8, Cell::new(value))
    }

    /// The node furthest to one side.
    fn furthest(&mut self, mut node: u64, side: u64) -> Paused<u64> {
        loop {
            match self.word(node + side)? {
                0 => return Ok(node),
                child => node = child,
            }
        }
    }

    /// The neighbour of a node on one side.
    fn neighbour(&mut self, node: u64, side: u64, other: u64) -> Paused<u64> {
        let child = self.word(node + side)?;
        if child != 0 {
            return self.furthest(child, other);
        }
        let (mut node, mut parent) = (node, self.word(node + PARENT)?);
        while self.word(parent + side)? == node {
            // The header is no child, but has children, of which one may be the root.
            if self.read(parent, 4)?.bits == RED {
                return Ok(parent);
            }
            (node, parent) = (parent, self.word(parent + PARENT)?);
        }
        Ok(parent)
    }

    /// Puts `new` in the place that `old` has below its parent.
    fn replace(&mut self, header: u64, old: u64, new: u64) -> Paused<()> {
        let parent = self.word(old + PARENT)?;
        if parent == header {
            self.point(header + PARENT, new)?;
        } else if self.word(parent + LEFT)? == old {
            self.point(parent + LEFT, new)?;
        } else {
            self.point(parent + RIGHT, new)?;
        }
        if new != 0 { self.point(new + PARENT, parent) } else { Ok(()) }
    }
}

/// `std::_Rb_tree_insert_and_rebalance(bool left, node, parent, header)`
pub(super) fn tree_insert(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (left, node, parent, header) = (call.number(0)? & 1 == 1, call.number(1)?, call.number(2)?, call.number(3)?);
    scripted(machine, call, |script| {
        script.point(node + PARENT, parent)?;
        script.point(node + LEFT, 0)?;
        script.point(node + RIGHT, 0)?;
        script.write(node, 4, Cell::new(BLACK))?;
        if parent == header {
            script.point(header + PARENT, node)?;
            script.point(header + LEFT, node)?;
            script.point(header + RIGHT, node)?;
            return Ok(Reply::nothing());
        }
        let side = if left { LEFT } else { RIGHT };
        script.point(parent + side, node)?;
        if script.word(header + side)? == parent {
            script.point(header + side, node)?;
        }
        Ok(Reply::nothing())
    })
}

/// `std::_Rb_tree_rebalance_for_erase(node, header)`, which takes a node out of a tree and returns it.
pub(super) fn tree_erase(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (node, header) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        for (side, other) in [(LEFT, RIGHT), (RIGHT, LEFT)] {
            if script.word(header + side)? == node {
                let next = script.neighbour(node, other, side)?;
                script.point(header + side, next)?;
            }
        }
        let (left, right) = (script.word(node + LEFT)?, script.word(node + RIGHT)?);
        if left == 0 || right == 0 {
            script.replace(header, node, if left == 0 { right } else { left })?;
            return Ok(Reply::word(node));
        }
        let next = script.furthest(right, LEFT)?;
        if next != right {
            let below = script.word(next + RIGHT)?;
            script.replace(header, next, below)?;
            script.point(next + RIGHT, right)?;
            script.point(right + PARENT, next)?;
        }
        script.replace(header, node, next)?;
        script.point(next + LEFT, left)?;
        script.point(left + PARENT, next)?;
        Ok(Reply::word(node))
    })
}

/// `std::_Rb_tree_increment`
pub(super) fn tree_next(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let node = call.number(0)?;
    scripted(machine, call, |script| Ok(Reply::word(script.neighbour(node, RIGHT, LEFT)?)))
}

/// `std::_Rb_tree_decrement`
pub(super) fn tree_previous(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let node = call.number(0)?;
    scripted(machine, call, |script| {
        // Before the end is the last node.
        if script.read(node, 4)?.bits == RED {
            return Ok(Reply::word(script.word(node + RIGHT)?));
        }
        Ok(Reply::word(script.neighbour(node, LEFT, RIGHT)?))
    })
}

/// `std::__detail::_List_node_base::_M_hook(before)`; a node of a list is the next one and the previous one.
pub(super) fn list_hook(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (node, before) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let previous = script.word(before + 8)?;
        script.point(node, before)?;
        script.point(node + 8, previous)?;
        script.point(previous, node)?;
        script.point(before + 8, node)?;
        Ok(Reply::nothing())
    })
}

/// `std::__detail::_List_node_base::_M_unhook()`
pub(super) fn list_unhook(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let node = call.number(0)?;
    scripted(machine, call, |script| {
        let (next, previous) = (script.word(node)?, script.word(node + 8)?);
        script.point(previous, next)?;
        script.point(next + 8, previous)?;
        Ok(Reply::nothing())
    })
}

/// `std::__detail::_List_node_base::_M_transfer(first, last)`: moves `[first, last)` before this node.
pub(super) fn list_transfer(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (node, first, last) = (call.number(0)?, call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        if node == last {
            return Ok(Reply::nothing());
        }
        let (end, before, previous) = (script.word(last + 8)?, script.word(first + 8)?, script.word(node + 8)?);
        for (at, value) in
            [(end, node), (before, last), (previous, first), (node + 8, end), (last + 8, before), (first + 8, previous)]
        {
            script.point(at, value)?;
        }
        Ok(Reply::nothing())
    })
}

/// `std::__detail::_List_node_base::swap(one, other)`: exchanges the contents of two lists.
pub(super) fn list_swap(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (one, other) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let mine = [script.word(one)?, script.word(one + 8)?];
        let theirs = [script.word(other)?, script.word(other + 8)?];
        // What an empty list points to is itself.
        for (list, [first, last], old) in [(one, theirs, other), (other, mine, one)] {
            let is_empty = first == old;
            script.point(list, if is_empty { list } else { first })?;
            script.point(list + 8, if is_empty { list } else { last })?;
            if !is_empty {
                script.point(first + 8, list)?;
                script.point(last, list)?;
            }
        }
        Ok(Reply::nothing())
    })
}

/// A number of buckets that is enough for `wanted`: odd, at least.
fn buckets(wanted: u64) -> u64 {
    wanted.saturating_mul(2) | 1
}

/// `std::__detail::_Prime_rehash_policy::_M_next_bkt(n)`
pub(super) fn next_buckets(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(buckets(call.number(1)?).max(13))
}

/// `std::__detail::_Prime_rehash_policy::_M_need_rehash(buckets, elements, more)`: whether, and how many buckets.
pub(super) fn need_rehash(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (now, wanted) = (call.number(1)?, call.number(2)?.saturating_add(call.number(3)?));
    let (needed, count) = if wanted > now { (1, buckets(wanted).max(13)) } else { (0, 0) };
    Ok(Reply::Return([needed, count].map(Cell::new).into_iter().collect()))
}

/// `std::_Hash_bytes(pointer, length, seed)`: FNV-1a.
pub(super) fn hash_bytes(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, length, seed) = (call.number(0)?, call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        let bytes = script.bytes(address, length)?;
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325 ^ seed, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Ok(Reply::word(hash))
    })
}
