//! Applications: what each argument comes to, and in which order they are evaluated.

use crate::tast::{Exp, FunctionType, Type};

impl Type {
    /// What a function takes and gives with each of its arguments, of so many at most.
    pub(crate) fn steps(&self, most: usize) -> Vec<&FunctionType> {
        let mut steps: Vec<&FunctionType> = Vec::new();
        let mut ty = self;
        while let Type::Function(step) = ty
            && steps.len() < most
        {
            steps.push(step);
            ty = &step.to;
        }
        steps
    }

    /// What a function gives when it has all its arguments.
    pub(crate) fn last_result(&self) -> &Type {
        match self {
            Type::Function(step) => step.to.last_result(),
            result => result,
        }
    }
}

/// The order in which the arguments of a function are evaluated: the last one first, but functions among them behind
/// all others, since they are called later. Operands of an operator are evaluated as they are read.
/// The function itself comes last.
pub fn application_order(function: &Exp, arguments: &[Exp]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..arguments.len()).collect();
    let is_infix = arguments.len() == 2 && arguments[0].span.start < function.span.start;
    if !is_infix {
        order.reverse();
    }
    order.sort_by_key(|&at| matches!(arguments[at].ty, Type::Function(_)));
    order
}
