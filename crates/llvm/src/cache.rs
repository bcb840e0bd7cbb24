//! What clang made of sources, kept by content: the same sources, headers, flags and clang give the same again, without
//! clang.
//!
//! An entry consists of two files. One is named by all that is known before clang runs - its flags, its input, the folder
//! it runs in, the environment and the clang itself (`key.rs`) - and lists the files that clang has read, as it says itself
//! (`-MD`), with the places where a file would have been found instead, had there been one. The other is named by all of
//! that and by the contents of the files, and holds the LLVM IR. So nothing is ever out of date: what has changed has
//! another name.
//!
//! What can change although no file does is not kept: whatever asks for the date, or whether a file exists
//! (`dependencies.rs`), and flags that are not known to read nothing else (`key.rs`). Neither are files that were written
//! while clang read them. Entries are written beside and renamed, so that any number of processes may use the folder; what
//! cannot be read or written is as if it were not there.

mod dependencies;
mod digest;
mod key;

use dependencies::Dependencies;
use digest::Digest;
use key::Key;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// With more files than this in the folder, the older half goes.
const MOST_FILES: usize = 1_000;

/// The LLVM IR that `clang` makes when it runs `command` with this input: what is kept of it in `folder`, or what `run`
/// makes of it, which is kept. `run` is given the command to run.
///
/// # Errors
/// Those of `run`.
pub(crate) fn cached<E>(
    folder: &Path,
    command: Command,
    input: &str,
    run: impl FnOnce(Command) -> Result<String, E>,
) -> Result<String, E> {
    let Some(key) = Key::of(&command, input) else { return run(command) };
    if let Some(text) = find(folder, &key) {
        return Ok(text);
    }
    let Some(notes) = Notes::new(folder) else { return run(command) };
    let started = SystemTime::now();
    let mut noting = Command::new(command.get_program());
    noting.args(["-MD", "-MT", "everyway", "-MF"]).arg(&notes.0).args(command.get_args());
    let text = run(noting)?;
    if let Some(dependencies) = notes.read().and_then(|notes| Dependencies::of(&notes, &key, started)) {
        keep(folder, &key, &dependencies, &text);
    }
    Ok(text)
}

/// What is kept, if the files that it depends on are as they were.
fn find(folder: &Path, key: &Key) -> Option<String> {
    let dependencies = Dependencies::parse(&fs::read_to_string(folder.join(key.list_name())).ok()?)?;
    let kept = fs::read_to_string(folder.join(dependencies.entry_name(key)?)).ok()?;
    let (digest, text) = kept.split_once('\n')?;
    (digest == signature(text)).then(|| text.to_owned())
}

fn keep(folder: &Path, key: &Key, dependencies: &Dependencies, text: &str) {
    let Some(entry) = dependencies.entry_name(key) else { return };
    make_room(folder);
    // In this order, a list is never there before what it leads to.
    if write(folder, &entry, &format!("{}\n{text}", signature(text))).is_ok() {
        let _ = write(folder, &key.list_name(), &dependencies.to_string());
    }
}

/// The first line of an entry.
fn signature(text: &str) -> String {
    format!("; everyway {}", Digest::default().and(text.as_bytes()))
}

/// Writes a file in one go, as others see it.
fn write(folder: &Path, name: &str, text: &str) -> std::io::Result<()> {
    let beside = folder.join(unique());
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, folder.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name that no other process or thread has.
fn unique() -> OsString {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{}-{now}-{}.tmp", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)).into()
}

/// Removes the older half of what is kept, if it is too much.
fn make_room(folder: &Path) {
    let Ok(files) = fs::read_dir(folder) else { return };
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    if files.len() > MOST_FILES {
        let age = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
        files.sort_by_cached_key(age);
        files.iter().take(files.len() / 2).for_each(|file| _ = fs::remove_file(file));
    }
}

/// The file in which clang notes what it reads.
struct Notes(PathBuf);

impl Notes {
    fn new(folder: &Path) -> Option<Self> {
        fs::create_dir_all(folder).ok()?;
        Some(Self(folder.join(unique())))
    }

    fn read(&self) -> Option<String> {
        fs::read_to_string(&self.0).ok()
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
