//! The files that a compilation depends on: those that clang has read, and those that it would have read had they been there.

use super::key::Key;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What no file may contain, the system's included: its meaning changes with the time.
const TIMES: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// What a file of the user's must not contain: its meaning changes with files that are not noted.
const QUESTIONS: [&str; 4] = ["__has_include", "__has_embed", "#embed", "incbin"];

/// Where files are that are not the user's. They ask for files that come with them.
const OTHERS: &str = "/usr/";

/// A file that has changed so shortly before clang began may have changed while it read: times are not exact.
const MARGIN: Duration = Duration::from_millis(100);

/// The input of clang has a name, too.
const INPUT: &str = "/dev/stdin";

/// What a compilation depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dependencies {
    /// What was read.
    files: Vec<PathBuf>,
    /// What was not there, and would have been read.
    absent: BTreeSet<PathBuf>,
}

impl Dependencies {
    /// What `notes` say, in the language of make, of a compilation that began at `started`; none if what is kept of it
    /// may not be what another one makes.
    pub(super) fn of(notes: &str, key: &Key, started: SystemTime) -> Option<Self> {
        let files: Vec<PathBuf> = names(notes)?.into_iter().filter(|name| name != INPUT).map(PathBuf::from).collect();
        for file in &files {
            let before = fs::metadata(file).ok()?.modified().ok()?;
            if before + MARGIN >= started || !lasts(file, &fs::read(file).ok()?) {
                return None;
            }
        }
        let absent = absent(&files, &key.folders);
        let is_line = |path: &PathBuf| path.to_str().is_some_and(|path| !path.contains('\n'));
        files.iter().chain(&absent).all(is_line).then_some(Self { files, absent })
    }

    /// The name of the file that holds what was made, if the files are there and the others are not.
    pub(super) fn entry_name(&self, key: &Key) -> Option<String> {
        if self.absent.iter().any(|path| path.exists()) {
            return None;
        }
        let mut digest = key.digest;
        for file in &self.files {
            digest = digest.and(file.to_str()?.as_bytes()).and(&fs::read(file).ok()?);
        }
        Some(format!("{digest}.ll"))
    }

    /// What [`fmt::Display`] has written.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut dependencies = Self { files: Vec::new(), absent: BTreeSet::new() };
        for line in text.lines() {
            match line.split_once(' ')? {
                ("file", path) => dependencies.files.push(path.into()),
                ("absent", path) => _ = dependencies.absent.insert(path.into()),
                _ => return None,
            }
        }
        (!dependencies.files.is_empty()).then_some(dependencies)
    }
}

impl fmt::Display for Dependencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.iter().try_for_each(|file| writeln!(f, "file {}", file.display()))?;
        self.absent.iter().try_for_each(|path| writeln!(f, "absent {}", path.display()))
    }
}

/// Whether what a file means depends on nothing but files that are noted.
fn lasts(file: &Path, text: &[u8]) -> bool {
    let has = |word: &str| text.windows(word.len()).any(|window| window == word.as_bytes());
    !TIMES.iter().any(|word| has(word)) && (file.starts_with(OTHERS) || !QUESTIONS.iter().any(|word| has(word)))
}

/// The files that are not there, and that a header of the same name as one of `files` would have been: in the folders that
/// are looked through, and beside each file of the user's. What it was named with is the end of its path.
fn absent(files: &[PathBuf], folders: &[PathBuf]) -> BTreeSet<PathBuf> {
    let own = files.iter().filter(|file| !file.starts_with(OTHERS)).filter_map(|file| file.parent());
    let places: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).chain(own).collect();
    let ends = |file: &PathBuf| -> Vec<PathBuf> {
        let parts: Vec<_> = file.components().collect();
        (1..=parts.len()).map(|count| parts[parts.len() - count..].iter().collect()).collect()
    };
    let names: BTreeSet<PathBuf> = files.iter().flat_map(ends).filter(|name| name.is_relative()).collect();
    let all = places.iter().flat_map(|place| names.iter().map(|name| place.join(name)));
    all.filter(|path| !path.exists()).collect()
}

/// The names in a rule for make: `target: one two\ words \` and so on.
fn names(rule: &str) -> Option<Vec<String>> {
    let (_, rule) = rule.split_once(": ")?;
    let mut names = vec![String::new()];
    let mut characters = rule.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (character, next) {
            ('\\', Some('\n')) | ('\n', _) | (' ', _) => {
                if character == '\\' {
                    characters.next();
                }
                names.push(String::new());
                continue;
            }
            ('\\', Some(escaped @ (' ' | '#' | '\\'))) | ('$', Some(escaped @ '$')) => {
                characters.next();
                names.last_mut()?.push(escaped);
            }
            _ => names.last_mut()?.push(character),
        }
    }
    names.retain(|name| !name.is_empty());
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let rule = "everyway: a.c /usr/include/x.h \\\n  with\\ space.h cash$$.h hash\\#.h\n";
        let expected = ["a.c", "/usr/include/x.h", "with space.h", "cash$.h", "hash#.h"].map(str::to_owned);
        assert_eq!(names(rule), Some(expected.to_vec()));
        assert_eq!(names("everyway:\n"), None);
        assert_eq!(names(""), None);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let dependencies =
            Dependencies { files: vec!["b c.h".into(), "a.h".into()], absent: BTreeSet::from(["/x/a.h".into()]) };
        assert_eq!(Dependencies::parse(&dependencies.to_string()), Some(dependencies));
        assert_eq!(Dependencies::parse(""), None);
        assert_eq!(Dependencies::parse("else x\n"), None);
    }

    #[test]
    fn what_asks_for_the_time_or_for_files_does_not_last() {
        let lasts = |path: &str, text: &str| super::lasts(Path::new(path), text.as_bytes());
        assert!(lasts("a.c", "int main() {}"));
        assert!(!lasts("a.c", "char *when = __DATE__;"));
        assert!(!lasts("a.c", "#if __has_include(\"x.h\")"));
        assert!(lasts("/usr/include/x.h", "#if __has_include(<x.h>)"));
        assert!(!lasts("/usr/include/x.h", "__TIME__"));
    }
}
