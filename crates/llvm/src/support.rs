//! What the C and C++ libraries have in their binaries, and programs need when they are executed, in C and C++: compiled with
//! those programs that name something of it.

use crate::link::Unit;
use rustc_hash::FxHashSet;

/// A part of the libraries.
pub(crate) struct Support {
    /// What it is called in messages.
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    pub(crate) language: Language,
    /// The flags with which it is to be compiled besides.
    pub(crate) flags: Vec<&'static str>,
}

/// What a part is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    /// C++, compiled with the flags of the program.
    Cxx,
}

/// What a program has in it that names one of the exception classes: the description of its type.
const DESCRIPTIONS: &str = "_ZTISt";
/// What is defined besides if a program names one of these classes, in headers that take long to compile.
const CLASSES: [(&str, &str); 4] = [
    ("_ZTISt12future_error", "-DEVERYWAY_FUTURE"),
    ("_ZTVSt12future_error", "-DEVERYWAY_FUTURE"),
    ("_ZTISt17bad_function_call", "-DEVERYWAY_FUNCTION"),
    ("_ZTISt12bad_weak_ptr", "-DEVERYWAY_MEMORY"),
];
/// The descriptions of what the C++ library has besides.
const OTHERS: [&str; 2] = ["_ZTISt9type_info", "_ZTISt19_Sp_make_shared_tag"];

/// The parts that are written in C, by the functions for whose sake they are there.
const PARTS: [(&str, &str, &[&str]); 5] = [
    (
        "files",
        include_str!("../support/files.c"),
        &[
            "fopen",
            "fopen64",
            "tmpfile",
            "tmpfile64",
            "fdopen",
            "open",
            "open64",
            "creat",
            "remove",
            "unlink",
            "rename",
            "access",
        ],
    ),
    ("getopt", include_str!("../support/getopt.c"), &["getopt", "getopt_long"]),
    (
        "dates",
        include_str!("../support/calendar.c"),
        &[
            "gmtime",
            "gmtime_r",
            "localtime",
            "localtime_r",
            "mktime",
            "timegm",
            "difftime",
            "asctime",
            "asctime_r",
            "ctime",
            "ctime_r",
            "strftime",
            "tzset",
        ],
    ),
    ("cancellation", include_str!("../support/cancel.c"), &["pthread_cancel"]),
    ("tokens", include_str!("../support/tokens.c"), &["strtok"]),
];

/// What a program has in it that uses `std::call_once`: what libstdc++ hands to `pthread_once`.
const PROXY_OF_CALL_ONCE: &str = "__once_proxy";

/// The parts that a program needs.
pub(crate) fn needed(units: &[Unit]) -> Vec<Support> {
    let functions = || units.iter().flat_map(|unit| &unit.module.functions);
    let defined: FxHashSet<&str> =
        functions().filter(|function| function.body.is_some()).map(|function| function.name.as_str()).collect();
    let is_named = |name: &&str| !defined.contains(name) && functions().any(|function| function.name == **name);
    let parts = PARTS.into_iter().filter(|(_, _, names)| names.iter().any(is_named));
    let parts = parts.map(|(name, text, _)| Support { name, text, language: Language::C, flags: Vec::new() });
    let once = is_named(&PROXY_OF_CALL_ONCE).then(|| Support {
        name: "`std::call_once`",
        text: include_str!("../support/once.cpp"),
        language: Language::Cxx,
        flags: Vec::new(),
    });
    let streams = streams(units);
    // Streams can be told to throw an exception.
    exceptions(units, streams.is_some()).into_iter().chain(streams).chain(once).chain(parts).collect()
}

/// What the names of functions begin with that use streams in ways which only the library knows, as libstdc++ has them: all of
/// streams that read or write strings, manipulators, formats, input.
const STREAMS: [&str; 23] = [
    "_ZNSt7__cxx1118basic_stringstream",
    "_ZNSt7__cxx1119basic_ostringstream",
    "_ZNSt7__cxx1119basic_istringstream",
    "_ZNSt7__cxx1115basic_stringbuf",
    "_ZNSt15basic_streambuf",
    "_ZNSt8ios_base",
    "_ZNKSt8ios_base",
    "_ZNSt9basic_ios",
    "_ZNKSt9basic_ios",
    "_ZNSi",
    "_ZNKSi",
    "_ZNSd",
    "_ZNSo",
    "_ZNKSo",
    "_ZStrsI",
    "_ZSt7getlineI",
    "_ZStlsISt11char_traitsIcEE",
    "_ZSt4setwi",
    "_ZSt7setfillI",
    "_ZSt7setbasei",
    "_ZSt12setprecisioni",
    "_ZSt11setiosflags",
    "_ZSt13resetiosflags",
];

/// Whether the function prints text or a number, which is executed without the library: the last letter of its name is the
/// type of what it prints.
fn prints(name: &str) -> bool {
    let printed = |start: &str| name.strip_prefix(start);
    name.starts_with("_ZNSt8ios_base4Init")
        || matches!(name, "_ZNSolsEPFRSoS_E" | "_ZNSo5flushEv")
        || printed("_ZNSolsE").is_some_and(|ty| ty.len() == 1 && "ijstblmxydf".contains(ty))
        || printed("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_").is_some_and(|ty| matches!(ty, "c" | "PKc"))
}

/// The streams of the C++ library, if the program does more with them than print text and numbers.
fn streams(units: &[Unit]) -> Option<Support> {
    let needs_all = |name: &str| STREAMS.iter().any(|start| name.starts_with(start)) && !prints(name);
    let mut functions = units.iter().flat_map(|unit| &unit.module.functions);
    let text = include_str!("../support/streams.cpp");
    let flags = vec!["-fno-access-control"];
    let part = Support { name: "the streams of the C++ library", text, language: Language::Cxx, flags };
    functions.any(|function| needs_all(&function.name)).then_some(part)
}

/// The exception classes, if the program throws or catches one of them, or another part needs them.
fn exceptions(units: &[Unit], is_needed: bool) -> Option<Support> {
    let globals = units.iter().flat_map(|unit| &unit.module.globals).filter(|global| global.initialiser.is_none());
    let names_one = |name: &str| name.starts_with(DESCRIPTIONS) && !OTHERS.contains(&name);
    let has_one = is_needed || globals.clone().any(|global| names_one(&global.name));
    let flag = |name: &str| CLASSES.iter().find(|class| class.0 == name).map(|class| class.1);
    let flags: Vec<&str> = globals.filter_map(|global| flag(&global.name)).collect();
    let text = include_str!("../support/exceptions.cpp");
    has_one.then_some(Support { name: "the exceptions of the C++ library", text, language: Language::Cxx, flags })
}
