//! Atomic sections do what they have to, and no more: what is left of them.

mod common;

use common::prepared;
use everyway_ir::{Environment, LockRole, Races, Unordered};

const ENVIRONMENT: Environment = Environment {
    lock_role: |name| match name {
        "begin" => Some(LockRole::Begins),
        "end" => Some(LockRole::Ends),
        _ => None,
    },
    touches_nothing: |name| matches!(name, "abort" | "input"),
    gives_input: |name| name == "input",
    ..Environment::NOTHING
};

/// What other threads do with the variables: all of it is read, and `x` and `y` are written.
const OTHERS: &str = "global @x size 4 align 4 = \"\"\nglobal @y size 4 align 4 = \"\"\nglobal @b size 1 align 1 = \"\"\n\
                      global @c size 4 align 4 = \"\\07\"\nglobal @d size 4 align 4 = \"\\07\"\n\
                      global @a size 8 align 4 = \"\"\n\
                      declare @begin()\ndeclare @end()\ndeclare @abort()\ndeclare @input() -> i32\n\
                      function @others(%0:i32, %1:i1) -> i32 {\nb0:\nstore @x, %0 align 4\nstore @y, %0 align 4\n\
                      %13:i32 = call @input()\n%14:i1 = cmp.eq %13, 0:i32\n%2:i8 = zext %14\nstore @b, %2 align 1\n%3:i32 = load @x align 4\n%4:i32 = load @y align 4\n\
                      %5:i8 = load @b align 1\n%6:i32 = add %3, %4\n%7:i32 = zext %5\n%8:i32 = add %6, %7\n\
                      %9:i32 = load @c align 4\n%10:i32 = load @d align 4\n%11:i32 = add %9, %10\n\
                      %12:i32 = add %8, %11\nreturn %12\n}\n\
                      function @main() -> i32 {\nb0:\n%0:i32 = call @input()\n%1:i32 = call @others(%0, 1:i1)\n\
                      return %1\n}\n";

fn left_in(body: &str, environment: Environment) -> Vec<String> {
    let text = format!("{OTHERS}function @f(%0:i32) -> i32 {{\nb0:\n{body}\n}}\n");
    let lines = prepared(&text, "f", environment).into_iter();
    lines.filter(|line| !line.ends_with(':')).collect()
}

/// What is left of a function with one parameter.
fn left(body: &str) -> Vec<String> {
    left_in(body, ENVIRONMENT)
}

fn section(inside: &str) -> String {
    format!("call @begin()\n{inside}\ncall @end()\nreturn 0:i32")
}

#[test]
fn what_a_section_writes_and_reads_again_is_in_registers() {
    let twice =
        section("store @x, %0 align 4\n%1:i32 = load @x align 4\nstore @y, %1 align 4\nstore @x, 5:i32 align 4");
    let expected = ["call @begin()", "store @y, %0 align 4", "store @x, 5:i32 align 4", "call @end()", "return 0:i32"];
    assert_eq!(left(&twice), expected);
}

#[test]
fn what_is_stored_where_it_was_loaded_is_not_stored() {
    assert_eq!(left(&section("%1:i32 = load @x align 4\nstore @x, %1 align 4")), ["return 0:i32"]);
    // On one way or the other: a truth that is taken apart and put together again.
    let chosen = "%1:i8 = load @b align 1\n%2:i1 = cmp.eq %0, 1:i32\nbranch %2, b1, b2\n\
                  b1:\n%3:i8 = load @b align 1\n%4:i1 = trunc %3\n%5:i32 = zext %4\njump b3\n\
                  b2:\n%6:i1 = trunc %1\n%7:i32 = zext %6\njump b3\n\
                  b3:\n%8:i32 = phi b1: %5, b2: %7\n%9:i1 = cmp.ne %8, 0:i32\n%10:i8 = zext %9\n\
                  store @b, %10 align 1\ncall @end()\nreturn 0:i32";
    let left = left(&format!("call @begin()\n{chosen}"));
    // Whether the parameter has a value is found out where it decides.
    assert!(!left.iter().any(|line| line.contains("@b")), "{left:?}");
    assert!(left.iter().any(|line| line.starts_with("branch")), "{left:?}");
}

#[test]
fn what_never_changes_is_a_constant() {
    // `c` and `d` are copied to each other, and cleared by what they hold.
    let copies = section(
        "%1:i32 = load @c align 4\nstore @d, %1 align 4\n%2:i32 = load @d align 4\n%3:i32 = sub %2, %1\n\
         %4:i1 = cmp.eq %3, 0:i32\n%5:i32 = select %4, %2, %0\nstore @c, %5 align 4\nstore @x, %5 align 4",
    );
    assert_eq!(left(&copies), ["store @x, 7:i32 align 4", "return 0:i32"]);
}

#[test]
fn what_nobody_reads_is_not_stored() {
    let own = format!(
        "call @begin()\n%1:i32 = call @input()\nstore @z, %1 align 4\nstore @x, %0 align 4\ncall @end()\nreturn 0:i32\n}}\n\
         global @z size 4 align 4 = \"\"\nfunction @g(){}",
        " {\nb0:\nstore @z, 1:i32 align 4\nreturn"
    );
    assert_eq!(left(&own), ["%1:i32 = call @input()", "store @x, %0 align 4", "return 0:i32"]);
}

#[test]
fn what_may_lead_to_memory_is_stored() {
    let own = "global @p size 8 align 8 = \"\"\ndeclare @memory() -> ptr\n\
               function @g() {\nb0:\n%0:ptr = call @memory()\nstore @p, %0 align 8\nreturn\n";
    let body = format!("call @begin()\nstore @p, null align 8\ncall @end()\nreturn 0:i32\n}}\n{own}");
    assert_eq!(left(&body)[0], "store @p, null align 8");
}

#[test]
fn a_section_that_adds_is_an_addition() {
    let adds =
        |operation: &str| left(&section(&format!("%1:i32 = load @x align 4\n{operation}\nstore @x, %2 align 4")));
    assert_eq!(adds("%2:i32 = add %1, 1:i32"), ["%1:i32 = rmw.add @x, 1:i32 seq_cst", "return 0:i32"]);
    assert_eq!(adds("%2:i32 = sub %1, 3:i32"), ["%1:i32 = rmw.sub @x, 3:i32 seq_cst", "return 0:i32"]);
    // What is not known beforehand, and what is looked at.
    assert_eq!(adds("%2:i32 = add %1, %0").len(), 6);
    let looks =
        "call @begin()\n%1:i32 = load @x align 4\n%2:i32 = add %1, 1:i32\nstore @x, %2 align 4\ncall @end()\nreturn %1";
    assert_eq!(left(looks).len(), 6);
}

#[test]
fn what_could_be_noticed_stays() {
    let stays = |body: &str| {
        let left = left(body);
        let count = |what: &str| left.iter().filter(|line| line.contains(what)).count();
        (count("begin"), count("load"), count("store"))
    };
    // Out of bounds; and elements that are accessed in two sizes.
    assert_eq!(stays(&section("%1:i32 = load @x+4 align 4\nstore @y, 1:i32 align 4")), (1, 1, 1));
    let sizes = "store @a, 1:i64 align 4\n%1:i32 = load @a align 4\nstore @a+4, %1 align 4";
    assert_eq!(stays(&section(sizes)), (1, 1, 2));
    // Elements are no scalars, but may be copied.
    let elements = "store @a, 1:i32 align 4\nstore @a+4, 2:i32 align 4\n%1:i32 = load @a align 4\nstore @x, %1 align 4";
    assert_eq!(stays(&section(elements)), (1, 0, 3));
    // Without an end, in a loop, through a pointer, or with a call that could do anything.
    assert_eq!(stays("call @begin()\nstore @x, 1:i32 align 4\nstore @x, 2:i32 align 4\nreturn 0:i32"), (1, 0, 2));
    let polls = "jump b1\nb1:\ncall @begin()\n%1:i32 = load @x align 4\n%2:i1 = cmp.eq %1, 1:i32\nbranch %2, b2, b3\n\
                 b2:\nstore @x, 2:i32 align 4\ncall @end()\nreturn 0:i32\nb3:\ncall @end()\njump b1";
    assert_eq!(stays(polls).2, 1);
    let calls = "store @x, 1:i32 align 4\nstore @x, 2:i32 align 4\n%1:i32 = call @others(%0, 0:i1)";
    assert_eq!(stays(&section(calls)).0, 1);
    // Where races are failures.
    let races = Environment { unordered: Unordered { plain: Races::Fail, ..Unordered::INTERLEAVED }, ..ENVIRONMENT };
    let same = section("%1:i32 = load @x align 4\nstore @x, %1 align 4");
    assert_eq!(left_in(&same, races).len(), 5);
}

#[test]
fn where_the_execution_ends_nothing_is_stored() {
    let fails = "call @begin()\nstore @x, 1:i32 align 4\n%1:i32 = load @y align 4\n%2:i1 = cmp.eq %1, 3:i32\nbranch %2, b1, b2\n\
                 b1:\ncall @abort()\nunreachable\nb2:\nstore @x, 2:i32 align 4\ncall @end()\nreturn 0:i32";
    let left = left(fails);
    assert_eq!(left.iter().filter(|line| line.contains("store")).collect::<Vec<_>>(), ["store @x, 2:i32 align 4"]);
}

#[test]
fn what_is_stored_before_the_execution_is_ruled_out_is_not_seen() {
    let marks = |body: &str| left(body).iter().filter(|line| line.contains("begin")).count();
    let decides = |before: &str, after: &str| {
        format!(
            "%1:i1 = cmp.eq %0, 1:i32\ncall @begin()\n{before}branch %1, b1, b2\nb1:\ncall @abort()\nunreachable\n\
             b2:\n{after}call @end()\nreturn 0:i32"
        )
    };
    let adds = "%2:i32 = load @x align 4\n%3:i32 = add %2, 1:i32\nstore @x, %3 align 4\n";
    let store = "store @x, 1:i32 align 4\n";
    assert_eq!([store, adds].map(|access| marks(&decides(access, ""))), [1, 1]);
    assert_eq!(marks(&decides("", store)), 0);
    // What is only loaded is seen by nobody else; and an input is what there is no matter what.
    let loads = "call @begin()\n%1:i32 = load @x align 4\n%2:i1 = cmp.eq %1, 1:i32\nbranch %2, b1, b2\n\
                 b1:\ncall @abort()\nunreachable\nb2:\ncall @end()\nreturn 0:i32";
    assert_eq!(marks(loads), 0);
    assert_eq!(marks("call @begin()\nstore @x, 1:i32 align 4\n%1:i32 = call @input()\ncall @end()\nreturn %1"), 0);
}

#[test]
fn what_is_computed_in_many_steps_is_not_followed_to_the_end() {
    let steps: String = (1..20_000).map(|step| format!("%{}:i32 = mul %{step}, 3:i32\n", step + 1)).collect();
    let long =
        format!("%1:i32 = call @input()\n{steps}store @x, %20000 align 4\n{}", section("store @y, 1:i32 align 4"));
    assert_eq!(left(&long).last().map(String::as_str), Some("return 0:i32"));
}
