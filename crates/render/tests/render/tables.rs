//! The shapes of the table of an execution: wide, narrow, long, of many threads.

use everyway_render::text::{Style, render};
use everyway_report::{BugKind, Report};

use crate::assert_page;
use crate::samples::{bug, deadlock, event, execution, failed, panic};

#[test]
fn a_panic_on_a_narrow_page() {
    assert_page(
        &panic(),
        80,
        r"
error: thread 'main' panicked at src/x.rs:16:9
  assertion `left == right` failed: an increment is lost
    left: 1
   right: 2

execution: 9 steps

  step | main               | a                  | b                  | where
  -----+--------------------+--------------------+--------------------+--------
     1 | spawn a            |                    |                    | x.rs:5
     2 | spawn b            |                    |                    | x.rs:6
     3 |                    | load               |                    | x.rs:10
       |                    |   AtomicU32 #1: 0  |                    |
     4 |                    |                    | load               | x.rs:10
       |                    |                    |   AtomicU32 #1: 0  |
     5 |                    | store              |                    | x.rs:11
       |                    |   AtomicU32 #1: 1  |                    |
     6 |                    |                    | store              | x.rs:11
       |                    |                    |   AtomicU32 #1: 1  |
     7 | join a             |                    |                    | x.rs:14
     8 | join b             |                    |                    | x.rs:15
     9 | load               |                    |                    | x.rs:16
       |   AtomicU32 #1: 1  |                    |                    |
       |   <- step 6        |                    |                    |
>      | panicked           |                    |                    | x.rs:16

tip: fetch_add adds in one step

1,205 executions explored: 1,204 complete, 0 blocked, 0 redundant, 1 failed
  (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_deadlock_on_a_narrow_page() {
    assert_page(
        &deadlock(),
        60,
        r"
error: deadlock: no thread can go on

  thread 'main' waits in join a at src/x.rs:30
      - thread 'a' has not ended
  thread 'a' waits in lock Mutex #2 at src/x.rs:10
      - held by thread 'b' since src/x.rs:22
  thread 'b' waits in lock Mutex #1 at src/x.rs:23
      - held by thread 'a' since src/x.rs:9
  cycle: a waits for b, which waits for a

execution: 4 steps

  step | thread | operation              | where
  -----+--------+------------------------+------------
     1 | main   | spawn a                | src/x.rs:5
     2 | main   | spawn b                | src/x.rs:6
     3 | a      | lock Mutex #1          | src/x.rs:9
     4 | b      | lock Mutex #2          | src/x.rs:22
>      | main   | waits in join a        | src/x.rs:30
>      | a      | waits in lock Mutex #2 | src/x.rs:10
>      | b      | waits in lock Mutex #1 | src/x.rs:23

tip: take the locks in the same order everywhere

2 executions explored: 1 complete, 1 blocked, 0 redundant
  (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_deadlock_on_the_narrowest_page() {
    assert_page(
        &deadlock(),
        1,
        r"
error: deadlock: no thread can go on

  thread 'main' waits in join a at
    src/x.rs:30
      - thread 'a' has not ended
  thread 'a' waits in lock Mutex #2 at
    src/x.rs:10
      - held by thread 'b' since
        src/x.rs:22
  thread 'b' waits in lock Mutex #1 at
    src/x.rs:23
      - held by thread 'a' since
        src/x.rs:9
  cycle: a waits for b, which waits for
    a

execution: 4 steps

  step | thread | operation
  -----+--------+-----------------------
     1 | main   | spawn a
       |        |   at src/x.rs:5
     2 | main   | spawn b
       |        |   at src/x.rs:6
     3 | a      | lock Mutex #1
       |        |   at src/x.rs:9
     4 | b      | lock Mutex #2
       |        |   at src/x.rs:22
>      | main   | waits in join a
       |        |   at src/x.rs:30
>      | a      | waits in lock Mutex #2
       |        |   at src/x.rs:10
>      | b      | waits in lock Mutex #1
       |        |   at src/x.rs:23

tip: take the locks in the same order
     everywhere

2 executions explored: 1 complete,
  1 blocked, 0 redundant
  (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

/// A ping-pong of `length` steps.
fn long(length: usize) -> Report {
    let turn = |step: usize| event(step % 2, "swap", "turn", "", 10 + (step % 2) as u32, &[]);
    let events = (0..length).map(turn).collect();
    let message = format!("an execution is longer than {length} steps");
    failed(bug(BugKind::StepLimit, &message, execution(&["ping", "pong"], events)), 0, 0)
}

#[test]
fn a_long_execution() {
    let page = render(&long(12_000), Style::default());
    // The steps that are shown are all alike: the first two and the ones next to the gap will do.
    let is_of_interest = |line: &&str| {
        let step = line[..7].trim_start_matches('>').trim().parse();
        step.map_or(true, |step: usize| [1, 2, 20, 11_941, 11_999, 12_000].contains(&step))
    };
    let table: Vec<&str> = page.lines().filter(|line| line.contains(" |")).filter(is_of_interest).collect();
    assert_eq!(
        table,
        [
            "   step | ping      | pong      | where",
            "      1 | swap turn |           | src/x.rs:10",
            "      2 |           | swap turn | src/x.rs:11",
            "     20 |           | swap turn | src/x.rs:11",
            "    ... | 11,920 steps not shown (all are in the replay file)",
            "  11941 | swap turn |           | src/x.rs:10",
            "  11999 | swap turn |           | src/x.rs:10",
            "> 12000 |           | swap turn | src/x.rs:11",
        ]
    );
}

/// Two threads with many steps of their own, and few that the other knows of; a third that has no part in it.
fn busy(own: usize) -> Report {
    let mut events = vec![event(0, "store", "shared", "1", 5, &[])];
    events.extend((0..own).map(|step| event(0, "store", "mine", &step.to_string(), 6, &[])));
    events.push(event(1, "load", "shared", "1", 20, &[0]));
    events.extend((0..own).map(|_| event(1, "load", "yours", "0", 21, &[])));
    events.extend((0..own).map(|_| event(2, "load", "nobody's", "0", 30, &[])));
    events.push(event(1, "load", "shared", "1", 22, &[0]));
    for index in 1..events.len() {
        let before = (0..index).rev().find(|&before| events[before].thread == events[index].thread);
        events[index].happens_after = before.into_iter().chain(events[index].reads_from.clone()).collect();
    }
    failed(bug(BugKind::Assertion, "x", execution(&["a", "b", "c"], events)), 0, 0)
}

#[test]
fn what_has_no_part_in_it_is_folded() {
    let page = render(&busy(12), Style::default());
    let table: Vec<&str> = page.lines().filter(|line| line.contains(" |")).collect();
    assert_eq!(
        table,
        [
            "  step | a               | b                        | where",
            "     1 | store shared: 1 |                          | src/x.rs:5",
            "   ... | 12 steps of 'a' not shown: they have no part in it",
            "    14 |                 | load shared: 1 <- step 1 | src/x.rs:20",
            "   ... | 24 steps of 'b' and 'c' not shown: they have no part in it",
            ">   39 |                 | load shared: 1 <- step 1 | src/x.rs:22",
        ]
    );
    // A short one is shown as it is.
    assert!(!render(&busy(9), Style::default()).contains("not shown"));
}

#[test]
fn nothing_is_left_out_to_save_one_line() {
    let steps = |length| render(&long(length), Style::default()).lines().filter(|line| line.contains("swap")).count();
    let omits = |length| render(&long(length), Style::default()).contains("not shown");
    assert_eq!([80, 81, 82, 83].map(steps), [80, 81, 80, 80]);
    assert_eq!([80, 81, 82, 83].map(omits), [false, false, true, true]);
}

/// A report of `threads` threads that take long steps in turn.
fn crowd(threads: usize) -> Report {
    let names: Vec<String> = (0..threads).map(|thread| format!("worker-{thread}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let steps = [
        ("fetch_add", "queue.tail", "7 -> 8", &[][..]),
        ("compare_exchange", "AtomicUsize #12", "0 -> 1", &[0]),
        ("load", "queue.slots[7].sequence", "4", &[0, 1]),
        ("lock", "Mutex #3", "", &[]),
    ];
    let events = (0..6).map(|index| {
        let (operation, object, value, from) = steps[index % 4];
        event(index % threads, operation, object, value, 100 + index as u32, from)
    });
    let mut bug = bug(BugKind::Misuse, "a slot is taken twice", execution(&names, events.collect()));
    bug.replay = None;
    failed(bug, 0, 0)
}

#[test]
fn four_threads() {
    assert_page(
        &crowd(4),
        100,
        r"
error: misuse
  a slot is taken twice

execution: 6 steps

  step | worker-0            | worker-1            | worker-2            | worker-3      | where
  -----+---------------------+---------------------+---------------------+---------------+---------
     1 | fetch_add           |                     |                     |               | x.rs:100
       |   queue.tail:       |                     |                     |               |
       |   7 -> 8            |                     |                     |               |
     2 |                     | compare_exchange    |                     |               | x.rs:101
       |                     |   AtomicUsize #12:  |                     |               |
       |                     |   0 -> 1 <- step 1  |                     |               |
     3 |                     |                     | load                |               | x.rs:102
       |                     |                     |   queue.slots[7].se |               |
       |                     |                     |   quence: 4         |               |
       |                     |                     |   <- steps 1, 2     |               |
     4 |                     |                     |                     | lock Mutex #3 | x.rs:103
     5 | fetch_add           |                     |                     |               | x.rs:104
       |   queue.tail:       |                     |                     |               |
       |   7 -> 8            |                     |                     |               |
>    6 |                     | compare_exchange    |                     |               | x.rs:105
       |                     |   AtomicUsize #12:  |                     |               |
       |                     |   0 -> 1 <- step 1  |                     |               |

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)
",
    );
}

#[test]
fn more_threads_than_fit_side_by_side() {
    assert_page(
        &crowd(6),
        100,
        r"
error: misuse
  a slot is taken twice

execution: 6 steps

  step | thread   | operation                                          | where
  -----+----------+----------------------------------------------------+-------------
     1 | worker-0 | fetch_add queue.tail: 7 -> 8                       | src/x.rs:100
     2 | worker-1 | compare_exchange AtomicUsize #12: 0 -> 1 <- step 1 | src/x.rs:101
     3 | worker-2 | load queue.slots[7].sequence: 4 <- steps 1, 2      | src/x.rs:102
     4 | worker-3 | lock Mutex #3                                      | src/x.rs:103
     5 | worker-4 | fetch_add queue.tail: 7 -> 8                       | src/x.rs:104
>    6 | worker-5 | compare_exchange AtomicUsize #12: 0 -> 1 <- step 1 | src/x.rs:105

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)
",
    );
}
