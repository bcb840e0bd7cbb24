//! Library functions access memory in steps, as the same functions written in C do.

mod common;

use common::{explore, load};
use everyway_explore::{Algorithm, Order};
use everyway_vm::Settings;
use std::path::Path;

const FUNCTIONS: [&str; 22] = [
    "strlen", "strnlen", "strcmp", "memcmp", "strchr", "memchr", "strcpy", "strncpy", "strcat", "strcspn", "strdup",
    "strtok_r", "atoi", "strtol", "memcpy", "memmove", "memset", "qsort", "bsearch", "print", "length", "format",
];

#[test]
fn library_functions_have_as_many_executions_as_the_same_in_c() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/functions.c");
    for function in FUNCTIONS {
        let counts = |extra: &[&str]| {
            let test = format!("-DTEST_{function}");
            let arguments: Vec<&str> = [test.as_str(), "-fno-builtin"].iter().chain(extra).copied().collect();
            let explored = explore(&load(&file, &arguments), Settings::default(), Algorithm::Optimal, Order::Lowest);
            assert!(explored.failure.is_none(), "{function}: {:?}", explored.failure);
            explored.counts
        };
        let (modelled, naive) = (counts(&[]), counts(&["-DNAIVE"]));
        assert_eq!(modelled.complete, naive.complete, "{function}");
        assert!(modelled.complete > 1, "{function} does not meet the other thread");
    }
}
