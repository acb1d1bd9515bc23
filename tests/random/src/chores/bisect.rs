//! `bisect`: the firing that makes a program wrong.
//!
//! A `.dsl` file is called as its test blocks say, a `.core` file with arguments drawn from the seed,
//! or from a few of them. What the interpreter answers before any rule fires is right.

use std::path::Path;

use ravel_abi::Tuning;
use ravel_core::Program;
use ravel_driver::Source;
use ravel_random::bisect::bisect as find;
use ravel_random::case::{arguments, tuning};
use ravel_random::property::{answer, refines};
use ravel_random::stated::{self, Call};

/// A call, and how tuning parameters are set in it.
type Tuned = (Call, Tuning);

/// How many arguments are drawn for a program that says nothing of them.
const DRAWN: u64 = 16;

/// Find the firing of a rule that makes a program answer otherwise than the interpreter does
#[derive(clap::Args)]
pub struct Options {
    /// A .dsl file, called as its test blocks say, or a .core file
    file: String,
    /// What the arguments of a .core file are drawn from, instead of a few seeds
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

pub fn bisect(Options { file, seed }: &Options) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|trouble| format!("{file}: {trouble}"))?;
    let source = Source::new(file.as_str(), text);
    let (program, calls) = match file.ends_with(".core") {
        true => drawn(&source, *seed)?,
        false => stated(Path::new(file), &source)?,
    };
    let answer = |core: &Program, ((entry, args), tuning): &Tuned| answer(core, entry, args, tuning, 5);
    let expected: Vec<_> = calls.iter().map(|call| answer(&program, call)).collect();
    let is_right = |core: &Program| {
        let mut pairs = calls.iter().zip(&expected);
        pairs.all(|(call, expected)| refines("the pipeline", expected, answer(core, call)).is_ok())
    };
    match find(&program, &is_right) {
        Some(guilty) => {
            for &place in &guilty.places {
                println!("at {}", source.sources().describe(place));
            }
            print!("{guilty}");
            Ok(())
        }
        None => {
            Err(format!("no firing makes {file} wrong: its calls ({}) answer as they should", calls.len()))
        }
    }
}

fn drawn(source: &Source, seed: Option<u64>) -> Result<(Program, Vec<Tuned>), String> {
    let program = ravel_core::parse(source.text()).map_err(|wrong| wrong.to_string())?;
    ravel_core::verify(&program).map_err(|wrong| wrong.to_string())?;
    let seeds = seed.map_or(0..DRAWN, |seed| seed..seed + 1);
    let call = |entry: &ravel_core::Entry, seed| {
        let name = entry.name.as_str().to_owned();
        let (args, tuning) = (arguments(&program, &name, seed), tuning(&program, &name, seed));
        ((name, args), tuning)
    };
    let calls =
        seeds.flat_map(|seed| program.entries.iter().map(move |entry| call(entry, seed)).collect::<Vec<_>>());
    Ok((program.clone(), calls.collect()))
}

fn stated(path: &Path, source: &Source) -> Result<(Program, Vec<Tuned>), String> {
    let shown = |problems: ravel_driver::Problems| {
        problems.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>().join("\n")
    };
    let program = ravel_driver::lowered_core(source, &Default::default()).map_err(shown)?;
    let calls = stated::calls(path, source, &program)?;
    Ok((program, calls.into_iter().map(|call| (call, Tuning::default())).collect()))
}
