//! Measures the table of `docs/measurements.md`.

use std::process::Command;
use std::time::{Instant, SystemTime};

use crate::ci::run;

/// The pass that is touched; any pass would do.
const PASS: &str = "compiler/passes/src/simplify/dead.rs";

/// Builds the release, and prints the table.
pub fn measure() -> Result<(), String> {
    run("cargo", &["build", "--release", "--bin", "ravel"], &[])?;
    println!("| what | command | measured | aim |\n| --- | --- | --- | --- |");
    run("cargo", &["run", "--quiet", "--release", "--package", "ravel-bench"], &[])?;
    rebuild(&["build", "--bin", "ravel"])?;
    rebuild(&["build", "--release", "--bin", "ravel"])?;
    size()?;
    libraries()?;
    Ok(())
}

/// The time to rebuild after a pass was touched.
fn rebuild(build: &[&str]) -> Result<(), String> {
    run("cargo", build, &[])?;
    std::fs::File::open(PASS)
        .and_then(|file| file.set_modified(SystemTime::now()))
        .map_err(|trouble| format!("cannot touch {PASS}: {trouble}"))?;
    let before = Instant::now();
    run("cargo", build, &[])?;
    let time = before.elapsed().as_secs_f64();
    let profile = if build.contains(&"--release") { "release" } else { "debug" };
    println!(
        "| rebuild after a change of one pass, {profile} | `touch {PASS}; cargo {}` | {time:.1} s | |",
        build.join(" ")
    );
    Ok(())
}

/// The bytes that libraries which compiling and running a program do not need add to the binary.
fn libraries() -> Result<(), String> {
    const LIBRARIES: [&str; 8] = [
        "rustyline",
        "clap_builder",
        "clap_complete",
        "clap_mangen",
        "serde_json",
        "regex_lite",
        "miniz_oxide",
        "object",
    ];
    let args = ["-S", "-C", "target/release/ravel"];
    let output =
        Command::new("nm").args(args).output().map_err(|trouble| format!("cannot run nm: {trouble}"))?;
    let symbols = String::from_utf8_lossy(&output.stdout);
    let of = |library: &str| {
        let begin = format!("{library}::");
        // The address, the size, the kind and the name, which begins with the crate.
        let sizes = symbols.lines().filter_map(|line| {
            let mut words = line.splitn(4, ' ').skip(1);
            let (size, name) = (words.next()?, words.nth(1)?);
            let owner = name.trim_start_matches(['<', '&']).trim_start_matches("dyn ");
            owner.starts_with(&begin).then(|| u64::from_str_radix(size, 16).ok())?
        });
        sizes.sum::<u64>() / 1024
    };
    let sizes: Vec<String> =
        LIBRARIES.iter().map(|library| format!("{library} {} KiB", of(library))).collect();
    println!(
        "| the part of the binary for the command line, the prompt, JSON, patterns, `.gz` files and object files, by library | `nm {}` | {} | |",
        args.join(" "),
        sizes.join(", ")
    );
    Ok(())
}

/// The size of the binary without debugging information.
fn size() -> Result<(), String> {
    let stripped = "target/ravel-stripped";
    let args = ["-o", stripped, "target/release/ravel"];
    let status = Command::new("strip").args(args).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("cannot run strip".to_owned());
    }
    let bytes = std::fs::metadata(stripped).map_err(|trouble| trouble.to_string())?.len();
    let size = format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
    println!("| size of the binary without debugging information | `strip {}` | {size} | |", args.join(" "));
    Ok(())
}
