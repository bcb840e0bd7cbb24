//! Manual pages and completions for shells, from the definitions of the arguments.

use crate::arguments::Everyway;
use crate::error::Error;
use crate::output::Outcome;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::path::Path;

/// The completions of the command for a shell.
pub(crate) fn completions(shell: Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Everyway::command(), "everyway", &mut text);
    Outcome::Text(String::from_utf8_lossy(&text).into_owned())
}

/// The manual page of the command, or all pages, those of subcommands included, in a folder.
///
/// # Errors
/// If a page cannot be written.
pub(crate) fn manual(folder: Option<&Path>) -> Result<Outcome, Error> {
    let mut command = Everyway::command();
    command.build();
    let Some(folder) = folder else { return page(&command).map(Outcome::Text) };
    let unwritable = |path: &Path, error| Error::new(format!("{} cannot be written: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let mut written = String::new();
    for command in std::iter::once(&command).chain(command.get_subcommands().filter(|command| !command.is_hide_set())) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page(command)?).map_err(|error| unwritable(&path, error))?;
        written.push_str(&format!("{}\n", path.display()));
    }
    Ok(Outcome::Text(written))
}

fn page(command: &Command) -> Result<String, Error> {
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut text);
    rendered.map_err(|error| Error::new(format!("the manual page cannot be made: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
