//! Tests of the files that a result is kept in.

mod replay;
mod samples;
