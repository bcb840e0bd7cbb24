//! Files that are written whole: a reader sees the old one or the new one, but no part of one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `content`, and the end of a line, to `path`, in a folder that is made if there is none.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // A device or a pipe is written to, not replaced.
    if fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        let mut file = File::options().write(true).open(path)?;
        return file.write_all(content).and_then(|()| file.write_all(b"\n"));
    }
    let temporary = temporary(path)?;
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(content)?;
        file.write_all(b"\n")
    });
    // There is no waiting for the disk: a file lost with the power is written again by the next run.
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    })
}

/// A name beside `path` that no other writer uses: tests run at the same time, in threads and in processes.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);

    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{}.tmp", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed)));
    Ok(path.with_file_name(temporary))
}
