//! A bound on preemptions against brute force.
//!
//! Of all interleavings of a program it is counted how often a thread was left that could go on, and of each class the
//! least such number is kept. With a bound, `bounded` explores exactly those classes whose number is within it, each once, in
//! whatever order it tries threads.

use crate::brute::{Witness, walk};
use crate::compare::run_again;
use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, Deed, History};
use everyway_explore::{Algorithm, End, Ending, Explorer, Limits, Order, Verification};
use everyway_runtime::{Execution, Performed, State, Status, Step, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// How often a thread was left that could go on.
fn preemptions(program: &Program, deeds: &[Deed]) -> u32 {
    let mut machine = Machine::new(program);
    let (mut count, mut left) = (0, None);
    for deed in deeds {
        count += u32::from(left.is_some_and(|left| left != deed.thread));
        let thread = ThreadId::new(deed.thread);
        let Ok(()) = machine.step(Step { thread, choice: deed.choice }, &mut Performed::default());
        left = (machine.status(thread) == Status::Ready).then_some(deed.thread);
    }
    count
}

struct Fewest<'a> {
    program: &'a Program,
    /// The classes, each with the fewest preemptions.
    classes: FxHashMap<Class, u32>,
}

impl Witness for Fewest<'_> {
    fn end(&mut self, machine: &Machine, history: &History) {
        let count = preemptions(self.program, history.deeds());
        let fewest = self.classes.entry(history.class(machine.fates())).or_insert(count);
        *fewest = count.min(*fewest);
    }
}

/// Compares `bounded` with brute force, for all bounds up to `most`; the number of classes without a bound. None if
/// `program` has more than `limit` maximal interleavings.
///
/// # Errors
/// How they differ.
pub fn compare(program: &Program, most: u32, limit: usize, seed: u64) -> Option<Result<usize, String>> {
    let mut fewest = Fewest { program, classes: FxHashMap::default() };
    if !walk(program, limit, &mut fewest) {
        return None;
    }
    let orders = [Order::Lowest, Order::Highest, Order::Random(seed)];
    for bound in 0..=most {
        for order in &orders {
            if let Err(difference) = explores(program, bound, order, &fewest.classes) {
                return Some(Err(format!("with {bound} preemptions, {order:?}: {difference}")));
            }
        }
    }
    Some(Ok(fewest.classes.len()))
}

/// Whether `bounded` explores the classes that it should.
fn explores(program: &Program, bound: u32, order: &Order, classes: &FxHashMap<Class, u32>) -> Result<(), String> {
    let mut found = FxHashSet::default();
    let mut difference = None;
    let mut machine = Machine::new(program);
    let mut strategy = Algorithm::Bounded { preemptions: bound }.strategy(order.clone());
    let explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default());
    let mut explorer = explorer.with_order().verified(Verification::Full);
    let end = explorer.run(|progress| {
        let (machine, history) = run_again(program, progress.trace);
        let taken = preemptions(program, history.deeds());
        if taken > bound {
            difference = Some(format!("{taken} preemptions in\n{history}"));
        }
        if progress.ending != Ending::Redundant && !found.insert(history.class(machine.fates())) {
            difference = Some(format!("explored a class twice:\n{history}"));
        }
        if difference.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(difference) = difference {
        return Err(difference);
    }
    if !matches!(end, End::Finished) {
        return Err("did not finish".to_owned());
    }
    let expected: FxHashSet<&Class> =
        classes.iter().filter(|&(_, &fewest)| fewest <= bound).map(|(class, _)| class).collect();
    let (all, all_found) = (expected.len(), found.len());
    match found.iter().all(|class| expected.contains(class)) && all == all_found {
        true => Ok(()),
        false => Err(format!("found {all_found} classes, not the {all} that there are")),
    }
}
