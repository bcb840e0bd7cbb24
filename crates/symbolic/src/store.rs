//! The contents of shared memory in a time frame.
//!
//! A small object has a term for each of its cells: a write changes those that it may concern. For a large one this
//! would be many terms in every frame, although few of its cells are ever written. Such an object is a log instead: its
//! contents at the start, and the writes since, of which there is at most one in a step. A read searches for the last
//! write to its address.

use crate::layout::{Cells, Form};
use crate::system::OFFSET_BITS;
use crate::term::{Term, Terms};

/// A write to one cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    condition: Term,
    /// The offset, in as many bits as tell cells apart.
    index: Term,
    value: Term,
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(crate) enum Contents {
    /// A term for each cell.
    Cells(Vec<Term>),
    /// The writes since the start, the first one first.
    Log(Vec<Written>),
}

impl Contents {
    /// What an object holds at the start.
    pub(crate) fn initial(cells: &Cells) -> Self {
        match cells.form {
            Form::Cells => Contents::Cells(cells.initial.clone()),
            Form::Log => Contents::Log(Vec::new()),
        }
    }

    /// What is at an offset, for an access to so many cells that is valid.
    pub(crate) fn read(&self, terms: &mut Terms, layout: &Cells, offset: Term, count: usize) -> Term {
        match self {
            Contents::Cells(cells) => read_cells(terms, cells, layout.grain, offset, count),
            Contents::Log(log) => {
                let index = index_of(terms, layout, offset);
                let is_uniform = layout.initial.iter().all(|cell| *cell == layout.initial[0]);
                let first = match is_uniform {
                    true => layout.initial[0],
                    false => read_cells(terms, &layout.initial, layout.grain, offset, count),
                };
                after(terms, log, index, first)
            }
        }
    }

    /// How many writes there were, if they are kept.
    pub(crate) fn writes(&self) -> Option<usize> {
        match self {
            Contents::Cells(_) => None,
            Contents::Log(log) => Some(log.len()),
        }
    }

    /// What is at an offset where `before` was after the first so many writes.
    pub(crate) fn read_again(
        &self,
        terms: &mut Terms,
        layout: &Cells,
        offset: Term,
        (writes, before): (usize, Term),
    ) -> Option<Term> {
        let Contents::Log(log) = self else { return None };
        let index = index_of(terms, layout, offset);
        Some(after(terms, log.get(writes..)?, index, before))
    }

    /// Writes to so many cells from an offset on, if the condition holds.
    pub(crate) fn write(
        &mut self,
        terms: &mut Terms,
        layout: &Cells,
        condition: Term,
        (offset, count): (Term, usize),
        value: Term,
    ) {
        let index = index_of(terms, layout, offset);
        match self {
            Contents::Log(log) => log.push(Written { condition, index, value }),
            Contents::Cells(cells) => {
                let bits = terms.width(index);
                for (position, cell) in cells.iter_mut().enumerate() {
                    for part in 0..count.min(position + 1) {
                        let start = (position - part) as u128 * u128::from(layout.grain);
                        let start = terms.constant(bits, start);
                        let here = terms.equal(index, start);
                        let here = terms.and(condition, here);
                        if terms.is_false(here) {
                            continue;
                        }
                        let width = terms.width(*cell);
                        let value = terms.extract(value, part as u32 * width, width);
                        *cell = terms.choose(here, value, *cell);
                    }
                }
            }
        }
    }
}

/// What a cell holds after some writes.
fn after(terms: &mut Terms, writes: &[Written], index: Term, before: Term) -> Term {
    writes.iter().fold(before, |before, write| {
        let here = terms.equal(index, write.index);
        let here = terms.and(write.condition, here);
        terms.choose(here, write.value, before)
    })
}

/// So many bits of an offset as tell the cells of an object apart.
fn index_of(terms: &mut Terms, layout: &Cells, offset: Term) -> Term {
    let bytes = layout.initial.len() as u64 * u64::from(layout.grain);
    let bits = (u64::BITS - bytes.leading_zeros()).clamp(1, OFFSET_BITS);
    terms.extract(offset, 0, bits)
}

fn read_cells(terms: &mut Terms, cells: &[Term], grain: u32, offset: Term, count: usize) -> Term {
    let whole = |terms: &mut Terms, start: usize| -> Option<Term> {
        let mut parts = cells.get(start..start + count)?.iter().rev().copied();
        let first = parts.next()?;
        Some(parts.fold(first, |high, low| terms.concat(high, low)))
    };
    let width = cells.first().map_or(8, |&cell| terms.width(cell)) * count as u32;
    if let Some(offset) = terms.value(offset) {
        let found = whole(terms, (offset / u128::from(grain)) as usize);
        return found.unwrap_or_else(|| terms.constant(width, 0));
    }
    let bytes = cells.len() as u64 * u64::from(grain);
    let bits = (u64::BITS - bytes.leading_zeros()).clamp(1, OFFSET_BITS);
    let index = terms.extract(offset, 0, bits);
    let mut result: Option<Term> = None;
    for start in 0..cells.len() {
        let Some(value) = whole(terms, start) else { break };
        let number = terms.constant(bits, start as u128 * u128::from(grain));
        let here = terms.equal(index, number);
        result = Some(result.map_or(value, |result| terms.choose(here, value, result)));
    }
    result.unwrap_or_else(|| terms.constant(width, 0))
}
