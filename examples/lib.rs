//! Well-known programs, each with a bug and without it: `cargo run --example spin_lock`.
