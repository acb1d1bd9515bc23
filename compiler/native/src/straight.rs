//! Code that is quicker to run than to jump around: what makes a branch a selection, and a loop
//! the row of its rounds.
//!
//! A branch whose condition follows no pattern costs the processor more than a few instructions
//! on both sides. A short loop whose number of rounds is known costs a jump and a comparison each
//! round, and hides that its counter is a constant there: shifts by it and places in a table get
//! cheaper when it is one.

use ravel_kernel::{Atom, Body, Level, LoopForm, ScalarExp, Stm};
use ravel_prim::{BinOp, UnOp};

/// The most statements that a branch may have, on both sides together, to become a selection.
const MOST_SELECTED: usize = 4;

/// The most statements that a loop may come to when its rounds are written one after the other.
const MOST_UNROLLED: u64 = 384;

/// True if both sides of a branch may run whatever its condition is, and that is no loss.
/// Scalar expressions of kernel IR do not fail.
pub(crate) fn is_selection<L: Level>(then: &Body<L>, otherwise: &Body<L>) -> bool {
    let cheap = |stm: &Stm<L>| matches!(stm, Stm::Let { exp, .. } if is_cheap(exp));
    then.stms.len() + otherwise.stms.len() <= MOST_SELECTED
        && then.stms.iter().chain(&otherwise.stms).all(cheap)
}

/// How many rounds a loop has, if it may be written out.
pub(crate) fn rounds<L: Level>(form: LoopForm, body: &Body<L>) -> Option<u64> {
    let LoopForm::For { bound: Atom::Const(bound), .. } = form else { return None };
    let negative = bound.ty().is_signed() && bound.bits() >> (bound.ty().bits() - 1) == 1;
    let rounds = if negative { 0 } else { bound.bits() };
    let whole = weight(body)?.max(1).checked_mul(rounds)?;
    (whole <= MOST_UNROLLED).then_some(rounds)
}

/// How many statements a body comes to; `None` if it holds what shall not be written twice.
fn weight<L: Level>(body: &Body<L>) -> Option<u64> {
    let statement = |stm: &Stm<L>| match stm {
        Stm::View(_) => Some(0),
        Stm::Let { .. } | Stm::Load { .. } | Stm::Store { .. } | Stm::Assert { .. } => Some(1),
        Stm::If { then, otherwise, .. } => Some(1 + weight(then)? + weight(otherwise)?),
        Stm::Loop { .. }
        | Stm::Alloc { .. }
        | Stm::Constants { .. }
        | Stm::Copy { .. }
        | Stm::Trace { .. }
        | Stm::Call { .. }
        | Stm::Segment(_) => None,
    };
    body.stms.iter().map(statement).sum()
}

/// True for what takes about as long as the jump that would avoid it.
fn is_cheap(exp: &ScalarExp) -> bool {
    match exp {
        ScalarExp::Atom(_) | ScalarExp::Compare(..) | ScalarExp::Select(..) => true,
        ScalarExp::Room(_) | ScalarExp::Param(..) => true,
        ScalarExp::Convert(to, _) => to.is_integer(),
        ScalarExp::Unary(op, _) => matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs),
        ScalarExp::Binary(op, ..) => matches!(
            op,
            BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::Min
                | BinOp::Max
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor
                | BinOp::Shl
                | BinOp::Shr
                | BinOp::Lshr
        ),
    }
}
