//! Where the executions come from, as people read it.

use super::Style;
use super::names::{Places, line};
use super::numbers::{duration, thousands};
use super::paint::Ink;
use everyway_report::{Profile, Source};

/// How many pairs of places are shown.
const SHOWN: usize = 10;

/// The section on where the executions come from.
pub(super) fn render(profile: &Profile, style: Style) -> String {
    let mut text = format!("{}\n", style.paint(Ink::Strong, "profile: where the executions come from"));
    text.push_str(&pairs(profile));
    let lengths = &profile.lengths;
    text.push_str(&format!(
        "  steps in an execution: {} to {}, {:.1} on average\n",
        thousands(lengths.shortest as u64),
        thousands(lengths.longest as u64),
        lengths.mean
    ));
    text.push_str(&estimates(profile));
    text
}

fn pairs(profile: &Profile) -> String {
    if profile.pairs.is_empty() {
        return "  no two steps of different threads race\n".to_owned();
    }
    let all = profile.pairs.iter().flat_map(|pair| [&pair.one, &pair.other]).flatten();
    let places = Places::new(all);
    let place = |source: &Option<Source>| match source {
        Some(source) if line(source).chars().count() <= 40 => line(source),
        Some(source) => places.short(source),
        None => "a step whose place is not known".to_owned(),
    };
    let rows = profile.pairs.iter().take(SHOWN).map(|pair| {
        let (one, other) = (place(&pair.one), place(&pair.other));
        let whom = if one == other { format!("{one} in two threads") } else { format!("{one} and {other}") };
        (thousands(pair.executions), format!("order of {whom}"))
    });
    let others: u64 = profile.pairs.iter().skip(SHOWN).map(|pair| pair.executions).sum::<u64>() + profile.others;
    let others = (others > 0).then(|| (thousands(others), "other pairs of lines".to_owned()));
    let rows: Vec<(String, String)> = rows.chain(others).collect();
    let width = rows.iter().map(|(number, _)| number.len()).max().unwrap_or(0).max("executions".len());
    let title = format!("  {:>width$}  begun for the\n", "executions");
    title + &rows.iter().map(|(number, whom)| format!("  {number:>width$}  {whom}\n")).collect::<String>()
}

/// `executions expected: 24 after 1 (under 0.01 s), 80 after 16 (0.1 s)`, some of them.
fn estimates(profile: &Profile) -> String {
    const MOST: usize = 6;
    let all = &profile.estimates;
    if all.is_empty() {
        return String::new();
    }
    let every = all.len().div_ceil(MOST);
    let last = all.len() - 1;
    let some = all.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == last).map(|(_, so_far)| {
        let (total, executions) = (thousands(so_far.total.round() as u64), thousands(so_far.executions));
        format!("{total} after {executions} ({})", duration(so_far.seconds))
    });
    format!("  executions expected: {}\n", some.collect::<Vec<_>>().join(", "))
}
