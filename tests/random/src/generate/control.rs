//! Branches and loops. Their results are scalars, consumed or shared arrays, and arrays of existential size.

use std::collections::BTreeMap;

use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};

use super::arrays::variable;
use super::results::ResultKind;
use super::scope::{Regions, Scope, Size};
use super::{Writer, boolean, long};

impl Writer {
    pub fn branch(&mut self, depth: usize) {
        let cond = self.scalar(PrimType::Bool);
        let kinds = self.kinds(3);
        let before = self.memory.consumed.clone();
        let side = |writer: &mut Writer| {
            writer.memory.consumed = before.clone();
            let mut own = Regions::new();
            let mut regions = Vec::new();
            let body = writer.nested(writer.scope.clone(), |writer| {
                writer.statements(depth + 1, 4);
                let result = writer.result_values(&kinds);
                own = writer.scope.consumable.clone();
                regions = result.iter().map(|atom| atom.var().map(|var| writer.regions_of(var))).collect();
                result
            });
            (body, regions, own, std::mem::take(&mut writer.memory.consumed))
        };
        let (then, regions, own, consumed) = side(self);
        let (otherwise, others, other_own, other_consumed) = side(self);
        let consumed_now: Regions = consumed.union(&other_consumed).copied().collect();
        let newly: Regions = consumed_now.difference(&before).copied().collect();
        self.memory.consumed = consumed_now;
        self.scope.consumable.extend(own.into_iter().chain(other_own));
        let binders = self.binders(&kinds);
        self.b.emit(binders.clone(), Exp::If { cond, then, otherwise });
        // If one side consumes a memory place that the other side returns, the first result with that place represents
        // it from here on.
        let mut representatives: BTreeMap<Var, Var> = BTreeMap::new();
        let mut result_regions: Vec<Regions> = Vec::new();
        for (&binder, (a, b)) in binders.iter().zip(regions.iter().zip(&others)) {
            let mut here = Regions::new();
            for &place in a.iter().flatten().chain(b.iter().flatten()) {
                let inherited = newly.contains(&place);
                here.insert(if inherited { *representatives.entry(place).or_insert(binder) } else { place });
            }
            self.scope.consumable.extend(here.contains(&binder).then_some(binder));
            result_regions.push(here);
        }
        self.add_results(&binders, &kinds, |at, _| result_regions[at].clone());
    }

    /// A `for` loop.
    pub fn for_loop(&mut self, depth: usize) {
        let rounds = self.rounds();
        let index_type = self.b.type_of(rounds);
        let index = self.b.fresh(None, index_type);
        self.random_loop(depth, LoopForm::For { index, bound: rounds }, Vec::new());
    }

    /// The number of iterations of a loop: the size of an array, or a small number.
    fn rounds(&mut self) -> Atom {
        if self.choices.below(3) == 2 {
            return self.size().atom;
        }
        let integers: Vec<PrimType> =
            self.scope.palette.iter().copied().filter(|ty| ty.is_integer()).collect();
        let ty = self.choices.any(&integers);
        let few = convert(PrimValue::I64(self.choices.below(4) as i64), ty);
        match self.choices.below(3) {
            2 => {
                let number = self.scalar(ty);
                self.b.binary(BinOp::Min, number, Atom::Const(convert(PrimValue::I64(3), ty)))
            }
            _ => Atom::Const(few),
        }
    }

    /// A `while` loop. It also counts its iterations, so that it ends.
    pub fn while_loop(&mut self, depth: usize) {
        let first = match self.choices.below(3) {
            2 => self.scalar(PrimType::Bool),
            choice => Atom::bool(choice == 0),
        };
        let (go, count) = (self.b.fresh(None, boolean()), self.b.fresh(None, long()));
        self.random_loop(depth, LoopForm::While(go), vec![(go, first), (count, Atom::i64(0))]);
    }

    /// A loop of this form. `leading` has the parameters of a `while`: the condition and a counter.
    fn random_loop(&mut self, depth: usize, form: LoopForm, leading: Vec<(Var, Atom)>) {
        let wanted = self.kinds(3);
        // Each parameter has an initial value. An array that nothing else uses may be consumed in the body.
        let mut kinds: Vec<ResultKind> =
            leading.iter().map(|&(var, _)| ResultKind::Scalar(self.b.vars()[var].ty.elem)).collect();
        let (mut params, mut alone) = (leading.clone(), vec![false; leading.len()]);
        for kind in wanted {
            let ResultKind::Array(ty) = &kind else {
                if let ResultKind::Scalar(elem) = kind {
                    let first = self.scalar(elem);
                    params.push((self.b.fresh(None, Type::scalar(elem)), first));
                    alone.push(false);
                    kinds.push(kind);
                }
                continue;
            };
            let consumed = if self.choices.below(3) > 0 { self.consume(|known| known == ty) } else { None };
            let first = consumed.unwrap_or_else(|| self.array_of(ty));
            params.push((self.b.fresh(None, ty.clone()), Atom::Var(first)));
            alone.push(consumed.is_some());
            kinds.push(kind);
        }
        // A consumed array is not the initial value of another parameter.
        for at in 0..params.len() {
            if !alone[at]
                && params[at]
                    .1
                    .var()
                    .is_some_and(|var| !self.regions_of(var).is_disjoint(&self.memory.consumed))
            {
                let ty = self.b.vars()[params[at].0].ty.clone();
                params[at].1 = Atom::Var(self.make_array(&ty));
            }
        }
        let firsts: Vec<Regions> = params
            .iter()
            .map(|(_, first)| first.var().map(|var| self.regions_of(var)).unwrap_or_default())
            .collect();
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let mut results = Vec::new();
        let body = self.nested(inside, |writer| {
            if let LoopForm::For { index, bound } = form {
                writer.scope.scalars.push(Atom::Var(index));
                if writer.b.type_of(bound) == long() {
                    writer.scope.counters.push((Atom::Var(index), bound));
                }
            }
            for (index, &(param, _)) in params.iter().enumerate() {
                match writer.b.vars()[param].ty.is_scalar() {
                    true => writer.scope.scalars.push(Atom::Var(param)),
                    false => writer.add_array(param, Regions::from([param])),
                }
                writer.scope.consumable.extend(alone[index].then_some(param));
            }
            writer.statements(depth + 1, 5);
            results = writer.next_values(&params, &kinds, &alone, leading.len());
            results.clone()
        });
        let binders = self.binders(&kinds);
        self.b.emit(binders.clone(), Exp::Loop(Loop { params: params.clone(), form, body }));
        // A shared parameter may alias its initial value and the result of any later iteration.
        let mut shared: Regions = firsts
            .iter()
            .zip(&alone)
            .filter(|(_, alone)| !**alone)
            .flat_map(|(regions, _)| regions.clone())
            .collect();
        for (at, result) in results.iter().enumerate().filter(|(at, _)| !alone[*at]) {
            shared.extend(result.var().map(|var| self.regions_of(var)).unwrap_or_default());
            shared.insert(binders[at]);
        }
        self.scope
            .consumable
            .extend(binders.iter().zip(&alone).filter(|(_, alone)| **alone).map(|(&binder, _)| binder));
        let at_of = |var: Var| binders.iter().position(|&binder| binder == var);
        self.add_results(&binders, &kinds, |_, var| match at_of(var).is_some_and(|at| alone[at]) {
            true => Regions::from([var]),
            false => shared.clone(),
        });
    }

    /// The values that an iteration passes to the next one.
    fn next_values(
        &mut self,
        params: &[(Var, Atom)],
        kinds: &[ResultKind],
        alone: &[bool],
        leading: usize,
    ) -> Vec<Atom> {
        let mut results: Vec<Option<Atom>> = vec![None; kinds.len()];
        if leading == 2 {
            let next = self.b.binary(BinOp::Add, Atom::Var(params[1].0), Atom::i64(1));
            let few = self.b.compare(CmpOp::Lt, next, Atom::i64(3));
            let go = self.scalar(PrimType::Bool);
            let go = if self.choices.below(2) == 1 { self.b.binary(BinOp::And, few, go) } else { few };
            results[..2].copy_from_slice(&[Some(go), Some(next)]);
        }
        // Choose the arrays to be consumed first, so that no other value has become another name for them.
        for (at, kind) in kinds.iter().enumerate().filter(|(at, _)| alone[*at]) {
            let ResultKind::Array(ty) = kind else { continue };
            let consumed = self.consume(|known| known == ty);
            results[at] = Some(Atom::Var(consumed.unwrap_or_else(|| self.own_array(ty))));
        }
        // A shared value may not alias an array that the next iteration consumes.
        self.memory
            .consumed
            .extend(params.iter().zip(alone).filter(|(_, alone)| **alone).map(|(&(param, _), _)| param));
        for (at, kind) in kinds.iter().enumerate() {
            if results[at].is_none() {
                let unchanged = self.choices.once_in(4)
                    && (matches!(kind, ResultKind::Scalar(_)) || self.is_alive(params[at].0));
                results[at] = Some(match unchanged {
                    true => Atom::Var(params[at].0),
                    false => self.result_values(std::slice::from_ref(kind))[0],
                });
            }
        }
        results.into_iter().flatten().collect()
    }

    /// A loop that carries an array whose size changes in each iteration.
    pub fn growing_loop(&mut self, depth: usize) {
        let array = self.array_where(|ty| ty.rank() == 1);
        let Some(array) = array else { return };
        let ty = self.b.vars()[array].ty.clone();
        let size = self.b.fresh(None, long());
        let param = self.b.fresh(None, Type::scalar(ty.elem).array_of(Atom::Var(size)));
        let (index, bound) = (self.b.fresh(None, long()), Atom::i64(self.choices.below(4) as i64));
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let grows = self.choices.below(2) == 1;
        let body = self.nested(inside, |writer| {
            writer.scope.scalars.push(Atom::Var(index));
            writer.scope.sizes.push(Size { atom: Atom::Var(size), positive: false });
            writer.add_array(param, Regions::from([param]));
            writer.statements(depth + 1, 3);
            let param = match writer.is_alive(param) {
                true => param,
                false => writer.make_array(&Type::scalar(ty.elem).array_of(Atom::Var(size))),
            };
            let (size, next) = if grows {
                let value = writer.scalar(ty.elem);
                let last = variable(writer.b.array_lit(Type::scalar(ty.elem), vec![value]));
                let next = writer.b.binary(BinOp::Add, Atom::Var(size), Atom::i64(1));
                (next, writer.b.concat(vec![param, last], Type::scalar(ty.elem), next))
            } else {
                let less = writer.b.binary(BinOp::Sub, Atom::Var(size), Atom::i64(1));
                let next = writer.b.binary(BinOp::Max, less, Atom::i64(0));
                let range = DimSlice::Range { start: Atom::i64(0), count: next, stride: Atom::i64(1) };
                (next, writer.b.slice(param, vec![range]))
            };
            vec![size, next]
        });
        let kinds = [ResultKind::Sized(ty.elem)];
        let binders = self.binders(&kinds);
        let params = vec![(size, ty.shape[0]), (param, Atom::Var(array))];
        let looped = Loop { params, form: LoopForm::For { index, bound }, body };
        self.b.emit(binders.clone(), Exp::Loop(looped));
        let mut regions = self.regions_of(array);
        regions.insert(binders[1]);
        self.add_results(&binders, &kinds, |_, _| regions.clone());
    }
}
