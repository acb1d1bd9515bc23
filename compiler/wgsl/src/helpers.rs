//! Helpers: functions for operators that WGSL lacks or defines differently.
//!
//! Elementary functions are generated from their definitions (`elementary`). Most others are generated from templates,
//! which have a type as a parameter, in the files of [`library`]; `truncate` and `two_over_pi` generate the rest. A shader module contains the helpers that it calls, and the helpers that
//! these call.

mod elementary;
mod library;
mod truncate;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ravel_prim::PrimType;
use ravel_prim::elementary::TWO_OVER_PI;

use self::elementary::elementary;
use self::library::{calls, instance, template};
use self::truncate::truncate;
use crate::shader::Needs;

/// The helpers of one module, by name.
#[derive(Default)]
pub(crate) struct Helpers {
    helpers: BTreeMap<String, Arc<Helper>>,
}

/// A helper for one type.
struct Helper {
    text: String,
    /// The helpers that it calls, for the same type.
    calls: Vec<&'static str>,
    /// The features of the device that its types need.
    needs: Needs,
}

impl Helpers {
    /// Adds the helper `name` for type `ty`, and the helpers that it calls, unless the module has them already.
    pub(crate) fn require(&mut self, name: &'static str, ty: PrimType) {
        let full = format!("{name}_{ty}");
        if self.helpers.contains_key(&full) {
            return;
        }
        let helper = helper(name, ty, &full);
        self.helpers.insert(full, helper.clone());
        for call in &helper.calls {
            self.require(call, ty);
        }
    }

    /// The texts of all helpers, in a fixed order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.helpers.values().map(|helper| helper.text.as_str())
    }

    /// The features of the device that the helpers need.
    pub(crate) fn needs(&self) -> Needs {
        let mut all = Needs::default();
        self.helpers.values().for_each(|helper| all |= helper.needs);
        all
    }
}

/// The helpers that elementary functions call.
const CALLED: [&str; 3] = ["from_bits", "isnan", "reduced_angle"];

/// The helper `name` for a type. Most programs have many kernels that call the same helpers, so each is made once.
fn helper(name: &'static str, ty: PrimType, full: &str) -> Arc<Helper> {
    static MADE: Mutex<BTreeMap<(&str, PrimType), Arc<Helper>>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let make = || {
        if let Some(text) = elementary(name, ty) {
            let calls = CALLED.into_iter().filter(|call| text.contains(&format!("{call}_{ty}("))).collect();
            let mut needs = Needs::of(ty);
            needs.i64 = ty == PrimType::F64;
            return Arc::new(Helper { text, calls, needs });
        }
        let template = template(name, ty);
        let (text, uses): (_, &[PrimType]) = match name {
            "truncate_f32" => (truncate(PrimType::F32, ty), &[]),
            "truncate_f64" => (truncate(PrimType::F64, ty), &[PrimType::F64, PrimType::U64]),
            "two_over_pi" => (two_over_pi(full, ty), &[]),
            _ => (instance(template.text, ty), template.uses),
        };
        let mut needs = Needs::of(ty);
        uses.iter().for_each(|&used| needs |= Needs::of(used));
        Arc::new(Helper { text, calls: calls(template.text).collect(), needs })
    };
    made.entry((name, ty)).or_insert_with(make).clone()
}

/// The bits of 2/pi in words of 32 bits, for the range reduction of angles far from 0. For types other than f64,
/// nine words are enough.
fn two_over_pi(name: &str, ty: PrimType) -> String {
    let enough = if ty == PrimType::F64 { TWO_OVER_PI.len() } else { 9 };
    let words: Vec<String> = TWO_OVER_PI[..enough].iter().map(|word| format!("{word:#010x}u")).collect();
    let rows: Vec<String> = words.chunks(8).map(|row| format!("    {},\n", row.join(", "))).collect();
    format!("const {name} = array<u32, {}>(\n{});\n", words.len(), rows.concat())
}

#[cfg(test)]
mod tests {
    use ravel_prim::{BinOp, UnOp};

    use super::library::every_definition;
    use super::*;
    use crate::tests::needs_of_types;
    use crate::validate::validate;

    #[test]
    fn every_helper_is_valid_for_each_of_its_types_and_states_its_needs() {
        let types = [PrimType::I32, PrimType::I64, PrimType::U32, PrimType::U64];
        for ty in types.into_iter().chain([PrimType::F32, PrimType::F64, PrimType::Bool]) {
            let conversions = ["truncate_f32", "truncate_f64"].into_iter().filter(|_| ty.is_integer());
            let functions = UnOp::ALL.iter().map(|op| op.name()).chain(BinOp::ALL.iter().map(|op| op.name()));
            let functions = functions.filter(|name| elementary(name, ty).is_some());
            for name in every_definition(ty).chain(conversions).chain(functions) {
                let mut helpers = Helpers::default();
                helpers.require(name, ty);
                let needs = helpers.needs();
                // Helpers that can fail call this function to report the values in the failure's message. Kernels
                // define it.
                let argument = "fn argument(at: u32, low: u32, high: u32) {}\n";
                let texts: String = helpers.texts().collect();
                let text = format!("{argument}{texts}");
                let capable = Needs { subgroups: name == "shuffle", ..needs };
                validate(name, &text, capable).unwrap_or_else(|bug| panic!("{}", bug.message));
                // A file states what any of its helpers needs, and a few helpers of f64 that only others call need less.
                let used = needs_of_types(&text);
                let stated = Needs { i64: used.i64 || ty == PrimType::F64, ..used };
                assert!(needs == used || needs == stated, "{name} for {ty}: {needs:?}, but {used:?}");
            }
        }
    }
}
