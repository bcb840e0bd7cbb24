//! Replay files: one execution, by its schedule, independent of the strategy that found it.
