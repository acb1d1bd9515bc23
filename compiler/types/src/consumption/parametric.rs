//! Results that are fresh by parametricity.
//!
//! A polymorphic function cannot make a value of a type parameter `c`. If its result has type `c`, then the result was
//! passed to it, or a functional argument made it. Suppose that no argument contains a `c`, and that each functional
//! argument which returns a `c` returns a fresh one. Then the result is fresh too (Wadler, "Theorems for free!", FPCA
//! 1989). For `ap 'a 'b (f: a -> b) (x: a): b`, the value of `ap copy xs` shares no memory with `xs`.
//!
//! As in the reference, only a *source* may make the `c`: a function of one parameter, which it does not consume. A
//! function could keep the result of a part of the arguments, or return an argument that it consumes. A result may also
//! be a tuple of type parameters, but of different ones, because a function may return one value twice.
//!
//! The value of a partial application, such as `id >-> copy`, is a function. Its results are fresh if each call makes its
//! own result. So it must be impossible to make a `c` from the given arguments alone. `(>->)` makes a `c` from a `b`, and
//! a `b` from an `a`, and gets no `a` before its last argument. But with
//! `trap 'a 'b 'c (f: a -> b) (x: a): c -> b`, the function `trap copy xs` may return the same `b` at each call.

use std::collections::BTreeSet;

use super::Consumption;
use crate::tast::{Exp, ExpNode, Type, TypeParamId};
use crate::uniqueness::Uniqueness;

impl Consumption<'_, '_> {
    /// Which parts of a function's final result are fresh. The walk has already visited the expression.
    pub(super) fn results_of(&self, function: &Exp) -> Uniqueness {
        let inferred = match &function.node {
            ExpNode::Lambda(_) => self.lambdas.get(&function.span).map(|known| known.unique.clone()),
            ExpNode::Var { id, .. } => {
                let results = self.variables.get(id).and_then(|known| known.results.as_ref());
                results.map(|results| results.unique.clone())
            }
            ExpNode::Apply(applied, arguments) => {
                self.is_fresh_by_type(applied, arguments).then_some(Uniqueness::Whole)
            }
            ExpNode::Attributed(_, inner) | ExpNode::Coerce(inner) => return self.results_of(inner),
            _ => None,
        };
        inferred.unwrap_or_else(|| last_uniqueness(&function.ty))
    }

    /// Whether the final result of an application is fresh because of the function's type parameters. The final result of
    /// a partial application is the result of calling its value with all further arguments.
    pub(super) fn is_fresh_by_type(&self, function: &Exp, arguments: &[Exp]) -> bool {
        let ExpNode::Var { id, .. } = &function.node else { return false };
        let Some(general) = self.checker.parametric.get(id) else { return false };
        let Some(results) = type_params_of(general.last_result()) else { return false };
        if function.ty.last_result().has_function() {
            return false;
        }
        let steps: Vec<&Type> = general.steps(usize::MAX).into_iter().map(|step| &step.from).collect();
        let is_harmless = |(at, from): (usize, &&Type)| {
            let is_fresh = || arguments.get(at).is_some_and(|argument| self.results_of(argument).is_whole());
            results.iter().all(|&result| {
                !mentions(from, result)
                    || only_source(from, result) && (!is_source(from, result) || is_fresh())
            })
        };
        let given = &steps[..arguments.len().min(steps.len())];
        steps.iter().enumerate().all(is_harmless)
            && (given.len() == steps.len() || available(given).is_disjoint(&results))
    }
}

/// Which parts of a function's final result are fresh, as its type states it.
fn last_uniqueness(ty: &Type) -> Uniqueness {
    match ty {
        Type::Function(step) => match step.to {
            Type::Function(_) => last_uniqueness(&step.to),
            _ => step.unique.clone(),
        },
        _ => Uniqueness::None,
    }
}

/// The type parameters of which a result consists, if its other components are scalars and no parameter occurs twice.
pub(crate) fn type_params_of(result: &Type) -> Option<BTreeSet<TypeParamId>> {
    match result {
        Type::Prim(_) => Some(BTreeSet::new()),
        Type::Param(id) => Some(BTreeSet::from([*id])),
        Type::Tuple(_) | Type::Record(_) => {
            let mut all = BTreeSet::new();
            for part in result.parts() {
                for id in type_params_of(part)? {
                    all.insert(id).then_some(())?;
                }
            }
            Some(all)
        }
        _ => None,
    }
}

/// Whether this is the type of a function that makes values of this type parameter from one argument, and does not
/// consume it.
fn is_source(ty: &Type, param: TypeParamId) -> bool {
    match ty {
        Type::Function(step) => step.to == Type::Param(param) && !step.consumes.is_any(),
        _ => false,
    }
}

/// Whether this is the type of a function that is a source of this type parameter, or takes values of it. No other part
/// of its result, and no function among its parameters, may contain such a value.
fn only_source(ty: &Type, param: TypeParamId) -> bool {
    matches!(ty, Type::Function(_))
        && ty.steps(usize::MAX).iter().all(|step| !step.from.has_function() || !mentions(&step.from, param))
        && (is_source(ty, param) || !mentions(ty.last_result(), param))
}

/// The type parameters of which values can be made from values of these types. A parameter that is a function is no
/// obstacle: such a function can be written.
fn available(given: &[&Type]) -> BTreeSet<TypeParamId> {
    let mut known = BTreeSet::new();
    loop {
        let before = known.len();
        for ty in given {
            let steps = ty.steps(usize::MAX);
            if steps.iter().all(|step| step.from.has_function() || params(&step.from).is_subset(&known)) {
                known.extend(params(ty.last_result()));
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

fn mentions(ty: &Type, param: TypeParamId) -> bool {
    params(ty).contains(&param)
}

fn params(ty: &Type) -> BTreeSet<TypeParamId> {
    let mut found = BTreeSet::new();
    ty.each_param(&mut |param| {
        found.insert(param);
    });
    found
}
