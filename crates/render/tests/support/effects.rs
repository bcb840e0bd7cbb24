//! What the steps of the samples do, as front ends say it.

use everyway_report::{Effect, Mode};

/// What a step with these words does in an execution of these threads.
pub(crate) fn effects(operation: &str, object: &str, value: &str, threads: &[&str]) -> Vec<Effect> {
    let named = |name: &str| threads.iter().position(|thread| *thread == name.trim_matches('\''));
    let (this, value) = (object.to_owned(), value.to_owned());
    match operation {
        "lock" | "relock" => vec![Effect::Acquires { object: this, mode: Mode::Exclusive }],
        "unlock" => vec![Effect::Releases { object: this }],
        "spawn" => named(object).map(|thread| Effect::Starts { thread }).into_iter().collect(),
        "join" => named(object).map(|thread| Effect::Joins { thread }).into_iter().collect(),
        "load" | "read" => vec![Effect::Reads { object: this, value }],
        "store" | "write" => vec![Effect::Writes { object: this, value }],
        "fetch_add" => value
            .split_once(" -> ")
            .map(|(before, after)| {
                let (before, after) = (before.to_owned(), after.to_owned());
                vec![
                    Effect::Reads { object: this.clone(), value: before },
                    Effect::Writes { object: this, value: after },
                ]
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}
