//! Programs that papers give, with numbers of executions to compare with.

pub mod awaits;

use crate::program::{Arithmetic, Condition, Inbox, Place, Program, Register, Statement, Test, Value};
use Statement::{Assume, Await, CompareExchange, Compute, FetchAdd, If, Join, Load, Lock, Spawn, Store, Unlock, While};

const R0: Register = Register(0);
const R1: Register = Register(1);
const R2: Register = Register(2);
const R3: Register = Register(3);

fn at(location: usize) -> Place {
    Place::at(location as u32)
}

fn element(base: usize, register: Register) -> Place {
    Place::element(base as u32, register)
}

fn number(number: usize) -> Value {
    Value::Number(number as u64)
}

fn store(location: usize, value: usize) -> Statement {
    Store(at(location), number(value))
}

fn plus(to: Register, a: Value, b: Value) -> Statement {
    Compute(to, a, Arithmetic::Plus, b)
}

fn set(to: Register, value: usize) -> Statement {
    plus(to, number(value), number(0))
}

fn modulo(to: Register, a: Value, b: usize) -> Statement {
    Compute(to, a, Arithmetic::Modulo, number(b))
}

fn is(register: Register, value: usize) -> Test {
    Test { register, condition: Condition::Equals(value as u64) }
}

fn is_not(register: Register, value: usize) -> Test {
    Test { register, condition: Condition::Differs(value as u64) }
}

fn program(locations: usize, threads: Vec<Vec<Statement>>) -> Program {
    Program::new(locations as u32, threads)
}

/// JACM, Fig. 13: one writer, and readers that first read something of their own. `readers(2)` is Fig. 1.
pub fn readers(n: usize) -> Program {
    let reader = |i| vec![Load(R0, at(i)), Load(R0, at(0))];
    program(n + 1, [vec![store(0, 1)]].into_iter().chain((1..=n).map(reader)).collect())
}

/// JACM, Fig. 11: one thread looks for the last zero of an array that others fill.
pub fn lastzero(n: usize) -> Program {
    let minus_one = Compute(R0, Value::Held(R0), Arithmetic::Minus, number(1));
    let search =
        vec![set(R0, n), Load(R1, element(0, R0)), While(is_not(R1, 0), vec![minus_one, Load(R1, element(0, R0))])];
    let fill = |j| vec![Load(R0, at(j - 1)), plus(R0, Value::Held(R0), number(1)), Store(at(j), Value::Held(R0))];
    program(n + 1, [search].into_iter().chain((1..=n).map(fill)).collect())
}

/// JACM, Fig. 10: groups of threads `p`, `q`, `r`, `s`; a group spawns the next one in one case of five.
///
/// As printed, where `s` always reads `y`, there are 6n + 1 classes. Table 1 has 4n + 1: those of this program, in which `s`
/// reads `y` only if it has read that `z` is 1.
pub fn groups(n: usize) -> Program {
    let [q, r, s] = [1, 2, 3].map(|part| move |group: usize| (part * n + group) as u32);
    let (x, y, z) = (|group: usize| group, |group: usize| n + group, |group: usize| 2 * n + group);
    let spawner = |group: usize| {
        let next = group + 1;
        let spawns = [q(next), r(next), s(next)].map(Spawn).into_iter().filter(|_| next < n).collect();
        vec![Load(R0, at(x(group))), If(is(R0, 1), spawns)]
    };
    let writer = |group: usize| vec![store(y(group), 1)];
    let reader = |group: usize| vec![Load(R0, at(y(group))), If(is(R0, 0), vec![store(z(group), 1)])];
    let last = |group: usize| {
        let inner = vec![Load(R1, at(y(group))), If(is(R1, 0), vec![store(x(group), 1)])];
        vec![Load(R0, at(z(group))), If(is(R0, 1), inner)]
    };
    let threads = (0..n).map(spawner).chain((0..n).map(writer)).chain((0..n).map(reader)).chain((0..n).map(last));
    program(3 * n, threads.collect())
}

/// JACM, Fig. 12: a race between two threads, one of which waits for many others that race as well.
pub fn wakeup_stress(n: usize) -> Program {
    let (first, second, barrier) = (at(0), at(1), at(2));
    let worker = vec![FetchAdd(R0, second, 1), Statement::Add(barrier, 1)];
    let waiter = vec![Await(R0, barrier, Condition::AtLeast(n as u64)), FetchAdd(R0, first, 1)];
    let threads = [vec![FetchAdd(R0, first, 1)]].into_iter().chain(vec![worker; n]).chain([waiter]);
    program(3, threads.collect())
}

/// Flanagan and Godefroid's indexer: threads insert into a hash table by compare-exchange.
pub fn indexer(n: usize) -> Program {
    let insert = |tid: usize, m: usize| {
        let w = m * 11 + tid;
        let try_insert = CompareExchange(R1, element(0, R0), number(0), number(w));
        let again = vec![plus(R0, Value::Held(R0), number(1)), modulo(R0, Value::Held(R0), 128), try_insert.clone()];
        [set(R0, w * 7 % 128), try_insert, While(is(R1, 0), again)]
    };
    program(128, (0..n).map(|tid| (1..=4).flat_map(|m| insert(tid, m)).collect()).collect())
}

/// Flanagan and Godefroid's file system: threads allocate blocks for inodes.
pub fn filesystem(n: usize) -> Program {
    const INODES: usize = 32;
    const BLOCKS: usize = 26;
    const BLOCK_LOCK: usize = INODES;
    const INODE: usize = BLOCK_LOCK + BLOCKS;
    const BUSY: usize = INODE + INODES;
    let thread = |tid: usize| {
        let i = tid % INODES;
        let take = vec![
            Store(element(BUSY, R1), number(1)),
            plus(R3, Value::Held(R1), number(1)),
            Store(at(INODE + i), Value::Held(R3)),
            set(R2, 1),
        ];
        let look = vec![
            Lock(element(BLOCK_LOCK, R1)),
            Load(R0, element(BUSY, R1)),
            If(is(R0, 0), take),
            Unlock(element(BLOCK_LOCK, R1)),
            plus(R1, Value::Held(R1), number(1)),
            modulo(R1, Value::Held(R1), BLOCKS),
        ];
        let allocate = vec![set(R1, i * 2 % BLOCKS), While(is(R2, 0), look)];
        vec![Lock(at(i)), Load(R0, at(INODE + i)), If(is(R0, 0), allocate), Unlock(at(i))]
    };
    program(BUSY + BLOCKS, (0..n).map(thread).collect())
}

fn join_all(threads: usize) -> impl Iterator<Item = Statement> {
    (0..threads as u32).map(Join)
}

/// TACAS 2018: threads write a variable; the main thread joins them and reads it.
pub fn lastwrite(n: usize) -> Program {
    let main = join_all(n).chain([Load(R0, at(0))]).collect();
    program(1, (0..n).map(|i| vec![store(0, i + 1)]).chain([main]).collect())
}

/// The same, where the reader joins no thread.
pub fn floating_read(n: usize) -> Program {
    program(1, (0..n).map(|i| vec![store(0, i + 1)]).chain([vec![Load(R0, at(0))]]).collect())
}

/// OOPSLA 2019: the main thread increments an index between spawns; the threads write where it points to.
pub fn sigma(n: usize) -> Program {
    let main = n;
    let writer = vec![Load(R0, at(0)), Store(element(1, R0), number(1))];
    let round = |i| [Load(R0, at(0)), plus(R0, Value::Held(R0), number(1)), Store(at(0), Value::Held(R0)), Spawn(i)];
    let rounds = (0..main as u32).flat_map(round).chain(join_all(n)).collect();
    let program = program(n + 1, vec![writer; n].into_iter().chain([rounds]).collect());
    program.starting_with(0, u64::MAX)
}

/// OOPSLA 2019: a compare-exchange in each thread, of what the previous one leaves.
pub fn casrot(n: usize) -> Program {
    program(1, (1..=n).map(|i| vec![CompareExchange(R0, at(0), number(i - 1), number(i))]).collect())
}

/// OOPSLA 2019: a compare-exchange and a store in each thread.
pub fn casw(n: usize) -> Program {
    program(1, (0..n).map(|i| vec![CompareExchange(R0, at(0), number(0), number(1)), store(0, i + 3)]).collect())
}

/// Two threads compute Fibonacci numbers by turns, if they are lucky; a third one looks.
pub fn fib_bench(n: usize) -> Program {
    let adder = |own, other| {
        let round = [
            Load(R0, at(own)),
            Load(R1, at(other)),
            plus(R0, Value::Held(R0), Value::Held(R1)),
            Store(at(own), Value::Held(R0)),
        ];
        vec![round; n].concat()
    };
    let look = vec![Load(R0, at(0)), Load(R0, at(1))];
    program(2, vec![adder(0, 1), adder(1, 0), look]).starting_with(0, 1).starting_with(1, 1)
}

/// A ring that two threads use under one mutex.
pub fn circular_buffer(n: usize) -> Program {
    const MUTEX: usize = 0;
    const SEND: usize = 1;
    const RECEIVE: usize = 2;
    const VALUE: usize = 3;
    const RING: usize = 4;
    let next = || [plus(R1, Value::Held(R1), number(1)), modulo(R1, Value::Held(R1), 10)];
    let user = |flag: usize, body: Vec<Statement>| {
        let round = [Lock(at(MUTEX)), Load(R0, at(flag)), If(is(R0, 1), body), Unlock(at(MUTEX))];
        vec![round; n].concat()
    };
    let put = [Store(element(RING, R1), Value::Held(R1)), Store(at(VALUE), Value::Held(R1))];
    let put = put.into_iter().chain(next()).chain([store(SEND, 0), store(RECEIVE, 1)]).collect();
    let get = [Load(R2, element(RING, R1)), Load(R3, at(VALUE))];
    let get = get.into_iter().chain(next()).chain([store(RECEIVE, 0), store(SEND, 1)]).collect();
    let main = join_all(2).collect();
    program(RING + 10, vec![user(SEND, put), user(RECEIVE, get), main]).starting_with(SEND as u32, 1)
}

/// Lamport's fast mutex, taken once by each thread; waiting is an assumption or, if `awaits`, an await.
pub fn lamport(n: usize, awaits: bool) -> Program {
    const X: usize = 0;
    const Y: usize = 1;
    const INSIDE: usize = 2;
    const B: usize = 3;
    const AGAIN: Register = R3;
    let wait = |place: Place| match awaits {
        true => vec![Await(R0, place, Condition::Equals(0))],
        false => vec![Load(R0, place), Assume(is(R0, 0))],
    };
    let thread = |t: usize| {
        let retry = || [wait(at(Y)), vec![set(AGAIN, 1)]].concat();
        let slow = [
            vec![store(B + t, 0)],
            (1..=n).flat_map(|j| wait(at(B + j))).collect(),
            vec![Load(R0, at(Y)), If(is_not(R0, t), retry())],
        ]
        .concat();
        let rest = vec![store(Y, t), Load(R0, at(X)), If(is_not(R0, t), slow)];
        let attempt = vec![
            set(AGAIN, 0),
            store(B + t, 1),
            store(X, t),
            Load(R0, at(Y)),
            If(is_not(R0, 0), [vec![store(B + t, 0)], retry()].concat()),
            If(is(AGAIN, 0), rest),
        ];
        let inside = [store(INSIDE, t), Load(R0, at(INSIDE))];
        let leave = [store(Y, 0), store(B + t, 0)];
        [set(AGAIN, 1), While(is(AGAIN, 1), attempt)].into_iter().chain(inside).chain(leave).collect()
    };
    program(B + n + 1, (1..=n).map(thread).collect())
}

/// OOPSLA 2019: two threads, which try a few times to find what they stored themselves.
pub fn optimistic_lock(n: usize) -> Program {
    const X: usize = 0;
    const Y: usize = 1;
    const LEFT: Register = R3;
    let thread = |t: usize| {
        let stop = vec![Load(R1, at(Y)), set(LEFT, 1)];
        let attempt = vec![
            store(X, t),
            store(Y, 1),
            Load(R0, at(X)),
            If(is(R0, t), stop),
            Compute(LEFT, Value::Held(LEFT), Arithmetic::Minus, number(1)),
        ];
        vec![set(LEFT, n), While(is_not(LEFT, 0), attempt)]
    };
    program(2, vec![thread(0), thread(1)])
}

/// Setters of two variables, and one thread that looks whether it sees both or none.
pub fn reorder(n: usize) -> Program {
    let (a, b) = (at(0), at(1));
    let setter = vec![store(0, 1), Store(b, Value::Number(u64::MAX))];
    let seen =
        |found| vec![Load(R0, b), If(Test { register: R0, condition: Condition::Equals(found) }, vec![set(R1, 1)])];
    let second = vec![Load(R0, a), If(is(R0, 1), seen(u64::MAX))];
    let checker = vec![Load(R0, a), If(is(R0, 0), seen(0)), If(is(R1, 0), second)];
    let threads = vec![setter; n - 1].into_iter().chain([checker, join_all(n).collect()]);
    program(2, threads.collect())
}

/// A list with too few slots that threads append to without care, emptied by the main thread, which reads each slot
/// that it takes. (Without that read the slots' stores would be of no consequence, and there would be 18 executions
/// with observers where the papers' tool has 36.)
pub fn approximate_append(n: usize) -> Program {
    const NEXT: usize = 0;
    let thread = |tid: usize| {
        let append = vec![
            Store(element(1, R0), number(tid)),
            plus(R0, Value::Held(R0), number(1)),
            Store(at(NEXT), Value::Held(R0)),
        ];
        vec![Load(R0, at(NEXT)), If(Test { register: R0, condition: Condition::Below(n as u64 - 2) }, append)]
    };
    let pop = vec![
        Load(R1, at(NEXT)),
        Compute(R0, Value::Held(R0), Arithmetic::Minus, number(1)),
        Store(at(NEXT), Value::Held(R0)),
        Load(R1, element(1, R0)),
        Load(R0, at(NEXT)),
    ];
    let main = join_all(n).chain([Load(R0, at(NEXT)), While(is_not(R0, 0), pop)]).collect();
    program(n, (0..n).map(thread).chain([main]).collect())
}

/// Senders to one queue, whose receiver takes as many messages as it is told to.
pub fn messages(senders: usize, received: usize) -> Program {
    let sender = |i| vec![Statement::Send(at(0), number(i))];
    let receiver = vec![Statement::Receive(R0, at(0).into()); received];
    program(1, (0..senders).map(sender).chain([receiver]).collect())
}

/// Senders to one queue, whose receiver takes the message of the first one, then that of the second, and so on.
pub fn selective_messages(n: usize) -> Program {
    let sender = |i| vec![Statement::Send(at(0), number(i))];
    let inbox = |i: usize| Inbox { queue: at(0), matching: Condition::Equals(i as u64) };
    let receiver = (0..n).map(|i| Statement::Receive(R0, inbox(i))).collect();
    program(1, (0..n).map(sender).chain([receiver]).collect())
}

/// TACAS 2018, Sect. 3.2: `p`, `q` and `s` send messages with tags to `r`, which wants an `A`, and then a `B` if the
/// first one was from `p`. Sleep sets as they are without observers would miss the one in which `r` gets its `B` from
/// `s`. The content is [`TAG_A`] or [`TAG_B`] plus the number of the sender, 0 to 2.
pub fn tagged_messages() -> Program {
    let [p, q, s] = [0, 1, 2];
    let send = |tag: u64, sender: u64| Statement::Send(at(0), Value::Number(tag + sender));
    let receive_a = Statement::Receive(R0, Inbox { queue: at(0), matching: Condition::AtLeast(TAG_A) });
    let receive_b = Statement::Receive(R1, Inbox { queue: at(0), matching: Condition::Below(TAG_A) });
    let from_p = Test { register: R0, condition: Condition::Equals(TAG_A + p) };
    let r = vec![receive_a, If(from_p, vec![receive_b])];
    program(1, vec![vec![send(TAG_B, p), send(TAG_A, p)], vec![send(TAG_A, q)], vec![send(TAG_B, s)], r])
}

/// The tag `A` of [`tagged_messages`].
pub const TAG_A: u64 = 20;
/// The tag `B` of [`tagged_messages`].
pub const TAG_B: u64 = 10;

/// TACAS 2018, Table 2: workers take and give back a lock that is a process. It grants the lock to the process that asks next,
/// and then waits for it to be given back; later requests stay in its queue meanwhile.
pub fn lock_server(n: usize) -> Program {
    let release = n;
    let queue_of = |worker: usize| at(1 + worker);
    let worker = |i: usize| {
        vec![
            Statement::Send(at(0), number(i)),
            Statement::Receive(R0, queue_of(i).into()),
            Statement::Send(at(0), number(release)),
        ]
    };
    let round = [
        Statement::Receive(R0, Inbox { queue: at(0), matching: Condition::Below(release as u64) }),
        Statement::Send(element(1, R0), number(0)),
        Statement::Receive(R0, Inbox { queue: at(0), matching: Condition::Equals(release as u64) }),
    ];
    let server = (0..n).flat_map(|_| round.clone()).collect();
    program(1 + n, (0..n).map(worker).chain([server]).collect())
}
