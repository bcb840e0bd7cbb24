//! Saved executions: where they are, which program they are of, and the command that runs them again.

use crate::arguments::{CheckArguments, Command, Everyway, ProgramArguments, Rules, to_arguments};
use crate::error::Error;
use crate::program;
use clap::Parser;
use everyway_ir::{LoopTreatment, Module};
use everyway_report::replay::{ProgramId, ProgramKind, ReplayFile};
use everyway_report::{Bug, Replay};
use everyway_runtime::Step;
use std::path::{Path, PathBuf};

/// Where failing executions are saved, unless the user says otherwise.
const FOLDER: &str = ".everyway";

/// What an execution is of, and where the user wants it.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) program: &'a ProgramArguments,
    /// What was done about its loops.
    pub(crate) loops: LoopTreatment,
    pub(crate) rules: &'a Rules,
    pub(crate) save: Option<&'a Path>,
}

/// Saves the execution that shows `bug`, and says in it how to run it again: in the file that the user names, or else
/// below the current folder, by the name of the program's first file. All bugs but the first have a number there.
pub(crate) fn save(
    bug: &mut Bug,
    schedule: &[Step],
    module: &Module,
    Origin { program, loops, rules, save }: Origin<'_>,
    position: usize,
    notes: &mut Vec<String>,
) {
    let first = program.files.first().map_or(Path::new("program"), PathBuf::as_path);
    let stem = first.file_stem().map_or("program".into(), |stem| stem.to_string_lossy());
    let path = save.map_or_else(|| Path::new(FOLDER).join(format!("{stem}.json")), Path::to_path_buf);
    let path = if position == 0 { path } else { numbered(&path, position + 1) };
    let id = ProgramId {
        kind: ProgramKind::C,
        name: first.display().to_string(),
        source: bug.source.clone(),
        content: Some(program::content(module)),
        arguments: to_arguments(program, loops, rules),
    };
    let steps = everyway_explore::schedule(schedule.iter().copied());
    match ReplayFile::new(id, steps, bug).save(&path) {
        Ok(()) => {
            let file = path.display().to_string();
            let command = format!("everyway replay {}", quoted(&file));
            bug.replay = Some(Replay { file, command });
        }
        Err(error) => notes.push(format!("the execution could not be saved for replay: {error}")),
    }
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
fn quoted(word: &str) -> String {
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
