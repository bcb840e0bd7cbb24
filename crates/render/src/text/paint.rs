//! Colours of a terminal. Their meaning is decided here; where they are used, by the caller.

use super::Style;

/// What a piece of text is, as far as its colour goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Like everything else.
    Plain,
    /// Something is wrong here.
    Error,
    /// All is well.
    Good,
    /// Not everything is well.
    Warning,
    /// Read this first.
    Strong,
    /// Frames and places: there when looked for.
    Faint,
    /// Advice.
    Tip,
}

impl Style {
    /// `text` in the colour of `ink`, if there are colours.
    pub(super) fn paint(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Plain => return text.to_owned(),
            Ink::Error => "1;31",
            Ink::Good => "1;32",
            Ink::Warning => "1;33",
            Ink::Strong => "1",
            Ink::Faint => "2",
            Ink::Tip => "1;36",
        };
        if self.color && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
