//! debug
use everyway_explore::*;
use everyway_oracle::{compare::counts_of, machine::Machine, papers::*, program::Program};
fn main() {
    let progs: Vec<(&str, Program)> = vec![
        ("readers2", readers(2)),
        ("readers8", readers(8)),
        ("lastzero5", lastzero(5)),
        ("lastzero10", lastzero(10)),
        ("groups1", groups(1)),
        ("groups2", groups(2)),
        ("groups5", groups(5)),
        ("stress4", wakeup_stress(4)),
        ("indexer12", indexer(12)),
        ("indexer13", indexer(13)),
        ("fs14", filesystem(14)),
        ("fs16", filesystem(16)),
        ("fs18", filesystem(18)),
        ("lastwrite4", lastwrite(4)),
        ("floating3", floating_read(3)),
        ("sigma5", sigma(5)),
        ("casrot8", casrot(8)),
        ("casw5", casw(5)),
        ("fib2", fib_bench(2)),
        ("fib3", fib_bench(3)),
        ("cb7", circular_buffer(7)),
        ("lamport2", lamport(2, false)),
        ("lamport2 await", lamport(2, true)),
        ("lamport3", lamport(3, false)),
        ("lamport3 await", lamport(3, true)),
        ("reorder3", reorder(3)),
        ("reorder4", reorder(4)),
        ("append3", approximate_append(3)),
        ("append4", approximate_append(4)),
        ("messages4", messages(4, 4)),
        ("messages4-1", messages(4, 1)),
    ];
    for (n, p) in progs {
        println!("{n}");
        for (on, o) in [("low", Order::Lowest), ("high", Order::Highest), ("rand", Order::Random(3))] {
            for a in [Algorithm::Optimal, Algorithm::Source, Algorithm::Classic] {
                if a != Algorithm::Optimal
                    && (n.starts_with("casw") || n.contains('3') || n == "lastzero10" && on != "low")
                {
                    continue;
                }
                let t = std::time::Instant::now();
                let mut s = a.strategy(o.clone());
                let mut m = Machine::new(&p);
                let mut e = Explorer::new(&mut m, &mut *s, Limits { executions: Some(100000), ..Limits::default() });
                e.run(|_| std::ops::ControlFlow::Continue(()));
                let c = e.counts();
                println!(
                    "   {on} {a:?}: {}+{} redundant {} total {}  {:?}",
                    c.complete,
                    c.blocked,
                    c.redundant,
                    c.executions(),
                    t.elapsed()
                );
            }
        }
    }
    let _ = counts_of::<Machine>;
}
