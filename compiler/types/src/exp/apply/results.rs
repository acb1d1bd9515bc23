//! Sizes in the result of a higher-order application.
//!
//! In `ap (filter p) xs` with `ap (f: a -> b) (x: a): b`, the type `b` is an array whose size only the call of `filter`
//! determines. Such a size gets a name for the functional argument, and each occurrence of `b` in the result of the
//! application gets a fresh size in its place.

use ravel_base::Span;

use crate::checker::Checker;
use crate::tast::{FunctionType, Liftedness, Size, Type, TypeArg, TypeParamId, ValueId};
use crate::type_dec::constructive_sizes;

impl Checker<'_> {
    /// The lifted type parameters that may stand for types of unknown sizes in this application, such as `b` in
    /// `ap (filter p) xs` with `ap (f: a -> b) (x: a): b`. Such a parameter occurs in the results of functional
    /// arguments, at most once in each, and may occur in the result of the application outside parameters of functions.
    /// It occurs nowhere else.
    pub(super) fn lifted_results(&self, function: &Type, arguments: usize) -> Vec<LiftedResult> {
        let steps = function.steps(arguments);
        let result = steps.last().map(|step| &step.to);
        let Some(result) = result.filter(|_| steps.len() == arguments) else { return Vec::new() };
        let returns = |step: &FunctionType, id| {
            matches!(step.from, Type::Function(_)) && places(step.from.last_result(), id) == 1
        };
        let mut lifted: Vec<TypeParamId> = Vec::new();
        function.each_param(&mut |id| {
            let constraints = self.unifier.constraints(id);
            let is_lifted =
                constraints.is_some_and(|constraints| constraints.class.liftedness() > Liftedness::Unlifted);
            if is_lifted && !lifted.contains(&id) {
                lifted.push(id);
            }
        });
        let results = lifted.into_iter().filter_map(|param| {
            let sources: Vec<usize> = (0..arguments).filter(|&at| returns(steps[at], param)).collect();
            let is_elsewhere = places(function, param) > sources.len() + places(result, param);
            let fits = !sources.is_empty() && !is_elsewhere && !takes(result, param);
            fits.then(|| LiftedResult { param, sources, named: NamedSizes::default() })
        });
        results.collect()
    }

    /// The result type of an application, with fresh sizes for every occurrence of a lifted type parameter.
    pub(super) fn each_result(
        &mut self,
        ty: &Type,
        results: &[LiftedResult],
        exists: &mut Vec<ValueId>,
    ) -> Type {
        match ty {
            Type::Param(id) => {
                let resolved = self.unifier.resolve(ty);
                let Some(result) = results.iter().find(|result| result.param == *id) else { return resolved };
                let fresh: Vec<ValueId> = result.named.ids.iter().map(|_| self.fresh_value()).collect();
                let sizes: Vec<Size> = fresh.iter().map(|&id| Size::Var(id)).collect();
                exists.extend(fresh);
                resolved.with_sizes(&result.named.ids, &sizes)
            }
            Type::Function(function) => {
                let mut own = Vec::new();
                let to = self.each_result(&function.to, results, &mut own);
                let mut head = function.head();
                head.exists.extend(own.into_iter().filter(|&id| to.mentions(id)));
                let from = self.unifier.resolve(&function.from);
                Type::Function(Box::new(FunctionType { from, to, ..head }))
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                ty.map_parts(&mut |part| self.each_result(part, results, exists))
            }
            Type::Abstract(named) => {
                let args = named.args.iter().map(|arg| match arg {
                    TypeArg::Size(size) => TypeArg::Size(self.unifier.size(size)),
                    TypeArg::Type(ty) => TypeArg::Type(self.each_result(ty, results, exists)),
                });
                named.with_args(args.collect())
            }
            Type::Prim(_) | Type::Array(..) => self.unifier.resolve(ty),
        }
    }

    /// The type of a function that is called with this many arguments, with names for the existential sizes of its
    /// result. The type is unchanged if such a size must be known before the call.
    pub(super) fn with_named_results(&mut self, ty: &Type, arguments: usize, named: &mut NamedSizes) -> Type {
        let ty = self.unifier.resolve(ty);
        let steps = ty.steps(arguments);
        let Some(last) = steps.last() else { return ty };
        let inner: Vec<ValueId> =
            steps.iter().flat_map(|step| step.exists.iter().copied().chain(step.name)).collect();
        let constructive = constructive_sizes(&last.to);
        let is_taken = inner.iter().any(|&id| steps.iter().any(|step| step.from.mentions(id)))
            || last.to.size_in_parameter(&|id| inner.contains(&id) && !constructive.contains(&id)).is_some();
        if is_taken {
            return ty;
        }
        let result = self.leave_scope(&last.to, &mut named.ids, &|id| inner.contains(&id));
        named.places = places_of(&result, &named.ids);
        steps.into_iter().rev().fold(result, |to, step| {
            let head = FunctionType { name: None, exists: Vec::new(), ..step.head() };
            Type::Function(Box::new(FunctionType { from: step.from.clone(), to, ..head }))
        })
    }

    /// The type of a further functional argument whose result has the same type parameter. If its result has
    /// existential sizes in the same places as the `named` ones of the first, they become flexible, so that they unify
    /// with those.
    pub(super) fn with_equal_results(
        &mut self,
        ty: &Type,
        arguments: usize,
        named: &NamedSizes,
        span: Span,
    ) -> Type {
        let mut own = NamedSizes::default();
        let given = self.with_named_results(ty, arguments, &mut own);
        if named.ids.is_empty() || own.places != named.places {
            return ty.clone();
        }
        own.ids.iter().fold(given, |given, &id| given.with_size(id, &self.unifier.fresh_size(span)))
    }
}

/// A lifted type parameter in the result of an application.
pub(super) struct LiftedResult {
    pub(super) param: TypeParamId,
    /// The indices of the functional arguments that return values of this type.
    pub(super) sources: Vec<usize>,
    /// The names for the sizes of these values.
    pub(super) named: NamedSizes,
}

/// Names for the existential sizes that the result of a function has in one call.
#[derive(Default)]
pub(super) struct NamedSizes {
    pub(super) ids: Vec<ValueId>,
    /// For each size in the result, in order: whether it is one of `ids`.
    pub(super) places: Vec<bool>,
}

fn places_of(ty: &Type, ids: &[ValueId]) -> Vec<bool> {
    let mut places = Vec::new();
    ty.each_size(&mut |size| places.push(matches!(size, Size::Var(id) if ids.contains(id))));
    places
}

/// The number of occurrences of a type parameter in a type.
fn places(ty: &Type, id: TypeParamId) -> usize {
    let mut places = 0;
    ty.each_param(&mut |param| places += usize::from(param == id));
    places
}

/// Whether the type parameter occurs in the parameter of a function in this type.
fn takes(ty: &Type, id: TypeParamId) -> bool {
    match ty {
        Type::Function(step) => places(&step.from, id) > 0 || takes(&step.to, id),
        _ => ty.parts().into_iter().any(|part| takes(part, id)),
    }
}
