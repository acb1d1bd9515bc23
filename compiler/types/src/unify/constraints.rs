//! Constraints on open types: the class of a number, the fields of a record, the constructors of a sum.

use ravel_base::{Span, Symbol};

use super::{ERROR, FLEXIBLE, Mismatch, Result, TypeSlot, Unifier};
use crate::class::Class;
use crate::env::liftedness_of;
use crate::tast::{Liftedness, Type, TypeParamId};

/// The constraints on an unbound flexible type.
#[derive(Clone, Debug)]
pub(crate) struct Constraints {
    /// It must be in this class.
    pub(crate) class: Class,
    /// It must be a record with these fields.
    pub(crate) fields: Vec<(Symbol, Type, Span)>,
    /// It must be a sum type with these constructors.
    pub(crate) constructors: Vec<(Symbol, Vec<Type>, Span)>,
    /// The source location at which the type was introduced.
    pub(crate) span: Span,
    pub(super) level: u32,
}

impl Unifier {
    /// Refuses to make one type of a flexible type that must have a field or constructor, and one that must be a scalar.
    pub(super) fn check_parts(&self, id: TypeParamId, constraints: &Constraints, ty: &Type) -> Result<()> {
        let Type::Param(other) = ty else { return Ok(()) };
        let Some(TypeSlot::Free(others)) = self.types.get(other.0.wrapping_sub(FLEXIBLE) as usize) else {
            return Ok(());
        };
        let (wanted, scalar) = match (constraints.class.has_data(), others.class.has_data()) {
            (true, false) => (constraints, ty.clone()),
            (false, true) => (others, Type::Param(id)),
            _ => return Ok(()),
        };
        match (wanted.fields.first(), wanted.constructors.first()) {
            (Some((field, _, span)), _) => Err(Mismatch::NoField(*field, scalar, *span)),
            (_, Some((name, _, span))) => Err(Mismatch::NoConstructor(*name, scalar, *span)),
            (None, None) => Ok(()),
        }
    }

    /// Constrains a type to a class.
    pub(crate) fn restrict(&mut self, ty: &Type, class: Class) -> Result<()> {
        if class.has_all() {
            return Ok(());
        }
        let ty = self.head(ty);
        match &ty {
            &ERROR => Ok(()),
            Type::Param(id) if id.0 >= FLEXIBLE => {
                let TypeSlot::Free(constraints) = &mut self.types[(id.0 - FLEXIBLE) as usize] else {
                    return Ok(());
                };
                let is_data = !constraints.fields.is_empty() || !constraints.constructors.is_empty();
                let met = constraints.class.meet(class).filter(|class| !is_data || class.has_data());
                constraints.class = met.ok_or(Mismatch::Classes)?;
                Ok(())
            }
            Type::Param(_) | Type::Abstract(_) if class.has_general(self.liftedness(&ty)) => Ok(()),
            Type::Prim(prim) if class.has(*prim) => Ok(()),
            Type::Array(row, _) if class.has_data() => self.restrict(row, class),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) if class.has_data() => {
                ty.parts().into_iter().try_for_each(|part| self.restrict(part, class))
            }
            _ => Err(Mismatch::Class(class, ty)),
        }
    }

    /// The liftedness of a type parameter or abstract type.
    pub(crate) fn liftedness(&self, ty: &Type) -> Liftedness {
        match ty {
            Type::Param(id) => liftedness_of(*id, &self.lifted),
            Type::Abstract(named) => named.liftedness,
            _ => Liftedness::Unlifted,
        }
    }

    /// Constrains a field of a type to have the type `part`.
    pub(crate) fn project(&mut self, ty: &Type, field: Symbol, part: &Type, span: Span) -> Result<()> {
        let ty = self.head(ty);
        if let Some(at) = ty.field(field) {
            return self.unify(ty.parts()[at], part);
        }
        if ty == ERROR {
            self.bind_to_error(part);
            return Ok(());
        }
        let Some(constraints) =
            self.open_constraints(&ty).filter(|constraints| constraints.constructors.is_empty())
        else {
            return Err(Mismatch::NoField(field, ty, span));
        };
        match constraints.fields.iter().find(|(known, ..)| *known == field) {
            Some((_, known, _)) => {
                let known = known.clone();
                self.unify(&known, part)
            }
            None => {
                constraints.fields.push((field, part.clone(), span));
                Ok(())
            }
        }
    }

    /// Constrains a type to have a constructor with this payload.
    pub(crate) fn construct(
        &mut self,
        ty: &Type,
        constructor: Symbol,
        payload: &[Type],
        span: Span,
    ) -> Result<()> {
        let ty = self.head(ty);
        let known: Vec<Type> = match (ty.constructor(constructor), self.open_constraints(&ty)) {
            (Some((_, parts)), _) => ty.parts()[parts].iter().map(|&part| part.clone()).collect(),
            (None, Some(constraints)) if constraints.fields.is_empty() => {
                match constraints.constructors.iter().find(|(known, ..)| *known == constructor) {
                    Some((_, known, _)) => known.clone(),
                    None => {
                        constraints.constructors.push((constructor, payload.to_vec(), span));
                        return Ok(());
                    }
                }
            }
            _ if ty == ERROR => {
                payload.iter().for_each(|part| self.bind_to_error(part));
                return Ok(());
            }
            _ => return Err(Mismatch::NoConstructor(constructor, ty, span)),
        };
        if known.len() != payload.len() {
            let (expected, found) = (known.len(), payload.len());
            return Err(Mismatch::Payload { constructor, expected, found, span });
        }
        known.iter().zip(payload).try_for_each(|(known, part)| self.unify(known, part))
    }

    /// The constraints on an unbound type that may be composite.
    pub(super) fn open_constraints(&mut self, ty: &Type) -> Option<&mut Constraints> {
        let Type::Param(id) = ty else { return None };
        match self.types.get_mut(id.0.checked_sub(FLEXIBLE)? as usize)? {
            TypeSlot::Free(constraints) if constraints.class.has_data() => Some(constraints),
            _ => None,
        }
    }
}
