//! Compiles WGSL to SPIR-V that computes by IEEE 754.
//!
//! WGSL leaves NaN, infinities and the sign of zero to the device. Vulkan has execution modes that preserve them and round
//! to even (extension SPV_KHR_float_controls). WGSL cannot express these modes, so they are added to the words that naga
//! writes. Checks of bounds, loops and divisions are omitted: the compiler has its own.

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
        Ok(words) => add_float_controls(words?),
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
        flags: spv::WriterFlags::empty(),
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
    fn text_that_is_not_a_module_is_an_error() {
        assert!(compile("fn main( {").is_err());
        assert!(add_float_controls(vec![0; 7]).is_err());
    }
}
