//! Sizes hidden by abstract types: what binds them when the abstract `t` is replaced by its definition `[]i64`.
//!
//! Each use of such a type has its own sizes, bound by the nearest enclosing function type. In a parameter
//! they are size parameters; in a result they are existential. So `val f: t -> t` means
//! `f [n]: [n]i64 -> ?[m].[m]i64`, and `val f: (i64 -> t) -> i64` takes a function to `?[n].[n]i64`.
//! In `val f: (t -> i64) -> i64` the function that `f` takes must accept any size. So the size there is a
//! fresh constant, different from every other size.
//!
//! A type argument in a result is an exception, as in Futhark: there a use of `t` has the sizes of its first use in a
//! parameter. So `val f: t -> u t` means `f [n]: [n]i64 -> u ([n]i64)`, if `u` stays abstract, and two of its results can
//! be the elements of an array. If the sizes differ when the program runs, an operation that needs equal sizes fails.

use crate::env::Scheme;
use crate::tast::{FunctionType, Size, Type, TypeArg, TypeId, ValueId};
use crate::type_dec::constructive_sizes;

/// A hidden size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HiddenSize {
    pub(crate) id: ValueId,
    /// The abstract type that hides it, and its number among the sizes that the type hides.
    pub(crate) origin: (TypeId, usize),
}

impl Scheme {
    /// Binds the hidden sizes of the scheme's type.
    pub(crate) fn bind_hidden(&mut self, hidden: &[HiddenSize]) {
        if !hidden.is_empty() {
            let (ty, own) = bind(&self.ty, hidden, true, &mut self.size_params);
            self.ty = ty;
            self.exists.extend(own.into_iter().map(|size| size.id));
        }
    }
}

/// The type, whose function types now bind hidden sizes, and the hidden sizes that are left because the values of the
/// type determine them. `is_result` is false in the parameter of a function.
fn bind(
    ty: &Type,
    hidden: &[HiddenSize],
    is_result: bool,
    params: &mut Vec<ValueId>,
) -> (Type, Vec<HiddenSize>) {
    let constructive = constructive_sizes(ty);
    let (own, others): (Vec<_>, Vec<_>) = hidden.iter().partition(|size| constructive.contains(&size.id));
    (bind_in_functions(ty, &others, is_result, params), own)
}

fn bind_in_functions(ty: &Type, hidden: &[HiddenSize], is_result: bool, params: &mut Vec<ValueId>) -> Type {
    match ty {
        Type::Function(function) => {
            let (from, of_param) = bind(&function.from, hidden, !is_result, params);
            let to = match is_result {
                true => share_in_arguments(&function.to, hidden, &of_param, false),
                false => function.to.clone(),
            };
            params.extend(of_param.into_iter().filter(|_| is_result).map(|size| size.id));
            let (to, of_result) = bind(&to, hidden, is_result, params);
            let of_result = of_result.into_iter().map(|size| size.id);
            let exists = function.exists.iter().copied().chain(of_result).collect();
            Type::Function(Box::new(FunctionType { from, to, exists, ..function.head() }))
        }
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.map_parts(&mut |part| bind_in_functions(part, hidden, is_result, params))
        }
        Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Abstract(_) => ty.clone(),
    }
}

/// The type of a result, in whose type arguments the hidden sizes are those of the parameter, `known`, where these have
/// the same origin.
fn share_in_arguments(ty: &Type, hidden: &[HiddenSize], known: &[HiddenSize], is_argument: bool) -> Type {
    let shared = |id: ValueId| {
        let origin = hidden.iter().find(|size| size.id == id && is_argument)?.origin;
        known.iter().find(|size| size.origin == origin).map(|size| Size::Var(size.id))
    };
    let part = |ty: &Type| share_in_arguments(ty, hidden, known, is_argument);
    match ty {
        Type::Prim(_) | Type::Param(_) => ty.clone(),
        Type::Array(row, size) => Type::Array(Box::new(part(row)), size.map(&mut |id| shared(id))),
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => ty.map_parts(&mut |ty| part(ty)),
        Type::Function(function) => Type::Function(Box::new(FunctionType {
            from: function.from.clone(),
            to: part(&function.to),
            ..function.head()
        })),
        Type::Abstract(named) => named.with_args(
            named
                .args
                .iter()
                .map(|arg| match arg {
                    TypeArg::Size(size) => TypeArg::Size(size.map(&mut |id| shared(id))),
                    TypeArg::Type(ty) => TypeArg::Type(share_in_arguments(ty, hidden, known, true)),
                })
                .collect(),
        ),
    }
}
