//! Tests of the data of a result, and of the files that an execution is kept in.

mod linearise;
mod replay;
mod samples;
