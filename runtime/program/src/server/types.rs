//! The types that commands name.

use ravel_abi::interface::{Field, Variant};
use ravel_abi::{Form, PrimType, TypeNumber};

use super::{Answer, Server};

impl Server {
    /// The type with this name: a known type, or an array of one.
    pub(super) fn ty(&mut self, name: &str) -> Result<TypeNumber, String> {
        if let Some(known) = self.interface.named(name) {
            return Ok(known);
        }
        let elem = name.trim_start_matches("[]");
        let rank = (name.len() - elem.len()) / 2;
        let elem = match (self.interface.named(elem), PrimType::from_name(elem)) {
            (Some(known), _) => Some(known),
            (None, Some(prim)) => Some(self.interface.intern(Form::Scalar(prim), None)),
            (None, None) => None,
        };
        let elem = elem.ok_or_else(|| format!("Unknown type: {name}"))?;
        Ok(self.interface.array_of(rank, elem))
    }

    pub(super) fn type_name(&self, ty: TypeNumber) -> &str {
        self.interface.get(ty).map_or("?", |ty| ty.name.as_str())
    }

    pub(super) fn form(&self, ty: TypeNumber) -> Result<&Form, String> {
        self.interface.get(ty).map(|ty| &ty.form).ok_or_else(|| "there is no such type".to_owned())
    }

    /// Rank and element type of an array type.
    pub(super) fn array(&self, ty: TypeNumber) -> Result<(usize, TypeNumber), String> {
        match self.form(ty)? {
            &Form::Array { rank, elem } => Ok((rank, elem)),
            _ => Err(format!("{} is not an array type", self.type_name(ty))),
        }
    }

    /// The fields of a record type.
    pub(super) fn record(&self, ty: TypeNumber) -> Result<Vec<Field>, String> {
        match self.form(ty)? {
            Form::Record(fields) => Ok(fields.clone()),
            _ => Err(format!("{} is not a record type", self.type_name(ty))),
        }
    }

    /// The constructors of a sum type.
    pub(super) fn sum(&self, ty: TypeNumber) -> Result<Vec<Variant>, String> {
        match self.form(ty)? {
            Form::Sum(variants) => Ok(variants.clone()),
            _ => Err(format!("{} is not a sum type", self.type_name(ty))),
        }
    }

    pub(super) fn types(&mut self, _: &[&str]) -> Answer {
        Ok(self.interface.types[..self.own_types].iter().map(|ty| ty.name.clone()).collect())
    }

    pub(super) fn kind(&mut self, words: &[&str]) -> Answer {
        let ty = self.ty(words[0])?;
        let kind = match self.form(ty)? {
            Form::Scalar(_) => "primitive",
            Form::Array { .. } => "array",
            Form::Record(_) => "record",
            Form::Sum(_) => "sum",
        };
        Ok(vec![kind.to_owned()])
    }

    pub(super) fn type_of(&mut self, words: &[&str]) -> Answer {
        let ty = self.variable(words[0])?.ty;
        Ok(vec![self.type_name(ty).to_owned()])
    }
}
