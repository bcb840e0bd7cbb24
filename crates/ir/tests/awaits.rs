//! Awaits from assumes, on small functions.

use everyway_ir::{Module, Unordered, adopt_assumes, introduce_awaits, parse, sweep, validate};

/// The instructions of a function with this in its only block, with awaits.
fn awaited(body: &str) -> String {
    let text = format!(
        "global @x size 8 align 8 = \"\"\ndeclare @assume(i32)\nfunction @f(%0:i32, %1:i64, %2:i1) {{\nb0:\n{body}\nreturn\n}}\n"
    );
    let mut module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()));
    adopt_assumes(&mut module, &|name| name == "assume");
    assert_eq!(validate(&module), Ok(()), "{module}");
    introduce_awaits(&mut module, Unordered::INTERLEAVED);
    let id = module.function_named("f").expect("it is there");
    sweep(&mut module.functions[id.index()]);
    assert_eq!(validate(&module), Ok(()), "{module}");
    let printed = module.display_function(id).to_string();
    let lines = printed.lines().skip(2).map(str::trim).filter(|line| !matches!(*line, "}" | "return"));
    lines.collect::<Vec<_>>().join("\n")
}

/// What is waited for if this is computed from a load of an `i32`, %3, and assumed.
fn until(computation: &str) -> Option<String> {
    let text = awaited(&format!("%3:i32 = load @x align 4 seq_cst\n{computation}"));
    assert_ne!(text.contains("await"), text.contains("assume"), "{text}");
    Some(text.split_once(" until ")?.1.to_owned())
}

#[test]
fn relations_of_what_is_loaded() {
    let cases = [
        ("%4:i1 = cmp.eq %3, 1:i32\nassume %4", "(eq 1:i32)"),
        ("%4:i1 = cmp.slt %0, %3\nassume %4", "(sgt %0)"),
        ("%4:i1 = cmp.eq %3, 1:i32\n%5:i1 = xor %4, 1:i1\nassume %5", "(ne 1:i32)"),
        ("%4:i32 = and %3, 4:i32\n%5:i1 = cmp.ne %4, 0:i32\nassume %5", "(mask 4:i32 ne 0:i32)"),
        ("%4:i1 = trunc %3\nassume %4", "(mask 1:i32 ne 0:i32)"),
        ("%4:i8 = trunc %3\n%5:i1 = cmp.ult %4, 7:i8\nassume %5", "(mask 255:i32 ult 7:i32)"),
        ("%4:i64 = sext %3\n%5:i1 = cmp.slt %4, -1:i64\nassume %5", "(slt -1:i32)"),
        ("%4:i64 = zext %3\n%5:i1 = cmp.slt %4, 9:i64\nassume %5", "(ult 9:i32)"),
        (
            "%4:i1 = cmp.ugt %3, 1:i32\n%5:i1 = cmp.ne %3, 4:i32\n%6:i1 = and %4, %5\nassume %6",
            "(ugt 1:i32) and (ne 4:i32)",
        ),
        (
            "%4:i1 = cmp.ugt %3, 9:i32\n%5:i1 = cmp.eq %3, 4:i32\n%6:i1 = or %4, %5\nassume %6",
            "(ugt 9:i32 or eq 4:i32)",
        ),
        (
            "%4:i1 = cmp.ugt %3, 9:i32\n%5:i1 = cmp.eq %3, 4:i32\n%6:i1 = or %4, %5\n%7:i1 = xor %6, 1:i1\nassume %7",
            "(ule 9:i32) and (ne 4:i32)",
        ),
        (
            "%4:i1 = cmp.ugt %3, 9:i32\n%5:i1 = cmp.eq %3, 4:i32\n%6:i1 = select %4, 1:i1, %5\nassume %6",
            "(ugt 9:i32 or eq 4:i32)",
        ),
        ("%4:i1 = cmp.eq %3, 1:i32\n%5:i32 = zext %4\n%6:i1 = cmp.ne %5, 0:i32\nassume %6", "(eq 1:i32)"),
        ("%4:i1 = cmp.eq %3, 1:i32\n%5:i32 = zext %4\ncall @assume(%5)", "(eq 1:i32)"),
    ];
    for (computation, expected) in cases {
        assert_eq!(until(computation).as_deref(), Some(expected), "{computation}");
    }
}

#[test]
fn operands_are_computed_before_the_wait() {
    let ticket = "%3:i32 = load @x align 4 seq_cst\n%4:i32 = sub %3, %0\n%5:i1 = cmp.eq %4, 1:i32\nassume %5";
    assert_eq!(awaited(ticket), "%4:i32 = add 1:i32, %0\n%3:i32 = await load @x align 4 seq_cst until (eq %4)");
    let later = "%3:i32 = load @x align 4 seq_cst\n%4:i32 = mul %0, 3:i32\n%5:i1 = cmp.eq %3, %4\nassume %5";
    assert_eq!(awaited(later), "%4:i32 = mul %0, 3:i32\n%3:i32 = await load @x align 4 seq_cst until (eq %4)");
}

#[test]
fn what_is_not_decided_by_the_value_stays_an_assume() {
    let cases = [
        // About something else, or also about something else.
        "assume %2",
        "%4:i1 = cmp.eq %3, 1:i32\n%5:i1 = or %4, %2\nassume %5",
        // Both sides depend on the value.
        "%4:i32 = lshr %3, 16:i32\n%5:i32 = and %3, 65535:i32\n%6:i1 = cmp.eq %4, %5\nassume %6",
        // The order of numbers is lost by addition.
        "%4:i32 = add %3, 1:i32\n%5:i1 = cmp.ult %4, 3:i32\nassume %5",
        "%4:i8 = trunc %3\n%5:i1 = cmp.slt %4, 7:i8\nassume %5",
        "%4:i64 = zext %3\n%5:i1 = cmp.ult %4, %1\nassume %5",
    ];
    for computation in cases {
        assert_eq!(until(computation), None, "{computation}");
    }
}

#[test]
fn nothing_that_matters_may_be_between() {
    let between = |what: &str| {
        let body = format!("%3:i32 = load @x align 4 seq_cst\n{what}\n%5:i1 = cmp.eq %3, 1:i32\nassume %5");
        awaited(&body).contains("await")
    };
    assert!(between("%4:i32 = add %0, 1:i32"));
    for what in ["%4:i32 = load @x align 4", "%4:i32 = udiv 1:i32, %0", "store @x, %0 align 4\n%4:i32 = add %0, 0:i32"]
    {
        assert!(!between(what), "{what}");
    }
}

#[test]
fn several_assumes_are_one_wait() {
    let body = "%3:i32 = load @x align 4\n%4:i1 = cmp.ne %3, 1:i32\nassume %4\n%5:i1 = cmp.ne %3, 2:i32\nassume %5";
    assert_eq!(awaited(body), "%3:i32 = await load @x align 4 until (ne 1:i32) and (ne 2:i32)");
    // One that stays does not keep the next one from being a wait.
    let body = "%3:i32 = load @x align 4\nassume %2\n%4:i1 = cmp.ne %3, 2:i32\nassume %4";
    assert_eq!(awaited(body), "%3:i32 = await load @x align 4 until (ne 2:i32)\nassume %2");
}

#[test]
fn exchanges_wait() {
    let exchange = "%3:i32 = rmw.xchg @x, 1:i32 seq_cst\n%4:i1 = cmp.eq %3, 0:i32\nassume %4";
    assert_eq!(awaited(exchange), "%3:i32 = await rmw.xchg @x, 1:i32 seq_cst until (eq 0:i32)");
    let compare = "%3:i32, %4:i1 = cmpxchg @x, %0, 1:i32 seq_cst seq_cst\nassume %4";
    assert_eq!(awaited(compare), "%3:i32, %4:i1 = await cmpxchg @x, %0, 1:i32 seq_cst seq_cst until (eq %0)");
    let pointer = "%3:ptr = load @x align 8 seq_cst\n%4:i1 = cmp.ne %3, null\nassume %4";
    assert_eq!(awaited(pointer), "%3:ptr = await load @x align 8 seq_cst until (ne null)");
    // What is wider than a word is not waited for.
    let wide = "%3:i128 = load @x align 8 seq_cst\n%4:i1 = cmp.ne %3, 0:i128\nassume %4";
    assert!(!awaited(wide).contains("await"));
}
