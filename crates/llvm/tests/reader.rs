//! Small pieces of LLVM IR, and what they become.

use everyway_ir::{Module, promote};
use everyway_llvm::read_program;

fn module(text: &str) -> Module {
    read_program([("test.ll", text)]).unwrap_or_else(|error| panic!("{error}"))
}

/// The lines of the promoted function `f`, without header and end.
fn lines(text: &str) -> Vec<String> {
    let mut module = module(text);
    let id = module.function_named("f").expect("there is an f");
    promote(&mut module.functions[id.index()]);
    let printed = module.display_function(id).to_string();
    let lines = printed.lines().skip(1).filter(|line| *line != "}").map(|line| line.trim().to_owned());
    lines.collect()
}

/// The body of `define i32 @f(i32 %a, ptr %p)`.
fn body(instructions: &str) -> Vec<String> {
    lines(&format!("define i32 @f(i32 %a, ptr %p) {{\n{instructions}\n}}\n"))
}

fn error(text: &str) -> String {
    read_program([("test.ll", text)]).expect_err("it is wrong").to_string()
}

#[test]
fn addresses_are_arithmetic() {
    let text = "%s = type { i8, [3 x { i16, i64 }], i32 }\n@g = global %s zeroinitializer\n\
        define ptr @f(ptr %p, i64 %i, i32 %j) {\n\
        %q = getelementptr inbounds %s, ptr %p, i64 2, i32 1, i64 %i, i32 1\n\
        %r = getelementptr %s, ptr getelementptr (%s, ptr @g, i64 1), i32 %j, i32 2\n\
        %z = getelementptr i8, ptr %q, i64 0\n  ret ptr %z\n}\n";
    // The structure has 64 bytes; its array starts at 8 with a stride of 16.
    let expected = [
        "b0:",
        "%3:ptr = offset %0 + 144 + %1 * 16",
        "%4:i64 = sext %2",
        "%5:ptr = offset @g+64 + 56 + %4 * 64",
        "return %3",
    ];
    assert_eq!(lines(text), expected);
}

#[test]
fn aggregates_are_scalars() {
    let text = "define { i64, double } @f({ i64, double } %v, ptr %p) {\n\
        %a = extractvalue { i64, double } %v, 0\n\
        %b = insertvalue { i64, double } undef, i64 %a, 0\n\
        %l = load { i64, double }, ptr %p, align 8\n\
        %d = extractvalue { i64, double } %l, 1\n\
        %c = insertvalue { i64, double } %b, double %d, 1\n  ret { i64, double } %c\n}\n";
    let expected =
        ["b0:", "%3:i64 = load %2 align 8", "%4:ptr = offset %2 + 8", "%5:f64 = load %4 align 8", "return %0, %5"];
    assert_eq!(lines(text), expected);
}

#[test]
fn vectors_are_scalars() {
    let text = "define double @f(<2 x float> %v) {\n  %w = fadd <2 x float> %v, <float 1.0, float 2.0>\n\
        %s = shufflevector <2 x float> %w, <2 x float> poison, <2 x i32> <i32 1, i32 0>\n\
        %d = bitcast <2 x float> %s to double\n  ret double %d\n}\n";
    let lines = lines(text);
    assert_eq!(lines[1..3], ["%2:f32 = fadd %0, 1.0:f32", "%3:f32 = fadd %1, 2.0:f32"]);
    assert_eq!(lines.last().map(String::as_str), Some("return %11"));
}

#[test]
fn copies_by_value_are_the_callers() {
    let text = "%s = type { [3 x i64] }\ndeclare void @g(ptr byval(%s) align 8, ...)\n\
        define void @f(ptr %p) {\n  call void (ptr, ...) @g(ptr byval(%s) align 8 %p, ptr byval(%s) align 8 %p)\n  ret void\n}\n";
    let lines = lines(text);
    assert_eq!(lines[0], "slot s0 size 24 align 8");
    assert!(lines.iter().any(|line| line.starts_with("memcpy")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("call @g(%1 | %2, %4, %6)")), "{lines:?}");
}

#[test]
fn computed_gotos_are_switches() {
    let text = "@t = internal constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]\n\
        define void @f(ptr %p) {\nentry:\n  indirectbr ptr %p, [label %one, label %two]\none:\n  ret void\ntwo:\n  unreachable\n}\n";
    assert!(lines(text).contains(&"switch %1, b2, 1: b1, 2: b2".to_owned()));
    let initialiser = module(text).globals[0].initialiser.clone().expect("a value");
    assert_eq!(initialiser.bytes, [1, 0, 0, 0, 0, 0, 0, 0, 2]);
}

#[test]
fn pointers_with_types_are_pointers() {
    let text = "%n = type { i32, %n* }\n@g = global %n { i32 1, %n* @g }\ndeclare i32 @h(i8*, ...)\n\
        define i32 @f(%n** %p, i32 (i32)* %c) {\n  %n = load %n*, %n** %p, align 8\n\
        %q = getelementptr inbounds %n, %n* %n, i32 0, i32 1\n  %b = bitcast %n** %q to i8*\n\
        %r = call i32 (i8*, ...) @h(i8* %b, i32 7)\n  %s = call i32 %c(i32 %r)\n  ret i32 %s\n}\n";
    let expected = [
        "b0:",
        "%2:ptr = load %0 align 8",
        "%3:ptr = offset %2 + 8",
        "%4:i32 = call @h(%3 | 7:i32)",
        "%5:i32 = call *%1(%4)",
        "return %5",
    ];
    assert_eq!(lines(text), expected);
}

#[test]
fn functions_may_return_pointers_to_functions() {
    assert_eq!(lines("define void ()* @f() {\n  ret void ()* null\n}\n"), ["b0:", "return null"]);
}

#[test]
fn long_doubles_are_doubles() {
    let text = "@g = global x86_fp80 0xK3FFFC000000000000000\ndefine double @f(double %d) {\n  %l = fpext double %d to x86_fp80\n\
        %v = load x86_fp80, ptr @g\n  %s = fadd x86_fp80 %l, %v\n  %t = fptrunc x86_fp80 %s to double\n  ret double %t\n}\n";
    assert_eq!(lines(text), ["b0:", "%1:f64 = load @g align 16", "%2:f64 = fadd %0, %1", "return %2"]);
}

#[test]
fn an_invoke_is_a_call_and_a_question() {
    let text = "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n\
        invoke void @g()\n    to label %ok unwind label %bad\nok:\n  ret void\nbad:\n\
        %l = landingpad { ptr, i32 }\n    cleanup\n  resume { ptr, i32 } %l\n}\n";
    let expected = [
        "b0:",
        "call @g()",
        "%0:i1 = call @__everyway_unwinds(1:i32)",
        "branch %0, b2, b1",
        "b1 \"ok\":",
        "return",
        "b2 \"bad\":",
        "%1:ptr, %2:i32 = call @__everyway_landing()",
        "call @_Unwind_Resume(%1)",
        "unreachable",
    ];
    assert_eq!(lines(text), expected);
}

#[test]
fn phis_of_expressions_are_computed_before() {
    let text = "@g = global i32 0\ndefine i64 @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n\
        %r = phi i64 [ ptrtoint (ptr @g to i64), %entry ], [ 0, %a ]\n  ret i64 %r\n}\n";
    let lines = lines(text);
    assert!(lines[1].ends_with("= ptrtoint @g"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("phi b0: %2, b1: 0:i64")), "{lines:?}");
}

#[test]
fn unnamed_entry_blocks_have_a_number() {
    let text = "define i32 @f(i32 %0, i1 %1) {\n  br i1 %1, label %3, label %4\n3:\n  br label %4\n4:\n\
        %5 = phi i32 [ 1, %2 ], [ %0, %3 ]\n  ret i32 %5\n}\n";
    assert!(lines(text).contains(&"%2:i32 = phi b0: 1:i32, b1: %0".to_owned()));
}

#[test]
fn atomics_keep_their_orderings() {
    let lines = body(
        "%x = cmpxchg weak ptr %p, i32 0, i32 %a acq_rel monotonic, align 4\n  %o = extractvalue { i32, i1 } %x, 0\n\
         %m = atomicrmw umax ptr %p, i32 %o syncscope(\"singlethread\") release, align 4\n\
         store atomic volatile i32 %m, ptr %p release, align 4\n  fence syncscope(\"singlethread\") acquire\n  ret i32 %m",
    );
    let expected = [
        "b0:",
        "%2:i32, %3:i1 = cmpxchg %1, 0:i32, %0 weak acq_rel monotonic",
        "%4:i32 = rmw.umax %1, %2 release",
        "store %1, %4 align 4 volatile release",
        "fence single_thread acquire",
        "return %4",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn globals_are_bytes_and_pointers() {
    let text = "%t = type <{ i8, i32, ptr }>\n@a = global %t <{ i8 -1, i32 258, ptr getelementptr (i8, ptr @b, i64 3) }>\n\
        @b = thread_local constant [4 x i8] c\"x\\0A\\00\\00\"\n@c = global [1000000000000 x i8] zeroinitializer\n\
        @d = global { float, double, i64 } { float 0x3FB99999A0000000, double 1.0, i64 ptrtoint (ptr @a to i64) }\n@e = external global i32\n";
    let printed = module(text).to_string();
    for expected in [
        "global @a size 13 align 1 = \"\\ff\\02\\01\", 5: @b+3\n",
        "global @b size 4 align 1 thread_local constant = \"x\\0a\"\n",
        "global @c size 1000000000000 align 1 = \"\"\n",
        "global @d size 24 align 8 = \"\\cd\\cc\\cc=\\00\\00\\00\\00\\00\\00\\00\\00\\00\\00\\f0?\", 16: @a+0\n",
        "global @e size 4 align 4\n",
    ] {
        assert!(printed.contains(expected), "{expected} in\n{printed}");
    }
}

#[test]
fn aliases_are_what_they_stand_for() {
    let text = "@g = global [4 x i32] zeroinitializer\n@second = alias i32, getelementptr ([4 x i32], ptr @g, i64 0, i64 1)\n\
        @same = alias i32, ptr @second\ndefine i32 @f() {\n  %v = load i32, ptr @same\n  ret i32 %v\n}\n";
    assert_eq!(lines(text)[1], "%0:i32 = load @g+4 align 4");
}

#[test]
fn intrinsics_are_operations() {
    let lines = body(
        "%o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 1)\n  %s = extractvalue { i32, i1 } %o, 0\n\
         %c = call i32 @llvm.ctpop.i32(i32 %s)\n  %m = call i32 @llvm.umax.i32(i32 %c, i32 %a)\n\
         %t = call i32 @llvm.usub.sat.i32(i32 %m, i32 2)\n  %e = call i32 @llvm.expect.i32(i32 %t, i32 0)\n\
         call void @llvm.memset.p0.i32(ptr %p, i8 0, i32 8, i1 false)\n  %d = call double @llvm.sin.f64(double 1.0)\n\
         call void @llvm.lifetime.start.p0(i64 4, ptr %p)\n  call void @llvm.trap()\n  ret i32 %e",
    );
    let expected = [
        "b0:",
        "%2:i32, %3:i1 = overflow.sadd %0, 1:i32",
        "%4:i32 = ctpop %2",
        "%5:i32 = umax %4, %0",
        "%6:i32 = usub.sat %5, 2:i32",
        "memset %1, 0:i8, 8:i64",
        "%7:f64 = call @sin(1.0:f64)",
        "call @llvm.trap()",
        "return %6",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn reductions_combine_elements() {
    let text =
        "define i32 @f(<2 x i32> %v) {\n  %r = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %v)\n  ret i32 %r\n}\n";
    assert_eq!(lines(text), ["b0:", "%2:i32 = add %0, %1", "return %2"]);
}

#[test]
fn debug_information_of_both_kinds() {
    let metadata = "!0 = !DIFile(filename: \"a.c\", directory: \"/d\")\n!1 = distinct !DISubprogram(name: \"f\", file: !0, line: 3)\n\
        !2 = !DILocalVariable(name: \"v\", scope: !1, file: !0, line: 4, type: !3)\n!3 = !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !4)\n\
        !4 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n!5 = !DILocation(line: 4, column: 7, scope: !6)\n\
        !6 = distinct !DILexicalBlock(scope: !1, line: 4)\n";
    for record in [
        "call void @llvm.dbg.declare(metadata ptr %v, metadata !2, metadata !DIExpression()), !dbg !5",
        "  #dbg_declare(ptr %v, !2, !DIExpression(), !5)",
    ] {
        let text = format!(
            "define void @f() !dbg !1 {{\n  %v = alloca i32, align 4\n{record}\n  ret void, !dbg !5\n}}\n{metadata}"
        );
        let printed = module(&text).to_string();
        assert!(printed.contains("slot s0 size 4 align 4 named \"v\" type t0 at f0:4:0"), "{printed}");
        assert!(printed.contains("return at f0:4:7") && printed.contains("named \"f\" at f0:3:0"), "{printed}");
        assert!(
            printed.contains("file f0 = \"a.c\"") && printed.contains("type t0 = scalar \"int\" 4 signed"),
            "{printed}"
        );
    }
}

#[test]
fn empty_assembly_is_a_barrier() {
    let lines = body(
        "call void asm sideeffect \"\", \"~{memory}\"()\n  call void asm sideeffect \"pause\", \"\"()\n  ret i32 %a",
    );
    assert_eq!(lines, ["b0:", "fence single_thread seq_cst", "return %0"]);
}

#[test]
fn what_is_not_known_is_named() {
    let function = |instructions: &str| format!("define void @f(ptr %p, i32 %a) {{\n{instructions}\n  ret void\n}}\n");
    let cases = [
        (function("  frobnicate i32 %a"), "test.ll:2: the instruction `frobnicate` is not supported"),
        (function("  call void asm \"xchg $0\", \"r\"(i32 %a)"), "the inline assembly \"xchg $0\""),
        (function("  %v = load half, ptr %p"), "a value of the type half"),
        (function("  %v = load i256, ptr %p"), "the type i256"),
        (function("  %v = load i32, ptr %q"), "test.ll:2: expected a pointer that has a value"),
        (function("  %v = add i32 %b, 1"), "test.ll:2: `%b` is used before it has a value"),
        (function("  store i32 1, ptr @g"), "test.ll:2: there is no `@g`"),
        (function("  br label %nowhere"), "there is no label `%nowhere`"),
        (function("  %v = atomicrmw frob ptr %p, i32 1 seq_cst"), "`atomicrmw frob`"),
        (function("  %v = va_arg ptr %p, i32"), "the instruction `va_arg`"),
        ("module asm \"nop\"\n".into(), "module-level assembly"),
        ("target datalayout = \"E-p:32:32\"\n".into(), "big-endian"),
        ("target datalayout = \"e-p:32:32\"\n".into(), "do not have 64 bits"),
        ("@i = ifunc i32 (), ptr @r\n".into(), "`ifunc`"),
        ("@a = global i32 0\n@a = global i32 1\n".into(), "defined twice"),
        ("define void @f() {\n  ret i32 1\n}\n".into(), "no valid LLVM IR"),
        ("define void @f() {\n".into(), "expected"),
        ("%t = type { %t }\n@g = global %t zeroinitializer\n".into(), "contains itself"),
    ];
    for (text, expected) in cases {
        let message = error(&text);
        assert!(message.contains(expected), "{message}\nfor {text}");
    }
}

#[test]
fn errors_name_the_source() {
    let text = "define void @f(ptr %p) {\n  %v = load i256, ptr %p, !dbg !0\n  ret void\n}\n!0 = !DILocation(line: 9, scope: !1)\n\
        !1 = distinct !DISubprogram(name: \"f\", file: !2)\n!2 = !DIFile(filename: \"dir/a.c\", directory: \"\")\n";
    assert!(error(text).starts_with("dir/a.c:9: "), "{}", error(text));
}
