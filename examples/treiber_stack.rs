//! Treiber's stack over a fixed set of cells, whose free cells it keeps. The broken version suffers from ABA: a cell
//! that was popped and pushed again looks as if nothing had happened. The correct one counts the changes.

use everyway::render::text::plain;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use everyway::thread;

/// No cell.
const NONE: u32 = u32::MAX;

/// A stack of the cells that are free.
struct FreeCells {
    /// The first free cell, and how often it has changed, if that is counted.
    head: AtomicU64,
    /// For each cell, the one below it.
    below: Vec<AtomicU32>,
    counts: bool,
}

impl FreeCells {
    /// All of `cells` cells are free; 0 is on top.
    fn new(cells: u32, counts: bool) -> Self {
        let below = (1..=cells).map(|next| AtomicU32::new(if next < cells { next } else { NONE })).collect();
        Self { head: AtomicU64::new(0), below, counts }
    }

    /// The head that has `top` on top, and comes after `head`.
    fn after(&self, head: u64, top: u32) -> u64 {
        let changes = if self.counts { (head >> 32) + 1 } else { 0 };
        changes << 32 | u64::from(top)
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let head = self.head.load(SeqCst);
            let top = head as u32;
            if top == NONE {
                return None;
            }
            let next = self.below[top as usize].load(SeqCst);
            if self.head.compare_exchange(head, self.after(head, next), SeqCst, SeqCst).is_ok() {
                return Some(top);
            }
        }
    }

    fn push(&self, cell: u32) {
        loop {
            let head = self.head.load(SeqCst);
            self.below[cell as usize].store(head as u32, SeqCst);
            if self.head.compare_exchange(head, self.after(head, cell), SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }
}

/// One thread takes a cell; the other takes two and gives the first back. No thread may get a cell that another holds.
fn allocate(counts: bool) {
    let cells = Arc::new(FreeCells::new(3, counts));
    let shared = cells.clone();
    let other = thread::spawn(move || shared.pop());
    let first = cells.pop();
    let second = cells.pop();
    if let Some(first) = first {
        cells.push(first);
    }
    let third = cells.pop();
    let theirs = other.join().unwrap();
    let mut held: Vec<u32> = [second, third, theirs].into_iter().flatten().collect();
    held.sort_unstable();
    held.dedup();
    assert_eq!(held.len(), 3, "three cells are held, by two threads: {second:?}, {third:?} and {theirs:?}");
}

fn main() {
    println!("Without a count of changes:\n");
    println!("{}", plain(&everyway::explore(|| allocate(false))));
    println!("With it:\n");
    println!("{}", plain(&everyway::explore(|| allocate(true))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn a_cell_is_handed_out_twice() {
        let report = everyway::explore(|| allocate(false));
        assert_eq!(report.bug.expect("the bug is found").kind, BugKind::Panic);
    }

    #[everyway::test]
    fn every_cell_has_one_holder() {
        allocate(true);
    }
}
