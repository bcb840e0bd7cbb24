//! The properties of SV-COMP: what counts as a violation, and under which rules.
//!
//! Programs are run as interleavings there. A failure that ends a thread without concerning the property, such as a
//! failed assertion when data races are looked for, is an end of the execution. One that makes the program meaningless,
//! such as an access out of bounds when assertions are looked for, leaves the question open.

use crate::rules::{Allowed, EnvironmentName, LeaksName, Rules, Switch};
use everyway_explore::MemoryModel;
use everyway_report::{BugKind, Report, Verdict};
use std::path::Path;

/// A property, as SV-COMP calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    UnreachCall,
    NoDataRace,
    ValidMemsafety,
    ValidMemcleanup,
    NoOverflow,
}

/// What a thread can fail in, but for what is not modelled.
const FAILURES: [BugKind; 12] = [
    BugKind::Assertion,
    BugKind::Misuse,
    BugKind::DataRace,
    BugKind::NullPointer,
    BugKind::InvalidPointer,
    BugKind::OutOfBounds,
    BugKind::UseAfterFree,
    BugKind::DoubleFree,
    BugKind::InvalidFree,
    BugKind::Uninitialised,
    BugKind::DivisionByZero,
    BugKind::SignedOverflow,
];

/// By its name, or by a file (`.prp`) that says `CHECK( init(main()), LTL(G ...) )`.
pub(crate) fn property(text: &str) -> Result<Property, String> {
    if let Some(named) = Property::ALL.into_iter().find(|property| property.name() == text) {
        return Ok(named);
    }
    let names = Property::ALL.map(Property::name).join(", ");
    if Path::new(text).extension().is_none_or(|extension| extension != "prp") {
        return Err(format!("it has to be one of {names}, or a file *.prp"));
    }
    let content = std::fs::read_to_string(text).map_err(|error| format!("it cannot be read: {error}"))?;
    let signs = [
        ("reach_error", Property::UnreachCall),
        ("data-race", Property::NoDataRace),
        ("valid-memcleanup", Property::ValidMemcleanup),
        ("valid-", Property::ValidMemsafety),
        ("overflow", Property::NoOverflow),
    ];
    let found = signs.iter().find(|(sign, _)| content.contains(sign)).map(|(_, property)| *property);
    found.ok_or_else(|| format!("it says none of {names}"))
}

impl Property {
    const ALL: [Self; 5] =
        [Self::UnreachCall, Self::NoDataRace, Self::ValidMemsafety, Self::ValidMemcleanup, Self::NoOverflow];

    fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
        }
    }

    /// The property as the competition writes it.
    pub(crate) fn specification(self) -> &'static str {
        match self {
            Property::UnreachCall => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            Property::NoDataRace => "CHECK( init(main()), LTL(G ! data-race) )",
            Property::ValidMemsafety => {
                "CHECK( init(main()), LTL(G valid-free) )\n\
                 CHECK( init(main()), LTL(G valid-deref) )\n\
                 CHECK( init(main()), LTL(G valid-memtrack) )"
            }
            Property::ValidMemcleanup => "CHECK( init(main()), LTL(G valid-memcleanup) )",
            Property::NoOverflow => "CHECK( init(main()), LTL(G ! overflow) )",
        }
    }

    /// The rules under which the property is looked at.
    pub(crate) fn rules(self, rules: &Rules) -> Rules {
        Rules {
            memory_model: Some(rules.memory_model.unwrap_or(MemoryModel::Sc)),
            races: Some(if self == Property::NoDataRace { Switch::On } else { Switch::Off }),
            leaks: match self {
                // Memory is tracked as long as something points to it.
                Property::ValidMemsafety => Some(LeaksName::Lost),
                Property::ValidMemcleanup => Some(LeaksName::NeverFreed),
                _ => None,
            },
            environment: EnvironmentName::AnyAnswer,
            spurious_wakeups: true,
            // The program has ended when `main` returns.
            main_stays: true,
            allow: vec![Allowed::Deadlocks, Allowed::Livelocks],
            ..rules.clone()
        }
    }

    /// Failures that end an execution, and are neither violations nor make the program meaningless.
    pub(crate) fn ignored(self) -> &'static [BugKind] {
        match self {
            Property::UnreachCall => &[BugKind::Abort],
            _ => &[BugKind::Abort, BugKind::Assertion],
        }
    }

    /// Failures that make the program meaningless and are not what is looked for: they leave the question open where there is
    /// no violation.
    pub(crate) fn set_aside(self) -> Vec<BugKind> {
        let aside = |kind: &BugKind| self.violated_by(*kind).is_none() && !self.ignored().contains(kind);
        FAILURES.into_iter().filter(aside).collect()
    }

    /// The part of the property that a failure violates, if it is a violation.
    pub(crate) fn violated_by(self, kind: BugKind) -> Option<&'static str> {
        match (self, kind) {
            (Property::UnreachCall, BugKind::Assertion) => Some("unreach-call"),
            (Property::NoDataRace, BugKind::DataRace) => Some("no-data-race"),
            (Property::NoOverflow, BugKind::SignedOverflow) => Some("no-overflow"),
            (Property::ValidMemsafety, BugKind::DoubleFree | BugKind::InvalidFree) => Some("valid-free"),
            (Property::ValidMemsafety, BugKind::Leak) => Some("valid-memtrack"),
            (Property::ValidMemcleanup, BugKind::Leak) => Some("valid-memcleanup"),
            (
                Property::ValidMemsafety,
                BugKind::NullPointer | BugKind::InvalidPointer | BugKind::OutOfBounds | BugKind::UseAfterFree,
            ) => Some("valid-deref"),
            _ => None,
        }
    }

    /// The part of the property that is violated, if one is. A failure that is no violation leaves the question open.
    pub(crate) fn conclude(self, report: &mut Report) -> Option<&'static str> {
        let bug = report.bug.as_ref()?;
        let violated = self.violated_by(bug.kind);
        if violated.is_none() && bug.kind != BugKind::StepLimit {
            let place = bug.source.as_ref().map(|source| format!(" at {source}")).unwrap_or_default();
            let name = self.name();
            report.cut.push(format!("there is a failure ({}){place}, which is not about {name}", bug.kind));
            report.verdict = Verdict::Incomplete;
        }
        violated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_names() {
        for property in Property::ALL {
            assert_eq!(super::property(property.name()), Ok(property));
        }
        assert!(super::property("termination").is_err());
        assert!(super::property("/no/such/file.prp").is_err());
    }
}
