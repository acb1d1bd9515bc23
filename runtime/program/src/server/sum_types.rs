//! Commands about sum types. The leaves of a value are its constructor number and the payloads of all constructors;
//! inactive payloads are zeros or empty arrays.

use ravel_abi::interface::Leaf;
use ravel_abi::{Array, Data, TypeNumber, Value};
use ravel_prim::PrimValue;

use super::{Answer, Server, Variable};

impl Server {
    pub(super) fn variants(&mut self, words: &[&str]) -> Answer {
        let ty = self.ty(words[0])?;
        let mut lines = Vec::new();
        for variant in self.sum(ty)? {
            lines.push(variant.name);
            lines.extend(variant.payload.iter().map(|&part| format!("- {}", self.type_name(part))));
        }
        Ok(lines)
    }

    pub(super) fn construct(&mut self, words: &[&str]) -> Answer {
        let (name, wanted, given) = (words[0], words[2], &words[3..]);
        let ty = self.ty(words[1])?;
        self.unused(&[name])?;
        let variants = self.sum(ty)?;
        let number = variants.iter().position(|variant| variant.name == wanted);
        let number = number.ok_or_else(|| format!("{} has no variant {wanted}", words[1]))?;
        let own = &variants[number].payload;
        if own.len() != given.len() {
            return Err(format!("{wanted} has a payload of {} values, but got {}", own.len(), given.len()));
        }
        let mut leaves = vec![Value::Scalar(PrimValue::I32(i32::try_from(number).unwrap_or(i32::MAX)))];
        for (at, variant) in variants.iter().enumerate() {
            for (place, &part) in variant.payload.iter().enumerate() {
                match at == number {
                    true => leaves.extend_from_slice(&self.of_type(given[place], part)?.leaves),
                    false => leaves.extend(self.interface.leaves(part).into_iter().map(nothing)),
                }
            }
        }
        self.bind(name, ty, leaves);
        Ok(Vec::new())
    }

    pub(super) fn destruct(&mut self, words: &[&str]) -> Answer {
        let (from, names) = (words[0], &words[1..]);
        self.unused(names)?;
        let value = self.variable(from)?;
        let (variant, payload, start) = self.constructor(value)?;
        if payload.len() != names.len() {
            let (has, got) = (payload.len(), names.len());
            return Err(format!("{from} is {variant} with a payload of {has} values, but got {got} names"));
        }
        let payload_leaves = value.leaves[start..].to_vec();
        let mut rest = payload_leaves.into_iter();
        for (name, ty) in names.iter().zip(payload) {
            let count = self.interface.leaves(ty).len();
            let leaves = rest.by_ref().take(count).collect();
            self.bind(name, ty, leaves);
        }
        Ok(Vec::new())
    }

    pub(super) fn variant(&mut self, words: &[&str]) -> Answer {
        let (variant, ..) = self.constructor(self.variable(words[0])?)?;
        Ok(vec![variant])
    }

    /// The constructor of a value: its name, the types of its payload, and the position of the payload's first leaf.
    fn constructor(&self, value: &Variable) -> Result<(String, Vec<TypeNumber>, usize), String> {
        let variants = self.sum(value.ty)?;
        let number = match value.leaves.first() {
            Some(&Value::Scalar(PrimValue::I32(number))) => usize::try_from(number).ok(),
            _ => None,
        };
        let variant = number.and_then(|number| variants.get(number));
        let variant =
            variant.ok_or_else(|| "the value has a constructor that its type has not".to_owned())?;
        let before = variants.iter().take_while(|other| other.name != variant.name);
        let before = before.flat_map(|other| &other.payload).map(|&part| self.interface.leaves(part).len());
        Ok((variant.name.clone(), variant.payload.clone(), 1 + before.sum::<usize>()))
    }
}

/// A value for an inactive leaf.
fn nothing(leaf: Leaf) -> Value {
    match leaf.rank {
        0 => Value::Scalar(PrimValue::zero(leaf.elem)),
        rank => Value::Array(Array { shape: vec![0; rank], data: Data::from_bytes(leaf.elem, &[]) }),
    }
}
