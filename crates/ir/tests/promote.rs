//! Promotion of stack slots, on small functions.

use everyway_ir::{Module, parse, promote, validate};

/// The function after promotion, without its first and last line.
fn promoted(body: &str) -> String {
    let text = format!("declare @use(ptr)\nfunction @f(%0:i32, %1:i1) -> i32 {{\n{body}\n}}\n");
    let mut module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()));
    promote(&mut module.functions[1]);
    assert_eq!(validate(&module), Ok(()));
    let printed = module.display_function(everyway_ir::FunctionId(1)).to_string();
    assert_eq!(parse(&module.to_string()), Ok(module));
    printed.lines().skip(1).filter(|line| *line != "}").map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_variable_becomes_a_register() {
    let body = "slot s0 size 4 align 4 named \"x\"\nb0:\n %2:ptr = alloca s0\n store %2, %0 align 4\n \
                %3:i32 = load %2 align 4\n %4:i32 = add %3, 1:i32\n store %2, %4 align 4\n \
                %5:i32 = load %2 align 4\n return %5";
    assert_eq!(promoted(body), "b0:\n%2:i32 \"x\" = add %0, 1:i32\nreturn %2");
}

#[test]
fn an_uninitialised_read_stays_visible() {
    let body = "slot s0 size 4 align 4 named \"x\"\nb0:\n %2:ptr = alloca s0\n branch %1, b1, b2\nb1:\n \
                store %2, 1:i32 align 4\n jump b2\nb2:\n %3:i32 = load %2 align 4\n return %3";
    let expected = "b0:\nbranch %1, b1, b2\nb1:\njump b2\nb2:\n%2:i32 \"x\" = phi b0: undef:i32, b1: 1:i32\nreturn %2";
    assert_eq!(promoted(body), expected);
    let straight = "slot s0 size 4 align 4\nb0:\n %2:ptr = alloca s0\n %3:i32 = load %2 align 4\n return %3";
    assert_eq!(promoted(straight), "b0:\nreturn undef:i32");
}

#[test]
fn loops_get_phis_where_the_variable_is_live() {
    let body = "slot s0 size 4 align 4 named \"i\"\nslot s1 size 4 align 4 named \"dead\"\nb0:\n %2:ptr = alloca s0\n \
                %3:ptr = alloca s1\n store %2, 0:i32 align 4\n jump b1\nb1:\n %4:i32 = load %2 align 4\n \
                store %3, %4 align 4\n %5:i32 = add %4, 1:i32\n store %2, %5 align 4\n \
                %6:i1 = cmp.slt %5, %0\n branch %6, b1, b2\nb2:\n %7:i32 = load %2 align 4\n return %7";
    let expected = "b0:\njump b1\nb1:\n%4:i32 \"i\" = phi b0: 0:i32, b1: %2\n%2:i32 \"i\" = add %4, 1:i32\n\
                    %3:i1 = cmp.slt %2, %0\nbranch %3, b1, b2\nb2:\nreturn %2";
    assert_eq!(promoted(body), expected);
}

#[test]
fn what_others_may_see_stays_in_memory() {
    let escapes = [
        "call @use(%2)",
        "store @g, %2 align 8",
        "%3:i32 = load %2 align 4 volatile",
        "store %2, 1:i32 align 4 seq_cst",
        "%3:i16 = load %2 align 2\n store %2, 1:i32 align 4",
        "%3:i64 = load %2 align 4",
        "%3:ptr = offset %2 + 0",
        "memset %2, 0:i8, 4:i64",
    ];
    for escape in escapes {
        let text = format!(
            "global @g size 8 align 8 = \"\"\ndeclare @use(ptr)\nfunction @f() {{\nslot s0 size 4 align 4\nb0:\n \
             %2:ptr = alloca s0\n {escape}\n return\n}}\n"
        );
        // Registers are numbered from 0 here.
        let text = text.replace("%2", "%0").replace("%3", "%1");
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        let before = module.clone();
        assert_eq!(promote(&mut module.functions[1]), 0, "{escape}");
        assert_eq!(module, before, "{escape}");
    }
}

#[test]
fn values_of_one_variable_flow_into_another() {
    let body = "slot s0 size 4 align 4 named \"a\"\nslot s1 size 4 align 4 named \"b\"\nb0:\n %2:ptr = alloca s0\n \
                %3:ptr = alloca s1\n store %2, %0 align 4\n %4:i32 = load %2 align 4\n store %3, %4 align 4\n \
                store %2, 5:i32 align 4\n branch %1, b1, b2\nb1:\n jump b3\nb2:\n jump b3\nb3:\n \
                %5:i32 = phi b1: %4, b2: 7:i32\n %6:i32 = load %3 align 4\n %7:i32 = add %5, %6\n return %7";
    let result = promoted(body);
    assert!(result.contains("= phi b1: %0, b2: 7:i32"), "{result}");
    assert!(result.contains("= add %2, %0"), "{result}");
}

#[test]
fn unreachable_blocks_are_removed() {
    let body = "slot s0 size 4 align 4\nb0:\n %2:ptr = alloca s0\n jump b2\nb1:\n store %2, 9:i32 align 4\n jump b2\nb2:\n \
                %3:i32 = phi b0: 1:i32, b1: 2:i32\n return %3";
    assert_eq!(promoted(body), "b0:\njump b1\nb1:\n%2:i32 = phi b0: 1:i32\nreturn %2");
}

#[test]
fn a_variable_of_two_types_is_converted() {
    // What an atomic load of a pointer goes through.
    let body = "slot s0 size 8 align 8\nb0:\n %2:ptr = alloca s0\n %3:i64 = zext %0\n store %2, %3 align 8\n \
                %4:ptr = load %2 align 8\n call @use(%4)\n return 0:i32";
    assert_eq!(promoted(body), "b0:\n%2:i64 = zext %0\n%3:ptr = inttoptr %2\ncall @use(%3)\nreturn 0:i32");
    // Other sizes stay in memory.
    assert!(promoted(&body.replace("%3:i64", "%3:i128")).contains("alloca"));
    // What is uninitialised stays so.
    let body = "slot s0 size 8 align 8\nb0:\n %2:ptr = alloca s0\n %3:ptr = load %2 align 8\n branch %1, b1, b2\nb1:\n \
                store %2, 7:i64 align 8\n jump b2\nb2:\n %4:ptr = load %2 align 8\n call @use(%4)\n return 0:i32";
    assert!(promoted(body).contains("phi b0: undef:ptr, b1:"), "{}", promoted(body));
}
