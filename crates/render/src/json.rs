//! A report as machines read it.
//!
//! The names of the fields are an interface; the `README.md` of the crate `everyway-report` documents them. New
//! fields may come, so readers have to ignore those that they do not know.

use everyway_report::Report;

/// `report` as indented JSON.
///
/// # Errors
///
/// None is known: a report is made of nothing that JSON cannot hold. The type is serde's, not ours.
pub fn to_string(report: &Report) -> serde_json::Result<String> {
    serde_json::to_string_pretty(report)
}

/// The report that `json` holds.
///
/// # Errors
///
/// If `json` is not JSON, or not a report; the error says in which line.
pub fn from_str(json: &str) -> serde_json::Result<Report> {
    serde_json::from_str(json)
}
