//! Compiles WGSL to SPIR-V that computes by IEEE 754.
//!
//! WGSL leaves NaN, infinities and the sign of zero to the device. Vulkan has execution modes that preserve them and round
//! to even (extension SPV_KHR_float_controls). WGSL cannot express these modes, so they are added to the words that naga
//! writes.
//!
//! A device may contract a product and a sum into one operation that rounds once. The helpers compute rounding errors, which
//! contraction would change, so the operations in helpers are decorated as NoContraction. The code of the program itself
//! may be contracted.
//!
//! Checks of bounds, loops and divisions are omitted: the compiler has its own.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// The words of a kernel's module.
///
/// # Errors
/// The reason why naga refuses the module.
pub fn compile(wgsl: &str) -> Result<Vec<u32>, String> {
    // naga panics on a few operations.
    match catch_unwind(AssertUnwindSafe(|| write(wgsl))) {
        Ok(words) => forbid_contraction(add_float_controls(words?)?),
        Err(_) => Err("the shader translator panicked".to_owned()),
    }
}

fn write(wgsl: &str) -> Result<Vec<u32>, String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let capabilities = Capabilities::FLOAT64 | Capabilities::SHADER_INT64 | Capabilities::SUBGROUP;
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| error.emit_to_string(wgsl))?;
    let unchecked = BoundsCheckPolicy::Unchecked;
    let options = spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::DEBUG,
        bounds_check_policies: BoundsCheckPolicies {
            index: unchecked,
            buffer: unchecked,
            image_load: unchecked,
            binding_array: unchecked,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..Default::default()
    };
    spv::write_vec(&module, &info, &options, None).map_err(|error| error.to_string())
}

// Numbers of the SPIR-V specification.
const HEADER: usize = 5;
const OP_EXTENSION: u32 = 10;
const OP_ENTRY_POINT: u32 = 15;
const OP_EXECUTION_MODE: u32 = 16;
const OP_CAPABILITY: u32 = 17;
const OP_NAME: u32 = 5;
const OP_MEMBER_NAME: u32 = 6;
const OP_TYPE_VOID: u32 = 19;
const OP_FUNCTION: u32 = 54;
const OP_DECORATE: u32 = 71;
const OP_F_NEGATE: u32 = 127;
const OP_F_ADD: u32 = 129;
const OP_F_SUB: u32 = 131;
const OP_F_MUL: u32 = 133;
const OP_F_DIV: u32 = 136;
const DECORATION_NO_CONTRACTION: u32 = 42;
const CAPABILITY_FLOAT64: u32 = 10;
const CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE: u32 = 4466;
const CAPABILITY_ROUNDING_MODE_RTE: u32 = 4467;
const MODE_SIGNED_ZERO_INF_NAN_PRESERVE: u32 = 4461;
const MODE_ROUNDING_MODE_RTE: u32 = 4462;

/// Adds the execution modes that preserve NaN, infinities and signed zeros and round to even, for every float width in
/// the module.
fn add_float_controls(words: Vec<u32>) -> Result<Vec<u32>, String> {
    let malformed = || "the shader translator wrote a malformed module".to_owned();
    let mut after_capabilities = HEADER;
    let mut entry_point = None;
    let mut widths = vec![32];
    let mut at = HEADER;
    while at < words.len() {
        let (length, op) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        let end = at + length;
        if length == 0 || end > words.len() {
            return Err(malformed());
        }
        match op {
            OP_CAPABILITY => {
                after_capabilities = end;
                if words[at + 1..end] == [CAPABILITY_FLOAT64] {
                    widths.push(64);
                }
            }
            OP_ENTRY_POINT if length > 2 => entry_point = Some((end, words[at + 2])),
            _ => {}
        }
        at = end;
    }
    let (after_entry_points, entry_point) = entry_point.ok_or_else(malformed)?;

    let mut result = words[..after_capabilities].to_vec();
    for capability in [CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE, CAPABILITY_ROUNDING_MODE_RTE] {
        instruction(&mut result, OP_CAPABILITY, &[capability]);
    }
    instruction(&mut result, OP_EXTENSION, &text("SPV_KHR_float_controls"));
    result.extend(&words[after_capabilities..after_entry_points]);
    for width in widths {
        for mode in [MODE_SIGNED_ZERO_INF_NAN_PRESERVE, MODE_ROUNDING_MODE_RTE] {
            instruction(&mut result, OP_EXECUTION_MODE, &[entry_point, mode, width]);
        }
    }
    result.extend(&words[after_entry_points..]);
    Ok(result)
}

/// Decorates the operations on floats in helpers, whose names end in a type of floats. Removes all names.
fn forbid_contraction(words: Vec<u32>) -> Result<Vec<u32>, String> {
    let (mut helpers, mut is_helper) = (HashSet::new(), false);
    let mut decorations = Vec::new();
    let mut result = words[..HEADER].to_vec();
    let mut first_annotation = None;
    let mut at = HEADER;
    while at < words.len() {
        let (length, op) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        let operands =
            words.get(at + 1..at + length).ok_or("the shader translator wrote a malformed module")?;
        at += length;
        match (op, operands) {
            (OP_NAME, [id, name @ ..]) => {
                let name: Vec<u8> =
                    name.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
                if name.ends_with(b"_f32") || name.ends_with(b"_f64") {
                    helpers.insert(*id);
                }
                continue;
            }
            (OP_MEMBER_NAME, _) => continue,
            (OP_TYPE_VOID.., _) if first_annotation.is_none() => {
                first_annotation = Some(result.len());
            }
            _ => {}
        }
        match (op, operands) {
            (OP_FUNCTION, [_, id, ..]) => is_helper = helpers.contains(id),
            (OP_F_NEGATE | OP_F_ADD | OP_F_SUB | OP_F_MUL | OP_F_DIV, [_, id, ..]) if is_helper => {
                instruction(&mut decorations, OP_DECORATE, &[*id, DECORATION_NO_CONTRACTION]);
            }
            _ => {}
        }
        result.extend(&words[at - length..at]);
    }
    let place = first_annotation.unwrap_or(result.len());
    result.splice(place..place, decorations);
    Ok(result)
}

fn instruction(words: &mut Vec<u32>, op: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op);
    words.extend(operands);
}

/// A string in SPIR-V: its bytes in words, with a zero at the end.
fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_controls_are_asked_for_in_every_width() {
        let words =
            compile("@compute @workgroup_size(1) fn main() { var x = 1.0lf; x = x * 2.0lf; }").unwrap();
        let mut modes = Vec::new();
        let mut at = HEADER;
        while at < words.len() {
            let end = at + (words[at] >> 16) as usize;
            if words[at] & 0xffff == OP_EXECUTION_MODE && end == at + 4 {
                modes.push((words[at + 2], words[at + 3]));
            }
            at = end;
        }
        assert_eq!(modes, [(4461, 32), (4462, 32), (4461, 64), (4462, 64)]);
    }

    #[test]
    fn operations_in_helpers_are_not_contracted() {
        let words = compile(
            "@group(0) @binding(0) var<storage, read_write> a: array<f32>;
            fn twice_f32(x: f32) -> f32 { return x * 3.0f + 1.0f; }
            fn other(x: f32) -> f32 { return x * 5.0f + 7.0f; }
            @compute @workgroup_size(1) fn main() { a[0] = twice_f32(a[1]) + other(a[2]); }",
        )
        .unwrap();
        let (mut decorated, mut results, mut names) = (HashSet::new(), Vec::new(), 0);
        let mut at = HEADER;
        while at < words.len() {
            let (length, op) = ((words[at] >> 16) as usize, words[at] & 0xffff);
            match op {
                OP_NAME => names += 1,
                OP_DECORATE if words[at + 2] == DECORATION_NO_CONTRACTION => {
                    decorated.insert(words[at + 1]);
                }
                OP_F_ADD | OP_F_MUL => results.push(words[at + 2]),
                _ => {}
            }
            at += length;
        }
        let is_decorated: Vec<bool> = results.iter().map(|id| decorated.contains(id)).collect();
        assert_eq!((is_decorated, names), (vec![true, true, false, false, false], 0));
    }

    #[test]
    fn text_that_is_not_a_module_is_an_error() {
        assert!(compile("fn main( {").is_err());
        assert!(add_float_controls(vec![0; 7]).is_err());
    }
}
