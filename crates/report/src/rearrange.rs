//! An execution with events in another order or left out, or with its threads numbered anew: whatever points to an event
//! or to a thread follows.

use crate::{Bug, Effect, Event, Execution};

impl Event {
    /// Has what points to other events follow them to their new places. What is left out is not pointed to any more.
    pub(crate) fn follow(&mut self, place: impl Fn(usize) -> Option<usize>) {
        let Event { happens_after, reads_from, synchronises_with, could_read, overwrites, .. } = self;
        for edges in [happens_after, reads_from, synchronises_with, could_read] {
            *edges = edges.iter().filter_map(|&old| place(old)).collect();
            edges.sort_unstable();
        }
        *overwrites = overwrites.and_then(place);
    }
}

impl Execution {
    /// The events with these indices, in this order, with what they say of each other.
    pub fn arranged(&self, order: &[usize]) -> Execution {
        let mut position = vec![None; self.events.len()];
        for (new, &old) in order.iter().enumerate() {
            if let Some(place) = position.get_mut(old) {
                *place = Some(new);
            }
        }
        let follow = |old: usize| position.get(old).copied().flatten();
        let mut events: Vec<Event> = order.iter().filter_map(|&old| self.events.get(old).cloned()).collect();
        events.iter_mut().for_each(|event| event.follow(follow));
        Execution { threads: self.threads.clone(), events }
    }

    /// Numbers the threads anew: each gets the number that `number` gives for its old one. No two get the same.
    pub fn renumber_threads(&mut self, number: impl Fn(usize) -> usize) {
        let old = self.threads.clone();
        for (thread, name) in old.into_iter().enumerate() {
            if let Some(place) = self.threads.get_mut(number(thread)) {
                *place = name;
            }
        }
        for event in &mut self.events {
            event.thread = number(event.thread);
            for effect in &mut event.effects {
                if let Effect::Starts { thread } | Effect::Joins { thread } = effect {
                    *thread = number(*thread);
                }
            }
        }
    }
}

impl Bug {
    /// Numbers the threads anew, wherever the bug names one: each gets the number that `number` gives for its old one.
    pub fn renumber_threads(&mut self, number: impl Fn(usize) -> usize) {
        self.execution.renumber_threads(&number);
        if let Some(divergence) = &mut self.divergence {
            divergence.before.renumber_threads(&number);
        }
        if let Some(passing) = &mut self.passing {
            passing.execution.renumber_threads(&number);
        }
        self.thread = self.thread.map(&number);
        for access in &mut self.accesses {
            access.thread = number(access.thread);
        }
        for wait in &mut self.waits {
            wait.thread = number(wait.thread);
            wait.waits_for = wait.waits_for.map(&number);
        }
        for message in &mut self.unreceived {
            message.sender = number(message.sender);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Thread;

    fn sample() -> Execution {
        let event = |thread, happens_after: &[usize], effects: &[Effect]| Event {
            thread,
            happens_after: happens_after.to_vec(),
            effects: effects.to_vec(),
            ..Event::default()
        };
        let mut events = vec![
            event(0, &[], &[Effect::Starts { thread: 1 }]),
            event(1, &[0], &[]),
            event(0, &[0], &[]),
            event(1, &[1, 2], &[]),
        ];
        events[3].overwrites = Some(2);
        events[3].could_read = vec![0, 1];
        Execution { threads: ["a", "b"].map(|name| Thread { name: name.to_owned() }).to_vec(), events }
    }

    #[test]
    fn what_points_to_events_follows_them() {
        let moved = sample().arranged(&[0, 2, 1, 3]);
        assert_eq!(moved.events.iter().map(|event| event.thread).collect::<Vec<_>>(), [0, 0, 1, 1]);
        assert_eq!((&moved.events[3].happens_after[..], moved.events[3].overwrites), (&[1, 2][..], Some(1)));
        assert_eq!(moved.events[3].could_read, [0, 2]);
        let part = sample().arranged(&[0, 1, 3]);
        assert_eq!((&part.events[2].happens_after[..], part.events[2].overwrites), (&[1][..], None));
    }

    #[test]
    fn what_names_threads_follows_them() {
        let mut execution = sample();
        execution.renumber_threads(|thread| 1 - thread);
        assert_eq!(execution.threads[0].name, "b");
        assert_eq!(execution.events[0].thread, 1);
        assert_eq!(execution.events[0].effects, [Effect::Starts { thread: 0 }]);
    }
}
