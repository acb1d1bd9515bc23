//! Tuples, records and values of sum types.
//!
//! The empty tuple is represented by a scalar that carries no information, so that an array of empty tuples has a
//! shape. Callers of an entry point neither pass nor get a single empty tuple.

use ravel_base::Symbol;
use ravel_core::Atom;
use ravel_prim::{PrimType, PrimValue};
use ravel_types::tast::{Exp, Type};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::sizes::Ty;
use crate::value::{Env, Value};

/// The type of the number of a constructor.
pub(crate) const TAG: PrimType = PrimType::I32;

/// The type of the scalar that represents an empty tuple.
pub(crate) const UNIT: PrimType = PrimType::Bool;

/// Whether this is the type of the empty tuple.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_) | Type::Record(_)) && ty.parts().is_empty()
}

/// The tuple of these components.
pub(crate) fn tuple(parts: Vec<Value<'_>>) -> Value<'_> {
    if parts.is_empty() { Value::Leaf(unit()) } else { Value::Tuple(parts) }
}

/// The empty tuple.
pub(crate) fn unit() -> Atom {
    Atom::Const(PrimValue::zero(UNIT))
}

impl<'a> Lowering<'_, 'a> {
    /// A record; its fields are evaluated in the order of the text.
    pub fn record(
        &mut self,
        ty: &Type,
        fields: &'a [(Symbol, Exp)],
        env: &mut Env<'a>,
    ) -> Lowered<Value<'a>> {
        let mut parts = Vec::new();
        for (name, value) in fields {
            parts.push((ty.field(*name), self.exp(value, env)?));
        }
        parts.sort_by_key(|(at, _)| *at);
        Ok(tuple(parts.into_iter().map(|(_, value)| value).collect()))
    }

    /// A field of a record of this type.
    pub fn project(&self, ty: &Type, record: &Value<'a>, field: Symbol) -> Lowered<Value<'a>> {
        match (record, ty.field(field)) {
            (Value::Tuple(parts), Some(at)) if at < parts.len() => Ok(parts[at].clone()),
            _ => Err(bug(self.span, "a field of a value that is not such a record")),
        }
    }

    /// The record of this type with the field at a path replaced.
    pub fn replace(
        &self,
        ty: &Type,
        record: &Value<'a>,
        path: &[Symbol],
        new: Value<'a>,
    ) -> Lowered<Value<'a>> {
        let Some((first, rest)) = path.split_first() else { return Ok(new) };
        match (record, ty.field(*first)) {
            (Value::Tuple(parts), Some(at)) if at < parts.len() => {
                let mut parts = parts.clone();
                parts[at] = self.replace(ty.parts()[at], &parts[at], rest, new)?;
                Ok(Value::Tuple(parts))
            }
            _ => Err(bug(self.span, "a field of a value that is not such a record")),
        }
    }

    /// A value of a sum type. The payloads of the other constructors are zero. If the type contains
    /// functions, the constructor is known at compile time.
    pub fn construct(
        &mut self,
        exp: &'a Exp,
        name: Symbol,
        payload: Vec<Value<'a>>,
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        let (Some((number, own)), Ty::Tuple(types)) = (exp.ty.constructor(name), self.ty(&exp.ty, env))
        else {
            return Err(bug(self.span, "a constructor that its type does not have"));
        };
        let mut payload = payload.into_iter();
        let has_function = types.iter().any(Ty::has_function);
        let tag = if has_function { Value::Constructor(number) } else { Value::Leaf(tag_of(number)) };
        let mut values = vec![tag];
        for (at, ty) in types[1..].iter().enumerate() {
            let given = if own.contains(&at) { payload.next() } else { None };
            values.push(match given {
                Some(value) => value,
                None => self.zero(ty)?,
            });
        }
        Ok(Value::Tuple(values))
    }

    /// The value of this type whose scalars are all zero. A function inside is never called, so an empty tuple stands
    /// for it.
    fn zero(&mut self, ty: &Ty) -> Lowered<Value<'a>> {
        match ty {
            Ty::Prim(prim) => Ok(Value::Leaf(Atom::Const(PrimValue::zero(*prim)))),
            Ty::Tuple(parts) => {
                Ok(Value::Tuple(parts.iter().map(|part| self.zero(part)).collect::<Lowered<_>>()?))
            }
            Ty::Array(row, Some(size)) => {
                let (row, size) = (self.zero(row)?, self.natural(*size));
                row.map_leaves(&mut |leaf| Ok(self.builder.replicate(size, leaf)))
            }
            // The payload of a constructor that the value does not have, so its size may be any.
            Ty::Array(row, None) => self.zero(&Ty::Array(row.clone(), Some(Atom::i64(0)))),
            Ty::Opaque => Ok(Value::Tuple(Vec::new())),
        }
    }

    /// The number of a constructor, and its payload in a value of this sum type.
    pub fn payload(&self, ty: &Type, name: Symbol, value: Value<'a>) -> Lowered<(Atom, Vec<Value<'a>>)> {
        match (ty.constructor(name), value) {
            (Some((number, own)), Value::Tuple(values)) if own.end < values.len() => {
                let values = values.into_iter().skip(1 + own.start).take(own.len());
                Ok((tag_of(number), values.collect()))
            }
            _ => Err(bug(self.span, "a constructor pattern for a value of another type")),
        }
    }

    /// The number of the constructor that made a value.
    pub fn tag(&self, value: &Value<'a>) -> Lowered<Atom> {
        let parts = match value {
            Value::Tuple(parts) => parts.as_slice(),
            _ => &[],
        };
        match parts {
            [Value::Leaf(tag), ..] => Ok(*tag),
            [Value::Constructor(number), ..] => Ok(tag_of(*number)),
            _ => Err(bug(self.span, "a value of a sum type without a constructor")),
        }
    }
}

fn tag_of(number: usize) -> Atom {
    Atom::Const(ravel_prim::convert(PrimValue::I64(number as i64), TAG))
}
