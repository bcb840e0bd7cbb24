//! Executions that begin with given steps, and what reads could have seen, held against brute force.

use everyway_explore::{
    AfterFailure, Algorithm, DataRace, End, Ending, Explorer, Limits, MemoryModel, Order, Progress, ToldStep, Trace,
    Watcher, neighbours,
};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Program;
use everyway_oracle::weak::compare::{Explored, shape};
use everyway_oracle::weak::random::{Profile, program};
use everyway_oracle::weak::{Name, Shape, candidates};
use everyway_runtime::{EventId, ModificationOrders, Source, State as _, ThreadPath};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::ControlFlow;

const PROGRAMS: usize = 60;
const LIMIT: usize = 400;

/// An execution: its steps with what each is told, its graph, and what its reads could have seen.
struct Told {
    steps: Vec<ToldStep>,
    names: Vec<Name>,
    shape: Shape,
    could_read: Vec<(Name, BTreeSet<Option<Name>>)>,
}

#[derive(Default)]
struct Tellings {
    paths: Vec<ThreadPath>,
    all: Vec<Told>,
}

impl Watcher<Machine> for Tellings {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        if progress.ending != Ending::Redundant {
            self.all.extend(told(progress, &self.paths));
        }
        ControlFlow::Continue(())
    }

    fn ended(&mut self, program: &Machine, trace: &Trace) {
        self.paths = trace.steps().map(|step| program.path(step.thread)).collect();
    }

    fn failed(&mut self, failure: &Infallible, _: &Machine, _: &Trace) -> AfterFailure {
        match *failure {}
    }

    fn raced(&mut self, _: DataRace, _: &Machine, _: &Trace) -> AfterFailure {
        AfterFailure::GoOn(0)
    }
}

fn told(progress: &Progress<'_>, paths: &[ThreadPath]) -> Option<Told> {
    let (trace, graph) = (progress.trace, progress.graph()?);
    let places = ModificationOrders::new(graph.modification_orders().collect()).places();
    let name = |event: EventId| {
        let event = trace.event(event);
        Name { thread: event.step.thread.index(), index: event.index as usize - 1 }
    };
    let named = |source: Source| match source {
        Source::Initial => None,
        Source::Event(event) => Some(name(event)),
    };
    let step = |event: EventId| ToldStep {
        thread: Some(paths[event.index()].clone()),
        choice: trace.event(event).step.choice,
        sources: graph.sources().filter(|(read, ..)| *read == event).map(|(.., source)| source).collect(),
        place: places.get(&event).copied(),
    };
    let could_read = |event: EventId| {
        let sources: BTreeSet<Option<Name>> = graph.could_read(event).into_iter().map(named).collect();
        (name(event), sources)
    };
    Some(Told {
        steps: trace.events_from(0).map(step).collect(),
        names: trace.events_from(0).map(name).collect(),
        shape: shape(progress)?,
        could_read: trace.events_from(0).map(could_read).collect(),
    })
}

fn all(program: &Program, model: MemoryModel) -> Vec<Told> {
    let mut machine = Machine::new(program);
    let mut strategy = Algorithm::Graphs { model }.strategy(Order::Lowest);
    let mut tellings = Tellings::default();
    let end = Explorer::new(&mut machine, &mut *strategy, Limits::default()).run_watched(&mut tellings);
    assert!(matches!(end, End::Finished), "{end:?}\n{program}");
    tellings.all
}

/// A graph without what is not of these events.
fn within(shape: &Shape, kept: &BTreeSet<Name>) -> Shape {
    let is_kept = |name: &Name| kept.contains(name);
    let order =
        shape.order.iter().map(|(at, writes)| (*at, writes.iter().copied().filter(is_kept).collect::<Vec<_>>()));
    Shape {
        reads: shape.reads.iter().copied().filter(|(read, ..)| is_kept(read)).collect(),
        order: order.filter(|(_, writes)| !writes.is_empty()).collect(),
        choices: shape.choices.iter().copied().filter(|(chosen, _)| is_kept(chosen)).collect(),
    }
}

fn random_programs(profile: Profile) -> impl Iterator<Item = (u64, Program)> {
    let programs = (0..1_000).map(move |seed| (seed, program(profile, seed)));
    programs.filter(|(_, program)| candidates(program, LIMIT).is_ok()).take(PROGRAMS)
}

/// The executions that begin with given steps are exactly those, each once.
fn check_beginnings(profile: Profile) {
    let mut compared = 0;
    for (seed, program) in random_programs(profile) {
        for model in MemoryModel::ALL {
            let all = all(&program, model);
            let Some(one) = all.get(seed as usize % all.len().max(1)) else { continue };
            for length in 0..=one.steps.len() {
                let kept: BTreeSet<Name> = one.names[..length].iter().copied().collect();
                let beginning = within(&one.shape, &kept);
                let expected: BTreeSet<&Shape> =
                    all.iter().map(|told| &told.shape).filter(|shape| within(shape, &kept) == beginning).collect();
                let mut strategy = neighbours(model, one.steps[..length].to_vec());
                let (mut machine, mut explored) = (Machine::new(&program), Explored::default());
                let end = Explorer::new(&mut machine, &mut strategy, Limits::default()).run_watched(&mut explored);
                let context = format!("seed {seed}, {model}, {length} steps of {:?}\n{program}", one.names);
                assert!(matches!(end, End::Finished), "{end:?}: {context}");
                assert_eq!(explored.graphs.keys().collect::<BTreeSet<_>>(), expected, "{context}");
                assert!(explored.graphs.values().all(|&times| times == 1), "{context}");
                compared += usize::from(expected.len() < all.len());
            }
        }
    }
    assert!(compared > PROGRAMS, "{compared}");
}

#[test]
fn beginnings_of_loads_and_stores() {
    check_beginnings(Profile::Memory);
}

#[test]
fn beginnings_of_read_modify_writes() {
    check_beginnings(Profile::ReadModifyWrite);
}

#[test]
fn beginnings_of_control() {
    check_beginnings(Profile::Control);
}

#[test]
fn beginnings_of_waits() {
    check_beginnings(Profile::Waits);
}

#[test]
fn beginnings_of_everything() {
    check_beginnings(Profile::Mixed);
}

/// The events that depend on a read, itself included: what comes after it in its thread, and what reads those.
fn dependents(told: &Told, read: Name) -> BTreeSet<Name> {
    let mut all = BTreeSet::from([read]);
    loop {
        let before = all.len();
        let sources: BTreeMap<Name, Option<Name>> =
            told.shape.reads.iter().map(|&(read, _, source)| (read, source)).collect();
        for &name in &told.names {
            let is_later = all.iter().any(|earlier| earlier.thread == name.thread && earlier.index < name.index);
            let reads_one = sources.get(&name).copied().flatten().is_some_and(|source| all.contains(&source));
            if is_later || reads_one {
                all.insert(name);
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// What a read could have seen is what it does see in some execution in which all that does not depend on it is as it is.
fn check_could_read(profile: Profile) {
    let mut found = 0;
    for (seed, program) in random_programs(profile) {
        for model in MemoryModel::ALL {
            let all = all(&program, model);
            for told in &all {
                for (read, could_read) in &told.could_read {
                    let Some(source) = source_in(&told.shape, *read) else { continue };
                    let dependents = dependents(told, *read);
                    let kept = told.names.iter().copied().filter(|name| !dependents.contains(name)).collect();
                    let rest = within(&told.shape, &kept);
                    let alike = all.iter().filter(|other| within(&other.shape, &kept) == rest);
                    let sources = alike.filter_map(|other| source_in(&other.shape, *read));
                    let is_kept = |other: &Option<Name>| other.is_none_or(|write| kept.contains(&write));
                    let expected: BTreeSet<Option<Name>> =
                        sources.filter(|other| *other != source && is_kept(other)).collect();
                    assert_eq!(*could_read, expected, "seed {seed}, {model}: {read:?} of {:?}\n{program}", told.shape);
                    found += expected.len();
                }
            }
        }
    }
    assert!(found > PROGRAMS, "{found}");
}

fn source_in(shape: &Shape, read: Name) -> Option<Option<Name>> {
    shape.reads.iter().find(|(other, ..)| *other == read).map(|(.., source)| *source)
}

#[test]
fn sources_of_loads() {
    check_could_read(Profile::Memory);
}

#[test]
fn sources_of_read_modify_writes() {
    check_could_read(Profile::ReadModifyWrite);
}
