//! Saved executions: where they are, which program they are of, and the command that runs them again.

use crate::arguments::{CheckArguments, Command, Everyway, ProgramArguments, Rules, Switch, to_arguments};
use crate::error::Error;
use crate::keep::Keeping;
use crate::program;
use clap::Parser;
use everyway_driver::{Host, SoFar};
use everyway_ir::LoopTreatment;
use everyway_render::terminal::Progress;
use everyway_report::frontier::Exploration;
use everyway_report::replay::{ProgramId, ProgramKind, ReplayFile, ScheduledStep};
use everyway_report::{Bug, Replay};
use everyway_vm::{Assumption, Program};
use std::path::{Path, PathBuf};

/// Where failing executions are saved, unless the user says otherwise.
pub(crate) const FOLDER: &str = ".everyway";

/// Keeps the failing executions of a check, and shows how far it has come.
pub(crate) struct Archive<'a> {
    program: &'a ProgramArguments,
    /// What was done about its loops.
    loops: LoopTreatment,
    rules: Rules,
    /// The file that the user names.
    save: Option<&'a Path>,
    /// A hash of the program, once it is needed.
    content: Option<String>,
    progress: Progress,
    keeping: Option<Keeping>,
}

impl<'a> Archive<'a> {
    /// The archive of a check with these arguments.
    pub(crate) fn new(
        program: &'a ProgramArguments,
        loops: LoopTreatment,
        rules: &Rules,
        save: Option<&'a Path>,
    ) -> Self {
        Self { program, loops, rules: rules.clone(), save, content: None, progress: Progress::new(), keeping: None }
    }

    /// The same archive, which says what to try instead where there is no end to the check.
    pub(crate) fn suggesting(self, instead: &[&str]) -> Self {
        Self { progress: self.progress.suggesting("--algorithm ", instead), ..self }
    }

    /// The same archive, in which what is left of the check is kept.
    pub(crate) fn keeping(self, keeping: Keeping) -> Self {
        Self { keeping: Some(keeping), ..self }
    }
}

impl Host<Program> for Archive<'_> {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        self.progress.update(so_far.counts.executions(), || (so_far.estimate)().total);
    }

    fn checkpoint(&mut self, _: &Program, exploration: Exploration) -> Result<Option<String>, String> {
        self.keeping.as_mut().map(|keeping| keeping.save(exploration)).transpose()
    }

    fn finished(&mut self, exploration: Exploration) {
        if let Some(keeping) = &mut self.keeping {
            keeping.finish(exploration);
        }
    }

    /// In the file that the user names, or else below the current folder, by the name of the program's first file. All
    /// bugs but the first have a number there.
    fn save(
        &mut self,
        program: &Program,
        bug: &Bug,
        schedule: &[ScheduledStep],
        number: usize,
    ) -> Result<Option<Replay>, String> {
        let first = self.program.files.first().map_or(Path::new("program"), PathBuf::as_path);
        let stem = stem(self.program);
        let path = self.save.map_or_else(|| Path::new(FOLDER).join(format!("{stem}.json")), Path::to_path_buf);
        let path = if number == 0 { path } else { numbered(&path, number + 1) };
        for assumption in program.retracted() {
            match assumption {
                Assumption::PrivateMemory => self.rules.all_shared = true,
                Assumption::OneSize => self.rules.byte_by_byte = true,
                Assumption::SeqCst | Assumption::NothingCommutes => {}
                // Steps are the same whether adds commute or not.
                Assumption::AnyArrivalOrder => self.rules.commuting_adds = Switch::Off,
            }
        }
        let rules = self.rules.clone().found_by(program.settings().rules);
        let content = self.content.get_or_insert_with(|| program::content(program.module()));
        let id = ProgramId {
            kind: ProgramKind::C,
            name: first.display().to_string(),
            source: bug.source.clone(),
            content: Some(content.clone()),
            arguments: to_arguments(self.program, self.loops, &rules),
        };
        ReplayFile::new(id, schedule.to_vec(), bug).save(&path).map_err(|error| error.to_string())?;
        let file = path.display().to_string();
        let command = format!("everyway replay {}", quoted(&file));
        Ok(Some(Replay { file, command }))
    }
}

/// The name of the program's first file, without its kind.
pub(crate) fn stem(program: &ProgramArguments) -> String {
    let first = program.files.first().and_then(|file| file.file_stem());
    first.map_or("program".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The path with a number before its extension: `queue-2.json`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Loads a saved execution, with the arguments that it was found with.
pub(crate) fn load(path: &Path) -> Result<(ReplayFile, CheckArguments), Error> {
    let file = ReplayFile::load(path)?;
    let shown = path.display();
    if file.program.kind != ProgramKind::C {
        return Err(Error::new(format!("`{shown}` is an execution of `{}`, a test in Rust", file.program.name))
            .with_tip(format!("run it with EVERYWAY_REPLAY={shown} cargo test")));
    }
    let line = ["everyway", "check"].into_iter().chain(file.program.arguments.iter().map(String::as_str));
    match Everyway::try_parse_from(line) {
        Ok(Everyway { command: Command::Check(arguments) }) => Ok((file, arguments)),
        Ok(_) => Err(Error::new(format!("`{shown}` does not say which program it is an execution of"))),
        Err(error) => Err(Error::new(format!("`{shown}` has arguments that are not understood:\n{error}"))
            .with_tip("check the program again, to save the execution anew")),
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_extensions() {
        assert_eq!(numbered(Path::new("a/queue.json"), 2), Path::new("a/queue-2.json"));
        assert_eq!(numbered(Path::new("trace"), 10), Path::new("trace-10"));
    }

    #[test]
    fn shells_read_one_word() {
        assert_eq!(quoted(".everyway/queue.json"), ".everyway/queue.json");
        assert_eq!(quoted("my queue.json"), "'my queue.json'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
