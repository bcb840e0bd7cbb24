//! Explorations that are resumed: the file that holds the remaining work, and the check it belongs to.

use super::Builder;
use super::identity::Identity;
use everyway_driver::Suitability;
use everyway_explore::Order;
use everyway_report::frontier::{Exploration, FORMAT, FrontierFile};
use everyway_report::replay::ProgramId;
use std::path::Path;
use std::sync::OnceLock;

/// The version that frontiers name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What has to be the same when an exploration goes on, in words.
pub(super) fn settings(builder: &Builder) -> String {
    let check = &builder.check;
    let order = match check.order {
        Order::Lowest => "lowest first".to_owned(),
        Order::Highest => "highest first".to_owned(),
        Order::Random(seed) => format!("first by seed {seed}"),
    };
    let settings = &builder.settings;
    let strategy = match check.suitability {
        Suitability::Given => format!("{:?}", check.algorithm),
        Suitability::Unasked | Suitability::Assumed => "auto".to_owned(),
    };
    format!(
        "strategy {strategy}, memory model {:?}, {order}, {} steps, {} rounds, panics {:?}, {}waiting at hints, \
         {}spurious, leaks of {:?}, {} failure",
        check.memory_model,
        check.limits.steps,
        settings.max_rounds,
        settings.panics,
        if settings.await_hints { "" } else { "not " },
        if settings.spurious { "" } else { "not " },
        settings.leaks,
        if settings.keeps_going { "going on after a" } else { "up to the first" },
    )
}

/// The program that is running: the check, and a hash of the binary.
fn program(identity: &Identity) -> ProgramId {
    static BINARY: OnceLock<Option<String>> = OnceLock::new();
    let hash = || {
        let binary = std::fs::read(std::env::current_exe().ok()?).ok()?;
        let mix = |hash: u64, word: &[u8]| {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            (hash ^ u64::from_le_bytes(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        };
        Some(format!("binary:{:016x}", binary.chunks(8).fold(binary.len() as u64, mix)))
    };
    ProgramId { content: BINARY.get_or_init(hash).clone(), ..identity.program() }
}

/// The file of an exploration.
pub(super) fn file(identity: &Identity, settings: &str, exploration: Exploration) -> FrontierFile {
    FrontierFile {
        format: FORMAT,
        everyway: VERSION.to_owned(),
        program: program(identity),
        settings: settings.to_owned(),
        module: None,
        part: None,
        exploration,
        checksum: None,
    }
}

/// The exploration in the file at `path`, if it is one of this check.
///
/// # Panics
/// If the file cannot be read, or the check is not what it was.
pub(super) fn load(path: &Path, identity: &Identity, settings: &str) -> Option<Exploration> {
    let file = FrontierFile::load(path).unwrap_or_else(|error| panic!("everyway: {error}"));
    if !identity.is(&file.program) {
        eprintln!(
            "everyway: {} is not an exploration of `{}`, which is explored from its beginning",
            path.display(),
            identity.name()
        );
        return None;
    }
    if let Err(error) = file.is_of(&program(identity), settings, VERSION) {
        panic!("everyway: {} cannot be resumed: {error}", path.display());
    }
    Some(file.exploration)
}
