//! Aronis, Jonsson, Lång, Sagonas: Optimal Dynamic Partial Order Reduction with Observers, TACAS 2018. Its text gives
//! closed forms for the synthetic programs; those are the numbers here.

use super::{OBSERVERS, OPTIMAL};
use crate::messages::Processes;
use crate::table::{OPEN, Program, Table, begun, split};

pub(crate) fn tables() -> Vec<Table> {
    vec![memory(), messages()]
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

fn memory() -> Table {
    let about = "Shared memory: N threads write and one reads at the end (lastwrite) or at any time (floating_read); \
                 Lamport's fast mutex. fib, in which observers have no effect, is the program of OOPSLA 2019, Table 2; \
                 the paper's number of it is in a picture.";
    let mut table = Table::new("TACAS 2018, Table 1", about, &[OPTIMAL, OBSERVERS]);
    for n in 5..=8 {
        let all = begun(factorial(u64::from(n)));
        table = table.row("lastwrite", "lastwrite", n, &[all, begun(u64::from(n))]);
    }
    for n in 2..=7 {
        let observed = begun(u64::from(n) * (1 << (n - 1)) + 1);
        table = table.row("floating_read", "floating_read", n, &[begun(factorial(u64::from(n) + 1)), observed]);
    }
    table
        .row("lamport", "lamport", 2, &[begun(32), split(14, 12)])
        .row("lamport", "lamport", 3, &[begun(20741), split(5466, 6132)])
        .row("fib", "fib_bench", 3, &[OPEN, OPEN])
        .without(
            "apr_1: of the program, the paper says that it is adapted from the Apache Portable Runtime, and its numbers are \
             in a picture.",
        )
}

fn messages() -> Table {
    let about = "Processes and messages. With observers, sends conflict only if a receive could have taken either. \
                 The last rows are our examples `chain_replication`, in which replicas take what comes and little is \
                 gained, and `log_repair`, the repair of a log in the manner of CORFU, in which answers are waited for \
                 one by one: with four replicas observers gain a factor of 80. It is in place of the paper's corfu-repair, which \
                 gains a factor of 24.";
    let mut table = Table::new("TACAS 2018, Table 2", about, &[OPTIMAL, OBSERVERS]);
    for n in 2..=6 {
        let all = begun(factorial(n));
        table =
            table.row_with(format!("not selective({n})"), Program::Processes(Processes::NotSelective(n)), &[all, all]);
        table =
            table.row_with(format!("selective({n})"), Program::Processes(Processes::Selective(n)), &[all, begun(1)]);
    }
    for n in 2..=4 {
        table =
            table.row_with(format!("lock({n})"), Program::Processes(Processes::Lock(n)), &[OPEN, begun(factorial(n))]);
    }
    table
        .row_with("chain with repair(2)".to_owned(), Program::Processes(Processes::Chain(2)), &[OPEN, OPEN])
        .row_with("chain with repair(3)".to_owned(), Program::Processes(Processes::Chain(3)), &[OPEN, OPEN])
        .row_with("log repair(2)".to_owned(), Program::Processes(Processes::Repair(2)), &[OPEN, OPEN])
        .row_with("log repair(3)".to_owned(), Program::Processes(Processes::Repair(3)), &[OPEN, OPEN])
        .row_with("log repair(4)".to_owned(), Program::Processes(Processes::Repair(4)), &[OPEN, OPEN])
        .without("poolboy, gproc and corfu-repair are Erlang programs, which cannot be run here.")
}
