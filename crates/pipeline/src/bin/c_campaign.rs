//! Compares the pipeline with brute force on many random C programs.
//!
//! The exit status is 1 if some strategy is wrong on some program, which is then shown as small as it gets, and
//! 2 if the arguments cannot be understood or there is no clang.

use everyway_llvm::clang::Clang;
use everyway_oracle::random::Profile;
use everyway_pipeline::compare::{Case, Difference, compare_batch};
use everyway_pipeline::emit::{PRELUDE, Style};
use std::process::ExitCode;

const USAGE: &str = "usage: c_campaign [--programs N] [--seed N] [--limit INTERLEAVINGS] [--batch N] [--profile NAME] \
                     [--mismatches N] [--clang-argument ARGUMENT]...";

/// The profiles of which enough can be said in C.
const PROFILES: [Profile; 11] = [
    Profile::Memory,
    Profile::ReadModifyWrite,
    Profile::Mutex,
    Profile::ReadWriteLock,
    Profile::Condvar,
    Profile::Await,
    Profile::Semaphore,
    Profile::SpawnJoin,
    Profile::Choice,
    Profile::Bytes,
    Profile::Mixed,
];

struct Campaign {
    programs: u64,
    seed: u64,
    limit: u64,
    /// How many programs go into one file.
    batch: u64,
    profile: Option<Profile>,
    /// How many mismatches to show before giving up.
    mismatches: u64,
    arguments: Vec<String>,
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Campaign, String> {
    let mut campaign = Campaign {
        programs: 1_000,
        seed: 1,
        limit: 1_000,
        batch: 50,
        profile: None,
        mismatches: 1,
        arguments: Vec::new(),
    };
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{option}` needs a value"))?;
        let number = || value.parse().map_err(|_| format!("`{value}` is not a number, as `{option}` needs"));
        match option.as_str() {
            "--programs" => campaign.programs = number()?,
            "--seed" => campaign.seed = number()?,
            "--limit" => campaign.limit = number()?,
            "--batch" => campaign.batch = number()?.max(1),
            "--mismatches" => campaign.mismatches = number()?.max(1),
            "--clang-argument" => campaign.arguments.push(value),
            "--profile" => {
                let named = |profile: &Profile| format!("{profile:?}").eq_ignore_ascii_case(&value);
                let known = PROFILES.into_iter().find(named);
                campaign.profile = Some(known.ok_or_else(|| format!("there is no profile `{value}`"))?);
            }
            _ => return Err(format!("there is no option `{option}`")),
        }
    }
    Ok(campaign)
}

#[derive(Default)]
struct Tally {
    agreed: u64,
    skipped: u64,
    mismatches: u64,
    classes: u64,
    interleavings: u64,
}

impl Campaign {
    fn run(&self, clang: &Clang) -> Tally {
        let mut tally = Tally::default();
        let numbers: Vec<_> = (0..self.programs).collect();
        for batch in numbers.chunks(self.batch as usize) {
            let cases: Vec<_> = batch.iter().filter_map(|&number| self.case(number)).collect();
            tally.skipped += (batch.len() - cases.len()) as u64;
            self.check(clang, &cases, &mut tally);
            if tally.mismatches >= self.mismatches {
                break;
            }
        }
        tally
    }

    fn case(&self, number: u64) -> Option<Case> {
        let profile = self.profile.unwrap_or(PROFILES[number as usize % PROFILES.len()]);
        // The optimiser may do as it likes with plain accesses.
        let optimised = self.arguments.iter().any(|argument| argument.starts_with("-O") && argument != "-O0");
        let styles = if optimised { &Style::ATOMIC[..] } else { &Style::ALL };
        Case::random(profile, self.seed.wrapping_mul(1 << 32).wrapping_add(number), self.limit, styles)
    }

    fn check(&self, clang: &Clang, cases: &[Case], tally: &mut Tally) {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        for (case, difference) in cases.iter().zip(compare_batch(clang, cases, &arguments)) {
            match difference {
                None => {
                    tally.agreed += 1;
                    tally.classes += case.classes.all();
                    tally.interleavings += case.classes.interleavings;
                }
                Some(difference) if tally.mismatches < self.mismatches => {
                    tally.mismatches += 1;
                    self.show(clang, case, difference, &arguments);
                }
                Some(_) => tally.mismatches += 1,
            }
        }
    }

    fn show(&self, clang: &Clang, case: &Case, difference: Difference, arguments: &[&str]) {
        let (small, alone) = case.shrink(clang, arguments, self.limit);
        let difference = alone.unwrap_or(difference);
        println!(
            "seed {}, {:?}: {difference:?}\n{}\n{PRELUDE}{}",
            case.seed,
            case.style,
            small.program,
            small.text("p")
        );
    }
}

fn main() -> ExitCode {
    let campaign = match parse(std::env::args().skip(1)) {
        Ok(campaign) => campaign,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let clang = match Clang::find(None) {
        Ok(clang) => clang,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    // A panic of the engine is reported with the program that causes it, once that is small.
    std::panic::set_hook(Box::new(|_| {}));
    let Tally { agreed, skipped, mismatches, classes, interleavings } = campaign.run(&clang);
    println!(
        "{agreed} programs agree ({interleavings} interleavings in {classes} classes), {skipped} skipped, \
         {mismatches} mismatches"
    );
    if mismatches > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
