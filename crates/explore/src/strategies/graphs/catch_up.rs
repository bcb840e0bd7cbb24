//! The steps that the program takes to reach the state of the graph.

use super::Graphs;
use super::alternative::{Alternative, AlternativeKind};
use super::event::{Event, FIRST, Kind, Object, Position};
use super::model::MemoryModel;
use everyway_runtime::{Source, State, Step, ThreadId};

impl Graphs {
    /// Whether the program has to take steps before the writes of a step are added: what comes with them, or what there is
    /// to choose, depends on what they find; or the program has to be asked which messages match.
    pub(super) fn has_to_run(&self, thread: ThreadId) -> bool {
        let is_memory =
            |event: &Event| matches!(event.kind, Kind::Read { touch, .. } if touch.object == Object::Memory);
        let mut left = self.graph.events[self.known..].iter();
        let last = self.graph.last_of(thread).map(|last| self.graph.event(last));
        !last.is_some_and(is_memory) || left.any(|event| event.choice.is_none())
    }

    /// The next step that the program has to take to be where the graph is.
    #[inline(always)]
    pub(super) fn next_step(&mut self, state: &dyn State) -> Option<Step> {
        // Mostly it is there.
        if self.known == self.graph.len() { None } else { self.find_next_step(state) }
    }

    // In the one place where it is asked for: what is left in pieces for a caller is waited for by the processor.
    #[inline(always)]
    fn find_next_step(&mut self, state: &dyn State) -> Option<Step> {
        let next = self.graph.event(Position::new(self.known));
        // Mostly one event is a step.
        let (thread, choice) = match next.choice.get() {
            Some(choice) if next.ends_step() => (next.thread, choice),
            _ => self.find_end_of_step(state)?,
        };
        let end = Position::new(self.known);
        self.known += 1;
        if self.graph.model == MemoryModel::Rc11 {
            self.race = self.graph.race_of(end);
        }
        self.sources.clear();
        let event = self.graph.event(end);
        match event.accesses {
            0 => {}
            1 => {
                let reads = if event.modifies() { self.graph.event(self.graph.read_of(event)) } else { event };
                self.sources.push(self.told(reads));
            }
            _ => self.tell_sources(end),
        }
        Some(Step { thread, choice })
    }

    /// Goes to the event that the next step of the program ends with; whose step it is, and what it chooses.
    #[inline(never)]
    fn find_end_of_step(&mut self, state: &dyn State) -> Option<(ThreadId, u32)> {
        while let Some(event) = self.graph.events.get(self.known) {
            let (thread, position) = (event.thread, Position::new(self.known));
            if event.ends_step() {
                if event.choice.is_none() {
                    if self.arriving.is_some() {
                        return None;
                    }
                    self.decide(position, state.choices(thread));
                }
                return Some((thread, self.graph.event(position).choice.get()?));
            }
            self.known += 1;
        }
        None
    }

    /// Takes the first of the choices of a step, and plans the others.
    fn decide(&mut self, position: Position, choices: u32) {
        self.graph.events[position.index()].choice = FIRST;
        self.deferred.changed_from(position.index());
        let depth = self.graph.len();
        let alternative = |choice| Alternative { depth, kind: AlternativeKind::Choose { position, choice } };
        self.alternatives.extend((1..choices).map(alternative));
    }

    /// What the program is told of an access.
    #[inline]
    fn told(&self, event: &Event) -> Source {
        match event.kind {
            Kind::Read { touch, source, .. } if touch.object != Object::Mailbox => self.graph.told(source),
            _ => Source::Initial,
        }
    }

    /// Notes the sources of the reads of a step of several events.
    #[inline(never)]
    fn tell_sources(&mut self, end: Position) {
        let end = self.graph.event(end);
        // The reads of all accesses that are reached come first.
        for position in self.graph.operation(end).take(end.accesses as usize) {
            self.sources.push(self.told(self.graph.event(position)));
        }
        self.sources.resize(end.accesses as usize, Source::Initial);
    }
}
