//! Validation of every module, so that an invalid module is found by the compiler, not by a device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use ravel_abi::plan::Kernel;
use ravel_base::{Diagnostic, Workers};

use crate::shader::Needs;

/// The minimum number of bytes of text for which a thread is started.
const ENOUGH: usize = 1 << 15;

/// Validates all kernels. The first invalid one is the error.
pub(crate) fn validate_all(kernels: &[Kernel]) -> Result<(), Diagnostic> {
    let text: usize = kernels.iter().map(|kernel| kernel.wgsl.len()).sum();
    let workers = Workers::new(1 + text / ENOUGH);
    let valid = workers.each(kernels, |kernel| {
        let needs = Needs { i64: kernel.needs_i64, f64: kernel.needs_f64, subgroups: false };
        validate(&kernel.name, &kernel.wgsl, needs)?;
        match &kernel.with_subgroups {
            Some(wgsl) => validate(&kernel.name, wgsl, Needs { subgroups: true, ..needs }),
            None => Ok(()),
        }
    });
    valid.into_iter().collect()
}

/// Validates a module that has these needs, and no others. If it is invalid, the compiler is wrong, and the error shows the
/// text.
pub(crate) fn validate(name: &str, wgsl: &str, needs: Needs) -> Result<(), Diagnostic> {
    let bug = |what: String| {
        let numbered: String =
            wgsl.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect();
        Diagnostic::bug(format!("wgsl: the kernel {name} is not valid: {what}\n{numbered}"))
    };
    // The validator is known to panic on a few operations.
    match catch_unwind(AssertUnwindSafe(|| check(wgsl, needs))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(what)) => Err(bug(what)),
        Err(_) => Err(bug("the validator panicked".to_owned())),
    }
}

fn check(wgsl: &str, needs: Needs) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let validated = Validator::new(ValidationFlags::all(), capabilities(needs)).validate(&module);
    validated.map(|_| ()).map_err(|error| error.emit_to_string(wgsl))
}

/// The capabilities of a device that has just what a module needs.
fn capabilities(needs: Needs) -> Capabilities {
    let mut capabilities = Capabilities::empty();
    capabilities.set(Capabilities::SHADER_INT64, needs.i64);
    capabilities.set(Capabilities::FLOAT64, needs.f64);
    capabilities.set(Capabilities::SUBGROUP, needs.subgroups);
    capabilities
}

#[cfg(test)]
mod tests {
    use super::validate;
    use crate::shader::Needs;

    #[test]
    fn modules_have_the_needs_that_are_stated() {
        let none = Needs::default();
        let [i64, f64] = [Needs { i64: true, ..none }, Needs { f64: true, ..none }];
        let is_valid = |text: &str, needs| validate("needs", text, needs).is_ok();
        assert!(is_valid("fn f(a: i32) -> f32 { return f32(a) * 2.0; }", none));
        for (text, needs) in [
            ("fn f(a: i32) -> bool { return i64(a) < 3li; }", i64),
            ("fn f(a: f64) -> f32 { return f32(a); }", f64),
            ("var<workgroup> a: array<u64, 4>;", i64),
        ] {
            assert_eq!(
                [none, i64, f64].map(|stated| is_valid(text, stated)),
                [none, i64, f64].map(|x| x == needs)
            );
        }
    }

    #[test]
    fn an_invalid_module_is_shown_with_its_lines() {
        let needs = Needs::default();
        assert!(validate("fine", "fn f() -> i32 {\n    return 1i;\n}\n", needs).is_ok());
        for wrong in ["fn f() -> i32 {\n    return 1u;\n}\n", "fn f( {"] {
            let bug = validate("wrong", wrong, needs).expect_err("no module").message;
            assert!(bug.starts_with("wgsl: the kernel wrong is not valid: "), "{bug}");
            assert!(bug.contains("   1 fn f("), "{bug}");
        }
    }
}
