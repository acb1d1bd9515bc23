//! G5 to G9: inner constructs.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G5 | `reduce`: a segmented scan, and a map that takes the last value of each segment | the same scan; later code reads it there |
//! | G6 | `scan`: a segmented scan | the same |
//! | G7 | `segscan`: a segmented scan with flags of its own | core IR has no such operator: it is a scan of pairs, so of several values |
//! | G8 | a map over arrays: a map over indices that reads them | the elements are read by lane |
//! | G9 | a map over `iota w`: a map over `inn_inds` and `out_inds`, with a dummy value if the loop of the point is over | the same, but the value is that before the iteration, so that nothing is merged after it |
//!
//! A construct does all of this in one traversal of the lanes, as in the source.

use ravel_core::{
    Atom, Body, Exp, Lambda, Scan, Screma, Sink, Source, Stm, Type, Var, copy_lambda, free_in_lambda,
};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use super::code::{Code, Lift, Over, Place};
use super::context::{ContextId, Lifted};
use super::g00_g01_scalars::private_array;
use super::premises::{CLOSED_OPERATORS, FLAT_ARRAYS, KNOWN_ROWS, Obstacle, PLAIN_SINKS};

pub(super) const G5: &str = "G5";
pub(super) const G6: &str = "G6";
pub(super) const G7: &str = "G7";
pub(super) const G8: &str = "G8";
pub(super) const G9: &str = "G9";

impl Code<'_> {
    /// The code of the bin for a construct whose results need a context.
    pub(super) fn construct_of(&mut self, stm: &Stm, screma: &Screma) -> Lift<()> {
        let stores = |sink: &Sink| matches!(sink, Sink::Write { .. } | Sink::Combine { .. });
        if screma.sinks.iter().any(stores) {
            return self.stores(stm, screma);
        }
        if stm.binders.iter().any(|&binder| self.shape_of(binder).len() > 1) {
            return self.map_of_maps(stm, screma);
        }
        match (self.context_of(&[screma.width]), stm.binders.first()) {
            (Some(context), _) => self.lanes(stm, screma, context),
            (None, Some(&binder)) => Err(self.obstacle(KNOWN_ROWS, binder)),
            (None, None) => Err(Obstacle::Missing(KNOWN_ROWS, None)),
        }
    }

    /// The code of the bin for a construct over the lanes of a context.
    fn lanes(&mut self, stm: &Stm, screma: &Screma, context: ContextId) -> Lift<()> {
        self.check(stm, screma)?;
        if !screma.scans.is_empty() && screma.sinks.iter().any(|sink| *sink != Sink::Map) {
            let (scanned, reduced) = self.split(stm, screma);
            return [scanned].iter().chain(&reduced).try_for_each(|stm| match &stm.exp {
                Exp::Screma(screma) => self.lanes(stm, screma, context),
                _ => Ok(()),
            });
        }
        self.fire_for(screma)?;
        let layout = Layout::of(screma);
        let scans = self.scans(screma);
        let neutrals: Vec<Atom> = scans.iter().flat_map(|scan| scan.neutral.clone()).collect();
        let binders = match screma.post {
            Some(_) => vec![None; layout.order.len()],
            None => layout.binders(stm, screma),
        };
        let mut flat = self.construct(
            Over::Lanes(context),
            |code, place| {
                let values = code.elements(place, screma)?;
                let inner = place.inner.map_or(place.index, |(_, inner)| inner);
                let flag = code.builder.compare(CmpOp::Eq, inner, Atom::i64(0));
                Ok(layout.order.iter().map(|value| value.map_or(flag, |value| values[value])).collect())
            },
            |code, place, types| {
                // The lanes after this one have flags, so they combine with no value of it.
                let mut values = code.idle(place, &binders, types);
                for (at, (value, &neutral)) in values.iter_mut().zip(&neutrals).enumerate() {
                    *value = if layout.order[at].is_none() { Atom::bool(true) } else { neutral };
                }
                values
            },
        )?;
        flat.scans = scans;
        match &screma.post {
            Some(post) => self.after_scans(stm, post, context, &layout, &mut flat)?,
            None if layout.scanned > 0 => {
                let types: Vec<Type> = flat.map.body.result.iter().map(|&atom| self.type_of(atom)).collect();
                flat.post = Some(self.builder.lambda(&types, |_, values| layout.without_flags(values)));
            }
            None => {}
        }
        let values = if flat.post.is_some() { flat.post.as_ref() } else { Some(&flat.map) };
        let count = values.map_or(0, |lambda| lambda.body.result.len());
        flat.sinks = vec![Sink::Map; count];
        let arrays: Vec<Var> = self.builder.screma_of(flat).into_iter().filter_map(Atom::var).collect();
        for (sink, results, values) in screma.sink_ranges() {
            for (nth, (result, value)) in results.zip(values).enumerate() {
                let at = if screma.post.is_some() { value } else { layout.place(value) };
                let lifted = match sink {
                    Sink::Reduce { neutral, .. } => {
                        Lifted::Last { scanned: arrays[at], neutral: neutral[nth], context }
                    }
                    _ => Lifted::Lanes { data: arrays[at], context },
                };
                self.lifted.insert(stm.binders[result], lifted);
            }
        }
        Ok(())
    }

    /// The code of the bin for `let binder = iota width start stride`.
    pub(super) fn iota(&mut self, binder: Var, width: Atom, start: Atom, stride: Atom) -> Lift<()> {
        self.fire(G9)?;
        let context = self.context_of(&[width]).unwrap_or(0);
        let arrays = self.map(
            Over::Lanes(context),
            |code, place| {
                let (start, stride) = (code.read_atom(place, start)?, code.read_atom(place, stride)?);
                let inner = place.inner.map_or(place.index, |(_, inner)| inner);
                Ok(vec![code.progression(start, stride, inner)])
            },
            |code, place, types| code.idle(place, &[Some(binder)], types),
        )?;
        self.lifted.insert(binder, Lifted::Lanes { data: arrays[0], context });
        Ok(())
    }

    /// Splits a construct that reduces what it scans: the first one maps, and each of the others reduces.
    fn split(&mut self, stm: &Stm, screma: &Screma) -> (Stm, Vec<Stm>) {
        let mut first = Screma { sinks: Vec::new(), ..screma.clone() };
        let (mut binders, mut reductions) = (Vec::new(), Vec::new());
        for (sink, results, values) in screma.sink_ranges() {
            let results = &stm.binders[results];
            first.sinks.extend(values.clone().map(|_| Sink::Map));
            let Sink::Reduce { neutral, .. } = sink else {
                binders.extend(results);
                continue;
            };
            let rows: Vec<Type> = neutral.iter().map(|&atom| self.type_of(atom)).collect();
            let arrays = rows.iter().map(|row| self.builder.fresh(None, row.array_of(screma.width)));
            let arrays: Vec<Var> = arrays.collect();
            binders.extend(&arrays);
            self.bound.extend(&arrays);
            let map = self.builder.lambda(&rows, |_, params| params.to_vec());
            self.bound.extend(&map.params);
            let sources = arrays.into_iter().map(Source::Array).collect();
            let (scans, post, sinks) = (Vec::new(), None, vec![sink.clone()]);
            let reduction = Screma { width: screma.width, sources, map, scans, post, sinks };
            let exp = Exp::Screma(Box::new(reduction));
            reductions.push(Stm { binders: results.to_vec(), exp, origin: stm.origin.clone() });
        }
        (Stm { binders, exp: Exp::Screma(Box::new(first)), origin: stm.origin.clone() }, reductions)
    }

    /// Checks the premises for a construct.
    fn check(&self, stm: &Stm, screma: &Screma) -> Lift<()> {
        let missing = |premise| match stm.binders.first() {
            Some(&binder) => Err(self.obstacle(premise, binder)),
            None => Err(Obstacle::Missing(premise, None)),
        };
        if screma.sinks.iter().any(|sink| matches!(sink, Sink::Concat { .. })) {
            return missing(PLAIN_SINKS);
        }
        let mut values = [Some(&screma.map), screma.post.as_ref()].into_iter().flatten();
        if !values.all(|lambda| lambda.body.result.iter().all(|&atom| self.type_of(atom).is_scalar())) {
            return missing(FLAT_ARRAYS);
        }
        let vars = self.builder.vars();
        if let Some(array) = screma.lambdas().find_map(|lambda| private_array(vars, &lambda.body)) {
            return Err(self.obstacle(FLAT_ARRAYS, array));
        }
        let operators = screma.sinks.iter().filter_map(|sink| match sink {
            Sink::Reduce { op, .. } => Some(op),
            _ => None,
        });
        let mut operators = operators.chain(screma.scans.iter().map(|scan| &scan.op));
        let is_shared = |var: &Var| self.shared(Atom::Var(*var)) == Some(Atom::Var(*var));
        let is_closed = |op: &Lambda| free_in_lambda(self.builder.vars(), op).iter().all(is_shared);
        let mut neutrals = screma.scans.iter().flat_map(|scan| &scan.neutral);
        if !operators.all(is_closed) || !neutrals.all(|&atom| self.is_shared(atom)) {
            return missing(CLOSED_OPERATORS);
        }
        Ok(())
    }

    /// Adds what a construct computes after its scans to a flat construct.
    fn after_scans(
        &mut self,
        stm: &Stm,
        post: &Lambda,
        context: ContextId,
        layout: &Layout,
        flat: &mut Screma,
    ) -> Lift<()> {
        // The code after the scans learns the index of the lane.
        flat.map.body.result.push(Atom::Var(flat.map.params[0]));
        let types: Vec<Type> = flat.map.body.result.iter().map(|&atom| self.type_of(atom)).collect();
        let params: Vec<Var> = types.into_iter().map(|ty| self.builder.fresh(None, ty)).collect();
        let values: Vec<Atom> = params.iter().map(|&param| Atom::Var(param)).collect();
        let Some((&index, values)) = values.split_last() else { return Ok(()) };
        let scanned = layout.without_flags(values);
        let binders: Vec<Option<Var>> = stm.binders.iter().copied().map(Some).collect();
        self.builder.begin();
        let result = self.values_at(
            Over::Lanes(context),
            index,
            |code, place| {
                for (&param, &value) in post.params.iter().zip(&scanned) {
                    place.read.insert(param, value);
                }
                code.copy(place, &post.body)
            },
            |code, place, types| code.idle(place, &binders, types),
        )?;
        flat.post = Some(Lambda { params, body: self.builder.end(result) });
        Ok(())
    }

    /// Fires the rules for what a construct does.
    fn fire_for(&mut self, screma: &Screma) -> Lift<()> {
        let of_arrays = screma.sources.iter().any(|source| source.array().is_some());
        self.fire(if of_arrays { G8 } else { G9 })?;
        for sink in &screma.sinks {
            if let Sink::Reduce { .. } = sink {
                self.fire(G5)?;
            }
        }
        for scan in &screma.scans {
            self.fire(if scan.neutral.len() == 1 { G6 } else { G7 })?;
        }
        Ok(())
    }

    /// The values of a construct at one lane.
    fn elements(&mut self, place: &mut Place, screma: &Screma) -> Lift<Vec<Atom>> {
        let inner = place.inner.map_or(place.index, |(_, inner)| inner);
        for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
            let element = match *source {
                Source::Iota { start, stride } => {
                    let (start, stride) = (self.read_atom(place, start)?, self.read_atom(place, stride)?);
                    self.progression(start, stride, inner)
                }
                Source::Array(array) => self.read_at(place, array, &[inner])?,
            };
            place.read.insert(param, element);
        }
        self.copy(place, &screma.map.body)
    }

    /// The segmented scans of a construct: those that it has, and one for each reduction. Each scans a flag too.
    fn scans(&mut self, screma: &Screma) -> Vec<Scan> {
        let reduced = screma.sinks.iter().filter_map(|sink| match sink {
            Sink::Reduce { op, neutral, .. } => Some((op, neutral, None)),
            _ => None,
        });
        let all = screma.scans.iter().map(|scan| (&scan.op, &scan.neutral, scan.path)).chain(reduced);
        all.map(|(op, neutral, path)| Scan { path, ..self.segmented(op, neutral) }).collect()
    }

    /// The operator of a segmented scan, and its neutral element. A value of the source as neutral element differs between
    /// points; then any value will do, as no lane combines with a lane of another point.
    fn segmented(&mut self, op: &Lambda, neutral: &[Atom]) -> Scan {
        let op = self.edit(|vars| copy_lambda(vars, op));
        let types: Vec<Type> = neutral.iter().map(|&atom| self.type_of(atom)).collect();
        let flag = || std::iter::once(Type::scalar(PrimType::Bool));
        let one: Vec<Type> = flag().chain(types.iter().cloned()).collect();
        let both: Vec<Type> = one.iter().chain(&one).cloned().collect();
        let (count, pair) = (types.len(), types);
        let lambda = self.builder.lambda(&both, |builder, args| {
            let (left, right) = args.split_at(count + 1);
            let begins = builder.binary(BinOp::Or, left[0], right[0]);
            let otherwise = builder.body(|builder| {
                for (&param, &arg) in op.params.iter().zip(left[1..].iter().chain(&right[1..])) {
                    builder.emit(vec![param], Exp::Atom(arg));
                }
                op.body.stms.iter().for_each(|stm| builder.push(stm.clone()));
                op.body.result.clone()
            });
            let then = Body { stms: Vec::new(), result: right[1..].to_vec() };
            let values = builder.bind_many(pair.clone(), Exp::If { cond: right[0], then, otherwise });
            std::iter::once(begins).chain(values).collect()
        });
        let value = |atom: &Atom| {
            self.shared(*atom).unwrap_or(Atom::Const(PrimValue::zero(self.type_of(*atom).elem)))
        };
        let neutral = std::iter::once(Atom::bool(false)).chain(neutral.iter().map(value)).collect();
        Scan { op: lambda, neutral, path: None }
    }
}

/// The order of the values of a flat construct: those that are scanned, with a flag before those of each scan, and then the others.
struct Layout {
    /// `None` for a flag, and otherwise the number of a result of the construct's map.
    order: Vec<Option<usize>>,
    /// How many of them are scanned, with the flags.
    scanned: usize,
}

impl Layout {
    fn of(screma: &Screma) -> Layout {
        let mut order = Vec::new();
        let mut next = 0;
        for scan in &screma.scans {
            order.push(None);
            order.extend((next..next + scan.neutral.len()).map(Some));
            next += scan.neutral.len();
        }
        if screma.scans.is_empty() {
            for (sink, _, values) in screma.sink_ranges() {
                if let Sink::Reduce { .. } = sink {
                    order.push(None);
                    order.extend(values.map(Some));
                }
            }
        }
        let scanned = order.len();
        let others = (next..screma.map.body.result.len()).map(Some);
        let others: Vec<Option<usize>> = others.filter(|value| !order.contains(value)).collect();
        order.extend(others);
        Layout { order, scanned }
    }

    /// The position of a result of the map among the values without flags.
    fn place(&self, value: usize) -> usize {
        self.order.iter().flatten().take_while(|&&other| other != value).count()
    }

    /// The values without the flags.
    fn without_flags(&self, values: &[Atom]) -> Vec<Atom> {
        values.iter().zip(&self.order).filter(|(_, value)| value.is_some()).map(|(&atom, _)| atom).collect()
    }

    /// The binder of each value that is not scanned.
    fn binders(&self, stm: &Stm, screma: &Screma) -> Vec<Option<Var>> {
        let binder = |value: usize| {
            let mut ranges = screma.sink_ranges();
            let (_, results, values) = ranges.find(|(.., values)| values.contains(&value))?;
            Some(stm.binders[results.start + value - values.start])
        };
        let values = self.order.iter().enumerate();
        values.map(|(at, value)| value.filter(|_| at >= self.scanned).and_then(binder)).collect()
    }
}
