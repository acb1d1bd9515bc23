//! Every module is validated here, so that a wrong one is found where it is made and not on a device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use ravel_abi::plan::Kernel;
use ravel_base::{Diagnostic, Workers};

/// How many bytes of text a thread is worth.
const ENOUGH: usize = 1 << 15;

/// Are these kernels modules all? If not, the first that is none is told of.
pub(crate) fn validate_all(kernels: &[Kernel]) -> Result<(), Diagnostic> {
    let text: usize = kernels.iter().map(|kernel| kernel.wgsl.len()).sum();
    let workers = Workers::new(1 + text / ENOUGH);
    workers.each(kernels, |kernel| validate(&kernel.name, &kernel.wgsl)).into_iter().collect()
}

/// Is this a module? If not the compiler is wrong, and says so with the text.
pub(crate) fn validate(name: &str, wgsl: &str) -> Result<(), Diagnostic> {
    let bug = |what: String| {
        let numbered: String =
            wgsl.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect();
        Diagnostic::bug(format!("wgsl: the kernel {name} is not valid: {what}\n{numbered}"))
    };
    // The validator is known to panic on a few operations.
    match catch_unwind(AssertUnwindSafe(|| check(wgsl))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(what)) => Err(bug(what)),
        Err(_) => Err(bug("the validator panicked".to_owned())),
    }
}

fn check(wgsl: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let capabilities = Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
    match Validator::new(ValidationFlags::all(), capabilities).validate(&module) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.emit_to_string(wgsl)),
    }
}

#[cfg(test)]
mod tests {
    use super::validate;

    #[test]
    fn what_is_no_module_is_shown_with_its_lines() {
        assert!(validate("fine", "fn f() -> i32 {\n    return 1i;\n}\n").is_ok());
        for wrong in ["fn f() -> i32 {\n    return 1u;\n}\n", "fn f( {"] {
            let bug = validate("wrong", wrong).expect_err("no module").message;
            assert!(bug.starts_with("wgsl: the kernel wrong is not valid: "), "{bug}");
            assert!(bug.contains("   1 fn f("), "{bug}");
        }
    }
}
