//! The command line.

#[cfg(feature = "symbolic")]
mod bmc;
mod keep;

#[cfg(feature = "symbolic")]
pub(crate) use bmc::{BmcArguments, ReductionName, SolverName, Steps};
pub(crate) use keep::{ExploreArguments, MergeArguments, ResumeArguments, SplitArguments};

use crate::property::{Property, property};
pub(crate) use crate::rules::{AllocationName, Allowed, EnvironmentName, LeaksName, Rules, Switch};
pub(crate) use crate::rules::{UnsetName, VolatileName};
use crate::values;
use clap::{Args, Parser, Subcommand, ValueEnum};
use everyway_driver::Suitability;
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::{LoopTreatment, Pass};
use everyway_llvm::clang::OVERFLOW_CHECKS;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// Runs a concurrent C or C++ program in every way its threads can interleave - once for each class of equivalent
/// executions - and either shows a failing execution that can be replayed, or reports that there is none.
#[derive(Debug, Parser)]
#[command(name = "everyway", version, after_help = STATUS)]
pub(crate) struct Everyway {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUS: &str = "\
Exit status:
  0  verified: every execution was explored, and none fails
  1  bug: an execution fails
  2  could not run: wrong usage, a compilation error, or an unsupported construct
  3  incomplete: no execution fails, but not all were explored";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Explore every execution of a program
    #[command(after_help = STATUS)]
    Check(CheckArguments),
    /// Search for failing executions of limited length with a solver, for all inputs at once
    #[cfg(feature = "symbolic")]
    #[command(after_help = STATUS)]
    Bmc(BmcArguments),
    /// Execute a program once, with its output; ends with the program's exit status
    Run(RunArguments),
    /// Resume a check that was stopped
    #[command(after_help = STATUS)]
    Resume(ResumeArguments),
    /// Divide the remaining work of a check into parts that can be explored anywhere, and print their names
    Split(SplitArguments),
    /// Explore a part of a check, and write its result and the remaining work; needs no compiler
    #[command(after_help = STATUS)]
    Explore(ExploreArguments),
    /// Combine the results of parts, print the outcome, and save the remaining work
    #[command(after_help = STATUS)]
    Merge(MergeArguments),
    /// Run a saved execution again, with the program's output
    Replay(ReplayArguments),
    /// Write a page for the browser that shows a saved execution, and print its path
    View(ViewArguments),
    /// Print the intermediate representation that is explored
    Ir(IrArguments),
    /// Print completions for a shell, to be saved where the shell looks for them
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the command
    Man {
        /// Write it and those of all subcommands to this folder instead
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// `everyway ir`
#[derive(Args, Debug)]
pub(crate) struct IrArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    /// Print the program after this pass: read, promote, inline, assumes, purity, awaits, bound; or after each,
    /// with all [default: the last one]
    #[arg(long, value_name = "PASS", value_parser = values::pass)]
    pub(crate) after: Option<After>,
}

/// After which pass a program is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// After each of them.
    All,
    /// After this one.
    One(Pass),
}

/// `everyway check`
#[derive(Args, Clone, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// A property of SV-COMP, under its rules: unreach-call, no-data-race, valid-memsafety, valid-memcleanup, no-overflow; or
    /// a file *.prp that names one
    #[arg(long, value_name = "PROPERTY", value_parser = property, help_heading = "Rules")]
    pub(crate) property: Option<Property>,
    /// Write a witness of a violation of the property to this file, in the YAML format of SV-COMP (2.2)
    #[arg(long, value_name = "FILE", requires = "property", help_heading = "Output")]
    pub(crate) witness: Option<PathBuf>,
    /// How to explore: naive, bounded, classic, source, optimal, observers, reads-from, graphs, random, pct, portfolio, or
    /// auto: optimal, unless the program is large; then graphs, which can be shared among workers, unless optimal has fewer
    /// executions [default: auto; with --keep-going or --profile, optimal]
    #[arg(long, short, value_name = "NAME", value_parser = values::algorithm(), hide_possible_values = true,
        help_heading = "Exploration")]
    pub(crate) algorithm: Option<AlgorithmName>,
    /// Explore the executions with at most K preemptions, where a thread that could continue is interrupted: --algorithm
    /// bounded, for which the default is 2
    #[arg(long, value_name = "K", help_heading = "Exploration")]
    pub(crate) preemptions: Option<u32>,
    /// Which thread to try first where the algorithm leaves it open
    #[arg(long, value_name = "WHICH", default_value = "lowest", help_heading = "Exploration")]
    pub(crate) first: First,
    /// The seed of --algorithm random, pct or portfolio, or of --first random [default: 0]
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub(crate) seed: Option<u64>,
    /// Stop after this many executions; random and pct stop after 10,000 if neither this nor --timeout is given
    #[arg(long, value_name = "N", value_parser = values::positive, help_heading = "Exploration")]
    pub(crate) max_executions: Option<u64>,
    /// Stop after this time: 60 (seconds), 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Exploration")]
    pub(crate) timeout: Option<Duration>,
    /// How many workers explore side by side; the verdict does not depend on it [default: $EVERYWAY_JOBS, or one for each
    /// processor]
    #[arg(long, short, value_name = "N", help_heading = "Exploration")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// How often the remaining work is saved during the check [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Exploration")]
    pub(crate) checkpoint: Option<Duration>,
    /// Stop when this much memory is in use: 500M, 2G [default: half of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = "Exploration")]
    pub(crate) max_memory: Option<u64>,
    /// Continue after a failure, and show every bug: one of each kind and place
    #[arg(long, help_heading = "Exploration")]
    pub(crate) keep_going: bool,
    /// Report where the executions come from: which lines race, how long executions are, how the estimate developed
    #[arg(long, help_heading = "Output")]
    pub(crate) profile: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Where to save the failing execution [default: .everyway/PROGRAM.json]; further ones are numbered
    #[arg(long, value_name = "TRACE", help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,
    /// Where to save the remaining work if the check is stopped, and every minute [default: .everyway/PROGRAM.frontier]
    #[arg(long, value_name = "FRONTIER", help_heading = "Output")]
    pub(crate) frontier: Option<PathBuf>,
}

/// `everyway run`
#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

/// `everyway replay`
#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// A file that `everyway check` saved
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// `everyway view`
#[derive(Args, Debug)]
pub(crate) struct ViewArguments {
    /// A file that `everyway check` saved, or a report that it printed with --format json
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Where to write the page [default: beside TRACE, with the extension .html]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which program.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProgramArguments {
    /// C (.c, .i), C++ (.cc, .cpp, .cxx) and LLVM IR (.ll) files, linked as one program
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The clang to compile with [default: $EVERYWAY_CLANG, or clang, clang-30 ... clang-14 on PATH]
    #[arg(long, value_name = "PATH", help_heading = "Compilation")]
    pub(crate) clang: Option<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compilation")]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Compilation")]
    pub(crate) undefine: Vec<String>,
    /// Look for headers in this folder
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Compilation")]
    pub(crate) include: Vec<String>,
    /// Optimise. Where shared variables are not atomic, this can remove races and change the result
    #[arg(short = 'O', value_name = "LEVEL", help_heading = "Compilation")]
    pub(crate) optimise: Option<String>,
    /// The language standard, such as c11 or c++20; also -std=STANDARD
    #[arg(long, value_name = "STANDARD", help_heading = "Compilation")]
    pub(crate) std: Option<String>,
    /// Any other flag for clang: --clang-flag=-nostdinc; -f..., -g..., -m..., -W... and -pthread need no prefix
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, help_heading = "Compilation")]
    pub(crate) clang_flag: Vec<String>,
    /// Neither use nor update clang's cached output in .everyway/cache
    #[arg(long, help_heading = "Compilation")]
    pub(crate) no_cache: bool,
    /// Signed overflow is a failure, and so is a shift that the language does not define
    #[arg(long, help_heading = "Rules")]
    pub(crate) overflow: bool,
    /// How to treat rounds of loops in which nothing happens: await a change, assume that there are no such rounds,
    /// baseline: assume so for loops that only poll, or plain: as they are [default: await]
    #[arg(long, value_name = "HOW", value_parser = values::loops, help_heading = "Exploration")]
    pub(crate) loops: Option<LoopTreatment>,
    /// Cut every loop after this many rounds; the verdict says if one was
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub(crate) unroll: Option<u64>,
    /// Cut loops that do not count their rounds, and are not known to do nothing, after this many rounds; the verdict
    /// says if one was
    #[arg(long, value_name = "N", help_heading = "Exploration")]
    pub(crate) spin_rounds: Option<u64>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) arguments: Vec<String>,
}

/// A strategy, as a user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AlgorithmName {
    /// What suits the program.
    Auto,
    /// This one.
    One(Algorithm),
}

/// Which thread to try first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum First {
    Lowest,
    Highest,
    Random,
}

/// Where the result goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Output {
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text", help_heading = "Output")]
    pub(crate) format: Format,
    /// Also write a page for the browser: one self-contained file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
}

impl Output {
    /// For commands whose result is not a report.
    pub(crate) const TEXT: Self = Self { format: Format::Text, html: None };
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: one object
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Annotations, for GitHub Actions
    Github,
    /// Graphs, for Graphviz
    Dot,
}

/// The arguments as our parser understands them: compilers have long options with one dash. `-std=X` becomes
/// `--std=X`, and what people have among their flags anyway (`-pthread`, `-Wall`, `-g`) goes to clang as it is. What
/// comes after `--races` is a file unless it says whether.
pub(crate) fn with_compiler_flags(arguments: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_ours = true;
    let mut arguments = arguments.peekable();
    std::iter::from_fn(move || {
        let argument = arguments.next()?;
        is_ours &= argument != "--";
        Some(match argument.to_str() {
            Some("--races") if is_ours => match arguments.next_if(|next| next == "on" || next == "off") {
                Some(whether) => format!("--races={}", whether.display()).into(),
                None => argument,
            },
            Some(text) if is_ours && text.starts_with("-std=") => format!("-{text}").into(),
            Some(text) if is_ours && is_for_clang(text) => format!("--clang-flag={text}").into(),
            _ => argument,
        })
    })
}

fn is_for_clang(argument: &str) -> bool {
    argument == "-pthread" || ["-W", "-f", "-g", "-m", "-stdlib="].iter().any(|prefix| argument.starts_with(prefix))
}

impl CheckArguments {
    /// The strategy to begin with, and whether it has to suit the program.
    pub(crate) fn algorithm(&self) -> (Algorithm, Suitability) {
        // What one exploration of graphs finds first is not all that there is to find in the same place, and it has no
        // races to count.
        let has_to_be_optimal = self.keep_going || self.profile;
        match (self.algorithm, self.preemptions) {
            (None | Some(AlgorithmName::One(Algorithm::Bounded { .. })), Some(preemptions)) => {
                (Algorithm::Bounded { preemptions }, Suitability::Given)
            }
            (Some(AlgorithmName::One(algorithm)), _) => (algorithm, Suitability::Given),
            (None | Some(AlgorithmName::Auto), _) if has_to_be_optimal => (Algorithm::Optimal, Suitability::Unasked),
            (None | Some(AlgorithmName::Auto), _) => {
                (Algorithm::Graphs { model: MemoryModel::Sc }, Suitability::Assumed)
            }
        }
    }

    /// How many workers explore.
    pub(crate) fn jobs(&self) -> NonZeroUsize {
        jobs(self.jobs)
    }

    /// What is done about loops.
    pub(crate) fn loops(&self) -> LoopTreatment {
        self.program.loops.unwrap_or(LoopTreatment::Await)
    }
}

/// The environment variable that says how many workers explore.
pub(crate) const JOBS: &str = "EVERYWAY_JOBS";

/// How many workers explore: as many as were asked for, or as there are processors.
pub(crate) fn jobs(given: Option<NonZeroUsize>) -> NonZeroUsize {
    let of_environment = || std::env::var(JOBS).ok()?.parse().ok();
    given.or_else(of_environment).or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

impl ProgramArguments {
    /// What clang is told.
    pub(crate) fn for_clang(&self) -> Vec<OsString> {
        let with = |prefix: &'static str, values: &[String]| -> Vec<OsString> {
            values.iter().map(|value| format!("{prefix}{value}").into()).collect()
        };
        let mut arguments = with("-D", &self.define);
        arguments.extend(with("-U", &self.undefine));
        arguments.extend(with("-I", &self.include));
        arguments.extend(with("-O", self.optimise.as_slice()));
        arguments.extend(with("-std=", self.std.as_slice()));
        if self.overflow {
            arguments.extend(OVERFLOW_CHECKS.map(OsString::from));
        }
        arguments.extend(self.clang_flag.iter().flat_map(|flag| crate::data_model::meaning(flag)));
        arguments
    }
}

/// The arguments that make the same program behave the same, as `everyway check` would read them again. `loops` is what
/// was done about loops, which the arguments of the program need not say.
pub(crate) fn to_arguments(program: &ProgramArguments, loops: LoopTreatment, rules: &Rules) -> Vec<String> {
    let mut arguments: Vec<String> = program.files.iter().map(|file| file.display().to_string()).collect();
    arguments.extend(program.clang.iter().map(|path| format!("--clang={}", path.display())));
    for (prefix, values) in [("-D", &program.define), ("-U", &program.undefine), ("-I", &program.include)] {
        arguments.extend(values.iter().map(|value| format!("{prefix}{value}")));
    }
    arguments.extend(program.optimise.iter().map(|level| format!("-O{level}")));
    arguments.extend(program.std.iter().map(|standard| format!("--std={standard}")));
    arguments.extend(program.clang_flag.iter().map(|flag| format!("--clang-flag={flag}")));
    arguments.extend(program.overflow.then(|| "--overflow".to_owned()));
    arguments.push(format!("--loops={loops}"));
    arguments.extend(program.unroll.map(|rounds| format!("--unroll={rounds}")));
    arguments.extend(program.spin_rounds.map(|rounds| format!("--spin-rounds={rounds}")));
    let names = [(Allowed::Deadlocks, "deadlocks"), (Allowed::Livelocks, "livelocks")];
    let allowed = names.iter().filter(|(kind, _)| rules.allow.contains(kind));
    arguments.extend(allowed.map(|(_, name)| format!("--allow={name}")));
    arguments.extend(rules.memory_model.map(|model| format!("--memory-model={model}")));
    let races = [(Some(Switch::On), "--races"), (Some(Switch::Off), "--races=off")];
    arguments.extend(races.iter().filter(|(races, _)| *races == rules.races).map(|(_, flag)| (*flag).to_owned()));
    let flags = [
        (rules.volatile == VolatileName::Atomic, "--volatile=atomic"),
        (rules.malloc == AllocationName::MayFail, "--malloc=may-fail"),
        (rules.leaks == Some(LeaksName::NeverFreed), "--leaks"),
        (rules.leaks == Some(LeaksName::Lost), "--leaks=lost"),
        (rules.spurious_wakeups, "--spurious-wakeups"),
        (rules.spurious_failures, "--spurious-failures"),
        (rules.unset == UnsetName::Zeros, "--unset=zeros"),
        (rules.unset == UnsetName::Ones, "--unset=ones"),
        (rules.unset == UnsetName::Any, "--unset=any"),
        (rules.environment == EnvironmentName::AnyAnswer, "--environment=any-answer"),
        (rules.told_apart, "--told-apart"),
        (rules.main_stays, "--main-stays"),
        (rules.all_shared, "--all-shared"),
        (rules.byte_by_byte, "--byte-by-byte"),
        (rules.commuting_adds == Switch::Off, "--commuting-adds=off"),
    ];
    arguments.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1.to_owned()));
    if !rules.values.is_empty() {
        let values: Vec<String> = rules.values.iter().map(i64::to_string).collect();
        arguments.push(format!("--values={}", values.join(",")));
    }
    arguments.extend(rules.max_steps.map(|steps| format!("--max-steps={steps}")));
    if !program.arguments.is_empty() {
        arguments.push("--".to_owned());
        arguments.extend(program.arguments.iter().cloned());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn check(arguments: &[&str]) -> CheckArguments {
        let all = ["everyway", "check"].iter().chain(arguments).map(OsString::from);
        match Everyway::parse_from(with_compiler_flags(all)).command {
            Command::Check(arguments) => arguments,
            other => panic!("not a check: {other:?}"),
        }
    }

    #[test]
    fn the_parser_is_well_formed() {
        Everyway::command().debug_assert();
    }

    #[test]
    fn compilers_flags_are_understood() {
        let arguments =
            check(&["a.c", "-DN=3", "-D", "M", "-Ii", "-O1", "-std=c11", "-pthread", "-stdlib=x", "--clang-flag=-x"]);
        let expected = ["-DN=3", "-DM", "-Ii", "-O1", "-std=c11", "-pthread", "-stdlib=x", "-x"];
        assert_eq!(arguments.program.for_clang(), expected.map(OsString::from));
    }

    #[test]
    fn what_is_after_the_dashes_is_the_programs() {
        let arguments = check(&["a.c", "b.c", "--", "-std=c11", "--races"]);
        assert_eq!(arguments.program.arguments, ["-std=c11", "--races"]);
        assert_eq!(arguments.rules.races, None);
    }

    #[test]
    fn saved_arguments_mean_the_same() {
        let line = [
            "a.c",
            "b.ll",
            "--clang=/x/clang",
            "-DN=3",
            "-O1",
            "--loops=await",
            "--environment=any-answer",
            "--values=-1,7",
            "--max-steps=7",
            "--",
            "-x",
        ];
        let save = |arguments: &CheckArguments| to_arguments(&arguments.program, arguments.loops(), &arguments.rules);
        let saved = save(&check(&line));
        assert_eq!(saved, line);
        let again = check(&saved.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(save(&again), saved);
    }

    #[test]
    fn loops_wait_unless_the_user_says_what_they_do() {
        let cases: [(&[&str], LoopTreatment); 4] = [
            (&["a.c"], LoopTreatment::Await),
            (&["a.c", "--algorithm=reads-from"], LoopTreatment::Await),
            (&["a.c", "--algorithm=reads-from", "--loops=assume"], LoopTreatment::Assume),
            (&["a.c", "--loops=plain"], LoopTreatment::Plain),
        ];
        for (line, loops) in cases {
            let arguments = check(line);
            assert_eq!(arguments.loops(), loops, "{line:?}");
            // An execution is run again without saying how it was found.
            let saved = to_arguments(&arguments.program, arguments.loops(), &arguments.rules);
            let again = check(&saved.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!((again.algorithm, again.loops()), (None, loops), "{line:?}");
        }
    }
}
