//! What the engine names itself: events, by their position in the current execution.

pub use everyway_runtime::EventId;
