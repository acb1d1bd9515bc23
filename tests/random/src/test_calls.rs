//! The calls in a program's test block, with values from the block or from files beside the program.
#![allow(clippy::disallowed_methods, reason = "values are read from files")]

use std::path::Path;

use ravel_abi::Value;
use ravel_core::Program;
use ravel_driver::Source;
use ravel_driver::spec::{self, Input, Values};

/// An entry point and its arguments.
pub type Call = (String, Vec<Value>);

/// The calls in the test block of the program at this path. A test may state values of the wrong types, to show that the
/// entry point refuses them. Such calls are skipped.
///
/// # Errors
/// Fails if the test block has an error, or if a file of values cannot be read.
pub fn calls(path: &Path, source: &Source, program: &Program) -> Result<Vec<Call>, String> {
    let cases = spec::parse(source.text()).map_err(|wrong| wrong.message)?.unwrap_or_default().cases;
    let mut calls = Vec::new();
    for case in cases {
        let bytes = match case.input {
            Input::Values(Values::Text(text)) => text.into_bytes(),
            Input::Values(Values::File(file)) => {
                std::fs::read(path.with_file_name(&file)).map_err(|trouble| format!("{file}: {trouble}"))?
            }
            Input::Random(_) | Input::Script(_) => continue,
        };
        let Some(signature) = ravel_interp::signature(program, case.entry.as_str().into()) else { continue };
        if let Ok(values) = ravel_abi::read_values(&bytes, &signature.expected()) {
            calls.push((case.entry, values));
        }
    }
    Ok(calls)
}
