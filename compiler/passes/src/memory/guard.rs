//! Blocks allocated before a loop instead of inside.
//!
//! A loop without iterations must not fail for lack of memory that it would not have allocated. Nor must a loop whose
//! first iteration fails at a check before the allocation. The block then has no elements.

use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};

/// The statements before a loop that allocate a block of `count` elements, or of none if the loop has no iterations or
/// one of these checks of its iterations fails.
pub fn alloc_before<L: Level>(
    vars: &mut VarTable,
    block: Var,
    count: Atom,
    form: LoopForm,
    params: &[(Var, Atom)],
    checks: &[Atom],
) -> Vec<Stm<L>> {
    let mut stms = Vec::new();
    let mut scalar = |vars: &mut VarTable, ty: PrimType, exp: ScalarExp| {
        let var = vars.push(VarInfo { hint: None, ty: Type::Scalar(ty) });
        stms.push(Stm::Let { var, exp });
        Atom::Var(var)
    };
    let goes_round = match form {
        LoopForm::For { index, bound, .. } => match vars[index].ty {
            Type::Scalar(ty) => {
                let zero = Atom::Const(convert(PrimValue::I64(0), ty));
                scalar(vars, PrimType::Bool, ScalarExp::Compare(CmpOp::Lt, zero, bound))
            }
            _ => Atom::bool(true),
        },
        LoopForm::While(flag) => {
            let first = params.iter().find(|&&(param, _)| param == flag);
            first.map_or(Atom::bool(true), |&(_, first)| first)
        }
    };
    let is_made = checks.iter().fold(goes_round, |all, &check| {
        scalar(vars, PrimType::Bool, ScalarExp::Binary(BinOp::And, all, check))
    });
    let count = scalar(vars, PrimType::I64, ScalarExp::Select(is_made, count, Atom::i64(0)));
    stms.push(Stm::Alloc { block, count });
    stms
}
