//! Scans: the lanes take the prefixes of their points, from one strip to the next.
//!
//! The points before the strip combine to the *carry*, which is the same in all lanes. The prefix of a lane is the carry combined
//! with the results of the lanes up to it. The next carry is combined from the carry and the last lane, so that a strip
//! waits for one operator of the strip before it, and not for all lanes.
//!
//! The order of combination is not that of scalar code. So the operators are associative ones on integers, of which any order
//! gives the same bits.
//!
//! What takes a prefix stores it, or is code that follows the scan in its segment, such as that of a filter, which stores an
//! element at the number of elements that it has kept.

use ravel_kernel::{self as ir, Atom, Combiner, Finish, ScalarExp, Thread, Type, Var, VarTable, Visit};
use ravel_prim::{BinOp, PrimType};

use super::{Scalar, Vectoriser, innermost, used};
use crate::form::{Exp, Operand, Strip};
use crate::refusal::Refusal;
use crate::uniformity::{Uniformity, UniformityAnalysis};

/// The strip that runs neighbouring points of a scan with this index space, body and operators, beginning with what the points before
/// them combine to. The code that takes the prefixes is part of it; without such code, the prefixes are stored.
///
/// # Errors
/// The reason why it has no vector form.
pub fn vectorise_scan(
    space: &[(Var, Atom)],
    body: &ir::Body<Thread>,
    (operators, finish): (&[Combiner], Option<&Finish>),
    vars: &VarTable,
    target: &ravel_kernel::Target,
) -> Result<Strip, Refusal> {
    let counter = innermost(space)?;
    let ops = operators.iter().map(|operator| operator_of(operator, vars)).collect::<Result<Vec<_>, _>>()?;
    if finish.is_some_and(|finish| allocates(&finish.body)) {
        return Err(Refusal::Allocation);
    }
    let prefixes = finish.map_or(&[][..], |finish| &finish.prefixes);
    let code = finish.map(|finish| &finish.body);
    let uniformity = UniformityAnalysis::of_scan(body, (prefixes, code), counter, vars);
    let mut vectoriser = Vectoriser::new(space, body, uniformity, target);
    if let Some(code) = code {
        vectoriser.used.extend(used(code, vars));
    }
    vectoriser.bind_counter(counter);
    let results = vectoriser.body(body, None)?;
    vectoriser.takes_prefixes = true;
    let (mut taken, mut carried) = (Vec::new(), Vec::new());
    for (&(op, ty), &result) in ops.iter().zip(&results) {
        let carry = vectoriser.fresh(None, ty, false);
        vectoriser.strip.carry.push(carry);
        let lanes = vectoriser.push(Exp::Prefix(op, result));
        taken.push(vectoriser.push(Exp::Binary(op, Operand::Value(carry), lanes)));
        let last = vectoriser.push(Exp::Last(lanes));
        carried.push(vectoriser.push(Exp::Binary(op, Operand::Value(carry), last)));
    }
    match finish {
        Some(finish) => {
            for (&prefix, &value) in finish.prefixes.iter().zip(&taken) {
                vectoriser.bind(prefix, value);
            }
            vectoriser.body(&finish.body, None)?;
        }
        None => {
            let index = (vectoriser.operands(Atom::Var(counter)), Uniformity::constant(1));
            for (&out, &value) in operators.iter().flat_map(|operator| &operator.outs).zip(&taken) {
                vectoriser.store_prefix(out, index, value);
            }
        }
    }
    vectoriser.finish(carried)
}

impl Vectoriser<'_> {
    /// Stores the prefixes where their points lie.
    fn store_prefix(&mut self, out: Var, index: (Scalar, Uniformity), value: Operand) {
        let view = self.view(out);
        self.store_at(view, &[index], value, None);
    }
}

/// Whether prefixes may be combined by an operator on this type, in any order.
pub fn combines(op: BinOp, ty: PrimType) -> bool {
    let associates = matches!(op, BinOp::Add | BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or | BinOp::Xor);
    associates && ty.is_integer() && ty.bits() >= 32
}

/// The operator that a combiner applies to its operands, and their type.
fn operator_of(combiner: &Combiner, vars: &VarTable) -> Result<(BinOp, PrimType), Refusal> {
    let ([left], [right], [step], [result]) = (
        combiner.left.as_slice(),
        combiner.right.as_slice(),
        combiner.body.stms.as_slice(),
        combiner.body.result.as_slice(),
    ) else {
        return Err(Refusal::Order);
    };
    let ir::Stm::Let { var, exp: ScalarExp::Binary(op, a, b) } = step.stm else { return Err(Refusal::Order) };
    let Type::Scalar(ty) = vars[*left].ty else { unreachable!("verified: a scalar") };
    // All of these operators are commutative.
    let (left, right) = (Atom::Var(*left), Atom::Var(*right));
    let of_both = [(a, b), (b, a)].contains(&(left, right)) && Atom::Var(var) == *result;
    if of_both && combines(op, ty) { Ok((op, ty)) } else { Err(Refusal::Order) }
}

/// Whether code allocates.
fn allocates(body: &ir::Body<Thread>) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn stm<L: ir::Level>(&mut self, stm: &ir::Stm<L>) {
            self.0 |= matches!(stm, ir::Stm::Alloc { .. });
            self.children(stm);
        }
    }
    let mut finder = Finder(false);
    finder.body(body);
    finder.0
}
