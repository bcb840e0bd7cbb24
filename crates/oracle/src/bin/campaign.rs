//! Compares all strategies with brute force on many random programs.
//!
//! The exit status is 1 if some strategy is wrong on some program, which is then shown as small as it gets, and
//! 2 if the arguments cannot be understood.

use everyway_explore::Algorithm;
use everyway_oracle::assertions;
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare};
use everyway_oracle::program::Program;
use everyway_oracle::random::{Profile, program};
use everyway_oracle::shrink::shrink;
use std::io::{IsTerminal, Write};
use std::panic::catch_unwind;
use std::process::ExitCode;

const USAGE: &str = "usage: campaign [--programs N] [--seed N] [--limit INTERLEAVINGS] [--profile NAME] [--strategy NAME] [--mismatches N]";

/// One in so many programs is checked with assertions, too.
const ASSERTIONS: u64 = 4;

struct Campaign {
    programs: u64,
    seed: u64,
    limit: usize,
    profile: Option<Profile>,
    strategies: Vec<Algorithm>,
    /// How many mismatches to show before giving up.
    mismatches: u64,
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Campaign, String> {
    let strategies = EXHAUSTIVE.to_vec();
    let mut campaign = Campaign { programs: 10_000, seed: 1, limit: 1_000, profile: None, strategies, mismatches: 1 };
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{option}` needs a value"))?;
        let number = || value.parse().map_err(|_| format!("`{value}` is not a number, as `{option}` needs"));
        match option.as_str() {
            "--programs" => campaign.programs = number()?,
            "--seed" => campaign.seed = number()?,
            "--limit" => campaign.limit = number()? as usize,
            "--mismatches" => campaign.mismatches = number()?.max(1),
            "--strategy" => {
                let algorithm = value.parse().map_err(|error| format!("{error}"))?;
                if !EXHAUSTIVE.contains(&algorithm) {
                    return Err(format!("`{value}` does not explore everything"));
                }
                campaign.strategies = vec![algorithm];
            }
            "--profile" => {
                let named = |profile: &Profile| format!("{profile:?}").eq_ignore_ascii_case(&value);
                let known = Profile::ALL.into_iter().find(named);
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
    classes: usize,
    interleavings: usize,
    assertions: usize,
}

impl Campaign {
    fn run(&self) -> Tally {
        let terminal = std::io::stderr().is_terminal();
        let mut tally = Tally::default();
        for number in 0..self.programs {
            let profile = self.profile.unwrap_or(Profile::ALL[number as usize % Profile::ALL.len()]);
            self.check(profile, self.seed.wrapping_mul(1 << 32).wrapping_add(number), &mut tally);
            if tally.mismatches == self.mismatches {
                break;
            }
            if terminal && number % 256 == 0 {
                eprint!("\r{number} of {} programs", self.programs);
                // Progress that does not show is no loss.
                let _ = std::io::stderr().flush();
            }
        }
        if terminal {
            eprint!("\r");
        }
        tally
    }

    /// What can fail if assertions are put into the program.
    fn check_assertions(&self, profile: Profile, seed: u64, program: &Program, tally: &mut Tally) {
        let compare = |program: &Program| {
            let compared = catch_unwind(|| assertions::compare(program, &self.strategies, 10 * self.limit, seed));
            compared.unwrap_or_else(|_| Some(Err("panic".to_owned())))
        };
        let sprinkled = assertions::sprinkle(program, seed);
        match compare(&sprinkled) {
            Some(Ok(number)) => tally.assertions += number,
            Some(Err(_)) => {
                tally.mismatches += 1;
                let small = shrink(&sprinkled, |program| matches!(compare(program), Some(Err(_))));
                let Some(Err(difference)) = compare(&small) else { return };
                println!("assertions, profile {profile:?}, seed {seed}: {difference}\n{small}");
            }
            None => {}
        }
    }

    fn check(&self, profile: Profile, seed: u64, tally: &mut Tally) {
        let program = program(profile, seed, self.limit);
        if seed.is_multiple_of(ASSERTIONS) {
            self.check_assertions(profile, seed, &program, tally);
        }
        match compare(&program, &self.strategies, self.limit, seed) {
            Verdict::Skipped => tally.skipped += 1,
            Verdict::Agrees { classes, interleavings } => {
                tally.agreed += 1;
                tally.classes += classes;
                tally.interleavings += interleavings;
            }
            Verdict::Differs(_) => {
                tally.mismatches += 1;
                let fails =
                    |program: &_| matches!(compare(program, &self.strategies, self.limit, seed), Verdict::Differs(_));
                let small = shrink(&program, fails);
                let Verdict::Differs(difference) = compare(&small, &self.strategies, self.limit, seed) else { return };
                println!("profile {profile:?}, seed {seed}: {difference}\n{small}");
            }
        }
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
    // A panic of the engine is reported with the program that causes it, once that is small.
    std::panic::set_hook(Box::new(|_| {}));
    let Tally { agreed, skipped, mismatches, classes, interleavings, assertions } = campaign.run();
    println!(
        "{agreed} programs agree ({interleavings} interleavings in {classes} classes), {skipped} skipped, \
         {assertions} assertions can fail, {mismatches} mismatches"
    );
    if mismatches > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
