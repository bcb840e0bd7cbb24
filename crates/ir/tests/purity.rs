//! Partial Loop Purity elimination, rule by rule (FMCAD 2022, Sect. III), on small functions.

use everyway_ir::{
    Environment, FunctionId, LockRole, Module, Races, Treated, TreatedLoop, Unordered, eliminate_pure_rounds,
    introduce_awaits, parse, remove_idle_calls, sweep, validate,
};

const ENVIRONMENT: Environment = Environment {
    unordered: Unordered { plain: Races::Fail, volatile: Races::Interleave },
    is_idle: |name, _| name == "sched_yield",
    lock_role: |name| match name {
        "lock" => Some(LockRole::Locks),
        "unlock" => Some(LockRole::Unlocks),
        "trylock" => Some(LockRole::Tries),
        "begin" => Some(LockRole::Begins),
        "end" => Some(LockRole::Ends),
        _ => None,
    },
    gives_input: |name| name == "input",
    ..Environment::NOTHING
};

const PRELUDE: &str = "global @x size 4 align 4 = \"\"\nglobal @y size 4 align 4 = \"\"\nglobal @z size 4 align 4 = \"\"\n\
                       declare @sched_yield() -> i32\ndeclare @unknown()\n";

fn parsed(body: &str) -> (Module, FunctionId) {
    let text = format!("{PRELUDE}function @f(%0:ptr, %1:i32, %2:i1) -> i32 {{\n{body}\n}}\n");
    let module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&module), Ok(()));
    let id = module.function_named("f").expect("it is there");
    (module, id)
}

/// What becomes of the loops of the function.
fn treated(module: &mut Module) -> Vec<TreatedLoop> {
    treated_in(module, ENVIRONMENT)
}

fn treated_in(module: &mut Module, environment: Environment) -> Vec<TreatedLoop> {
    remove_idle_calls(module, environment.is_idle);
    let treated = eliminate_pure_rounds(module, Treated::All, environment);
    assert_eq!(validate(module), Ok(()), "{module}");
    treated
}

/// The conditions under which a round of the only loop is pure.
fn pure_if(body: &str) -> Vec<String> {
    let (mut module, _) = parsed(body);
    let mut loops = treated(&mut module);
    assert_eq!(loops.len(), 1);
    loops.remove(0).pure_if
}

/// The function after the elimination, without its first and last line.
fn eliminated(body: &str) -> String {
    let (mut module, id) = parsed(body);
    treated(&mut module);
    printed(&module, id)
}

/// The function with awaits, without its first and last line.
fn awaited(body: &str) -> String {
    let (mut module, id) = parsed(body);
    treated(&mut module);
    introduce_awaits(&mut module, Unordered::INTERLEAVED);
    sweep(&mut module.functions[id.index()]);
    assert_eq!(validate(&module), Ok(()), "{module}");
    printed(&module, id)
}

fn printed(module: &Module, id: FunctionId) -> String {
    let printed = module.display_function(id).to_string();
    printed.lines().skip(1).filter(|line| *line != "}").map(str::trim).collect::<Vec<_>>().join("\n")
}

/// A loop of one block, which does `statement`, and goes round while %9 is 1.
fn around(statement: &str) -> String {
    format!(
        "b0:\n jump b1\nb1:\n {statement}\n %8:i32 = load @y align 4 seq_cst\n %9:i1 = cmp.eq %8, 0:i32\n \
         branch %9, b1, b2\nb2:\n return 0:i32"
    )
}

#[test]
fn a_load_is_pure_and_a_store_is_not() {
    let load = around("%3:i32 = load @x align 4 seq_cst");
    // Registers have to be dense: the numbers in between do not matter.
    let load = load.replace("%8", "%4").replace("%9", "%5");
    assert_eq!(pure_if(&load), ["%4 eq 0:i32"]);
    let store = around("store @x, 1:i32 align 4 seq_cst").replace("%8", "%3").replace("%9", "%4");
    assert_eq!(pure_if(&store), Vec::<String>::new());
    for other in ["memset @x, 0:i8, 4:i64", "memcpy @x, @y, 4:i64", "call @unknown()"] {
        assert!(pure_if(&around(other).replace("%8", "%3").replace("%9", "%4")).is_empty(), "{other}");
    }
    for other in ["fence seq_cst", "assume %2"] {
        assert_eq!(pure_if(&around(other).replace("%8", "%3").replace("%9", "%4")), ["%3 eq 0:i32"], "{other}");
    }
    let idle = around("%3:i32 = call @sched_yield()").replace("%8", "%4").replace("%9", "%5");
    // The call is gone, and its register with it.
    assert_eq!(pure_if(&idle), ["%3 eq 0:i32"]);
}

#[test]
fn what_changes_memory_is_pure_where_it_leaves_it() {
    let cases = [
        ("rmw.xchg @x, %1", "%4 eq 0:i32 and %3 eq %1"),
        ("rmw.add @x, %1", "%4 eq 0:i32 and %1 eq 0:i32"),
        ("rmw.sub @x, %1", "%4 eq 0:i32 and %1 eq 0:i32"),
        ("rmw.or @x, %1", "%4 eq 0:i32 and or(%3, %1) eq %3"),
        ("rmw.umax @x, %1", "%4 eq 0:i32 and umax(%3, %1) eq %3"),
        ("rmw.add @x, 0:i32", "%4 eq 0:i32"),
    ];
    for (operation, expected) in cases {
        let body = around(&format!("%3:i32 = {operation} seq_cst")).replace("%8", "%4").replace("%9", "%5");
        assert_eq!(pure_if(&body), [expected], "{operation}");
    }
    for never in ["rmw.add @x, 1:i32", "rmw.nand @x, %1"] {
        let body = around(&format!("%3:i32 = {never} seq_cst")).replace("%8", "%4").replace("%9", "%5");
        assert!(pure_if(&body).is_empty(), "{never}");
    }
    let body = around("%3:i32, %4:i1 = cmpxchg @x, 0:i32, 1:i32 seq_cst seq_cst");
    assert_eq!(pure_if(&body.replace("%8", "%5").replace("%9", "%6")), ["%5 eq 0:i32 and not %4"]);
}

/// The loop of Fig. 6: it writes if a = 4, and goes round while a >= 4.
const FIGURE_6: &str = "b0:\n jump b1\nb1:\n %3:i32 \"a\" = load @x align 4 seq_cst\n %4:i32 \"b\" = load @y align 4 seq_cst\n \
                        %5:i1 = cmp.ne %3, 4:i32\n branch %5, b3, b2\nb2:\n store @z, 42:i32 align 4 seq_cst\n jump b3\nb3:\n \
                        %6:i1 = cmp.sge %3, 4:i32\n branch %6, b1, b4\nb4:\n return %4";

#[test]
fn a_loop_is_pure_along_some_paths() {
    assert_eq!(pure_if(FIGURE_6), ["%3 sge 4:i32 and %3 ne 4:i32"]);
    // The assume comes right after the load of x, before that of y.
    let expected = "b1:\n%7:i64 = new_round\n%3:i32 \"a\" = load @x align 4 seq_cst\n%8:i1 = cmp.slt %3, 4:i32\n\
                    %9:i1 = cmp.eq %3, 4:i32\n%10:i1 = or %8, %9\nassume %10 in %7\n\
                    %4:i32 \"b\" = load @y align 4 seq_cst\n";
    let text = eliminated(FIGURE_6);
    assert!(text.contains(expected), "{text}");
    let text = awaited(FIGURE_6);
    let expected =
        "%3:i32 \"a\" = await load @x align 4 seq_cst until (slt 4:i32 or eq 4:i32) in %7\n%4:i32 \"b\" = load @y";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn what_may_fail_is_not_blocked_before_it_happens() {
    // With a pointer in place of y, the load of which may fail.
    let text = eliminated(&FIGURE_6.replace("load @y", "load %0"));
    let load = text.find("load %0").expect("a load");
    assert!(text.find("assume").is_some_and(|assume| load < assume), "{text}");
    // In bounds of a variable it cannot; beyond, it can.
    for (address, is_first) in [("@y+0", false), ("@y+1", true), ("@y-4", true)] {
        let text = eliminated(&FIGURE_6.replace("load @y", &format!("load {address}")));
        let (load, assume) = (text.find("\"b\" = load").expect("a load"), text.find("assume").expect("an assume"));
        assert_eq!(load < assume, is_first, "{text}");
    }
    // A division fails, too; by a constant it does not.
    let division = |divisor: &str| {
        let body = FIGURE_6.replace("load @y align 4 seq_cst", &format!("udiv 1:i32, {divisor}"));
        let text = eliminated(&body);
        text.find("udiv") < text.find("assume")
    };
    assert!(division("%1") && !division("2:i32"));
}

#[test]
fn variables_that_change_are_no_nothing() {
    // A counter.
    let counts = "b0:\n jump b1\nb1:\n %3:i32 \"i\" = phi b0: 0:i32, b1: %5\n %4:i32 = load @x align 4 seq_cst\n \
                  %5:i32 \"i\" = add %3, 1:i32\n %6:i1 = cmp.eq %4, 0:i32\n branch %6, b1, b2\nb2:\n return %5";
    assert!(pure_if(counts).is_empty());
    // A variable that keeps what was read last: nothing changes if that is the same again.
    let keeps = "b0:\n jump b1\nb1:\n %3:i32 \"old\" = phi b0: 0:i32, b1: %4\n %4:i32 \"old\" = load @x align 4 seq_cst\n \
                 %5:i1 = cmp.eq %4, %1\n branch %5, b1, b2\nb2:\n return %3";
    assert_eq!(pure_if(keeps), ["%4 eq %3 and %4 eq %1"]);
    // A variable that is set to the same on all ways in does not change.
    let same = "b0:\n jump b1\nb1:\n %3:i32 = phi b0: 7:i32, b1: 7:i32\n %4:i32 = load @x align 4 seq_cst\n \
                %5:i1 = cmp.eq %4, %3\n branch %5, b1, b2\nb2:\n return %3";
    assert_eq!(pure_if(same), ["%4 eq %3"]);
    // Floats have several zeros.
    let float = "b0:\n jump b1\nb1:\n %3:f32 = phi b0: 0.0:f32, b1: %4\n %4:f32 = load @x align 4 seq_cst\n \
                 %5:i1 = fcmp.oeq %4, 1.0:f32\n branch %5, b1, b2\nb2:\n store @y, %3 align 4\n return 0:i32";
    assert!(pure_if(float).is_empty());
    // Nobody ever looks at it.
    assert_eq!(pure_if(&float.replace("store @y, %3 align 4\n ", "")), ["%4 oeq 1.0:f32"]);
}

#[test]
fn conditions_are_those_of_the_way_taken() {
    // `while (x == 0 && y == 0)`, which decides on a phi of a constant and a condition.
    let both = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n %4:i1 = cmp.eq %3, 0:i32\n branch %4, b2, b3\nb2:\n \
                %5:i32 = load @y align 4 seq_cst\n %6:i1 = cmp.eq %5, 0:i32\n jump b3\nb3:\n \
                %7:i1 = phi b1: 0:i1, b2: %6\n branch %7, b1, b4\nb4:\n return 0:i32";
    assert_eq!(pure_if(both), ["%5 eq 0:i32 and %3 eq 0:i32"]);
    // What is known where the assume is need not be tested again, and the load becomes an await.
    let text = awaited(both);
    assert!(text.contains("await load @y align 4 seq_cst until (ne 0:i32) in"), "{text}");
    assert!(text.contains("= load @x"), "{text}");
    // `switch` with two cases that go round.
    let switch = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n switch %3, b2, 1: b1, 2: b1, 3: b2\nb2:\n return 0:i32";
    assert_eq!(pure_if(switch), ["%3 eq 1:i32", "%3 eq 2:i32"]);
    assert!(awaited(switch).contains("until (ne 1:i32) and (ne 2:i32) in"), "{}", awaited(switch));
    let default = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n switch %3, b1, 3: b2\nb2:\n return 0:i32";
    assert_eq!(pure_if(default), ["%3 ne 3:i32"]);
    // A condition that does not matter disappears.
    let either = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n branch %2, b2, b3\nb2:\n jump b4\nb3:\n jump b4\nb4:\n \
                  %4:i1 = cmp.eq %3, 0:i32\n branch %4, b1, b5\nb5:\n return 0:i32";
    assert_eq!(pure_if(either), ["%3 eq 0:i32"]);
    // Without any condition, nobody goes on.
    assert_eq!(pure_if("b0:\n jump b1\nb1:\n jump b1"), ["always"]);
    assert!(eliminated("b0:\n jump b1\nb1:\n jump b1").contains("assume 0:i1 in"));
}

#[test]
fn a_register_that_does_not_reach_is_carried_there() {
    // y is read only if x is not 0, and looked at after z was read: on the other way, the path condition is false anyway.
    let body = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n %4:i1 = cmp.ne %3, 0:i32\n branch %4, b2, b4\nb2:\n \
                %5:i32 = load @y align 4 seq_cst\n %6:i1 = cmp.eq %5, 0:i32\n branch %6, b4, b3\nb3:\n return 0:i32\nb4:\n \
                %7:i32 = load @z align 4 seq_cst\n %8:i1 = cmp.eq %7, 0:i32\n branch %8, b1, b3";
    assert_eq!(pure_if(body), ["%7 eq 0:i32 and %5 eq 0:i32 and %3 ne 0:i32", "%7 eq 0:i32 and %3 eq 0:i32"]);
    let text = eliminated(body);
    assert!(text.contains(":i32 = phi b1: 0:i32, b2: %5\n"), "{text}");
}

/// An inner loop that counts, in a loop that waits for x.
const NESTED: &str = "b0:\n jump b1\nb1:\n %3:i32 = load @x align 4 seq_cst\n jump b2\nb2:\n \
                      %4:i32 = phi b1: 0:i32, b2: %5\n %5:i32 = add %4, 1:i32\n %6:i1 = cmp.slt %5, %1\n branch %6, b2, b3\nb3:\n \
                      %7:i1 = cmp.eq %3, 0:i32\n branch %7, b1, b4\nb4:\n return 0:i32";

#[test]
fn rounds_with_inner_rounds_are_not_pure() {
    let (mut module, id) = parsed(NESTED);
    let loops = treated(&mut module);
    // For the outer loop: along the way without inner rounds, of which the count is 1.
    assert_eq!(loops[0].pure_if, ["%3 eq 0:i32 and add(0:i32, 1:i32) sge %1"]);
    assert!(loops[1].pure_if.is_empty());
    // The assume is before the inner loop, where it has not been round yet: no register is needed that says so.
    let text = printed(&module, id);
    assert!(text.find("assume") < text.find("b2:"), "{text}");
    assert!(!text.contains("phi b1: 0:i1, b2: 1:i1"), "{text}");
    // With the read behind the inner loop it is needed.
    let behind = NESTED
        .replace("b1:\n %3:i32 = load @x align 4 seq_cst\n jump b2", "b1:\n jump b2")
        .replace("b3:\n ", "b3:\n %3:i32 = load @x align 4 seq_cst\n ");
    let text = eliminated(&behind);
    assert!(text.contains("b2:\n%4:i32 = phi b1: 0:i32, b2: %5\n%12:i1 = phi b1: 0:i1, b2: 1:i1\n"), "{text}");
    // Such an assume stays one.
    assert!(!awaited(&behind).contains("await"), "{}", awaited(&behind));
}

#[test]
fn inner_loops_without_impure_rounds_have_none() {
    // A test-and-test-and-set lock.
    let lock = "b0:\n jump b1\nb1:\n jump b2\nb2:\n %3:i32 = load @x align 4 seq_cst\n %4:i1 = cmp.ne %3, 0:i32\n \
                branch %4, b2, b3\nb3:\n %5:i32 = rmw.xchg @x, 1:i32 seq_cst\n %6:i1 = cmp.ne %5, 0:i32\n \
                branch %6, b1, b4\nb4:\n return 0:i32";
    let text = awaited(lock);
    assert!(text.contains("%3:i32 = await load @x align 4 seq_cst until (eq 0:i32) in"), "{text}");
    assert!(text.contains("%5:i32 = await rmw.xchg @x, 1:i32 seq_cst until (eq 0:i32 or ne 1:i32) in"), "{text}");
    assert!(!text.contains("assume"), "{text}");
}

#[test]
fn a_condition_that_contradicts_itself_is_none() {
    // The exchange leaves -1 only if it finds it, and the loop goes round only if it does not.
    let body = "b0:\n jump b1\nb1:\n %3:i32 = rmw.xchg @x, -1:i32 seq_cst\n %4:i1 = cmp.sge %3, 0:i32\n \
                branch %4, b1, b2\nb2:\n return 0:i32";
    assert!(pure_if(body).is_empty());
}

/// `e = x; while (!compare_exchange(&x, &e, e + 1));`, with something in its rounds.
fn updating(round: &str) -> String {
    format!(
        "b0:\n %3:i32 = load @x align 4 seq_cst\n jump b1\nb1:\n %4:i32 = phi b0: %3, b2: %6\n \
         %5:i32 = add %4, 1:i32\n %6:i32, %7:i1 = cmpxchg @x, %4, %5 seq_cst seq_cst\n branch %7, b3, b2\nb2:\n \
         {round}jump b1\nb3:\n return %4"
    )
}

#[test]
fn a_value_that_is_read_again_is_no_change() {
    assert_eq!(pure_if(&updating("")), ["not %7"]);
    // The exchange waits, and the round begins with the load before the loop, which the wait depends on.
    let text = awaited(&updating(""));
    assert!(text.contains("await cmpxchg @x, %4, %5 seq_cst seq_cst until (eq %4) in"), "{text}");
    assert!(text.find("new_round").expect("a round") < text.find("load @x").expect("a load"), "{text}");
    // A round that does something is a change, and so is a value from somewhere else.
    assert!(pure_if(&updating("store @y, 1:i32 align 4 seq_cst\n ")).is_empty());
    let other = updating("").replace("load @x", "load @y");
    assert_eq!(pure_if(&other), ["%6 eq %4 and not %7"]);
}

#[test]
fn a_load_can_be_put_off_only_if_nothing_depends_on_it() {
    // Something visible comes after the load, which would have to be put off, too.
    let later = updating("").replace("jump b1\nb1", "store @y, 1:i32 align 4 seq_cst\n jump b1\nb1");
    assert_eq!(pure_if(&later), ["%6 eq %4 and not %7"]);
    // What was loaded is used after the loop.
    let used = updating("").replace("return %4", "return %3");
    assert_eq!(pure_if(&used), ["%6 eq %4 and not %7"]);
    // It decides on whether there is a loop at all, and the rounds do not decide in the same way.
    let decides = "b0:\n %3:i32 = load @x align 4 seq_cst\n %4:i1 = cmp.eq %3, 3:i32\n branch %4, b3, b1\nb1:\n \
                   %5:i32 = phi b0: %3, b2: %7\n %6:i1 = cmp.eq %5, 0:i32\n branch %6, b3, b2\nb2:\n \
                   %7:i32 = load @x align 4 seq_cst\n jump b1\nb3:\n return 0:i32";
    assert_eq!(pure_if(decides), ["%7 eq %5 and %5 ne 0:i32"]);
    // Rounds that do something come back with a value of their own: the load at their end can be put off as well.
    let mixed = "b0:\n %3:i32 = load @x align 4 seq_cst\n jump b1\nb1:\n %4:i32 = phi b0: %3, b4: %7\n \
                 %5:i1 = cmp.eq %4, 0:i32\n branch %5, b5, b2\nb2:\n %6:i1 = cmp.eq %4, 2:i32\n branch %6, b3, b4\nb3:\n \
                 store @y, 1:i32 align 4 seq_cst\n jump b4\nb4:\n %7:i32 = load @x align 4 seq_cst\n jump b1\nb5:\n \
                 return 0:i32";
    assert_eq!(pure_if(mixed), ["%4 ne 2:i32 and %4 ne 0:i32"]);
    // But not if something visible follows.
    let after = mixed.replace("seq_cst\n jump b1\nb5", "seq_cst\n store @z, 1:i32 align 4 seq_cst\n jump b1\nb5");
    assert!(pure_if(&after).is_empty());
}

#[test]
fn numbers_that_decide_nothing_may_change() {
    // `if (++tries > 10) { sched_yield(); tries = 0; }`
    let counts = "b0:\n jump b1\nb1:\n %3:i32 = phi b0: 0:i32, b4: %8\n %4:i32 = load @x align 4 seq_cst\n \
                  %5:i1 = cmp.eq %4, 0:i32\n branch %5, b2, b5\nb2:\n %6:i32 = add %3, 1:i32\n \
                  %7:i1 = cmp.sgt %6, 10:i32\n branch %7, b3, b4\nb3:\n %9:i32 = call @sched_yield()\n jump b4\nb4:\n \
                  %8:i32 = phi b2: %6, b3: 0:i32\n jump b1\nb5:\n return 0:i32";
    assert_eq!(pure_if(counts), ["%4 eq 0:i32"]);
    // A way that does something decides.
    let loads = counts.replace("call @sched_yield()", "load @y align 4 seq_cst");
    assert!(pure_if(&loads).iter().all(|it| it.contains("%3")), "{:?}", pure_if(&loads));
    assert!(pure_if(&counts.replace("return 0:i32", "return %3")).iter().all(|it| it.contains("%3")));
}

#[test]
fn ways_that_do_nothing_may_fork_again() {
    // `tries++; if (tries > 100 && tries % 10 == 0) sched_yield();`, with something that depends on the way.
    let counts = "b0:\n jump b1\nb1:\n %3:i32 = phi b0: 0:i32, b5: %6\n %4:i32 = load @x align 4 seq_cst\n \
                  %5:i1 = cmp.eq %4, 0:i32\n branch %5, b2, b6\nb2:\n %6:i32 = add %3, 1:i32\n \
                  %7:i1 = cmp.sgt %6, 100:i32\n branch %7, b3, b5\nb3:\n %8:i32 = urem %6, 10:i32\n \
                  %9:i1 = cmp.eq %8, 0:i32\n branch %9, b4, b5\nb4:\n %10:i32 = call @sched_yield()\n jump b5\nb5:\n \
                  %11:i32 = phi b2: 1:i32, b3: 1:i32, b4: 1:i32\n jump b1\nb6:\n return 0:i32";
    let is_free = |body: &str| pure_if(body).iter().any(|it| !it.contains("%3"));
    assert_eq!(pure_if(counts), ["%4 eq 0:i32"]);
    // A way on which a number is another one decides, if the number does.
    assert!(is_free(&counts.replace("b4: 1:i32", "b4: 2:i32")));
    let told = counts.replace("jump b1\nb6", "%12:i32 = rmw.and @y, %11 seq_cst\n jump b1\nb6");
    assert!(!is_free(&told.replace("b4: 1:i32", "b4: 2:i32")), "{:?}", pure_if(&told));
    // A way that ends the function decides, whether it does something or not: `if (++tries > 100) return 0;`
    let ends = counts.replace("branch %7, b3, b5", "branch %7, b6, b3").replace("phi b2: 1:i32, ", "phi ");
    assert!(!is_free(&ends), "{:?}", pure_if(&ends));
    // A way back to itself need not end.
    let (mut module, _) = parsed(&counts.replace("jump b5\nb5", "branch %2, b4, b5\nb5"));
    let outer = treated(&mut module).into_iter().find(|it| it.header.index() == 1).expect("the loop of b1");
    assert!(outer.pure_if.iter().all(|it| it.contains("%3")), "{:?}", outer.pure_if);
}

#[test]
fn a_mutex_that_is_unlocked_again_is_as_before() {
    let polls = |lock: &str, unlock: &str| {
        format!(
            "b0:\n jump b1\nb1:\n %3:i32 = call @lock({lock})\n %4:i32 = load @x align 4\n %5:i32 = call @unlock({unlock})\n \
             %6:i1 = cmp.eq %4, 0:i32\n branch %6, b1, b2\nb2:\n return 0:i32"
        )
    };
    let declared = |body: &str, more: &str| {
        let text = format!(
            "{PRELUDE}{more}declare @lock(ptr) -> i32\ndeclare @unlock(ptr) -> i32\n\
             function @f(%0:ptr, %1:i32, %2:i1) -> i32 {{\n{body}\n}}\n"
        );
        let mut module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let loops = treated(&mut module);
        (loops[loops.len() - 1].pure_if.clone(), module.to_string())
    };
    let (pure_if, text) = declared(&polls("%0", "%0"), "");
    assert_eq!(pure_if, ["%4 eq 0:i32"]);
    assert!(text.find("call @unlock").expect("a call") < text.find("assume").expect("an assume"), "{text}");
    // Another mutex, one that stays locked, and one that others may look at.
    assert!(declared(&polls("%0", "@y"), "").0.is_empty());
    assert!(declared(&polls("%0", "%0").replace("unlock(", "lock("), "").0.is_empty());
    let other = |body: &str| format!("declare @trylock(ptr) -> i32\nfunction @g(%0:ptr) -> i32 {{\n{body}\n}}\n");
    let looks = "b0:\n %1:i32 = call @trylock(%0)\n return %1";
    assert!(declared(&polls("%0", "%0"), &other(looks)).0.is_empty());
    // Whoever tries again until it is free has not seen that it was not.
    let tries = "b0:\n jump b1\nb1:\n %1:i32 = call @trylock(%0)\n %2:i1 = cmp.eq %1, 0:i32\n branch %2, b2, b1\nb2:\n \
                 return 0:i32";
    assert_eq!(declared(&polls("%0", "%0"), &other(tries)).0, ["%4 eq 0:i32"]);
    let counts = "b0:\n jump b1\nb1:\n %3:i32 = phi b0: 0:i32, b1: %4\n %1:i32 = call @trylock(%0)\n \
                  %4:i32 = add %3, 1:i32\n %2:i1 = cmp.eq %1, 0:i32\n branch %2, b2, b1\nb2:\n return %3";
    assert!(declared(&polls("%0", "%0"), &other(counts)).0.is_empty());
    // To back off is to do nothing, too, if nobody can tell.
    let backs_off = "b0:\n jump b1\nb1:\n %1:i32 = call @lock(@y)\n %2:i32 = call @trylock(%0)\n \
                     %3:i1 = cmp.eq %2, 0:i32\n branch %3, b3, b2\nb2:\n %4:i32 = call @unlock(@y)\n jump b1\nb3:\n \
                     return 0:i32";
    assert_eq!(declared(&polls("%0", "%0"), &other(backs_off)).0, ["%4 eq 0:i32"]);
    let keeps = backs_off.replace("call @unlock(@y)", "call @lock(@z)");
    assert!(declared(&polls("%0", "%0"), &other(&keeps)).0.is_empty());
}

#[test]
fn storing_what_was_loaded_changes_nothing() {
    // `while (wanted == cached) cached = index;`
    let cached = "b0:\n jump b1\nb1:\n %3:i32 = load @y align 4\n %4:i1 = cmp.eq %3, %1\n branch %4, b2, b3\nb2:\n \
                  %5:i32 = load @x align 4 seq_cst\n store @y, %5 align 4\n jump b1\nb3:\n return 0:i32";
    assert_eq!(pure_if(cached), ["%5 eq %3 and %3 eq %1"]);
    let text = eliminated(cached);
    assert!(text.find("store @y").expect("a store") < text.find("assume").expect("an assume"), "{text}");
    assert!(pure_if(&cached.replace("store @y, %5 align 4", "store @y, %5 align 4 seq_cst")).is_empty());
    assert!(pure_if(&cached.replace("store @y", "store @z")).is_empty());
    assert!(pure_if(&cached.replace("store @y, %5 align 4", "store @y, %5 align 4 volatile")).is_empty());
}

#[test]
fn storing_what_was_loaded_may_change_what_others_have_stored_since() {
    // `do { begin(); t = x; x = t; end(); } while (t == 0);`
    let stores = "b0:\n jump b1\nb1:\n call @begin()\n %3:i32 = load @x align 4\n store @x, %3 align 4\n call @end()\n \
                  %4:i1 = cmp.eq %3, 0:i32\n branch %4, b1, b2\nb2:\n return 0:i32";
    let pure = |body: &str, plain: Races, volatile: Races| {
        let declared = "declare @begin()\ndeclare @end()\n";
        let text = format!("{PRELUDE}{declared}function @f(%0:ptr, %1:i32, %2:i1) -> i32 {{\n{body}\n}}\n");
        let mut module: Module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        treated_in(&mut module, Environment { unordered: Unordered { plain, volatile }, ..ENVIRONMENT })
            .remove(0)
            .pure_if
    };
    let bare = stores.replace("call @begin()\n ", "").replace("call @end()\n ", "");
    let late =
        stores.replace("call @begin()\n %3:i32 = load @x align 4\n", "%3:i32 = load @x align 4\n call @begin()\n");
    let volatile = |body: &str| body.replace("store @x, %3 align 4", "store @x, %3 align 4 volatile");
    for races in [Races::Fail, Races::Interleave, Races::Weak] {
        let expected: &[&str] = if races == Races::Weak { &[] } else { &["%3 eq 0:i32"] };
        assert_eq!(pure(stores, races, Races::Weak), expected);
        assert_eq!(pure(&volatile(stores), Races::Weak, races), expected);
        let expected: &[&str] = if races == Races::Fail { &["%3 eq 0:i32"] } else { &[] };
        assert_eq!(pure(&bare, races, Races::Fail), expected);
        assert_eq!(pure(&volatile(&bare), Races::Fail, races), expected);
        assert!(pure(&late, races, races).is_empty());
    }
}
