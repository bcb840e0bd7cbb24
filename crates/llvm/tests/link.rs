//! Linking by name.

use everyway_ir::{Module, validate};
use everyway_llvm::read_program;

fn linked(files: &[&str]) -> Result<Module, String> {
    let names = ["a.ll", "b.ll", "c.ll"];
    let module = read_program(names.into_iter().zip(files.iter().copied())).map_err(|error| error.to_string())?;
    assert_eq!(validate(&module), Ok(()));
    Ok(module)
}

fn first_byte(module: &Module, name: &str) -> u8 {
    let global = module.global(module.global_named(name).expect(name));
    global.initialiser.as_ref().and_then(|initialiser| initialiser.bytes.first().copied()).unwrap_or(0)
}

#[test]
fn strong_definitions_win() {
    let weak = "@x = weak global i8 1\n";
    let strong = "@x = global i8 2\n";
    let common = "@x = common global i8 0\n";
    let declared = "@x = external global i8\n";
    for files in
        [[weak, strong, declared], [strong, declared, weak], [declared, common, strong], [strong, weak, common]]
    {
        let module = linked(&files).expect("they go together");
        assert_eq!(module.globals.len(), 1);
        assert_eq!(first_byte(&module, "x"), 2, "{files:?}");
    }
    let error = linked(&[strong, strong]).expect_err("twice");
    assert_eq!(error, "b.ll: `x` is defined here and in a.ll");
}

#[test]
fn common_variables_merge_into_the_biggest() {
    let module = linked(&["@x = common global i32 0\n", "@x = common global i64 0\n"]).expect("common");
    assert_eq!(module.globals[0].size, 8);
}

#[test]
fn internal_symbols_stay_apart() {
    let file = "@x = internal global i8 1\ndefine internal ptr @f() {\n  ret ptr @x\n}\n";
    let module = linked(&[file, file, "@x = global i8 7\n"]).expect("apart");
    let names: Vec<&str> = module.globals.iter().map(|global| global.name.as_str()).collect();
    assert_eq!(names, ["x.1", "x.2", "x"]);
    let printed = module.to_string();
    assert!(printed.contains("function @f() -> ptr {\nb0:\n  return @x.1\n}"), "{printed}");
    assert!(printed.contains("function @f.1() -> ptr {\nb0:\n  return @x.2\n}"), "{printed}");
}

#[test]
fn calls_meet_definitions() {
    let caller = "declare i32 @f(...)\n@p = global ptr @f\ndefine i32 @main() {\n  %r = call i32 (...) @f(i32 1)\n  ret i32 %r\n}\n";
    let module = linked(&[caller, "define i32 @f(i32 %a) {\n  ret i32 %a\n}\n"]).expect("they meet");
    let printed = module.to_string();
    assert!(printed.contains("%0:i32 = call @f(1:i32)\n"), "{printed}");
    assert!(printed.contains("0: @f+0"), "{printed}");
    // A definition with other results is called through a pointer.
    let module = linked(&[caller, "define void @f(i32 %a) {\n  ret void\n}\n"]).expect("they meet");
    assert!(module.to_string().contains("%0:i32 = call *@f("), "{module}");
}

#[test]
fn aliases_reach_other_files() {
    let user = "declare void @name()\ndefine void @main() {\n  call void @name()\n  ret void\n}\n";
    let definer = "@name = alias void (), ptr @real\ndefine void @real() {\n  ret void\n}\n";
    let module = linked(&[user, definer]).expect("they meet");
    assert!(module.to_string().contains("call @real()"), "{module}");
}

#[test]
fn weak_declarations_may_stay_undefined() {
    let weak = "@x = extern_weak global i8\ndeclare extern_weak void @f()\n";
    let needed = "@x = external global i8\ndeclare void @f()\n";
    let defined = "@x = global i8 2\ndefine void @f() {\n  ret void\n}\n";
    for (files, expected) in
        [(&[weak, weak], true), (&[weak, needed], false), (&[needed, weak], false), (&[weak, defined], false)]
    {
        let module = linked(files).expect("they go together");
        assert_eq!((module.globals[0].weak, module.functions[0].weak), (expected, expected), "{files:?}");
    }
}

#[test]
fn functions_and_variables_do_not_mix() {
    let error = linked(&["@x = global i8 1\n", "declare void @x()\n"]).expect_err("mixed");
    assert!(error.contains("a function in one file and a variable in another"), "{error}");
}

#[test]
fn constructors_run_in_order() {
    let file = "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, \
        { i32, ptr, ptr } { i32 101, ptr @early, ptr null }]\ndefine internal void @late() {\n  ret void\n}\ndefine internal void @early() {\n  ret void\n}\n";
    let module = linked(&[file]).expect("one");
    let names: Vec<&str> = module.constructors.iter().map(|&id| module.function(id).name.as_str()).collect();
    assert_eq!(names, ["early", "late"]);
}
