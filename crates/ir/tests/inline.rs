//! Functions in the place of their calls.

use everyway_ir::{Called, Clock, Environment, Module, Races, Unordered, inline, parse, validate};

const ENVIRONMENT: Environment = Environment {
    unordered: Unordered { plain: Races::Fail, volatile: Races::Interleave },
    must_be_called: |name| match name {
        "stays" => Called::Seen,
        "makes" => Called::UnseenOfVariables,
        _ => Called::Unseen,
    },
    throws: |name| name == "throw",
    clock: |name| (name == "clock").then_some(Clock::Writes(0)),
    ..Environment::NOTHING
};

/// The function `f` with what it calls, without its first and last line.
fn inlined(text: &str) -> String {
    let mut module: Module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()));
    inline(&mut module, &ENVIRONMENT);
    assert_eq!(validate(&module), Ok(()), "{module}");
    let id = module.function_named("f").expect("it is there");
    let printed = module.display_function(id).to_string();
    printed.lines().skip(1).filter(|line| *line != "}").map(str::trim).collect::<Vec<_>>().join("\n")
}

const HELPERS: &str = "file f0 = \"a.c\"\ndeclare @use(ptr)\n\
    function @next(%0:i32 \"n\") -> i32 {\nb0:\n %1:i32 \"m\" = add %0, 1:i32 at f0:3:1\n return %1 at f0:4:1\n}\n\
    function @choose(%0:i1) -> i32 {\nb0:\n branch %0, b1, b2\nb1:\n return 1:i32\nb2:\n return 2:i32\n}\n\
    function @set(%0:ptr) {\nb0:\n store %0, 5:i32 align 4\n return\n}\n\
    function @keeps(%0:i32) -> i32 {\n slot s0 size 4 align 4\nb0:\n %1:ptr = alloca s0\n call @use(%1)\n return %0\n}\n\
    function @again(%0:i32) -> i32 {\nb0:\n %1:i32 = call @again(%0)\n return %1\n}\n\
    function @stays(%0:i32) -> i32 {\nb0:\n return %0\n}\n\
    function @never() -> i32 {\nb0:\n unreachable\n}\n";

fn with_helpers(body: &str) -> String {
    inlined(&format!("{HELPERS}function @f(%0:i32, %1:i1) -> i32 {{\n{body}\n}}\n"))
}

#[test]
fn a_straight_function_becomes_part_of_the_block() {
    let text = with_helpers("b0:\n %2:i32 = call @next(%0) at f0:9:1\n %3:i32 = call @next(%2)\n return %3");
    // Places and names are those of the function, and the call is known if its place is: c0 is the call, c1 the return.
    assert_eq!(
        text,
        "b0:\n%2:i32 \"m\" = add %0, 1:i32 at f0:3:1 in c2\n%3:i32 \"m\" = add %2, 1:i32 at f0:3:1\nreturn %3"
    );
}

#[test]
fn several_returns_are_a_phi() {
    let text = with_helpers("b0:\n %2:i32 = call @choose(%1)\n %3:i32 = add %2, %0\n return %3");
    assert!(text.contains("%2:i32 = phi b1: 1:i32, b2: 2:i32\n%3:i32 = add %2, %0\nreturn %3"), "{text}");
}

#[test]
fn phis_behind_a_call_know_where_control_comes_from() {
    let body = "b0:\n branch %1, b1, b2\nb1:\n %2:i32 = call @choose(%1)\n jump b2\nb2:\n %3:i32 = phi b0: 7:i32, b1: %2\n return %3";
    let text = with_helpers(body);
    assert!(text.contains("phi b0: 7:i32, b"), "{text}");
}

#[test]
fn what_is_passed_by_its_address_becomes_a_register() {
    let text = inlined(&format!(
        "{HELPERS}function @f(%0:i32, %1:i1) -> i32 {{\n slot s0 size 4 align 4 named \"v\"\nb0:\n %2:ptr = alloca s0\n \
         call @set(%2)\n %3:i32 = load %2 align 4\n return %3\n}}\n"
    ));
    assert_eq!(text, "b0:\nreturn 5:i32");
}

/// What a constructor makes is known by the call, unless it is a variable.
#[test]
fn constructors_of_variables_become_part_of_their_callers() {
    let makes = "function @makes(%0:ptr) {\nb0:\n store %0, 5:i32 align 4\n return\n}\ndeclare @new() -> ptr\n";
    let text = inlined(&format!(
        "{makes}function @f(%0:i32, %1:i1) -> i32 {{\n slot s0 size 4 align 4 named \"v\"\nb0:\n %2:ptr = alloca s0\n \
         call @makes(%2)\n %3:i32 = load %2 align 4\n return %3\n}}\n"
    ));
    assert_eq!(text, "b0:\nreturn 5:i32");
    let body = "b0:\n %2:ptr = call @new()\n call @makes(%2)\n return %0";
    let text = inlined(&format!("{makes}function @f(%0:i32, %1:i1) -> i32 {{\n{body}\n}}\n"));
    assert!(text.contains("call @makes(%2)"), "{text}");
}

#[test]
fn some_functions_stay() {
    for name in ["keeps", "again", "stays"] {
        let text = with_helpers(&format!("b0:\n %2:i32 = call @{name}(%0)\n return %2"));
        assert_eq!(text, format!("b0:\n%2:i32 = call @{name}(%0)\nreturn %2"));
    }
    // Called with something else than it takes.
    let text = with_helpers("b0:\n %2:i32 = call @next(%0, %1)\n return %2");
    assert!(text.contains("call @next"), "{text}");
}

#[test]
fn nobody_comes_back_from_where_control_does_not_return() {
    let text = with_helpers("b0:\n %2:i32 = call @never()\n %3:i32 = add %2, 1:i32\n return %3");
    assert_eq!(text, "b0:\nunreachable");
}

#[test]
fn what_constants_decide_is_decided() {
    let text = with_helpers("b0:\n %2:i32 = call @choose(1:i1)\n %3:i32 = add %2, 4:i32\n return %3");
    assert_eq!(text, "b0:\nreturn 5:i32");
    let body = "b0:\n %2:i8 = trunc 257:i32\n %3:i32 = sext %2\n switch %3, b1, 1: b2, 7: b1\nb1:\n jump b3\nb2:\n jump b3\nb3:\n \
                %4:i32 = phi b1: 10:i32, b2: 20:i32\n %5:i1 = cmp.slt %4, -1:i32\n %6:i32 = select %5, %0, %4\n return %6";
    assert_eq!(with_helpers(body), "b0:\nreturn 20:i32");
    // What is not known stays, and so does what could fail.
    let body = "b0:\n %2:i32 = udiv 1:i32, 0:i32\n %3:i32 = add %2, undef:i32\n return %3";
    assert_eq!(with_helpers(body), "b0:\n%2:i32 = udiv 1:i32, 0:i32\n%3:i32 = add %2, undef:i32\nreturn %3");
}

#[test]
fn the_headers_of_two_loops_stay_two() {
    let body = "b0:\n jump b1\nb1:\n jump b2\nb2:\n branch %1, b2, b3\nb3:\n %2:i32 = call @next(%0)\n %3:i1 = cmp.eq %2, %0\n \
                branch %3, b1, b4\nb4:\n return 0:i32";
    let text = with_helpers(body);
    assert!(text.contains("b1:\njump b2\nb2:\nbranch %1, b2, b4"), "{text}");
}

/// Functions that ask what time it is are put where they are called with their variables, which begin and end there as they did.
#[test]
fn variables_for_a_time_become_those_of_the_caller() {
    let now = "declare @clock(ptr)\nfunction @now() -> i64 {\n slot s0 size 16 align 8\nb0:\n %0:ptr = alloca s0\n \
               call @clock(%0)\n %1:i64 = load %0 align 8\n return %1\n}\n";
    let text = inlined(&format!(
        "{now}function @f(%0:i64, %1:i1) -> i64 {{\nb0:\n jump b1\nb1:\n %2:i64 = call @now()\n \
         %3:i1 = cmp.slt %2, %0\n branch %3, b1, b2\nb2:\n return %2\n}}\n"
    ));
    let begins = text.find("scope_begins").expect("it begins");
    let ends = text.find("scope_ends").expect("it ends");
    let call = text.find("call @clock").expect("it is called");
    assert!(text.starts_with("b0:\n%2:ptr = alloca s0\njump b1") || text.contains("alloca s0\njump b1"), "{text}");
    assert!(begins < call && call < ends, "{text}");
}

/// An exception that leaves what was put in the place of a call comes to the landing pad that it came to before.
#[test]
fn what_throws_is_asked_about_where_it_is_called() {
    let unlock = "declare @throw()\ndeclare @__everyway_unwinds(i32) -> i1\nfunction @unlock(%0:i1) -> i32 {\nb0:\n \
                  branch %0, b1, b2\nb1:\n call @throw()\n unreachable\nb2:\n return 3:i32\n}\n";
    let text = inlined(&format!(
        "{unlock}function @f(%0:i32, %1:i1) -> i32 {{\nb0:\n %2:i32 = call @unlock(%1)\n \
         %3:i1 = call @__everyway_unwinds(1:i32)\n branch %3, b1, b2\nb1:\n return %0\nb2:\n return %2\n}}\n"
    ));
    assert!(!text.contains("call @unlock"), "{text}");
    assert!(text.contains("call @throw()\n%") && text.contains(":i1 = call @__everyway_unwinds(1:i32)"), "{text}");
}
