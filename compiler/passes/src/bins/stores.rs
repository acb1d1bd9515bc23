//! The rules `scatter` and `histogram`: inner constructs that write to arrays or combine into them.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | scatter | it has none but G2 | a construct over the lanes stores the positions and the values; a write sink over the lanes puts them into the array, at the first lane of the point plus the position |
//! | histogram | it has none | the same construct; a map over the elements of the histograms, each of which combines the values for its position in the lanes of its point, in order |
//!
//! An element of a histogram looks at all lanes of its point. So the work is the product of both sizes, but no two lanes write to the
//! same element, and values combine in the order of the source.

use ravel_core::{Atom, Body, Exp, Lambda, Loop, LoopForm, Screma, Sink, Source, Stm, Type, Var, VarTable};
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::code::{Code, Lift, Over, zeros};
use super::context::Lifted;
use super::premises::{FLAT_ARRAYS, KNOWN_ROWS, PLAIN_SINKS};

pub(super) const SCATTER: &str = "scatter";
pub(super) const HISTOGRAM: &str = "histogram";

impl Code<'_> {
    /// The code of the bin for a construct with sinks that write or combine: one that stores their values, and one for each of them.
    pub(super) fn stores(&mut self, stm: &Stm, screma: &Screma) -> Lift<()> {
        let mut first = Screma { sinks: Vec::new(), ..screma.clone() };
        let results = screma.post.as_ref().map_or(&screma.map.body.result, |post| &post.body.result);
        let (mut binders, mut stores) = (Vec::new(), Vec::new());
        for (sink, own, values) in screma.sink_ranges() {
            let own = &stm.binders[own];
            if !matches!(sink, Sink::Write { .. } | Sink::Combine { .. }) {
                binders.extend(own);
                first.sinks.push(sink.clone());
                continue;
            }
            let rows: Vec<Type> = results[values].iter().map(|&value| self.type_of(value)).collect();
            let arrays = rows.iter().map(|row| self.builder.fresh(None, row.array_of(screma.width)));
            let arrays: Vec<Var> = arrays.collect();
            self.bound.extend(&arrays);
            binders.extend(&arrays);
            first.sinks.extend(arrays.iter().map(|_| Sink::Map));
            stores.push((sink, own, arrays));
        }
        let exp = Exp::Screma(Box::new(first));
        let first = Stm { binders, exp, origin: stm.origin.clone() };
        if let Exp::Screma(screma) = &first.exp {
            self.construct_of(&first, screma)?;
        }
        for (sink, own, arrays) in stores {
            match sink {
                Sink::Write { target, rank } => self.scatter(own[0], *target, *rank, &arrays)?,
                Sink::Combine { targets, op, .. } => {
                    let Some(op) = scalar_operator(self.builder.vars(), op) else {
                        return Err(self.obstacle(PLAIN_SINKS, own[0]));
                    };
                    self.histogram(own, targets, op, &arrays, screma.width)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The code of the bin for a write of `arrays`: the positions, and then the values.
    fn scatter(&mut self, binder: Var, target: Var, rank: usize, arrays: &[Var]) -> Lift<()> {
        let lifted = self.lifted_of(target);
        let shape = self.shape_of(target);
        let (data, lifted) = match lifted {
            Some(Lifted::Lanes { data, context }) => (data, Lifted::Lanes { data, context }),
            Some(Lifted::Rows { data, size }) => (data, Lifted::Rows { data, size }),
            _ => return Err(self.obstacle(FLAT_ARRAYS, binder)),
        };
        let Some(context) = self.context_of(&self.shape_of(arrays[rank])) else {
            return Err(self.obstacle(KNOWN_ROWS, binder));
        };
        self.fire(SCATTER)?;
        let mut screma = self.construct(
            Over::Lanes(context),
            |code, place| {
                // The index of the value, and the indices in its row.
                let own = code.indices(place)?;
                let mut is_inside = Atom::bool(true);
                let mut position = Atom::i64(0);
                for (dimension, &size) in shape.iter().enumerate() {
                    let size = code.read_atom(place, size)?;
                    let index = match dimension < rank {
                        true => code.read_at(place, arrays[dimension], &own[..1])?,
                        false => own[1 + dimension - rank],
                    };
                    if dimension < rank {
                        let above = code.builder.compare(CmpOp::Le, Atom::i64(0), index);
                        let below = code.builder.compare(CmpOp::Lt, index, size);
                        is_inside = code.builder.binary(BinOp::And, is_inside, above);
                        is_inside = code.builder.binary(BinOp::And, is_inside, below);
                    }
                    let row = code.builder.binary(BinOp::Mul, position, size);
                    position = code.builder.binary(BinOp::Add, row, index);
                }
                let position = code.position(place, &lifted, position);
                let then = Body { stms: Vec::new(), result: vec![position] };
                let otherwise = Body { stms: Vec::new(), result: vec![Atom::i64(-1)] };
                let i64 = Type::scalar(PrimType::I64);
                let position = code.builder.bind(i64, Exp::If { cond: is_inside, then, otherwise });
                Ok(vec![position, code.own_element(place, arrays[rank])?])
            },
            |_, _, types| std::iter::once(Atom::i64(-1)).chain(zeros(&types[1..])).collect(),
        )?;
        screma.sinks = vec![Sink::Write { target: data, rank: 1 }];
        self.write(binder, lifted, screma);
        Ok(())
    }

    /// The code of the bin for the combination of `arrays` (the positions, and then the values) with `targets`. `op` combines scalars.
    fn histogram(
        &mut self,
        binders: &[Var],
        targets: &[Var],
        op: &Lambda,
        arrays: &[Var],
        width: Atom,
    ) -> Lift<()> {
        let shape = self.shape_of(targets[0]);
        let Some(context) = self.context_of(&shape) else {
            return Err(self.obstacle(KNOWN_ROWS, binders[0]));
        };
        self.fire(HISTOGRAM)?;
        let kept: Vec<Option<Var>> = binders.iter().copied().map(Some).collect();
        let combined = self.map(
            Over::Lanes(context),
            |code, place| {
                let own = code.indices(place)?;
                let mut params = Vec::new();
                for &target in targets {
                    let initial = code.own_element(place, target)?;
                    let ty = code.type_of(initial);
                    params.push((code.builder.fresh(None, ty), initial));
                }
                let count = code.read_atom(place, width)?;
                let mut views = Vec::new();
                for &array in arrays {
                    views.extend(code.read(place, array)?.var());
                }
                let index = code.builder.fresh(None, Type::scalar(PrimType::I64));
                code.builder.begin();
                let position = code.builder.index(views[0], vec![Atom::Var(index)]);
                let is_own = code.builder.compare(CmpOp::Eq, position, own[0]);
                code.builder.begin();
                let mut inside = place.clone();
                let accumulated = params.iter().map(|&(param, _)| Atom::Var(param));
                let mut args: Vec<Atom> = accumulated.clone().collect();
                let element = [&[Atom::Var(index)], &own[1..]].concat();
                args.extend(views[1..].iter().map(|&view| code.builder.index(view, element.clone())));
                inside.read.extend(op.params.iter().copied().zip(args));
                let values = code.copy(&mut inside, &op.body)?;
                let then = code.builder.end(values);
                let otherwise = Body { stms: Vec::new(), result: accumulated.collect() };
                let types: Vec<Type> =
                    params.iter().map(|&(param, _)| code.builder.vars()[param].ty.clone()).collect();
                let exp = Exp::If { cond: is_own, then, otherwise };
                let next = code.builder.bind_many(types.clone(), exp);
                let body = code.builder.end(next);
                let form = LoopForm::For { index, bound: count };
                Ok(code.builder.bind_many(types, Exp::Loop(Loop { params, form, body })))
            },
            |code, place, types| code.idle(place, &kept, types),
        )?;
        for (&binder, data) in binders.iter().zip(combined) {
            self.lifted.insert(binder, Lifted::Lanes { data, context });
        }
        Ok(())
    }
}

/// The operator on scalars: the operator itself, or if it combines rows element by element, the one on their elements.
fn scalar_operator<'a>(vars: &VarTable, op: &'a Lambda) -> Option<&'a Lambda> {
    if op.params.iter().all(|&param| vars[param].ty.is_scalar()) {
        return Some(op);
    }
    let [Stm { binders, exp: Exp::Screma(screma), .. }] = &op.body.stms[..] else { return None };
    let sources = screma.sources.iter().map(Source::array);
    let is_map = screma.scans.is_empty() && screma.sinks.iter().all(|sink| *sink == Sink::Map);
    let is_elementwise = is_map
        && sources.eq(op.params.iter().map(|&param| Some(param)))
        && op.body.result.iter().copied().eq(binders.iter().map(|&binder| Atom::Var(binder)));
    if is_elementwise { scalar_operator(vars, &screma.map) } else { None }
}
