//! The text form: what is printed can be parsed, and is the same program.

use everyway_ir::{Module, parse, validate};

/// Every item, operation, terminator and kind of value at least once.
const EVERYTHING: &str = r#"target "x86_64-pc-linux-gnu"
file f0 = "dir/a \22b\22.c"
type t0 = scalar "int" 4 signed
type t1 = pointer t0
type t2 = pointer
type t3 = array t0 stride 4 count 3
type t4 = record "node" 16 { "next" 0 t1, "" 8 t3 }
type t5 = record "empty" 0 { }
type t6 = enumeration "color" 4 { "RED" -1, "GREEN" 7 }
type t7 = opaque "void ()"
global @x size 4 align 4 thread_local constant named "x" type t0 at f0:3:5 = "\07\00a"
global @table size 24 align 8 = "", 8: @x+4, 16: @main-1
global @external size 8 align 8 weak
global @"odd name" size 1 align 1 = ""
constructor @init
destructor @init
declare @printf(ptr, ...) -> i32
declare @pair(f32) -> i64, f64
declare @nothing(...) weak
function @init() {
b0:
  return
}
function @main(%0:i32 "argc", %1:ptr) -> i32, ptr named "main" at f0:10:0 {
  slot s0 size 4 align 4 named "v" type t0 at f0:11:7
  slot s1 size 1 align 16
b0 "entry":
  %2:ptr = alloca s0 at f0:11:7
  %3:ptr = alloca s1 count 10:i64
  store %2, -1:i32 align 4
  store %3, 1:i8 align 1 volatile seq_cst
  %4:i32 = load %2 align 4
  %5:i32 = load @x align 4 volatile acquire
  %6:i128 = zext %4
  %7:i128 = add %6, -5:i128
  %8:i32, %9:i1 = overflow.smul %4, 3:i32
  %10:f64 = sitofp %4
  %11:f64 = fma %10, 1.5:f64, -0.0:f64
  %12:f64 = fabs %11
  %13:f32 = fptrunc %12
  %14:f32 = fadd %13, 0x7fc00000:f32
  %15:i1 = fcmp.uno %14, 1e-7:f32
  %16:i1 = cmp.slt %4, undef:i32
  %17:i32 = select %16, %4, %5
  %18:i64 = sext %17
  %19:ptr = offset %1 + -8 + %18 * 16 at f0:12:1
  %20:ptr = offset @table + 3
  %21:i32 = rmw.uinc_wrap @x, 1:i32 volatile monotonic
  %22:i32, %23:i1 = cmpxchg @x+4, 0:i32, 1:i32 weak volatile acq_rel acquire
  fence single_thread release
  fence seq_cst
  %24:i32 = call @printf(@"odd name" | 1:i32, 2.0:f64)
  call @nothing(| 5:i32)
  call @init()
  %25:i64, %26:f64 = call @pair(0.0:f32)
  %27:i32 "r" = call *%20(%1, null, 0x10:ptr)
  memcpy %2, @x, 4:i64
  memmove %2, @x, %18 volatile
  memset %3, 0:i8, 10:i64
  %28:ptr = variadic_area
  %29:i32 = freeze %27
  branch %9, b1, b2
b1 "loop head":
  %30:i32 = phi b0: 0:i32, b1: %31
  %31:i32 = add %30, 1:i32
  switch %31, b2, 4294967295: b1, 3: b2
b2:
  %32:i1 = phi b0: 1:i1, b1: 0:i1
  %33:i64 = new_round at f0:13:1
  assume %32
  assume %32 in %33 at f0:13:1
  %34:i32 = await load @x align 4 seq_cst until (ne 0:i32) in %33
  %35:i32 = await rmw.xchg @x, 1:i32 seq_cst until (mask 5:i32 eq %34 or ne 0:i32) and (slt 0:i32)
  %36:ptr, %37:i1 = await cmpxchg @table, null, @x seq_cst seq_cst until (eq null) at f0:14:1
  branch %32, b3, b4
b3:
  return %29, %19
b4:
  unreachable at f0:20:1
}
"#;

fn parsed(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn everything_survives() {
    let module = parsed(EVERYTHING);
    assert_eq!(validate(&module), Ok(()));
    assert_eq!(module.to_string(), EVERYTHING);
    assert_eq!(parsed(&module.to_string()), module);
}

#[test]
fn one_function_can_be_printed() {
    let module = parsed(EVERYTHING);
    let init = module.function_named("init").expect("it is there");
    assert_eq!(module.display_function(init).to_string(), "function @init() {\nb0:\n  return\n}\n");
}

#[test]
fn comments_are_skipped() {
    let module = parsed("; nothing\ntarget \"t\" ; a target\n");
    assert_eq!(module.target, "t");
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("target \"t\"\nbanana", 2, "starts no item"),
        ("function @f() {\nb0:\n  %0:i999 = load null align 4", 3, "is no type"),
        ("function @f() {\nb0:\n  return %0\n", 4, "ends too early"),
        ("function @f() {\nb0:\n  %0:i32 = frobnicate 1:i32\n", 3, "is no operation"),
        ("function @f() {\nb0:\n  call @g()\n", 3, "there is no `g`"),
        ("function @f() {\nb0:\n  %1:i32 = add 1:i32, 2:i32\n  return\n}", 5, "never assigned"),
        ("function @f() {\nb0:\n  %0:i32 = await load null align 4\n  return\n}", 4, "expected `until`"),
        ("function @f() {\nb0:\n  %0:i32 = await load null align 4 until (add 1:i32)\n", 3, "no relation"),
        ("file f1 = \"a\"", 1, "in order"),
        ("target \"a", 1, "does not end"),
        ("function @f() {\nb0:\n  %0:i8 = add 1:i8, 0xfff:i8\n", 3, "is no i8"),
    ];
    for (text, line, message) in cases {
        let error = parse(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.line.abs_diff(line) <= 1, "{text}: {error}");
    }
}

#[test]
fn paths_follow_debug_types() {
    let module = parsed(EVERYTHING);
    let path = |ty, offset| module.path(everyway_ir::DebugTypeId(ty), offset).0;
    assert_eq!(path(4, 0), ".next");
    assert_eq!(path(4, 12), "[1]");
    assert_eq!(path(3, 8), "[2]");
    assert_eq!(path(3, 9), "[2]+1");
    assert_eq!(path(3, 12), "+12");
    assert_eq!(path(0, 0), "");
}
