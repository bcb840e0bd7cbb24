//! Operations: what they find, and what conflicts.

use super::*;
use crate::ids::ThreadId;

const X: Location = Location(0);

struct Any;

impl Matching for Any {}

fn class(access: Access, before: u64) -> Class {
    Visit::carry_out(&access, before).0.class
}

#[test]
fn a_failed_compare_exchange_is_a_read() {
    let cas = Access::new(X, Effect::Write(7)).if_now(Condition::Equals(1));
    assert_eq!(class(cas, 1), Class::Write);
    assert_eq!(class(cas, 2), Class::Read);
}

#[test]
fn what_is_only_tried_is_a_read_where_there_is_nothing_to_change() {
    let even: fn(u64, u64) -> Option<u64> = |value, by| value.is_multiple_of(2).then_some(value + by);
    let access = Access::new(X, Effect::Try(even, 1));
    let (visit, _) = Visit::carry_out(&access, 4);
    assert_eq!((visit.class, visit.after), (Class::Write, 5));
    let (visit, _) = Visit::carry_out(&access, 5);
    assert_eq!((visit.class, visit.after), (Class::Read, 5));
    assert_eq!(access.class_anywhere(), None);
    assert_eq!(access.potential().class, Class::Write);
}

#[test]
fn bytes_of_a_location_are_read_and_replaced() {
    let middle = Bytes(0b0000_1100);
    assert_eq!(middle.get(0x1122_3344_5566_7788), 0x5566);
    assert_eq!(middle.set(0x1122_3344_5566_7788, 0xabcd), 0x1122_3344_abcd_7788);
    let low = Visit::carry_out(&Access { bytes: Bytes(0x0f), ..Access::new(X, Effect::Write(1)) }, 0).0;
    let high = Visit::carry_out(&Access { bytes: Bytes(0xf0), ..Access::new(X, Effect::Write(1)) }, 0).0;
    assert!(!low.footprint().conflicts(&high.footprint(), &Any));
    assert_eq!(high.replay(low.after), 0x0000_0001_0000_0001);
}

#[test]
fn a_receive_depends_on_the_message_it_takes_or_on_all_that_it_misses() {
    let message = |nth| Message { sender: ThreadId(1), nth };
    let receive = |before| class(Access::new(X, Effect::Receive(0)), before);
    let takes = receive(Message::encode(Some(message(3))));
    let even = |_, message: Message| message.nth.is_multiple_of(2);
    assert!(Class::Send(message(3)).conflicts(takes, even));
    assert!(!Class::Send(message(4)).conflicts(takes, even));
    assert!(!Class::Send(message(3)).conflicts(receive(0), even));
    assert!(Class::Send(message(4)).conflicts(receive(0), even));
    assert!(Class::Send(message(4)).conflicts(Class::Send(message(3)), even));
}

#[test]
fn a_list_of_accesses_is_a_decision_list() {
    let queue = Location(1);
    let senders = Location(2);
    let receive = [
        Access::new(queue, Effect::Receive(0)).or_else(Condition::Differs(0)),
        Access::new(senders, Effect::Read).once(Condition::Equals(0)),
    ];
    let outcome = |found, alive| {
        let mut visited = 0;
        let value = |a: &Access| if a.location == queue { found } else { alive };
        (evaluate(&receive, value, |_| visited += 1), visited)
    };
    assert_eq!(
        outcome(Message::encode(Some(Message { sender: ThreadId(0), nth: 0 })), 1),
        (Evaluation::Done { last: 0 }, 1)
    );
    assert_eq!(outcome(0, 0), (Evaluation::Done { last: 1 }, 2));
    assert_eq!(outcome(0, 1), (Evaluation::Blocked, 2));
}
