//! A bounded queue with a mutex and condition variables. The broken version has a single condition variable for
//! producers and consumers, and wakes one waiting thread: it may be the wrong one.

use everyway::render::text::plain;
use everyway::sync::{Arc, Condvar, Mutex};
use everyway::thread;
use std::collections::VecDeque;

struct Queue {
    items: Mutex<VecDeque<u32>>,
    capacity: usize,
    not_full: Condvar,
    not_empty: Condvar,
    /// Whether both conditions share `not_full`: this is the bug.
    shares: bool,
}

impl Queue {
    fn new(capacity: usize, shares: bool) -> Self {
        Self { items: Mutex::default(), capacity, not_full: Condvar::new(), not_empty: Condvar::new(), shares }
    }

    fn not_empty(&self) -> &Condvar {
        if self.shares { &self.not_full } else { &self.not_empty }
    }

    fn put(&self, item: u32) {
        let mut items = self.items.lock().unwrap();
        while items.len() == self.capacity {
            items = self.not_full.wait(items).unwrap();
        }
        items.push_back(item);
        self.not_empty().notify_one();
    }

    fn take(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        loop {
            if let Some(item) = items.pop_front() {
                self.not_full.notify_one();
                return item;
            }
            items = self.not_empty().wait(items).unwrap();
        }
    }
}

/// Two producers put one item each into a queue with one place, two consumers take one each.
fn produce_and_consume(shares: bool) {
    let queue = Arc::new(Queue::new(1, shares));
    let producers: Vec<_> = (0..2)
        .map(|item| {
            let queue = queue.clone();
            thread::Builder::new().name(format!("producer {item}")).spawn(move || queue.put(item)).unwrap()
        })
        .collect();
    let consumers: Vec<_> = (0..2)
        .map(|number| {
            let queue = queue.clone();
            thread::Builder::new().name(format!("consumer {number}")).spawn(move || queue.take()).unwrap()
        })
        .collect();
    for producer in producers {
        producer.join().unwrap();
    }
    let taken: u32 = consumers.into_iter().map(|consumer| consumer.join().unwrap()).sum();
    assert_eq!(taken, 1);
}

fn main() {
    println!("One condition variable for two conditions:\n");
    println!("{}", plain(&everyway::explore(|| produce_and_consume(true))));
    println!("One for each:\n");
    println!("{}", plain(&everyway::explore(|| produce_and_consume(false))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn the_wrong_thread_is_woken() {
        let report = everyway::explore(|| produce_and_consume(true));
        assert_eq!(report.bug.expect("the bug is found").kind, BugKind::Deadlock);
    }

    #[everyway::test]
    fn every_item_arrives() {
        produce_and_consume(false);
    }
}
