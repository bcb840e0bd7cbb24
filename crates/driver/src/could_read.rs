//! The other writes that the reads of a failing execution could have seen under the memory model.

use crate::found::Found;
use crate::script::told_steps;
use crate::settings::for_one;
use crate::subject::Subject;
use everyway_explore::{End, Explorer, Limits, MemoryModel, TellsSources, neighbours};
use everyway_runtime::{EventId, Source};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The reads of a long execution are looked at for so long, the last ones first.
const LONGEST: Duration = Duration::from_millis(500);

/// Adds to what was found which writes its reads could have seen. It is run again for that, as execution graphs.
pub(crate) fn add_could_read<S: Subject>(subject: &S, found: &mut Found, model: MemoryModel, limits: &Limits) {
    let events = &mut found.bug.execution.events;
    if events.len() != found.schedule.len() {
        return;
    }
    let limits = for_one(limits, events.len() + 1);
    let mut strategy = neighbours(model, told_steps(&found.schedule));
    let mut execution = subject.begin();
    let mut explorer = Explorer::new(&mut execution, &mut strategy, limits);
    let end = explorer.run(|_| ControlFlow::Continue(()));
    let steps = explorer.trace().len();
    drop(explorer);
    if !matches!(end, End::Failed(_) | End::Stopped(_)) {
        return;
    }
    subject.abandon(&mut execution);
    let (started, graph) = (Instant::now(), strategy.graph());
    for (index, event) in events.iter_mut().enumerate().take(steps).rev() {
        let Some(graph) = graph.filter(|_| started.elapsed() < LONGEST) else { return };
        event.could_read.clear();
        for source in graph.could_read(EventId::new(index)) {
            match source {
                Source::Initial => event.could_read_initial = true,
                Source::Event(write) => event.could_read.push(write.index()),
            }
        }
        event.could_read.sort_unstable();
    }
}
