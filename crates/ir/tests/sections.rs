//! Atomic sections: what they touch, and awaits before them.

mod common;

use common::prepared;
use everyway_ir::{Environment, LockRole, Module, Races, Touch, Unordered, known_sections, parse, validate};

const ENVIRONMENT: Environment = Environment {
    is_assumption: |name| name == "__VERIFIER_assume",
    lock_role: |name| match name {
        "begin" => Some(LockRole::Begins),
        "end" => Some(LockRole::Ends),
        _ => None,
    },
    is_section: |name| name.starts_with("atomic_"),
    touches_nothing: |name| name == "abort",
    ..Environment::NOTHING
};

const PRELUDE: &str = "global @count size 4 align 4 = \"\"\nglobal @done size 1 align 1 = \"\"\n\
                       global @x size 16 align 4 = \"\"\nglobal @p size 8 align 8 = \"\"\n\
                       global @pointer size 8 align 8 = \"\", 0: @count+0\n\
                       declare @begin()\ndeclare @end()\ndeclare @abort()\ndeclare @__VERIFIER_assume(i32)\n\
                       declare @unknown()\n";

fn parsed(functions: &str) -> Module {
    let module: Module = parse(&format!("{PRELUDE}{functions}")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()));
    module
}

/// The awaits of `main` before its first section, with this in its first block.
fn awaited(first: &str, environment: Environment) -> Vec<String> {
    awaited_in(first, "b1:\ncall @abort()\nunreachable\nb2:\nreturn 0:i32", environment)
}

/// The same with the rest of the program.
fn awaited_in(first: &str, rest: &str, environment: Environment) -> Vec<String> {
    let text = format!("{PRELUDE}function @main() -> i32 {{\nb0:\n{first}\n{rest}\n}}\n");
    let lines = prepared(&text, "main", environment).into_iter();
    let before = lines.take_while(|line| !line.starts_with("call @begin"));
    before.filter_map(|line| Some(line.split_once("await ")?.1.to_owned())).collect()
}

const COUNTED: &str = "call @begin()\n%0:i32 = load @count align 4\n%1:i1 = cmp.eq %0, 2:i32\n%2:i8 = zext %1\n";

#[test]
fn what_is_assumed_after_a_section_is_waited_for_before_it() {
    let expected = ["load @count align 4 until (eq 2:i32)"];
    // By way of a variable, and of a register.
    let variable =
        "store @done, %2 align 1\ncall @end()\n%3:i8 = load @done align 1\n%4:i1 = trunc %3\nbranch %4, b2, b1";
    assert_eq!(awaited(&format!("{COUNTED}{variable}"), ENVIRONMENT), expected);
    let register = "call @end()\n%3:i1 = trunc %2\nbranch %3, b2, b1";
    assert_eq!(awaited(&format!("{COUNTED}{register}"), ENVIRONMENT), expected);
    let assumed = "call @end()\n%3:i32 = zext %1\ncall @__VERIFIER_assume(%3)\njump b2";
    assert_eq!(awaited(&format!("{COUNTED}{assumed}"), ENVIRONMENT), expected);
}

#[test]
fn what_a_section_changes_first_is_not_waited_for() {
    let counts = "call @begin()\nstore @count, 2:i32 align 4\n%0:i32 = load @count align 4\n%1:i1 = cmp.eq %0, 2:i32\n\
                  call @end()\nbranch %1, b2, b1";
    assert_eq!(awaited(counts, ENVIRONMENT), [""; 0]);
    // What was stored first is overwritten: it is the last store that counts.
    let part = "store @done, %2 align 1\nstore @done, 1:i8 align 1\ncall @end()\n%3:i8 = load @done align 1\n\
                %4:i1 = trunc %3\nbranch %4, b2, b1";
    assert_eq!(awaited(&format!("{COUNTED}{part}"), ENVIRONMENT), ["load @done align 1 until (mask 1:i8 ne 0:i8)"]);
    // Nor is what is read through a pointer, or anything if races are failures.
    let pointer = "call @begin()\n%0:ptr = load @p align 8\n%1:i32 = load %0 align 4\n%2:i1 = cmp.eq %1, 2:i32\n\
                   call @end()\nbranch %2, b2, b1";
    assert_eq!(awaited(pointer, ENVIRONMENT), [""; 0]);
    let register = "call @end()\n%3:i1 = trunc %2\nbranch %3, b2, b1";
    let races = Environment { unordered: Unordered { plain: Races::Fail, ..Unordered::INTERLEAVED }, ..ENVIRONMENT };
    assert_eq!(awaited(&format!("{COUNTED}{register}"), races), [""; 0]);
}

#[test]
fn what_could_be_noticed_before_it_is_ruled_out_is_not_waited_for() {
    let with = |inside: &str| {
        let end = "call @end()\n%3:i1 = trunc %2\nbranch %3, b2, b1";
        awaited(&format!("{COUNTED}{inside}\n{end}"), ENVIRONMENT)
    };
    let waits = ["load @count align 4 until (eq 2:i32)"];
    assert_eq!(with("%4:i32 = load @x+12 align 4"), waits);
    // Only `main` uses these: the second one is the last byte that is there.
    assert_eq!(with("store @done, 1:i8 align 1"), waits);
    assert_eq!(with("store @x+15, 1:i8 align 1"), waits);
    // Out of bounds, or through a pointer.
    for fails in [
        "store @x+13, 1:i32 align 1",
        "%4:i32 = load @x+16 align 4",
        "%4:i32 = load @x-1 align 1",
        "%4:ptr = load @p align 8\n%5:i32 = load %4 align 4",
        "%4:i64 = sext %0\n%5:ptr = offset @x + 0 + %4 * 4\n%6:i32 = load %5 align 4",
        "%4:i32 = udiv 7:i32, %0",
    ] {
        assert_eq!(with(fails), [""; 0], "{fails}");
    }
    // Another function reads it.
    let shared = format!("{COUNTED}store @shared, 1:i32 align 4\ncall @end()\n%3:i1 = trunc %2\nbranch %3, b2, b1");
    let reader = "b1:\ncall @abort()\nunreachable\nb2:\nreturn 0:i32\n}\nglobal @shared size 4 align 4 = \"\"\n\
                  function @reader() -> i32 {\nb0:\n%0:i32 = load @shared align 4\nreturn %0";
    assert_eq!(awaited_in(&shared, reader, ENVIRONMENT), [""; 0]);
}

/// What the sections of the function touch, by name.
fn touched(functions: &str) -> Option<Vec<Vec<(String, Touch)>>> {
    let module = parsed(functions);
    let sections = known_sections(&module, &ENVIRONMENT)?;
    let names = |touched: &std::collections::BTreeMap<_, _>| {
        touched.iter().map(|(&id, &touch)| (module.global(id).name.clone(), touch)).collect()
    };
    Some(sections.iter().map(|section| names(&section.touched)).collect())
}

fn function(body: &str) -> String {
    format!("function @f(%0:i64) {{\nb0:\n{body}\n}}\n")
}

#[test]
fn what_sections_touch() {
    use Touch::{Reads, Writes};
    let of = |body: &str| touched(&function(body));
    let named = |list: &[(&str, Touch)]| list.iter().map(|&(name, touch)| (name.to_owned(), touch)).collect::<Vec<_>>();
    // What is read and then written is written; elements are in their array; nothing after the end counts.
    let plain = "call @begin()\n%1:i32 = load @count align 4\n%2:ptr = offset @x + 0 + %0 * 4\nstore %2, %1 align 4\n\
                 store @count, 1:i32 align 4\ncall @end()\nstore @done, 1:i8 align 1\nreturn";
    assert_eq!(of(plain), Some(vec![named(&[("count", Writes), ("x", Writes)])]));
    // On every path, and in sections inside.
    let paths = "call @begin()\n%1:i32 = load @count align 4\n%2:i1 = trunc %1\nbranch %2, b1, b2\nb1:\ncall @abort()\nunreachable\n\
                 b2:\ncall @begin()\nstore @done, 1:i8 align 1\ncall @end()\n%3:i32 = load @x align 4\ncall @end()\nreturn";
    let inner = named(&[("done", Writes)]);
    assert_eq!(of(paths), Some(vec![named(&[("count", Reads), ("done", Writes), ("x", Reads)]), inner]));
}

#[test]
fn what_a_pointer_points_to_that_is_only_loaded_through_is_touched() {
    let main = "function @main() -> i32 {\nb0:\ncall @f(0:i64)\nreturn 0:i32\n}\n";
    let with = |more: &str| {
        let body = format!(
            "call @begin()\nstore @p, @done align 8\ncall @end()\ncall @begin()\n%1:ptr = load @p align 8\n\
             %2:i8 = load %1 align 1\n{more}\ncall @end()\nreturn"
        );
        let sections = touched(&format!("{}{main}", function(&body)))?;
        Some(sections[1].iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())
    };
    assert_eq!(with(""), Some(vec!["done".to_owned(), "p".to_owned()]));
    assert_eq!(with("store @done, %2 align 1"), Some(vec!["done".to_owned(), "p".to_owned()]));
    // Others may have it; it points into something larger; it is stored through.
    assert_eq!(with("store @x, %1 align 4"), None);
    assert_eq!(with("store @p, @x+4 align 8"), None);
    assert_eq!(with("store %1, 1:i8 align 1"), None);
}

#[test]
fn what_is_not_known_of_one_section_is_known_of_none() {
    let with = |inside: &str| touched(&function(&format!("call @begin()\n{inside}\ncall @end()\nreturn")));
    assert_eq!(with("%1:i32 = load @x align 4").map(|sections| sections.len()), Some(1));
    assert_eq!(with("%1:ptr = load @p align 8\nstore %1, 1:i32 align 4"), None);
    assert_eq!(with("call @unknown()"), None);
    assert_eq!(with("call @g()\nreturn\n}\nfunction @g() {\nb0:\ncall @end()"), None, "it ends elsewhere");
    let called = "call @g()\ncall @end()\nreturn\n}\nfunction @g() {\nb0:\nstore @done, 1:i8 align 1\nreturn";
    let known = touched(&function(&format!("call @begin()\n{called}")));
    assert_eq!(known, Some(vec![vec![("done".to_owned(), Touch::Writes)]]));
    let marks = "global @mark size 8 align 8 = \"\", 0: @begin+0\n";
    let plain = function("call @begin()\n%1:i32 = load @x align 4\ncall @end()\nreturn");
    assert_eq!(touched(&format!("{marks}{plain}")), None, "one that is called by a pointer may begin anywhere");
    // What is never called does not count.
    let uncalled = "function @g(%0:ptr) {\nb0:\ncall @begin()\nstore %0, 1:i32 align 4\ncall @end()\nreturn\n}\n";
    let main = "function @main() -> i32 {\nb0:\ncall @f(0:i64)\nreturn 0:i32\n}\n";
    assert_eq!(touched(&format!("{plain}{uncalled}")), None);
    assert_eq!(touched(&format!("{plain}{uncalled}{main}")).map(|sections| sections.len()), Some(1));
    // A function that is a section as a whole has to say so inside.
    assert_eq!(touched("function @atomic_add() {\nb0:\nstore @done, 1:i8 align 1\nreturn\n}\n"), None);
}
