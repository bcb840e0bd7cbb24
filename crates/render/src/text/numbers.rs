//! Numbers, counts and times as people write them.

/// `131614` as `131,614`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 step`, `2,000 steps`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// `0.03 s`, `12.5 s`, `3 min 20 s`, `2 h 5 min`: no more digits than that.
pub(super) fn duration(seconds: f64) -> String {
    // The cast saturates, and makes 0 of what is no number at all.
    let whole = seconds.round() as u64;
    match seconds {
        _ if whole >= 3600 => format!("{} h {} min", thousands(whole / 3600), whole % 3600 / 60),
        _ if whole >= 60 => format!("{} min {} s", whole / 60, whole % 60),
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 0.01 => format!("{s:.2} s"),
        _ => "under 0.01 s".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (131_614, "131,614"), (1_234_567, "1,234,567")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(count(0, "step"), "0 steps");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(count(2_000, "step"), "2,000 steps");
    }

    #[test]
    fn durations_have_the_right_unit() {
        let cases = [
            (0.0, "under 0.01 s"),
            (0.034, "0.03 s"),
            (9.87, "9.87 s"),
            (12.54, "12.5 s"),
            (59.96, "1 min 0 s"),
            (200.2, "3 min 20 s"),
            (7_500.0, "2 h 5 min"),
            (f64::NAN, "under 0.01 s"),
            (-1.0, "under 0.01 s"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
        assert!(duration(f64::INFINITY).ends_with("min"));
    }
}
