//! Construction of a segment: its index space and chunk, and the memory of its points.
//!
//! **Expansion.** If a thread can allocate only a few private elements, an array of a thread becomes a part of one
//! large block allocated before the segment, with `count` elements for each point that runs at the same time
//! ([`super::batch`]). The parts are **interleaved**: the first elements of all points, then the second ones, so that
//! threads in lockstep access neighbouring words. So an array of a thread has gaps, and is copied where it must be
//! contiguous.
//!
//! The count must be known before the segment. So it is recomputed there from its operands, or from their upper bounds
//! if they differ between points. If neither is possible, an inspector computes it ([`super::inspect`]). The arrays
//! that one statement allocates in the iterations of a loop share their part, since none outlives its iteration except
//! by a copy ([`super::fixed`]).

use ravel_base::{Diagnostic, Limitation, Symbol};
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};
use rustc_hash::FxHashMap;

use super::batch::{Expanded, Points};
use super::inspect::Wanted;
use super::scope::{Array, Cx, Known, ONE, Result, Scope, Value, ZERO, array, scalar};
use super::site::Site;
use super::view::Place;

/// The state of the translation inside a segment.
pub(super) struct Inside {
    /// The place of a point's arrays in the expanded blocks. `None` in operators, which belong to no point, and in
    /// workgroups.
    place: Option<Place>,
    /// Whether there is only one point. Then its arrays are allocated before the segment, so that they outlive it.
    pub alone: bool,
    /// The variables bound in the segment, with their definitions if these are pure arithmetic.
    pub defs: FxHashMap<Var, Option<ScalarExp>>,
    /// The statements to run before the segment.
    pub before: Vec<Step<Host>>,
    /// The memory for the arrays of its points.
    pub memory: Vec<Expanded>,
    /// Upper bounds of sizes of the segment, over all points.
    limits: FxHashMap<Var, Atom>,
    /// Scalars of the segment that are recomputed before it.
    hoisted: FxHashMap<Var, Atom>,
    /// Arithmetic done before the segment.
    known: Vec<Known>,
    /// The numbers that an inspector must compute.
    pub wanted: Vec<Wanted>,
    /// For a workgroup: its arrays in workgroup memory.
    pub workgroup: Vec<Expanded>,
}

impl Inside {
    pub fn new(points: Option<&Points>, alone: bool) -> Inside {
        let place = points.map(|points| match alone {
            true => Place::START,
            false => Place { offset: Atom::Var(points.place), step: Atom::Var(points.together) },
        });
        let own = points.into_iter().flat_map(|points| [points.place, points.together]);
        let defs = own.map(|var| (var, None)).collect();
        let (limits, hoisted) = (FxHashMap::default(), FxHashMap::default());
        let (before, memory, known, wanted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let workgroup = Vec::new();
        Inside { place, alone, defs, before, memory, limits, hoisted, known, wanted, workgroup }
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
        let point: Vec<Atom> = indices.iter().map(|&index| Atom::Var(index)).collect();
        let points = self.points(indices.iter().copied().zip(sizes.iter().copied()).collect());
        let inside = Inside::new(Some(&points), false);
        let (body, inside) = self.enter::<Thread>(inside, indices, |scope| {
            code(scope, &point)?.into_iter().map(scalar).collect()
        })?;
        let memory = self.prepare(&body.stms, &points, inside)?;
        self.launch(hint, points, kind, body, &memory)
    }

    /// The statement that runs a segment.
    pub fn grid(&mut self, hint: &str, space: Vec<(Var, Atom)>, kind: SegmentKind, body: Body<Thread>) {
        let sizes: Vec<Atom> = space.iter().map(|&(_, size)| size).collect();
        let chunk = self.chunk(&sizes, &kind, &body);
        let hint = Some(Symbol::new(hint));
        let points = ravel_kernel::Points::Threads { kind, body };
        self.push(Stm::Segment(GridSegment { hint, space, chunk, points }));
    }

    /// A segment of one point that runs `code`, which binds the binders.
    ///
    /// Scalar results are stored in blocks of one element and loaded afterwards. Memory for arrays is allocated before.
    pub fn alone(
        &mut self,
        hint: &str,
        binders: &[core::Var],
        code: impl FnOnce(&mut Scope<'_, 'p, Thread>) -> Result,
    ) -> Result {
        let cells = binders.iter().map(|&binder| self.cell(binder)).collect::<Result<Vec<_>>>()?;
        let index = self.fresh(None, PrimType::I64);
        let points = self.points(vec![(index, ONE)]);
        let mut arrays = Vec::new();
        let (body, inside) =
            self.enter::<Thread>(Inside::new(Some(&points), true), vec![index], |scope| {
                code(scope)?;
                for (&binder, cell) in binders.iter().zip(&cells) {
                    let value = scope.cx.value(core::Atom::Var(binder))?;
                    match cell {
                        Some(cell) => Thread::store(scope, cell, &[(Vec::new(), scalar(value)?)])?,
                        None => arrays.push((binder, scope.cx.host_view(&array(value)?)?)),
                    }
                }
                Ok(Vec::new())
            })?;
        let memory = self.prepare(&body.stms, &points, inside)?;
        if !memory.is_empty() {
            self.room_for_one(&memory);
        }
        for Expanded { block, count, .. } in memory {
            self.push(Stm::Alloc { block, count });
        }
        self.grid(hint, vec![(index, ONE)], SegmentKind::Map, body);
        for (&binder, cell) in binders.iter().zip(&cells) {
            if let Some(cell) = cell {
                let value = self.load(self.cx.hint(binder), cell, Vec::new());
                self.bind(binder, Value::Scalar(value))?;
            }
        }
        for (binder, (view, step)) in arrays {
            let array = self.name(self.cx.hint(binder), view, step);
            self.bind(binder, Value::Array(array))?;
        }
        Ok(())
    }

    /// Memory for one element, if the binder is a scalar.
    fn cell(&mut self, binder: core::Var) -> Result<Option<Array>> {
        let ty = self.cx.ty(binder);
        if ty.is_scalar() {
            Host::alloc(self, self.cx.hint(binder), ty.elem, &[]).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl<'p, L: Site> Scope<'_, 'p, L> {
    /// Builds the code of a point; returns the statements that it needs before the segment.
    pub fn enter<P: Site>(
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
        let (body, _) = self.enter::<Thread>(Inside::new(None, false), params.clone(), |scope| {
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
        let most = self.most(shape)?;
        let (block, count) = self.cx.before(|scope| {
            // Computed speculatively: if the thread does not reach it, the value is arbitrary.
            let most: Vec<Atom> = most.iter().map(|&size| scope.max(size, ZERO)).collect();
            (scope.fresh_block(hint, elem, Space::Device), scope.count(&most))
        })?;
        self.cx.inside.as_mut()?.memory.push(Expanded { block, elem, count });
        Some((block, place))
    }

    /// Upper bounds, computed before the segment, of this shape over all points.
    fn most(&mut self, shape: &[Atom]) -> Option<Vec<Atom>> {
        if let Some(most) = shape.iter().map(|&size| self.cx.at_most(size)).collect() {
            return Some(most);
        }
        // As a product, which is at most the product of the factors' maxima. It is wanted here, after the checks of the
        // sizes, and not where they are computed.
        let sizes: Vec<Atom> = shape.iter().map(|&size| self.max(size, ZERO)).collect();
        let var = self.count(&sizes).var()?;
        if let Some(most) = self.cx.limit_of(Atom::Var(var)) {
            return Some(vec![most]);
        }
        let inside = self.cx.inside.as_mut().filter(|_| !self.cx.target.thread_allocation)?;
        let most = self.cx.vars.push(VarInfo { hint: None, ty: Type::Scalar(PrimType::I64) });
        inside.wanted.push(Wanted { var, most, span: self.cx.origin.place() });
        inside.limits.insert(var, Atom::Var(most));
        Some(vec![Atom::Var(most)])
    }

    /// Records an upper bound, over all points, of a size, which is not negative.
    pub fn limit(&mut self, size: Atom, most: Atom) {
        if let (Atom::Var(size), Some(inside)) = (size, &mut self.cx.inside) {
            inside.limits.insert(size, most);
        }
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
        let mut exp = def.clone().filter(is_total)?;
        for operand in exp.operands_mut() {
            *operand = self.hoist(*operand)?;
        }
        let (hint, ty) = (self.vars[var].hint, self.prim(atom));
        let outside = self.before(|scope| scope.scalar(hint, ty, exp))?;
        self.inside.as_mut()?.hoisted.insert(var, outside);
        Some(outside)
    }

    /// The upper bound of a size: itself if it is a constant, or the recorded one.
    pub fn limit_of(&self, size: Atom) -> Option<Atom> {
        match (size, &self.inside) {
            (Atom::Var(size), Some(inside)) => inside.limits.get(&size).copied(),
            (Atom::Var(_), None) => None,
            (size, _) => Some(size),
        }
    }

    /// A number recomputed before the segment, or an upper bound of it.
    fn at_most(&mut self, size: Atom) -> Option<Atom> {
        if let Some(most) = self.hoist(size).or(self.limit_of(size)) {
            return Some(most);
        }
        let def = self.inside.as_ref()?.defs.get(&size.var()?)?.clone()?;
        let ScalarExp::Binary(op @ (BinOp::Add | BinOp::Mul), a, b) = def else { return None };
        // A product is monotonic in its factors only if these are not negative.
        if op == BinOp::Mul && !(self.is_limited(a) && self.is_limited(b)) {
            return None;
        }
        let (a, b) = (self.at_most(a)?, self.at_most(b)?);
        self.before(|scope| scope.scalar(None, PrimType::I64, ScalarExp::Binary(op, a, b)))
    }

    /// Whether this is a size with a known upper bound.
    fn is_limited(&self, size: Atom) -> bool {
        match size {
            Atom::Const(size) => size.as_i64().is_some_and(|size| size >= 0),
            Atom::Var(_) => self.limit_of(size).is_some(),
        }
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

    /// The view of an array outside the segment.
    fn host_view(&mut self, array: &Array) -> Result<(View, Option<Atom>)> {
        let hoisted = self.hoist_view(&array.view);
        match hoisted {
            Some(view) => Ok((view, array.step)),
            None => self.limitation(Limitation::ThreadArray),
        }
    }

    fn hoist_view(&mut self, view: &View) -> Option<View> {
        if self.inside.as_ref()?.defs.contains_key(&view.block) {
            return None;
        }
        let shape = view.shape.iter().map(|&size| self.hoist(size)).collect::<Option<_>>()?;
        let strides = view.strides.iter().map(|&stride| self.hoist(stride)).collect::<Option<_>>()?;
        Some(View { elem: view.elem, shape, block: view.block, offset: self.hoist(view.offset)?, strides })
    }
}

/// Whether it can be computed speculatively.
pub(crate) fn is_total(exp: &ScalarExp) -> bool {
    !matches!(exp, ScalarExp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow, ..))
}
