//! [`std::sync::Arc`], as models see it.

pub use everyway::sync::Arc;
