//! The book in `docs`: every command in it is run, and prints what the book says, but for times.
//!
//! A code block after `<!-- file: NAME -->` is a file; in a block of `console`, a line that begins with `$` is a command,
//! and what follows is what it prints. `EVERYWAY_BLESS=1 cargo test -p everyway-cli book` writes what is printed into the
//! book; the difference is to be read.

use crate::support::{Folder, has_clang};
use std::fs;
use std::path::{Path, PathBuf};

/// What the book consists of.
fn chapters() -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut found = Vec::new();
    for folder in [source.clone(), source.join("how")] {
        let entries = fs::read_dir(&folder).expect("the book is there");
        let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
        found.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    found.sort();
    found
}

/// A chapter with what its commands print now in the place of what it says.
struct Chapter<'a> {
    folder: Folder,
    lines: std::iter::Peekable<std::str::Lines<'a>>,
    printed: String,
    commands: usize,
}

impl<'a> Chapter<'a> {
    fn new(text: &'a str) -> Self {
        Self { folder: Folder::new(), lines: text.lines().peekable(), printed: String::new(), commands: 0 }
    }

    fn run(mut self) -> (String, usize) {
        while let Some(line) = self.lines.next() {
            self.print(line);
            let file = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->"));
            match file {
                Some(name) => self.file(name),
                None if line == "```console" => self.console(),
                None if line.starts_with("```") => _ = self.block(),
                None => {}
            }
        }
        (self.printed, self.commands)
    }

    fn print(&mut self, line: &str) {
        self.printed.push_str(line);
        self.printed.push('\n');
    }

    /// What is left of a block, which stays as it is.
    fn block(&mut self) -> String {
        let mut content = String::new();
        for line in self.lines.by_ref() {
            self.printed.push_str(line);
            self.printed.push('\n');
            if line == "```" {
                return content;
            }
            content.push_str(line);
            content.push('\n');
        }
        panic!("a block does not end: {content}");
    }

    fn file(&mut self, name: &str) {
        let fence = self.lines.next().expect("a block follows");
        assert!(fence.starts_with("```"), "{name}: {fence}");
        self.print(fence);
        let content = self.block();
        self.folder.write(name, &content);
    }

    fn console(&mut self) {
        while let Some(line) = self.lines.next().filter(|line| *line != "```") {
            self.print(line);
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("`{line}` is no command"));
            let mut said = String::new();
            while let Some(line) = self.lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
                said.push_str(line);
                said.push('\n');
            }
            let printed = self.execute(command);
            // Times are those of another day.
            self.printed.push_str(if without_times(&said) == without_times(&printed) { &said } else { &printed });
            self.commands += 1;
        }
        self.print("```");
    }

    fn execute(&self, command: &str) -> String {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("everyway"), "`{command}` is not run by any test");
        let ran = self.folder.run(words);
        format!("{}{}", ran.stdout, ran.stderr)
    }
}

/// The text with `TIME` for every time in brackets, and without what a solver says of its work.
fn without_times(text: &str) -> String {
    let text: String =
        text.lines().filter(|line| !line.contains(" conflicts, ")).flat_map(|line| [line, "\n"]).collect();
    let mut parts = text.split('(');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number =
            part.strip_prefix("under ").unwrap_or(part).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let rest = number.strip_prefix(" s").filter(|rest| rest.starts_with([',', ')']) && number.len() < part.len());
        result.push('(');
        match rest {
            Some(rest) => result.push_str(&format!("TIME{rest}")),
            None => result.push_str(part),
        }
    }
    result
}

#[test]
fn times_are_told_from_other_numbers() {
    assert_eq!(
        without_times("x (under 0.01 s) y (0.12 s, 3 blocked) f(12 steps)\n"),
        "x (TIME) y (TIME, 3 blocked) f(12 steps)\n"
    );
}

#[test]
fn every_command_of_the_book_prints_what_it_says() {
    if !has_clang() {
        return;
    }
    let bless = std::env::var_os("EVERYWAY_BLESS").is_some();
    let mut commands = 0;
    for path in chapters() {
        let text = fs::read_to_string(&path).expect("a chapter");
        let (printed, count) = Chapter::new(&text).run();
        commands += count;
        if bless && printed != text {
            fs::write(&path, &printed).expect("the chapter is written");
        } else {
            assert!(printed == text, "{} says\n\n{text}\n\nbut it is\n\n{printed}", path.display());
        }
    }
    assert!(commands > 10, "{commands} commands");
}

/// Every chapter is in the table of contents, and every entry there is a chapter.
#[test]
fn the_table_of_contents_is_complete() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let contents = fs::read_to_string(source.join("SUMMARY.md")).expect("the table of contents");
    let mut listed: Vec<PathBuf> =
        contents.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(|name| source.join(name)).collect();
    listed.push(source.join("SUMMARY.md"));
    listed.sort();
    assert_eq!(listed, chapters());
}
