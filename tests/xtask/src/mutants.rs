//! Seeded miscompilations: would the checks notice?
//!
//! `tests/mutants.txt` says of each where it is, what is wrong about it, and which text stands for
//! which. They are applied one after the other to a copy of the sources, and the checks are run there,
//! the property on random programs first, until one fails. Only the copy is broken; it is built beside
//! the original, so that what they share is compiled once.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::ci::run;

const LIST: &str = "tests/mutants.txt";

/// The copy of the sources.
const COPY: &str = "target/mutants";

/// The random programs that a mutant is tried on.
const PROGRAMS: &str = "2000";

/// One wrong change.
struct Mutant {
    name: String,
    file: String,
    from: String,
    to: String,
}

/// A check: what it is called, and how it is run in the copy.
const CHECKS: &[(&str, &[&str])] = &[
    (
        "the property",
        &["run", "--quiet", "--package", "ravel-random", "--", "fuzz", "--whole", "--programs", PROGRAMS],
    ),
    ("the tests beside the passes", &["test", "--quiet", "--package", "ravel-passes"]),
    ("the pass tests", &["test", "--quiet", "--package", "ravel-tests", "passes::"]),
];

/// `mutants [WORD]`: applies those whose names contain the word.
pub fn mutants(args: &[String]) -> Result<(), String> {
    let word = args.first().map_or("", String::as_str);
    let list = std::fs::read_to_string(LIST).map_err(|trouble| format!("{LIST}: {trouble}"))?;
    let mutants = parse(&list)?;
    copy_sources()?;
    let (mut tried, mut missed) = (0, Vec::new());
    for mutant in mutants.iter().filter(|mutant| mutant.name.contains(word)) {
        tried += 1;
        match caught(mutant)? {
            Some(check) => println!("{:50} caught by {check}", mutant.name),
            None => {
                println!("{:50} NOT CAUGHT", mutant.name);
                missed.push(mutant.name.as_str());
            }
        }
    }
    if !missed.is_empty() {
        return Err(format!("{} of {tried} mutants are not caught: {}", missed.len(), missed.join(", ")));
    }
    println!("{tried} mutants, all caught");
    Ok(())
}

/// Reads the list: `=== NAME`, `--- FILE`, the text, `+++`, the text that stands for it.
fn parse(list: &str) -> Result<Vec<Mutant>, String> {
    let entries = list.split("\n=== ").skip(1);
    entries
        .map(|entry| {
            let malformed =
                || format!("{LIST}: this is no mutant: {}", entry.lines().next().unwrap_or_default());
            let (name, rest) = entry.split_once("\n--- ").ok_or_else(malformed)?;
            let (file, rest) = rest.split_once('\n').ok_or_else(malformed)?;
            let (from, to) = rest.split_once("\n+++\n").ok_or_else(malformed)?;
            let text = |text: &str| text.trim_end_matches('\n').to_owned();
            Ok(Mutant { name: text(name), file: text(file), from: text(from), to: text(to) })
        })
        .collect()
}

/// Which check finds the mutant.
fn caught(mutant: &Mutant) -> Result<Option<&'static str>, String> {
    let path = Path::new(COPY).join(&mutant.file);
    let trouble = |trouble: std::io::Error| format!("{}: {trouble}", path.display());
    let original = std::fs::read_to_string(&path).map_err(trouble)?;
    if original.matches(&mutant.from).count() != 1 {
        return Err(format!("{} does not fit {}: its text must be there once", mutant.name, mutant.file));
    }
    std::fs::write(&path, original.replace(&mutant.from, &mutant.to)).map_err(trouble)?;
    let built = in_copy(&["build", "--quiet", "--package", "ravel-random"]);
    let found = CHECKS.iter().find(|(_, args)| !in_copy(args)).map(|(check, _)| *check);
    std::fs::write(&path, original).map_err(trouble)?;
    if built { Ok(found) } else { Err(format!("{} does not compile", mutant.name)) }
}

/// Runs cargo in the copy; did all go well?
fn in_copy(args: &[&str]) -> bool {
    let target = std::env::current_dir().map(|root| root.join("target")).unwrap_or_default();
    let status = Command::new("cargo")
        .args(args)
        .current_dir(COPY)
        .env("CARGO_TARGET_DIR", target)
        .env("INSTA_UPDATE", "no")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Copies what is in the repository, as it is now; files that are the same keep their times.
fn copy_sources() -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files"]).output().map_err(|trouble| trouble.to_string())?;
    for file in String::from_utf8_lossy(&listed.stdout).lines() {
        let to = Path::new(COPY).join(file);
        let Ok(bytes) = std::fs::read(file) else { continue };
        if std::fs::read(&to).is_ok_and(|known| known == bytes) {
            continue;
        }
        let written = std::fs::create_dir_all(to.parent().unwrap_or(Path::new(COPY)))
            .and_then(|()| std::fs::write(&to, bytes));
        written.map_err(|trouble| format!("{}: {trouble}", to.display()))?;
    }
    run("cargo", &["build", "--package", "ravel-random"], &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_fits_its_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mutants = parse(&std::fs::read_to_string(root.join(LIST)).expect("the list")).expect("mutants");
        for mutant in &mutants {
            let text = std::fs::read_to_string(root.join(&mutant.file)).expect(&mutant.file);
            assert_eq!(text.matches(&mutant.from).count(), 1, "{} in {}", mutant.name, mutant.file);
            assert_ne!(mutant.from, mutant.to, "{}", mutant.name);
        }
        assert!(mutants.len() >= 30, "{} mutants", mutants.len());
    }
}
