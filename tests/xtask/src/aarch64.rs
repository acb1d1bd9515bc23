//! `aarch64`: runs test blocks on an emulated AArch64 processor. The compiler is cross-built, and QEMU's user emulation
//! runs it and the native code that it makes. So this column of the tests needs no machine of that kind.

use std::path::Path;
use std::process::Command;

use crate::verdict::Report;

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// The folder with the C library of Debian's cross compiler.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

const RAVEL: &str = "target/aarch64-unknown-linux-gnu/release/ravel";

/// The test blocks that run: those of the language and of two programs with their references.
const BLOCKS: [&str; 3] = ["tests/run", "programs/bfs", "programs/sobol"];

/// What the task needs.
#[derive(Clone, Copy)]
enum Need {
    /// A program from a package of Debian.
    Program { name: &'static str, package: &'static str },
    /// The C library for the cross compiler.
    Library,
    /// Rust's standard library for AArch64.
    Target,
}

const NEEDS: [Need; 4] = [
    Need::Program { name: "aarch64-linux-gnu-gcc", package: "gcc-aarch64-linux-gnu" },
    Need::Library,
    Need::Program { name: "qemu-aarch64", package: "qemu-user" },
    Need::Target,
];

impl Need {
    fn is_met(self) -> bool {
        let answer = |name: &str, args: &[&str]| {
            Command::new(name).args(args).output().ok().filter(|output| output.status.success())
        };
        match self {
            Need::Program { name, .. } => answer(name, &["--version"]).is_some(),
            Need::Library => Path::new(LIBRARIES).join("lib/libc.so").exists(),
            Need::Target => answer("rustc", &["--print", "target-libdir", "--target", TARGET])
                .is_some_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()),
        }
    }
}

/// The commands that install what is missing, one on each line.
fn hints(missing: &[Need]) -> String {
    let packages: Vec<&str> = missing
        .iter()
        .filter_map(|need| match need {
            Need::Program { package, .. } => Some(*package),
            Need::Library => Some("libc6-dev-arm64-cross"),
            Need::Target => None,
        })
        .collect();
    let mut lines = Vec::new();
    if !packages.is_empty() {
        lines.push(format!("apt-get install {}", packages.join(" ")));
    }
    if missing.iter().any(|need| matches!(need, Need::Target)) {
        lines.push(format!("rustup target add {TARGET}"));
    }
    lines.join("\n")
}

/// `aarch64`: builds the compiler and runs the test blocks on the backend for CPUs.
pub fn aarch64() -> Result<(), String> {
    let missing: Vec<Need> = NEEDS.into_iter().filter(|need| !need.is_met()).collect();
    if !missing.is_empty() {
        return Err(format!("something is missing on this machine; to install it:\n{}", hints(&missing)));
    }
    let mut report = Report::default();
    let outcome = test(&mut report);
    print!("{report}");
    outcome
}

fn test(report: &mut Report) -> Result<(), String> {
    report.step("build", || {
        let cargo = ["build", "--quiet", "--release", "--package", "ravel", "--target", TARGET];
        let environment = [
            ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc"),
            // The compiler runs briefly, and more optimisation takes longer than it saves.
            ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
            ("CARGO_PROFILE_RELEASE_DEBUG", "false"),
            ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true"),
        ];
        crate::ci::run("cargo", &cargo, &environment)
    })?;
    let mut ravel = Command::new("qemu-aarch64");
    // The emulation takes many times as long as a processor.
    let test = ["test", "--no-limitations", "--backend", "cpu", "--timeout", "600"];
    ravel.args(["-L", LIBRARIES, RAVEL]).args(test).args(BLOCKS);
    report.tests("test blocks", ravel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_installs_what_is_missing_and_nothing_else() {
        assert_eq!(
            hints(&NEEDS),
            "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user\n\
             rustup target add aarch64-unknown-linux-gnu"
        );
        assert_eq!(hints(&NEEDS[2..3]), "apt-get install qemu-user");
        assert_eq!(hints(&NEEDS[3..]), "rustup target add aarch64-unknown-linux-gnu");
    }
}
