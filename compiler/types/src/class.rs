//! Type classes: the types that an overloaded operator or literal may have.
//!
//! A class is a set of primitive types together with some composite types. If two constraints apply to one type, it
//! must be in the intersection of their classes. A type that is still open at the end of a definition becomes the
//! default of its class.

use ravel_prim::PrimType;

use crate::tast::Liftedness;

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    prims: u16,
    non_primitive: NonPrimitive,
}

/// The types of a class that are not primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NonPrimitive {
    /// No other types.
    None,
    /// Tuples and arrays of types of the class.
    Data,
    /// All types without functions and without unknown sizes, including type parameters.
    Element,
    /// All types without functions.
    FirstOrder,
    /// All types.
    All,
}

impl Class {
    /// Every type.
    pub(crate) const ANY: Class = Class { prims: 0xfff, non_primitive: NonPrimitive::All };
    /// Array elements and instances of `'a`: no functions, no unknown sizes.
    pub(crate) const ELEMENT: Class = Class { prims: 0xfff, non_primitive: NonPrimitive::Element };
    /// Values of branches and loops and instances of `'~a`: no functions.
    pub(crate) const FIRST_ORDER: Class = Class { prims: 0xfff, non_primitive: NonPrimitive::FirstOrder };
    /// Operands of `==`.
    pub(crate) const EQUALITY: Class = Class { prims: 0xfff, non_primitive: NonPrimitive::Data };
    /// Operands of `<`.
    pub(crate) const ORDERED: Class = Class { prims: 0xfff, non_primitive: NonPrimitive::None };
    /// Operands of `+`.
    pub(crate) const NUMBER: Class = Class { prims: 0x7ff, non_primitive: NonPrimitive::None };
    /// Indices and the bounds of loops.
    pub(crate) const SIGNED: Class = Class { prims: 0x00f, non_primitive: NonPrimitive::None };
    /// Operands of `&`.
    pub(crate) const INTEGER: Class = Class { prims: 0x0ff, non_primitive: NonPrimitive::None };
    /// Literals with a fraction.
    pub(crate) const FLOAT: Class = Class { prims: 0x700, non_primitive: NonPrimitive::None };
    /// Operands of `!`.
    pub(crate) const LOGICAL: Class = Class { prims: 0x8ff, non_primitive: NonPrimitive::None };

    /// The intersection; `None` if it is empty.
    pub(crate) fn meet(self, other: Class) -> Option<Class> {
        let class = Class {
            prims: self.prims & other.prims,
            non_primitive: self.non_primitive.min(other.non_primitive),
        };
        (class.prims != 0 || class.non_primitive != NonPrimitive::None).then_some(class)
    }

    /// Whether the class contains the primitive type.
    pub(crate) fn has(self, prim: PrimType) -> bool {
        self.prims & (1 << prim as u16) != 0
    }

    /// Whether the class contains tuples and arrays of its types.
    pub(crate) fn has_data(self) -> bool {
        self.non_primitive >= NonPrimitive::Data
    }

    /// Whether the class contains type parameters.
    pub(crate) fn has_params(self) -> bool {
        self.non_primitive >= NonPrimitive::Element
    }

    /// Whether the class contains type parameters and abstract types of this liftedness.
    pub(crate) fn has_general(self, liftedness: Liftedness) -> bool {
        self.non_primitive >= Class::of_param(liftedness).non_primitive
    }

    /// The types that a type parameter of this liftedness stands for.
    pub(crate) fn of_param(liftedness: Liftedness) -> Class {
        match liftedness {
            Liftedness::Unlifted => Class::ELEMENT,
            Liftedness::SizeLifted => Class::FIRST_ORDER,
            Liftedness::Lifted => Class::ANY,
        }
    }

    /// The liftedness of a type parameter that stands for a type of the class.
    pub(crate) fn liftedness(self) -> Liftedness {
        match self.non_primitive {
            NonPrimitive::All => Liftedness::Lifted,
            NonPrimitive::FirstOrder => Liftedness::SizeLifted,
            NonPrimitive::Element | NonPrimitive::Data | NonPrimitive::None => Liftedness::Unlifted,
        }
    }

    /// Whether the class contains all types.
    pub(crate) fn has_all(self) -> bool {
        self.non_primitive == NonPrimitive::All
    }

    /// The type chosen if the program does not determine one: i32 if possible, else f64.
    pub(crate) fn default_type(self) -> Option<PrimType> {
        if self.non_primitive != NonPrimitive::None {
            return None;
        }
        let preferred = [PrimType::I32, PrimType::F64];
        preferred.into_iter().chain(PrimType::ALL).find(|&prim| self.has(prim))
    }

    /// A value of the class, in words for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Class::ANY | Class::FIRST_ORDER | Class::ELEMENT => "a value",
            Class::EQUALITY => "a value that supports equality",
            Class::NUMBER => "a number",
            Class::INTEGER => "an integer",
            Class::SIGNED => "a signed integer",
            Class::FLOAT => "a floating-point number",
            Class::LOGICAL => "an integer or a bool",
            _ => "a primitive value",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meet_is_the_intersection() {
        assert_eq!(Class::NUMBER.meet(Class::INTEGER), Some(Class::INTEGER));
        assert_eq!(Class::FLOAT.meet(Class::INTEGER), None);
        assert_eq!(Class::EQUALITY.meet(Class::NUMBER), Some(Class::NUMBER));
        assert_eq!(Class::NUMBER.meet(Class::LOGICAL), Some(Class::INTEGER));
    }

    #[test]
    fn integers_default_to_i32_and_floats_to_f64() {
        assert_eq!(Class::NUMBER.default_type(), Some(PrimType::I32));
        assert_eq!(Class::FLOAT.default_type(), Some(PrimType::F64));
        assert_eq!(Class::EQUALITY.default_type(), None);
        assert!(!Class::NUMBER.has(PrimType::Bool) && Class::LOGICAL.has(PrimType::Bool));
    }
}
