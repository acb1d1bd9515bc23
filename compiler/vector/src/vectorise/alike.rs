//! Strips of points that are alike: their inner loops have the same lengths.
//!
//! Such a strip pays where points compute with short arrays of their own, whose sizes depend on the point: the loops over an
//! array are too short for lanes of their own, but neighbouring points often have arrays of the same size. It begins as
//! follows:
//!
//! ```text
//! w' = most(w); fail if any(w ≠ w')
//! ```
//!
//! Here w is a scalar on which the lengths of inner loops depend (`uniformity::alike`). If the strip fails, its points run as
//! scalar code, in which the loops run in lanes.
//!
//! **Strands.** The scalar code combines the numbers of a long loop in strands. The strip does the same, so that it
//! does not matter for the result which of both runs:
//!
//! ```text
//! loop (s = a) for i < n { … s + x }   ⇒   b = if fewest ≤ n { count } else { 1 }
//!                                          t[..] = neutral; if b = 1 { t[0] = a }
//!                                          loop for i < n { … t[i mod b] = t[i mod b] + x }
//!                                          if b = 1 { t[0] } else { a + the sum of t, pair by pair }
//! ```

use std::collections::BTreeMap;

use ravel_kernel::{self as ir, Atom, Combiner, LoopForm, Target, Thread, Var, VarTable};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};

use super::{Scalar, Vectoriser, innermost};
use crate::form::{Body, Exp, Form, Memory, MemoryInfo, Operand, Place, Position, Stm, Strip};
use crate::refusal::Refusal;
use crate::uniformity::{Uniformity, UniformityAnalysis};

/// How a loop combines in strands: iteration `i` goes into strand `i` modulo their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strands {
    /// The number of strands, a power of two.
    pub count: usize,
    /// The fewest iterations. A shorter loop combines in order.
    pub fewest: i64,
    /// The operator of each merge parameter, sum or product of floats. It is applied to the merge parameter and a number, once.
    pub operators: Vec<BinOp>,
}

impl Strands {
    /// The neutral element of an operator. That of addition is the negative zero, because -0 + 0 is 0.
    pub fn neutral(op: BinOp, ty: PrimType) -> PrimValue {
        convert(PrimValue::F64(if op == BinOp::Add { -0.0 } else { 1.0 }), ty)
    }
}

/// The strip that runs neighbouring points like [`vectorise`](super::vectorise()), and fails if they are not alike. `strands`
/// has the loops that combine in strands, by their counters.
///
/// # Errors
/// The reason why the body has no vector form.
pub fn vectorise_alike(
    space: &[(Var, Atom)],
    body: &ir::Body<Thread>,
    operators: &[Combiner],
    strands: &BTreeMap<Var, Strands>,
    vars: &VarTable,
    target: &Target,
) -> Result<Strip, Refusal> {
    let counter = innermost(space)?;
    let uniformity = UniformityAnalysis::of_alike(body, operators, counter, vars);
    let mut vectoriser = Vectoriser::new(space, body, uniformity.ok_or(Refusal::Allocation)?, target);
    vectoriser.strip.alike = true;
    vectoriser.strands = Some(strands);
    vectoriser.strip(counter, body, operators)
}

impl<'a> Vectoriser<'a> {
    /// The value that a number has in all lanes. The strip ends if they differ.
    pub(super) fn assume(&mut self, lanes: Operand) -> Operand {
        let most = self.push(Exp::Most(lanes));
        let differs = self.push(Exp::Compare(CmpOp::Ne, lanes, most));
        self.restart_if(differs, None);
        most
    }

    /// How a loop combines in strands, if it does.
    pub(super) fn strands_of(&self, form: LoopForm) -> Option<&'a Strands> {
        match form {
            LoopForm::For { index, .. } => self.strands?.get(&index),
            LoopForm::While(_) => None,
        }
    }

    /// A loop that combines in strands if it is long.
    pub(super) fn loop_in_strands(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        strands: &Strands,
        body: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let LoopForm::For { index, bound, .. } = form else { unreachable!("it has a counter") };
        let all_vary =
            params.iter().all(|&(var, _)| self.uniformity.atom(Atom::Var(var)) == Uniformity::Varying);
        if !all_vary || !self.uniformity.is_uniform_loop(form) {
            return Err(Refusal::Allocation);
        }
        let bound = self.first(bound);
        let is_long = self.push(Exp::Compare(CmpOp::Le, Operand::i64(strands.fewest), bound));
        let last = self.push(Exp::Select(is_long, Operand::i64(strands.count as i64 - 1), Operand::i64(0)));
        let mut totals = Vec::new();
        for (&(_, first), &op) in params.iter().zip(&strands.operators) {
            let first = self.lanes(first);
            let elem = self.strip.ty(first);
            let neutral = Operand::Const(Strands::neutral(op, elem));
            let memory = MemoryInfo { elem, place: Place::Private(strands.count as i64) };
            let memory = self.strip.memories.push(memory);
            let begin = self.push(Exp::Select(is_long, neutral, first));
            for strand in 0..strands.count as i64 {
                let value = if strand == 0 { begin } else { neutral };
                self.store_strand(memory, Operand::i64(strand), value);
            }
            totals.push((memory, op, first));
        }
        let counter = self.fresh(Some(index), PrimType::I64, false);
        self.bind(index, Operand::Value(counter));
        let (stms, ()) = self.nested(|vectoriser| {
            let strand = vectoriser.push(Exp::Binary(BinOp::And, Operand::Value(counter), last));
            for (&(var, _), &(memory, ..)) in params.iter().zip(&totals) {
                let total = vectoriser.load_strand(memory, strand);
                vectoriser.bind(var, total);
            }
            let next = vectoriser.body(body, mask)?;
            for (value, &(memory, ..)) in next.into_iter().zip(&totals) {
                vectoriser.store_strand(memory, strand, value);
            }
            Ok(())
        })?;
        let (form, body) = (Form::For { index: counter, bound }, Body { stms, result: Vec::new() });
        self.stms.push(Stm::Loop { binders: Vec::new(), params: Vec::new(), form, body });
        let (then, long) = self.nested(|vectoriser| {
            Ok(totals.iter().map(|&total| vectoriser.combine_strands(strands.count, total)).collect())
        })?;
        let (otherwise, short) = self.nested(|vectoriser| {
            Ok(totals.iter().map(|&(memory, ..)| vectoriser.load_strand(memory, Operand::i64(0))).collect())
        })?;
        let mut values = Vec::new();
        for (&binder, &(memory, ..)) in binders.iter().zip(&totals) {
            let value = self.fresh(Some(binder), self.strip.memories[memory].elem, true);
            self.scalars.insert(binder, Scalar { first: None, lanes: Operand::Value(value) });
            values.push(value);
        }
        let (then, otherwise) = (Body { stms: then, result: long }, Body { stms: otherwise, result: short });
        self.stms.push(Stm::If { binders: values, cond: is_long, then, otherwise });
        Ok(())
    }

    /// The total of all strands, after what was there before the loop.
    fn combine_strands(&mut self, count: usize, (memory, op, first): (Memory, BinOp, Operand)) -> Operand {
        let mut level: Vec<Operand> =
            (0..count as i64).map(|strand| self.load_strand(memory, Operand::i64(strand))).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| self.push(Exp::Binary(op, pair[0], pair[1]))).collect();
        }
        self.push(Exp::Binary(op, first, level[0]))
    }

    fn load_strand(&mut self, memory: Memory, strand: Operand) -> Operand {
        let value = self.fresh(None, self.strip.memories[memory].elem, true);
        self.stms.push(Stm::Load { value, memory, position: Position::Uniform(strand), mask: None });
        Operand::Value(value)
    }

    fn store_strand(&mut self, memory: Memory, strand: Operand, value: Operand) {
        self.stms.push(Stm::Store { memory, position: Position::Uniform(strand), value, mask: None });
    }
}
