//! Sizes: which expressions are sizes, and what becomes of a size where its names end.

use ravel_prim::{BinOp, PrimType};
use ravel_syntax::ast::Literal;

use crate::checker::Checker;
use crate::tast::{Exp, ExpNode, FunctionType, Size, Type, TypeArg, ValueId};

impl Checker<'_> {
    /// The size that an i64 expression is, if it is a name, a constant, or arithmetic on such.
    pub(crate) fn size_of_exp(&self, exp: &Exp) -> Option<Size> {
        match &exp.node {
            ExpNode::Var { id, types, sizes } if types.is_empty() && sizes.is_empty() => Some(Size::Var(*id)),
            ExpNode::Const(literal) => self.size_of_literal(literal.bits()),
            ExpNode::Binary(op, a, b) => {
                let known = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod);
                let (a, b) = (self.size_of_exp(a)?, self.size_of_exp(b)?);
                known.then(|| Size::Binary(*op, Box::new(a), Box::new(b)))
            }
            _ => None,
        }
    }

    fn size_of_literal(&self, number: u64) -> Option<Size> {
        match self.literals.get(number as usize)? {
            Literal::Integer(value, None | Some(PrimType::I64)) => {
                i64::try_from(*value).ok().map(Size::Const)
            }
            _ => None,
        }
    }

    /// The type in the surroundings of names that end here: a size that speaks of such a name is
    /// known from the value alone, under a fresh name that is put into `exists`.
    pub(crate) fn leave_names(
        &mut self,
        ty: &Type,
        exists: &mut Vec<ValueId>,
        ends: &dyn Fn(ValueId) -> bool,
    ) -> Type {
        let ty = self.unifier.resolve(ty);
        let mut fresh = Vec::new();
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
            Type::Tuple(parts) => {
                Type::Tuple(parts.iter().map(|part| self.leave(part, fresh, ends)).collect())
            }
            // A function's shape says nothing, but each of its results does.
            Type::Function(function) => {
                let mut exists = Vec::new();
                let bound =
                    |id: ValueId| Some(id) != function.name && !function.exists.contains(&id) && ends(id);
                let to = self.leave(&function.to, &mut exists, &bound);
                let mut head = function.head();
                head.exists.extend(exists.into_iter().map(|(_, id)| id));
                Type::Function(Box::new(FunctionType { from: function.from.clone(), to, ..head }))
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
        if !size.any(&mut |id| ends(id)) {
            return size.clone();
        }
        if let Some((_, id)) = fresh.iter().find(|(known, _)| known == size) {
            return Size::Var(*id);
        }
        let id = self.fresh_value();
        fresh.push((size.clone(), id));
        Size::Var(id)
    }
}
