//! Failing executions of C programs, as they are found and as they are told: the same execution, with the fewest context
//! switches.
//!
//! What is compared is computed anew from the edges of the two; how the driver came from one to the other is not known
//! here.

use crate::assertions::{Batch, Case};
use crate::emit::SAMPLES;
use crate::program::{Setup, check};
use everyway_driver::{AfterFailure, Host, Limits};
use everyway_explore::{Algorithm, MemoryModel, Order};
use everyway_llvm::clang::Clang;
use everyway_report::replay::ScheduledStep;
use everyway_report::{Bug, Last, Replay};
use everyway_vm::Program;
use std::collections::{BTreeMap, BTreeSet};

/// A failure with its schedule, as it was saved.
type Told = (Bug, Vec<ScheduledStep>);

/// Keeps what is saved: the first failure as it was found, then as it is told.
#[derive(Default)]
struct Saved(Vec<Told>);

impl Host<Program> for Saved {
    fn save(&mut self, _: &Program, bug: &Bug, schedule: &[ScheduledStep], _: usize) -> Result<Option<Replay>, String> {
        self.0.push((bug.clone(), schedule.to_vec()));
        Ok(None)
    }
}

/// How many of the cases are told in another order than they were found in under `model`.
///
/// # Errors
/// What clang or the reader says, or what is wrong with one that is told.
pub fn compare_batch(clang: &Clang, cases: &[Case], model: MemoryModel) -> Result<usize, String> {
    let mut moved = 0;
    for (module, case) in Batch::load(clang, cases)?.modules.iter().zip(cases) {
        let mut saved = Saved::default();
        let setup = setup(model, case.seed);
        check(module, &setup, AfterFailure::Stop, &mut saved);
        let described = || format!("\n{}\n{}", case.program, case.text("p"));
        match &saved.0[..] {
            [] => {}
            [found] if switches(found) == fewest(found) => {}
            [_] => return Err(format!("it is not told with the fewest switches{}", described())),
            [found, told] => {
                compare(found, told).map_err(|error| error + &described())?;
                // One that was found in the best order is saved again if there is one that passes to stand beside it.
                moved += usize::from(switches(told) < switches(found));
            }
            more => return Err(format!("it was saved {} times{}", more.len(), described())),
        }
    }
    Ok(moved)
}

/// Executions with many switches, where there are any.
fn setup(model: MemoryModel, seed: u64) -> Setup {
    let algorithm = if model == MemoryModel::Sc { Algorithm::Random { seed } } else { Algorithm::Graphs { model } };
    let limits = Limits { executions: Some(1000), ..Limits::default() };
    let order = Order::Random(seed);
    Setup { samples: SAMPLES.to_vec(), memory_model: model, limits, order, ..Setup::new(algorithm) }
}

fn switches((bug, _): &Told) -> usize {
    bug.execution.context_switches()
}

fn fewest((bug, _): &Told) -> usize {
    bug.execution.fewest_switches(bug.last()).execution(&bug.execution).context_switches()
}

/// Each step as the n-th of its thread.
fn names((_, schedule): &Told) -> Vec<(&str, usize)> {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    let name = |step| {
        let count = steps.entry(step).or_default();
        *count += 1;
        (step, *count)
    };
    schedule.iter().map(|step| step.thread.as_str()).map(name).collect()
}

/// Pairs of steps, as the n-th of their threads.
type Pairs<'a> = BTreeSet<((&'a str, usize), (&'a str, usize))>;

/// Which steps happen before which, transitively.
fn happens_before(told: &Told) -> Pairs<'_> {
    let (events, names) = (&told.0.execution.events, names(told));
    let mut before = vec![BTreeSet::new(); events.len()];
    for (index, event) in events.iter().enumerate() {
        for &direct in &event.happens_after {
            let earlier = before[direct].clone();
            before[index].extend(earlier);
            before[index].insert(direct);
        }
    }
    let pairs = before.iter().enumerate().flat_map(|(after, all)| all.iter().map(move |&before| (before, after)));
    pairs.map(|(before, after)| (names[before], names[after])).collect()
}

fn reads_from(told: &Told) -> Pairs<'_> {
    let names = names(told);
    let events = told.0.execution.events.iter().enumerate();
    let pairs = events.flat_map(|(read, event)| event.reads_from.iter().map(move |&write| (write, read)));
    pairs.map(|(write, read)| (names[write], names[read])).collect()
}

fn compare(found: &Told, told: &Told) -> Result<(), String> {
    let same = |is_same: bool, what: &str| if is_same { Ok(()) } else { Err(format!("{what} when it is told")) };
    same((found.0.kind, &found.0.source) == (told.0.kind, &told.0.source), "something else fails")?;
    same(found.0.message == told.0.message, "the message is another one")?;
    let all = |told| names(told).into_iter().collect::<BTreeSet<_>>();
    same(all(found) == all(told), "other steps are taken")?;
    same(happens_before(found) == happens_before(told), "other steps happen before each other")?;
    same(reads_from(found) == reads_from(told), "other writes are read")?;
    let last = found.0.last() == Last::Moves || names(found).last() == names(told).last();
    same(last, "another step is the last one")?;
    same(switches(told) == fewest(found), "there are more switches than needed")
}
