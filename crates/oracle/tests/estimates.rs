//! How many executions there are, by walks at random: right on average, and near enough soon.

use everyway_explore::{Algorithm, End, Explorer, Limits, MemoryModel, Order, Prober};
use everyway_oracle::machine::Machine;
use everyway_oracle::papers;
use everyway_oracle::program::Program;
use everyway_oracle::weak::random::{Profile, program};
use std::ops::ControlFlow;

const GRAPHS: Algorithm = Algorithm::Graphs { model: MemoryModel::Sc };

fn executions(program: &Program, algorithm: Algorithm) -> f64 {
    let (mut machine, mut strategy) = (Machine::new(program), algorithm.strategy(Order::Lowest));
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default());
    let end = explorer.run(|_| ControlFlow::Continue(()));
    assert!(matches!(end, End::Finished), "{end:?}");
    explorer.counts().executions() as f64
}

fn expected(program: &Program, algorithm: Algorithm, walks: u32) -> f64 {
    let prober = Prober::new(Machine::new(program), algorithm, Order::Lowest, &Limits::default());
    let mut prober = prober.expect("what is left can be told");
    prober.walk_times(walks);
    prober.total().expect("there were some")
}

/// The programs of the benchmarks, in sizes that are explored in a moment.
#[test]
fn benchmarks_are_within_a_factor_of_two() {
    let all = [
        ("readers", papers::readers(9)),
        ("lastzero", papers::lastzero(9)),
        ("indexer", papers::indexer(13)),
        ("filesystem", papers::filesystem(18)),
        ("lastwrite", papers::lastwrite(7)),
        ("sigma", papers::sigma(6)),
        ("casrot", papers::casrot(7)),
        ("fib_bench", papers::fib_bench(4)),
        ("circular_buffer", papers::circular_buffer(6)),
        ("approximate_append", papers::approximate_append(3)),
        ("wakeup_stress", papers::wakeup_stress(4)),
    ];
    let mut is_near = true;
    for (name, program) in all {
        let there_are = executions(&program, GRAPHS);
        let expected = expected(&program, GRAPHS, 60);
        println!("{name}: {expected:.0} of {there_are}");
        is_near &= (0.5..2.0).contains(&(expected / there_are));
    }
    assert!(is_near, "see above");
}

/// Of many programs, the errors go both ways.
#[test]
fn walks_are_right_on_average() {
    for algorithm in [GRAPHS, Algorithm::Naive] {
        let programs: Vec<Program> = (0..100).map(|seed| program(Profile::Mixed, seed)).collect();
        let small = programs.iter().map(|program| (program, executions(program, algorithm)));
        let small: Vec<_> = small.filter(|(_, executions)| *executions <= 2000.0).collect();
        assert!(small.len() > 20, "{} of them are small", small.len());
        let ratios = small.iter().map(|(program, there_are)| expected(program, algorithm, 100) / there_are);
        let mean = ratios.sum::<f64>() / small.len() as f64;
        assert!((0.95..1.05).contains(&mean), "{}: {mean}", algorithm.name());
    }
}
