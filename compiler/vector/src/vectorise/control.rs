//! Branches and loops: those that all lanes take alike stay as they are, the others run under masks.

use ravel_kernel::{self as ir, Atom, LoopForm, ScalarExp, Thread, Type, Var};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use super::{Scalar, Vectoriser, elementary};
use crate::form::{Body, Exp, Form, Operand, Stm, Value};
use crate::refusal::Refusal;
use crate::uniformity::Uniformity;

/// If a side of a branch has at most so many statements, and all of them compute scalars, it runs whether or not a lane
/// takes it. A jump that is hard to predict would cost more. A misprediction costs about as many cycles on all processors
/// with such vectors, so the target does not state it.
const MAX_UNGUARDED: usize = 16;

impl Vectoriser<'_> {
    pub(super) fn branch(
        &mut self,
        binders: &[Var],
        cond: Atom,
        then: &ir::Body<Thread>,
        otherwise: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let cond_is_uniform = self.uniformity.atom(cond).is_uniform();
        let cond = self.lanes(cond);
        if let Operand::Const(outcome) = cond {
            let taken = if outcome == PrimValue::Bool(true) { then } else { otherwise };
            self.body(taken, mask)?;
            for (&binder, &atom) in binders.iter().zip(&taken.result) {
                self.rename(binder, atom);
            }
            return Ok(());
        }
        if cond_is_uniform {
            return self.uniform_branch(binders, cond, then, otherwise, mask);
        }
        let opposite = self.push(Exp::Unary(UnOp::Not, cond));
        let yes = self.side(cond, then, mask)?;
        let no = self.side(opposite, otherwise, mask)?;
        for (&binder, (yes, no)) in binders.iter().zip(yes.into_iter().zip(no)) {
            let value = if yes == no { yes } else { self.push(Exp::Select(cond, yes, no)) };
            self.scalars.insert(binder, Scalar { first: None, lanes: value });
        }
        Ok(())
    }

    fn uniform_branch(
        &mut self,
        binders: &[Var],
        cond: Operand,
        then: &ir::Body<Thread>,
        otherwise: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        let mut side = |body: &ir::Body<Thread>| -> Result<Body, Refusal> {
            let (stms, result) = self.nested(|vectoriser| {
                vectoriser.body(body, mask)?;
                Ok(vectoriser.incoming(binders, &body.result))
            })?;
            Ok(Body { stms, result })
        };
        let (then, otherwise) = (side(then)?, side(otherwise)?);
        let values = self.flowing_values(binders);
        self.stms.push(Stm::If { binders: values.clone(), cond, then, otherwise });
        for (&binder, value) in binders.iter().zip(values) {
            self.bind(binder, Operand::Value(value));
        }
        Ok(())
    }

    /// Translates a side that the lanes of `taken` take. Returns its results, which mean nothing in other lanes.
    fn side(
        &mut self,
        taken: Operand,
        body: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<Vec<Operand>, Refusal> {
        if unguarded_budget(body, MAX_UNGUARDED).is_some() {
            return self.body(body, None);
        }
        let mask = self.intersect(mask, taken);
        let some = self.push(Exp::Any(mask));
        let (stms, result) = self.nested(|vectoriser| vectoriser.body(body, Some(mask)))?;
        let nothing = |&operand: &Operand| Operand::Const(PrimValue::zero(self.strip.ty(operand)));
        let otherwise = Body { stms: Vec::new(), result: result.iter().map(nothing).collect() };
        let kinds: Vec<(PrimType, bool)> =
            result.iter().map(|&operand| (self.strip.ty(operand), self.strip.is_varying(operand))).collect();
        let binders: Vec<Value> =
            kinds.into_iter().map(|(ty, varying)| self.fresh(None, ty, varying)).collect();
        let results = binders.iter().map(|&value| Operand::Value(value)).collect();
        self.stms.push(Stm::If { binders, cond: some, then: Body { stms, result }, otherwise });
        Ok(results)
    }

    pub(super) fn iterate(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        if let Some(strands) = self.strands_of(form) {
            return self.loop_in_strands(binders, params, form, strands, body, mask);
        }
        if !self.uniformity.is_uniform_loop(form) {
            return self.masked_loop(binders, params, form, body, mask);
        }
        let (vars, first): (Vec<Var>, Vec<Atom>) = params.iter().copied().unzip();
        let first = self.incoming(&vars, &first);
        let values = self.flowing_values(&vars);
        let form = match form {
            LoopForm::For { index, bound, .. } => {
                let bound = self.first(bound);
                let counter = self.fresh(Some(index), self.strip.ty(bound), false);
                self.bind(index, Operand::Value(counter));
                Form::For { index: counter, bound }
            }
            LoopForm::While(flag) => {
                let place = vars.iter().position(|&var| var == flag).expect("verified: a merge parameter");
                Form::While(values[place])
            }
        };
        let (stms, result) = self.nested(|vectoriser| {
            for (&var, &value) in vars.iter().zip(&values) {
                vectoriser.bind(var, Operand::Value(value));
            }
            vectoriser.body(body, mask)?;
            Ok(vectoriser.incoming(&vars, &body.result))
        })?;
        let last = self.flowing_values(binders);
        let params = values.into_iter().zip(first).collect();
        self.stms.push(Stm::Loop { binders: last.clone(), params, form, body: Body { stms, result } });
        for (&binder, value) in binders.iter().zip(last) {
            self.bind(binder, Operand::Value(value));
        }
        Ok(())
    }

    /// A loop that runs until the last lane is done. A merge parameter that is the same in all lanes which are active, or
    /// strided, stays so. If it is used after the loop, another one keeps the values with which lanes left.
    fn masked_loop(
        &mut self,
        binders: &[Var],
        params: &[(Var, Atom)],
        form: LoopForm,
        body: &ir::Body<Thread>,
        mask: Option<Operand>,
    ) -> Result<(), Refusal> {
        // The flag of a while loop is replaced by the mask of active lanes.
        let flag = match form {
            LoopForm::While(flag) => params.iter().position(|&(var, _)| var == flag),
            LoopForm::For { .. } => None,
        };
        let merged: Vec<usize> = (0..params.len()).filter(|&place| Some(place) != flag).collect();
        let counted = match form {
            LoopForm::For { index, bound, .. } => {
                let bound = self.lanes(bound);
                let counter = self.fresh(Some(index), self.strip.ty(bound), false);
                Some((index, counter, bound))
            }
            LoopForm::While(_) => None,
        };
        let starts = match (counted, flag) {
            (Some((_, _, bound)), _) => {
                let zero = Operand::Const(PrimValue::zero(self.strip.ty(bound)));
                self.push(Exp::Compare(CmpOp::Lt, zero, bound))
            }
            (None, flag) => self.lanes(params[flag.expect("a while loop has a flag")].1),
        };
        let starts = self.intersect(mask, starts);
        let some = self.push(Exp::Any(starts));
        let active = self.fresh(None, PrimType::Bool, true);
        let running = self.fresh(None, PrimType::Bool, false);
        let mut merge = vec![(running, some), (active, starts)];
        if let Some((_, counter, bound)) = counted {
            merge.push((counter, Operand::Const(PrimValue::zero(self.strip.ty(bound)))));
        }
        let mut carried = Vec::new();
        for &place in &merged {
            let (var, first) = params[place];
            let strided = self.uniformity.atom(Atom::Var(var)) != Uniformity::Varying;
            let first_strided = strided.then(|| self.first(first));
            let first = self.lanes(first);
            let ty = self.strip.ty(first);
            let strided = first_strided.map(|first| {
                let value = self.fresh(Some(var), ty, false);
                merge.push((value, first));
                value
            });
            let kept = (strided.is_none() || self.used.contains(&binders[place])).then(|| {
                let value = self.fresh(Some(var), ty, true);
                merge.push((value, first));
                value
            });
            carried.push(Carried { place, strided, kept });
        }
        let (stms, result) = self.nested(|vectoriser| {
            let active = Operand::Value(active);
            if let Some((index, counter, _)) = counted {
                vectoriser.bind(index, Operand::Value(counter));
            }
            for &Carried { place, strided, kept } in &carried {
                let value = strided.or(kept).expect("one of both");
                vectoriser.bind(params[place].0, Operand::Value(value));
            }
            if let Some(flag) = flag {
                vectoriser.bind(params[flag].0, Operand::bool(true));
            }
            let next = vectoriser.body(body, Some(active))?;
            let mut merged = Vec::new();
            for &Carried { place, strided, kept } in &carried {
                merged.extend(strided.map(|_| vectoriser.first(body.result[place])));
                let keep = |value| vectoriser.push(Exp::Select(active, next[place], Operand::Value(value)));
                merged.extend(kept.map(keep));
            }
            let (goes_on, counter) = match (counted, flag) {
                (Some((_, counter, bound)), _) => {
                    let one = ravel_prim::convert(PrimValue::I64(1), vectoriser.strip.ty(bound));
                    let counter = vectoriser.push(Exp::Binary(
                        BinOp::Add,
                        Operand::Value(counter),
                        Operand::Const(one),
                    ));
                    (vectoriser.push(Exp::Compare(CmpOp::Lt, counter, bound)), Some(counter))
                }
                (None, flag) => (next[flag.expect("a while loop has a flag")], None),
            };
            let still = vectoriser.push(Exp::Binary(BinOp::And, active, goes_on));
            let some = vectoriser.push(Exp::Any(still));
            Ok([some, still].into_iter().chain(counter).chain(merged).collect())
        })?;
        let last: Vec<Value> = merge
            .iter()
            .map(|&(value, _)| {
                let info = self.strip.values[value].clone();
                self.strip.values.push(info)
            })
            .collect();
        for &Carried { place, kept, .. } in &carried {
            let kept = merge.iter().position(|&(value, _)| Some(value) == kept);
            if let Some(kept) = kept {
                self.bind(binders[place], Operand::Value(last[kept]));
            }
        }
        if let Some(flag) = flag {
            self.bind(binders[flag], Operand::bool(false));
        }
        let body = Body { stms, result };
        self.stms.push(Stm::Loop { binders: last, params: merge, form: Form::While(running), body });
        Ok(())
    }

    /// The operands for values that flow into binders: a strided binder takes the value of lane 0.
    fn incoming(&mut self, binders: &[Var], atoms: &[Atom]) -> Vec<Operand> {
        let operand = |(&binder, &atom): (&Var, &Atom)| match self.uniformity.atom(Atom::Var(binder)) {
            Uniformity::Varying => self.lanes(atom),
            Uniformity::Strided(_) => self.first(atom),
        };
        binders.iter().zip(atoms).map(operand).collect()
    }

    /// New values for binders.
    fn flowing_values(&mut self, binders: &[Var]) -> Vec<Value> {
        let value = |&binder: &Var| {
            // A block is the position where its array begins.
            let ty = match self.vars[binder].ty {
                Type::Scalar(ty) => ty,
                _ => PrimType::I64,
            };
            let varying = self.uniformity.atom(Atom::Var(binder)) == Uniformity::Varying;
            self.fresh(Some(binder), ty, varying)
        };
        binders.iter().map(value).collect()
    }
}

/// How a loop that runs until the last lane is done carries a merge parameter.
#[derive(Clone, Copy)]
struct Carried {
    /// Its place among the merge parameters.
    place: usize,
    /// Its value in lane 0, if it is strided in the lanes that are active.
    strided: Option<Value>,
    /// The values of all lanes. A lane that is done keeps its value.
    kept: Option<Value>,
}

/// What is left of a number of statements after those of a body that computes scalars only; `None` if the body has more
/// statements or does something else. An elementary function counts as many. The walk stops where the budget is used up,
/// since each body of a nest is asked.
fn unguarded_budget(body: &ir::Body<Thread>, budget: usize) -> Option<usize> {
    body.stms.iter().try_fold(budget, |left, step| match &step.stm {
        ir::Stm::Let { exp: ScalarExp::Unary(op, _), .. } if elementary::is_unary(*op) => {
            left.checked_sub(MAX_UNGUARDED)
        }
        ir::Stm::Let { exp: ScalarExp::Binary(op, ..), .. } if elementary::is_binary(*op) => {
            left.checked_sub(MAX_UNGUARDED)
        }
        ir::Stm::SineCosine { .. } => left.checked_sub(MAX_UNGUARDED),
        ir::Stm::Let { .. } => left.checked_sub(1),
        ir::Stm::View(_) => Some(left),
        ir::Stm::If { then, otherwise, .. } => {
            let left = unguarded_budget(then, left.checked_sub(1)?)?;
            unguarded_budget(otherwise, left)
        }
        _ => None,
    })
}
