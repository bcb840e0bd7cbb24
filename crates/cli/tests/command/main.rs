//! The command as its users meet it: what it prints, and with which status it ends.

#[cfg(feature = "symbolic")]
mod bmc;
mod book;
mod cache;
mod errors;
mod formats;
mod interrupt;
mod json;
mod keep;
mod keep_going;
mod manual;
#[cfg(unix)]
mod on_terminal;
mod program;
mod programs;
mod replay;
mod reports;
mod run;
mod support;
