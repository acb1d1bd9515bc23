//! The code of a segment: what each point computes, and the operators that combine the results of points.

use ravel_base::Symbol;
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::level::CodeLevel;
use super::scope::{Cx, Result, Scope, Value, scalar};
use crate::arithmetic::{ONE, ZERO};

impl<'p> Scope<'_, 'p, Host> {
    /// A segment of the host. The stage `fit` sets its chunk.
    pub fn grid(&mut self, hint: &str, space: Vec<(Var, Atom)>, points: Points) {
        let hint = Some(Symbol::new(hint));
        self.push(Stm::Segment(GridSegment { hint, space, chunk: ONE, lanes: None, points }));
    }
}

impl<'p, L: CodeLevel> Scope<'_, 'p, L> {
    /// An index space of these sizes, and the code of its points. `code` returns the values that the kind of segment
    /// combines.
    pub fn points<P: CodeLevel>(
        &mut self,
        sizes: &[Atom],
        code: impl FnOnce(&mut Scope<'_, 'p, P>, &[Atom]) -> Result<Vec<Value>>,
    ) -> Result<(Vec<(Var, Atom)>, Body<P>)> {
        let indices: Vec<Var> = sizes.iter().map(|_| self.fresh(None, PrimType::I64)).collect();
        let counter = |(&index, &size)| if size == ONE { ZERO } else { Atom::Var(index) };
        let point: Vec<Atom> = indices.iter().zip(sizes).map(counter).collect();
        let (stms, result) = self
            .cx
            .body::<P, _>(|scope| code(scope, &point)?.into_iter().map(scalar).collect::<Result<_>>())?;
        Ok((indices.into_iter().zip(sizes.iter().copied()).collect(), Body { stms, result }))
    }

    /// An operator on scalars, and the destination of its values.
    pub fn combiner(
        &mut self,
        op: &core::Lambda,
        neutral: &[core::Atom],
        commutative: bool,
        outs: Vec<Var>,
    ) -> Result<Combiner> {
        let neutral = self.cx.atoms(neutral)?;
        let params: Vec<Var> =
            op.params.iter().map(|&param| self.fresh(self.cx.hint(param), self.cx.ty(param).elem)).collect();
        let (stms, result) = self.cx.body::<Thread, _>(|scope| {
            let args = params.iter().map(|&param| Value::Scalar(Atom::Var(param))).collect();
            scope.apply(op, args, Vec::new())?.into_iter().map(scalar).collect::<Result<_>>()
        })?;
        let (left, right) = params.split_at(neutral.len().min(params.len()));
        let (left, right) = (left.to_vec(), right.to_vec());
        Ok(Combiner { left, right, body: Body { stms, result }, neutral, commutative, outs })
    }
}

impl Cx<'_> {
    /// The constant that bounds a size of an array of a thread, if there is one.
    pub fn constant_bound(&self, size: Atom) -> Option<i64> {
        match size {
            Atom::Const(size) => size.as_i64(),
            Atom::Var(size) => match self.definitions.get(&size)? {
                ScalarExp::Binary(BinOp::Min, Atom::Const(most), _)
                | ScalarExp::Binary(BinOp::Min, _, Atom::Const(most)) => most.as_i64(),
                _ => None,
            },
        }
    }
}
