//! The summary of an exploration apart from its failures: counts, and what was left out, in sentences.

use crate::settings::Settings;
use everyway_explore::{Algorithm, Counts, Cut, Mistake, Unsupported};
use everyway_report::frontier::Remark;
use everyway_report::{Executions, Report, Source, Verdict};

/// The report of something that has found nothing wrong: verified, unless something was cut.
pub(crate) fn report(strategy: &str, counts: Counts, cut: Vec<String>, notes: Vec<String>) -> Report {
    Report {
        verdict: if cut.is_empty() { Verdict::Verified } else { Verdict::Incomplete },
        strategy: strategy.to_owned(),
        executions: executions(counts),
        seconds: 0.0,
        cut,
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes,
        bug: None,
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    }
}

/// What takes fewer seconds is not explored faster by several workers.
const WORTH_SHARING: f64 = 1.0;

/// That the executions of a strategy are explored by one worker, in words.
pub fn cannot_be_shared(strategy: &str) -> String {
    format!("`{strategy}` cannot be shared among several, `graphs`, `naive`, `random` and `pct` can")
}

/// A note, if several workers were asked for, that only one has explored something that was worth sharing.
pub fn note_one_worker(report: &mut Report) {
    let is_shared = report.strategy == Algorithm::PORTFOLIO
        || report.strategy.parse::<Algorithm>().is_ok_and(Algorithm::can_be_shared);
    if !is_shared && report.seconds >= WORTH_SHARING {
        report.notes.push(format!("one worker has explored: {}", cannot_be_shared(&report.strategy)));
    }
}

/// The counts as reports have them.
pub(crate) fn executions(Counts { complete, blocked, redundant, failed, .. }: Counts) -> Executions {
    Executions { complete, blocked, redundant, failed }
}

/// That samples are not all there is, in a sentence.
pub(crate) fn describe_end(counts: Counts, settings: &Settings) -> String {
    describe_cut(Cut::Executions(counts.executions()), settings)
}

/// What there is to say about some of all executions, in a sentence.
pub(crate) fn describe_remark(remark: &Remark, all: Counts) -> String {
    let Remark { what, example, executions } = remark;
    let ended = all.complete.saturating_add(all.blocked);
    let which =
        if *executions < ended { format!("{executions} of {ended} executions") } else { "every execution".into() };
    format!("in {which}, {what}, such as {example}")
}

/// Why a strategy that has finished may have missed something, in a sentence.
pub(crate) fn describe_mistake(mistake: Mistake) -> String {
    match mistake {
        Mistake::PlanNotFollowed => {
            "an execution that was planned could not be followed, which is a mistake in everyway; \
                                     please report it; `optimal` does not depend on it"
                .to_owned()
        }
    }
}

/// What cannot be explored, and where it is if that is known.
pub(crate) fn describe_refusal(what: Unsupported, place: Option<&Source>) -> String {
    let what = match what {
        Unsupported::Sources => "the program cannot be told which write a read sees",
        Unsupported::ChoiceWithAccess => "a choice that comes with an access to memory",
        Unsupported::Announcement => "a step that does something else than it has announced",
        Unsupported::MixedSizes(_) => "accesses to the same bytes with different sizes",
        Unsupported::Subtree => "a subtree that is not one of this program",
    };
    match place {
        Some(place) => format!("{what} ({}:{})", place.file, place.line),
        None => what.to_owned(),
    }
}

/// That the strategy cannot explore this.
pub(crate) fn not_known(refusal: &str, settings: &Settings) -> String {
    format!("{refusal}: `{}` does not know this", settings.algorithm.name())
}

/// What was cut, in a sentence.
pub(crate) fn describe_cut(cut: Cut, settings: &Settings) -> String {
    match (cut, settings.algorithm) {
        (Cut::Executions(limit), Algorithm::Random { seed } | Algorithm::Pct { seed, .. }) => {
            format!("{limit} executions were picked at random (seed {seed})")
        }
        (Cut::Executions(limit), _) => format!("the limit of {limit} executions was reached"),
        (Cut::Time(left), _) => {
            // The engine was given what was left of it.
            let limit = settings.limits.time.unwrap_or(left);
            format!("the limit of {} seconds was reached", limit.as_secs_f64())
        }
        (Cut::Steps(limit), _) => format!("the limit of {limit} steps in an execution was reached"),
        (Cut::Interrupted, _) => "it was interrupted".to_owned(),
        (Cut::Unsupported(Unsupported::Subtree), _) => {
            "what was saved of an exploration is not of this program, or is damaged".to_owned()
        }
        (Cut::Unsupported(what), _) => not_known(&describe_refusal(what, None), settings),
        (Cut::DataRace(_), _) => "a data race was found".to_owned(),
    }
}
