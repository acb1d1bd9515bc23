//! Tokens: fresh variables that stand for memory which no variable of the program names.
//!
//! | token | stands for |
//! | --- | --- |
//! | of a constant | a part of a top-level constant that need not be an array |
//! | of a function | memory that the results of a top-level function may share with one another or with themselves |
//! | of an application | memory made by it, which components of its result may share |
//! | of branches | memory that components of the result of an `if` or `match` may share |
//! | of a component | the memory of a component that may be copied ([`super::component`]) |

use ravel_base::Symbol;

use super::alias::Aliases;
use super::{Consumption, Unconsumable};
use crate::tast::{Exp, Type, ValueId};

/// The expression that made the memory for which a token stands.
pub(super) enum Origin {
    /// An application of this function, as written.
    Application(Symbol),
    /// An `if`.
    If,
    /// A `match`.
    Match,
}

impl Consumption<'_, '_> {
    /// The aliases of a part of a top-level constant. An array aliases the constant. A part whose type is abstract or a
    /// type parameter need not be an array: a function may return it, but not consume it.
    pub(super) fn constant(&mut self, id: ValueId, path: &[usize], ty: &Type) -> Aliases {
        match ty {
            Type::Prim(_) => Aliases::none(),
            Type::Function(_) => self.of_function(id, makes_abstract(ty)),
            Type::Array(..) => Aliases::one(id),
            Type::Tuple(_) | Type::Record(_) => Aliases::Tuple(self.constants(id, path, &ty.parts())),
            Type::Sum(constructors) => {
                let payloads = constructors.iter().enumerate().map(|(number, (_, payload))| {
                    let path = [path, &[number]].concat();
                    Aliases::Tuple(self.constants(id, &path, &payload.iter().collect::<Vec<_>>()))
                });
                Aliases::Sum(payloads.collect())
            }
            Type::Param(_) | Type::Abstract(_) => self.instance_of_constant(id, path),
        }
    }

    fn constants(&mut self, id: ValueId, path: &[usize], parts: &[&Type]) -> Vec<Aliases> {
        let parts = parts.iter().enumerate();
        parts.map(|(at, part)| self.constant(id, &[path, &[at]].concat(), part)).collect()
    }

    /// The token of a part of a constant: all uses of the part in this function have the same one. A polymorphic
    /// constant, whose uses of one type may share it, is such a part as a whole.
    pub(super) fn instance_of_constant(&mut self, id: ValueId, path: &[usize]) -> Aliases {
        let part = (id, path.to_vec());
        let token = self.constants.get(&part).copied().unwrap_or_else(|| {
            let token = self.unconsumable_token(id, Unconsumable::Constant);
            self.constants.insert(part, token);
            token
        });
        Aliases::one(token)
    }

    /// The aliases that every result of a top-level function may have. A result may be a part of a constant. If the
    /// function makes values of an abstract type, such a value may share memory with itself, since its definition may
    /// be a pair of two arrays that are one.
    pub(super) fn of_function(&mut self, id: ValueId, makes_abstract: bool) -> Aliases {
        let shares = self.checker.of_constants.contains(&id).then_some(Unconsumable::OfConstant);
        let internal = makes_abstract.then_some(Unconsumable::Internal);
        let tokens = shares.into_iter().chain(internal).map(|reason| {
            self.functions.get(&(id, reason)).copied().unwrap_or_else(|| {
                let token = self.unconsumable_token(id, reason);
                self.functions.insert((id, reason), token);
                token
            })
        });
        Aliases::Whole(tokens.collect())
    }

    /// Gives a token or component the name of the whole, for messages.
    pub(super) fn name_after(&mut self, component: ValueId, whole: ValueId) {
        if let Some(&name) = self.checker.names.get(&whole) {
            self.checker.names.insert(component, name);
        }
    }

    fn unconsumable_token(&mut self, named_after: ValueId, reason: Unconsumable) -> ValueId {
        let token = self.checker.fresh_value();
        self.name_after(token, named_after);
        self.bind_name(token, Aliases::one(token), Some(reason));
        token
    }

    /// A token for memory made by an application or shared by the branches of an `if` or `match`.
    pub(super) fn token(&mut self, origin: Origin) -> ValueId {
        let token = self.checker.fresh_value();
        self.bind_name(token, Aliases::one(token), None);
        self.origins.insert(token, origin);
        token
    }

    /// A token for memory made by an application. Its result also has these aliases.
    pub(super) fn application_token(&mut self, function: &Exp, aliases: &Aliases) -> ValueId {
        let token = self.token(Origin::Application(self.checker.quote(function.span)));
        self.note_aliases(token, &aliases.union(&Aliases::one(token)));
        token
    }

    /// Records the aliases of the values that have this variable among their aliases.
    pub(super) fn note_aliases(&mut self, id: ValueId, aliases: &Aliases) {
        if let Some(variable) = self.variables.get_mut(&id) {
            variable.aliases = aliases.clone();
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
