//! The forms of numbers and times on the command line.

use crate::arguments::{After, AlgorithmName};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::{LoopTreatment, Pass};
use std::time::Duration;

/// A whole number that is at least 1.
pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("it has to be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("it has to be a whole number, such as 1000".to_owned()),
    }
}

/// A whole number that is at least 1, for what is counted in memory.
pub(crate) fn positive_usize(text: &str) -> Result<usize, String> {
    positive(text).and_then(|number| usize::try_from(number).map_err(|_| "it is too large".to_owned()))
}

/// How far bmc goes.
#[cfg(feature = "symbolic")]
pub(crate) fn steps(text: &str) -> Result<crate::arguments::Steps, String> {
    match text {
        "auto" => Ok(crate::arguments::Steps::Auto),
        number => positive_usize(number).map(crate::arguments::Steps::UpTo),
    }
}

/// A time: a number, of seconds unless a unit follows.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let parts = units.iter().find_map(|&(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let seconds = parts.and_then(|(number, factor)| Some(number.parse::<f64>().ok()? * factor));
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "it has to be a time, such as 60 (seconds), 500ms, 2m or 1h".to_owned())
}

/// A number of bytes: of MiB unless a unit follows.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 20)];
    let parts = units.iter().find_map(|&(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let bytes = parts.and_then(|(number, shift)| number.parse::<u64>().ok()?.checked_mul(1 << shift));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| "it has to be a size, such as 500M or 2G".to_owned())
}

/// A strategy, or the one that suits; shells complete the names.
pub(crate) fn algorithm() -> impl TypedValueParser<Value = AlgorithmName> {
    let names = Algorithm::NAMES.into_iter().chain(["auto"]);
    PossibleValuesParser::new(names).try_map(|name| match &name[..] {
        "auto" => Ok(AlgorithmName::Auto),
        name => name.parse().map(AlgorithmName::One),
    })
}

/// A memory model, whose names shells complete.
pub(crate) fn memory_model() -> impl TypedValueParser<Value = MemoryModel> {
    PossibleValuesParser::new(MemoryModel::ALL.map(MemoryModel::name)).try_map(|name| name.parse::<MemoryModel>())
}

/// What is done about loops.
pub(crate) fn loops(text: &str) -> Result<LoopTreatment, String> {
    LoopTreatment::from_name(text).ok_or_else(|| one_of(LoopTreatment::ALL.iter().map(|it| it.name())))
}

/// A pass, or all of them.
pub(crate) fn pass(text: &str) -> Result<After, String> {
    let found = if text == "all" { Some(After::All) } else { Pass::from_name(text).map(After::One) };
    found.ok_or_else(|| one_of(Pass::ALL.iter().map(|it| it.name()).chain(["all"])))
}

fn one_of(names: impl Iterator<Item = &'static str>) -> String {
    format!("it has to be one of {}", names.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("500"), Ok(500 << 20));
        assert!(size("0").is_err() && size("x").is_err() && size("-1M").is_err());
    }

    #[test]
    fn times_have_units() {
        let cases = [("60", 60_000), ("0.5", 500), ("500ms", 500), ("1.5s", 1_500), ("2m", 120_000), ("1h", 3_600_000)];
        for (text, milliseconds) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "m", "-1", "soon", "1 d", "inf", "nan", "1e300"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nothing_is_limited_to_nothing() {
        assert_eq!(positive("12"), Ok(12));
        for text in ["0", "-1", "1.5", "many", ""] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
