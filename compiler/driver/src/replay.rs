//! The command that runs passes again on a program that was kept: what a dump and a bug tell to type.

use std::fmt;
use std::path::Path;

use crate::dev::Machine;

/// `ravel dev` on a file of core IR or kernel IR, with all that the passes read beside the program.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The pass to begin with.
    pub from: &'a str,
    /// The passes to run; without them, the pipeline from that pass on.
    pub passes: Option<&'a [&'a str]>,
    /// How often rules may fire, if that is limited.
    pub fuel: Option<u64>,
    /// The rules that are switched off.
    pub without: &'a [&'a str],
    /// The machine that code is made for.
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
        if self.machine == Machine::Gpu {
            f.write_str(" --backend gpu")?;
        }
        write!(f, " {}", quoted(&self.file.display().to_string()))
    }
}

/// A path as a shell reads it back: in single quotes, but for one of letters that no shell knows anything about.
/// One that begins like an option begins with its folder.
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
    fn a_shell_reads_back_what_is_quoted() {
        for path in ["a b", "it's", "$HOME/`x`", "é\"*", "", "~", "a\\b", "plain/a-b.core", "-x"] {
            let command = format!("printf %s {}", quoted(path));
            let shell = std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell");
            let wanted = if path == "-x" { "./-x" } else { path };
            assert_eq!(String::from_utf8_lossy(&shell.stdout), wanted, "{command}");
        }
        assert_eq!(quoted("out/05-fuse-vertical.core"), "out/05-fuse-vertical.core");
    }

    #[test]
    fn a_command_says_all_that_passes_read() {
        let file = Path::new("my dumps/a.core");
        let passes = ["hoist", "sink"];
        let replay =
            Replay { from: "hoist", passes: None, fuel: None, without: &[], machine: Machine::Cpu, file };
        assert_eq!(replay.to_string(), "ravel dev --from hoist 'my dumps/a.core'");
        let replay = Replay {
            passes: Some(&passes),
            fuel: Some(3),
            without: &["F1", "F2"],
            machine: Machine::Gpu,
            ..replay
        };
        assert_eq!(
            replay.to_string(),
            "ravel dev --from hoist --passes hoist,sink --fuel 3 --without F1,F2 --backend gpu 'my dumps/a.core'"
        );
    }
}
