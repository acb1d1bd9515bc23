//! Construction of a segment: its index space and chunk, and the memory of its points.
//!
//! **Expansion.** If a thread can allocate only a few private elements, an array of a thread becomes a part of one
//! large block allocated before the segment, with `count` elements for each point that runs at the same time
//! ([`super::batch`]). The parts are **interleaved**: the first elements of all points, then the second ones, so that
//! threads in lockstep access neighbouring words. So an array of a thread has gaps, and is copied where it must be
//! contiguous.
//!
//! The count must be known before the segment. So it is recomputed there from its operands, or from their upper bounds
//! if they differ between points. (Where no bound is known, `flatten` computes one, by its rule `inspect`.) The arrays
//! that one statement allocates in the iterations of a loop share their part, since none outlives its iteration except
//! by a copy ([`super::fixed_places`]).

use ravel_base::{Diagnostic, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};
use rustc_hash::FxHashMap;

use super::batch::{Expanded, Points};
use super::level::CodeLevel;
use super::scope::{Arithmetic, Cx, ONE, Result, Scope, Value, ZERO, scalar};
use super::view::Place;

/// The state of the translation inside a segment.
pub(super) struct Inside {
    /// The place of a point's arrays in the expanded blocks. `None` in operators, which belong to no point, and in
    /// workgroups.
    place: Option<Place>,
    /// The variables bound in the segment, with their definitions if these are pure arithmetic.
    pub defs: FxHashMap<Var, Option<ScalarExp>>,
    /// The statements to run before the segment.
    pub before: Vec<Step<Host>>,
    /// The memory for the arrays of its points.
    pub memory: Vec<Expanded>,
    /// Scalars of the segment that are recomputed before it.
    hoisted: FxHashMap<Var, Atom>,
    /// Arithmetic done before the segment.
    known: Vec<Arithmetic>,
    /// For a workgroup: its arrays in workgroup memory.
    pub workgroup: Vec<Expanded>,
}

impl Inside {
    pub fn new(points: Option<&Points>) -> Inside {
        let place = points.map(|points| match points.is_single() {
            true => Place::START,
            false => Place { offset: Atom::Var(points.place), step: Atom::Var(points.together) },
        });
        let own = points.into_iter().flat_map(|points| [points.place, points.together]);
        let defs = own.map(|var| (var, None)).collect();
        let (before, memory, known, workgroup) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Inside { place, defs, before, memory, hoisted: FxHashMap::default(), known, workgroup }
    }
}

impl<'p> Scope<'_, 'p, Host> {
    /// A segment over an index space. `code` returns the values that the kind of segment combines.
    pub fn segment(
        &mut self,
        hint: &str,
        sizes: &[Atom],
        kind: SegmentKind,
        code: impl FnOnce(&mut Scope<'_, 'p, Thread>, &[Atom]) -> Result<Vec<Value>>,
    ) -> Result {
        let indices: Vec<Var> = sizes.iter().map(|_| self.fresh(None, PrimType::I64)).collect();
        let counter = |(&index, &size)| if size == ONE { ZERO } else { Atom::Var(index) };
        let point: Vec<Atom> = indices.iter().zip(sizes).map(counter).collect();
        let points = self.points(indices.iter().copied().zip(sizes.iter().copied()).collect());
        let inside = Inside::new(Some(&points));
        let (body, inside) = self.enter::<Thread>(inside, indices, |scope| {
            code(scope, &point)?.into_iter().map(scalar).collect()
        })?;
        let Inside { before, memory, .. } = inside;
        self.stms.extend(before);
        if !points.is_single() {
            return self.launch(hint, points, kind, body, &memory);
        }
        if !memory.is_empty() {
            self.assert_limit(&memory);
        }
        for Expanded { block, count, .. } in memory {
            self.push(Stm::Alloc { block, count });
        }
        self.grid(hint, points.space, kind, body);
        Ok(())
    }

    /// The statement that runs a segment.
    pub fn grid(&mut self, hint: &str, space: Vec<(Var, Atom)>, kind: SegmentKind, body: Body<Thread>) {
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        let chunk = self.chunk(&sizes, &kind, &body);
        let hint = Some(Symbol::new(hint));
        let points = ravel_kernel::Points::Threads { kind, body };
        self.push(Stm::Segment(GridSegment { hint, space, chunk, points }));
    }
}

impl<'p, L: CodeLevel> Scope<'_, 'p, L> {
    /// Builds the code of a point; returns the statements that it needs before the segment.
    pub fn enter<P: CodeLevel>(
        &mut self,
        mut inside: Inside,
        bound: Vec<Var>,
        code: impl FnOnce(&mut Scope<'_, 'p, P>) -> Result<Vec<Atom>>,
    ) -> Result<(Body<P>, Inside)> {
        inside.defs.extend(bound.into_iter().map(|var| (var, None)));
        let outer = self.cx.inside.replace(inside);
        let made = self.cx.body(code);
        let inside = std::mem::replace(&mut self.cx.inside, outer);
        let (stms, result) = made?;
        let inside =
            inside.ok_or_else(|| Diagnostic::bug("kernelise: the code of a segment outside of a segment"))?;
        Ok((Body { stms, result }, inside))
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
        let (body, _) = self.enter::<Thread>(Inside::new(None), params.clone(), |scope| {
            let args = params.iter().map(|&param| Value::Scalar(Atom::Var(param))).collect();
            scope.apply(op, args, Vec::new())?.into_iter().map(scalar).collect()
        })?;
        let (left, right) = params.split_at(neutral.len().min(params.len()));
        let (left, right) = (left.to_vec(), right.to_vec());
        Ok(Combiner { left, right, body, neutral, commutative, outs })
    }
}

impl Scope<'_, '_, Thread> {
    /// A block with memory for this array for every concurrent point, and the place of this point's part.
    pub fn expand(&mut self, hint: Option<Symbol>, elem: PrimType, shape: &[Atom]) -> Option<(Var, Place)> {
        let place = self.cx.inside.as_ref()?.place?;
        let most = self.cx.all_at_most(shape)?;
        let (block, count) = self.cx.before(|scope| {
            // Computed speculatively: if the thread does not reach it, the value is arbitrary.
            let most: Vec<Atom> = most.iter().map(|&size| scope.max(size, ZERO)).collect();
            (scope.fresh_block(hint, elem, Space::Device), scope.count(&most))
        })?;
        self.cx.inside.as_mut()?.memory.push(Expanded { block, elem, count });
        Some((block, place))
    }
}

impl<'p> Cx<'p> {
    /// The scalar recomputed before the segment, if possible.
    pub fn hoist(&mut self, atom: Atom) -> Option<Atom> {
        let Atom::Var(var) = atom else { return Some(atom) };
        let inside = self.inside.as_ref()?;
        let Some(def) = inside.defs.get(&var) else { return Some(atom) };
        if let Some(&hoisted) = inside.hoisted.get(&var) {
            return Some(hoisted);
        }
        let mut exp = def.clone().filter(ScalarExp::is_total)?;
        for operand in exp.operands_mut() {
            *operand = self.hoist(*operand)?;
        }
        let (hint, ty) = (self.vars[var].hint, self.prim(atom));
        let outside = self.before(|scope| scope.scalar(hint, ty, exp))?;
        self.inside.as_mut()?.hoisted.insert(var, outside);
        Some(outside)
    }

    /// The constant that bounds a size, if there is one.
    pub fn constant_bound(&self, size: Atom) -> Option<i64> {
        match (size, &self.inside) {
            (Atom::Const(size), _) => size.as_i64(),
            (Atom::Var(size), Some(inside)) => match inside.defs.get(&size)? {
                Some(
                    ScalarExp::Binary(BinOp::Min, Atom::Const(most), _)
                    | ScalarExp::Binary(BinOp::Min, _, Atom::Const(most)),
                ) => most.as_i64(),
                _ => None,
            },
            (Atom::Var(_), None) => None,
        }
    }

    /// A number recomputed before the segment, or an upper bound of it. `flatten` relies on these bounds
    /// (`flatten/inspect/bounds.rs`).
    fn at_most(&mut self, size: Atom) -> Option<Atom> {
        if let Some(known) = self.hoist(size) {
            return Some(known);
        }
        let def = self.inside.as_ref()?.defs.get(&size.var()?)?.clone()?;
        let ScalarExp::Binary(op, a, b) = def else { return None };
        let is_scale =
            |atom: Atom| matches!(atom, Atom::Const(value) if value.as_i64().is_some_and(|value| value >= 0));
        let (a, b) = match op {
            BinOp::Min => return self.at_most(b).or_else(|| self.at_most(a)),
            BinOp::Add => (self.at_most(a)?, self.at_most(b)?),
            // A product is monotonic in a factor only if the other is not negative.
            BinOp::Mul if is_scale(a) || is_scale(b) => (self.at_most(a)?, self.at_most(b)?),
            _ => return None,
        };
        self.before(|scope| scope.scalar(None, PrimType::I64, ScalarExp::Binary(op, a, b)))
    }

    /// Upper bounds of sizes whose product is an upper bound of the product of these sizes.
    fn all_at_most(&mut self, shape: &[Atom]) -> Option<Vec<Atom>> {
        let pairs = (0..shape.len()).flat_map(|a| (0..shape.len()).map(move |b| (a, b)));
        let bounded =
            pairs.filter_map(|(a, b)| Some((a, b, self.product_at_most(shape[a], shape[b])?))).next();
        let Some((a, b, most)) = bounded else {
            return shape.iter().map(|&size| self.at_most(size)).collect();
        };
        let others = shape.iter().enumerate().filter(|&(at, _)| at != a && at != b);
        let others = others.map(|(_, &size)| self.at_most(size)).collect::<Option<Vec<Atom>>>()?;
        Some([&[most], &others[..]].concat())
    }

    /// The upper bound of a product if `a` is the minimum with `most / max b 1`.
    fn product_at_most(&self, a: Atom, b: Atom) -> Option<Atom> {
        let Some(Inside { defs, .. }) = &self.inside else { return None };
        let def = |atom: Atom| defs.get(&atom.var()?)?.as_ref();
        let ScalarExp::Binary(BinOp::Min, _, quotient) = *def(a)? else { return None };
        let ScalarExp::Binary(BinOp::Quot, most, divisor) = *def(quotient)? else { return None };
        let is_outside = most.var().is_some_and(|most| !defs.contains_key(&most));
        let is_divided = *def(divisor)? == ScalarExp::Binary(BinOp::Max, b, ONE);
        (is_outside && is_divided).then_some(most)
    }

    /// Emits code before the segment.
    pub fn before<T>(&mut self, write: impl FnOnce(&mut Scope<'_, 'p, Host>) -> T) -> Option<T> {
        let inside = self.inside.as_mut()?;
        std::mem::swap(&mut self.known, &mut inside.known);
        let stms = std::mem::take(&mut inside.before);
        let mut scope = Scope { cx: &mut *self, stms, body: 0 };
        let made = write(&mut scope);
        let stms = scope.stms;
        let inside = self.inside.as_mut()?;
        inside.before = stms;
        std::mem::swap(&mut self.known, &mut inside.known);
        Some(made)
    }
}
