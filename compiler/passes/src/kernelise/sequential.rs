//! A Screma in a thread: one loop that carries the accumulators of its scans and reductions.

use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::fixed_places::Carry;
use super::level::CodeLevel;
use super::scope::{Result, Scope, Value};
use super::sinks::{Input, Out};

impl Scope<'_, '_, Thread> {
    pub fn sequential(&mut self, binders: &[core::Var], screma: &core::Screma) -> Result {
        let bound = self.cx.atom(screma.width)?;
        let inputs = self.inputs(screma)?;
        let outs = self.outs(binders, &screma.sinks)?;
        let scanned: Vec<core::Atom> = screma.scans.iter().flat_map(|scan| scan.neutral.clone()).collect();
        let commutes = |sink: &core::Sink| match sink {
            core::Sink::Reduce { commutative, .. } => Some(*commutative),
            _ => None,
        };
        let commute: Vec<bool> = screma.sinks.iter().filter_map(commutes).collect();
        let reduces = scanned.is_empty() && !commute.is_empty() && !commute.contains(&false);
        let mut carries = Vec::new();
        for &neutral in scanned.iter().chain(reductions(screma).flat_map(|(_, neutral)| neutral)) {
            carries.push(self.accumulator(neutral)?);
        }
        let finals = self.carried_loop(carries, |scope, accumulators| {
            let index = scope.fresh(None, PrimType::I64);
            let next = scope.round(screma, &inputs, &outs, Atom::Var(index), accumulators)?;
            Ok((LoopForm::For { index, bound, reduces }, next))
        })?;
        let mut finals = finals.into_iter().skip(scanned.len());
        let mut binders = binders.iter();
        for out in outs {
            let values: Vec<Value> = match out {
                Out::Map(array) | Out::Concat(array, _) | Out::Write(array, _) | Out::Shared(array, _) => {
                    vec![Value::Array(array)]
                }
                Out::Combine { targets, .. } => targets.into_iter().map(Value::Array).collect(),
                Out::Reduce(arity) => finals.by_ref().take(arity).collect(),
            };
            for (value, &binder) in values.into_iter().zip(binders.by_ref()) {
                self.bind(binder, value)?;
            }
        }
        Ok(())
    }

    /// An accumulator, initialised with its neutral element.
    fn accumulator(&mut self, neutral: core::Atom) -> Result<Carry> {
        match self.cx.value(neutral)? {
            Value::Scalar(atom) => Ok(Carry::Scalar(None, atom)),
            Value::Array(first) => {
                let place = Thread::alloc(self, None, first.view.elem, &first.view.shape.clone())?;
                Thread::copy(self, &place, &first)?;
                Ok(Carry::Array(place))
            }
        }
    }

    /// One iteration: returns the next values of the accumulators.
    pub fn round(
        &mut self,
        screma: &core::Screma,
        inputs: &[Input],
        outs: &[Out<'_>],
        index: Atom,
        accumulators: &[Value],
    ) -> Result<Vec<Value>> {
        let mut accumulators = accumulators.iter().cloned();
        let args = inputs.iter().map(|input| self.element(input, index)).collect();
        let places = self.places(outs, index);
        // The operands of a scan or a later lambda are not the values of sinks.
        let direct = screma.scans.is_empty();
        let (early, late) = if direct { (places, Vec::new()) } else { (Vec::new(), places) };
        let mut values = self.apply(&screma.map, args, early)?;
        let mut next = Vec::new();
        let mut at = 0;
        for scan in &screma.scans {
            let arity = scan.neutral.len();
            let mut args: Vec<Value> = accumulators.by_ref().take(arity).collect();
            args.extend(values.iter().skip(at).take(arity).cloned());
            let results = self.apply(&scan.op, args, Vec::new())?;
            next.extend(results.iter().cloned());
            values.splice(at..(at + arity).min(values.len()), results);
            at += arity;
        }
        if let Some(post) = &screma.post {
            values = self.apply(post, values, late)?;
        }
        let mut reduced = self.distribute(outs, index, values)?.into_iter();
        for (op, neutral) in reductions(screma) {
            let mut args: Vec<Value> = accumulators.by_ref().take(neutral.len()).collect();
            args.extend(reduced.by_ref().take(neutral.len()));
            next.extend(self.apply(op, args, Vec::new())?);
        }
        Ok(next)
    }
}

/// The operators of the reductions with their neutral elements.
pub(super) fn reductions(screma: &core::Screma) -> impl Iterator<Item = (&core::Lambda, &[core::Atom])> {
    screma.sinks.iter().filter_map(|sink| match sink {
        core::Sink::Reduce { op, neutral, .. } => Some((op, neutral.as_slice())),
        _ => None,
    })
}
