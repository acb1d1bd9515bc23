//! Sizes hidden by abstract types: what binds them when the abstract `t` is replaced by its definition `[]i64`.
//!
//! Each use of such a type has its own sizes, bound by the nearest enclosing function type. In a parameter
//! they are size parameters; in a result they are existential. So `val f: t -> t` means
//! `f [n]: [n]i64 -> ?[m].[m]i64`, and `val f: (i64 -> t) -> i64` takes a function to `?[n].[n]i64`.
//! In `val f: (t -> i64) -> i64` the function that `f` takes must accept any size. So the size there is a
//! fresh constant, different from every other size.

use crate::env::Scheme;
use crate::tast::{FunctionType, Type, ValueId};
use crate::type_dec::constructive_sizes;

impl Scheme {
    /// Binds the hidden sizes of the scheme's type.
    pub(crate) fn bind_hidden(&mut self, hidden: &[ValueId]) {
        if !hidden.is_empty() {
            let (ty, own) = bind(&self.ty, hidden, true, &mut self.size_params);
            self.ty = ty;
            self.exists.extend(own);
        }
    }
}

/// The type, whose function types now bind hidden sizes, and the hidden sizes that are left because the values of the
/// type determine them. `is_result` is false in the parameter of a function.
fn bind(ty: &Type, hidden: &[ValueId], is_result: bool, params: &mut Vec<ValueId>) -> (Type, Vec<ValueId>) {
    let constructive = constructive_sizes(ty);
    let (own, others): (Vec<_>, Vec<_>) = hidden.iter().partition(|id| constructive.contains(id));
    (bind_in_functions(ty, &others, is_result, params), own)
}

fn bind_in_functions(ty: &Type, hidden: &[ValueId], is_result: bool, params: &mut Vec<ValueId>) -> Type {
    match ty {
        Type::Function(function) => {
            let (from, of_param) = bind(&function.from, hidden, !is_result, params);
            params.extend(of_param.into_iter().filter(|_| is_result));
            let (to, of_result) = bind(&function.to, hidden, is_result, params);
            let exists = function.exists.iter().copied().chain(of_result).collect();
            Type::Function(Box::new(FunctionType { from, to, exists, ..function.head() }))
        }
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
            ty.map_parts(&mut |part| bind_in_functions(part, hidden, is_result, params))
        }
        Type::Prim(_) | Type::Array(..) | Type::Param(_) | Type::Abstract(_) => ty.clone(),
    }
}
