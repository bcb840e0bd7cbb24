//! Writing a witness of a violation.

use crate::arguments::CheckArguments;
use crate::error::Error;
use crate::property::Property;
use everyway_render::sha256::hex_digest;
use everyway_render::witness::{Task, render};
use everyway_report::Report;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes a witness of what violates the property, if something does.
pub(crate) fn write(report: &Report, arguments: &CheckArguments, property: Property, path: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    for file in &arguments.program.files {
        let name = file.display().to_string();
        let bytes = std::fs::read(file).map_err(|reason| Error::new(format!("cannot read `{name}`: {reason}")))?;
        files.push((name, hex_digest(&bytes)));
    }
    let created = timestamp(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()));
    let about: String = files.iter().map(|file| file.1.as_str()).chain([created.as_str()]).collect();
    let is_32_bit = arguments.program.is_32_bit();
    let task = Task {
        files,
        specification: property.specification().to_owned(),
        data_model: if is_32_bit { "ILP32" } else { "LP64" }.to_owned(),
        uuid: uuid(&hex_digest(about.as_bytes())),
        created,
    };
    let Some(text) = render(report, &task) else { return Ok(()) };
    let cannot = |reason| Error::new(format!("cannot write `{}`: {reason}", path.display()));
    std::fs::write(path, text).map_err(cannot)
}

/// An id of version 8 (RFC 9562), of hexadecimal digits that are different for different things.
fn uuid(digits: &str) -> String {
    format!("{}-{}-8{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..32])
}

/// So many seconds after the beginning of 1970, in UTC: `2026-11-16T07:15:00Z`.
fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year; 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
