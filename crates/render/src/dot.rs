//! The failing executions of a report as graphs for Graphviz: a column for each thread, and arrows as the page has them.

use everyway_report::{Bug, Report};

use crate::picture::{EdgeKind, Picture};
use crate::text::{Names, clean, endings, line, told};

/// `report` in the DOT language: a graph for each bug; an empty one if there is none.
pub fn render(report: &Report) -> String {
    let report = &*report.sound();
    let report = &*report.with_accesses();
    let graphs: Vec<String> = report.bugs().enumerate().map(|(index, bug)| graph(bug, index + 1)).collect();
    if graphs.is_empty() { "digraph execution {\n}\n".to_owned() } else { graphs.join("\n") }
}

fn graph(bug: &Bug, number: usize) -> String {
    let execution = &bug.execution;
    let names = Names::new(execution);
    let endings = endings(bug);
    let mut text = format!("digraph execution_{number} {{\n");
    text.push_str(&format!("  label={}; labelloc=t;\n", quoted(&told(bug, &names).0)));
    text.push_str("  node [shape=box, style=rounded];\n");
    let count = execution.threads.len();
    for thread in 0..count {
        text.push_str(&format!("  subgraph cluster_{thread} {{\n    label={};\n", quoted(&names.name(thread))));
        let mut nodes = Vec::new();
        for (index, event) in execution.events.iter().enumerate().filter(|(_, event)| event.thread == thread) {
            let mut lines = vec![format!("{}: {}", index + 1, clean(&event.to_string()))];
            lines.extend(event.source.as_ref().map(line));
            let fails = endings.is_empty() && index + 1 == execution.events.len();
            nodes.push(node(&format!("s{}", index + 1), &lines, fails, &mut text));
        }
        for (index, (_, pieces, source)) in endings.iter().enumerate().filter(|(_, ending)| ending.0 == thread) {
            let mut lines = vec![pieces.join(" ")];
            lines.extend(source.map(line));
            nodes.push(node(&format!("end{}", index + 1), &lines, true, &mut text));
        }
        if nodes.len() > 1 {
            text.push_str(&format!("    {} [weight=8];\n", nodes.join(" -> ")));
        }
        text.push_str("  }\n");
    }
    for edge in Picture::of_bug(bug).edges {
        let style = match edge.kind {
            EdgeKind::Start | EdgeKind::Join => "style=dashed",
            EdgeKind::SynchronisesWith => "color=\"#0072b2\"",
            EdgeKind::ReadsFrom => "color=\"#009e73\"",
            EdgeKind::Conflict => "style=dotted",
            EdgeKind::CouldRead => "style=dashed, color=\"#cc79a7\"",
        };
        let (from, to, label) = (edge.from + 1, edge.to + 1, edge.kind.name());
        text.push_str(&format!("  s{from} -> s{to} [label=\"{label}\", {style}];\n"));
    }
    text.push_str("}\n");
    text
}

/// Adds a node, and returns its name.
fn node(name: &str, lines: &[String], fails: bool, text: &mut String) -> String {
    let marked = if fails { ", color=\"#d55e00\", penwidth=2" } else { "" };
    text.push_str(&format!("    {name} [label={}{marked}];\n", quoted(&lines.join("\n"))));
    name.to_owned()
}

/// A string of the DOT language, in which backslashes mean something as well.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
