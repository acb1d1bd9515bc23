//! G10: loops.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G10 | a loop of n rounds, which varies: a loop to the greatest n; after each iteration a scatter keeps the values of the points whose loop is over | the same; values that G0 or G9 makes are kept there already |
//!
//! A loop whose bound all points share stays. A `while` loop runs as long as its condition holds for any point.

use ravel_core::{Atom, Body, Exp, Loop, LoopForm, Sink, Stm, Type, Var};
use ravel_prim::{BinOp, PrimType, PrimValue};

use super::code::{Code, Lift, Over, Place, zeros};
use super::context::{ContextId, Lifted, Mask};
use super::premises::FLAT_ARRAYS;

pub(super) const G10: &str = "G10";

/// What stands for a parameter of a loop.
#[derive(Clone, Copy)]
enum Carried {
    Points,
    Lanes(ContextId),
    /// With the size, in terms of the source.
    Rows(Atom),
}

impl Carried {
    fn lifted(self, data: Var) -> Lifted {
        match self {
            Carried::Points => Lifted::Points(data),
            Carried::Lanes(context) => Lifted::Lanes { data, context },
            Carried::Rows(size) => Lifted::Rows { data, size },
        }
    }
}

impl Code<'_> {
    /// The code of the bin for a loop.
    pub(super) fn rounds(&mut self, stm: &Stm, looped: &Loop) -> Lift<()> {
        self.fire(G10)?;
        let (mut params, mut initials): (Vec<(Var, Atom)>, Vec<Var>) = Default::default();
        let mut inside = Vec::new();
        for &(param, initial) in &looped.params {
            let (data, carried) = self.initial(param, initial, &looped.form)?;
            let info = self.builder.vars()[data].clone();
            let fresh = self.builder.fresh(self.builder.vars()[param].hint, info.ty);
            params.push((fresh, Atom::Var(data)));
            initials.push(data);
            inside.push((param, fresh, carried));
        }
        let (form, mask, running) = self.form(looped, &params)?;
        let outer_kept = std::mem::take(&mut self.kept);
        self.builder.begin();
        for &(param, fresh, carried) in &inside {
            self.lifted.insert(param, carried.lifted(fresh));
        }
        if let (LoopForm::For { index, .. }, LoopForm::For { index: counter, .. }) = (looped.form, form) {
            self.lifted.insert(index, Lifted::Shared(Atom::Var(counter)));
        }
        self.masks.extend(mask);
        if !self.masks.is_empty() {
            for (result, &(fresh, _)) in looped.body.result.iter().zip(&params) {
                let is_once = looped.body.result.iter().filter(|other| *other == result).count() == 1;
                let is_own = |var: &Var| looped.body.stms.iter().any(|stm| stm.binders.contains(var));
                self.kept.extend(result.var().filter(is_own).filter(|_| is_once).map(|var| (var, fresh)));
            }
        }
        self.body(&looped.body)?;
        let mut results = Vec::new();
        for (&result, &(param, fresh, ..)) in looped.body.result.iter().zip(&inside) {
            results.push(Atom::Var(self.merge(&looped.body, result, param, fresh)?));
        }
        if mask.is_some() {
            self.masks.pop();
        }
        self.kept = outer_kept;
        if let Some((running, initial)) = running {
            let cond = looped.params.iter().position(|&(param, _)| looped.form == LoopForm::While(param));
            let cond = cond.and_then(|at| results[at].var());
            let again = self.any(cond.unwrap_or(running))?;
            results.push(again);
            params.push((running, initial));
        }
        let body = self.builder.end(results);
        let types = params.iter().map(|&(param, _)| self.builder.vars()[param].ty.clone()).collect();
        let finals = self.builder.bind_many(types, Exp::Loop(Loop { params, form, body }));
        for ((&binder, last), (&(_, fresh, carried), initial)) in
            stm.binders.iter().zip(finals).zip(inside.iter().zip(initials))
        {
            let Atom::Var(last) = last else { continue };
            self.lifted.insert(binder, carried.lifted(last));
            // The loop consumes the initial array of a parameter that it updates.
            if self.updated.contains_key(&fresh) {
                self.updated.insert(initial, last);
            }
        }
        Ok(())
    }

    /// The initial value of a parameter, and what stands for it.
    fn initial(&mut self, param: Var, initial: Atom, form: &LoopForm) -> Lift<(Var, Carried)> {
        let ty = self.builder.vars()[param].ty.clone();
        if ty.is_scalar() {
            let data = match form {
                // A point that takes no part must not keep the loop running.
                LoopForm::While(cond) if *cond == param => self.map(
                    Over::Points,
                    |code, place| Ok(vec![code.read_atom(place, initial)?]),
                    |_, _, types| zeros(types).collect(),
                )?[0],
                _ => self.points_of(initial)?,
            };
            return Ok((data, Carried::Points));
        }
        let lifted = initial.var().and_then(|var| self.lifted_of(var));
        match (lifted, self.context_of(&ty.shape)) {
            (Some(Lifted::Lanes { data, context }), own) if own == Some(context) => {
                Ok((data, Carried::Lanes(context)))
            }
            (Some(Lifted::Rows { data, size }), None) if ty.shape == [size] => {
                Ok((data, Carried::Rows(size)))
            }
            (Some(_), Some(context)) => {
                let elements = self.own_elements(context, initial)?;
                Ok((elements, Carried::Lanes(context)))
            }
            _ => Err(self.obstacle(FLAT_ARRAYS, param)),
        }
    }

    /// The form of the loop of the bin, the condition under which a point takes part, and for a `while` loop its condition with its
    /// initial value.
    fn form(
        &mut self,
        looped: &Loop,
        params: &[(Var, Atom)],
    ) -> Lift<(LoopForm, Option<Mask>, Option<(Var, Atom)>)> {
        match looped.form {
            LoopForm::For { index, bound } => {
                let ty = self.builder.vars()[index].ty.clone();
                let counter = self.builder.fresh(self.builder.vars()[index].hint, ty);
                if let Some(bound) = self.shared(bound) {
                    return Ok((LoopForm::For { index: counter, bound }, None, None));
                }
                let bound_of_bin = self.combined(BinOp::Max, |code, place| code.read_atom(place, bound))?;
                let mask = Mask::Below { counter: Atom::Var(counter), rounds: bound };
                Ok((LoopForm::For { index: counter, bound: bound_of_bin }, Some(mask), None))
            }
            LoopForm::While(cond) => {
                let at = looped.params.iter().position(|&(param, _)| param == cond).unwrap_or_default();
                let Atom::Var(initial) = params[at].1 else { return Err(self.obstacle(FLAT_ARRAYS, cond)) };
                let initial = self.any(initial)?;
                let running = self.builder.fresh(None, Type::scalar(PrimType::Bool));
                Ok((LoopForm::While(running), Some(Mask::Is(cond, true)), Some((running, initial))))
            }
        }
    }

    /// Whether a bool is true for any point.
    fn any(&mut self, array: Var) -> Lift<Atom> {
        let masks = std::mem::take(&mut self.masks);
        let any = self.combined(BinOp::Or, |code, place| Ok(code.builder.index(array, vec![place.point])));
        self.masks = masks;
        any
    }

    /// The values of all points that take part, combined; 0 or false if there is none.
    fn combined(&mut self, op: BinOp, value: impl FnOnce(&mut Self, &mut Place) -> Lift<Atom>) -> Lift<Atom> {
        let mut screma = self.construct(
            Over::Points,
            |code, place| Ok(vec![value(code, place)?]),
            |_, _, types| zeros(types).collect(),
        )?;
        let elem = self.type_of(screma.map.body.result[0]).elem;
        let op = self.builder.operator(op, elem);
        let neutral = vec![Atom::Const(PrimValue::zero(elem))];
        screma.sinks = vec![Sink::Reduce { op, neutral, commutative: true }];
        Ok(self.builder.screma_of(screma)[0])
    }

    /// The array with the next values of a parameter: those of an iteration where a point takes part, and the values before it
    /// elsewhere.
    fn merge(&mut self, body: &Body, result: Atom, param: Var, before: Var) -> Lift<Var> {
        let all_take_part = self.masks.is_empty();
        let before = self.latest(before);
        let lifted = result.var().and_then(|var| Some((var, self.lifted_of(var)?)));
        let context = self.context_of(&self.shape_of(param));
        let is_same = match (&lifted, context) {
            (Some((_, Lifted::Lanes { context: own, .. })), Some(context)) => *own == context,
            (Some((_, Lifted::Points(_) | Lifted::Rows { .. })), None) => true,
            _ => false,
        };
        match lifted {
            Some((var, Lifted::Points(data) | Lifted::Lanes { data, .. }))
                if is_same && (all_take_part || data == before || self.keeping.contains(&var)) =>
            {
                Ok(data)
            }
            Some((var, Lifted::Rows { data, .. } | Lifted::Lanes { data, .. }))
                if is_same && (all_take_part || is_updated(&[body], var, param)) =>
            {
                Ok(data)
            }
            _ => {
                let over = match context {
                    Some(context) => Over::Lanes(context),
                    None if self.builder.vars()[param].ty.is_scalar() => Over::Points,
                    None => return Err(self.obstacle(FLAT_ARRAYS, param)),
                };
                let arrays = self.map(
                    over,
                    |code, place| match (over, result) {
                        (Over::Lanes(_), Atom::Var(array)) => Ok(vec![code.own_element(place, array)?]),
                        _ => Ok(vec![code.read_atom(place, result)?]),
                    },
                    |code, place, _| vec![code.builder.index(before, vec![place.index])],
                )?;
                Ok(arrays[0])
            }
        }
    }

    /// An array with the elements of an array of the source.
    fn own_elements(&mut self, context: ContextId, array: Atom) -> Lift<Var> {
        let arrays = self.map(
            Over::Lanes(context),
            |code, place| match array {
                Atom::Var(array) => Ok(vec![code.own_element(place, array)?]),
                array => Ok(vec![array]),
            },
            |_, _, types| zeros(types).collect(),
        )?;
        Ok(arrays[0])
    }
}

/// Whether the array is the parameter with other elements, so that the rows of points that take no part stay as they are. The last of
/// these bodies is the innermost one.
fn is_updated(bodies: &[&Body], array: Var, param: Var) -> bool {
    let Some((body, outer)) = bodies.split_last() else { return array == param };
    let Some(stm) = body.stms.iter().find(|stm| stm.binders.contains(&array)) else {
        return is_updated(outer, array, param);
    };
    let at = stm.binders.iter().position(|&binder| binder == array).unwrap_or(0);
    let source = match &stm.exp {
        Exp::Update { array, .. } | Exp::Atom(Atom::Var(array)) => Some(*array),
        Exp::Screma(screma) => screma.sink_ranges().find_map(|(sink, results, _)| match sink {
            Sink::Write { target, .. } if results.contains(&at) => Some(*target),
            _ => None,
        }),
        Exp::Loop(looped) => looped.params[at].1.var(),
        Exp::If { then, otherwise, .. } => {
            return [then, otherwise].into_iter().all(|side| {
                let inside = [bodies, &[side]].concat();
                side.result[at].var().is_some_and(|result| is_updated(&inside, result, param))
            });
        }
        _ => None,
    };
    source.is_some_and(|source| is_updated(bodies, source, param))
}
