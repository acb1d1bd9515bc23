//! `ravel test`: run the test blocks of programs and count.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use ravel_engine::Engine;

use crate::args::{Backend, Test};
use crate::exit::{self, Exit};
use crate::runner::{self, Outcome, Tested};
use crate::terminal;
use ravel_driver::spec;

/// How many tests ended how.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

/// Runs all test blocks. Every failed or skipped test is printed; the last line counts them all.
pub fn test(args: &Test) -> Result<(), Exit> {
    let mut files = Vec::new();
    for path in &args.paths {
        collect(path, &mut files)?;
    }
    let engines = args
        .backend
        .iter()
        .map(|&backend| Ok((backend, Engine::open(backend.into(), None).map_err(|no| exit::failure(&no))?)))
        .collect::<Result<Vec<_>, Exit>>()?;
    let mut counts = Counts::default();
    for (number, file) in files.iter().enumerate() {
        progress(number, files.len(), file);
        for tested in test_file(&engines, file)? {
            count(&mut counts, &tested)?;
        }
    }
    progress(files.len(), files.len(), Path::new(""));
    let Counts { passed, failed, skipped } = counts;
    terminal::output(format!("{passed} passed, {failed} failed, {skipped} skipped\n").as_bytes())?;
    match (passed + failed + skipped, failed, skipped) {
        (0, ..) => Err(exit::user("there is no test block in these files")),
        (_, 0, 0) => Ok(()),
        (_, 0, _) if !args.no_skips => Ok(()),
        _ => Err(Exit::User),
    }
}

/// The programs at or below a path, in the order of their names.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Exit> {
    let cannot = |trouble| exit::user(format!("cannot read {}: {trouble}", path.display()));
    if !path.is_dir() {
        std::fs::metadata(path).map_err(cannot)?;
        files.push(path.to_owned());
        return Ok(());
    }
    let mut below = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>())
        .map_err(cannot)?;
    below.sort();
    for path in below {
        let program = path.extension().is_some_and(|extension| extension == "dsl" || extension == "fut");
        if program || path.is_dir() {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// Runs the tests of one file on every backend; a file without a block has none.
fn test_file(engines: &[(Backend, Engine)], file: &Path) -> Result<Vec<Tested>, Exit> {
    let source = super::read_source(file)?;
    match spec::parse(source.text()) {
        Ok(None) => Ok(Vec::new()),
        Ok(Some(spec)) => Ok(engines
            .iter()
            .flat_map(|(backend, engine)| {
                let name = ravel_engine::Backend::from(*backend).name();
                runner::run(engine, name, file, &source, &spec)
            })
            .collect()),
        Err(wrong) => Ok(vec![Tested {
            name: format!("{}:{}", file.display(), wrong.line),
            outcome: Outcome::Failed(wrong.message),
        }]),
    }
}

fn count(counts: &mut Counts, tested: &Tested) -> Result<(), Exit> {
    let (word, reason) = match &tested.outcome {
        Outcome::Passed => {
            counts.passed += 1;
            return Ok(());
        }
        Outcome::Failed(reason) => {
            counts.failed += 1;
            ("FAILED", reason)
        }
        Outcome::Skipped(reason) => {
            counts.skipped += 1;
            ("skipped", reason)
        }
    };
    let indented = reason.trim_end().replace('\n', "\n    ");
    terminal::output(format!("{word} {}\n    {indented}\n", tested.name).as_bytes())
}

/// Shows on a terminal how far the tests are.
fn progress(done: usize, all: usize, file: &Path) {
    if std::io::stderr().is_terminal() {
        let text =
            if done < all { format!("[{}/{all}] {}", done + 1, file.display()) } else { String::new() };
        terminal::error(&format!("\r\x1b[K{text}"));
    }
}
