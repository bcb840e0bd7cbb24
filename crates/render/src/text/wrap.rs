//! Fitting text into a width, which is counted in characters.

/// The number of characters of `text`.
pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// `text` as one line that a terminal shows as it is: control characters are escaped.
pub(crate) fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { line.extend(character.escape_default()) } else { line.push(character) }
    }
    line
}

/// The lines of a program's own words, made harmless: colours are taken out, other control characters escaped.
pub(crate) fn clean_lines(text: &str) -> Vec<String> {
    let text = without_colors(text).replace('\t', "    ");
    text.trim_end().lines().map(|line| clean(line).trim_end().to_owned()).collect()
}

/// `text` without the escape sequences that colour a terminal: libraries of assertions are fond of them.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';');
        match end {
            Some(end) if part[end..].starts_with('m') => plain.push_str(&part[end + 1..]),
            _ => {
                plain.push_str("\x1b[");
                plain.push_str(part);
            }
        }
    }
    plain
}

/// `text`, cut at its end to `limit` characters.
pub(crate) fn cut_end(text: &str, limit: usize) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(2)).collect();
    kept + &".."[..limit.min(2)]
}

/// `text`, cut at its start to `limit` characters: the end of a path says more than its start.
pub(super) fn cut_start(text: &str, limit: usize) -> String {
    let length = width(text);
    if length <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(length - limit.saturating_sub(2)).collect();
    ".."[..limit.min(2)].to_owned() + &kept
}

/// Fills lines of at most `limit` characters with `pieces`, apart by a space; lines but the first are indented
/// by `hang`. A piece that is longer than a line gets a line of its own, which is then too long.
pub(super) fn fill<S: AsRef<str>>(pieces: &[S], limit: usize, hang: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut is_fresh = true;
    for piece in pieces {
        let piece = piece.as_ref();
        if !is_fresh && width(&line) + 1 + width(piece) > limit {
            lines.push(std::mem::replace(&mut line, " ".repeat(hang)));
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(piece);
        is_fresh = false;
    }
    if !is_fresh {
        lines.push(line);
    }
    lines
}

/// Fills lines with `pieces` as [`fill`] does, but breaks pieces where no line could hold them: first after
/// colons, then between words, then anywhere.
pub(super) fn fit(pieces: &[String], limit: usize, hang: usize) -> Vec<String> {
    let whole = pieces.join(" ");
    if !whole.is_empty() && width(&whole) <= limit {
        return vec![whole];
    }
    let hang = if limit > 2 * hang { hang } else { 0 };
    let longest = (limit - hang).max(1);
    let mut parts = Vec::new();
    for part in pieces.iter().flat_map(|piece| split(piece, longest, |piece| piece.split_inclusive(": "))) {
        for word in split(part.trim(), longest, |part| part.split_whitespace()) {
            let characters: Vec<char> = word.chars().collect();
            parts.extend(characters.chunks(longest).map(String::from_iter));
        }
    }
    fill(&parts, limit, hang)
}

/// The parts of `text`, if it is longer than `limit`, or the whole.
fn split<'a, I: Iterator<Item = &'a str>>(text: &'a str, limit: usize, parts: impl Fn(&'a str) -> I) -> Vec<&'a str> {
    if width(text) <= limit { vec![text] } else { parts(text).collect() }
}

/// `sentence` in lines of at most `limit` characters after `lead`, with the further lines below the first.
/// Words are never broken: they may be paths and commands.
pub(super) fn paragraph(sentence: &str, lead: &str, limit: usize) -> String {
    let sentence = clean_lines(sentence).join(" ");
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let hang = width(lead);
    let mut text = String::new();
    for (index, line) in fill(&words, limit.saturating_sub(hang), 0).iter().enumerate() {
        text.push_str(&if index == 0 { lead.to_owned() } else { " ".repeat(hang) });
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn pieces_stay_whole_where_they_can() {
        let cell = pieces(&["fetch_add", "AtomicU32 #2: 1 -> 2", "<- step 3"]);
        assert_eq!(fit(&cell, 60, 2), ["fetch_add AtomicU32 #2: 1 -> 2 <- step 3"]);
        assert_eq!(fit(&pieces(&["panicked"]), 8, 2), ["panicked"]);
        assert_eq!(fit(&cell, 24, 2), ["fetch_add", "  AtomicU32 #2: 1 -> 2", "  <- step 3"]);
        assert_eq!(fit(&cell, 18, 2), ["fetch_add", "  AtomicU32 #2:", "  1 -> 2 <- step 3"]);
        assert_eq!(fit(&cell, 8, 2), ["fetch_", "  add", "  Atomic", "  U32", "  #2:", "  1 -> 2", "  <-", "  step 3"]);
    }

    #[test]
    fn nothing_is_wider_than_asked_for() {
        let cell = pieces(&["compare_exchange_weak", "queue.slots[12].sequence: failed", "<- steps 3, 5"]);
        for limit in 1..80 {
            assert!(fit(&cell, limit, 2).iter().all(|line| width(line) <= limit), "at {limit}");
        }
        for limit in 0..40 {
            assert!(width(&cut_end("a rather long name of a thread", limit)) <= limit);
            assert!(width(&cut_start("/a/rather/long/path/of/a/file.rs", limit)) <= limit);
        }
    }

    #[test]
    fn cuts_show() {
        assert_eq!(cut_end("worker of the pool", 10), "worker o..");
        assert_eq!(cut_start("/home/me/src/queue.rs:12", 14), "../queue.rs:12");
        assert_eq!(cut_start("a.rs:1", 14), "a.rs:1");
    }

    #[test]
    fn program_words_cannot_move_the_cursor() {
        assert_eq!(clean("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(clean_lines("\u{1b}[1;31mleft\u{1b}[0m: 1\r\n\tright\u{7}\n\n"), ["left: 1", "    right\\u{7}"]);
        assert_eq!(clean_lines("\u{1b}[2J\u{1b}["), ["\\u{1b}[2J\\u{1b}["]);
    }

    #[test]
    fn sentences_hang_below_their_lead() {
        let text = paragraph("make the lock order the same in both threads", "tip: ", 30);
        assert_eq!(text, "tip: make the lock order the\n     same in both threads\n");
        assert_eq!(paragraph(" \n", "tip: ", 30), "");
    }
}
