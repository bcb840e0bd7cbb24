//! Every rule of the validator is broken once, and noticed.

use everyway_ir::{parse, validate};

/// The message about the only thing that is wrong with `text`.
fn violation(text: &str) -> String {
    let module = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let violations = validate(&module).expect_err(text);
    assert_eq!(violations.len(), 1, "{violations:?}");
    violations[0].to_string()
}

/// A function that takes an `i32` and a pointer, with this inside.
fn within(body: &str) -> String {
    format!("declare @f() -> i32\nfunction @g(%0:i32, %1:ptr) -> i32 {{\n{body}\n}}\n")
}

#[test]
fn rules_about_modules() {
    let cases = [
        ("global @a size 1 align 1\ndeclare @a()", "two things are called `a`"),
        ("global @a size 1 align 1 weak = \"\"", "defined and weak"),
        ("global @a size 1 align 3", "no power of two"),
        ("global @a size 1 align 1 = \"ab\"", "exceed its size"),
        ("global @a size 8 align 1 = \"\", 4: @a+0", "is not inside it"),
        ("global @a size 32 align 1 = \"\", 4: @a+0, 8: @a+0", "overlap"),
        ("global @a size 1 align 1 type t3", "no debug type t3"),
        ("global @a size 1 align 1 at f0:1:1", "no file f0"),
        ("type t0 = array t1 stride 1 count 1", "no debug type t1"),
    ];
    for (text, expected) in cases {
        let message = violation(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn rules_about_bodies() {
    let cases = [
        ("b0:\n assume %0\n return %0", "the condition is i32, not i1"),
        ("b0:\n assume 1:i1 in %0\n return %0", "the round is i32, not i64"),
        ("b0:\n %2:i32 = new_round\n return %0", "the results are [i32], not [i64]"),
        ("b0:\n %2:i32 = await load %1 align 4 until (eq 0:i8)\n return %0", "what is waited for is i8, not i32"),
        ("b0:\n %2:i32 = await load %1 align 4 until (mask 0:i8 eq 0:i32)\n return %0", "a mask is i8, not i32"),
        ("b0:\n %2:f32 = await load %1 align 4 until (eq 0:i32)\n return %0", "nothing can wait for an f32"),
        ("b0:\n %2:i32 = await load %1 align 3 until (eq 0:i32)\n return %0", "no power of two"),
        ("b0:\n await store %1, 0:i32 align 4 until (eq 0:i32)\n return %0", "can wait"),
        ("b0:\n %2:i32 = await load %0 align 4 until (eq 0:i32)\n return %0", "the address is i32, not ptr"),
        ("b0:\n return %2", "no register %2"),
        ("b0:\n jump b1", "no block b1"),
        ("b0:\n %2:ptr = alloca s0\n return 0:i32", "no slot s0"),
        ("b0:\n jump b0", "goes back to the entry"),
        ("b0:\n jump b1\nb1:\n %2:i32 = phi b1: 0:i32\n return %2", "the predecessors are [b0]"),
        ("b0:\n jump b1\nb1:\n %2:i32 = phi b0: 0:i32, b0: 1:i32\n return %2", "the predecessors are [b0]"),
        ("b0:\n %2:i32 = add %3, 1:i32\n %3:i32 = add %2, 1:i32\n return %3", "%3 is used where"),
        (
            "b0:\n branch 1:i1, b1, b2\nb1:\n %2:i32 = add %0, 1:i32\n jump b2\nb2:\n return %2",
            "%2 is used where its assignment in b1",
        ),
        ("b0:\n switch %0, b1, 1: b1, 1: b1\nb1:\n return 0:i32", "case 1 occurs twice"),
        ("b0:\n switch %0, b1, 4294967296: b1\nb1:\n return 0:i32", "no value of the type"),
    ];
    for (body, expected) in cases {
        let message = violation(&within(body));
        assert!(message.contains(expected) && message.contains("in `g`"), "{body}: {message}");
    }
}

#[test]
fn rules_about_types() {
    let cases = [
        ("%2:i64 = add %0, %0", "an operand is i32, not i64"),
        ("%2:f32 = add 1.0:f32, 1.0:f32", "no type for this operation"),
        ("%2:i32 = fadd %0, %0", "no type for this operation"),
        ("%2:i1 = cmp.eq %0, 1:i64", "the right operand"),
        ("%2:i1 = cmp.eq 1.0:f32, 1.0:f32", "cannot be compared"),
        ("%2:i32 = cmp.eq %0, %0", "the results"),
        ("%2:i16 = zext %0", "zext from i32 to i16"),
        ("%2:i32 = ptrtoint %1", "ptrtoint from ptr to i32"),
        ("%2:i32 = select %0, %0, %0", "the condition is i32"),
        ("%2:i32 = load %0 align 4", "the address is i32"),
        ("%2:i32 = load %1 align 3", "no power of two"),
        ("%2:ptr = offset %1 + 0 + %0 * 4", "the index is i32"),
        ("%2:i32 = cmpxchg %1, %0, %0 seq_cst seq_cst", "the results"),
        ("%2:i32 = rmw.fadd %1, %0 seq_cst", "fadd on i32"),
        ("memset %1, %0, 1:i64", "the byte is i32"),
        ("memcpy %1, %1, %0", "the length is i32"),
        ("call @f()", "the results"),
        ("%2:i32 = fabs %0", "no type for this operation"),
    ];
    for (instruction, expected) in cases {
        let message = violation(&within(&format!("b0:\n {instruction}\n return 0:i32")));
        assert!(message.contains(expected), "{instruction}: {message}");
    }
    assert!(violation(&within("b0:\n return")).contains("wrong number of values"));
    assert!(violation(&within("b0:\n return %1")).contains("a returned value is ptr"));
    assert!(violation(&within("b0:\n branch %0, b1, b1\nb1:\n unreachable")).contains("the condition"));
}

#[test]
fn unreachable_blocks_are_no_violation() {
    let text = within("b0:\n return %0\nb1:\n %2:i32 = add %2, 1:i32\n jump b1");
    assert_eq!(validate(&parse(&text).expect("it parses")), Ok(()));
}
