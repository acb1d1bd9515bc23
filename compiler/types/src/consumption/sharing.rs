//! Values that may share memory with themselves.
//!
//! The definition of an abstract type may be a pair of arrays, and a function of its module may return a pair whose
//! components are one array. Outside of the module, this cannot be seen. So nothing may consume a value that such a
//! function made, unless its result is marked with `*`.
//!
//! An array does not share memory with itself, nor does a value whose definition has at most one array. If the definition
//! is unknown, because the type is a parameter of the module that is being checked, the result of the application is
//! copied where consumption needs it ([`super::component`]).
//!
//! A token among the aliases of a value says that the value may share memory with itself. A token among the aliases of a
//! function says that the function makes such values: each of its applications then has a token of its own.

use std::collections::BTreeSet;

use ravel_base::Span;
use ravel_prim::PrimType;

use super::alias::Aliases;
use super::token::Origin;
use super::{Consumption, Unconsumable};
use crate::checker::Checker;
use crate::tast::{Exp, Type, TypeArg, ValueId};

/// What is known of an abstract type.
#[derive(Clone, Copy)]
pub(crate) struct Representation {
    /// The primitive type that it stands for, if any.
    pub(crate) prim: Option<PrimType>,
    /// The arrays of which its values consist.
    pub(crate) arrays: Arrays,
}

/// The arrays of which the values of a type consist. A value of a sum type consists of those of one constructor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Arrays {
    None,
    One,
    /// It depends on types whose definitions are unknown.
    Unknown,
    Several,
}

impl Arrays {
    /// The arrays of a pair.
    fn and(self, other: Arrays) -> Arrays {
        match (self, other) {
            (Arrays::None, only) | (only, Arrays::None) => only,
            (Arrays::One, Arrays::One) => Arrays::Several,
            _ => self.max(other),
        }
    }
}

impl Checker<'_> {
    /// The arrays of which the values of a type consist.
    pub(crate) fn arrays_of(&self, ty: &Type) -> Arrays {
        let all = |parts: Vec<&Type>| {
            let mut arrays = Arrays::None;
            for part in parts {
                arrays = arrays.and(self.arrays_of(part));
                if arrays == Arrays::Several {
                    break;
                }
            }
            arrays
        };
        match ty {
            Type::Prim(_) => Arrays::None,
            Type::Array(..) | Type::Param(_) => Arrays::One,
            Type::Function(_) => Arrays::Several,
            Type::Tuple(_) | Type::Record(_) => all(ty.parts()),
            Type::Sum(constructors) => {
                let payloads = constructors.iter().map(|(_, payload)| all(payload.iter().collect()));
                payloads.max().unwrap_or(Arrays::None)
            }
            Type::Abstract(named) => {
                let own = match self.env.meanings.get(&named.id) {
                    Some(meaning) => self.arrays_of(&meaning.ty),
                    None => self.abstract_types.get(&named.id).map_or(Arrays::Unknown, |known| known.arrays),
                };
                // The definition may have a value of an argument where it has one array.
                let arguments = named.args.iter().filter_map(|argument| match argument {
                    TypeArg::Type(ty) => Some(self.arrays_of(ty)),
                    TypeArg::Size(_) => None,
                });
                if own == Arrays::None { own } else { arguments.fold(own, Arrays::max) }
            }
        }
    }
}

impl Consumption<'_, '_> {
    /// Whether a value of the type may share memory with another.
    pub(super) fn has_memory(&self, ty: &Type) -> bool {
        self.checker.arrays_of(ty) != Arrays::None
    }

    /// The token among the aliases of functions that make values of abstract types.
    pub(super) fn maker(&mut self) -> ValueId {
        match self.maker {
            Some(known) => known,
            None => {
                let token = self.unconsumable_token(Unconsumable::Internal);
                *self.maker.insert(token)
            }
        }
    }

    /// Whether this says that a value may share memory with itself.
    pub(super) fn is_sharing(&self, id: ValueId) -> bool {
        self.reason(id) == Some(Unconsumable::Internal)
    }

    /// The token of an application whose result may share memory with itself.
    pub(super) fn sharing_token(&mut self, function: &Exp, ty: &Type, span: Span) -> ValueId {
        let origin = Origin::Application(self.checker.quote(function.span));
        let token = self.token(origin);
        if let Some(variable) = self.variables.get_mut(&token) {
            variable.unconsumable = Some(Unconsumable::Internal);
        }
        if self.checker.arrays_of(ty) == Arrays::Unknown && self.may_copy(ty) {
            self.components.insert(token, span);
        }
        token
    }

    /// The aliases of a value of this type, split by its parts. A scalar part has none.
    pub(super) fn split(&self, aliases: &Aliases, ty: &Type) -> Aliases {
        let parts = |aliases: &Aliases, types: Vec<&Type>| {
            let parts = types.into_iter().enumerate();
            Aliases::Tuple(parts.map(|(at, part)| self.split(&aliases.part(at), part)).collect())
        };
        match ty {
            _ if !self.has_memory(ty) => Aliases::none(),
            Type::Tuple(_) | Type::Record(_) => parts(aliases, ty.parts()),
            Type::Sum(constructors) => {
                let payloads = constructors.iter().enumerate();
                let payloads = payloads
                    .map(|(at, (_, payload))| parts(&aliases.part(at), payload.iter().collect()))
                    .collect();
                Aliases::Sum(payloads)
            }
            _ => Aliases::Whole(self.without_sharing(ty, aliases.iter().collect())),
        }
    }

    /// The aliases of a value of this type, without tokens that do not concern it.
    pub(super) fn without_sharing(&self, ty: &Type, aliases: BTreeSet<ValueId>) -> BTreeSet<ValueId> {
        match self.checker.arrays_of(ty) {
            Arrays::None | Arrays::One => aliases.into_iter().filter(|&id| !self.is_sharing(id)).collect(),
            Arrays::Unknown | Arrays::Several => aliases,
        }
    }
}

/// Whether functions in a value of this declared type may return values of an abstract type that they make. A result whose
/// type is a type parameter does not count: it is an argument, or a part of one.
pub(crate) fn makes_abstract(ty: &Type) -> bool {
    fn is_made(ty: &Type) -> bool {
        match ty {
            Type::Abstract(_) => true,
            Type::Function(_) => makes_abstract(ty),
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => ty.parts().into_iter().any(is_made),
            Type::Prim(_) | Type::Array(..) | Type::Param(_) => false,
        }
    }
    match ty {
        Type::Function(function) => !function.unique.is_whole() && is_made(&function.to),
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => ty.parts().into_iter().any(makes_abstract),
        _ => false,
    }
}
