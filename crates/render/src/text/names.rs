//! What threads and places are called on the page.

use std::collections::BTreeSet;

use super::wrap::clean;
use everyway_report::{Execution, Source};

/// The names of the threads of an execution, no two of them the same.
pub(crate) struct Names(Vec<String>);

impl Names {
    /// The names of the threads of `execution`.
    pub(crate) fn new(execution: &Execution) -> Self {
        let names: Vec<String> = execution.threads.iter().map(|thread| clean(thread.name.trim())).collect();
        let unique = names.iter().enumerate().map(|(index, name)| {
            let is_shared = names.iter().filter(|&other| other == name).count() > 1;
            match name.as_str() {
                "" => format!("#{index}"),
                _ if is_shared => format!("{name} #{index}"),
                _ => name.clone(),
            }
        });
        Self(unique.collect())
    }

    /// The name of `thread`.
    pub(crate) fn name(&self, thread: usize) -> String {
        // A report may come from a file, where an index can be anything.
        self.0.get(thread).cloned().unwrap_or_else(|| format!("#{thread}"))
    }

    /// `thread 'a'`.
    pub(crate) fn thread(&self, thread: usize) -> String {
        format!("thread '{}'", self.name(thread))
    }
}

/// `src/lib.rs:12`: the line, without the column.
pub(crate) fn line(source: &Source) -> String {
    format!("{}:{}", clean(&source.file), source.line)
}

/// How places are shortened: to as many of the last parts of their paths as tell all files apart.
pub(crate) struct Places {
    parts: usize,
}

impl Places {
    /// A way to shorten places in the files of `sources`.
    pub(crate) fn new<'a>(sources: impl Iterator<Item = &'a Source>) -> Self {
        let files: BTreeSet<&str> = sources.map(|source| source.file.as_str()).collect();
        let longest = files.iter().map(|file| file.split(SEPARATORS).count()).max().unwrap_or(1);
        let tells_apart = |&parts: &usize| {
            let short: BTreeSet<&str> = files.iter().map(|file| tail(file, parts)).collect();
            short.len() == files.len()
        };
        Self { parts: (1..longest).find(tells_apart).unwrap_or(longest) }
    }

    /// `lib.rs:12`.
    pub(crate) fn short(&self, source: &Source) -> String {
        format!("{}:{}", clean(tail(&source.file, self.parts)), source.line)
    }
}

/// Paths come from any system, not only from the one that prints them.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// The last `parts` parts of the path `file`.
fn tail(file: &str, parts: usize) -> &str {
    match file.rmatch_indices(SEPARATORS).nth(parts.saturating_sub(1)) {
        Some((position, _)) => &file[position + 1..],
        None => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_report::Thread;

    #[test]
    fn threads_of_the_same_name_are_told_apart() {
        let threads = ["main", "worker", "worker", ""].map(|name| Thread { name: name.to_owned() });
        let names = Names::new(&Execution { threads: threads.into(), events: Vec::new() });
        assert_eq!([0, 1, 2, 3, 4].map(|thread| names.name(thread)), ["main", "worker #1", "worker #2", "#3", "#4"]);
        assert_eq!(names.thread(1), "thread 'worker #1'");
    }

    #[test]
    fn places_are_as_short_as_they_can_be() {
        let source = |file: &str| Source { file: file.to_owned(), line: 7, column: 1 };
        let short = |files: &[&str]| {
            let sources: Vec<Source> = files.iter().map(|&file| source(file)).collect();
            let places = Places::new(sources.iter());
            sources.iter().map(|source| places.short(source)).collect::<Vec<_>>()
        };
        assert_eq!(short(&["src/a.rs", "src/b.rs"]), ["a.rs:7", "b.rs:7"]);
        assert_eq!(short(&["x/queue/mod.rs", "x/stack/mod.rs"]), ["queue/mod.rs:7", "stack/mod.rs:7"]);
        assert_eq!(short(&["mod.rs", "a/mod.rs"]), ["mod.rs:7", "a/mod.rs:7"]);
        assert_eq!(short(&["C:\\x\\a.c"]), ["a.c:7"]);
        assert_eq!(line(&source("src/a.rs")), "src/a.rs:7");
    }
}
