//! Blocks allocated before a loop instead of inside.
//!
//! A loop without iterations must not fail for lack of memory that it would not have allocated. The block then has no
//! elements.

use ravel_kernel::*;
use ravel_prim::{CmpOp, PrimType, PrimValue, convert};

/// The statements before a loop that allocate a block of `count` elements, or of none if the loop has no iterations.
pub fn alloc_before<L: Level>(
    vars: &mut VarTable,
    block: Var,
    count: Atom,
    form: LoopForm,
    params: &[(Var, Atom)],
) -> Vec<Stm<L>> {
    let mut stms = Vec::new();
    let mut scalar = |vars: &mut VarTable, ty: PrimType, exp: ScalarExp| {
        let var = vars.push(VarInfo { hint: None, ty: Type::Scalar(ty) });
        stms.push(Stm::Let { var, exp });
        Atom::Var(var)
    };
    let goes_round = match form {
        LoopForm::For { index, bound } => match vars[index].ty {
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
    let count = scalar(vars, PrimType::I64, ScalarExp::Select(goes_round, count, Atom::i64(0)));
    stms.push(Stm::Alloc { block, count });
    stms
}
