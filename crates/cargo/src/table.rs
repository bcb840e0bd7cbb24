//! What came of checks, as a table.

use everyway_render::text::thousands;
use everyway_report::Verdict;
use everyway_report::checked::Checked;

/// A row for each check, and the pages of those that fail.
pub(crate) fn render(checks: &[Checked], color: bool) -> String {
    if checks.is_empty() {
        return "everyway: no test had a check\n".to_owned();
    }
    let row = |check: &Checked| {
        let time = format!("{:.2} s", check.seconds);
        [check.name.clone(), word(check.verdict).to_owned(), thousands(check.executions.all()), time]
    };
    let titles = ["test", "verdict", "executions", "time"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(titles).chain(checks.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let mut text = "\n".to_owned();
    for (index, [name, verdict, executions, time]) in rows.iter().enumerate() {
        let [a, b, c, d] = widths;
        let verdict = format!("{verdict:<b$}");
        let verdict = match index.checked_sub(1).map(|check| checks[check].verdict) {
            Some(known) if color => format!("\x1b[{}m{verdict}\x1b[0m", ink(known)),
            _ => verdict,
        };
        text.push_str(&format!("{name:<a$}  {verdict}  {executions:>c$}  {time:>d$}\n"));
    }
    let pages = checks.iter().filter_map(|check| Some((&check.name, check.page.as_ref()?)));
    for (index, (name, page)) in pages.enumerate() {
        text.push_str(if index == 0 { "\nto see the failing executions in a browser:\n" } else { "" });
        text.push_str(&format!("  {page}  ({name})\n"));
    }
    text
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Bug => "bug",
        Verdict::Incomplete => "incomplete",
    }
}

fn ink(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Verified => 32,
        Verdict::Bug => 31,
        Verdict::Incomplete => 33,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_report::Executions;

    fn check(name: &str, verdict: Verdict, complete: u64, page: Option<&str>) -> Checked {
        let executions = Executions { complete, ..Executions::default() };
        Checked { name: name.to_owned(), verdict, executions, seconds: 0.125, page: page.map(str::to_owned) }
    }

    #[test]
    fn columns_stand_below_each_other() {
        let checks = [
            check("queue.push_and_pop", Verdict::Verified, 1_234, None),
            check("queue.twice", Verdict::Bug, 2, Some("target/everyway/queue.twice.html")),
        ];
        let expected = "
test                verdict   executions    time
queue.push_and_pop  verified       1,234  0.12 s
queue.twice         bug                2  0.12 s

to see the failing executions in a browser:
  target/everyway/queue.twice.html  (queue.twice)
";
        assert_eq!(render(&checks, false), expected);
        assert_eq!(render(&[], false), "everyway: no test had a check\n");
    }
}
