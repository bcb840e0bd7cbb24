//! The memory model under which a program is explored, and how it is determined.
//!
//! Most programs order everything that their threads share by `seq_cst` accesses and locks. They are explored as
//! interleavings, the cheapest way, on the assumption that there is no weaker ordering. A program with a weaker
//! ordering refutes it, and is explored again as execution graphs under `rc11`. What these do not model is explored as
//! interleavings after all, and the verdict says so.
//!
//! Programs without weaker orderings are explored as execution graphs, too, unless a strategy was given: graphs can be
//! shared among workers, and take little memory. But operations that commute, such as additions, have many graphs where
//! `optimal` has one execution; a program that has any is explored again under `optimal`. For a program with few
//! executions, sharing them takes longer than exploring them: `optimal` is tried first, for a number of steps
//! ([`Settings::trial`]). Steps are counted, rather than time, so that a program is explored in the same way on every
//! machine.

use crate::settings::{Settings, Suitability};
use everyway_explore::{Algorithm, MemoryModel};
use std::fmt;

/// Under which memory model to explore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// `sc` as long as every ordering is `seq_cst`, and `rc11` if there is a weaker one.
    #[default]
    Auto,
    /// This one, whatever the orderings are.
    Explicit(MemoryModel),
}

/// What an exploration takes orderings for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orderings {
    /// It assumes that all are `seq_cst`: an execution with a weaker one, or a fence with a weaker one, is to end with
    /// a failure that refutes this ([`Subject::refuted`](crate::Subject::refuted)).
    AssumedSeqCst,
    /// What they are.
    Any,
}

/// Where reads get their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// From the last write of the interleaving. Fences only order accesses; they are no steps.
    Last,
    /// Each is told its source ([`Execution::step_reading`](everyway_runtime::Execution::step_reading)). Fences are
    /// steps.
    Told,
}

/// What an exploration takes for granted of operations that commute: additions whose results are not used, say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commuting {
    /// It assumes that threads have none in common: an execution in which they do is to end with a failure that refutes
    /// this ([`Subject::refuted`](crate::Subject::refuted)).
    AssumedNone,
    /// Nothing.
    Any,
}

/// By which rules the executions of an exploration are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Which executions there are.
    pub model: MemoryModel,
    /// Where reads get their values.
    pub reads: Reads,
    /// What orderings are taken for.
    pub orderings: Orderings,
    /// What is taken for granted of operations that commute.
    pub commuting: Commuting,
}

impl Rules {
    /// Interleavings, with orderings as they are.
    pub const INTERLEAVED: Self =
        Self { model: MemoryModel::Sc, reads: Reads::Last, orderings: Orderings::Any, commuting: Commuting::Any };

    /// An execution under `model` whose reads are told their sources.
    pub fn told(model: MemoryModel) -> Self {
        Self { model, reads: Reads::Told, ..Self::INTERLEAVED }
    }
}

/// How far the search for the right model has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Whether the program is small is being found out; there was no weak ordering so far, unless the model was given.
    Trial,
    /// There was no weak ordering so far.
    Assuming,
    /// Execution graphs do not suit the program; there was no weak ordering so far, unless the model was given.
    Interleaved,
    /// The model is known.
    Known(MemoryModel),
    /// There are weak orderings, and the strategy samples or compares interleavings.
    OnlyInterleavings,
    /// The program does this, which is not modelled under this model.
    Refused(MemoryModel, String),
}

/// As frontiers have it.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Trial => f.write_str("trial"),
            Stage::Assuming => f.write_str("assuming"),
            Stage::Interleaved => f.write_str("interleaved"),
            Stage::Known(model) => write!(f, "{model}"),
            Stage::OnlyInterleavings => f.write_str("interleavings"),
            Stage::Refused(model, what) => write!(f, "refused {model}: {what}"),
        }
    }
}

impl Stage {
    pub(crate) fn first(settings: &Settings) -> Self {
        let first = Self::first_without_trial(settings);
        let is_tried = settings.suitability == Suitability::Assumed && first.is_assuming();
        if is_tried { Stage::Trial } else { first }
    }

    /// Whether it is the one that a trial comes before.
    fn is_assuming(&self) -> bool {
        matches!(self, Stage::Assuming | Stage::Known(MemoryModel::Sc))
    }

    /// The stage after a trial, which a program that is not small comes to.
    pub(crate) fn after_trial(&self, settings: &Settings) -> Option<Self> {
        (*self == Stage::Trial).then(|| Self::first_without_trial(settings))
    }

    fn first_without_trial(settings: &Settings) -> Self {
        match (settings.memory_model, settings.algorithm) {
            (ModelChoice::Explicit(model), _) => Stage::Known(model),
            (ModelChoice::Auto, Algorithm::Graphs { model }) if model != MemoryModel::Sc => Stage::Known(model),
            (ModelChoice::Auto, _) => Stage::Assuming,
        }
    }

    /// The stage after the one in which a weak ordering was met.
    pub(crate) fn with_weak_orderings(self, settings: &Settings) -> Self {
        match (&self, settings.algorithm) {
            (Stage::Trial | Stage::Assuming | Stage::Interleaved, Algorithm::Optimal | Algorithm::Graphs { .. }) => {
                Stage::Known(MemoryModel::Rc11)
            }
            (Stage::Assuming, _) => Stage::OnlyInterleavings,
            _ => self,
        }
    }

    /// The stage after the one in which the strategy refused the program, if there is one.
    pub(crate) fn refused(&self, what: impl ToString, settings: &Settings) -> Option<Self> {
        match *self {
            Stage::Known(model) if model != MemoryModel::Sc => Some(Stage::Refused(model, what.to_string())),
            _ => self.unsuitable(settings),
        }
    }

    /// Whether the program is explored under a weak memory model.
    pub(crate) fn is_weak(&self) -> bool {
        matches!(*self, Stage::Known(model) if model != MemoryModel::Sc)
    }

    /// The stage after the one in which execution graphs turned out not to suit the program, if there is one.
    pub(crate) fn unsuitable(&self, settings: &Settings) -> Option<Self> {
        let is_first = *self == Stage::Trial || self.is_assuming();
        (is_first && settings.suitability == Suitability::Assumed).then_some(Stage::Interleaved)
    }

    /// How many steps a worker takes before it gives away what it has left. Interleavings have been tried by one alone by then.
    pub(crate) fn steps_alone(&self, settings: &Settings) -> u64 {
        match (self, settings.suitability) {
            (Stage::Known(model), Suitability::Assumed) if *model != MemoryModel::Sc => settings.trial,
            _ => 0,
        }
    }

    /// The stage of this name ([`fmt::Display`]), if it is one that `settings` can come to.
    pub(crate) fn named(name: &str, settings: &Settings) -> Option<Self> {
        let stage = match name {
            "assuming" => Stage::Assuming,
            "interleavings" => Stage::OnlyInterleavings,
            "interleaved" if settings.suitability == Suitability::Assumed => Stage::Interleaved,
            _ => match name.strip_prefix("refused ").and_then(|refused| refused.split_once(": ")) {
                Some((model, what)) => Stage::Refused(model.parse().ok()?, what.to_owned()),
                None => Stage::Known(name.parse().ok()?),
            },
        };
        let is_possible = match (&stage, settings.memory_model) {
            (Stage::Interleaved, ModelChoice::Explicit(model)) => model == MemoryModel::Sc,
            // A trial is never gone on with.
            (Stage::Trial, _) | (Stage::Assuming | Stage::OnlyInterleavings, ModelChoice::Explicit(_)) => false,
            (Stage::Known(model) | Stage::Refused(model, _), ModelChoice::Explicit(given)) => *model == given,
            // What an exploration of weak orderings comes to by itself, or was asked for.
            (Stage::Known(model) | Stage::Refused(model, _), ModelChoice::Auto) => {
                *model == MemoryModel::Rc11
                    || *model != MemoryModel::Sc && settings.algorithm == (Algorithm::Graphs { model: *model })
            }
            (_, ModelChoice::Auto) => true,
        };
        is_possible.then_some(stage)
    }

    /// The strategy of this stage.
    pub(crate) fn algorithm(&self, settings: &Settings) -> Algorithm {
        match (self, settings.algorithm) {
            (Stage::Trial | Stage::Interleaved, _) => Algorithm::Optimal,
            (Stage::Known(MemoryModel::Sc), Algorithm::Graphs { .. }) => Algorithm::Graphs { model: MemoryModel::Sc },
            (&Stage::Known(model), _) if model != MemoryModel::Sc => Algorithm::Graphs { model },
            (Stage::Refused(..), Algorithm::Graphs { .. }) => Algorithm::Optimal,
            (_, algorithm) => algorithm,
        }
    }

    pub(crate) fn rules(&self, settings: &Settings) -> Rules {
        let (model, reads) = match self.algorithm(settings) {
            Algorithm::Graphs { model } => (model, Reads::Told),
            _ => (MemoryModel::Sc, Reads::Last),
        };
        let orderings = match (self, settings.memory_model) {
            (Stage::Assuming, _) | (Stage::Trial | Stage::Interleaved, ModelChoice::Auto) => Orderings::AssumedSeqCst,
            _ => Orderings::Any,
        };
        let is_assumed = settings.suitability == Suitability::Assumed
            && (*self == Stage::Trial || (model, reads) == (MemoryModel::Sc, Reads::Told));
        let commuting = if is_assumed { Commuting::AssumedNone } else { Commuting::Any };
        Rules { model, reads, orderings, commuting }
    }

    /// What the verdict leaves out, in a sentence.
    pub(crate) fn cut(&self, settings: &Settings) -> Option<String> {
        match self {
            Stage::Refused(model, what) => {
                Some(format!("the program was explored under sc only: {what}, which is not modelled under {model}"))
            }
            Stage::OnlyInterleavings => Some(format!(
                "the program was explored under sc only, although it uses orderings weaker than seq_cst: `{}` explores \
                 interleavings; `graphs` explores what those orderings allow",
                settings.algorithm.name()
            )),
            Stage::Trial | Stage::Assuming | Stage::Interleaved | Stage::Known(_) => None,
        }
    }

    /// That the strategy that was asked for has not explored the program, in a sentence.
    pub(crate) fn instead(&self, settings: &Settings) -> Option<String> {
        let &Stage::Known(model) = self else { return None };
        let asked_for = settings.algorithm;
        let is_other = settings.suitability == Suitability::Given && self.algorithm(settings) != asked_for;
        (is_other && !matches!(asked_for, Algorithm::Graphs { .. })).then(|| {
            let name = asked_for.name();
            format!(
                "`{name}` explores interleavings, which is not all that {model} allows: `graphs` has explored the program \
                 instead; under sc `{name}` does"
            )
        })
    }

    /// Which model the verdict is about, in a sentence, where it is not `sc`.
    pub(crate) fn note(&self, settings: &Settings) -> Option<String> {
        let &Stage::Known(model) = self else { return None };
        let why = match settings.memory_model {
            ModelChoice::Auto => " because the program uses orderings weaker than seq_cst",
            ModelChoice::Explicit(_) => "",
        };
        match model {
            MemoryModel::Sc => None,
            MemoryModel::Rc11 => Some(format!(
                "explored under the memory model rc11{why}: it has every execution that C, C++ and Rust allow but \
                 those in which a write is read before it is certain to happen (load buffering)"
            )),
            MemoryModel::Tso | MemoryModel::Pso => Some(format!("explored under the memory model {model}{why}")),
        }
    }
}
