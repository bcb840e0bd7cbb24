//! Going back leads to exactly the state that was there, and the same steps lead on to the same states.

mod common;

use common::{load, programs};
use everyway_runtime::{Execution, Location, Performed, State, Step, ThreadId, ready};
use everyway_vm::{Machine, Settings};
use std::path::Path;

/// All that can be seen of a state: what threads are about to do, and what memory holds.
fn picture(machine: &Machine, locations: usize) -> String {
    let thread = |index: usize| {
        let id = ThreadId::new(index);
        let status = machine.status(id);
        let next = match status {
            everyway_runtime::Status::Ended => String::new(),
            _ => format!("{:?} {}", machine.operation(id), machine.choices(id)),
        };
        format!("{status:?} {next}")
    };
    // Threads that only later executions have are not part of the state yet.
    let threads: Vec<String> = (0..machine.threads()).map(thread).collect();
    let threads: Vec<&String> = threads.iter().filter(|text| !text.starts_with("Ended")).collect();
    let values: Vec<u64> = (0..locations).map(|index| machine.value(Location::new(index))).collect();
    format!("{threads:?} {values:?}")
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Takes steps and takes them back at random.
fn wander(machine: &mut Machine, random: &mut Random) {
    let mut performed = Performed::default();
    let mut path: Vec<Step> = Vec::new();
    let start = machine.location_count();
    let mut pictures = vec![(start, picture(machine, start))];
    for _ in 0..400 {
        let choices: Vec<ThreadId> = ready(machine).collect();
        if choices.is_empty() || random.below(8) == 0 {
            let depth = random.below(path.len() + 1);
            assert!(machine.rewind(depth).is_ok());
            let again = path.split_off(depth);
            pictures.truncate(depth + 1);
            let (locations, expected) = pictures.last().expect("the state at the start");
            assert_eq!(&picture(machine, *locations), expected, "after going back to step {depth}");
            let Some(&step) = again.first() else { continue };
            performed.clear();
            assert!(machine.step(step, &mut performed).is_ok() || choices.is_empty());
            assert!(machine.rewind(depth).is_ok());
            assert_eq!(&picture(machine, *locations), expected, "after going back to step {depth} once more");
            continue;
        }
        let thread = choices[random.below(choices.len())];
        let step = Step { thread, choice: random.below(machine.choices(thread) as usize) as u32 };
        performed.clear();
        if machine.step(step, &mut performed).is_err() {
            assert!(machine.rewind(path.len()).is_ok());
            let (locations, expected) = pictures.last().expect("the state at the start");
            assert_eq!(&picture(machine, *locations), expected, "after a failure");
            continue;
        }
        path.push(step);
        let locations = machine.location_count();
        pictures.push((locations, picture(machine, locations)));
    }
}

/// Wanders about in a program, without and with race detection.
fn wander_in(file: &Path, arguments: &[&str]) {
    let module = load(file, arguments);
    for races in [false, true] {
        let Ok(mut machine) = Machine::new(module.clone(), Settings { races, ..Settings::default() }) else {
            continue;
        };
        wander(&mut machine, &mut Random(races.into()));
    }
}

#[test]
fn going_back_leads_to_the_state_that_was_there() {
    // The papers', and one in which objects make room for others.
    const SOME: [&str; 7] =
        ["casrot.c", "circular_buffer.c", "filesystem.c", "indexer.c", "lamport.c", "readers.c", "allocate_in_loops.c"];
    let of_the_command = programs("../../cli/tests/programs").into_iter();
    let some = of_the_command.filter(|file| SOME.iter().any(|name| file.ends_with(name)));
    for file in some.chain(programs("errors")).chain(programs("output")) {
        wander_in(&file, &["-DN=3", "-w"]);
    }
}

#[test]
fn going_back_into_a_library_function_leads_to_where_it_was() {
    for function in ["strcpy", "strtok_r", "memcpy", "qsort", "format"] {
        let test = format!("-DTEST_{function}");
        wander_in(&programs("library")[0], &[&test, "-fno-builtin", "-w"]);
    }
}
