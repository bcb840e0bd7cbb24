//! Variables that were not set are inputs, where the rules say so.

mod common;

use common::prepared;
use everyway_ir::{Environment, Locals};

const ENVIRONMENT: Environment =
    Environment { locals: Locals::Inputs, gives_input: |name| name.starts_with("input"), ..Environment::NOTHING };

/// What is left of a function with a variable, whose address is `%1`.
fn left(body: &str, environment: Environment) -> String {
    let slot = "slot s0 size 4 align 4";
    let text =
        format!("declare @use(ptr)\nfunction @f(%0:i1) -> i32 {{\n{slot}\nb0:\n%1:ptr = alloca s0\n{body}\n}}\n");
    prepared(&text, "f", environment).join("; ")
}

#[test]
fn what_is_read_before_it_is_set_is_asked_for_once() {
    let twice = "%2:i32 = load %1 align 4\n%3:i32 = load %1 align 4\n%4:i32 = mul %2, %3\nreturn %4";
    assert_eq!(left(twice, ENVIRONMENT), "b0:; %2:i32 = call @input32(); %1:i32 = mul %2, %2; return %1");
    let no_value = Environment { locals: Locals::NoValue, ..ENVIRONMENT };
    assert_eq!(left(twice, no_value), "b0:; %1:i32 = mul undef:i32, undef:i32; return %1");
}

#[test]
fn what_is_set_first_is_not_asked_for() {
    let set = "store %1, 3:i32 align 4\n%2:i32 = load %1 align 4\nreturn %2";
    assert_eq!(left(set, ENVIRONMENT), "b0:; return 3:i32");
    // On one way only.
    let perhaps = "branch %0, b1, b2\nb1:\nstore %1, 3:i32 align 4\njump b2\nb2:\n%2:i32 = load %1 align 4\nreturn %2";
    let asked = left(perhaps, ENVIRONMENT);
    assert!(asked.starts_with("b0:; %1:i32 = call @input32(); branch %0, b1, b2;"), "{asked}");
}

#[test]
fn what_others_may_set_is_not_asked_for() {
    let taken = "call @use(%1)\n%2:i32 = load %1 align 4\nreturn %2";
    assert!(!left(taken, ENVIRONMENT).contains("input"));
}
