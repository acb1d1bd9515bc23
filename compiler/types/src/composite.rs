//! Composite types: tuples, records and sums.
//!
//! The three kinds differ in how their parts are named, but most of the compiler only needs the parts. The parts of a
//! sum type are the concatenated payloads of all its constructors. A value of a sum type is represented as the number
//! of its constructor followed by a value for every part.

use std::cmp::Ordering;
use std::ops::Range;

use ravel_base::Symbol;

use crate::tast::Type;

impl Type {
    /// The record with these fields, in any order. If the fields are 0, 1, … n-1 and n is not 1, it is a
    /// tuple.
    pub(crate) fn record(mut fields: Vec<(Symbol, Type)>) -> Type {
        fields.sort_by(|(a, _), (b, _)| field_order(*a, *b));
        let counted = fields.iter().enumerate().all(|(at, (name, _))| component(*name) == Some(at));
        if counted && fields.len() != 1 {
            return Type::Tuple(fields.into_iter().map(|(_, ty)| ty).collect());
        }
        Type::Record(fields)
    }

    /// The types of the parts; none if the type is not a tuple, record or sum.
    pub fn parts(&self) -> Vec<&Type> {
        match self {
            Type::Tuple(parts) => parts.iter().collect(),
            Type::Record(fields) => fields.iter().map(|(_, ty)| ty).collect(),
            Type::Sum(constructors) => constructors.iter().flat_map(|(_, payload)| payload).collect(),
            _ => Vec::new(),
        }
    }

    /// The type with every part changed by `change`.
    pub(crate) fn map_parts(&self, change: &mut dyn FnMut(&Type) -> Type) -> Type {
        match self {
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(change).collect()),
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(name, ty)| (*name, change(ty))).collect())
            }
            Type::Sum(constructors) => {
                let changed = constructors
                    .iter()
                    .map(|(name, payload)| (*name, payload.iter().map(&mut *change).collect()));
                Type::Sum(changed.collect())
            }
            _ => self.clone(),
        }
    }

    /// The type with these parts in place of its own; there must be as many.
    pub(crate) fn with_parts(&self, parts: Vec<Type>) -> Type {
        let mut parts = parts.into_iter();
        self.map_parts(&mut |part| parts.next().unwrap_or_else(|| part.clone()))
    }

    /// Whether both are tuples, records or sums, and their parts have the same names.
    pub(crate) fn has_form_of(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len(),
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((a, _), (b, _))| a == b)
            }
            (Type::Sum(a), Type::Sum(b)) => {
                let same = |((a, given), (b, taken)): (&(Symbol, Vec<_>), &(Symbol, Vec<_>))| {
                    a == b && given.len() == taken.len()
                };
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            _ => false,
        }
    }

    /// The index of a field; a tuple's fields are numbers.
    pub fn field(&self, name: Symbol) -> Option<usize> {
        match self {
            Type::Tuple(parts) => component(name).filter(|&at| at < parts.len()),
            Type::Record(fields) => fields.iter().position(|(field, _)| *field == name),
            _ => None,
        }
    }

    /// The number of a constructor, and the range of its payload among the parts.
    pub fn constructor(&self, name: Symbol) -> Option<(usize, Range<usize>)> {
        let Type::Sum(constructors) = self else { return None };
        let number = constructors.iter().position(|(constructor, _)| *constructor == name)?;
        let start = constructors[..number].iter().map(|(_, payload)| payload.len()).sum();
        Some((number, start..start + constructors[number].1.len()))
    }
}

/// The order of the fields of a record: numbers first, by value, then names.
pub(crate) fn field_order(a: Symbol, b: Symbol) -> Ordering {
    match (component(a), component(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(&b),
    }
}

/// The field as a number, if it is one.
pub(crate) fn component(name: Symbol) -> Option<usize> {
    name.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use ravel_prim::PrimType;

    use super::*;

    const I32: Type = Type::Prim(PrimType::I32);
    const BOOL: Type = Type::Prim(PrimType::Bool);

    fn record(fields: &[(&str, Type)]) -> Type {
        Type::record(fields.iter().map(|(name, ty)| (Symbol::new(name), ty.clone())).collect())
    }

    #[test]
    fn a_record_with_numbered_fields_is_a_tuple() {
        assert_eq!(record(&[("1", BOOL), ("0", I32)]), Type::Tuple(vec![I32, BOOL]));
        assert_eq!(record(&[]), Type::Tuple(Vec::new()));
        assert!(matches!(record(&[("0", I32)]), Type::Record(_)));
        assert!(matches!(record(&[("1", I32), ("2", BOOL)]), Type::Record(_)));
    }

    #[test]
    fn the_order_of_fields_is_canonical() {
        let ty = record(&[("b", I32), ("10", I32), ("a", BOOL), ("9", I32)]);
        let names = ["9", "10", "a", "b"];
        assert_eq!(names.map(|name| ty.field(Symbol::new(name))), [0, 1, 2, 3].map(Some));
        assert_eq!(ty, record(&[("9", I32), ("10", I32), ("a", BOOL), ("b", I32)]));
    }

    #[test]
    fn payloads_are_concatenated() {
        let payloads = [("a", vec![I32, BOOL]), ("b", vec![]), ("c", vec![I32])];
        let sum =
            Type::Sum(payloads.into_iter().map(|(name, payload)| (Symbol::new(name), payload)).collect());
        assert_eq!(sum.constructor(Symbol::new("a")), Some((0, 0..2)));
        assert_eq!(sum.constructor(Symbol::new("b")), Some((1, 2..2)));
        assert_eq!(sum.constructor(Symbol::new("c")), Some((2, 2..3)));
        assert_eq!(sum.constructor(Symbol::new("d")), None);
        assert_eq!(sum.parts().len(), 3);
    }
}
