//! The command that reruns passes on a saved program, as printed by dumps and bug diagnostics.
#![allow(clippy::disallowed_types, reason = "a test runs the command that it replays")]

use std::fmt;
use std::path::Path;

use ravel_abi::Machine;

/// A `ravel dev` command on a file of core IR or kernel IR, with every option that affects the passes.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The pass to begin with.
    pub from: &'a str,
    /// The passes to run; without it, the rest of the pipeline.
    pub passes: Option<&'a [&'a str]>,
    /// The fuel, if it is limited.
    pub fuel: Option<u64>,
    /// The rules that are switched off.
    pub without: &'a [&'a str],
    /// The machine to compile for.
    pub machine: Machine,
    /// The program.
    pub file: &'a Path,
}

impl fmt::Display for Replay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ravel dev --from {}", self.from)?;
        if let Some(passes) = self.passes {
            write!(f, " --passes {}", passes.join(","))?;
        }
        if let Some(fuel) = self.fuel {
            write!(f, " --fuel {fuel}")?;
        }
        if !self.without.is_empty() {
            write!(f, " --without {}", self.without.join(","))?;
        }
        if self.machine != Machine::Cpu {
            write!(f, " --backend {}", self.machine.name())?;
        }
        write!(f, " {}", quoted(&self.file.display().to_string()))
    }
}

/// A path quoted for a shell: in single quotes, unless it has only characters without special meaning. A path that looks like
/// an option gets `./` in front.
fn quoted(path: &str) -> String {
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path,
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_types, reason = "the shell runs the command")]
    fn a_shell_parses_quoted_words_back() {
        for path in ["a b", "it's", "$HOME/`x`", "é\"*", "", "~", "a\\b", "plain/a-b.core", "-x"] {
            let command = format!("printf %s {}", quoted(path));
            let shell = std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell");
            let wanted = if path == "-x" { "./-x" } else { path };
            assert_eq!(String::from_utf8_lossy(&shell.stdout), wanted, "{command}");
        }
        assert_eq!(quoted("out/05-fuse-vertical.core"), "out/05-fuse-vertical.core");
    }

    #[test]
    fn a_command_has_every_option_that_affects_passes() {
        let file = Path::new("my dumps/a.core");
        let passes = ["hoist", "sink"];
        let replay =
            Replay { from: "hoist", passes: None, fuel: None, without: &[], machine: Machine::Cpu, file };
        assert_eq!(replay.to_string(), "ravel dev --from hoist 'my dumps/a.core'");
        let replay = Replay {
            passes: Some(&passes),
            fuel: Some(3),
            without: &["map-write", "horizontal-writes"],
            machine: Machine::Gpu,
            ..replay
        };
        assert_eq!(
            replay.to_string(),
            "ravel dev --from hoist --passes hoist,sink --fuel 3 --without map-write,horizontal-writes --backend gpu 'my dumps/a.core'"
        );
    }
}
