//! Subtrees as text.
//!
//! ```text
//! steps 0 0.1:2                      thread 0, then alternative 2 of thread 0.1
//! samples 32..64                     executions 32 to 63
//! samples 40..64 17                  executions 40 to 63, after some with up to 17 steps
//! graph 0.0w- 0.1r0 0.1w0 > here     a graph of three events
//! ```
//!
//! An event is its thread and what it does: `rS` reads event S, counted from 0, or `r-` the initial value; `bS` does so, and
//! its step waits (it blocks); `vS` is a wait that event S has overtaken; `wP` writes right after event P, `w-` before all others; `o` does something else. Then
//! `:C` if it takes alternative C, `:?` if that is not decided; `@T` if it was added at another time than its position
//! says; `'` if it came with a step. After `>` comes what to do: `here` nothing but go on, `add E` and `place E` to
//! add an event, `revisit E R` to add a write and let event R read it, `step T A R` to add the writes of the step of
//! thread T, and let event R read that of access A.
//!
//! Of several subtrees, one after the other ([`Subtree::write_all`]), most begin as the one before does: alternatives of one
//! execution are its beginnings. A text that begins with `=N` has its first N words from the one before, and says nothing
//! but what comes after them. So the texts take no more room than the executions that they are of, and what is read is
//! shared as it was.

use super::graph::{Chosen, Entry, GraphSubtree, Start};
use super::{Shape, Subtree};
use everyway_runtime::ThreadPath;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;

/// What is not a subtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASubtree;

/// So many events, steps and alternatives are no mistake; what has more was made up.
const MOST: usize = 1 << 24;

impl fmt::Display for Subtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Samples { numbers, longest } => {
                write!(f, "samples {}..{}", numbers.start, numbers.end)?;
                if *longest > 1 { write!(f, " {longest}") } else { Ok(()) }
            }
            Shape::Steps(steps) => {
                f.write_str("steps")?;
                steps.iter().try_for_each(|step| write_step(f, step))
            }
            Shape::Graph(graph) => {
                f.write_str("graph")?;
                write_graph(f, graph, 0)
            }
        }
    }
}

impl Subtree {
    /// The texts of `subtrees`, each with what it has in common with the one before left out.
    pub fn write_all(subtrees: &[Self]) -> Vec<String> {
        let before = [None].into_iter().chain(subtrees.iter().map(Some));
        subtrees.iter().zip(before).map(|(subtree, before)| subtree.write_after(before)).collect()
    }

    fn write_after(&self, before: Option<&Self>) -> String {
        let mut text = String::new();
        let written = match (&self.shape, before.map(|before| &before.shape)) {
            (Shape::Graph(graph), Some(Shape::Graph(before))) => match graph.in_common(before) {
                0 => return self.to_string(),
                common => write!(text, "={}", common + 1).and_then(|()| write_graph(&mut text, graph, common)),
            },
            (Shape::Steps(steps), Some(Shape::Steps(before))) => {
                match steps.iter().zip(before).take_while(|(one, other)| one == other).count() {
                    // There is always something to say.
                    common if common < 2 || common == steps.len() => return self.to_string(),
                    common => write!(text, "={}", common + 1)
                        .and_then(|()| steps[common..].iter().try_for_each(|step| write_step(&mut text, step))),
                }
            }
            _ => return self.to_string(),
        };
        // A string takes whatever is written to it.
        written.map_or_else(|_| self.to_string(), |()| text)
    }

    /// The subtrees with these texts, as [`Subtree::write_all`] writes them.
    ///
    /// # Errors
    /// If one of them is none.
    pub fn read_all(texts: &[String]) -> Result<Vec<Self>, NotASubtree> {
        let mut all: Vec<Self> = Vec::with_capacity(texts.len());
        let mut room = MOST;
        for text in texts {
            let subtree = match text.strip_prefix('=') {
                None => text.parse()?,
                Some(rest) => {
                    let (words, rest) = rest.split_once(' ').ok_or(NotASubtree)?;
                    let common = number::<usize>(words)?.checked_sub(1).ok_or(NotASubtree)?;
                    all.last().ok_or(NotASubtree)?.read_after(common, rest, &mut room)?
                }
            };
            all.push(subtree);
        }
        Ok(all)
    }

    /// The subtree that has so many events or steps of this one, and then what `rest` says. What is not shared takes `room`.
    fn read_after(&self, common: usize, rest: &str, room: &mut usize) -> Result<Self, NotASubtree> {
        let mut copied = |count: usize| {
            *room = room.checked_sub(count).ok_or(NotASubtree)?;
            Ok(())
        };
        match &self.shape {
            Shape::Graph(graph) if common <= graph.entries().len() => {
                let (others, start) = parse_graph(common, rest.split(' '))?;
                if !others.is_empty() {
                    copied(common + others.len())?;
                }
                Ok(Self::graph(graph.beginning_alike(common, others, start)))
            }
            Shape::Steps(steps) if common <= steps.len() => {
                copied(common)?;
                let rest: Result<Vec<_>, _> = rest.split(' ').map(step).collect();
                Ok(Self::steps(steps[..common].iter().cloned().chain(rest?).collect()))
            }
            _ => Err(NotASubtree),
        }
    }
}

fn write_step(f: &mut impl fmt::Write, (thread, choice): &(ThreadPath, u32)) -> fmt::Result {
    match choice {
        0 => write!(f, " {thread}"),
        _ => write!(f, " {thread}:{choice}"),
    }
}

/// All but the first events of a graph, and what to do there.
fn write_graph(f: &mut impl fmt::Write, graph: &GraphSubtree, first: usize) -> fmt::Result {
    for (position, entry) in graph.entries().iter().enumerate().skip(first) {
        write!(f, " {}", Written { entry, position })?;
    }
    write_start(f, graph.start())
}

fn write_start(f: &mut impl fmt::Write, start: &Start) -> fmt::Result {
    // When it is added is plain from where it is.
    let written = |entry: &Entry| Written { entry, position: entry.stamp as usize }.to_string();
    match start {
        Start::Here => f.write_str(" > here"),
        Start::Add(entry) => write!(f, " > add {}", written(entry)),
        Start::Place(entry) => write!(f, " > place {}", written(entry)),
        Start::RevisitByWrite { write: entry, read } => write!(f, " > revisit {} {read}", written(entry)),
        Start::RevisitByStep { thread, access, read } => write!(f, " > step {thread} {access} {read}"),
    }
}

/// An event at a position of a list.
struct Written<'a> {
    entry: &'a Entry,
    position: usize,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, position } = self;
        let (letter, other) = match entry.chosen {
            Chosen::Read(source) => ('r', Some(source)),
            Chosen::Wait(source) => ('b', Some(source)),
            Chosen::Overtaken(by) => ('v', Some(Some(by))),
            Chosen::Write(after) => ('w', Some(after)),
            Chosen::Other => ('o', None),
        };
        write!(f, "{}{letter}", entry.thread)?;
        match other {
            Some(Some(other)) => write!(f, "{other}")?,
            Some(None) => f.write_str("-")?,
            None => {}
        }
        match entry.choice {
            Some(0) => {}
            Some(choice) => write!(f, ":{choice}")?,
            None => f.write_str(":?")?,
        }
        if entry.stamp as usize != *position {
            write!(f, "@{}", entry.stamp)?;
        }
        if entry.is_aftermath { f.write_str("'") } else { Ok(()) }
    }
}

impl FromStr for Subtree {
    type Err = NotASubtree;

    fn from_str(text: &str) -> Result<Self, NotASubtree> {
        let mut words = text.split(' ');
        match words.next() {
            Some("samples") => {
                let (start, end) = words.next().and_then(|range| range.split_once("..")).ok_or(NotASubtree)?;
                let (start, end) = (number(start)?, number(end)?);
                let longest = words.next().map_or(Ok(1), number)?;
                let is_one = words.next().is_none() && start < end && (1..=MOST).contains(&longest);
                if is_one { Ok(Self::samples(start..end, longest)) } else { Err(NotASubtree) }
            }
            Some("steps") => words.map(step).collect::<Result<_, _>>().map(Self::steps),
            Some("graph") => {
                let (list, start) = parse_graph(0, words)?;
                let depth = list.len();
                Ok(Self::graph(GraphSubtree::new(Arc::from(list), depth, start)))
            }
            _ => Err(NotASubtree),
        }
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, NotASubtree> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_plain).ok_or(NotASubtree)
}

fn path(text: &str) -> Result<ThreadPath, NotASubtree> {
    text.parse().map_err(|_| NotASubtree)
}

fn step(word: &str) -> Result<(ThreadPath, u32), NotASubtree> {
    match word.split_once(':') {
        Some((thread, choice)) => Ok((path(thread)?, number(choice)?)),
        None => Ok((path(word)?, 0)),
    }
}

/// The events of a graph after the `first` ones, and what to do there.
fn parse_graph<'t>(first: usize, mut words: impl Iterator<Item = &'t str>) -> Result<(Vec<Entry>, Start), NotASubtree> {
    let mut list = Vec::new();
    loop {
        match words.next() {
            Some(">") => break,
            Some(word) if list.len() < MOST => list.push(entry(word, first + list.len())?),
            _ => return Err(NotASubtree),
        }
    }
    let depth = first + list.len();
    let next = &mut || words.next().ok_or(NotASubtree);
    let within = |position: usize| if position < depth { Ok(position) } else { Err(NotASubtree) };
    let start = match next()? {
        "here" => Start::Here,
        "add" => Start::Add(entry(next()?, depth)?),
        "place" => Start::Place(entry(next()?, depth)?),
        "revisit" => Start::RevisitByWrite { write: entry(next()?, depth)?, read: within(number(next()?)?)? },
        "step" => {
            Start::RevisitByStep { thread: path(next()?)?, access: number(next()?)?, read: within(number(next()?)?)? }
        }
        _ => return Err(NotASubtree),
    };
    if next().is_ok() { Err(NotASubtree) } else { Ok((list, start)) }
}

/// An event at a position of a list. What it refers to comes before it, but for what a revisit has changed: a read may
/// have a source that was added later, but not one that comes later in the list.
fn entry(word: &str, position: usize) -> Result<Entry, NotASubtree> {
    let (word, is_aftermath) = word.strip_suffix('\'').map_or((word, false), |word| (word, true));
    let (word, stamp) = match word.split_once('@') {
        Some((word, stamp)) => (word, number(stamp)?),
        None => (word, u32::try_from(position).map_err(|_| NotASubtree)?),
    };
    let (word, choice) = match word.split_once(':') {
        Some((word, "?")) => (word, None),
        Some((word, choice)) => (word, Some(number(choice)?)),
        None => (word, Some(0)),
    };
    let letter = word.find(|c: char| c.is_ascii_alphabetic()).ok_or(NotASubtree)?;
    let (thread, what) = word.split_at(letter);
    let other = |text: &str| match text {
        "-" => Ok(None),
        _ => number(text).and_then(|other: usize| if other < position { Ok(Some(other)) } else { Err(NotASubtree) }),
    };
    let chosen = match what.split_at(1) {
        ("r", source) => Chosen::Read(other(source)?),
        ("b", source) => Chosen::Wait(other(source)?),
        ("v", by) => Chosen::Overtaken(other(by)?.ok_or(NotASubtree)?),
        ("w", after) => Chosen::Write(other(after)?),
        ("o", "") => Chosen::Other,
        _ => return Err(NotASubtree),
    };
    Ok(Entry { thread: path(thread)?, choice, stamp, chosen, is_aftermath })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        for text in [
            "steps",
            "steps 0 0.1:2 0",
            "samples 3..64",
            "samples 3..64 12",
            "graph > here",
            "graph 0.0w- 0.1r0 0.1w0@7 0.2o:3 > here",
            "graph 0.0w- 0.1b- 0.1w-:?' > add 0.2r0",
            "graph 0.0w- 0.1v0@0 0.1b0 > here",
            "graph 0.0w- > place 0.1w0",
            "graph 0.0w- 0.1r- > revisit 0.2w0 1",
            "graph 0.0w- 0.1r- > step 0.2 1 1",
        ] {
            let subtree: Subtree = text.parse().unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(subtree.to_string(), text);
        }
    }

    /// What is written of several subtrees, and what they are.
    #[test]
    fn what_subtrees_have_in_common_is_written_once() {
        let cases = [
            ("graph 0.0w- 0.1r0 0.1w0 > here", "graph 0.0w- 0.1r0 0.1w0 > here"),
            ("=4 > add 0.2r2", "graph 0.0w- 0.1r0 0.1w0 > add 0.2r2"),
            ("=3 > add 0.2r0", "graph 0.0w- 0.1r0 > add 0.2r0"),
            ("=3 0.2w0@7 > place 0.3w-", "graph 0.0w- 0.1r0 0.2w0@7 > place 0.3w-"),
            ("graph > here", "graph > here"),
            ("steps 0 0.1:2 0", "steps 0 0.1:2 0"),
            ("=3 0.2", "steps 0 0.1:2 0.2"),
            ("steps 0 0.1:2", "steps 0 0.1:2"),
            ("samples 3..64", "samples 3..64"),
        ];
        let whole: Vec<Subtree> = cases.iter().map(|(_, text)| text.parse().expect("a subtree")).collect();
        assert_eq!(Subtree::write_all(&whole), cases.map(|(written, _)| written));
        let written: Vec<String> = cases.iter().map(|(written, _)| (*written).to_owned()).collect();
        assert_eq!(Subtree::read_all(&written), Ok(whole));
    }

    #[test]
    fn what_was_made_up_is_refused() {
        for texts in [
            ["=1 > here", ""],
            ["graph 0.0w- > here", "=3 > here"],
            ["graph 0.0w- > here", "=0 > here"],
            ["graph 0.0w- > here", "=2"],
            ["graph 0.0w- > here", "=2 here"],
            ["graph 0.0w- > here", "=1 0.1r0 > here"],
            ["samples 3..64", "=1 3..4"],
            ["steps 0", "=2 x"],
        ] {
            assert_eq!(Subtree::read_all(&texts.map(str::to_owned)), Err(NotASubtree), "{texts:?}");
        }
    }

    #[test]
    fn what_is_no_subtree_is_refused() {
        for text in [
            "",
            "steps 1",
            "steps 0:",
            "samples 4..3",
            "samples 4..8 0",
            "samples 1",
            "samples +1..3",
            "graph",
            "graph >",
            "graph 0.0w1 > here",
            "graph 0.0r0 > here",
            "graph 0.0x > here",
            "graph 0.0 > here",
            "graph 0.0o1 > here",
            "graph > revisit 0.0w- 0",
            "graph > here now",
            "graph 0.0w-@99999999999 > here",
        ] {
            assert_eq!(text.parse::<Subtree>(), Err(NotASubtree), "{text}");
        }
    }
}
