//! The functions that give scalar operators their meaning where WGSL's own differ.
//!
//! Most are templates over a type, in the files of [`library`]; `truncate` writes the others. A module
//! holds the helpers it calls, and the helpers that these call.

mod library;
mod truncate;

use std::collections::BTreeMap;

use ravel_prim::PrimType;
use ravel_prim::circular::TWO_OVER_PI;

use self::library::{definition, instance, needs};
use self::truncate::truncate;

/// The helpers of one module, by name.
#[derive(Default)]
pub(crate) struct Helpers {
    texts: BTreeMap<String, String>,
}

impl Helpers {
    /// Makes sure that the module holds the helper `name` for type `ty`; gives its name in the module.
    pub(crate) fn want(&mut self, name: &str, ty: PrimType) -> String {
        let full = format!("{name}_{ty}");
        if self.texts.contains_key(&full) {
            return full;
        }
        let text = match name {
            "truncate_f32" => truncate(PrimType::F32, ty),
            "truncate_f64" => truncate(PrimType::F64, ty),
            "two_over_pi" => two_over_pi(&full, ty),
            _ => {
                let template = definition(name, ty);
                for need in needs(template) {
                    self.want(need, ty);
                }
                instance(template, ty)
            }
        };
        self.texts.insert(full.clone(), text);
        full
    }

    /// All of them, in a fixed order.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.values().map(String::as_str)
    }
}

/// The digits of 2/pi, from which an angle far from 0 is reduced.
fn two_over_pi(name: &str, ty: PrimType) -> String {
    let enough = if ty == PrimType::F64 { TWO_OVER_PI.len() } else { 9 };
    let words: Vec<String> = TWO_OVER_PI[..enough].iter().map(|word| format!("{word:#010x}u")).collect();
    let rows: Vec<String> = words.chunks(8).map(|row| format!("    {},\n", row.join(", "))).collect();
    format!("const {name} = array<u32, {}>(\n{});\n", words.len(), rows.concat())
}

#[cfg(test)]
mod tests {
    use super::library::every_definition;
    use super::*;
    use crate::validate::validate;

    #[test]
    fn every_helper_is_valid_for_every_type_it_is_for() {
        let types = [PrimType::I32, PrimType::I64, PrimType::U32, PrimType::U64];
        for ty in types.into_iter().chain([PrimType::F32, PrimType::F64, PrimType::Bool]) {
            let mut helpers = Helpers::default();
            for name in every_definition(ty) {
                helpers.want(name, ty);
            }
            let argument = "fn argument(at: u32, low: u32, high: u32) {}\n";
            let texts: String = helpers.texts().collect();
            validate(&ty.to_string(), &format!("{argument}{texts}"))
                .unwrap_or_else(|bug| panic!("{}", bug.message));
        }
    }
}
