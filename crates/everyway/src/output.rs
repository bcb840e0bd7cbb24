//! Output of the program under check: shown when one execution is run again, and suppressed during exploration.

/// Whether what the caller prints is to be shown: outside of models, and in a replay.
#[cfg(feature = "model")]
pub fn is_shown() -> bool {
    crate::model::with(|model| model.settings.verbose && !model.state().tearing_down).unwrap_or(true)
}

/// Whether what the caller prints is to be shown: without models, always.
#[cfg(not(feature = "model"))]
#[inline(always)]
pub fn is_shown() -> bool {
    true
}

/// [`std::print!`], silent while executions are explored.
#[macro_export]
macro_rules! print {
    ($($arguments:tt)*) => { if $crate::is_shown() { ::std::print!($($arguments)*) } };
}

/// [`std::println!`], silent while executions are explored.
#[macro_export]
macro_rules! println {
    ($($arguments:tt)*) => { if $crate::is_shown() { ::std::println!($($arguments)*) } };
}

/// [`std::eprint!`], silent while executions are explored.
#[macro_export]
macro_rules! eprint {
    ($($arguments:tt)*) => { if $crate::is_shown() { ::std::eprint!($($arguments)*) } };
}

/// [`std::eprintln!`], silent while executions are explored.
#[macro_export]
macro_rules! eprintln {
    ($($arguments:tt)*) => { if $crate::is_shown() { ::std::eprintln!($($arguments)*) } };
}

/// [`std::dbg!`], silent while executions are explored.
#[macro_export]
macro_rules! dbg {
    () => { if $crate::is_shown() { ::std::dbg!() } };
    ($value:expr $(,)?) => {
        match $value {
            value => {
                if $crate::is_shown() {
                    ::std::eprintln!("[{}:{}] {} = {:#?}", ::std::file!(), ::std::line!(), ::std::stringify!($value), &value);
                }
                value
            }
        }
    };
    ($($value:expr),+ $(,)?) => { ($($crate::dbg!($value)),+,) };
}
