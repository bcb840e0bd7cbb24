//! The memory models as axioms over plain matrices.
//!
//! A read-modify-write is two nodes. Spawns and joins synchronise: what precedes a spawn comes before everything in the
//! new thread, and everything in a thread before what follows its join. That a thread does nothing makes no difference: what
//! precedes its spawn comes before what follows its join.
//!
//! `tso` and `pso` are about what compilers emit. On x86, a `seq_cst` store is followed by a fence, a compare-exchange
//! is a locked instruction whether it succeeds or not, and other orderings cost nothing. Where writes may overtake
//! writes, a release store has a store barrier before it, and a release fence is one.

use super::graph::{Graph, Name, Touch};
use super::relation::Relation;
use everyway_explore::MemoryModel;
use everyway_runtime::Ordering;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Fence,
}

/// A part of an event.
#[derive(Clone, Copy, Debug)]
struct Node {
    event: Name,
    kind: Kind,
    location: Option<u32>,
    ordering: Ordering,
    /// Whether it belongs to a read-modify-write that took place.
    modifies: bool,
    /// Whether the instruction locks the bus.
    locked: bool,
}

/// The basic relations of a graph.
struct Basic {
    nodes: Vec<Node>,
    po: Relation,
    /// Spawns and joins.
    sync: Relation,
    rf: Relation,
    mo: Relation,
    fr: Relation,
}

/// Whether the model allows a graph that is coherent.
pub(super) fn allows(model: MemoryModel, graph: &Graph) -> bool {
    let basic = Basic::new(graph);
    match model {
        MemoryModel::Sc => basic.sc(),
        MemoryModel::Tso => basic.buffered(Basic::ordered_by_tso),
        MemoryModel::Pso => basic.buffered(Basic::ordered_by_pso),
        MemoryModel::Rc11 => basic.rc11(),
    }
}

/// What all models ask for: read-modify-writes are atomic, and each location by itself is sequentially consistent.
pub(super) fn is_coherent(graph: &Graph) -> bool {
    let basic = Basic::new(graph);
    basic.is_atomic() && basic.coherence().is_acyclic()
}

/// Whether two conflicting accesses, not both atomic, are not ordered by RC11's happens-before.
pub(super) fn has_race(graph: &Graph) -> bool {
    let basic = Basic::new(graph);
    let hb = basic.happens_before();
    let races = |a: &Node, b: &Node| {
        a.location.is_some()
            && a.location == b.location
            && a.event.thread != b.event.thread
            && (a.kind == Kind::Write || b.kind == Kind::Write)
            && !(a.ordering.is_atomic() && b.ordering.is_atomic())
    };
    let pairs = |a| (0..basic.nodes.len()).map(move |b| (a, b));
    (0..basic.nodes.len())
        .flat_map(pairs)
        .any(|(a, b)| races(&basic.nodes[a], &basic.nodes[b]) && !hb.has(a, b) && !hb.has(b, a))
}

fn nodes_of(graph: &Graph) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (name, event) in graph.events() {
        let node = |kind, touch: &Touch| Node {
            event: name,
            kind,
            location: Some(touch.location),
            ordering: touch.ordering,
            modifies: touch.source.is_some() && touch.written.is_some(),
            locked: touch.locked,
        };
        let fence = |ordering| Node {
            event: name,
            kind: Kind::Fence,
            location: None,
            ordering,
            modifies: false,
            locked: false,
        };
        let reads = |touch: &&Touch| touch.source.is_some();
        let writes = |touch: &&Touch| touch.written.is_some();
        nodes.extend(event.fence.map(fence));
        nodes.extend(event.touches.iter().filter(reads).map(|touch| node(Kind::Read, touch)));
        nodes.extend(event.touches.iter().filter(writes).map(|touch| node(Kind::Write, touch)));
        nodes.extend(event.aftermath.iter().flat_map(|touch| [node(Kind::Read, touch), node(Kind::Write, touch)]));
    }
    nodes
}

impl Basic {
    fn new(graph: &Graph) -> Self {
        let nodes = nodes_of(graph);
        let relation = |holds: &dyn Fn(&Node, &Node) -> bool| {
            Relation::new(nodes.len(), |a, b| a != b && holds(&nodes[a], &nodes[b]))
        };
        let po = Relation::new(nodes.len(), |a, b| nodes[a].event.thread == nodes[b].event.thread && a < b);
        let touch = |node: &Node| node.location.and_then(|location| graph.event(node.event).at(location));
        let source = |read: &Node| touch(read).and_then(|touch| touch.source);
        let sync = relation(&|a, b| {
            let known = graph.event(b.event).known[a.event.thread] > a.event.index;
            let is_sent = a.kind == Kind::Write && b.kind == Kind::Read && a.location == b.location;
            let takes = is_sent && touch(b).and_then(|touch| touch.sent_by) == Some(a.event);
            takes || known
        });
        let rf = relation(&|w, r| {
            let both = w.kind == Kind::Write && r.kind == Kind::Read && w.location == r.location;
            both && source(r) == Some(Some(w.event))
        });
        let mo = relation(&|a, b| {
            let both = a.kind == Kind::Write && b.kind == Kind::Write && a.location == b.location;
            let place = |node: &Node| node.location.map(|location| graph.place(node.event, location));
            both && place(a) < place(b)
        });
        let initial = relation(&|r, w| {
            let both = r.kind == Kind::Read && w.kind == Kind::Write && r.location == w.location;
            both && source(r) == Some(None)
        });
        let fr = rf.inverse().then(&mo).or(&initial);
        Self { nodes, po, sync, rf, mo, fr }
    }

    fn relation(&self, holds: impl Fn(&Node, &Node) -> bool) -> Relation {
        Relation::new(self.nodes.len(), |a, b| holds(&self.nodes[a], &self.nodes[b]))
    }

    fn identity(&self, holds: impl Fn(&Node) -> bool) -> Relation {
        Relation::identity(self.nodes.len(), |a| holds(&self.nodes[a]))
    }

    /// From the read of a read-modify-write to its write.
    fn rmw(&self) -> Relation {
        self.relation(|r, w| {
            r.event == w.event && r.location == w.location && r.kind == Kind::Read && w.kind == Kind::Write
        })
    }

    /// The write of a read-modify-write comes right after its source.
    fn is_atomic(&self) -> bool {
        let between = self.fr.then(&self.mo);
        self.rmw().only(|r, w| !self.fr.has(r, w) || between.has(r, w)).is_empty()
    }

    fn coherence(&self) -> Relation {
        let same_location =
            |a: usize, b: usize| self.nodes[a].location.is_some() && self.nodes[a].location == self.nodes[b].location;
        self.po.only(same_location).or(&self.rf).or(&self.mo).or(&self.fr)
    }

    /// Steps in some order.
    fn sc(&self) -> bool {
        let order = self.po.or(&self.sync).or(&self.rf).or(&self.mo).or(&self.fr);
        let mut steps: Vec<Name> = self.nodes.iter().map(|node| node.event).collect();
        steps.dedup();
        let of = |step: usize| {
            let step = steps[step];
            (0..self.nodes.len()).filter(move |&node| self.nodes[node].event == step)
        };
        Relation::new(steps.len(), |a, b| a != b && of(a).any(|one| of(b).any(|other| order.has(one, other))))
            .is_acyclic()
    }

    /// Store buffers, where `ordered` says which accesses of a thread are not reordered.
    fn buffered(&self, ordered: impl Fn(&Self, usize, usize) -> bool) -> bool {
        let communication = self.mo.or(&self.fr);
        let external = self.rf.only(|w, r| self.nodes[w].event.thread != self.nodes[r].event.thread);
        let order = self.po.only(|a, b| ordered(self, a, b)).or(&self.sync).or(&external).or(&communication);
        order.is_acyclic()
    }

    fn ordered_by_tso(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.nodes[a], &self.nodes[b]);
        let is_idle = |node: &Node| node.kind == Kind::Fence && node.ordering != Ordering::SeqCst;
        let followed_by_fence = first.modifies || first.ordering == Ordering::SeqCst;
        match (first.kind, second.kind) {
            _ if is_idle(first) || is_idle(second) => false,
            (Kind::Write, Kind::Read) => followed_by_fence || second.locked,
            _ => true,
        }
    }

    fn ordered_by_pso(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.nodes[a], &self.nodes[b]);
        let barrier = |node: &Node| node.kind == Kind::Fence && node.ordering.releases();
        let followed_by_fence = first.modifies || first.ordering == Ordering::SeqCst;
        match (first.kind, second.kind) {
            (Kind::Write, Kind::Write) => {
                followed_by_fence || second.ordering.releases() || (a + 1..b).any(|f| barrier(&self.nodes[f]))
            }
            _ => self.ordered_by_tso(a, b),
        }
    }

    /// RC11's happens-before, with the release sequences of C++20.
    fn happens_before(&self) -> Relation {
        let is = |kind| self.identity(move |node| node.kind == kind);
        let (fences, writes) = (is(Kind::Fence), is(Kind::Write));
        let releases = self.identity(|node| node.kind != Kind::Read && node.ordering.releases());
        let acquires = self.identity(|node| node.kind != Kind::Write && node.ordering.acquires());
        let sequence = self.rf.then(&self.rmw()).closure().maybe();
        let all = self.identity(|_| true);
        let before = all.or(&fences.then(&self.po));
        let after = all.or(&self.po.then(&fences));
        let sw = releases.then(&before).then(&writes).then(&sequence).then(&self.rf).then(&after).then(&acquires);
        self.po.or(&self.sync).or(&sw).closure()
    }

    fn rc11(&self) -> bool {
        let hb = self.happens_before();
        let eco = self.rf.or(&self.mo).or(&self.fr).closure();
        hb.is_irreflexive() && hb.then(&eco).is_irreflexive() && self.psc(&hb, &eco).is_acyclic()
    }

    fn psc(&self, hb: &Relation, eco: &Relation) -> Relation {
        let location = |a: usize| self.nodes[a].location;
        let sc = self.identity(|node| node.ordering == Ordering::SeqCst);
        let fences = self.identity(|node| node.ordering == Ordering::SeqCst && node.kind == Kind::Fence);
        let elsewhere = self.po.only(|a, b| location(a).is_none() || location(a) != location(b));
        let here = hb.only(|a, b| location(a).is_some() && location(a) == location(b));
        let around = elsewhere.then(hb).then(&elsewhere);
        let scb = self.po.or(&around).or(&here).or(&self.mo).or(&self.fr);
        let left = sc.or(&fences.then(&hb.maybe()));
        let right = sc.or(&hb.maybe().then(&fences));
        let base = left.then(&scb).then(&right);
        base.or(&fences.then(&hb.or(&hb.then(eco).then(hb))).then(&fences))
    }
}
