//! Under which memory model a program is explored, and how that is found out.
//!
//! Most programs order all that their threads share by `seq_cst` accesses and locks. They are explored as
//! interleavings, which costs least, on the assumption that there is nothing weaker. A program that has a weaker
//! ordering refutes it, and is explored again as execution graphs under `rc11`. What those do not model is explored as
//! interleavings after all, and the verdict says so.

use crate::settings::Settings;
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

/// By which rules the executions of an exploration are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Which executions there are.
    pub model: MemoryModel,
    /// Where reads get their values.
    pub reads: Reads,
    /// What orderings are taken for.
    pub orderings: Orderings,
}

impl Rules {
    /// Interleavings, with orderings as they are.
    pub const INTERLEAVED: Self = Self { model: MemoryModel::Sc, reads: Reads::Last, orderings: Orderings::Any };

    /// An execution under `model` whose reads are told their sources.
    pub fn told(model: MemoryModel) -> Self {
        Self { model, reads: Reads::Told, orderings: Orderings::Any }
    }
}

/// How far the search for the right model has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// There was no weak ordering so far.
    Assuming,
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
            Stage::Assuming => f.write_str("assuming"),
            Stage::Known(model) => write!(f, "{model}"),
            Stage::OnlyInterleavings => f.write_str("interleavings"),
            Stage::Refused(model, what) => write!(f, "refused {model}: {what}"),
        }
    }
}

impl Stage {
    pub(crate) fn first(settings: &Settings) -> Self {
        match (settings.memory_model, settings.algorithm) {
            (ModelChoice::Explicit(model), _) => Stage::Known(model),
            (ModelChoice::Auto, Algorithm::Graphs { model }) if model != MemoryModel::Sc => Stage::Known(model),
            (ModelChoice::Auto, _) => Stage::Assuming,
        }
    }

    /// The stage after the one in which a weak ordering was met.
    pub(crate) fn with_weak_orderings(self, settings: &Settings) -> Self {
        match (&self, settings.algorithm) {
            (Stage::Assuming, Algorithm::Optimal | Algorithm::Graphs { .. }) => Stage::Known(MemoryModel::Rc11),
            (Stage::Assuming, _) => Stage::OnlyInterleavings,
            _ => self,
        }
    }

    /// The stage after the one in which the strategy refused the program, if there is one.
    pub(crate) fn refused(&self, what: impl ToString) -> Option<Self> {
        match *self {
            Stage::Known(model) if model != MemoryModel::Sc => Some(Stage::Refused(model, what.to_string())),
            _ => None,
        }
    }

    /// The stage of this name ([`fmt::Display`]), if it is one that `settings` can come to.
    pub(crate) fn named(name: &str, settings: &Settings) -> Option<Self> {
        let stage = match name {
            "assuming" => Stage::Assuming,
            "interleavings" => Stage::OnlyInterleavings,
            _ => match name.strip_prefix("refused ").and_then(|refused| refused.split_once(": ")) {
                Some((model, what)) => Stage::Refused(model.parse().ok()?, what.to_owned()),
                None => Stage::Known(name.parse().ok()?),
            },
        };
        let is_possible = match (&stage, settings.memory_model) {
            (Stage::Assuming | Stage::OnlyInterleavings, ModelChoice::Explicit(_)) => false,
            (Stage::Known(model) | Stage::Refused(model, _), ModelChoice::Explicit(given)) => *model == given,
            (_, ModelChoice::Auto) => true,
        };
        is_possible.then_some(stage)
    }

    /// The strategy of this stage.
    pub(crate) fn algorithm(&self, settings: &Settings) -> Algorithm {
        match (self, settings.algorithm) {
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
        let orderings = if *self == Stage::Assuming { Orderings::AssumedSeqCst } else { Orderings::Any };
        Rules { model, reads, orderings }
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
            Stage::Assuming | Stage::Known(_) => None,
        }
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
