//! Calls that only pass the time are removed, with the variables that they alone are given.

use everyway_ir::{Module, parse, remove_idle_calls, validate};

/// What is left of the function `@f` with these instructions, in which `@pause` passes the time.
fn left(instructions: &str) -> String {
    let text = format!(
        "global @x size 8 align 8 = \"\"\nglobal @c size 16 align 8 constant = \"\"\ndeclare @pause(ptr) -> i32\ndeclare @look(ptr) -> i32\nfunction @f() -> i32 {{\n  \
         slot s0 size 16 align 8\nb0:\n{instructions}\n}}\n"
    );
    let mut module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()), "{text}");
    remove_idle_calls(&mut module, |name, _| name == "pause");
    assert_eq!(validate(&module), Ok(()), "{module}");
    let id = module.function_named("f").expect("it is there");
    let printed = module.display_function(id).to_string();
    let lines =
        printed.lines().map(str::trim).filter(|line| !line.starts_with(['s', 'f', '}']) || line.starts_with("store"));
    lines.collect::<Vec<_>>().join("\n")
}

const VARIABLE: &str = "%0:ptr = alloca s0\nmemset %0, 0:i8, 16:i64\n%1:ptr = offset %0 + 8\nstore %1, 7:i64 align 8\n\
                        %2:i32 = call @pause(%0)\n";

#[test]
fn a_variable_goes_with_the_call_and_the_result_is_zero() {
    assert_eq!(left(&format!("{VARIABLE}return %2")), "b0:\nreturn 0:i32");
}

#[test]
fn what_else_looks_at_a_variable_keeps_it() {
    let keeps = |use_of_it: &str| {
        let left = left(&format!("{VARIABLE}{use_of_it}\nreturn 0:i32"));
        assert!(
            !left.contains("@pause") && left.contains("alloca s0") && left.contains("memset"),
            "{use_of_it}: {left}"
        );
    };
    keeps("%3:i64 = load %1 align 8");
    keeps("%3:i32 = call @look(%1)");
    keeps("store @x, %1 align 8");
    keeps("store %1, %0 align 8");
    keeps("store %1, 1:i64 align 8 monotonic");
    keeps("%3:i64 = rmw.add %1, 1:i64 seq_cst");
}

#[test]
fn a_write_beyond_a_variable_is_kept() {
    let beyond = VARIABLE.replace("+ 8", "+ 12");
    assert!(left(&format!("{beyond}return 0:i32")).contains("store"));
    let longer = VARIABLE.replace("16:i64", "17:i64");
    assert!(left(&format!("{longer}return 0:i32")).contains("memset"));
}

#[test]
fn a_variable_that_no_pause_was_given_stays() {
    assert!(left("%0:ptr = alloca s0\nstore %0, 1:i64 align 8\nreturn 0:i32").contains("store"));
}

#[test]
fn what_is_copied_from_a_constant_goes_and_other_copies_stay() {
    let copied = |from: &str, length: u32| {
        left(&format!("%0:ptr = alloca s0\nmemcpy %0, {from}, {length}:i64\n%1:i32 = call @pause(%0)\nreturn %1"))
    };
    assert_eq!(copied("@c", 16), "b0:\nreturn 0:i32");
    assert!(copied("@c+8", 16).contains("memcpy"));
    assert!(copied("@x", 8).contains("memcpy"));
}
