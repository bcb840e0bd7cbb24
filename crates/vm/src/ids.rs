//! The ids of what only the machine knows.

use everyway_ids::id;

id!(
    /// An object: the number of its stretch of addresses.
    ObjectId,
    "object"
);

id!(
    /// A synchronisation object: one that was met at some address in some execution.
    SyncId,
    "sync"
);

id!(
    /// An atomic section of the program.
    SectionId,
    "section"
);

id!(
    /// A lock that atomic sections take.
    GuardId,
    "guard"
);

id!(
    /// A key, by which every thread has a value of its own.
    KeyId,
    "key"
);
