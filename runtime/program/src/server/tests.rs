//! The protocol without programs. Tests of built executables cover its commands on programs.

use super::COMMANDS;

#[test]
fn every_command_is_listed_once_and_says_what_it_takes() {
    for (at, command) in COMMANDS.iter().enumerate() {
        assert!(!COMMANDS[..at].iter().any(|other| other.name == command.name), "{}", command.name);
        let named = command.usage.split_whitespace().count();
        assert!(command.words.1 || command.words.0 == named, "{}", command.name);
        assert_eq!(command.words.1, command.usage.contains("..."), "{}", command.name);
    }
}
