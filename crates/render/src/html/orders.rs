//! In which order the writes to each object took effect, where that need not be the order of the steps.

use std::collections::BTreeMap;

use everyway_report::{Effect, Event, Execution};

/// Whether the memory model leaves some read a choice, or some write another place than the last.
fn is_weak(event: &Event) -> bool {
    !event.could_read.is_empty() || event.could_read_initial || event.overwrites.is_some()
}

/// The writes to each object in modification order, as indices; nothing if that is the order of the events for all.
pub(super) fn modification_orders(execution: &Execution) -> BTreeMap<&str, Vec<usize>> {
    let mut orders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    if !execution.events.iter().any(is_weak) {
        return orders;
    }
    for (index, event) in execution.events.iter().enumerate() {
        for effect in &event.effects {
            if let Effect::Writes { object, .. } = effect {
                orders.entry(object).or_default().push(index);
            }
        }
    }
    orders.values_mut().for_each(|writes| *writes = arranged(execution, writes));
    orders
}

/// These writes, each right after the one that it overwrites, if that is known. What comes after nothing keeps its place
/// among its like.
fn arranged(execution: &Execution, writes: &[usize]) -> Vec<usize> {
    let mut after: BTreeMap<usize, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for &write in writes {
        match execution.events[write].overwrites.filter(|before| writes.binary_search(before).is_ok()) {
            Some(before) => _ = after.insert(before, write),
            None => order.push(write),
        }
    }
    let chain = |first: usize| std::iter::successors(Some(first), |last| after.get(last).copied()).take(writes.len());
    let mut order: Vec<usize> = order.into_iter().flat_map(chain).collect();
    // What comes from elsewhere may go in circles.
    let is_missing = |write: &&usize| !order.contains(write);
    let missing: Vec<usize> =
        if order.len() < writes.len() { writes.iter().filter(is_missing).copied().collect() } else { Vec::new() };
    order.extend(missing);
    order.truncate(writes.len());
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(object: &str, overwrites: Option<usize>) -> Event {
        let effects = vec![Effect::Writes { object: object.to_owned(), value: "1".to_owned() }];
        Event { object: object.to_owned(), effects, overwrites, ..Event::default() }
    }

    fn orders(events: Vec<Event>) -> Vec<(String, Vec<usize>)> {
        let execution = Execution { threads: Vec::new(), events };
        modification_orders(&execution).into_iter().map(|(object, order)| (object.to_owned(), order)).collect()
    }

    #[test]
    fn writes_come_after_what_they_overwrite() {
        let x = "x".to_owned();
        let events = vec![write("x", Some(3)), write("y", None), write("x", Some(0)), write("x", None)];
        assert_eq!(orders(events), [(x.clone(), vec![3, 0, 2]), ("y".to_owned(), vec![1])]);
        // Nothing is weak about it.
        assert_eq!(orders(vec![write("x", None), write("x", None)]), []);
        // Neither circles nor what is not there lose a write.
        let circle = vec![write("x", Some(1)), write("x", Some(0)), write("x", Some(9))];
        assert_eq!(orders(circle), [(x, vec![2, 0, 1])]);
    }
}
