//! Core text in, kernel text out; every output is verified for both targets.

use ravel_core as core;
use ravel_kernel::{MemProgram, Target};

use super::kernelise;

/// The kernel text of a core program, or why there is none.
fn kernel(text: &str, target: &Target) -> Result<String, String> {
    let program = core::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    core::verify(&program).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let kernel = kernelise(&program, target).map_err(|error| error.message)?;
    let text = kernel.to_string();
    MemProgram::verify(kernel, target).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Ok(text)
}

/// Programs with every form of statement, apart by lines of dashes.
const CASES: &str = include_str!("cases.core");

#[test]
fn what_is_made_is_lawful() {
    for case in CASES.split("----\n") {
        kernel(case, &Target::CPU).expect("a CPU runs everything");
        if let Err(message) = kernel(case, &Target::GPU) {
            assert!(message.contains("differs between threads"), "{message}");
        }
    }
}
