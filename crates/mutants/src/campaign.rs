//! Which tests come by which mutants, and which mutants they notice.

use crate::Result;
use crate::list::Mutant;
use crate::process::{self, End, Test};
use crate::results::{Outcome, Results};
use crate::switches::Number;
use crate::tree::{Built, FOLDER};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

/// A test that is given so many times the processor time that it takes, and so many seconds more, does not come to an end.
const PATIENCE: (f64, f64) = (8.0, 2.0);

/// A test of an engine in which no mutant is on.
struct Known {
    test: Test,
    /// Processor time.
    seconds: f64,
    /// The switches that it comes by.
    reached: HashSet<Number>,
    /// How many mutants of a file it was the first to notice.
    noticed: HashMap<String, f64>,
}

/// Tries, in this order, all mutants of which it is not known that a test notices them.
pub(crate) fn run(mutants: &[Mutant], order: &[usize], built: &Built, results: &mut Results) -> Result<()> {
    let mut open = Vec::new();
    for &index in order {
        let mutant = &mutants[index];
        match results.of(mutant)? {
            Some(Outcome::Caught | Outcome::Timeout | Outcome::Unviable | Outcome::Left) => {}
            Some(Outcome::Missed | Outcome::Unreached) | None => open.push((index + 1, mutant)),
        }
    }
    if open.is_empty() {
        return Ok(());
    }
    let mut tests = record(built)?;
    for (done, &(number, mutant)) in open.iter().enumerate() {
        let (outcome, by) = match built.switches.get(&number) {
            None if built.unviable.contains(&number) => (Outcome::Unviable, None),
            None => (Outcome::Left, None),
            Some(switch) => attempt(number, *switch, mutant, &mut tests)?,
        };
        eprintln!("{}/{} {outcome:?} {} {}", done + 1, open.len(), mutant.name, by.as_deref().unwrap_or(""));
        results.add(mutant, outcome, by)?;
    }
    Ok(())
}

/// Runs all tests once without any mutant. All must pass.
fn record(built: &Built) -> Result<Vec<Known>> {
    let path = std::env::current_dir()?.join(FOLDER).join("reached");
    let mut known = Vec::new();
    for (executable, folder) in &built.tests {
        for test in process::tests(executable, folder)? {
            known.push(record_one(test, &path)?);
        }
    }
    let seconds: f64 = known.iter().map(|known| known.seconds).sum();
    eprintln!("{} tests take {seconds:.1} s of processor time", known.len());
    Ok(known)
}

fn record_one(test: Test, path: &Path) -> Result<Known> {
    if path.exists() {
        fs::remove_file(path)?;
    }
    let told = path.to_str().ok_or("the folder's name is not text")?;
    let (end, seconds) = test.run(("EVERYWAY_REACHED", told), 600)?;
    if end != End::Passed {
        return Err(format!("`{}` does not pass without any mutant", test.name).into());
    }
    let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
    let reached = text.lines().map(str::parse).collect::<std::result::Result<_, _>>()?;
    Ok(Known { test, seconds, reached, noticed: HashMap::new() })
}

/// Runs the tests that come by a mutant until one of them notices it: those first that take the least time for the chance
/// of it.
fn attempt(number: Number, switch: Number, mutant: &Mutant, tests: &mut [Known]) -> Result<(Outcome, Option<String>)> {
    let price = |known: &Known| (known.seconds + 0.01) / (known.noticed.get(&mutant.file).unwrap_or(&0.0) + 0.1);
    let mut asked: Vec<&mut Known> = tests.iter_mut().filter(|known| known.reached.contains(&switch)).collect();
    if asked.is_empty() {
        return Ok((Outcome::Unreached, None));
    }
    asked.sort_by(|a, b| price(a).total_cmp(&price(b)));
    let number = number.to_string();
    for known in asked {
        let most = (known.seconds * PATIENCE.0 + PATIENCE.1).ceil() as u64;
        let (end, _) = known.test.run(("EVERYWAY_MUTANT", &number), most)?;
        let outcome = match end {
            End::Passed => continue,
            End::Failed => Outcome::Caught,
            End::OutOfTime => Outcome::Timeout,
        };
        *known.noticed.entry(mutant.file.clone()).or_default() += 1.0;
        return Ok((outcome, Some(known.test.name.clone())));
    }
    Ok((Outcome::Missed, None))
}
