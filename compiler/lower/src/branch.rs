//! `if` and `match`: branches whose results agree in shape.
//!
//! A `match` is a chain of branches. Its last case has no condition, because the type checker ensures that
//! one of the cases matches.
//!
//! If both sides have the same size and it is in scope before the branch, the result has it too. Otherwise the type of
//! the expression states the size, or else the branch returns it as an extra result.

use ravel_core::{Atom, Body, Exp as CoreExp, Type, Var};
use ravel_prim::PrimValue;
use ravel_types::tast::{Exp, Pattern};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::sizes::{Ty, stated_sizes};
use crate::value::{Env, Value};

/// One side of a branch.
struct Side {
    body: Body,
    leaves: Vec<Atom>,
}

/// A size of the result.
#[derive(Clone, Copy, PartialEq)]
enum Dim {
    /// A size that is in scope before the branch.
    Known(Atom),
    /// The extra result with this index.
    Extra(usize),
}

impl<'a> Lowering<'_, 'a> {
    /// Evaluates the first case whose pattern matches the value. A case that certainly matches, or
    /// certainly does not, needs no branch.
    pub fn cases(
        &mut self,
        ty: &Ty,
        subject: &Value<'a>,
        cases: &'a [(Pattern, Exp)],
        env: &Env<'a>,
    ) -> Lowered<Value<'a>> {
        let Some(((pattern, body), rest)) = cases.split_first() else {
            return Err(bug(self.span, "a value that no case matches"));
        };
        let matches = if rest.is_empty() { Atom::bool(true) } else { self.matches(pattern, subject)? };
        let taken = |lowering: &mut Self| {
            let mut env = env.clone();
            lowering.bind(pattern, subject.clone(), &mut env)?;
            lowering.exp(body, &mut env)
        };
        match matches {
            Atom::Const(PrimValue::Bool(true)) => taken(self),
            Atom::Const(_) => self.cases(ty, subject, rest, env),
            Atom::Var(_) => {
                self.branch(ty, matches, taken, |lowering| lowering.cases(ty, subject, rest, env))
            }
        }
    }

    /// Evaluates both sides, and emits a branch whose value has this type.
    pub fn branch(
        &mut self,
        ty: &Ty,
        cond: Atom,
        then: impl FnOnce(&mut Self) -> Lowered<Value<'a>>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<Value<'a>>,
    ) -> Lowered<Value<'a>> {
        let ty = &self.natural_ty(ty.clone());
        let mark = self.mark();
        let (value, then) = self.side(then)?;
        let (_, otherwise) = self.side(otherwise)?;

        let stated = stated_sizes(&value, ty);
        let mut extras: Vec<(Atom, Atom)> = Vec::new();
        let mut shapes: Vec<Vec<Dim>> = Vec::new();
        for (at, (&a, &b)) in then.leaves.iter().zip(&otherwise.leaves).enumerate() {
            let (a, b) = (self.builder.type_of(a).shape, self.builder.type_of(b).shape);
            let mut dims = Vec::new();
            for (depth, (&a, &b)) in a.iter().zip(&b).enumerate() {
                let stated = stated.get(at).and_then(|sizes| sizes.get(depth).copied().flatten());
                dims.push(match stated {
                    _ if a == b && self.defined_before(a, mark) => Dim::Known(a),
                    Some(size) => Dim::Known(size),
                    None => Dim::Extra(position_of(&mut extras, (a, b))),
                });
            }
            shapes.push(dims);
        }

        let sizes: Vec<Var> = extras.iter().map(|_| self.fresh_size()).collect();
        let mut binders = sizes.clone();
        for (&leaf, dims) in then.leaves.iter().zip(&shapes) {
            let shape = dims.iter().map(|&dim| match dim {
                Dim::Known(size) => size,
                Dim::Extra(at) => Atom::Var(sizes[at]),
            });
            let ty = Type::array(self.builder.type_of(leaf).elem, shape.collect());
            binders.push(self.builder.fresh(None, ty));
        }
        let then = self.finish_side(then, &shapes, extras.iter().map(|extra| extra.0).collect());
        let otherwise = self.finish_side(otherwise, &shapes, extras.iter().map(|extra| extra.1).collect());
        let mut results = binders[sizes.len()..].iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        self.builder.emit(binders, CoreExp::If { cond, then, otherwise });
        Ok(value.with_leaves(&mut results.drain(..)))
    }

    fn side(&mut self, evaluate: impl FnOnce(&mut Self) -> Lowered<Value<'a>>) -> Lowered<(Value<'a>, Side)> {
        self.open();
        let value = evaluate(self)?;
        let leaves = self.leaves(&value)?;
        Ok((value, Side { body: self.close(Vec::new()), leaves }))
    }

    /// Closes a side with its results: the sizes in `result`, and the leaves in the shapes that both sides share.
    fn finish_side(&mut self, side: Side, shapes: &[Vec<Dim>], mut result: Vec<Atom>) -> Body {
        self.reopen(side.body);
        for (leaf, dims) in side.leaves.into_iter().zip(shapes) {
            let sizes: Vec<Option<Atom>> = dims
                .iter()
                .map(|&dim| match dim {
                    Dim::Known(size) => Some(size),
                    Dim::Extra(_) => None,
                })
                .collect();
            result.push(self.retype(leaf, &sizes));
        }
        self.close(result)
    }
}

/// The position of the element in the list. Adds the element if it is missing.
fn position_of<T: PartialEq>(list: &mut Vec<T>, element: T) -> usize {
    list.iter().position(|known| *known == element).unwrap_or_else(|| {
        list.push(element);
        list.len() - 1
    })
}
