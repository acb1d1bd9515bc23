//! The code of a bin under construction: its statements, and what stands for the variables of the source.

use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Screma, Sink, Source, Stm, Substitution, Type, Var, VarTable,
    copy_body, free_in_body,
};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{Context, ContextId, Lifted, Mask, Members, POINTS};
use super::premises::{FLAT_ARRAYS, Obstacle};
use crate::Cx;

/// The code of a bin.
pub(super) struct Code<'a> {
    pub builder: Builder,
    pub cx: &'a mut Cx,
    pub members: Members,
    /// The context of the width, and then those of other shapes.
    pub contexts: Vec<Context>,
    /// What stands for the variables of the source that differ between points.
    pub lifted: FxHashMap<Var, Lifted>,
    /// The variables of the source that are bound in the code of a point.
    pub bound: FxHashSet<Var>,
    /// The first results of the checks that the inspector makes for all points.
    pub checked: FxHashSet<Var>,
    /// The sizes of the arrays that hold the rows of a bin, for each size of the source.
    pub rows: FxHashMap<Var, Atom>,
    /// The conditions under which a point takes part.
    pub masks: Vec<Mask>,
    /// For each result of an iteration, the array that holds its value if the point takes no part.
    pub kept: FxHashMap<Var, Var>,
    /// The arrays of updates, for each array that has been updated.
    pub updated: FxHashMap<Var, Var>,
    /// The results of an iteration whose arrays hold these values.
    pub keeping: FxHashSet<Var>,
}

/// A result, or the reason why the rules do not apply.
pub(super) type Lift<T> = Result<T, Obstacle>;

/// Whether a construct runs over the points of a bin or over its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Points,
    Lanes(ContextId),
}

/// A point in the code of a construct over a bin, and its lane if the construct is over lanes.
#[derive(Clone)]
pub(super) struct Place {
    /// The index of the construct.
    pub index: Atom,
    /// The number of the point in the bin.
    pub point: Atom,
    /// The context of the lane, and its index in its point.
    pub inner: Option<(ContextId, Atom)>,
    /// The first lanes of the point that are known, by context.
    pub offsets: FxHashMap<ContextId, Atom>,
    /// The values of the variables of the source that have been read.
    pub read: FxHashMap<Var, Atom>,
}

impl Code<'_> {
    /// Whether the rule may fire. If not, nothing of the nest is flattened in bins.
    pub fn fire(&mut self, rule: &'static str) -> Lift<()> {
        let origin = self.builder.origin().clone();
        if self.cx.fire(rule, &origin) { Ok(()) } else { Err(Obstacle::RuleIsOff) }
    }

    /// The context for arrays of this shape.
    pub fn context_of(&self, shape: &[Atom]) -> Option<ContextId> {
        self.contexts.iter().position(|context| context.sizes == shape)
    }

    /// Whether the atom is the size of arrays of one dimension that have a context.
    pub fn is_width(&self, atom: Atom) -> bool {
        self.context_of(&[atom]).is_some()
    }

    /// The shape of an array of the source.
    pub fn shape_of(&self, array: Var) -> Vec<Atom> {
        self.builder.vars()[array].ty.shape.clone()
    }

    /// Whether all points share the value of the atom.
    pub fn is_shared(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => {
                !self.bound.contains(&var) || matches!(self.lifted.get(&var), Some(Lifted::Shared(_)))
            }
        }
    }

    /// The atom in the code of the bin, if all points share its value.
    pub fn shared(&self, atom: Atom) -> Option<Atom> {
        match (atom, atom.var().and_then(|var| self.lifted.get(&var))) {
            (_, Some(Lifted::Shared(shared))) => Some(*shared),
            (Atom::Var(var), _) if self.bound.contains(&var) => None,
            _ => Some(atom),
        }
    }

    /// The array that has the elements of this one, if it has been updated since. Points that take no part have the same
    /// elements in both.
    pub fn latest(&self, mut array: Var) -> Var {
        while let Some(&updated) = self.updated.get(&array) {
            array = updated;
        }
        array
    }

    /// What stands for a variable of the source. If another side of a branch has updated an array, it is the updated one.
    pub fn lifted_of(&self, var: Var) -> Option<Lifted> {
        let mut lifted = self.lifted.get(&var).cloned()?;
        if let Lifted::Lanes { data, .. } | Lifted::Rows { data, .. } = &mut lifted {
            *data = self.latest(*data);
        }
        Some(lifted)
    }

    /// The type of an atom of the source.
    pub fn type_of(&self, atom: Atom) -> Type {
        self.builder.type_of(atom)
    }

    /// A construct over the points or lanes of the bin. `live` computes its values where a point takes part, and `idle`
    /// elsewhere. Returns the construct without scans and sinks.
    pub fn construct(
        &mut self,
        over: Over,
        live: impl FnOnce(&mut Self, &mut Place) -> Lift<Vec<Atom>>,
        idle: impl FnOnce(&mut Self, &Place, &[Type]) -> Vec<Atom>,
    ) -> Lift<Screma> {
        let width = Atom::i64(match over {
            Over::Points => POINTS,
            Over::Lanes(context) => self.contexts[context].room,
        });
        let index = self.builder.fresh(None, Type::scalar(PrimType::I64));
        self.builder.begin();
        let result = self.values_at(over, Atom::Var(index), live, idle)?;
        let map = Lambda { params: vec![index], body: self.builder.end(result) };
        let sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        Ok(Screma { width, sources, map, scans: Vec::new(), post: None, sinks: Vec::new() })
    }

    /// The values at the point or lane with this index: those of `live` where a point takes part, and those of `idle` elsewhere.
    pub fn values_at(
        &mut self,
        over: Over,
        index: Atom,
        live: impl FnOnce(&mut Self, &mut Place) -> Lift<Vec<Atom>>,
        idle: impl FnOnce(&mut Self, &Place, &[Type]) -> Vec<Atom>,
    ) -> Lift<Vec<Atom>> {
        let (mut point, mut inner, mut bound) = (index, None, self.members.fitting);
        if let Over::Lanes(context) = over {
            let Context { lanes, outer, inner: inners, .. } = self.contexts[context];
            bound = lanes;
            point = self.builder.index(outer, vec![index]);
            point = self.builder.convert(PrimType::I64, point);
            let within = self.builder.index(inners, vec![index]);
            inner = Some((context, self.builder.convert(PrimType::I64, within)));
        }
        let (offsets, read) = (FxHashMap::default(), FxHashMap::default());
        let place = || Place { index, point, inner, offsets: offsets.clone(), read: read.clone() };
        let mut cond = self.builder.compare(CmpOp::Lt, index, bound);
        if !self.masks.is_empty() {
            self.builder.begin();
            let takes_part = self.takes_part(&mut place())?;
            let then = self.builder.end(vec![takes_part]);
            let otherwise = Body { stms: Vec::new(), result: vec![Atom::bool(false)] };
            cond = self.builder.bind(Type::scalar(PrimType::Bool), Exp::If { cond, then, otherwise });
        }
        self.builder.begin();
        let values = live(self, &mut place())?;
        let types: Vec<Type> = values.iter().map(|&value| self.type_of(value)).collect();
        let then = self.builder.end(values);
        self.builder.begin();
        let values = idle(self, &place(), &types);
        let otherwise = self.builder.end(values);
        Ok(self.builder.bind_many(types, Exp::If { cond, then, otherwise }))
    }

    /// The indices of the lane in the array of its point, one for each dimension.
    pub fn indices(&mut self, place: &mut Place) -> Lift<Vec<Atom>> {
        let Some((context, inner)) = place.inner else { return Ok(vec![place.index]) };
        let sizes = self.contexts[context].sizes.clone();
        let mut indices = Vec::new();
        if sizes.len() > 1 {
            // Division of short integers is faster.
            let mut rest = self.builder.convert(PrimType::I32, inner);
            for &size in sizes[1..].iter().rev() {
                let size = self.read_atom(place, size)?;
                let size = self.builder.convert(PrimType::I32, size);
                let quotient = self.builder.binary(BinOp::Quot, rest, size);
                let row = self.builder.binary(BinOp::Mul, quotient, size);
                let index = self.builder.binary(BinOp::Sub, rest, row);
                indices.push(self.builder.convert(PrimType::I64, index));
                rest = quotient;
            }
            indices.push(self.builder.convert(PrimType::I64, rest));
        } else {
            indices.push(inner);
        }
        indices.reverse();
        Ok(indices)
    }

    /// Arrays with the values of a map over the points or lanes.
    pub fn map(
        &mut self,
        over: Over,
        live: impl FnOnce(&mut Self, &mut Place) -> Lift<Vec<Atom>>,
        idle: impl FnOnce(&mut Self, &Place, &[Type]) -> Vec<Atom>,
    ) -> Lift<Vec<Var>> {
        let mut screma = self.construct(over, live, idle)?;
        screma.sinks = vec![Sink::Map; screma.map.body.result.len()];
        Ok(self.builder.screma_of(screma).into_iter().filter_map(Atom::var).collect())
    }

    /// The values where no point takes part: those that an iteration keeps, and otherwise any.
    pub fn idle(&mut self, place: &Place, binders: &[Option<Var>], types: &[Type]) -> Vec<Atom> {
        let kept = |binder: &Option<Var>| {
            binder.and_then(|binder| Some((binder, self.latest(*self.kept.get(&binder)?))))
        };
        let kept: Vec<Option<(Var, Var)>> = binders.iter().map(kept).collect();
        let values = kept.into_iter().zip(types).map(|(kept, ty)| match kept {
            Some((binder, array)) => {
                self.keeping.insert(binder);
                self.builder.index(array, vec![place.index])
            }
            None if ty.is_scalar() => Atom::Const(PrimValue::zero(ty.elem)),
            None => self.builder.bind(ty.clone(), Exp::Scratch),
        });
        values.collect()
    }

    /// Whether the point takes part in the code at hand.
    fn takes_part(&mut self, place: &mut Place) -> Lift<Atom> {
        let mut all = None;
        for mask in self.masks.clone() {
            let cond = match mask {
                Mask::Below { counter, rounds } => {
                    let rounds = self.read_atom(place, rounds)?;
                    self.builder.compare(CmpOp::Lt, counter, rounds)
                }
                Mask::Is(var, value) => {
                    let cond = self.read(place, var)?;
                    self.builder.compare(CmpOp::Eq, cond, Atom::bool(value))
                }
            };
            all = Some(match all {
                None => cond,
                Some(others) => self.builder.binary(BinOp::And, others, cond),
            });
        }
        Ok(all.unwrap_or(Atom::bool(true)))
    }

    /// A copy of a piece of the source at a place. Returns its results.
    pub fn copy(&mut self, place: &mut Place, piece: &Body) -> Lift<Vec<Atom>> {
        for var in free_in_body(self.builder.vars(), piece) {
            self.read(place, var)?;
        }
        let substitution: Substitution = place.read.iter().map(|(&var, &value)| (var, value)).collect();
        let copy = self.edit(|vars| copy_body(vars, None, substitution, piece));
        copy.stms.into_iter().for_each(|stm| self.builder.push(stm));
        Ok(copy.result)
    }

    /// Runs a function on the variables.
    pub fn edit<T>(&mut self, edit: impl FnOnce(&mut VarTable) -> T) -> T {
        edit(self.builder.vars_mut())
    }

    /// An array with the values of an atom of the source for each point.
    pub fn points_of(&mut self, atom: Atom) -> Lift<Var> {
        if let Some(Lifted::Points(array)) = atom.var().and_then(|var| self.lifted.get(&var)) {
            return Ok(*array);
        }
        let arrays = self.map(
            Over::Points,
            |code, place| Ok(vec![code.read_atom(place, atom)?]),
            |_, _, types| zeros(types).collect(),
        )?;
        Ok(arrays[0])
    }

    /// The code of the bin for a body of the source.
    pub fn body(&mut self, body: &Body) -> Lift<()> {
        let mut run: Vec<Stm> = Vec::new();
        for (at, stm) in body.stms.iter().enumerate() {
            if self.is_scalar(stm) {
                run.push(stm.clone());
                continue;
            }
            self.scalars(std::mem::take(&mut run), &body.stms[at..], &body.result)?;
            let origin = self.builder.set_origin(stm.origin.inside());
            self.parallel(stm)?;
            self.builder.set_origin(origin);
        }
        self.scalars(run, &[], &body.result)
    }

    /// The code of the bin for a statement that is not scalar.
    fn parallel(&mut self, stm: &Stm) -> Lift<()> {
        match (&stm.exp, &stm.binders[..]) {
            (Exp::Screma(screma), _) => self.construct_of(stm, screma),
            (Exp::Loop(looped), _) => self.rounds(stm, looped),
            (Exp::If { cond, then, otherwise }, _) => self.branch(stm, *cond, then, otherwise),
            (Exp::Replicate { value, .. }, &[binder]) => self.replicate(binder, *value),
            (Exp::Iota { count, start, stride }, &[binder]) if self.is_width(*count) => {
                self.iota(binder, *count, *start, *stride)
            }
            (Exp::Scratch, &[binder]) => self.scratch(binder),
            (Exp::Update { array, slice, value }, &[binder]) => self.update(binder, *array, slice, *value),
            (Exp::Atom(Atom::Var(var)) | Exp::Copy(var), &[binder]) => {
                let mut lifted = self.lifted_of(*var);
                if let (Exp::Copy(_), Some(Lifted::Lanes { data, .. } | Lifted::Rows { data, .. })) =
                    (&stm.exp, &mut lifted)
                {
                    *data = self.builder.copy(*data).var().unwrap_or(*data);
                }
                self.lifted.extend(lifted.map(|lifted| (binder, lifted)));
                Ok(())
            }
            (Exp::Slice(..) | Exp::Rearrange(..) | Exp::ArrayLit(_), &[binder]) => {
                self.lifted.insert(binder, Lifted::Again(stm.clone()));
                Ok(())
            }
            (_, &[binder, ..]) => Err(self.obstacle(FLAT_ARRAYS, binder)),
            (_, []) => Err(Obstacle::Missing(FLAT_ARRAYS, None)),
        }
    }
}

/// Whether a value of the type can be kept for each point: a scalar, or an array of constant size.
pub(super) fn is_small(ty: &Type) -> bool {
    ty.shape.iter().all(|size| size.var().is_none())
}

/// Zeros of these types.
pub(super) fn zeros(types: &[Type]) -> impl Iterator<Item = Atom> + '_ {
    types.iter().map(|ty| Atom::Const(PrimValue::zero(ty.elem)))
}
