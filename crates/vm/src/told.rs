//! Steps whose reads are told which write they see.
//!
//! Such a step finds the value that it was told in memory, undefined bits included, and runs like any other. When it is
//! done, locations that it did not write are restored: memory holds the last writes in the order in which steps were
//! taken. What each step wrote is kept, for the steps that are told to read it.

use crate::machine::{Machine, Place};
use crate::memory::Word;
use crate::settings::Grain;
use crate::undo::Undo;
use everyway_driver::Reads;
use everyway_runtime::{
    Access, Bytes, EventId, Location, ModificationOrders, Ordering, Source, Verb, Visit, append_few,
};

/// What was in memory where an access of the step was told to read something else, which lies there now.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    /// Which access of the operation it is.
    access: usize,
    location: Location,
    bytes: Bytes,
    old: Word,
}

/// What a step left in some bytes of a location.
#[derive(Clone, Copy, Debug)]
struct Written {
    location: Location,
    bytes: Bytes,
    word: Word,
}

/// A list for each step, all of them in one.
#[derive(Debug)]
struct Lists<T> {
    all: Vec<T>,
    /// By step, where its list begins; and where the next one will.
    starts: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { all: Vec::new(), starts: vec![0] }
    }
}

impl<T> Lists<T> {
    /// The list of a step; empty if there is none.
    fn get(&self, step: usize) -> &[T] {
        match self.starts.get(step..step + 2) {
            Some(&[start, end]) => &self.all[start as usize..end as usize],
            _ => &[],
        }
    }

    /// What was added to the list since the last one ended is that of the next step.
    fn end_list(&mut self) {
        self.starts.push(self.all.len() as u32);
    }

    /// Forgets the lists of all but the first `steps` steps.
    fn truncate(&mut self, steps: usize) {
        if let Some(&start) = self.starts.get(steps) {
            self.all.truncate(start as usize);
            self.starts.truncate(steps + 1);
        }
    }
}

/// What steps wrote and, during a step, what it was told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What the accesses of each step were told.
    sources: Lists<Source>,
    /// The words that each step left.
    written: Lists<Written>,
    /// What each location held before the first step that may have written to it.
    initial: Vec<Option<Word>>,
    replaced: Vec<Replaced>,
    /// The order of the writes, once it is known.
    pub(crate) orders: Option<ModificationOrders>,
}

impl Told {
    /// Forgets what was written after the first `depth` steps.
    pub(crate) fn rewind(&mut self, depth: usize) {
        self.written.truncate(depth);
        self.sources.truncate(depth);
        self.orders = None;
    }

    /// What the step of an event was told.
    pub(crate) fn sources(&self, event: EventId) -> &[Source] {
        self.sources.get(event.index())
    }

    /// The location has not been written to any more.
    pub(crate) fn forget_first_write(&mut self, location: Location) {
        self.initial[location.index()] = None;
    }
}

/// A word with these bytes from another one.
fn merged(word: Word, other: Word, bytes: Bytes) -> Word {
    let field = bytes.set(0, u64::MAX);
    Word { bits: word.bits & !field | other.bits & field, undef: word.undef & !field | other.undef & field }
}

/// What these accesses of a step did to the word that the last of them, which did `last`, is to: there may be one for each
/// byte. All of them found the same word, which none had written to yet.
pub(crate) fn joined(accesses: &[Access], last: Visit) -> Visit {
    let same = accesses.iter().filter(|access| access.location == last.access.location);
    let bytes = same.clone().fold(0, |bytes, access| bytes | access.bytes.0);
    let left = |word: u64, access: &Access| {
        access.bytes.set(word, access.bytes.get(Visit::carry_out(access, last.before).0.after))
    };
    let after = same.fold(last.after, left);
    Visit { access: Access { bytes: Bytes(bytes), ..last.access }, after, ..last }
}

impl Machine {
    /// Whether the reads of steps are told what they see.
    pub(crate) fn is_told(&self) -> bool {
        self.settings.rules.reads == Reads::Told
    }

    /// Whether an access is told to the engine byte by byte, because the same bytes are accessed together here and apart there. One that
    /// is not atomic reads what was written last before it, or is part of a data race, so this is the same to the program.
    #[inline]
    pub(crate) fn is_split(&self, ordering: Ordering) -> bool {
        self.settings.grain == Grain::Bytes && ordering == Ordering::Plain && self.is_told()
    }

    /// What a location held before the first step that wrote to it.
    pub(crate) fn initial_word(&self, location: Location) -> Word {
        self.told.initial.get(location.index()).copied().flatten().unwrap_or_else(|| self.word(location))
    }

    fn word(&self, location: Location) -> Word {
        match self.locations[location.index()] {
            Place::Value(value) => Word::new(value),
            Place::Memory { object, granule } => {
                self.memory.object(object).words.get(granule as usize).copied().unwrap_or_default()
            }
        }
    }

    fn set_word(&mut self, location: Location, word: Word) {
        match self.locations[location.index()] {
            Place::Value(_) => self.set_value(location, word.bits),
            Place::Memory { object, granule } => self.write_word(object, granule, word),
        }
    }

    fn source_word(&self, location: Location, source: Source) -> Word {
        let Source::Event(event) = source else { return self.initial_word(location) };
        self.written_by(event, location).map_or_else(|| self.initial_word(location), |written| written.word)
    }

    #[inline]
    fn written_by(&self, event: EventId, location: Location) -> Option<&Written> {
        let written = self.told.written.get(event.index());
        written.iter().rev().find(|written| written.location == location)
    }

    /// Makes memory hold the newest writes.
    pub(crate) fn hold_newest(&mut self) {
        let newest: Vec<_> = self.told.orders.iter().flat_map(ModificationOrders::newest).collect();
        for (location, event) in newest {
            let written = self.told.written.get(event.index()).iter();
            let mut written = written.filter(|written| written.location == location).copied();
            // What is written byte by byte is not atomic, so that it was written in the order of the steps.
            if let (Some(Written { bytes, word, .. }), None) = (written.next(), written.next()) {
                self.set_word(location, merged(self.word(location), word, bytes));
            }
        }
    }

    /// Puts what the reads of the last saved operation are told where they will find it.
    pub(crate) fn lay_out(&mut self, sources: &[Source]) {
        self.told.replaced.clear();
        append_few(&mut self.told.sources.all, sources);
        self.told.sources.end_list();
        let start = self.start_of_last();
        for position in 0..self.log.accesses.len() - start {
            let access = &self.log.accesses[start + position];
            let (location, bytes, looks) = (access.location, access.bytes, access.looks());
            if access.effect.may_write() {
                self.note_first_write(location, |machine| machine.word(location));
            }
            if looks && let Some(&source) = sources.get(position) {
                let old = self.word(location);
                let told = merged(old, self.source_word(location, source), bytes);
                // Mostly a read is told what is there.
                if told != old {
                    self.told.replaced.push(Replaced { access: position, location, bytes, old });
                    self.set_word(location, told);
                }
            }
        }
    }

    /// Keeps what the step wrote, and puts back what it only read.
    pub(crate) fn clear_away(&mut self, visits: &[Visit]) {
        let announced = self.last_accesses().len();
        for (position, visit) in visits.iter().enumerate().filter(|(_, visit)| visit.class.changes()) {
            let location = visit.access.location;
            // What wakes a thread is no access of the operation, and nothing was laid out for it.
            if position >= announced {
                self.note_first_write(location, |_| Word::new(visit.before));
            }
            let written = Written { location, bytes: visit.access.bytes, word: self.word(location) };
            self.told.written.all.push(written);
        }
        for position in 0..self.told.replaced.len() {
            let Replaced { access, location, bytes, old } = self.told.replaced[position];
            let wrote = visits.get(access).is_some_and(|visit| visit.class.changes());
            if !wrote {
                self.set_word(location, merged(self.word(location), old, bytes));
            }
        }
        self.told.written.end_list();
    }

    /// Keeps what a location held before this step, if none has written to it before.
    #[inline(always)]
    fn note_first_write(&mut self, location: Location, held: impl FnOnce(&Self) -> Word) {
        if self.told.initial.get(location.index()).is_none_or(Option::is_none) {
            let held = held(self);
            self.keep_initial(location, held);
        }
    }

    #[cold]
    fn keep_initial(&mut self, location: Location, held: Word) {
        let initial = &mut self.told.initial;
        initial.resize(initial.len().max(location.index() + 1), None);
        initial[location.index()] = Some(held);
        self.log.push(Undo::FirstWrite { location });
    }

    /// Whether the step of an event was a fence.
    pub(crate) fn is_fence(&self, event: EventId) -> bool {
        self.steps.get(event.index()).is_some_and(|logged| logged.verb == Verb::Fence)
    }

    /// Where the access at this position of the step of `event` reads from, if it was told. One that does not look was
    /// told nothing that matters.
    pub(crate) fn source_of(&self, event: EventId, position: usize, visit: &Visit) -> Option<Source> {
        let source = || self.told.sources(event).get(position).copied().filter(|_| visit.access.looks());
        self.is_told().then(|| source().unwrap_or(Source::Initial))
    }
}
