//! Writes the page of a report: `everyway check --format json FILE > report.json; cargo run --example page report.json`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use everyway_render::html::{self, SourceFile};
use everyway_render::json;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("which report? give the name of its file")?;
    let report = json::from_str(&fs::read_to_string(file)?)?;
    let texts: BTreeMap<&str, String> =
        html::files(&report).into_iter().filter_map(|name| Some((name, fs::read_to_string(name).ok()?))).collect();
    let sources: Vec<SourceFile<'_>> = texts.iter().map(|(name, text)| SourceFile { name, text }).collect();
    print!("{}", html::render(&report, &sources));
    Ok(())
}
