//! The engine's own ids: events, by their position in the current execution.

pub use everyway_runtime::EventId;
