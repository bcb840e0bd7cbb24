//! Writes a report in a format that other tools read: `cargo run --example formats sarif report.json`.

use std::error::Error;
use std::fs;

use everyway_render::{dot, github, json, sarif};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [format, file] = arguments.as_slice() else { return Err("which format, and which report?".into()) };
    let report = json::from_str(&fs::read_to_string(file)?)?;
    let text = match format.as_str() {
        "sarif" => sarif::render(&report),
        "github" => github::render(&report),
        "dot" => dot::render(&report),
        _ => return Err("the format has to be one of sarif, github, dot".into()),
    };
    print!("{text}");
    Ok(())
}
