//! Frontier files: what was explored, and what is left, so that an exploration goes on later or elsewhere.
//!
//! A file is JSON. It names the program by a hash of its content, the settings and the version of everyway: an exploration
//! of something else is not gone on with. [`FrontierFile`] has the fields; they are a contract with programs that distribute
//! parts of a frontier. What is in a subtree is the engine's to know.

use crate::replay::ProgramId;
use crate::{Bug, Executions, SetAside};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A note that begins with this ends with the command that goes on with what was saved.
pub const GO_ON: &str = "to go on from here: ";

/// The version of the format that this crate writes, and the only one that it reads.
pub const FORMAT: u32 = 2;

/// An exploration that can be gone on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontierFile {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// The version of everyway.
    pub everyway: String,
    /// The program. Its arguments are those of the check.
    pub program: ProgramId,
    /// How it is explored, in words that are to be the same when it goes on.
    pub settings: String,
    /// The program itself, if it can be run from that alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Which part of another frontier this is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// What was explored, and what is left.
    pub exploration: Exploration,
    /// A hash of all the rest. It may be left out by who writes a file by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
}

/// A part of a frontier, or what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// A hash of the frontier that it is a part of.
    pub of: String,
    /// Which part it is, from 0.
    pub index: usize,
    /// How many there are.
    pub count: usize,
    /// Whether it was explored: then this is a result.
    pub explored: bool,
    /// Under which memory model the frontier was, and which assumptions were wrong, when it was divided. A result under
    /// something else is one that started over: it is of the whole program.
    pub under: (String, Vec<String>),
}

/// What was explored, and what is left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exploration {
    /// Under which memory model, and how that was found out.
    pub stage: String,
    /// The assumptions about the program that turned out wrong.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// How many executions were explored.
    pub executions: Executions,
    /// How many were given up because they had more steps than they may have.
    #[serde(default)]
    pub too_long: u64,
    /// How long that took.
    pub milliseconds: u64,
    /// What went wrong.
    #[serde(default)]
    pub bugs: Vec<FoundBug>,
    /// What was left out, in sentences.
    #[serde(default)]
    pub cut: Vec<String>,
    /// Failures that were not looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// What the verdict takes for granted, in clauses that begin with "that".
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What is to be said about some executions.
    #[serde(default)]
    pub remarks: Vec<Remark>,
    /// What is still to be explored. A text that begins with `=N` has its first N words from the one before.
    pub subtrees: Vec<String>,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundBug {
    /// What, and the execution that shows it.
    pub bug: Bug,
    /// The files and lines that tell it from others of its kind.
    pub places: Vec<(String, u32)>,
}

/// What is to be said about some executions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// What they have in common, in words that follow `in some executions, `.
    pub what: String,
    /// One of them, in words that follow `, such as `.
    pub example: String,
    /// How many there are.
    pub executions: u64,
}

/// What keeps an exploration from being gone on with: in words, and on a second line what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontierError(String);

impl fmt::Display for FrontierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FrontierError {}

impl FrontierError {
    /// `what` is wrong, and this is what to do about it.
    pub fn new(what: impl fmt::Display, tip: impl fmt::Display) -> Self {
        Self(format!("{what}\ntip: {tip}"))
    }
}

/// What to do about a file that cannot be used.
const ANEW: &str = "run the check again from its beginning, to write the file anew";

impl FrontierFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If there is none, or it is damaged, or of another version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FrontierError> {
        let path = path.as_ref();
        let shown = path.display();
        let content = std::fs::read(path).map_err(|error| {
            FrontierError::new(
                format_args!("the frontier `{shown}` cannot be read: {error}"),
                "check the path; a check that stops early prints where it saved the remaining work",
            )
        })?;
        Self::parse(&content).map_err(|error| FrontierError::new(format_args!("`{shown}` {error}"), ANEW))
    }

    /// Reads a file's content.
    ///
    /// # Errors
    /// What is wrong with it, in words that follow its name.
    pub fn parse(content: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
            everyway: String,
        }

        let no = |error: serde_json::Error| format!("is no frontier: {error}");
        let Version { format, everyway } = serde_json::from_slice(content).map_err(no)?;
        if format != FORMAT {
            return Err(format!(
                "was written by everyway {everyway}: it has format {format}, but only format {FORMAT} is known here"
            ));
        }
        let file: Self = serde_json::from_slice(content).map_err(no)?;
        match &file.checksum {
            Some(checksum) if *checksum != file.hash() => {
                Err("is damaged: its checksum is not that of its content".into())
            }
            _ => Ok(file),
        }
    }

    /// A hash of all but the checksum.
    pub fn hash(&self) -> String {
        let whole = Self { checksum: None, ..self.clone() };
        let text = serde_json::to_string(&whole).unwrap_or_default();
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        format!("fnv1a:{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
    }

    /// Writes the file to `path`, with its checksum, in a folder that is made if there is none. A reader of the file
    /// meanwhile sees the old one or the new one, but no part of one.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub fn save(mut self, path: impl AsRef<Path>) -> Result<(), FrontierError> {
        let path = path.as_ref();
        self.checksum = Some(self.hash());
        let written = serde_json::to_vec_pretty(&self).map_err(std::io::Error::from);
        written.and_then(|content| crate::file::write(path, &content)).map_err(|error| {
            FrontierError::new(
                format_args!("the frontier `{}` cannot be written: {error}", path.display()),
                "check that the folder may be written to and that the disk is not full",
            )
        })
    }

    /// Whether this goes on with `other`: the same program, settings and version.
    ///
    /// # Errors
    /// What differs.
    pub fn is_of(&self, program: &ProgramId, settings: &str, everyway: &str) -> Result<(), FrontierError> {
        let differs = |what: String| Err(FrontierError::new(what, ANEW));
        if self.everyway != everyway {
            return differs(format!("it was saved by everyway {}, and this is {everyway}", self.everyway));
        }
        if self.program.kind != program.kind || self.program.name != program.name {
            return differs(format!("it is of `{}`, and this is `{}`", self.program.name, program.name));
        }
        if self.program.content != program.content {
            return differs(format!("`{}` has changed since it was saved", program.name));
        }
        if self.settings != settings {
            return differs(format!("it was saved with other settings: {}, and now {settings}", self.settings));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ProgramKind;

    fn file() -> FrontierFile {
        let texts = ["graph 0w- 0r0 0.1r0 > here", "graph 0w- 0r0 0.1r0 > add 0.2r-", "graph 0w- > add 0r-", "steps"];
        let exploration = Exploration { subtrees: texts.map(str::to_owned).to_vec(), ..Exploration::default() };
        FrontierFile {
            format: FORMAT,
            everyway: "1.2.3".to_owned(),
            program: ProgramId {
                kind: ProgramKind::C,
                name: "a.c".to_owned(),
                source: None,
                content: Some("fnv1a:1".to_owned()),
                arguments: Vec::new(),
            },
            settings: "graphs".to_owned(),
            module: None,
            part: None,
            exploration,
            checksum: None,
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("everyway-frontier-{}", std::process::id()));
        let path = folder.join("a.frontier");
        file().save(&path).expect("it can be written");
        let again = FrontierFile::load(&path).expect("it can be read");
        assert_eq!(again.exploration, file().exploration);
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn damage_is_noticed() {
        let mut whole = file();
        whole.checksum = Some(whole.hash());
        let text = serde_json::to_string(&whole).expect("JSON");
        assert_eq!(FrontierFile::parse(text.as_bytes()), Ok(whole));
        let damaged = text.replace("0.2r-", "0.3r-");
        assert!(FrontierFile::parse(damaged.as_bytes()).is_err_and(|error| error.contains("checksum")));
        assert!(FrontierFile::parse(&text.as_bytes()[..text.len() / 2]).is_err());
    }

    #[test]
    fn what_differs_is_said() {
        let (file, other) = (file(), ProgramId { content: None, ..file().program });
        assert!(file.is_of(&file.program, "graphs", "1.2.3").is_ok());
        for (refused, why) in [
            (file.is_of(&file.program, "graphs", "1.2.4"), "everyway 1.2.3"),
            (file.is_of(&file.program, "naive", "1.2.3"), "settings"),
            (file.is_of(&other, "graphs", "1.2.3"), "has changed"),
        ] {
            assert!(refused.expect_err("it differs").to_string().contains(why));
        }
    }
}
