//! What other tools reach, where that was measured on another machine.

/// How many times as fast this machine is as the one on which the others were measured, as the argument `--faster=1.9` of a
/// benchmark says; 1 without it. What has the same number of instructions takes so many times as long there.
///
/// # Panics
/// If that is no number.
pub fn faster(arguments: &[String]) -> f64 {
    let given = arguments.iter().find_map(|argument| argument.strip_prefix("--faster="));
    given.map_or(1.0, |given| given.parse().unwrap_or_else(|_| panic!("--faster wants a number, not `{given}`")))
}
