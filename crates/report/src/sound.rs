//! Reports that come from files: an index in them can be anything.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Bug, Effect, Event, Execution, Report, Thread};

impl Report {
    /// The report, if all its threads and events are there; or else one in which threads that are only named by their
    /// number have a place at the end, and nothing points to events that there are not.
    pub fn sound(&self) -> Cow<'_, Report> {
        if self.bugs().all(is_sound) {
            return Cow::Borrowed(self);
        }
        let mut report = self.clone();
        report.bug.iter_mut().chain(&mut report.further_bugs).for_each(make_sound);
        Cow::Owned(report)
    }
}

fn is_sound(bug: &Bug) -> bool {
    let threads = bug.execution.threads.len();
    let of_bug = bug.thread.into_iter().chain(bug.accesses.iter().map(|access| access.thread));
    let of_waits = bug.waits.iter().flat_map(|wait| [Some(wait.thread), wait.waits_for]).flatten();
    let of_messages = bug.unreceived.iter().map(|message| message.sender);
    of_bug.chain(of_waits).chain(of_messages).all(|thread| thread < threads)
        && is_sound_execution(&bug.execution)
        && bug.divergence.as_ref().is_none_or(|divergence| is_sound_execution(&divergence.before))
}

fn is_sound_execution(execution: &Execution) -> bool {
    let (threads, events) = (execution.threads.len(), execution.events.len());
    execution.events.iter().all(|event| {
        let of_effects = event.effects.iter().filter_map(thread_of).all(|thread| thread < threads);
        event.thread < threads && of_effects && edges(event).all(|edge| edge < events)
    })
}

fn thread_of(effect: &Effect) -> Option<usize> {
    match effect {
        Effect::Starts { thread } | Effect::Joins { thread } => Some(*thread),
        _ => None,
    }
}

fn edges(event: &Event) -> impl Iterator<Item = usize> {
    let Event { happens_after, reads_from, synchronises_with, could_read, overwrites, .. } = event;
    [happens_after, reads_from, synchronises_with, could_read].into_iter().flatten().copied().chain(*overwrites)
}

/// Gives a place to every number of a thread.
#[derive(Default)]
struct Places {
    known: usize,
    further: BTreeMap<usize, usize>,
}

impl Places {
    fn of(&mut self, thread: usize) -> usize {
        if thread < self.known {
            return thread;
        }
        let next = self.known + self.further.len();
        *self.further.entry(thread).or_insert(next)
    }

    fn name(self, threads: &mut Vec<Thread>) {
        let mut further: Vec<(usize, usize)> =
            self.further.into_iter().map(|(thread, place)| (place, thread)).collect();
        further.sort_unstable();
        threads.extend(further.into_iter().map(|(_, thread)| Thread { name: format!("#{thread}") }));
    }
}

fn make_sound(bug: &mut Bug) {
    let mut places = Places { known: bug.execution.threads.len(), ..Places::default() };
    make_execution_sound(&mut bug.execution, &mut places);
    bug.thread = bug.thread.map(|thread| places.of(thread));
    bug.accesses.iter_mut().for_each(|access| access.thread = places.of(access.thread));
    bug.unreceived.iter_mut().for_each(|message| message.sender = places.of(message.sender));
    for wait in &mut bug.waits {
        wait.thread = places.of(wait.thread);
        wait.waits_for = wait.waits_for.map(|thread| places.of(thread));
    }
    places.name(&mut bug.execution.threads);
    if let Some(divergence) = &mut bug.divergence {
        let mut places = Places { known: divergence.before.threads.len(), ..Places::default() };
        make_execution_sound(&mut divergence.before, &mut places);
        places.name(&mut divergence.before.threads);
    }
}

fn make_execution_sound(execution: &mut Execution, places: &mut Places) {
    let count = execution.events.len();
    for event in &mut execution.events {
        event.thread = places.of(event.thread);
        let Event { happens_after, reads_from, synchronises_with, could_read, overwrites, effects, .. } = event;
        for edges in [happens_after, reads_from, synchronises_with, could_read] {
            edges.retain(|&edge| edge < count);
        }
        *overwrites = overwrites.filter(|&edge| edge < count);
        for effect in effects {
            if let Effect::Starts { thread } | Effect::Joins { thread } = effect {
                *thread = places.of(*thread);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Executions, Verdict};

    #[test]
    fn what_is_not_there_gets_a_place_or_goes() {
        let events = vec![
            Event { thread: 7, happens_after: vec![0, 9], ..Event::default() },
            Event { thread: usize::MAX, overwrites: Some(2), ..Event::default() },
            Event { thread: 7, effects: vec![Effect::Joins { thread: 1 }], ..Event::default() },
        ];
        let execution = Execution { threads: vec![Thread { name: "main".to_owned() }], events };
        let bug: Bug = serde_json::from_str(&format!(
            r#"{{"kind": "panic", "message": "", "source": null, "thread": 3, "waits": [], "accesses": [], "tips": [],
                "divergence": null, "replay": null, "execution": {}}}"#,
            serde_json::to_string(&execution).expect("JSON")
        ))
        .expect("a bug");
        let report = Report {
            verdict: Verdict::Bug,
            strategy: String::new(),
            executions: Executions::default(),
            seconds: 0.0,
            cut: Vec::new(),
            set_aside: Vec::new(),
            assumed: Vec::new(),
            notes: Vec::new(),
            bug: Some(bug),
            further_bugs: Vec::new(),
            solver: None,
            profile: None,
        };
        let sound = report.sound();
        let bug = sound.bug.as_ref().expect("a bug");
        let names: Vec<&str> = bug.execution.threads.iter().map(|thread| thread.name.as_str()).collect();
        assert_eq!(names, ["main", "#7", &format!("#{}", usize::MAX), "#1", "#3"]);
        assert_eq!(bug.execution.events.iter().map(|event| event.thread).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(bug.execution.events[0].happens_after, [0]);
        assert_eq!((bug.execution.events[1].overwrites, bug.thread), (Some(2), Some(4)));
        assert!(matches!(sound.sound(), Cow::Borrowed(_)));
    }
}
