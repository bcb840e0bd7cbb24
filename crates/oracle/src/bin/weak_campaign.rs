//! Compares execution graphs under every memory model with brute force on many random programs.
//!
//! The exit status is 1 if some program is explored wrongly, which is then shown as small as it gets, and 2 if the
//! arguments cannot be understood.

use everyway_explore::MemoryModel;
use everyway_oracle::shrink::shrink;
use everyway_oracle::weak::candidates;
use everyway_oracle::weak::compare::{compare, compare_with};
use everyway_oracle::weak::random::{Profile, program};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

const USAGE: &str = "usage: weak_campaign [--programs N] [--from N] [--seed N] [--limit RUNS] [--profile NAME]";

struct Campaign {
    programs: u64,
    /// The number of the first one.
    from: u64,
    seed: u64,
    limit: usize,
    /// The profile whose programs are compared, if not all are.
    only: Option<Profile>,
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Campaign, String> {
    let mut campaign = Campaign { programs: 10_000, from: 0, seed: 1, limit: 3_000, only: None };
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{option}` needs a value"))?;
        if option == "--profile" {
            campaign.only = Some(profile_called(&value)?);
            continue;
        }
        let number = value.parse().map_err(|_| format!("`{value}` is not a number, as `{option}` needs"))?;
        match option.as_str() {
            "--programs" => campaign.programs = number,
            "--from" => campaign.from = number,
            "--seed" => campaign.seed = number,
            "--limit" => campaign.limit = number as usize,
            _ => return Err(format!("there is no option `{option}`")),
        }
    }
    Ok(campaign)
}

fn profile_called(name: &str) -> Result<Profile, String> {
    let names = Profile::ALL.map(|profile| format!("{profile:?}"));
    let profile = Profile::ALL.into_iter().zip(&names).find(|(_, known)| *known == name);
    let profile = profile.map(|(profile, _)| profile);
    profile.ok_or_else(|| format!("there is no profile `{name}`; there are {}", names.join(", ")))
}

impl Campaign {
    /// Compares all programs; whether they agree.
    fn run(&self) -> bool {
        let (mut compared, mut graphs, mut redundant) = (0, [0; 4], [0; Profile::ALL.len()]);
        for number in self.from..self.from + self.programs {
            let profile = Profile::ALL[number as usize % Profile::ALL.len()];
            if self.only.is_some_and(|only| only != profile) {
                continue;
            }
            let seed = self.seed.wrapping_mul(1 << 32).wrapping_add(number);
            let random = program(profile, seed);
            let Ok(all) = candidates(&random, self.limit) else { continue };
            compared += 1;
            for (model, graphs) in MemoryModel::ALL.into_iter().zip(&mut graphs) {
                match unless_it_panics(|| compare_with(&random, &all, model, seed)) {
                    Ok(agreement) => {
                        *graphs += agreement.graphs;
                        redundant[number as usize % Profile::ALL.len()] += agreement.redundant;
                    }
                    Err(_) => {
                        let small = shrink(&random, |program| {
                            unless_it_panics(|| compare(program, model, self.limit, seed)).is_err()
                        });
                        let difference = unless_it_panics(|| compare(&small, model, self.limit, seed)).err();
                        let difference = difference.unwrap_or_default();
                        println!("program {number} of seed {}: {difference}\n{small}", self.seed);
                        return false;
                    }
                }
            }
        }
        let graphs = MemoryModel::ALL.into_iter().zip(graphs).map(|(model, graphs)| format!("{graphs} under {model}"));
        println!(
            "{compared} of {} programs agree: {} graphs, and {} redundant executions in three orders",
            self.programs,
            graphs.collect::<Vec<_>>().join(", "),
            redundant.iter().sum::<u64>()
        );
        for (profile, redundant) in Profile::ALL.iter().zip(redundant).filter(|(_, redundant)| *redundant > 0) {
            println!("{redundant} of those are in {profile:?}");
        }
        true
    }
}

/// What comes of a comparison; a panic of the engine is no agreement.
fn unless_it_panics<T>(compare: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(compare)).unwrap_or_else(|_| Err("the engine panics".to_owned()))
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(campaign) if campaign.run() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}
