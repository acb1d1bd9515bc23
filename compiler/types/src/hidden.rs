//! The sizes that abstract types hide: what `t` of `type~ t = []i64` becomes where it is known.
//!
//! Each use of such a type has sizes of its own, and they belong to what is nearest around the use: what a
//! function takes may have any, so they are parameters; what it gives tells them itself. So `val f: t -> t`
//! means `f [n]: [n]i64 -> ?[m].[m]i64`, and `val f: (i64 -> t) -> i64` takes a function to `?[n].[n]i64`.
//! A function that is taken must take arrays of any size: in `val f: (t -> i64) -> i64` it is one that nobody
//! knows, equal to no other.

use crate::env::Scheme;
use crate::tast::{FunctionType, Type, ValueId};
use crate::type_dec::constructive_sizes;

impl Scheme {
    /// The scheme with these sizes of its type bound where they belong.
    pub(crate) fn bind_hidden(&mut self, hidden: &[ValueId]) {
        if !hidden.is_empty() {
            let (ty, own) = bind(&self.ty, hidden, true, &mut self.size_params);
            self.ty = ty;
            self.exists.extend(own);
        }
    }
}

/// The type of what is given (or taken) with hidden sizes bound by the functions inside, and those that its
/// values tell.
fn bind(ty: &Type, hidden: &[ValueId], is_given: bool, params: &mut Vec<ValueId>) -> (Type, Vec<ValueId>) {
    let told = constructive_sizes(ty);
    let (own, others): (Vec<_>, Vec<_>) = hidden.iter().partition(|id| told.contains(id));
    (bind_in_functions(ty, &others, is_given, params), own)
}

fn bind_in_functions(ty: &Type, hidden: &[ValueId], is_given: bool, params: &mut Vec<ValueId>) -> Type {
    match ty {
        Type::Function(function) => {
            let (from, taken) = bind(&function.from, hidden, !is_given, params);
            params.extend(taken.into_iter().filter(|_| is_given));
            let (to, told) = bind(&function.to, hidden, is_given, params);
            let exists = function.exists.iter().copied().chain(told).collect();
            Type::Function(Box::new(FunctionType { from, to, exists, ..function.head() }))
        }
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.map_parts(&mut |part| bind_in_functions(part, hidden, is_given, params))
        }
        Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Abstract(_) => ty.clone(),
    }
}
