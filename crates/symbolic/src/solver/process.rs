//! A solver that is a program on PATH, spoken to in SMT-LIB 2.

use super::script::{Text, name};
use super::{Answer, Solver, SolverError, Statistics};
use crate::limit::Limit;
use crate::model::Model;
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The programs whose way to be called is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
    /// Bitwuzla.
    Bitwuzla,
}

impl Program {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Program::Z3 => "z3",
            Program::Cvc5 => "cvc5",
            Program::Bitwuzla => "bitwuzla",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Program::Z3 => &["-in", "-smt2"],
            Program::Cvc5 => &["--incremental", "--lang=smt2", "-"],
            Program::Bitwuzla => &["--lang", "smt2"],
        }
    }
}

/// How often the limit is looked at while a solver is waited for.
const PERIOD: Duration = Duration::from_millis(20);

/// A running solver.
#[derive(Debug)]
pub struct Process {
    program: Program,
    child: Child,
    input: ChildStdin,
    /// The lines that it writes, read by a thread, so that waiting for them can be given up.
    output: Receiver<std::io::Result<String>>,
    limit: Limit,
    text: Text,
    /// Whether the condition of the last question is still on its stack.
    is_asked: bool,
}

impl Process {
    /// Starts the program, which is not waited for beyond the limit.
    ///
    /// # Errors
    /// If it is not there.
    pub fn start(program: Program, limit: Limit) -> Result<Self, SolverError> {
        let mut command = Command::new(program.name());
        command.args(program.arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let cannot = |reason: String| SolverError::CannotRun { program: program.name().to_owned(), reason };
        let mut child = command.spawn().map_err(|error| cannot(error.to_string()))?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = pipes else { return Err(cannot("it cannot be spoken to".to_owned())) };
        let (line, lines) = channel();
        // The thread ends when the program does, which ends with this value.
        std::thread::spawn(move || BufReader::new(output).lines().try_for_each(|read| line.send(read)));
        Ok(Self { program, child, input, output: lines, limit, text: Text::new(), is_asked: false })
    }

    /// Sends what has been written since the last time.
    fn send(&mut self) -> Result<(), SolverError> {
        let written = std::mem::take(&mut self.text.written);
        let sent = self.input.write_all(written.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|error| self.failed(&error.to_string()))
    }

    fn failed(&self, reason: &str) -> SolverError {
        SolverError::CannotRun { program: self.program.name().to_owned(), reason: reason.to_owned() }
    }

    /// The next line, unless the limit is reached first.
    fn line(&mut self) -> Result<String, SolverError> {
        loop {
            match self.output.recv_timeout(PERIOD) {
                Ok(line) => return line.map_err(|error| self.failed(&error.to_string())),
                Err(RecvTimeoutError::Disconnected) => return Err(self.failed("it has ended")),
                Err(RecvTimeoutError::Timeout) if self.limit.is_reached() => return Err(SolverError::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Everything up to the end of the next line that closes all its parentheses.
    fn receive(&mut self) -> Result<String, SolverError> {
        let mut answer = String::new();
        loop {
            answer.push_str(&self.line()?);
            answer.push('\n');
            let count = |which| answer.matches(which).count();
            if count('(') == count(')') && !answer.trim().is_empty() {
                return Ok(answer.trim().to_owned());
            }
        }
    }

    /// Takes back the condition of the last question.
    fn go_on(&mut self) {
        if std::mem::replace(&mut self.is_asked, false) {
            self.text.line("(pop 1)");
        }
    }
}

impl Solver for Process {
    fn assert(&mut self, terms: &Terms, condition: Term) -> Result<(), SolverError> {
        self.go_on();
        self.text.assert(terms, condition);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, condition: Term) -> Result<Answer, SolverError> {
        self.go_on();
        // Definitions within a question would go with it.
        self.text.define(terms, condition);
        self.text.line("(push 1)");
        self.text.assert(terms, condition);
        self.text.line("(check-sat)");
        self.is_asked = true;
        self.send()?;
        match self.receive()?.as_str() {
            "sat" => Ok(Answer::Satisfiable),
            "unsat" => Ok(Answer::Unsatisfiable),
            other => Err(SolverError::NoAnswer { program: self.program.name().to_owned(), answer: other.to_owned() }),
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Result<u128, SolverError> {
        let mut values = FxHashMap::default();
        for variable in terms.support(term) {
            // What the solver has not heard of can have any value.
            let is_known = self.text.is_defined(variable);
            let value = if is_known { self.ask(terms, variable)? } else { 0 };
            values.insert(variable, value);
        }
        Ok(Model::new(terms, |variable| values[&variable]).value(term))
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

impl Process {
    fn ask(&mut self, terms: &Terms, variable: Term) -> Result<u128, SolverError> {
        let question = format!("(get-value ({}))", name(terms, variable));
        self.text.line(&question);
        self.send()?;
        let answer = self.receive()?;
        let digits = answer.trim_end_matches(')').rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let value = match (digits.strip_prefix("#b"), digits.strip_prefix("#x")) {
            (Some(binary), _) => u128::from_str_radix(binary, 2).ok(),
            (_, Some(hexadecimal)) => u128::from_str_radix(hexadecimal, 16).ok(),
            _ => None,
        };
        value.ok_or(SolverError::NoAnswer { program: self.program.name().to_owned(), answer })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to save; whether it is gone already makes no difference.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
