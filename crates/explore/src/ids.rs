//! What the engine names itself; threads, locations and steps have their names from front ends.

use everyway_ids::id;

id!(
    /// An event of the current execution: its position in it.
    EventId,
    "e"
);
