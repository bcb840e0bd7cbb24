//! No input makes the readers panic: what clang wrote, and what we print, cut and changed in many ways.
//!
//! The changes are the same in every run. A panic is a failure of the test, an error is not. `fuzz/` has targets for
//! libFuzzer that do the same for longer, and look for changes that lead to new places.

use std::path::{Path, PathBuf};

/// Numbers that look random and are the same in every run; the constants are those of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// Words that mean something to the reader, in places where they do not belong.
const WORDS: &[&str] = &[
    "i0",
    "i1",
    "i8",
    "i128",
    "i129",
    "i99999999999",
    "ptr",
    "void",
    "x86_fp80",
    "metadata",
    "label",
    "null",
    "undef",
    "zeroinitializer",
    "-1",
    "0",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x7FF0000000000000",
    "1.5e+300",
    "getelementptr",
    "phi",
    "switch",
    "call",
    "[4 x i32]",
    "[9999999999999 x i64]",
    "<2 x float>",
    "{ i8, ptr }",
    "%0",
    "@main",
    "!0",
    "!dbg",
    "align",
    "3",
    "\"",
    "c\"x\"",
    "...",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    "=",
    "*",
    ";",
];

fn mutate(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let mut lines: Vec<&str> = text.lines().collect();
    let (line, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(8) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        2 => {
            lines.remove(line);
            bytes = lines.join("\n").into_bytes();
        }
        3 => {
            lines.swap(line, other);
            bytes = lines.join("\n").into_bytes();
        }
        4 => {
            lines.insert(line, lines[other]);
            bytes = lines.join("\n").into_bytes();
        }
        _ => {
            // Most changes are to one word, so that the rest still parses.
            let mut words: Vec<&str> = text.split(' ').collect();
            for _ in 0..=random.below(2) {
                let at = random.below(words.len());
                words[at] = if random.below(3) == 0 {
                    words[random.below(words.len())]
                } else {
                    WORDS[random.below(WORDS.len())]
                };
            }
            bytes = words.join(" ").into_bytes();
        }
    }
    bytes
}

/// How often each file is changed.
fn rounds() -> usize {
    std::env::var("EVERYWAY_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(150)
}

/// What clang wrote for some programs: name and text of each.
fn files() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("the files are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let read = |file: &PathBuf| (file.display().to_string(), std::fs::read_to_string(file).expect("readable"));
    files.iter().map(read).collect()
}

#[test]
fn mutated_files_do_not_panic() {
    let mut random = Random(1);
    for (name, text) in files() {
        everyway_llvm::read(&name, &text).expect("unchanged, it can be read");
        for _ in 0..rounds() {
            everyway_llvm::fuzz(&mutate(&text, &mut random));
        }
    }
}

/// The same for the text form that `everyway ir` prints.
#[test]
fn mutated_text_forms_do_not_panic() {
    let mut random = Random(2);
    for (name, text) in files() {
        let module = everyway_llvm::read_program([(&*name, &*text)]).expect("unchanged, it can be read");
        let text = module.to_string();
        everyway_ir::parse(&text).expect("unchanged, it can be parsed");
        for _ in 0..rounds() {
            everyway_ir::fuzz(&mutate(&text, &mut random));
        }
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = |open: &str, inner: &str, close: &str| open.repeat(100_000) + inner + &close.repeat(100_000);
    let types = format!("@g = external global {}\n", deep("{ ", "i8", " }"));
    let constants = format!("@g = global ptr {}\n", deep("bitcast (ptr ", "null", " to ptr)"));
    let metadata = format!("!0 = {}\n", deep("!{", "null", "}"));
    let functions = format!("@g = external global {}\n", deep("i8 (", "i8", ")"));
    for text in [types, constants, metadata, functions] {
        everyway_llvm::fuzz(text.as_bytes());
    }
    let chain: String = (0..50_000).map(|index| format!("%{index} = type {{ %{} }}\n", index + 1)).collect();
    everyway_llvm::fuzz(format!("{chain}@g = external global %0\n").as_bytes());
}
