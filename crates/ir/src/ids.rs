//! The ids of things: dense `u32`s, printed as the text form spells them.

use everyway_ids::id;

id!(
    /// A register of a function body: assigned once, by an instruction, a phi, or the call that entered the
    /// function. The first registers of a body are the function's parameters.
    Reg,
    "%"
);

id!(
    /// A block of a function body. Block 0 is the entry.
    BlockId,
    "b"
);

id!(
    /// A stack slot of a function body.
    SlotId,
    "s"
);

id!(
    /// A function of a module, defined or only declared. The text form calls it by its name instead.
    FunctionId,
    "fn"
);

id!(
    /// A global variable of a module, defined or only declared. The text form calls it by its name instead.
    GlobalId,
    "g"
);

id!(
    /// A source file of a module.
    FileId,
    "f"
);

id!(
    /// A call of a module whose place was taken by what is called.
    FrameId,
    "c"
);

id!(
    /// A debug type of a module.
    DebugTypeId,
    "t"
);
