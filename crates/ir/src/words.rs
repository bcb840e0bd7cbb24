//! Small vocabularies: enums each of whose variants has a name in the text form.

/// Defines an enum with a name per variant, so that printer and parser cannot disagree.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $word:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$word_doc])* $word,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$word),*];

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self { $(Self::$word => $text,)* }
            }

            /// The one with this name in the text form.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$word),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use words;
