//! Transfers between two accounts, each with a lock of its own. The broken version locks the payer first: two transfers
//! in opposite directions can wait for each other. The correct one locks in the order of the accounts.

use everyway::render::text::plain;
use everyway::sync::{Arc, Mutex};
use everyway::thread;

struct Bank {
    accounts: [Mutex<i64>; 2],
    /// Whether all transfers take the locks in the same order; if not, this has a bug.
    in_order: bool,
}

impl Bank {
    fn transfer(&self, from: usize, to: usize, amount: i64) {
        if self.in_order && to < from {
            let mut payee = self.accounts[to].lock().unwrap();
            let mut payer = self.accounts[from].lock().unwrap();
            *payer -= amount;
            *payee += amount;
        } else {
            let mut payer = self.accounts[from].lock().unwrap();
            let mut payee = self.accounts[to].lock().unwrap();
            *payer -= amount;
            *payee += amount;
        }
    }
}

fn two_transfers(in_order: bool) {
    let bank = Arc::new(Bank { accounts: [Mutex::new(100), Mutex::new(100)], in_order });
    let there = bank.clone();
    let thread = thread::Builder::new().name("there".to_owned()).spawn(move || there.transfer(0, 1, 30)).unwrap();
    bank.transfer(1, 0, 20);
    thread.join().unwrap();
    assert_eq!(*bank.accounts[0].lock().unwrap(), 90);
    assert_eq!(*bank.accounts[1].lock().unwrap(), 110);
}

fn main() {
    println!("Each transfer locks the payer first:\n");
    println!("{}", plain(&everyway::explore(|| two_transfers(false))));
    println!("All transfers lock in the same order:\n");
    println!("{}", plain(&everyway::explore(|| two_transfers(true))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn the_transfers_wait_for_each_other() {
        let report = everyway::explore(|| two_transfers(false));
        let bug = report.bug.expect("the bug is found");
        assert_eq!(bug.kind, BugKind::Deadlock);
        assert_eq!(bug.waits.len(), 2);
    }

    #[everyway::test]
    fn no_money_is_lost() {
        two_transfers(true);
    }
}
