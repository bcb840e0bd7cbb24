//! Reads of objects that are kept as logs, without a search of the whole log for each thread.
//!
//! The conditions of `full` (rule 4) are about the values that both threads of a pair would find, so every thread needs
//! a reader in every time frame. But only one of them has moved. The others find what they would have found before,
//! unless the last write is to their place; and one reader of the log is enough for the one that has moved.

use crate::frame::{AtPlace, Frame, access, split};
use crate::layout::Layout;
use crate::system::{Access, AccessKind, System};
use crate::term::Term;
use rustc_hash::FxHashMap;

/// A thread, the object that it looks at, and which of its place's accesses that is.
type Who = (usize, u32, usize);

/// What a thread finds.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The places of the thread that this holds for.
    counters: Vec<u16>,
    /// How many writes the log has.
    writes: usize,
    value: Term,
}

/// What threads find.
pub(crate) type Looks = FxHashMap<Who, Look>;

/// The step that led to a time frame, and what is still known from before it.
#[derive(Debug)]
pub(crate) struct Before {
    looks: Looks,
    /// By thread: the places where it could stand.
    standing: Vec<Vec<u16>>,
    /// By thread: that it took the step.
    chosen: Vec<Term>,
    /// The variables that the step may have changed, and the threads that may have done so.
    changed: FxHashMap<Term, Vec<usize>>,
}

impl Before {
    /// The step of whom is chosen in a time frame that is not needed any more.
    pub(crate) fn of(frame: &mut Frame, chosen: &[Term], changed: FxHashMap<Term, Vec<usize>>) -> Self {
        let counters = |standing: &Vec<AtPlace>| standing.iter().map(|one| one.counter).collect();
        Self {
            looks: std::mem::take(&mut frame.looks),
            standing: frame.standing.iter().map(counters).collect(),
            chosen: chosen.to_vec(),
            changed,
        }
    }

    /// What a thread found that stands at one of these places, if that is what it would find where it stands now,
    /// provided that it has not moved and nothing was written there.
    fn known(&self, system: &System, who: Who, sharing: &[(u16, Access)]) -> Option<&Look> {
        let thread = who.0;
        let look = self.looks.get(&who)?;
        let is_known = |counter: &u16| !self.standing[thread].contains(counter) || look.counters.contains(counter);
        let is_own = |variable: &Term| {
            let by = self.changed.get(variable);
            by.is_none_or(|threads| threads.iter().all(|other| *other == thread))
        };
        let addresses = sharing.iter().flat_map(|(_, access)| system.terms.support(access.address));
        let mut all = addresses.chain([system.threads[thread].counter]);
        (sharing.iter().all(|(counter, _)| is_known(counter)) && all.all(|variable| is_own(&variable))).then_some(look)
    }
}

/// A thread that looks.
struct Looker {
    thread: usize,
    sharing: Vec<(u16, Access)>,
    address: Term,
    /// What it finds if it has not moved.
    kept: Option<Term>,
}

impl Frame {
    /// Gives all accesses of unknown address to these objects their values, if that is one object that is kept as a log.
    pub(crate) fn look(&mut self, system: &mut System, layout: &Layout, objects: &[u32], nth: usize) -> bool {
        let &[object] = objects else { return false };
        let writes = self.state.contents.get(&(AccessKind::Memory, object)).and_then(|contents| contents.writes());
        let Some(writes) = writes else { return false };
        let mut lookers = Vec::new();
        for thread in 0..system.threads.len() {
            lookers.extend(self.looker(system, layout, (thread, object, nth)));
        }
        let moved = self.found_by_mover(system, layout, &lookers);
        for Looker { thread, sharing, address, kept } in lookers {
            let value = match (kept, moved, &self.before) {
                (Some(kept), Some(moved), Some(before)) => system.terms.choose(before.chosen[thread], moved, kept),
                _ => self.read(system, layout, &sharing[0].1, address),
            };
            let counters = sharing.iter().map(|(counter, _)| *counter).collect();
            self.looks.insert((thread, object, nth), Look { counters, writes, value });
            for (counter, access) in sharing {
                self.bind_value((thread, counter, nth), &access, value);
            }
        }
        true
    }

    /// The places of a thread with such an access.
    fn looker(&mut self, system: &mut System, layout: &Layout, who: Who) -> Option<Looker> {
        let (thread, object, nth) = who;
        let mut sharing = Vec::new();
        let mut address_of_all = None;
        for AtPlace { counter, at, .. } in self.standing[thread].clone() {
            let key = (thread, counter, nth);
            let Some(access) = access(system, key).filter(|access| access.kind == AccessKind::Memory) else { continue };
            let depends_on_state = |variable: &Term| self.state.values.contains_key(variable);
            if self.is_bound(key) || !system.terms.support(access.address).iter().all(depends_on_state) {
                continue;
            }
            let address = self.now.apply(&mut system.terms, access.address);
            if system.terms.value(address).is_some() || layout.candidates(&mut system.terms, address) != [object] {
                continue;
            }
            address_of_all = Some(match address_of_all {
                None => address,
                Some(others) => system.terms.choose(at, address, others),
            });
            sharing.push((counter, access));
        }
        let address = address_of_all?;
        let contents = self.state.contents.get(&(AccessKind::Memory, object))?;
        let cells = layout.cells.get(&(AccessKind::Memory, object))?;
        let known = self.before.as_ref().and_then(|before| before.known(system, who, &sharing));
        let kept = known.map(|look| (look.writes, look.value)).and_then(|known| {
            let (_, offset) = split(&mut system.terms, address);
            contents.read_again(&mut system.terms, cells, offset, known)
        });
        Some(Looker { thread, sharing, address, kept })
    }

    /// What the thread finds that has taken the step before, among those that would find the same as before otherwise.
    fn found_by_mover(&self, system: &mut System, layout: &Layout, lookers: &[Looker]) -> Option<Term> {
        let before = self.before.as_ref()?;
        let mut movers = lookers.iter().filter(|looker| looker.kept.is_some());
        let first = movers.next()?;
        let choose =
            |others: Term, looker: &Looker| system.terms.choose(before.chosen[looker.thread], looker.address, others);
        let address = movers.fold(first.address, choose);
        Some(self.read(system, layout, &first.sharing[0].1, address))
    }
}
