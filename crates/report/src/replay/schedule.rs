//! A schedule as a string: a step in JSON's own terms would take thirty characters instead of two.

use std::fmt::Write;

use serde::{Deserialize, Deserializer, Serializer, de};

use super::ScheduledStep;

pub(super) fn serialize<S: Serializer>(steps: &[ScheduledStep], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&encode(steps))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ScheduledStep>, D::Error> {
    let text = String::deserialize(deserializer)?;
    decode(&text).map_err(de::Error::custom)
}

fn encode(steps: &[ScheduledStep]) -> String {
    let mut text = String::new();
    for step in steps {
        if !text.is_empty() {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = match step.choice {
            0 => write!(text, "{}", step.thread),
            choice => write!(text, "{}:{choice}", step.thread),
        };
        encode_told(step, &mut text);
    }
    text
}

/// What a step is told: the sources of its reads, and the place of its write.
pub(super) fn encode_told(step: &ScheduledStep, text: &mut String) {
    for (position, read) in step.reads.iter().enumerate() {
        text.push(if position == 0 { '@' } else { ',' });
        text.push_str(&named(*read));
    }
    if let Some(place) = step.place {
        text.push('+');
        text.push_str(&named(place));
    }
}

/// The step at `index` without what it is told, and what that is: sources and place, if they are earlier steps.
pub(super) fn decode_told(word: &str, index: usize) -> Option<(&str, Vec<u32>, Option<u32>)> {
    let (word, place) = match word.split_once('+') {
        Some((word, place)) => (word, Some(source(place, index)?)),
        None => (word, None),
    };
    let (word, reads) = match word.split_once('@') {
        Some((word, reads)) => (word, sources(reads, index)?),
        None => (word, Vec::new()),
    };
    Some((word, reads, place))
}

/// A step by its number, or what was there in the beginning.
fn named(step: u32) -> String {
    if step == 0 { "-".to_owned() } else { step.to_string() }
}

fn decode(text: &str) -> Result<Vec<ScheduledStep>, String> {
    let step = |(index, word): (usize, &str)| {
        decode_step(word, index).ok_or_else(|| {
            format!(
                "step {} of the schedule is `{word}`, but should be a thread like `0.2`, or a thread and a choice like `0.2:1`",
                index + 1
            )
        })
    };
    text.split_whitespace().enumerate().map(step).collect()
}

fn decode_step(word: &str, index: usize) -> Option<ScheduledStep> {
    let (step, reads, place) = decode_told(word, index)?;
    let (thread, choice) = step.split_once(':').unwrap_or((step, "0"));
    let choice = choice.parse().ok().filter(|_| is_path(thread))?;
    Some(ScheduledStep { thread: thread.to_owned(), choice, reads, place })
}

/// The sources of the reads of the step at `index`, if they are earlier steps.
fn sources(text: &str, index: usize) -> Option<Vec<u32>> {
    text.split(',').map(|word| source(word, index)).collect()
}

/// An earlier step than the one at `index`, or what was there in the beginning.
fn source(word: &str, index: usize) -> Option<u32> {
    match word {
        "-" => Some(0),
        _ => word.parse().ok().filter(|&step: &u32| step > 0 && step as usize <= index),
    }
}

/// Whether this is the path of a thread: which child of which child of the first thread, `0`, it is.
pub(super) fn is_path(thread: &str) -> bool {
    let mut parts = thread.split('.');
    parts.next() == Some("0") && parts.all(|part| part.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_short() {
        type Written = (&'static str, u32, &'static [u32], Option<u32>);
        let steps: [Written; 6] = [
            ("0", 0, &[], None),
            ("0", 0, &[0], None),
            ("0.0", 0, &[2], Some(0)),
            ("0.1", 1, &[0, 3], None),
            ("0.1", 0, &[0], Some(3)),
            ("0.0.10", 4_294_967_295, &[], None),
        ];
        let steps = steps.map(|(thread, choice, reads, place)| {
            let (thread, reads) = (thread.to_owned(), reads.to_vec());
            ScheduledStep { thread, choice, reads, place }
        });
        assert_eq!(encode(&steps), "0 0@- 0.0@2+- 0.1:1@-,3 0.1@-+3 0.0.10:4294967295");
        assert_eq!(decode(&encode(&steps)).as_deref(), Ok(&steps[..]));
        assert_eq!(decode(""), Ok(Vec::new()));
    }

    #[test]
    fn a_bad_step_is_named() {
        for word in [
            "x",
            "-1",
            "1",
            "0.",
            "0:",
            ":1",
            "0:2:3",
            "0.4294967296",
            "0@",
            "0@0",
            "0@3",
            "0@1,",
            "0@x",
            "0@1+",
            "0@1+9",
            "0+x",
        ] {
            let error = decode(&format!("0 0.1 {word}")).expect_err(word);
            assert!(error.contains(&format!("step 3 of the schedule is `{word}`")), "{error}");
        }
    }
}
