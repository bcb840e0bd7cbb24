//! Without its feature `model`, everyway has no dependencies and is std's types.

use std::path::Path;
use std::process::Command;

fn cargo(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(&root)
        // Not the folder that the running cargo holds the lock of.
        .env("CARGO_TARGET_DIR", root.join("target/tidy"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo prints text")
}

#[test]
fn a_production_build_depends_on_nothing() {
    let tree = cargo(&["tree", "--offline", "-p", "everyway", "--no-default-features", "-e", "normal"]);
    assert_eq!(tree.lines().count(), 1, "{tree}");
}

#[test]
fn a_production_build_compiles() {
    cargo(&["check", "--offline", "-p", "everyway", "--no-default-features"]);
}
