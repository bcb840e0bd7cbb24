//! Saved explorations: the remaining work of a check in a file, and checks that continue from one.
//!
//! `everyway resume` continues a check; `split`, `explore` and `merge` divide it into parts, for other machines: a file
//! contains the program itself, so no compiler is needed there. [docs/many-machines.md](../../../docs/many-machines.md)
//! documents the format.

use crate::arguments::{
    CheckArguments, Command, Everyway, ExploreArguments, First, MergeArguments, ResumeArguments, SplitArguments,
    to_arguments,
};
use crate::check::{Meant, concluded, refuse_unsupported, settings};
use crate::error::Error;
use crate::output::Outcome;
use crate::output::complain;
use crate::trace::{Archive, FOLDER, quoted, stem};
use crate::{cancel, program};
use clap::Parser;
use everyway_driver::{Host as _, Settings, Suitability};
use everyway_explore::Subtree;
use everyway_ir::Module;
use everyway_report::Verdict;
use everyway_report::frontier::{Exploration, FORMAT, FoundBug, FrontierError, FrontierFile, GO_ON, Part};
use everyway_report::replay::{ProgramId, ProgramKind};
use everyway_vm::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version that frontiers name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where what is left of a check is kept.
pub(crate) struct Keeping {
    path: PathBuf,
    /// The file, but for what is left; made when it is first needed.
    file: Template,
    what: Kept,
    is_there: bool,
}

/// A file, but for what is left.
enum Template {
    Of(Box<CheckArguments>, Arc<Module>),
    Made(Box<FrontierFile>),
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// What is left of a check, as long as something is.
    Frontier,
    /// What came of a part, whatever that is.
    Result,
}

impl Keeping {
    /// That of a check of `module`.
    pub(crate) fn of_check(arguments: &CheckArguments, module: &Arc<Module>) -> Self {
        let path = arguments.frontier.clone();
        let path = path.unwrap_or_else(|| Path::new(FOLDER).join(format!("{}.frontier", stem(&arguments.program))));
        let file = Template::Of(Box::new(arguments.clone()), Arc::clone(module));
        Self { path, file, what: Kept::Frontier, is_there: false }
    }

    fn template(&mut self) -> FrontierFile {
        let file = match &self.file {
            Template::Made(file) => return FrontierFile::clone(file),
            Template::Of(arguments, module) => Self::make(arguments, module),
        };
        self.file = Template::Made(Box::new(file.clone()));
        file
    }

    fn make(arguments: &CheckArguments, module: &Module) -> FrontierFile {
        let name = arguments.program.files.first().map_or(String::new(), |file| file.display().to_string());
        let mut all = exploration_arguments(arguments);
        all.extend(to_arguments(&arguments.program, arguments.loops(), &arguments.rules));
        let program = ProgramId {
            kind: ProgramKind::C,
            name,
            source: None,
            content: Some(program::content(module)),
            arguments: all,
        };
        FrontierFile {
            format: FORMAT,
            everyway: VERSION.to_owned(),
            settings: exploration_arguments(arguments).join(" "),
            program,
            module: Some(module.to_string()),
            part: None,
            exploration: Exploration::default(),
            checksum: None,
        }
    }

    /// Writes what is left.
    pub(crate) fn save(&mut self, exploration: Exploration) -> Result<String, String> {
        let file = FrontierFile { exploration, ..self.template() };
        file.save(&self.path).map_err(|error| error.to_string())?;
        self.is_there = true;
        let shown = quoted(&self.path.display().to_string());
        Ok(match self.what {
            Kept::Frontier => format!("{GO_ON}everyway resume {shown}"),
            Kept::Result => format!("the result and the remaining work are in {shown}"),
        })
    }

    /// There is nothing to go on with any more.
    pub(crate) fn finish(&mut self, exploration: Exploration) {
        match self.what {
            // A file that was not there is not missed.
            Kept::Frontier if self.is_there => _ = fs::remove_file(&self.path),
            Kept::Frontier => {}
            Kept::Result => {
                if let Err(error) = self.save(exploration) {
                    complain(&format_args!("error: {error}"));
                }
            }
        }
    }
}

/// How a check explores, as it would read it again.
fn exploration_arguments(arguments: &CheckArguments) -> Vec<String> {
    let first = match arguments.first {
        First::Lowest => None,
        First::Highest => Some("--first=highest"),
        First::Random => Some("--first=random"),
    };
    let name = match arguments.algorithm() {
        (_, Suitability::Assumed) => Some("auto"),
        (_, Suitability::Unasked) => None,
        (algorithm, Suitability::Given) => Some(algorithm.name()),
    };
    let mut all: Vec<String> = name.into_iter().map(|name| format!("--algorithm={name}")).collect();
    all.extend(first.map(str::to_owned));
    all.extend(arguments.seed.map(|seed| format!("--seed={seed}")));
    all.extend(arguments.keep_going.then(|| "--keep-going".to_owned()));
    all
}

impl From<FrontierError> for Error {
    fn from(error: FrontierError) -> Self {
        Self::new(error.to_string())
    }
}

/// A file, and the check that it is of.
struct Loaded {
    file: FrontierFile,
    check: CheckArguments,
    module: Arc<Module>,
}

fn load(path: &Path) -> Result<Loaded, Error> {
    let file = FrontierFile::load(path)?;
    let shown = path.display();
    if file.program.kind != ProgramKind::C {
        return Err(Error::new(format!("`{shown}` is of `{}`, a test in Rust", file.program.name))
            .with_tip(format!("resume it with EVERYWAY_RESUME={shown} cargo test")));
    }
    file.is_of(&file.program, &file.settings, VERSION)?;
    let line = ["everyway", "check"].into_iter().chain(file.program.arguments.iter().map(String::as_str));
    let check = match Everyway::try_parse_from(line) {
        Ok(Everyway { command: Command::Check(arguments) }) => arguments,
        Ok(_) => return Err(Error::new(format!("`{shown}` does not say which program it is of"))),
        Err(error) => return Err(Error::new(format!("`{shown}` has arguments that are not understood:\n{error}"))),
    };
    let text = file.module.as_deref().unwrap_or_default();
    let module = everyway_ir::parse(text).map_err(|error| Error::new(format!("the program in `{shown}`: {error}")))?;
    if let Some(violation) = everyway_ir::validate(&module).err().and_then(|all| all.into_iter().next()) {
        return Err(Error::new(format!("the program in `{shown}` makes no sense: {violation}")));
    }
    if file.program.content != Some(program::content(&module)) {
        return Err(Error::new(format!("the program in `{shown}` is not the one that it names"))
            .with_tip("run the check again from its beginning"));
    }
    Ok(Loaded { file, check, module: Arc::new(module) })
}

/// Refuses to go on with a program whose source has changed since. Where there is no source, or no compiler, the program
/// is the one in the file.
fn refuse_changed(loaded: &Loaded) -> Result<(), Error> {
    let program = &loaded.check.program;
    if !program.files.iter().all(|file| file.exists()) {
        return Ok(());
    }
    let meant = Meant::by(&loaded.check);
    match program::compile(&meant.program, loaded.check.loops(), meant.rules.environment()) {
        Ok(module) if Some(program::content(&module)) != loaded.file.program.content => {
            let name = &loaded.file.program.name;
            Err(Error::new(format!("`{name}`, or the clang that compiles it, has changed since the check was stopped"))
                .with_tip("run the check again from its beginning"))
        }
        _ => Ok(()),
    }
}

/// How to go on with a check.
fn settings_of(check: &CheckArguments, resumed: &ResumeArguments) -> Result<Settings, Error> {
    let resumed = CheckArguments {
        jobs: resumed.jobs,
        max_executions: resumed.max_executions,
        timeout: resumed.timeout,
        checkpoint: resumed.checkpoint,
        ..check.clone()
    };
    let mut settings = settings(&resumed, &Meant::by(check).rules)?;
    settings.limits.cancelled = cancel::on_signals()?;
    Ok(settings)
}

/// Goes on with what was loaded, keeping what is left there.
fn go_on(loaded: Loaded, resumed: &ResumeArguments, path: PathBuf, what: Kept) -> Result<Outcome, Error> {
    let Loaded { mut file, check, module } = loaded;
    let settings = settings_of(&check, resumed)?;
    let part = file.part.clone();
    let exploration = std::mem::take(&mut file.exploration);
    let keeping = Keeping { path, file: Template::Made(Box::new(file)), what, is_there: true };
    let save = resumed.save.as_deref();
    let Meant { program, rules, machine } = Meant::by(&check).about(&check, &module);
    let mut archive = Archive::new(&program, check.loops(), &rules, save).keeping(keeping);
    let mut subject = Program::new(module, machine);
    let mut report = if exploration.subtrees.is_empty() {
        let mut shown = exploration.clone();
        if part.is_some() && shown == nothing(&exploration) {
            // There were fewer subtrees than parts.
            shown.cut.push("there is nothing to explore in this part".to_owned());
        }
        let report = everyway_driver::report_on(&mut subject, &settings, shown);
        archive.finished(exploration);
        report?
    } else {
        everyway_driver::resume(&mut subject, &settings, &mut archive, exploration)?
    };
    drop(archive);
    if let Some(Part { index, count, .. }) = part {
        report.cut.push(format!("this is part {index} of {count} of a check, counted from 0"));
        if report.verdict == Verdict::Verified {
            report.verdict = Verdict::Incomplete;
        }
    }
    report.bug.as_ref().map_or(Ok(()), refuse_unsupported)?;
    concluded(&check, report, &subject)
}

/// `everyway resume`
pub(crate) fn resume(arguments: &ResumeArguments) -> Result<Outcome, Error> {
    let loaded = load(&arguments.frontier)?;
    refuse_changed(&loaded)?;
    refuse_finished(&loaded, &arguments.frontier)?;
    let kept = if loaded.file.part.is_some() { Kept::Result } else { Kept::Frontier };
    go_on(loaded, arguments, arguments.frontier.clone(), kept)
}

/// Refuses to go on where nothing is left. What was explored is not known to be everything.
fn refuse_finished(loaded: &Loaded, path: &Path) -> Result<(), Error> {
    if !loaded.file.exploration.subtrees.is_empty() {
        return Ok(());
    }
    let shown = path.display();
    Err(Error::new(format!("there is nothing left to explore in `{shown}`"))
        .with_tip(format!("`everyway merge {shown}` prints the result; or run the check again from its beginning")))
}

/// `everyway explore`
pub(crate) fn explore(arguments: &ExploreArguments) -> Result<Outcome, Error> {
    let mut loaded = load(&arguments.resume.frontier)?;
    let path = arguments.result.clone().unwrap_or_else(|| arguments.resume.frontier.with_extension("result"));
    if let Some(part) = &mut loaded.file.part {
        part.explored = true;
    }
    go_on(loaded, &arguments.resume, path, Kept::Result)
}

/// `everyway split`
pub(crate) fn split(arguments: &SplitArguments) -> Result<Outcome, Error> {
    let Loaded { file, .. } = load(&arguments.frontier)?;
    let count = arguments.parts.get();
    let of = file.hash();
    let subtrees = everyway_driver::subtrees_of(&file.exploration)?;
    // Those near the root come first, so that every part has some.
    let mut by_depth: Vec<usize> = (0..subtrees.len()).collect();
    by_depth.sort_by_key(|&place| subtrees[place].depth());
    let under = (file.exploration.stage.clone(), file.exploration.assumptions.clone());
    let stem = arguments.frontier.with_extension("");
    let mut names = String::new();
    for index in 0..count {
        // What was explored before is counted with the first part.
        let before = if index == 0 { file.exploration.clone() } else { nothing(&file.exploration) };
        let mut places: Vec<usize> = by_depth.iter().skip(index).step_by(count).copied().collect();
        // What neighbours have in common is written once.
        places.sort_unstable();
        let own: Vec<Subtree> = places.iter().map(|&place| subtrees[place].clone()).collect();
        let exploration = Exploration { subtrees: Subtree::write_all(&own), ..before };
        let part = Part { of: of.clone(), index, count, explored: false, under: under.clone() };
        let path = PathBuf::from(format!("{}-{index}.part", stem.display()));
        FrontierFile { part: Some(part), exploration, ..file.clone() }.save(&path)?;
        names.push_str(&format!("{}\n", path.display()));
    }
    Ok(Outcome::Text(names))
}

/// An exploration under the same assumptions, of which nothing was explored.
fn nothing(exploration: &Exploration) -> Exploration {
    let (stage, assumptions) = (exploration.stage.clone(), exploration.assumptions.clone());
    Exploration { stage, assumptions, ..Exploration::default() }
}

/// `everyway merge`
pub(crate) fn merge(arguments: &MergeArguments) -> Result<Outcome, Error> {
    let mut files = Vec::new();
    for path in &arguments.results {
        files.push((path.clone(), load(path)?));
    }
    let Some((_, first)) = files.first() else { return Err(Error::new("there is nothing to merge")) };
    let Loaded { file, check, module } =
        Loaded { file: first.file.clone(), check: first.check.clone(), module: Arc::clone(&first.module) };
    let count = file.part.as_ref().map_or(1, |part| part.count);
    let mut parts: Vec<Option<Exploration>> = vec![None; count];
    for (path, other) in files {
        other.file.is_of(&file.program, &file.settings, VERSION).map_err(|error| named(&path, &error))?;
        let index = match (&other.file.part, &file.part) {
            (Some(part), Some(known)) if part.of == known.of && part.count == count && part.index < count => part.index,
            (None, None) if parts[0].is_none() => 0,
            _ => return Err(Error::new(format!("`{}` is a part of another frontier", path.display()))),
        };
        let is_better = |known: &Exploration| known.executions.all() < other.file.exploration.executions.all();
        if parts[index].as_ref().is_none_or(is_better) {
            parts[index] = Some(other.file.exploration);
        }
    }
    let missing: Vec<String> =
        (0..count).filter(|&index| parts[index].is_none()).map(|index| index.to_string()).collect();
    let under = file.part.as_ref().map(|part| &part.under);
    let mut merged = merged(parts.into_iter().flatten().collect(), under);
    let subtrees = std::mem::take(&mut merged.subtrees);
    let mut left = Vec::new();
    if !missing.is_empty() {
        left.push(format!("the results of parts {} are missing", missing.join(", ")));
    }
    if !subtrees.is_empty() {
        left.push(format!("{} subtrees are left to explore", subtrees.len()));
    }
    merged.cut.extend(left);
    let Meant { rules, machine, .. } = Meant::by(&check).about(&check, &module);
    let mut subject = Program::new(module, machine);
    let settings = settings(&check, &rules)?;
    let mut report = everyway_driver::report_on(&mut subject, &settings, merged.clone())?;
    report.seconds = merged.milliseconds as f64 / 1000.0;
    if missing.is_empty() && !subtrees.is_empty() {
        merged.cut.pop();
        let exploration = Exploration { subtrees, ..merged };
        let path = arguments
            .output_file
            .clone()
            .unwrap_or_else(|| Path::new(FOLDER).join(format!("{}.frontier", stem(&check.program))));
        let file = Template::Made(Box::new(FrontierFile { part: None, ..file }));
        let mut keeping = Keeping { path, file, what: Kept::Frontier, is_there: true };
        report.notes.push(keeping.save(exploration).map_err(Error::new)?);
    }
    concluded(&check, report, &subject)
}

fn named(path: &Path, error: &FrontierError) -> Error {
    Error::new(format!("`{}`: {error}", path.display()))
}

/// What parts of a frontier that was `under` a memory model and assumptions come to together. One that had to start over
/// has explored from the root, so it stands for all; what others have found is not lost.
fn merged(parts: Vec<Exploration>, under: Option<&(String, Vec<String>)>) -> Exploration {
    let starts_over = |part: &Exploration| {
        under.is_some_and(|(stage, retracted)| part.stage != *stage || part.assumptions != *retracted)
    };
    // One that has come to its end is better than one that has only come further.
    let worth = |part: &Exploration| (part.subtrees.is_empty(), part.assumptions.len(), part.executions.all());
    let whole = (0..parts.len()).filter(|&index| starts_over(&parts[index])).max_by_key(|&index| worth(&parts[index]));
    let mut parts = parts;
    if let Some(whole) = whole {
        let mut whole = parts.swap_remove(whole);
        parts.into_iter().flat_map(|part| part.bugs).for_each(|bug| add_bug(&mut whole.bugs, bug, Counted::Not));
        return whole;
    }
    let mut parts = parts.into_iter();
    let Some(mut sum) = parts.next() else { return Exploration::default() };
    for part in parts {
        add(&mut sum.executions.complete, part.executions.complete);
        add(&mut sum.executions.blocked, part.executions.blocked);
        add(&mut sum.executions.redundant, part.executions.redundant);
        add(&mut sum.executions.failed, part.executions.failed);
        add(&mut sum.too_long, part.too_long);
        add(&mut sum.milliseconds, part.milliseconds);
        sum.subtrees.extend(part.subtrees);
        add_new(&mut sum.cut, part.cut);
        add_new(&mut sum.set_aside, part.set_aside);
        add_new(&mut sum.assumed, part.assumed);
        part.bugs.into_iter().for_each(|bug| add_bug(&mut sum.bugs, bug, Counted::Too));
        for remark in part.remarks {
            match sum.remarks.iter_mut().find(|known| known.what == remark.what) {
                Some(known) => add(&mut known.executions, remark.executions),
                None => sum.remarks.push(remark),
            }
        }
    }
    sum
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

fn add_new<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for what in more {
        if !known.contains(&what) {
            known.push(what);
        }
    }
}

/// Whether the executions that show a bug are among those that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Too,
    Not,
}

fn add_bug(bugs: &mut Vec<FoundBug>, bug: FoundBug, counted: Counted) {
    let same = |known: &&mut FoundBug| known.bug.kind == bug.bug.kind && known.places == bug.places;
    match (bugs.iter_mut().find(same), counted) {
        (Some(known), Counted::Too) => add(&mut known.bug.executions, bug.bug.executions),
        (Some(_), Counted::Not) => {}
        (None, _) => bugs.push(bug),
    }
}
