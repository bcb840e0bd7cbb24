//! The manual and the completions of shells, which are made of the definitions of the arguments.

use crate::support::{Folder, everyway};
use std::fs;
use std::process::Command;

/// The subcommands, as the help lists them.
fn commands() -> Vec<String> {
    let help = everyway(["--help"]).ended_with(0).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    listed.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_subcommand_has_a_page() {
    let commands = commands();
    assert!(commands.len() > 8 && commands.contains(&"check".to_owned()), "{commands:?}");
    let folder = Folder::new();
    folder.run(["man", "--folder", "man"]).ended_with(0);
    for command in &commands {
        let page = fs::read_to_string(folder.path().join(format!("man/everyway-{command}.1"))).expect("a page");
        assert!(page.contains(".SH NAME") && page.contains(&format!("everyway\\-{command}")), "{page}");
    }
    let check = fs::read_to_string(folder.path().join("man/everyway-check.1")).expect("a page");
    let help = everyway(["check", "--help"]).ended_with(0).stdout;
    let options = help.split_whitespace().filter(|word| {
        word.starts_with("--") && word[2..].chars().all(|c| c.is_ascii_lowercase() || c == '-') && word.len() > 3
    });
    for option in options {
        assert!(check.contains(&option.replace('-', "\\-")), "{option} is not in the manual");
    }
    folder.run(["man"]).ended_with(0).says(&[".TH everyway 1"]);
}

#[test]
fn shells_complete_what_there_is() {
    let folder = Folder::new();
    let check = |script: &str, shell: &str, arguments: &[&str]| {
        let path = folder.write("completions", script);
        Command::new(shell).args(arguments).arg(path).output().is_ok_and(|output| !output.status.success())
    };
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(["completions", shell]).ended_with(0).stdout;
        for command in commands() {
            assert!(script.contains(&command), "{command} in {shell}");
        }
        assert!(script.contains("keep-going") && script.contains("reads-from"), "options and their values in {shell}");
        // A shell that is not there finds no fault.
        assert!(!check(&script, shell, &["-n"]), "{shell} does not understand its completions");
    }
    let script = folder.run(["completions", "bash"]).ended_with(0).stdout;
    folder.write("completions.bash", &script);
    let asked = "source completions.bash; COMP_WORDS=(everyway check --keep); COMP_CWORD=2; _everyway everyway --keep check; echo ${COMPREPLY[@]}";
    let answer = Command::new("bash").args(["-c", asked]).current_dir(folder.path()).output().expect("there is a bash");
    assert_eq!(String::from_utf8_lossy(&answer.stdout), "--keep-going\n");
}
