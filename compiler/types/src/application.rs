//! Applications: the function types that a curried function passes through, and the evaluation order of arguments.

use crate::tast::{Exp, FunctionType, Type};

impl Type {
    /// The function types of the first `limit` arguments: `a -> (b -> c)`, then `b -> c`.
    pub(crate) fn steps(&self, limit: usize) -> Vec<&FunctionType> {
        let mut steps: Vec<&FunctionType> = Vec::new();
        let mut ty = self;
        while let Type::Function(step) = ty
            && steps.len() < limit
        {
            steps.push(step);
            ty = &step.to;
        }
        steps
    }

    /// The result type of a function applied to all its arguments.
    pub(crate) fn last_result(&self) -> &Type {
        match self {
            Type::Function(step) => step.to.last_result(),
            result => result,
        }
    }
}

/// The order in which the arguments of a function are evaluated: from last to first, and arguments that are
/// functions after all others, since they are called later. Operands of an operator are evaluated from left to
/// right. The function itself is evaluated last.
pub fn application_order(function: &Exp, arguments: &[Exp]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..arguments.len()).collect();
    let is_infix = arguments.len() == 2 && arguments[0].span.start < function.span.start;
    if !is_infix {
        order.reverse();
    }
    order.sort_by_key(|&at| matches!(arguments[at].ty, Type::Function(_)));
    order
}
