//! Parts of top-level constants, which nothing may consume.
//!
//! A function may return a part of a constant if its type is abstract or a type parameter, and so need not be an array.
//! The checker keeps, for each top-level value, the parts that may be parts of constants ([`Checker::of_constants`]). The
//! other parts of a result, such as an array beside an abstract constant, may be consumed.

use std::collections::BTreeSet;

use super::alias::{Aliases, Paths, overlaps};
use super::token::Origin;
use super::{Consumption, Unconsumable};
use crate::checker::Checker;
use crate::tast::{Exp, ExpNode, Type, ValueId};

/// The part of a constant array that is an element.
const ELEMENT: usize = usize::MAX;

impl Checker<'_> {
    /// Records that a copy or an instance of a top-level value has the same parts of constants.
    pub(crate) fn copy_constant_parts(&mut self, original: ValueId, copy: ValueId) {
        let parts = self.of_constants.get(&original).cloned();
        self.of_constants.extend(parts.map(|parts| (copy, parts)));
    }
}

impl Consumption<'_, '_> {
    /// The aliases of the part of a top-level constant at this path. An array aliases the constant. A part whose type is
    /// abstract or a type parameter need not be an array: a function may return it, but not consume it.
    pub(super) fn constant(&mut self, id: ValueId, path: &[usize], ty: &Type) -> Aliases {
        match ty {
            _ if !self.has_memory(ty) => Aliases::none(),
            Type::Function(_) => self.of_function(id, path, super::makes_abstract(ty)),
            Type::Array(..) => Aliases::one(id),
            Type::Tuple(_) | Type::Record(_) => Aliases::Tuple(self.constants(id, path, &ty.parts())),
            Type::Sum(constructors) => {
                let payloads = constructors.iter().enumerate().map(|(number, (_, payload))| {
                    let path = [path, &[number]].concat();
                    Aliases::Tuple(self.constants(id, &path, &payload.iter().collect::<Vec<_>>()))
                });
                Aliases::Sum(payloads.collect())
            }
            Type::Prim(_) | Type::Param(_) | Type::Abstract(_) => self.instance_of_constant(id, path),
        }
    }

    fn constants(&mut self, id: ValueId, path: &[usize], parts: &[&Type]) -> Vec<Aliases> {
        let parts = parts.iter().enumerate();
        parts.map(|(at, part)| self.constant(id, &[path, &[at]].concat(), part)).collect()
    }

    /// The aliases of a value whose type is abstract or a type parameter, and which may be an element of a constant: like a part of
    /// the constant, it need not be an array.
    pub(super) fn elements_of_constants(&mut self, aliases: Aliases) -> Aliases {
        aliases.map_leaves(&mut |ids| {
            let mut elements = BTreeSet::new();
            for id in ids {
                if self.variables.contains_key(&id) {
                    elements.insert(id);
                } else {
                    elements.extend(self.instance_of_constant(id, &[ELEMENT]).iter());
                }
            }
            elements
        })
    }

    /// The token of a part of a constant: all uses of the part in this function have the same one. A polymorphic
    /// constant, whose uses of one type may share it, is such a part as a whole.
    pub(super) fn instance_of_constant(&mut self, id: ValueId, path: &[usize]) -> Aliases {
        let part = (id, path.to_vec());
        let token = self.constants.get(&part).copied().unwrap_or_else(|| {
            let token = self.unconsumable_token(Unconsumable::Constant);
            self.name_after(token, id);
            self.constants.insert(part, token);
            token
        });
        Aliases::one(token)
    }

    /// The aliases of a function that is a top-level value, or the part of one at this path. `makes_abstract` says whether
    /// it may make values of abstract types.
    pub(super) fn of_function(&mut self, id: ValueId, path: &[usize], makes_abstract: bool) -> Aliases {
        let parts = self.checker.of_constants.get(&id);
        let is_constant = parts.is_some_and(|parts| path.is_empty() || overlaps(parts, path));
        let token = is_constant.then(|| match self.functions.get(&id) {
            Some(&known) => known,
            None => {
                let token = self.unconsumable_token(Unconsumable::OfConstant);
                let name = self.checker.names.get(&id).copied();
                self.origins.extend(name.map(|name| (token, Origin::Results(name))));
                self.functions.insert(id, token);
                token
            }
        });
        let maker = makes_abstract.then(|| self.maker());
        Aliases::Whole(token.into_iter().chain(maker).collect())
    }

    /// Whether this is a part of a constant, or may be one.
    pub(super) fn is_constant(&self, id: ValueId) -> bool {
        let constant = [Unconsumable::Constant, Unconsumable::OfConstant];
        !self.variables.contains_key(&id) || self.reason(id).is_some_and(|reason| constant.contains(&reason))
    }

    /// The parts of a value that may be parts of constants.
    pub(super) fn constant_parts(&self, ty: &Type, aliases: &Aliases) -> Paths {
        let mut found = Paths::new();
        self.collect_constant_parts(ty, aliases, &mut Vec::new(), &mut found);
        found
    }

    fn collect_constant_parts(&self, ty: &Type, aliases: &Aliases, path: &mut Vec<usize>, found: &mut Paths) {
        match ty {
            Type::Tuple(_) | Type::Record(_) => {
                for (at, part) in ty.parts().into_iter().enumerate() {
                    path.push(at);
                    self.collect_constant_parts(part, &aliases.part(at), path, found);
                    path.pop();
                }
            }
            Type::Sum(constructors) => {
                for (number, (_, payload)) in constructors.iter().enumerate() {
                    let aliases = aliases.part(number);
                    for (at, part) in payload.iter().enumerate() {
                        path.extend([number, at]);
                        self.collect_constant_parts(part, &aliases.part(at), path, found);
                        path.truncate(path.len() - 2);
                    }
                }
            }
            _ if aliases.iter().any(|id| self.is_constant(id)) => {
                found.insert(path.clone());
            }
            _ => {}
        }
    }

    /// The parts of a function's result that may be parts of constants, apart from the arguments; `None` if they are
    /// unknown. The walk has already visited the function.
    pub(super) fn constant_results(&self, function: &Exp) -> Option<Paths> {
        match &function.node {
            ExpNode::Var { id, .. } => match self.variables.get(id) {
                Some(variable) => variable.results.as_ref()?.constants.clone(),
                None => Some(self.checker.of_constants.get(id).cloned().unwrap_or_default()),
            },
            ExpNode::Lambda(_) => self.lambdas.get(&function.span)?.constants.clone(),
            ExpNode::Attributed(_, inner) | ExpNode::Coerce(inner) => self.constant_results(inner),
            _ => None,
        }
    }
}
