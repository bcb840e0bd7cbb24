//! The page about each kind of bug, to the letter.

use everyway_report::{BugKind, Divergence, Event, Report};

use crate::assert_page;
use crate::samples::{access, at, bug, deadlock, event, execution, failed, panic, unreceived, wait};

#[test]
fn a_panic() {
    assert_page(
        &panic(),
        100,
        r"
error: thread 'main' panicked at src/x.rs:16:9
  assertion `left == right` failed: an increment is lost
    left: 1
   right: 2

execution: 9 steps

  step | main                           | a                     | b                     | where
  -----+--------------------------------+-----------------------+-----------------------+--------
     1 | spawn a                        |                       |                       | x.rs:5
     2 | spawn b                        |                       |                       | x.rs:6
     3 |                                | load AtomicU32 #1: 0  |                       | x.rs:10
     4 |                                |                       | load AtomicU32 #1: 0  | x.rs:10
     5 |                                | store AtomicU32 #1: 1 |                       | x.rs:11
     6 |                                |                       | store AtomicU32 #1: 1 | x.rs:11
     7 | join a                         |                       |                       | x.rs:14
     8 | join b                         |                       |                       | x.rs:15
     9 | load AtomicU32 #1: 1 <- step 6 |                       |                       | x.rs:16
>      | panicked                       |                       |                       | x.rs:16

tip: fetch_add adds in one step

1,205 executions explored: 1,204 complete, 0 blocked, 0 redundant, 1 failed
  (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_panic_in_an_unknown_thread_before_any_step() {
    let mut report = failed(bug(BugKind::Panic, "thread", execution(&[], Vec::new())), 0, 0);
    let bug = report.bug.as_mut().expect("a bug");
    bug.replay = None;
    assert_page(
        &report,
        100,
        r"
error: a thread panicked
  thread

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)
",
    );
}

#[test]
fn a_deadlock() {
    assert_page(
        &deadlock(),
        100,
        r"
error: deadlock: no thread can go on

  thread 'main' waits in join a at src/x.rs:30 - thread 'a' has not ended
  thread 'a' waits in lock Mutex #2 at src/x.rs:10 - held by thread 'b' since src/x.rs:22
  thread 'b' waits in lock Mutex #1 at src/x.rs:23 - held by thread 'a' since src/x.rs:9
  cycle: a waits for b, which waits for a

execution: 4 steps

  step | main            | a                      | b                      | where
  -----+-----------------+------------------------+------------------------+------------
     1 | spawn a         |                        |                        | src/x.rs:5
     2 | spawn b         |                        |                        | src/x.rs:6
     3 |                 | lock Mutex #1          |                        | src/x.rs:9
     4 |                 |                        | lock Mutex #2          | src/x.rs:22
>      | waits in join a |                        |                        | src/x.rs:30
>      |                 | waits in lock Mutex #2 |                        | src/x.rs:10
>      |                 |                        | waits in lock Mutex #1 | src/x.rs:23

tip: take the locks in the same order everywhere

2 executions explored: 1 complete, 1 blocked, 0 redundant (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_thread_that_waits_for_itself() {
    let events = vec![event(0, "lock", "Mutex #1", "", 3, &[])];
    let mut bug = bug(BugKind::Deadlock, "", execution(&["main"], events));
    bug.waits = vec![wait(0, "lock Mutex #1", 4, Some(0), "held since src/x.rs:3")];
    bug.tips = vec!["a Mutex cannot be locked twice by the same thread".to_owned()];
    bug.replay = None;
    assert_page(
        &failed(bug, 0, 1),
        100,
        r"
error: deadlock: no thread can go on

  thread 'main' waits in lock Mutex #1 at src/x.rs:4 - held by thread 'main' since src/x.rs:3
  cycle: main waits for itself

execution: 1 step

  step | main                   | where
  -----+------------------------+-----------
     1 | lock Mutex #1          | src/x.rs:3
>      | waits in lock Mutex #1 | src/x.rs:4

tip: a Mutex cannot be locked twice by the same thread

1 execution explored: 0 complete, 1 blocked, 0 redundant (0.03 s, strategy optimal)
",
    );
}

#[test]
fn a_lost_notification() {
    let events = vec![
        event(0, "spawn", "a", "", 5, &[]),
        event(0, "notify_one", "Condvar #1", "nobody waits", 7, &[]),
        event(1, "wait", "Condvar #1", "", 12, &[]),
    ];
    let mut bug = bug(BugKind::Deadlock, "", execution(&["main", "a", "b"], events));
    bug.waits = vec![
        wait(0, "join a", 8, Some(1), ""),
        wait(1, "wait Condvar #1", 12, None, "nobody is left to notify it"),
        wait(2, "sleep", 20, None, ""),
    ];
    bug.replay = None;
    assert_page(
        &failed(bug, 0, 1),
        100,
        r"
error: deadlock: no thread can go on

  thread 'main' waits in join a at src/x.rs:8 - only thread 'a' can end that
  thread 'a' waits in wait Condvar #1 at src/x.rs:12 - nobody is left to notify it
  thread 'b' waits in sleep at src/x.rs:20

execution: 3 steps

  step | main                                | a                        | b              | where
  -----+-------------------------------------+--------------------------+----------------+--------
     1 | spawn a                             |                          |                | x.rs:5
     2 | notify_one Condvar #1: nobody waits |                          |                | x.rs:7
     3 |                                     | wait Condvar #1          |                | x.rs:12
>      | waits in join a                     |                          |                | x.rs:8
>      |                                     | waits in wait Condvar #1 |                | x.rs:12
>      |                                     |                          | waits in sleep | x.rs:20

1 execution explored: 0 complete, 1 blocked, 0 redundant (0.03 s, strategy optimal)
",
    );
}

#[test]
fn messages_that_nobody_takes() {
    let events = vec![
        event(1, "send", "Acquire(worker) to server", "", 9, &[]),
        event(2, "receive", "Acquire(worker) from worker", "", 22, &[0]),
        event(1, "send", "Release to server", "", 14, &[]),
    ];
    let mut bug = bug(BugKind::Deadlock, "no thread can go on", execution(&["main", "worker", "server"], events));
    bug.waits = vec![wait(2, "receive", 23, None, "nothing in its mailbox matches: Release from 'worker'")];
    bug.unreceived = vec![unreceived("Release", 1, "'server'", 14)];
    bug.replay = None;
    assert_page(
        &failed(bug, 0, 1),
        100,
        r"
error: deadlock: no thread can go on

  thread 'server' waits in receive at src/x.rs:23
      - nothing in its mailbox matches: Release from 'worker'
  never received: Release from 'worker' to 'server', sent at src/x.rs:14

execution: 3 steps

  step | worker                         | server                                        | where
  -----+--------------------------------+-----------------------------------------------+--------
     1 | send Acquire(worker) to server |                                               | x.rs:9
     2 |                                | receive Acquire(worker) from worker <- step 1 | x.rs:22
     3 | send Release to server         |                                               | x.rs:14
>      |                                | waits in receive                              | x.rs:23

1 execution explored: 0 complete, 1 blocked, 0 redundant (0.03 s, strategy optimal)
",
    );
}

#[test]
fn a_livelock() {
    let events = vec![
        event(0, "spawn", "spinner", "", 5, &[]),
        event(1, "load", "ready", "false", 9, &[]),
        event(0, "store", "raedy", "true", 6, &[]),
    ];
    let mut bug = bug(
        BugKind::Livelock,
        "a loop waits for a value that is never written",
        execution(&["main", "spinner"], events),
    );
    bug.source = at(9);
    bug.waits = vec![wait(1, "await ready", 9, None, "no thread that can still run writes to it")];
    assert_page(
        &failed(bug, 3, 1),
        100,
        r"
error: livelock: threads spin for something that never happens
  a loop waits for a value that is never written

  thread 'spinner' waits in await ready at src/x.rs:9 - no thread that can still run writes to it

execution: 3 steps

  step | main              | spinner              | where
  -----+-------------------+----------------------+-----------
     1 | spawn spinner     |                      | src/x.rs:5
     2 |                   | load ready: false    | src/x.rs:9
     3 | store raedy: true |                      | src/x.rs:6
>      |                   | waits in await ready | src/x.rs:9

4 executions explored: 3 complete, 1 blocked, 0 redundant (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_data_race() {
    let events = vec![
        event(0, "spawn", "a", "", 5, &[]),
        event(1, "write", "counter", "0 -> 1", 9, &[]),
        event(0, "read", "counter", "1", 7, &[1]),
    ];
    let mut bug = bug(BugKind::DataRace, "", execution(&["main", "a"], events));
    bug.source = at(7);
    bug.thread = Some(0);
    bug.accesses = vec![access(1, "write", "counter", 9), access(0, "read", "counter", 7)];
    bug.tips = vec!["make it atomic, or protect it by a lock".to_owned()];
    assert_page(
        &failed(bug, 0, 0),
        100,
        r"
error: data race on counter

  write of counter by thread 'a' at src/x.rs:9
  read of counter by thread 'main' at src/x.rs:7
  nothing orders these accesses: they can happen at the same time

execution: 3 steps

  step | main                      | a                     | where
  -----+---------------------------+-----------------------+-----------
     1 | spawn a                   |                       | src/x.rs:5
     2 |                           | write counter: 0 -> 1 | src/x.rs:9
>    3 | read counter: 1 <- step 2 |                       | src/x.rs:7

why: neither access is under a lock, and before its read (step 3) thread 'main' waits for nothing
     that thread 'a' does after its write (step 2): a lock held at both would order them, or a join,
     a flag or a message in between

tip: make it atomic, or protect it by a lock

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

#[test]
fn a_misuse() {
    let events = vec![event(0, "spawn", "a", "", 5, &[]), event(1, "unlock", "mutex", "", 9, &[])];
    let message = "a mutex is unlocked by a thread that does not hold it";
    let mut bug = bug(BugKind::Misuse, message, execution(&["main", "a"], events));
    bug.source = at(9);
    bug.thread = Some(1);
    assert_page(
        &failed(bug, 0, 0),
        100,
        r"
error: misuse in thread 'a' at src/x.rs:9:9
  a mutex is unlocked by a thread that does not hold it

execution: 2 steps

  step | main    | a            | where
  -----+---------+--------------+-----------
     1 | spawn a |              | src/x.rs:5
>    2 |         | unlock mutex | src/x.rs:9

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)

to run this execution again:

    EVERYWAY_REPLAY=target/everyway/test.json cargo test test
",
    );
}

/// A report of two runs that differ at their third step.
fn nondeterminism() -> Report {
    let same = [event(0, "spawn", "a", "", 5, &[]), event(0, "load", "x", "0", 6, &[])];
    let with = |last: &[Event]| execution(&["main", "a"], [&same, last].concat());
    let now = with(&[event(0, "store", "x", "17", 8, &[])]);
    let mut bug = bug(BugKind::Nondeterminism, "", now);
    let before = with(&[event(0, "lock", "Mutex #1", "", 11, &[]), event(1, "load", "x", "0", 20, &[])]);
    bug.divergence = Some(Divergence { before, first_difference: 2 });
    bug.replay = None;
    failed(bug, 5, 0)
}

#[test]
fn a_test_that_is_not_deterministic() {
    assert_page(
        &nondeterminism(),
        100,
        r"
error: the test does not do the same thing twice

The same schedule was run twice. The runs agree up to step 2 and differ at step 3:

  step | first run           | second run
  -----+---------------------+------------------
     1 | main: spawn a       | main: spawn a
       |   at src/x.rs:5     |   at src/x.rs:5
     2 | main: load x: 0     | main: load x: 0
       |   at src/x.rs:6     |   at src/x.rs:6
>    3 | main: lock Mutex #1 | main: store x: 17
       |   at src/x.rs:11    |   at src/x.rs:8
     4 | a: load x: 0        | (no further step)
       |   at src/x.rs:20    |

tip: something besides the order of the threads decides what this test does; look for
     - time: clocks, timeouts, sleeping
     - random numbers, unless their seed is fixed
     - the order of a hash table, which may change from run to run
     - addresses that are compared, hashed or printed
     - state kept between executions: statics, thread-locals, files

6 executions explored: 5 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)
",
    );
}

#[test]
fn a_test_that_is_not_deterministic_from_its_first_step() {
    let mut report = nondeterminism();
    let bug = report.bug.as_mut().expect("a bug");
    bug.tips = vec!["run it alone, too: other tests may share its state".to_owned()];
    if let Some(divergence) = &mut bug.divergence {
        divergence.first_difference = 0;
        divergence.before.events = vec![event(0, "compare_exchange", "AtomicUsize #1", "failed", 4, &[])];
    }
    bug.execution.events.truncate(1);
    assert_page(
        &report,
        40,
        r"
error: the test does not do the same thing twice

The same schedule was run twice, and the
very first step differs:

  step | first run      | second run
  -----+----------------+--------------
>    1 | main:          | main: spawn a
       |   compare_exch |   at x.rs:5
       |   ange         |
       |   AtomicUsize  |
       |   #1: failed   |
       |   at x.rs:4    |

tip: something besides the order of the
     threads decides what this test
     does; look for
     - time: clocks, timeouts, sleeping
     - random numbers, unless their seed
       is fixed
     - the order of a hash table, which
       may change from run to run
     - addresses that are compared,
       hashed or printed
     - state kept between executions:
       statics, thread-locals, files
tip: run it alone, too: other tests may
     share its state

6 executions explored: 5 complete,
  0 blocked, 0 redundant, 1 failed
  (0.03 s, strategy optimal)
",
    );
}

#[test]
fn an_execution_that_is_too_long() {
    let events = vec![event(0, "load", "x", "0", 4, &[]), event(0, "load", "x", "0", 4, &[])];
    let mut bug = bug(BugKind::StepLimit, "", execution(&["main"], events));
    bug.source = at(4);
    bug.tips = vec!["if it ends at all, raise the limit on steps".to_owned()];
    bug.replay = None;
    assert_page(
        &failed(bug, 0, 0),
        100,
        r"
error: an execution is longer than 2 steps
  --> src/x.rs:4:9

execution: 2 steps

  step | main      | where
  -----+-----------+-----------
     1 | load x: 0 | src/x.rs:4
>    2 | load x: 0 | src/x.rs:4

tip: if it ends at all, raise the limit on steps

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 cut (0.03 s, strategy optimal)
",
    );
}

#[test]
fn the_words_of_a_program_do_no_harm() {
    let events = vec![event(0, "send", "channel #1", "\"a\nb\u{1b}[2J\"", 3, &[])];
    let mut bug = bug(BugKind::Panic, "\u{1b}[31mred\u{1b}[0m\n\n\tdeep\u{8}\n", execution(&["ma\nin"], events));
    bug.thread = Some(0);
    bug.source = at(3);
    bug.replay = None;
    assert_page(
        &failed(bug, 0, 0),
        100,
        r#"
error: thread 'ma\nin' panicked at src/x.rs:3:9
  red

      deep\u{8}

execution: 1 step

  step | ma\nin                           | where
  -----+----------------------------------+-----------
     1 | send channel #1: "a\nb\u{1b}[2J" | src/x.rs:3
>      | panicked                         | src/x.rs:3

1 execution explored: 0 complete, 0 blocked, 0 redundant, 1 failed (0.03 s, strategy optimal)
"#,
    );
}
