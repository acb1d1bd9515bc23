//! Validation of every module, so that an invalid one is found where it is made and not on a device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, Scalar, ScalarKind, TypeInner};
use ravel_abi::plan::Kernel;
use ravel_base::{Diagnostic, Workers};

/// How many bytes of text a thread is worth.
const ENOUGH: usize = 1 << 15;

/// What a module needs that not every device has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// 64-bit integers.
    pub i64: bool,
    /// 64-bit floating-point numbers.
    pub f64: bool,
}

/// Validates all kernels and notes what they need. The first invalid one is the error.
pub(crate) fn validate_all(kernels: &mut [Kernel]) -> Result<(), Diagnostic> {
    let text: usize = kernels.iter().map(|kernel| kernel.wgsl.len()).sum();
    let workers = Workers::new(1 + text / ENOUGH);
    let needs = workers.each(&*kernels, |kernel| validate(&kernel.name, &kernel.wgsl));
    for (kernel, needs) in kernels.iter_mut().zip(needs) {
        Needs { i64: kernel.needs_i64, f64: kernel.needs_f64 } = needs?;
    }
    Ok(())
}

/// Validates a module. If it is invalid, the compiler is wrong, and the error shows the text.
pub(crate) fn validate(name: &str, wgsl: &str) -> Result<Needs, Diagnostic> {
    let bug = |what: String| {
        let numbered: String =
            wgsl.lines().enumerate().map(|(at, line)| format!("{:4} {line}\n", at + 1)).collect();
        Diagnostic::bug(format!("wgsl: the kernel {name} is not valid: {what}\n{numbered}"))
    };
    // The validator is known to panic on a few operations.
    match catch_unwind(AssertUnwindSafe(|| check(wgsl))) {
        Ok(Ok(needs)) => Ok(needs),
        Ok(Err(what)) => Err(bug(what)),
        Err(_) => Err(bug("the validator panicked".to_owned())),
    }
}

fn check(wgsl: &str) -> Result<Needs, String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let capabilities = Capabilities::FLOAT64 | Capabilities::SHADER_INT64;
    match Validator::new(ValidationFlags::all(), capabilities).validate(&module) {
        Ok(info) => Ok(needs(&module, &info)),
        Err(error) => Err(error.emit_to_string(wgsl)),
    }
}

/// What the types of a module, and those of all its expressions, need.
fn needs(module: &Module, info: &ModuleInfo) -> Needs {
    let mut needs = Needs::default();
    let mut note = |inner: &TypeInner| {
        if let Some(Scalar { kind, width: 8 }) = inner.scalar() {
            needs.i64 |= matches!(kind, ScalarKind::Sint | ScalarKind::Uint);
            needs.f64 |= kind == ScalarKind::Float;
        }
    };
    module.types.iter().for_each(|(_, ty)| note(&ty.inner));
    let functions = module.functions.iter().map(|(handle, function)| (function, &info[handle]));
    let entry_points = module.entry_points.iter().enumerate();
    let entry_points = entry_points.map(|(at, entry)| (&entry.function, info.get_entry_point(at)));
    for (function, info) in functions.chain(entry_points) {
        for (expression, _) in function.expressions.iter() {
            note(info[expression].ty.inner_with(&module.types));
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::{Needs, validate};

    #[test]
    fn needs_are_those_of_types_and_expressions() {
        let needs = |text: &str| validate("needs", text).map(|Needs { i64, f64 }| (i64, f64)).ok();
        assert_eq!(needs("fn f(a: i32) -> f32 { return f32(a) * 2.0; }"), Some((false, false)));
        assert_eq!(needs("fn f(a: i32) -> bool { return i64(a) < 3li; }"), Some((true, false)));
        assert_eq!(needs("fn f(a: vec2<f64>) -> f32 { return f32(a.x); }"), Some((false, true)));
        assert_eq!(needs("var<workgroup> a: array<u64, 4>;"), Some((true, false)));
    }

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
