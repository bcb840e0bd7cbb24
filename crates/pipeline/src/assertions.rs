//! Assertions of C programs: every strategy that goes on after failures finds all that can fail.
//!
//! The programs are those of the oracle with assertions at random places, and what can fail is what brute force says.

use crate::compare::select;
use crate::emit::{PRELUDE, SAMPLES, Style, emit, main_of};
use crate::express::expressible;
use crate::program::{Setup, all_bugs, explain, load_text};
use everyway_explore::{Algorithm, Order};
use everyway_ir::Module;
use everyway_llvm::clang::Clang;
use everyway_oracle::assertions::{Assertion, first_failures, sprinkle};
use everyway_oracle::program::Program;
use everyway_oracle::random::{self, Profile};
use everyway_report::BugKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A program with assertions.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program, whose assumptions are assertions.
    pub program: Program,
    /// How it is written down.
    pub style: Style,
    /// The seed for random orders.
    pub seed: u64,
    /// What can fail.
    pub expected: BTreeSet<Assertion>,
}

impl Case {
    /// The random program of `profile` with this seed; `None` if C cannot express it or it is too large.
    pub fn random(profile: Profile, seed: u64, limit: usize) -> Option<Self> {
        let style = Style::ALL[seed as usize % Style::ALL.len()];
        let program = expressible(&sprinkle(&random::program(profile, seed, limit), seed))?;
        emit(&program, "p", style)?;
        let expected = first_failures(&program, 20 * limit)?;
        Some(Self { program, style, seed, expected })
    }

    /// The C program, with names that begin with `name`.
    pub fn text(&self, name: &str) -> String {
        emit(&self.program, name, self.style).unwrap_or_default().replace("__VERIFIER_assume(", "ASSERT(")
    }
}

/// What assertions are in C.
const ASSERT: &str = "void reach_error(void);\n#define ASSERT(c) if (!(c)) reach_error()\n";

/// Sends all cases through the pipeline in one file; what is wrong with each, if anything is.
///
/// # Errors
/// What clang or the reader says.
pub fn compare_batch(clang: &Clang, cases: &[Case]) -> Result<Vec<Option<String>>, String> {
    let Batch { modules, places } = Batch::load(clang, cases)?;
    Ok(modules.iter().zip(cases).map(|(module, case)| compare(module, case, &places).err()).collect())
}

/// Programs that were compiled in one file.
pub(crate) struct Batch {
    /// The programs.
    pub(crate) modules: Vec<Arc<Module>>,
    /// In which line which assertion is.
    places: BTreeMap<u32, Assertion>,
}

impl Batch {
    /// The programs of all cases.
    ///
    /// # Errors
    /// What clang or the reader says.
    pub(crate) fn load(clang: &Clang, cases: &[Case]) -> Result<Self, String> {
        let name = |index: usize| format!("p{index}");
        let mut text = PRELUDE.to_owned() + ASSERT;
        let mut places = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            let own = case.text(&name(index));
            assertions(&own, &name(index), text.lines().count() as u32, &mut places);
            text.push_str(&own);
        }
        let module = load_text(clang, &text, &["-w"])?;
        let modules = (0..cases.len()).map(|index| Arc::new(select(&module, &name(index)))).collect();
        Ok(Self { modules, places })
    }
}

/// Notes in which line of the file which assertion of the program `name` is.
fn assertions(text: &str, name: &str, before: u32, places: &mut BTreeMap<u32, Assertion>) {
    let main = format!("int {}(void) {{", main_of(name));
    let other = format!("static void *{name}_t");
    let mut next = (0, 0);
    for (line, number) in text.lines().zip(before + 1..) {
        let thread = line.strip_prefix(&other).and_then(|rest| rest.split('(').next()?.parse().ok());
        match thread {
            Some(thread) => next = (thread, 0),
            None if line == main => next = (0, 0),
            None if line.trim_start().starts_with("ASSERT(") => {
                places.insert(number, next);
                next.1 += 1;
            }
            None => {}
        }
    }
}

fn compare(module: &Arc<Module>, case: &Case, places: &BTreeMap<u32, Assertion>) -> Result<(), String> {
    let runs = [
        (Algorithm::Optimal, Order::Lowest),
        (Algorithm::Optimal, Order::Highest),
        (Algorithm::Optimal, Order::Random(case.seed)),
        (Algorithm::Source, Order::Lowest),
        (Algorithm::Classic, Order::Highest),
        (Algorithm::Observers, Order::Lowest),
        (Algorithm::ReadsFrom, Order::Lowest),
        (Algorithm::ReadsFrom, Order::Highest),
    ];
    for (algorithm, order) in runs {
        let setup = Setup { order: order.clone(), samples: SAMPLES.to_vec(), ..Setup::verified(algorithm) };
        let mut found = BTreeSet::new();
        for bug in all_bugs(module, &setup) {
            let place = bug.source.as_ref().and_then(|source| places.get(&source.line));
            match (bug.kind, place) {
                (BugKind::Assertion, Some(&assertion)) => _ = found.insert(assertion),
                _ => return Err(explain(&bug)),
            }
        }
        if found != case.expected {
            return Err(format!("{algorithm:?} in order {order:?}: {found:?}, and not {:?}, can fail", case.expected));
        }
    }
    Ok(())
}
