//! The order with the fewest context switches, compared with all orders that there are.

use everyway_report::{Event, Execution, Last, Relevance, Thread};

/// A reproducible sequence of numbers (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// An execution of events of these threads that happen after those given and after the previous one of their thread.
fn execution(events: &[(usize, &[usize])]) -> Execution {
    let threads = (0..4).map(|thread| Thread { name: format!("t{thread}") }).collect();
    let event = |(index, &(thread, after)): (usize, &(usize, &[usize]))| {
        let mut happens_after = after.to_vec();
        happens_after.extend(events[..index].iter().rposition(|&(other, _)| other == thread));
        Event { thread, happens_after, ..Event::default() }
    };
    Execution { threads, events: events.iter().enumerate().map(event).collect() }
}

fn random_execution(numbers: &mut Numbers, length: usize, threads: usize, edges: usize) -> Execution {
    let mut plain: Vec<(usize, Vec<usize>)> = Vec::new();
    for index in 0..length {
        let mut after = Vec::new();
        for _ in 0..edges {
            if index > 0 && numbers.below(3) > 0 {
                after.push(numbers.below(index));
            }
        }
        plain.push((numbers.below(threads), after));
    }
    execution(&plain.iter().map(|(thread, after)| (*thread, after.as_slice())).collect::<Vec<_>>())
}

/// Which events happen before which, transitively, computed from nothing but the edges.
fn happens_before(execution: &Execution) -> Vec<Vec<bool>> {
    let count = execution.events.len();
    let mut before = vec![vec![false; count]; count];
    for (index, event) in execution.events.iter().enumerate() {
        for &direct in &event.happens_after {
            before[index][direct] = true;
            let earlier = before[direct].clone();
            before[index].iter_mut().zip(earlier).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }
    before
}

/// The fewest switches of all orders, by trying each.
fn fewest(execution: &Execution, last: Last) -> usize {
    fn extend(order: &mut Vec<usize>, before: &[Vec<bool>], execution: &Execution, last: Last, best: &mut usize) {
        let count = before.len();
        if order.len() == count {
            if last == Last::Moves || order.last() == Some(&(count - 1)) {
                let threads: Vec<usize> = order.iter().map(|&event| execution.events[event].thread).collect();
                *best = (*best).min(threads.windows(2).filter(|pair| pair[0] != pair[1]).count());
            }
            return;
        }
        for event in 0..count {
            if !order.contains(&event) && (0..count).all(|other| !before[event][other] || order.contains(&other)) {
                order.push(event);
                extend(order, before, execution, last, best);
                order.pop();
            }
        }
    }
    let mut best = usize::MAX;
    extend(&mut Vec::new(), &happens_before(execution), execution, last, &mut best);
    best
}

#[track_caller]
fn check_equivalent(old: &Execution, last: Last) -> Execution {
    let order = old.fewest_switches(last);
    let new = order.execution(old);
    let mut sorted = order.events().to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..old.events.len()), "every event once: {order:?}");
    let (before, after) = (happens_before(old), happens_before(&new));
    for (i, &event) in order.events().iter().enumerate() {
        assert_eq!(new.events[i].thread, old.events[event].thread);
        assert!(new.events[i].happens_after.iter().all(|&edge| edge < i), "{order:?} of {old:?}");
        for (j, &other) in order.events().iter().enumerate() {
            assert_eq!(after[i][j], before[event][other], "{order:?} of {old:?}");
        }
    }
    if last == Last::Stays {
        assert_eq!(order.events().last().copied(), old.events.len().checked_sub(1));
    }
    assert!(new.context_switches() <= old.context_switches());
    new
}

#[test]
fn the_fewest_of_all_orders_are_found() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut saved = 0;
    for round in 0..1500 {
        let length = if round < 60 { 8 } else { 1 + numbers.below(6) };
        let threads = 1 + numbers.below(4);
        // Of eight events that nothing orders there are 40,320 orders: those have an edge or more each.
        let edges = if length == 8 { 2 } else { numbers.below(4) };
        let old = random_execution(&mut numbers, length, threads, edges);
        for last in [Last::Stays, Last::Moves] {
            let new = check_equivalent(&old, last);
            assert_eq!(new.context_switches(), fewest(&old, last), "{last:?}: {old:?}");
            saved += old.context_switches() - new.context_switches();
        }
    }
    assert!(saved > 500, "the executions are too simple: {saved}");
}

#[test]
fn long_executions_stay_equivalent_and_take_no_more_switches() {
    let mut numbers = Numbers(42);
    for _ in 0..20 {
        let threads = 2 + numbers.below(6);
        check_equivalent(&random_execution(&mut numbers, 150, threads, 1), Last::Stays);
    }
}

#[test]
fn very_many_switches_are_no_reason_to_search_for_long() {
    // Every event comes after that of the other thread: there is one order. The third thread could be anywhere.
    let count = 100_000;
    let before: Vec<[usize; 1]> = (0..count).map(|event: usize| [event.saturating_sub(1)]).collect();
    let mut events: Vec<(usize, &[usize])> = (0..count).map(|event| (event % 2, &before[event][..])).collect();
    events[0].1 = &[];
    events.insert(count, (2, &[]));
    let told = execution(&events).fewest_switches(Last::Moves);
    assert!(told.events().is_sorted(), "there is none with fewer switches");
}

#[test]
fn runs_of_one_thread_are_put_together() {
    let alternating = execution(&[(0, &[]), (1, &[]), (0, &[]), (1, &[]), (0, &[1]), (1, &[])]);
    let told = check_equivalent(&alternating, Last::Stays);
    let threads: Vec<usize> = told.events.iter().map(|event| event.thread).collect();
    assert_eq!(threads, [1, 1, 0, 0, 0, 1]);
    let told = check_equivalent(&alternating, Last::Moves);
    let threads: Vec<usize> = told.events.iter().map(|event| event.thread).collect();
    assert_eq!(threads, [1, 1, 1, 0, 0, 0]);
    let order = alternating.fewest_switches(Last::Moves);
    assert_eq!(order.arrange(&["a", "b", "c", "d", "e", "f", "rest"]), ["b", "d", "f", "a", "c", "e", "rest"]);
}

#[test]
fn what_is_not_known_to_be_unordered_stays() {
    let mut unknown = execution(&[(0, &[]), (1, &[]), (0, &[]), (1, &[])]);
    unknown.events.iter_mut().for_each(|event| event.happens_after.clear());
    assert_eq!(unknown.fewest_switches(Last::Moves).events(), [0, 1, 2, 3]);
    let mut nonsense = execution(&[(0, &[]), (1, &[]), (0, &[]), (1, &[])]);
    nonsense.events[2].happens_after = vec![7];
    assert_eq!(nonsense.fewest_switches(Last::Moves).events(), [0, 1, 2, 3]);
    assert!(Execution::default().fewest_switches(Last::Stays).events().is_empty());
}

#[test]
fn steps_that_lead_nowhere_are_told_from_those_that_matter() {
    let mut told = execution(&[(0, &[]), (1, &[]), (2, &[]), (0, &[]), (1, &[3])]);
    for (event, object) in told.events.iter_mut().zip(["x", "y", "x", "x", "x"]) {
        event.object = object.to_owned();
    }
    use Relevance::{Private, Relevant, Unrelated};
    assert_eq!(told.relevance(&[4]), [Relevant, Private, Unrelated, Relevant, Relevant]);
    assert_eq!(told.relevance(&[2, 4]), [Relevant, Private, Relevant, Relevant, Relevant]);
    assert_eq!(told.relevance(&[1, 4]), [Relevant, Relevant, Unrelated, Relevant, Relevant]);
    told.events.iter_mut().for_each(|event| event.happens_after.clear());
    assert_eq!(told.relevance(&[4]), [Relevant, Private, Relevant, Relevant, Relevant]);
}

#[test]
fn what_is_waited_for_and_what_races_matters() {
    use Relevance::{Private, Relevant, Unrelated};
    let mut bug = crate::samples::deadlock().bug.expect("a bug");
    let read = Event { operation: "read".to_owned(), object: "scratch".to_owned(), thread: 1, ..Event::default() };
    let then = |before| Event { happens_after: vec![before], ..read.clone() };
    bug.execution.events.extend([then(2), then(4)]);
    bug.execution.events[1].happens_after = vec![0];
    // Only thread 1 has touched its lock and what it read, but the lock is waited for, and the last step is the last.
    assert_eq!(bug.relevance(), [Relevant, Relevant, Relevant, Relevant, Private, Relevant]);

    bug.waits.clear();
    bug.accesses = vec![everyway_report::RacingAccess {
        thread: 2,
        operation: "write".to_owned(),
        object: "Mutex #2".to_owned(),
        source: crate::samples::at(22),
        steps_before: None,
    }];
    assert_eq!(bug.relevance(), [Unrelated, Unrelated, Private, Relevant, Private, Relevant]);
}
