//! Mutation testing: seeded miscompilations that the checks must catch.
//!
//! `tests/mutants.txt` lists them, each with a description, its file, and a text with its replacement. They are applied
//! one at a time to a copy of the sources. The checks run there, the property on random programs first, until one
//! fails. The copy has its own build folder: in a shared one, cargo would confuse its crates with the originals. Before
//! the first mutant every check must pass on the unchanged copy.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use ravel_support::pages::with_part;

const LIST: &str = "tests/mutants.txt";

/// The copy of the sources.
const COPY: &str = "target/mutants";

/// The number of random programs that check a mutant.
const PROGRAMS: &str = "300";

/// One wrong change.
struct Mutant {
    name: String,
    file: String,
    from: String,
    to: String,
}

/// The page with the table of which check caught which mutant.
const PAGE: &str = "docs/fuzzing.md";

/// A check: its name, and whether it passes on the copy.
struct Check {
    name: &'static str,
    passes: fn() -> bool,
}

/// The checks: the property first, then the others, the cheapest to build first.
const CHECKS: &[Check] = &[
    Check {
        name: "random programs",
        passes: || in_copy(RANDOM, &["fuzz", "--whole", "--programs", PROGRAMS]),
    },
    Check {
        name: "tests of core IR",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-core", "--lib"]),
    },
    Check {
        name: "tests of the machine model",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-model", "--lib"]),
    },
    Check {
        name: "unit tests of the passes",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-passes", "--lib"]),
    },
    Check {
        name: "pass tests",
        passes: || in_copy("cargo", &["test", "--quiet", "--workspace", "--test", "all", "--", "passes::"]),
    },
    Check { name: "unit tests of code generation", passes: || in_copy("cargo", CODE_GENERATION) },
    Check {
        name: "unit tests of the runtime",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-cpu", "--lib"]),
    },
    Check {
        name: "tests of native code",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-native", "--test", "main"]),
    },
    Check {
        name: "tests of kernels on a GPU",
        passes: || in_copy("cargo", &["test", "--quiet", "--package", "ravel-gpu", "--test", "main"]),
    },
    Check { name: "test blocks", passes: || in_copy("cargo", TEST_BLOCKS) },
];

/// The test blocks, on all backends that run them quickly.
const TEST_BLOCKS: &[&str] =
    &["run", "--quiet", "--package", "ravel", "--", "test", "--backend", "interp,cpu,gpu", "tests/run"];

/// The unit tests of scalar functions, of vector code, and of its encoder.
const CODE_GENERATION: &[&str] = &[
    "test",
    "--quiet",
    "--package",
    "ravel-prim",
    "--package",
    "ravel-vector",
    "--package",
    "ravel-x86",
    "--lib",
];

/// The program that checks random programs, and how it is built.
const RANDOM: &str = "target/debug/ravel-random";
const BUILD: &[&str] = &["build", "--quiet", "--workspace", "--bin", "ravel-random"];

/// `mutants [WORDS] [--new] [--record]`: applies those whose names contain one of the words; with `--new`, only those
/// without a row in the page. With `--record`, the check that caught each mutant is written into the page.
pub fn mutants(args: &[String]) -> Result<(), String> {
    let (options, words): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| !["--new", "--record"].contains(&option.as_str())) {
        return Err(format!("`{unknown}` is not an option of mutants; there are --new and --record"));
    }
    let has = |name: &str| options.iter().any(|option| *option == name);
    let record = has("--record");
    let page = std::fs::read_to_string(PAGE).map_err(|trouble| format!("{PAGE}: {trouble}"))?;
    let wanted = |mutant: &&Mutant| {
        (words.is_empty() || words.iter().any(|word| mutant.name.contains(*word)))
            && (!has("--new") || recorded(&page, mutant).is_none())
    };
    let list = std::fs::read_to_string(LIST).map_err(|trouble| format!("{LIST}: {trouble}"))?;
    let mutants = parse(&list)?;
    copy_sources()?;
    if let Some(check) = CHECKS.iter().find(|check| !(check.passes)()) {
        return Err(format!("the check `{}` fails on the unchanged copy in {COPY}", check.name));
    }
    let (mut tried, mut missed) = (0, Vec::new());
    for mutant in mutants.iter().filter(wanted) {
        tried += 1;
        let name = &mutant.name;
        let check = caught(mutant)?;
        missed.extend(check.is_none().then_some(name.as_str()));
        let check = check.unwrap_or("NOT CAUGHT");
        println!("{name:60} {check}");
        if record {
            note(&mutants, mutant, check)?;
        }
    }
    if !missed.is_empty() {
        return Err(format!("{} of {tried} mutants are not caught: {}", missed.len(), missed.join(", ")));
    }
    println!("{tried} mutants, all caught");
    Ok(())
}

/// Writes the check that caught a mutant into the table of the page; other rows stay.
fn note(all: &[Mutant], tried: &Mutant, check: &str) -> Result<(), String> {
    let trouble = |trouble: std::io::Error| format!("{PAGE}: {trouble}");
    let page = std::fs::read_to_string(PAGE).map_err(trouble)?;
    let mut table = String::from("| mutant | file | caught by |\n| --- | --- | --- |\n");
    for mutant in all {
        match recorded(&page, mutant) {
            _ if mutant.name == tried.name => table.push_str(&format!("{}{check} |\n", row(mutant))),
            Some(line) => table.push_str(&format!("{line}\n")),
            None => (),
        }
    }
    let page = with_part(&page, "mutants", &table).ok_or(format!("{PAGE} has no place for the mutants"))?;
    std::fs::write(PAGE, page).map_err(trouble)
}

/// How the row of a mutant begins.
fn row(Mutant { name, file, .. }: &Mutant) -> String {
    format!("| {name} | `{}` | ", file.trim_start_matches("compiler/").replace("/src/", "/"))
}

/// The row of a mutant, if it has been recorded in the page.
fn recorded<'p>(page: &'p str, mutant: &Mutant) -> Option<&'p str> {
    let row = row(mutant);
    page.lines().find(|line| line.starts_with(&row))
}

/// Reads the list: `=== NAME`, `--- FILE`, the text, `+++`, its replacement.
fn parse(list: &str) -> Result<Vec<Mutant>, String> {
    let entries = list.split("\n=== ").skip(1);
    entries
        .map(|entry| {
            let malformed =
                || format!("{LIST}: this is not a mutant: {}", entry.lines().next().unwrap_or_default());
            let (name, rest) = entry.split_once("\n--- ").ok_or_else(malformed)?;
            let (file, rest) = rest.split_once('\n').ok_or_else(malformed)?;
            let (from, to) = rest.split_once("\n+++\n").ok_or_else(malformed)?;
            let text = |text: &str| text.trim_end_matches('\n').to_owned();
            Ok(Mutant { name: text(name), file: text(file), from: text(from), to: text(to) })
        })
        .collect()
}

/// The check that catches the mutant.
fn caught(mutant: &Mutant) -> Result<Option<&'static str>, String> {
    let path = Path::new(COPY).join(&mutant.file);
    let trouble = |trouble: std::io::Error| format!("{}: {trouble}", path.display());
    let original = std::fs::read_to_string(&path).map_err(trouble)?;
    if original.matches(&mutant.from).count() != 1 {
        return Err(format!("{} does not fit {}: its text must be there once", mutant.name, mutant.file));
    }
    std::fs::write(&path, original.replace(&mutant.from, &mutant.to)).map_err(trouble)?;
    let built = in_copy("cargo", BUILD);
    let found = CHECKS.iter().find(|check| built && !(check.passes)());
    std::fs::write(&path, original).map_err(trouble)?;
    if built { Ok(found.map(|check| check.name)) } else { Err(format!("{} does not compile", mutant.name)) }
}

/// Limits for a program of the copy: a mutant may loop for ever or allocate all memory.
const WITHIN_LIMITS: &str = "ulimit -t 1200 && ulimit -v 12000000 && exec \"$@\"";

/// Runs a program in the copy; returns whether it succeeded.
fn in_copy(program: &str, args: &[&str]) -> bool {
    let copy = std::env::current_dir().unwrap_or_default().join(COPY);
    let program = if program.contains('/') { copy.join(program) } else { program.into() };
    let status = Command::new("sh")
        .args(["-c", WITHIN_LIMITS, "sh"])
        .arg(program)
        .args(args)
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", copy.join("target"))
        .env("INSTA_UPDATE", "no")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Copies the files of the repository. Unchanged files keep their times; files that no longer exist are removed.
fn copy_sources() -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files"]).output().map_err(|trouble| trouble.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let files: BTreeSet<&Path> = listed.lines().map(Path::new).filter(|file| file.exists()).collect();
    for &file in &files {
        let to = Path::new(COPY).join(file);
        copy(file, &to).map_err(|trouble| format!("{}: {trouble}", to.display()))?;
    }
    remove_others(Path::new(COPY), &files).map_err(|trouble| format!("{COPY}: {trouble}"))?;
    match in_copy("cargo", BUILD) {
        true => Ok(()),
        false => Err(format!("{COPY} does not compile")),
    }
}

fn copy(file: &Path, to: &Path) -> std::io::Result<()> {
    let bytes = std::fs::read(file)?;
    if std::fs::read(to).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    std::fs::write(to, bytes)
}

/// Removes all other files from a folder of the copy; build output stays.
fn remove_others(folder: &Path, files: &BTreeSet<&Path>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.strip_prefix(COPY).unwrap_or(&path);
        if path.is_dir() {
            if file != Path::new("target") {
                remove_others(&path, files)?;
            }
        } else if !files.contains(file) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_recorded_if_the_page_has_its_row() {
        let mutant = |name: &str, file: &str| Mutant {
            name: name.to_owned(),
            file: file.to_owned(),
            from: String::new(),
            to: String::new(),
        };
        let line = "| hoist: a fault | `passes/hoist.rs` | pass tests |";
        let page = format!("text\n{line}\nmore text\n");
        assert_eq!(recorded(&page, &mutant("hoist: a fault", "compiler/passes/src/hoist.rs")), Some(line));
        assert_eq!(recorded(&page, &mutant("hoist: a", "compiler/passes/src/hoist.rs")), None);
        assert_eq!(recorded(&page, &mutant("hoist: a fault", "compiler/passes/src/sink.rs")), None);
        let unknown = mutants(&["--newer".to_owned()]).expect_err("no such option");
        assert!(unknown.contains("--newer"), "{unknown}");
    }

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
