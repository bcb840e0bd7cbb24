//! Which tests come by which mutants, and which mutants they notice.

use crate::Result;
use crate::list::Mutant;
use crate::process::{self, End, Test};
use crate::results::{Outcome, Results};
use crate::switches::Number;
use crate::tree::{Built, FOLDER};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// A test that is given so many times the processor time that it takes, and so many seconds more, does not come to an end.
const PATIENCE: (f64, f64) = (8.0, 2.0);

/// Tests that take no longer than this are asked first, about all mutants, and the others only about those that are left:
/// few tests take most of the time.
const QUICK_SECONDS: f64 = 0.3;

/// Random programs, compared with brute force, of the oracle's executables: a few of them notice most of what is wrong, and
/// are asked with the quick tests.
const CAMPAIGNS: [(&str, Pass, &[&str]); 4] = [
    ("campaign", Pass::Quick, &["--programs", "300", "--limit", "100"]),
    ("campaign", Pass::Slow, &["--programs", "1000", "--limit", "300", "--seed", "2"]),
    ("weak_campaign", Pass::Slow, &["--programs", "50", "--limit", "200"]),
    ("weak_campaign", Pass::Quick, &["--programs", "200", "--limit", "500", "--seed", "2"]),
];

/// When a test is asked.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
enum Pass {
    /// First, about all mutants.
    Quick,
    /// About those that are left.
    Slow,
}

/// A test of an engine in which no mutant is on.
#[derive(Debug, Deserialize, Serialize)]
struct Known {
    test: Test,
    /// Processor time.
    seconds: f64,
    /// The switches that it comes by.
    reached: HashSet<Number>,
    /// How many mutants of a file it was the first to notice.
    #[serde(skip)]
    noticed: HashMap<String, f64>,
}

/// Tries, in this order, all mutants of which it is not known that a test notices them.
pub(crate) fn run(mutants: &[Mutant], order: &[usize], built: &Built, results: &mut Results) -> Result<()> {
    let (mut new, mut left) = (Vec::new(), Vec::new());
    for &index in order {
        let mutant = &mutants[index];
        match results.of(mutant)? {
            Some(Outcome::Caught | Outcome::Timeout | Outcome::Unviable | Outcome::Left) => {}
            Some(Outcome::Undecided) => left.push((index + 1, mutant)),
            Some(Outcome::Missed | Outcome::Unreached) | None => new.push((index + 1, mutant)),
        }
    }
    if new.is_empty() && left.is_empty() {
        return Ok(());
    }
    let (mut quick, mut slow): (Vec<Known>, Vec<Known>) =
        record(built)?.into_iter().partition(|known| known.pass() == Pass::Quick);
    for (done, &(number, mutant)) in new.iter().enumerate() {
        let switch = built.switches[&number];
        let (mut outcome, by) = attempt(number, switch, mutant, &mut quick)?;
        if let Outcome::Missed | Outcome::Unreached = outcome
            && slow.iter().any(|known| known.reached.contains(&switch))
        {
            outcome = Outcome::Undecided;
            left.push((number, mutant));
        }
        eprintln!("{}/{} {outcome:?} {} {}", done + 1, new.len(), mutant.name, by.as_deref().unwrap_or(""));
        results.add(mutant, outcome, by)?;
    }
    // Those first that are asked about in the shortest time: whenever this is stopped, it has decided as many as it could.
    let seconds = |&(number, _): &(Number, &Mutant)| {
        let asked = slow.iter().filter(|known| known.reached.contains(&built.switches[&number]));
        asked.map(|known| known.seconds).sum::<f64>()
    };
    left.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
    for (done, &(number, mutant)) in left.iter().enumerate() {
        let switch = built.switches[&number];
        let (mut outcome, by) = attempt(number, switch, mutant, &mut slow)?;
        if outcome == Outcome::Unreached && quick.iter().any(|known| known.reached.contains(&switch)) {
            outcome = Outcome::Missed;
        }
        eprintln!("{}/{} {outcome:?} {} {}", done + 1, left.len(), mutant.name, by.as_deref().unwrap_or(""));
        results.add(mutant, outcome, by)?;
    }
    Ok(())
}

/// Runs all tests once without any mutant, unless that was done. All must pass.
fn record(built: &Built) -> Result<Vec<Known>> {
    let folder = std::env::current_dir()?.join(FOLDER);
    let mut known = Vec::new();
    for (executable, tests_folder) in &built.tests {
        let name = executable.file_name().and_then(|name| name.to_str()).ok_or("an executable has a name")?;
        let since = fs::metadata(executable)?.modified()?.duration_since(UNIX_EPOCH)?.as_nanos();
        let kept = folder.join(format!("{name}-{since}.json"));
        let of_executable: Vec<Known> = if kept.exists() {
            serde_json::from_slice(&fs::read(kept)?)?
        } else {
            let mut tests = campaigns(name, executable, tests_folder);
            if tests.is_empty() {
                tests = process::tests(executable, tests_folder)?;
            }
            let tests = tests.into_iter().map(|test| record_one(test, &folder.join("reached")));
            let tests = tests.collect::<Result<Vec<Known>>>()?;
            fs::write(kept, serde_json::to_vec(&tests)?)?;
            tests
        };
        known.extend(of_executable);
    }
    let seconds: f64 = known.iter().map(|known| known.seconds).sum();
    eprintln!("{} tests take {seconds:.1} s of processor time", known.len());
    Ok(known)
}

/// The campaigns of an executable.
fn campaigns(name: &str, executable: &Path, folder: &Path) -> Vec<Test> {
    let own = CAMPAIGNS.iter().filter(|(of, ..)| *of == name);
    let test = |(_, _, arguments): &(_, _, &[&str])| Test {
        executable: executable.to_owned(),
        folder: folder.to_owned(),
        arguments: arguments.iter().copied().map(String::from).collect(),
    };
    own.map(test).collect()
}

impl Known {
    fn pass(&self) -> Pass {
        let campaign = CAMPAIGNS.iter().find(|(.., arguments)| *arguments == self.test.arguments);
        let by_time = if self.seconds <= QUICK_SECONDS { Pass::Quick } else { Pass::Slow };
        campaign.map_or(by_time, |&(_, pass, _)| pass)
    }
}

fn record_one(test: Test, path: &Path) -> Result<Known> {
    if path.exists() {
        fs::remove_file(path)?;
    }
    let told = path.to_str().ok_or("the folder's name is not text")?;
    let (end, seconds) = test.run(("EVERYWAY_REACHED", told), 600)?;
    if end != End::Passed {
        return Err(format!("`{}` does not pass without any mutant", test.name()).into());
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
        return Ok((outcome, Some(known.test.name())));
    }
    Ok((Outcome::Missed, None))
}
