//! What the events of a report did, if it does not say so as data: as far as the words of the front ends tell.
//!
//! Reports of older versions have words only. What is not understood has no effect: then a span or a value is missing
//! in the picture, and none is wrong.

use std::collections::BTreeMap;

use everyway_report::{Effect, Event, Execution, Mode};

/// What each event did: what the report says, or else what its words say.
pub(super) fn effects(execution: &Execution) -> Vec<Vec<Effect>> {
    let said = |event: &Event| {
        if event.effects.is_empty() { from_words(event, execution) } else { event.effects.clone() }
    };
    let mut effects: Vec<Vec<Effect>> = execution.events.iter().map(said).collect();
    release_in_waits(execution, &mut effects);
    effects
}

fn from_words(event: &Event, execution: &Execution) -> Vec<Effect> {
    let operation = event.operation.to_lowercase().replace('_', " ");
    let object = || event.object.clone();
    let thread = || {
        let name = event.object.trim_matches('\'');
        let mut named = (0..execution.threads.len()).filter(|&thread| execution.threads[thread].name == name);
        named.next().filter(|_| named.next().is_none())
    };
    match operation.as_str() {
        "join" => thread().map(|thread| Effect::Joins { thread }).into_iter().collect(),
        "spawn" | "create" => thread().map(|thread| Effect::Starts { thread }).into_iter().collect(),
        "unlock" | "spin unlock" => vec![Effect::Releases { object: object() }],
        "downgrade" => {
            vec![Effect::Releases { object: object() }, Effect::Acquires { object: object(), mode: Mode::Shared }]
        }
        _ => match (mode(&operation, &event.object), waits(&operation, event)) {
            (Some(mode), _) if was_taken(event) => vec![Effect::Acquires { object: object(), mode }],
            (None, true) => vec![Effect::Waits { object: object() }],
            (None, false) => value(&operation, event).into_iter().collect(),
            (Some(_), _) => Vec::new(),
        },
    }
}

/// How an operation takes a lock, if it is one that does. Of a lock for readers in Rust, `read` and `write` do.
fn mode(operation: &str, object: &str) -> Option<Mode> {
    let plain =
        ["try ", "timed ", "spin "].iter().fold(operation, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    match plain {
        "lock" | "relock" | "trylock" | "write lock" => Some(Mode::Exclusive),
        "read lock" => Some(Mode::Shared),
        "write" if object.starts_with("RwLock #") => Some(Mode::Exclusive),
        "read" if object.starts_with("RwLock #") => Some(Mode::Shared),
        _ => None,
    }
}

/// Whether the lock was taken: attempts say how they turned out.
fn was_taken(event: &Event) -> bool {
    matches!(event.value.as_str(), "" | "locked")
}

/// Whether the thread waits from here on to be woken by another.
fn waits(operation: &str, event: &Event) -> bool {
    match operation {
        "cond wait" | "cond timedwait" | "arrive" => true,
        _ => matches!(event.value.as_str(), "unlocks and waits" | "arrives"),
    }
}

/// What is in the object after the event, if it is a variable and the event shows it.
fn value(operation: &str, event: &Event) -> Option<Effect> {
    const ACCESSES: [&str; 12] =
        ["read", "write", "load", "store", "swap", "exchange", "compare", "cas", "fetch", "await", "add", "atomic"];
    let first = operation.split(' ').next().unwrap_or_default();
    if event.object.is_empty() || event.value.is_empty() || !ACCESSES.contains(&first) {
        return None;
    }
    let (object, shown) = (event.object.clone(), event.value.as_str());
    let refused = ["fails, is ", "failed, is "].iter().find_map(|lead| shown.strip_prefix(lead));
    match (shown.rsplit_once(" -> "), refused) {
        (Some((_, after)), _) => Some(Effect::Writes { object, value: after.to_owned() }),
        (None, Some(found)) => Some(Effect::Reads { object, value: found.to_owned() }),
        (None, None) if matches!(first, "read" | "load" | "await") => {
            Some(Effect::Reads { object, value: shown.to_owned() })
        }
        (None, None) => Some(Effect::Writes { object, value: shown.to_owned() }),
    }
}

/// A thread that waits for a condition gives its lock back meanwhile. Its words do not name the lock: it is the one
/// that it takes again, or else the only one that it holds.
fn release_in_waits(execution: &Execution, effects: &mut [Vec<Effect>]) {
    let mut held: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (index, (event, effects)) in execution.events.iter().zip(effects).enumerate() {
        let held = held.entry(event.thread).or_default();
        if matches!(effects[..], [Effect::Waits { .. }]) && event.effects.is_empty() {
            let own = execution.events[index + 1..].iter().filter(|later| later.thread == event.thread);
            let again = own.take(2).find(|later| later.operation == "relock").map(|later| later.object.clone());
            let only = || held.first().filter(|_| held.len() == 1).cloned();
            effects.extend(again.or_else(only).map(|object| Effect::Releases { object }));
        }
        for effect in effects.iter() {
            match effect {
                Effect::Acquires { object, .. } => held.push(object.clone()),
                Effect::Releases { object } => {
                    held.iter().rposition(|lock| lock == object).map(|position| held.remove(position));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_report::Thread;

    fn one(operation: &str, object: &str, value: &str) -> Vec<Effect> {
        let (operation, object, value) = (operation.to_owned(), object.to_owned(), value.to_owned());
        let events = vec![Event { operation, object, value, ..Event::default() }];
        let threads = ["main", "a"].map(|name| Thread { name: name.to_owned() }).to_vec();
        effects(&Execution { threads, events }).remove(0)
    }

    fn reads(object: &str, value: &str) -> Vec<Effect> {
        vec![Effect::Reads { object: object.to_owned(), value: value.to_owned() }]
    }

    fn writes(object: &str, value: &str) -> Vec<Effect> {
        vec![Effect::Writes { object: object.to_owned(), value: value.to_owned() }]
    }

    fn acquires(object: &str, mode: Mode) -> Vec<Effect> {
        vec![Effect::Acquires { object: object.to_owned(), mode }]
    }

    #[test]
    fn accesses_show_what_is_there_afterwards() {
        assert_eq!(one("load", "x", "3"), reads("x", "3"));
        assert_eq!(one("fetch_add", "AtomicU32 #1", "1 -> 2"), writes("AtomicU32 #1", "2"));
        assert_eq!(one("compare_exchange", "x", "failed, is 4"), reads("x", "4"));
        assert_eq!(one("write", "p", "&node#2"), writes("p", "&node#2"));
        assert_eq!(one("signal", "ready", "nobody waits"), []);
        assert_eq!(one("choose", "", "1"), []);
    }

    #[test]
    fn locks_are_taken_and_given_back() {
        assert_eq!(one("lock", "mutex", ""), acquires("mutex", Mode::Exclusive));
        assert_eq!(one("try_lock", "Mutex #1", "locked"), acquires("Mutex #1", Mode::Exclusive));
        assert_eq!(one("try_lock", "Mutex #1", "busy"), []);
        assert_eq!(one("spin trylock", "s", "fails, is held"), []);
        assert_eq!(one("timed read lock", "lock", ""), acquires("lock", Mode::Shared));
        assert_eq!(one("read", "RwLock #2", ""), acquires("RwLock #2", Mode::Shared));
        assert_eq!(one("read", "x", "1"), reads("x", "1"));
        assert_eq!(one("unlock", "mutex", ""), [Effect::Releases { object: "mutex".to_owned() }]);
    }

    #[test]
    fn threads_are_known_by_their_names() {
        assert_eq!(one("join", "'a'", ""), [Effect::Joins { thread: 1 }]);
        assert_eq!(one("spawn", "a", ""), [Effect::Starts { thread: 1 }]);
        assert_eq!(one("join", "'b'", ""), []);
    }
}
