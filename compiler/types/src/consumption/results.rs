//! The aliases of the result of an application.
//!
//! | a result of type | aliases |
//! | --- | --- |
//! | scalar, or marked with `*` | nothing |
//! | function | the arguments, and what the function captures or may return |
//! | array | the arguments, what the function captures, and the constants of which this part may be a part |
//! | abstract type | as an array, and the token of [`super::sharing`] if the value may share memory with itself |
//!
//! Each part of a tuple, record or sum has its own aliases.

use std::collections::BTreeSet;

use ravel_base::Span;

use super::Consumption;
use super::alias::{Aliases, Paths, overlaps};
use super::sharing::Arrays;
use crate::tast::{Exp, Type, ValueId};
use crate::uniqueness::Uniqueness;

/// What is known of the results of a function.
#[derive(Clone, Debug)]
pub(super) struct Results {
    /// Which parts share no memory with any other value.
    pub(super) unique: Uniqueness,
    /// Which parts may be parts of constants, apart from the arguments; `None` if this is unknown.
    pub(super) constants: Option<Paths>,
}

/// An application, after the walk through the function and the arguments.
pub(super) struct Applied<'e> {
    pub(super) function: &'e Exp,
    pub(super) span: Span,
    /// The aliases of the function.
    pub(super) captured: BTreeSet<ValueId>,
    /// The aliases of the arguments that it does not consume, and the token of the application.
    pub(super) passed: BTreeSet<ValueId>,
}

impl Applied<'_> {
    /// The aliases of the function and the arguments.
    pub(super) fn all(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.captured.union(&self.passed).copied()
    }
}

/// What the aliases of a result are made of.
struct Sources<'e> {
    applied: &'e Applied<'e>,
    /// The type of the whole result.
    whole: &'e Type,
    constants: Option<Paths>,
    /// Whether the function, or a function among the arguments, makes values of abstract types.
    makes: bool,
    /// The token of the result if it may share memory with itself.
    sharing: Option<ValueId>,
    /// The aliases of its parts that are neither scalars nor divided into parts.
    leaves: BTreeSet<BTreeSet<ValueId>>,
}

impl Consumption<'_, '_> {
    /// The aliases of the result, which has this type.
    pub(super) fn result_aliases(&mut self, applied: &Applied, ty: &Type, unique: &Uniqueness) -> Aliases {
        let is_maker = |id| self.maker == Some(id);
        let makes = applied.all().any(is_maker);
        let constants = self.constant_results(applied.function);
        let leaves = BTreeSet::new();
        let mut sources = Sources { applied, whole: ty, constants, makes, sharing: None, leaves };
        let aliases = self.part_of_result(&mut sources, ty, &mut Vec::new(), unique);
        match sources.leaves.pop_first() {
            Some(only) if !unique.is_any() && sources.leaves.is_empty() => Aliases::Whole(only),
            _ => aliases,
        }
    }

    fn part_of_result(
        &mut self,
        sources: &mut Sources,
        ty: &Type,
        path: &mut Vec<usize>,
        unique: &Uniqueness,
    ) -> Aliases {
        if unique.is_whole() || !self.has_memory(ty) {
            return Aliases::none();
        }
        match ty {
            Type::Tuple(_) | Type::Record(_) => {
                let parts = ty.parts().into_iter().enumerate();
                Aliases::Tuple(
                    parts.map(|(at, part)| self.at(sources, part, path, at, &unique.part(at))).collect(),
                )
            }
            Type::Sum(constructors) => {
                let mut payloads = Vec::new();
                for (number, (_, payload)) in constructors.iter().enumerate() {
                    path.push(number);
                    let parts = payload.iter().enumerate();
                    let parts = parts.map(|(at, part)| self.at(sources, part, path, at, unique)).collect();
                    payloads.push(Aliases::Tuple(parts));
                    path.pop();
                }
                Aliases::Sum(payloads)
            }
            Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Abstract(_) | Type::Function(_) => {
                let leaf = self.leaf_of_result(sources, ty, path);
                sources.leaves.insert(leaf.clone());
                Aliases::Whole(leaf)
            }
        }
    }

    fn at(
        &mut self,
        sources: &mut Sources,
        ty: &Type,
        path: &mut Vec<usize>,
        at: usize,
        unique: &Uniqueness,
    ) -> Aliases {
        path.push(at);
        let aliases = self.part_of_result(sources, ty, path, unique);
        path.pop();
        aliases
    }

    fn leaf_of_result(&mut self, sources: &mut Sources, ty: &Type, path: &[usize]) -> BTreeSet<ValueId> {
        let applied = sources.applied;
        if matches!(ty, Type::Function(_)) {
            return applied.all().collect();
        }
        let may_be_constant = sources.constants.as_ref().is_none_or(|parts| overlaps(parts, path));
        let captured = applied.captured.iter().filter(|&&id| may_be_constant || !self.is_constant(id));
        let all = captured.chain(&applied.passed).copied().filter(|&id| self.maker != Some(id));
        let mut aliases = self.without_sharing(ty, all.collect());
        let may_share = matches!(self.checker.arrays_of(ty), Arrays::Unknown | Arrays::Several);
        if sources.makes && may_share {
            let token = sources
                .sharing
                .get_or_insert_with(|| self.sharing_token(applied.function, sources.whole, applied.span));
            aliases.insert(*token);
        }
        aliases
    }
}
