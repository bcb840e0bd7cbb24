//! What is known before clang runs.

use super::digest::Digest;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

/// Changes whenever what is kept does.
const FORMAT: &str = "everyway 1";

/// The variables that clang looks at.
const VARIABLES: [&str; 12] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "CLANG_CONFIG_FILE_SYSTEM_DIR",
    "CLANG_CONFIG_FILE_USER_DIR",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "LANG",
    "LC_ALL",
    "SDKROOT",
    "SOURCE_DATE_EPOCH",
];

/// Where clang looks for the headers of a C++ library: it takes the newest.
const LIBRARIES: &str = "/usr/lib/gcc";

/// All that is known of a compilation before clang runs, and where headers are looked for that the user has named.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) digest: Digest,
    /// In the order in which they are looked through; the folder of a source is another.
    pub(super) folders: Vec<PathBuf>,
}

impl Key {
    /// The key of a compilation; none if it may depend on what is not known.
    pub(super) fn of(command: &Command, input: &str) -> Option<Self> {
        let arguments: Vec<&str> = command.get_args().map(OsStr::to_str).collect::<Option<_>>()?;
        let folders = folders(&arguments)?;
        let parts = [FORMAT, std::env::consts::OS, std::env::consts::ARCH, env!("CARGO_PKG_VERSION"), input];
        let mut digest = parts.iter().fold(Digest::default(), |digest, part| digest.and(part.as_bytes()));
        digest = arguments.iter().fold(digest, |digest, argument| digest.and(argument.as_bytes()));
        digest = digest.and(std::env::current_dir().ok()?.to_str()?.as_bytes());
        for name in VARIABLES {
            let value = std::env::var_os(name);
            digest = digest.and(format!("{name} {value:?}").as_bytes());
        }
        digest = identity(&found(command.get_program())?, digest)?;
        let separated = |name: &str| std::env::var_os(name).map(|value| std::env::split_paths(&value).collect());
        let named: Vec<PathBuf> =
            VARIABLES[..3].iter().filter_map(|name| separated(name)).flat_map(|paths: Vec<PathBuf>| paths).collect();
        let folders = folders.into_iter().map(PathBuf::from).chain(named).chain([PathBuf::from("/usr/local/include")]);
        Some(Self { digest, folders: folders.collect() })
    }

    /// The name of the file that lists what the compilation has read.
    pub(super) fn list_name(&self) -> String {
        format!("{}.files", self.digest)
    }
}

/// The file of a program.
fn found(program: &OsStr) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return fs::canonicalize(path).ok();
    }
    let paths = std::env::var_os("PATH")?;
    let file = std::env::split_paths(&paths).map(|folder| folder.join(path)).find(|file| file.is_file())?;
    fs::canonicalize(file).ok()
}

/// Which clang it is, with what it brings and what it finds: files that are replaced have other times.
fn identity(clang: &Path, digest: Digest) -> Option<Digest> {
    let of = |digest: Digest, path: &Path, file: &Metadata| {
        let modified = file.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        digest.and(format!("{} {} {modified:?}", path.display(), file.len()).as_bytes())
    };
    let mut digest = of(digest, clang, &fs::metadata(clang).ok()?);
    let bin = clang.parent()?;
    let libraries = fs::read_dir(LIBRARIES).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut besides: Vec<PathBuf> = libraries.collect();
    besides.sort();
    besides.extend([bin.to_path_buf(), bin.with_file_name("lib")]);
    for path in besides {
        digest = match fs::metadata(&path) {
            Ok(file) => of(digest, &path, &file),
            Err(_) => digest.and(path.to_str()?.as_bytes()),
        };
    }
    Some(digest)
}

/// Options whose value is the next argument.
const WITH_VALUES: [&str; 9] = ["-D", "-U", "-I", "-include", "-iquote", "-isystem", "-idirafter", "-x", "-o"];

/// Beginnings of options that read no files, or only those that clang notes.
const HARMLESS: [&str; 16] = [
    "-D",
    "-U",
    "-O",
    "-W",
    "-w",
    "-g",
    "-std=",
    "-ansi",
    "-pedantic",
    "-pthread",
    "-nostd",
    "-x",
    "-S",
    "-emit-llvm",
    "-m",
    "-fsanitize=",
];

/// Words in options that have a meaning of their own on each machine, or read what is not noted.
const HARMFUL: [&str; 11] =
    ["-Wp,", "-Wa,", "-Wl,", "native", "plugin", "module", "profile", "list=", "pch", "gsplit", "@"];

/// The folders in which the arguments have headers looked for; none if some argument is not known to be harmless.
fn folders<'a>(arguments: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut folders = Vec::new();
    let mut rest = arguments.iter().copied();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            break;
        }
        let value = if WITH_VALUES.contains(&argument) || argument == "-Xclang" { Some(rest.next()?) } else { None };
        match (argument, value) {
            ("-I" | "-iquote" | "-isystem" | "-idirafter", Some(folder)) => folders.push(folder),
            ("-Xclang", Some(value))
                if !value.starts_with("-disable-O0") && !value.starts_with("-fsanitize-address") =>
            {
                return None;
            }
            (_, Some(_)) | ("-", _) => {}
            (argument, None) => match ["-I", "-iquote", "-isystem", "-idirafter"]
                .iter()
                .find_map(|option| argument.strip_prefix(option))
            {
                Some(folder) => folders.push(folder),
                None if is_harmless(argument) => {}
                None => return None,
            },
        }
    }
    Some(folders)
}

fn is_harmless(option: &str) -> bool {
    let begins = HARMLESS.iter().any(|beginning| option.starts_with(beginning));
    // What is set to something may be set to a file.
    let is_switch = option.starts_with("-f") && (!option.contains('=') || option.contains("sanitize"));
    (begins || is_switch) && (option.starts_with("-D") || !HARMFUL.iter().any(|word| option.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_found_among_harmless_arguments() {
        let arguments =
            ["-O0", "-Xclang", "-disable-O0-optnone", "-Ione", "-I", "two", "-isystem", "three", "-DA=@", "--", "-B"];
        assert_eq!(folders(&arguments), Some(vec!["one", "two", "three"]));
        for harmful in ["-march=native", "-fplugin=x.so", "-fprofile-use", "@file", "-B", "--config=x", "-fx=y", "-I"] {
            assert_eq!(folders(&["-O0", harmful]), None, "{harmful}");
        }
        assert_eq!(folders(&["-Xclang", "-load"]), None);
        assert_eq!(folders(&["-fsanitize-ignorelist=x"]), None);
        assert_eq!(folders(&["-fno-pic", "-fsanitize-trap=return", "-mcx16", "-std=c11"]), Some(Vec::new()));
    }
}
