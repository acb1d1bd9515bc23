//! `bisect`: the firing that makes a program wrong.
//!
//! A `.dsl` file is called as its test blocks say; a `.core` file gets random arguments, for one seed or a few. The
//! right result is the interpreter's before any rule fires.

use std::path::Path;

use ravel_abi::Tuning;
use ravel_core::Program;
use ravel_driver::Source;
use ravel_random::bisect::bisect as find;
use ravel_random::case::{arguments, tuning};
use ravel_random::property::{refines, run};
use ravel_random::test_calls::{self, Call};

/// A call, and the values of its tuning parameters.
type TunedCall = (Call, Tuning);

/// The number of seeds to try if none is given.
const DRAWN: u64 = 16;

/// Find the firing of a rule that changes a program's result
#[derive(clap::Args)]
pub struct Options {
    /// A .dsl file, called as its test blocks say, or a .core file
    file: String,
    /// The seed of a .core file's arguments, instead of a few seeds
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

pub fn bisect(Options { file, seed }: &Options) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|trouble| format!("{file}: {trouble}"))?;
    let source = Source::new(file.as_str(), text);
    let (program, calls) = match file.ends_with(".core") {
        true => draw_program(&source, *seed)?,
        false => calls_of_tests(Path::new(file), &source)?,
    };
    let run = |core: &Program, ((entry, args), tuning): &TunedCall| run(core, entry, args, tuning, 5);
    let expected: Vec<_> = calls.iter().map(|call| run(&program, call)).collect();
    let is_right = |core: &Program| {
        let mut pairs = calls.iter().zip(&expected);
        pairs.all(|(call, expected)| refines("the pipeline", expected, run(core, call)).is_ok())
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
            Err(format!("no firing makes {file} wrong: its calls ({}) have the right results", calls.len()))
        }
    }
}

fn draw_program(source: &Source, seed: Option<u64>) -> Result<(Program, Vec<TunedCall>), String> {
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

fn calls_of_tests(path: &Path, source: &Source) -> Result<(Program, Vec<TunedCall>), String> {
    let shown = |problems: ravel_driver::Problems| {
        problems.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>().join("\n")
    };
    let program = ravel_driver::lowered_core(source, &Default::default()).map_err(shown)?;
    let calls = test_calls::calls(path, source, &program)?;
    Ok((program, calls.into_iter().map(|call| (call, Tuning::default())).collect()))
}
