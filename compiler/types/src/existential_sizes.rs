//! Existential sizes: how a type changes when variables in its sizes go out of scope.

use crate::checker::Checker;
use crate::tast::{FunctionType, Size, Type, TypeArg, ValueId};
use crate::type_dec::constructive_sizes;

impl Checker<'_> {
    /// The type after the variables for which `ends` returns true go out of scope. A size that mentions such a
    /// variable becomes a fresh existential size, which is added to `exists`. One case is more precise: if `k` goes
    /// out of scope and the type has an array of size `k`, then the size `n - k` becomes `n` minus the fresh size of
    /// that array.
    pub(crate) fn leave_scope(
        &mut self,
        ty: &Type,
        exists: &mut Vec<ValueId>,
        ends: &dyn Fn(ValueId) -> bool,
    ) -> Type {
        let ty = self.unifier.resolve(ty);
        let mut fresh = Vec::new();
        for constructive in constructive_sizes(&ty) {
            self.leave_size(&Size::Var(constructive), &mut fresh, ends);
        }
        let left = self.leave(&ty, &mut fresh, ends);
        exists.extend(fresh.into_iter().map(|(_, id)| id));
        left
    }

    fn leave(&mut self, ty: &Type, fresh: &mut Vec<(Size, ValueId)>, ends: &dyn Fn(ValueId) -> bool) -> Type {
        match ty {
            Type::Prim(_) | Type::Param(_) => ty.clone(),
            Type::Array(row, size) => {
                let size = self.leave_size(size, fresh, ends);
                Type::Array(Box::new(self.leave(row, fresh, ends)), size)
            }
            Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => {
                ty.map_parts(&mut |part| self.leave(part, fresh, ends))
            }
            // The result of each call determines the sizes in the result type, so fresh sizes there become existential
            // sizes of the function itself. No value determines the sizes in the parameter's type, so a size there is
            // only replaced if it has a fresh size already.
            Type::Function(function) => {
                let from = function.from.map_sizes(&mut |size| rename(size, fresh));
                let mut exists = fresh.clone();
                let bound =
                    |id: ValueId| Some(id) != function.name && !function.exists.contains(&id) && ends(id);
                let to = self.leave(&function.to, &mut exists, &bound);
                let mut head = function.head();
                head.exists.extend(exists.drain(fresh.len()..).map(|(_, id)| id));
                Type::Function(Box::new(FunctionType { from, to, ..head }))
            }
            Type::Abstract(named) => {
                let args = named.args.iter().map(|arg| match arg {
                    TypeArg::Size(size) => TypeArg::Size(self.leave_size(size, fresh, ends)),
                    TypeArg::Type(ty) => TypeArg::Type(self.leave(ty, fresh, ends)),
                });
                named.with_args(args.collect())
            }
        }
    }

    fn leave_size(
        &mut self,
        size: &Size,
        fresh: &mut Vec<(Size, ValueId)>,
        ends: &dyn Fn(ValueId) -> bool,
    ) -> Size {
        let left = rename(size, fresh);
        if !left.any(&mut |id| ends(id)) {
            return left;
        }
        let id = self.fresh_value();
        fresh.push((size.clone(), id));
        Size::Var(id)
    }
}

/// The fresh size that stands for `size` in `names`, if there is one. Otherwise `size`, where each variable that has a
/// fresh size in `names` is replaced by it.
fn rename(size: &Size, names: &[(Size, ValueId)]) -> Size {
    let name = |size: &Size| {
        let known = names.iter().find(|(known, _)| known == size);
        known.map(|(_, id)| Size::Var(*id))
    };
    name(size).unwrap_or_else(|| size.map(&mut |id| name(&Size::Var(id))))
}
