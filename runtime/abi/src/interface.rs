//! The source types of entry points.
//!
//! A [`Signature`](crate::Signature) lists the scalars and arrays that a call takes and returns. Composite values are
//! passed as their *leaves*. The leaves of a tuple or record are the leaves of its fields, in order. The leaves of a value
//! of a sum type are the number of its constructor (an i32) and then the leaves of the payloads of all constructors. Only
//! the payload of the value's own constructor is active. An array of composites is one array for each leaf of its
//! elements. An [`Interface`] says how leaves make up values, for callers that name composite values.

use ravel_prim::PrimType;
use serde::{Deserialize, Serialize};

/// The types of a program's entry points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// The types, each after its components; names are unique.
    pub types: Vec<NamedType>,
    /// The entry points.
    pub entries: Vec<EntryTypes>,
}

/// A type of an [`Interface`], by its position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeNumber(pub u32);

/// A type with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedType {
    /// The name that the program gives it, or the text of the type without sizes.
    pub name: String,
    /// Its form.
    pub form: Form,
}

/// The forms of types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// A primitive type.
    Scalar(PrimType),
    /// An array.
    Array {
        /// The number of dimensions, at least 1.
        rank: usize,
        /// The type of the elements, which is not an array.
        elem: TypeNumber,
    },
    /// A record; a tuple is one with the fields 0, 1, ….
    Record(Vec<Field>),
    /// A sum type: its constructors in the order of their numbers.
    Sum(Vec<Variant>),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeNumber,
}

/// A constructor of a sum type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Its name, without `#`.
    pub name: String,
    /// The types of its payload.
    pub payload: Vec<TypeNumber>,
}

/// The types of an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryTypes {
    /// Its name.
    pub name: String,
    /// Its attributes as in the source, without brackets.
    pub attributes: Vec<String>,
    /// Its parameters.
    pub inputs: Vec<Input>,
    /// Its result.
    pub output: Output,
}

/// A parameter of an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeNumber,
    /// True when the argument is consumed.
    pub consumed: bool,
}

/// The result of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Its type.
    pub ty: TypeNumber,
    /// True when it shares no memory with an argument.
    pub unique: bool,
}

/// A leaf of a value: a scalar, or an array of primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// Number of dimensions; 0 for a scalar.
    pub rank: usize,
}

/// A type, with its components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The types.
    pub interface: Interface,
    /// The position of the type itself.
    pub ty: TypeNumber,
}

/// The type of the number of a constructor.
pub const TAG: PrimType = PrimType::I32;

impl Interface {
    /// The type of this number.
    pub fn get(&self, ty: TypeNumber) -> Option<&NamedType> {
        self.types.get(ty.0 as usize)
    }

    /// The type of this name.
    pub fn named(&self, name: &str) -> Option<TypeNumber> {
        let position = self.types.iter().position(|ty| ty.name == name)?;
        u32::try_from(position).ok().map(TypeNumber)
    }

    /// The types of an entry point.
    pub fn entry(&self, name: &str) -> Option<&EntryTypes> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The number of a type. It gets this name if no other type has it; otherwise its name is its text.
    pub fn intern(&mut self, form: Form, name: Option<&str>) -> TypeNumber {
        let written = self.type_text(&form);
        let numbered = format!("{written} {}", self.types.len());
        for name in [name.unwrap_or(&written), &written] {
            match self.named(name) {
                Some(known) if self.get(known).is_some_and(|ty| ty.form == form) => return known,
                Some(_) => {}
                None => return self.add(name, form),
            }
        }
        self.add(&numbered, form)
    }

    fn add(&mut self, name: &str, form: Form) -> TypeNumber {
        self.types.push(NamedType { name: name.to_owned(), form });
        TypeNumber(u32::try_from(self.types.len() - 1).unwrap_or(u32::MAX))
    }

    /// The type of arrays of this rank with elements of this type, which may be arrays.
    pub fn array_of(&mut self, rank: usize, elem: TypeNumber) -> TypeNumber {
        let form = match self.get(elem).map(|ty| &ty.form) {
            _ if rank == 0 => return elem,
            Some(&Form::Array { rank: inner, elem }) => Form::Array { rank: rank + inner, elem },
            _ => Form::Array { rank, elem },
        };
        self.intern(form, None)
    }

    /// The text of the type, without sizes.
    fn type_text(&self, form: &Form) -> String {
        let name = |ty: TypeNumber| self.get(ty).map_or("?", |ty| ty.name.as_str());
        // After an array's brackets or a constructor, a sum type needs parentheses.
        let closed = |ty: TypeNumber| match name(ty) {
            sum if sum.starts_with('#') => format!("({sum})"),
            other => other.to_owned(),
        };
        match form {
            Form::Scalar(prim) => prim.to_string(),
            Form::Array { rank, elem } => format!("{}{}", "[]".repeat(*rank), closed(*elem)),
            Form::Record(fields) if is_tuple(fields) => {
                let parts: Vec<&str> = fields.iter().map(|field| name(field.ty)).collect();
                format!("({})", parts.join(", "))
            }
            Form::Record(fields) => {
                let fields = fields.iter().map(|field| format!("{}: {}", field.name, name(field.ty)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Form::Sum(variants) => {
                let variants = variants.iter().map(|Variant { name, payload }| {
                    let parts = payload.iter().map(|&part| format!(" {}", closed(part)));
                    format!("#{name}{}", parts.collect::<String>())
                });
                variants.collect::<Vec<_>>().join(" | ")
            }
        }
    }

    /// The leaves of a value of this type, in their order.
    pub fn leaves(&self, ty: TypeNumber) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect(ty, 0, &mut leaves);
        leaves
    }

    fn collect(&self, ty: TypeNumber, outer: usize, leaves: &mut Vec<Leaf>) {
        match self.get(ty).map(|ty| &ty.form) {
            None => {}
            Some(&Form::Scalar(elem)) => leaves.push(Leaf { elem, rank: outer }),
            Some(&Form::Array { rank, elem }) => self.collect(elem, outer + rank, leaves),
            Some(Form::Record(fields)) => {
                fields.iter().for_each(|field| self.collect(field.ty, outer, leaves));
            }
            Some(Form::Sum(variants)) => {
                leaves.push(Leaf { elem: TAG, rank: outer });
                let payloads = variants.iter().flat_map(|variant| &variant.payload);
                payloads.for_each(|&part| self.collect(part, outer, leaves));
            }
        }
    }

    /// Whether both types have the same values.
    pub fn same(&self, a: TypeNumber, b: TypeNumber) -> bool {
        if a == b {
            return true;
        }
        let (Some(a), Some(b)) = (self.get(a), self.get(b)) else { return false };
        let all_same = |a: &[TypeNumber], b: &[TypeNumber]| {
            a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.same(a, b))
        };
        match (&a.form, &b.form) {
            (Form::Scalar(a), Form::Scalar(b)) => a == b,
            (Form::Array { rank: a, elem: of_a }, Form::Array { rank: b, elem: of_b }) => {
                a == b && self.same(*of_a, *of_b)
            }
            (Form::Record(a), Form::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name && self.same(a.ty, b.ty))
            }
            (Form::Sum(a), Form::Sum(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(a, b)| a.name == b.name && all_same(&a.payload, &b.payload))
            }
            _ => false,
        }
    }
}

/// Whether these are the fields of a tuple.
pub fn is_tuple(fields: &[Field]) -> bool {
    fields.len() != 1 && fields.iter().enumerate().all(|(at, field)| field.name == at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(i32, []option)`, where `option` is `#none | #some f64`, and that sum type without a name.
    fn interface() -> Interface {
        let mut interface = Interface::default();
        let option = |interface: &mut Interface, name| {
            let number = interface.intern(Form::Scalar(PrimType::F64), None);
            let variant = |name: &str, payload| Variant { name: name.to_owned(), payload };
            let variants = vec![variant("none", vec![]), variant("some", vec![number])];
            interface.intern(Form::Sum(variants), name)
        };
        let named = option(&mut interface, Some("option"));
        let array = interface.array_of(1, named);
        let number = interface.intern(Form::Scalar(PrimType::I32), None);
        let field = |name: &str, ty| Field { name: name.to_owned(), ty };
        interface.intern(Form::Record(vec![field("0", number), field("1", array)]), None);
        option(&mut interface, None);
        interface
    }

    fn named(interface: &Interface, name: &str) -> TypeNumber {
        interface.named(name).unwrap_or_else(|| panic!("no type is called {name}: {interface:?}"))
    }

    #[test]
    fn leaves_have_the_order_of_fields_and_constructors() {
        let interface = interface();
        let leaves = interface.leaves(named(&interface, "(i32, []option)"));
        let leaves: Vec<_> = leaves.iter().map(|leaf| (leaf.elem, leaf.rank)).collect();
        assert_eq!(leaves, [(PrimType::I32, 0), (PrimType::I32, 1), (PrimType::F64, 1)]);
    }

    #[test]
    fn types_are_compared_by_structure() {
        let interface = interface();
        let same = |a, b| interface.same(named(&interface, a), named(&interface, b));
        assert!(same("option", "#none | #some f64") && same("[]option", "[]option"));
        assert!(!same("i32", "f64") && !same("option", "[]option") && !same("[]option", "(i32, []option)"));
    }

    #[test]
    fn a_name_is_given_once() {
        let mut interface = interface();
        let number = named(&interface, "i32");
        let field = Field { name: "x".to_owned(), ty: number };
        let other = interface.intern(Form::Record(vec![field]), Some("option"));
        assert_eq!(interface.get(other).map(|ty| ty.name.as_str()), Some("{x: i32}"));
        let spelled = named(&interface, "#none | #some f64");
        let array = interface.array_of(2, spelled);
        assert_eq!(interface.get(array).map(|ty| ty.name.as_str()), Some("[][](#none | #some f64)"));
        let number = interface.array_of(1, array);
        assert_eq!(interface.get(number).map(|ty| ty.name.as_str()), Some("[][][](#none | #some f64)"));
        assert_eq!(interface.intern(Form::Scalar(PrimType::I32), None), named(&interface, "i32"));
    }
}
