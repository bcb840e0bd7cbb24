//! A schedule as a short string, to be pasted where there is no file: `ew1:5f3a1c:0,0.0:a2ba`.
//!
//! After the version come the mark of the check that it is a schedule of, the paths of the threads in the order of their first
//! steps, and the steps. A step is a letter, which stands for a thread, and a number if the thread takes several in a row; `=`
//! and a number is a choice, and after `@` are the sources of its reads if they are told, each the number of a step, or `-`
//! for what was there in the beginning, and after `+` the step that its write comes right after in modification order, if it is
//! not the newest. No character means anything to a shell.

use super::ScheduledStep;
use super::schedule::{decode_told, encode_told, is_path};
use std::fmt::Write;

/// What a string begins with: no path of a file does.
const VERSION: &str = "ew1";

/// The letters of threads. An execution with more of them has no short string.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A schedule, and the check that it is one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortSchedule {
    /// A mark of the check: letters and digits.
    pub check: String,
    /// The steps.
    pub steps: Vec<ScheduledStep>,
}

impl ShortSchedule {
    /// Whether `text` is meant to be one, and not the path of a file.
    pub fn is_meant_by(text: &str) -> bool {
        text.split_once(':').is_some_and(|(version, _)| version == VERSION)
    }

    /// The string; `None` if there are too many threads for one.
    pub fn encode(&self) -> Option<String> {
        let mut threads: Vec<&str> = Vec::new();
        let mut text = String::new();
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            let number = threads.iter().position(|&thread| thread == step.thread).unwrap_or_else(|| {
                threads.push(&step.thread);
                threads.len() - 1
            });
            text.push(LETTERS.chars().nth(number)?);
            let mut times = 1;
            while is_plain(step) && steps.next_if_eq(&step).is_some() {
                times += 1;
            }
            // Writing to a string cannot fail.
            let _ = match (times, step.choice) {
                (1, 0) => Ok(()),
                (1, choice) => write!(text, "={choice}"),
                (times, _) => write!(text, "{times}"),
            };
            encode_told(step, &mut text);
        }
        Some(format!("{VERSION}:{}:{}:{text}", self.check, threads.join(",")))
    }

    /// What a string says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decode(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let &[VERSION, check, threads, steps] = &parts[..] else {
            return Err(format!(
                "`{text}` is not an execution as reports print it, which has four parts, apart by colons"
            ));
        };
        let threads: Vec<&str> = if threads.is_empty() { Vec::new() } else { threads.split(',').collect() };
        if let Some(thread) = threads.iter().find(|thread| !is_path(thread)) {
            return Err(format!("`{thread}` is not a thread of an execution, which would be like `0.2`"));
        }
        let steps = decode_steps(&threads, steps)?;
        Ok(Self { check: check.to_owned(), steps })
    }
}

/// Whether a step is nothing but its thread.
fn is_plain(step: &ScheduledStep) -> bool {
    step.choice == 0 && step.reads.is_empty() && step.place.is_none()
}

fn decode_steps(threads: &[&str], text: &str) -> Result<Vec<ScheduledStep>, String> {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    if starts.first().is_some_and(|&first| first > 0) || starts.is_empty() && !text.is_empty() {
        return Err(format!("the steps of the execution do not begin with a letter: `{text}`"));
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut steps = Vec::new();
    for (start, end) in starts.iter().zip(ends) {
        let word = &text[*start..end];
        let (step, times) = decode_step(threads, word, steps.len())
            .ok_or_else(|| format!("step {} of the execution is `{word}`, which makes no sense", steps.len() + 1))?;
        steps.extend(std::iter::repeat_n(step, times));
    }
    Ok(steps)
}

/// The step, which has this index, and how often it is taken.
fn decode_step(threads: &[&str], word: &str, index: usize) -> Option<(ScheduledStep, usize)> {
    let letter = word.chars().next()?;
    let thread = threads.get(LETTERS.find(letter)?)?;
    let (word, reads, place) = decode_told(word, index)?;
    let rest = &word[letter.len_utf8()..];
    let step = |choice, reads| ScheduledStep { thread: (*thread).to_owned(), choice, reads, place };
    match rest.strip_prefix('=') {
        Some(choice) => Some((step(choice.parse().ok()?, reads), 1)),
        None if rest.is_empty() => Some((step(0, reads), 1)),
        None => rest
            .parse()
            .ok()
            .filter(|&times| times > 0 && reads.is_empty() && place.is_none())
            .map(|times| (step(0, reads), times)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread, its choice and its reads.
    type Row<'a> = (&'a str, u32, &'a [u32]);

    fn schedule(steps: &[Row<'_>]) -> ShortSchedule {
        let step = |&(thread, choice, reads): &Row<'_>| {
            let (thread, reads) = (thread.to_owned(), reads.to_vec());
            ScheduledStep { thread, choice, reads, place: None }
        };
        ShortSchedule { check: "5f3a1c".to_owned(), steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn places_of_writes_go_there_and_back() {
        let mut placed = schedule(&[("0", 0, &[]), ("0.0", 0, &[0]), ("0.0", 0, &[])]);
        (placed.steps[1].place, placed.steps[2].place) = (Some(0), Some(1));
        let text = placed.encode().expect("there are letters enough");
        assert_eq!(text, "ew1:5f3a1c:0,0.0:ab@-+-b+1");
        assert_eq!(ShortSchedule::decode(&text), Ok(placed));
    }

    #[test]
    fn there_and_back() {
        let schedules: [(&[Row<'_>], &str); 4] = [
            (&[], "ew1:5f3a1c::"),
            (&[("0", 0, &[]), ("0", 0, &[]), ("0.0", 0, &[]), ("0", 0, &[])], "ew1:5f3a1c:0,0.0:a2ba"),
            (&[("0", 0, &[]), ("0", 2, &[]), ("0", 2, &[]), ("0.1", 0, &[])], "ew1:5f3a1c:0,0.1:aa=2a=2b"),
            (
                &[("0", 0, &[0]), ("0.0.7", 3, &[1, 0]), ("0", 0, &[0]), ("0", 0, &[])],
                "ew1:5f3a1c:0,0.0.7:a@-b=3@1,-a@-a",
            ),
        ];
        for (steps, text) in schedules {
            let schedule = schedule(steps);
            assert_eq!(schedule.encode().as_deref(), Some(text));
            assert_eq!(ShortSchedule::decode(text), Ok(schedule));
            assert!(ShortSchedule::is_meant_by(text));
        }
    }

    #[test]
    fn too_many_threads_have_no_short_string() {
        let paths: Vec<String> = (0..53).map(|n| format!("0.{n}")).collect();
        let steps: Vec<Row<'_>> = paths.iter().map(|path| (path.as_str(), 0, &[][..])).collect();
        assert!(schedule(&steps[..52]).encode().is_some());
        assert_eq!(schedule(&steps).encode(), None);
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (text, message) in [
            ("ew1:x:0", "four parts"),
            ("ew1:x:0:a:b", "four parts"),
            ("ew1:x:1:a", "`1` is not a thread"),
            ("ew1:x:0:2a", "do not begin with a letter"),
            ("ew1:x:0:2", "do not begin with a letter"),
            ("ew1:x:0:ab", "step 2 of the execution is `b`"),
            ("ew1:x:0:a0", "step 1 of the execution is `a0`"),
            ("ew1:x:0:a2@-", "step 1 of the execution is `a2@-`"),
            ("ew1:x:0:aa@2", "step 2 of the execution is `a@2`"),
            ("ew1:x:0:a=", "step 1 of the execution is `a=`"),
        ] {
            let error = ShortSchedule::decode(text).expect_err(text);
            assert!(error.contains(message), "{error}");
        }
        assert!(!ShortSchedule::is_meant_by("target/everyway/x.json"));
    }
}
