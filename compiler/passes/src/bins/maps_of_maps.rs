//! The rule `elements`: maps whose results are arrays of several dimensions.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | elements | it flattens a map of a map by G8 and G9 for the inner one, with arrays of one dimension | a map over the elements of all points, in a context of the shape: a lane computes one element |
//!
//! The indices of the element follow from that of the lane. What a row computes before its inner construct is computed for each row
//! first, if it is not cheap.

use ravel_core::{Atom, Body, Exp, Screma, Sink, Source, Stm, Type, Var, free_in_stm};
use ravel_prim::PrimValue;

use super::code::{Code, Lift, Over, Place, is_small};
use super::context::Lifted;
use super::g00_g01_scalars::is_cheap;
use super::premises::{FLAT_ARRAYS, KNOWN_ROWS, PLAIN_SINKS};
use crate::simplify::dead;

pub(super) const ELEMENTS: &str = "elements";

impl Code<'_> {
    /// The code of the bin for a construct that makes arrays of several dimensions.
    pub(super) fn map_of_maps(&mut self, stm: &Stm, screma: &Screma) -> Lift<()> {
        let Some(&first) = stm.binders.first() else { return Ok(()) };
        if !screma.scans.is_empty() || screma.post.is_some() {
            return Err(self.obstacle(FLAT_ARRAYS, first));
        }
        // The scalar results of rows, and what is computed once for each row.
        let mut of_rows = Screma { sinks: Vec::new(), ..screma.clone() };
        of_rows.map.body.result.clear();
        let mut binders = Vec::new();
        let mut arrays: Vec<(Var, Atom)> = Vec::new();
        for (sink, results, values) in screma.sink_ranges() {
            let own = &stm.binders[results];
            let values = &screma.map.body.result[values];
            match own {
                &[binder] if self.shape_of(binder).len() > 1 => {
                    if *sink != Sink::Map {
                        return Err(self.obstacle(PLAIN_SINKS, binder));
                    }
                    arrays.push((binder, values[0]));
                }
                own => {
                    binders.extend(own);
                    of_rows.sinks.push(sink.clone());
                    of_rows.map.body.result.extend(values);
                }
            }
        }
        let mut once = Vec::new();
        for &(_, row) in &arrays {
            once.extend(self.costly(&screma.map.body, row));
        }
        once.sort_unstable();
        once.dedup();
        for &scalar in &once {
            let ty = self.builder.vars()[scalar].ty.clone();
            let array = self.builder.fresh(None, ty.array_of(screma.width));
            self.bound.insert(array);
            binders.push(array);
            of_rows.sinks.push(Sink::Map);
            of_rows.map.body.result.push(Atom::Var(scalar));
        }
        let stored: Vec<(Var, Var)> =
            once.iter().copied().zip(binders[binders.len() - once.len()..].iter().copied()).collect();
        if !binders.is_empty() {
            dead::slice(self.builder.vars(), &mut of_rows.map.body);
            let exp = Exp::Screma(Box::new(of_rows));
            let of_rows = Stm { binders, exp, origin: stm.origin.clone() };
            if let Exp::Screma(screma) = &of_rows.exp {
                self.construct_of(&of_rows, screma)?;
            }
        }
        for (binder, row) in arrays {
            self.fire(ELEMENTS)?;
            let Some(context) = self.context_of(&self.shape_of(binder)) else {
                return Err(self.obstacle(KNOWN_ROWS, binder));
            };
            let data = self.map(
                Over::Lanes(context),
                |code, place| {
                    let indices = code.indices(place)?;
                    for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
                        code.bind_source(place, param, source, indices[0])?;
                    }
                    for &(scalar, array) in &stored {
                        let value = code.read_at(place, array, &indices[..1])?;
                        place.read.insert(scalar, value);
                    }
                    let once: Vec<Var> = stored.iter().map(|&(scalar, _)| scalar).collect();
                    Ok(vec![code.element(place, &screma.map.body, &once, row, &indices[1..])?])
                },
                |code, place, types| code.idle(place, &[Some(binder)], types),
            )?;
            self.lifted.insert(binder, Lifted::Lanes { data: data[0], context });
        }
        Ok(())
    }

    /// The scalars that a body computes before it makes an array, and that the array needs, if they are not cheap.
    fn costly(&self, body: &Body, row: Atom) -> Vec<Var> {
        let made = row.var().and_then(|row| body.stms.iter().position(|stm| stm.binders.contains(&row)));
        let Some(made) = made else { return Vec::new() };
        let before = &body.stms[..made];
        let mut needed: Vec<Var> = free_in_stm(self.builder.vars(), &body.stms[made]).into_iter().collect();
        let mut costly = Vec::new();
        while let Some(var) = needed.pop() {
            let Some(stm) = before.iter().find(|stm| stm.binders.contains(&var)) else { continue };
            let is_costly = !is_cheap(&stm.exp) && !matches!(stm.exp, Exp::Index(..) | Exp::Slice(..));
            if is_costly && stm.binders.len() == 1 && self.builder.vars()[var].ty.is_scalar() {
                costly.push(var);
            } else {
                needed.extend(free_in_stm(self.builder.vars(), stm));
            }
        }
        costly
    }

    /// Binds the parameter of a construct to the element of its source at this index.
    fn bind_source(&mut self, place: &mut Place, param: Var, source: &Source, index: Atom) -> Lift<()> {
        let value = match *source {
            Source::Array(array) => self.read_at(place, array, &[index])?,
            Source::Iota { start, stride } => {
                let (start, stride) = (self.read_atom(place, start)?, self.read_atom(place, stride)?);
                self.progression(start, stride, index)
            }
        };
        place.read.insert(param, value);
        Ok(())
    }

    /// The element at these indices of an array that a body makes. The scalars in `once` have been read.
    fn element(
        &mut self,
        place: &mut Place,
        body: &Body,
        once: &[Var],
        array: Atom,
        indices: &[Atom],
    ) -> Lift<Atom> {
        let Atom::Var(array) = array else { return Ok(array) };
        let made = body.stms.iter().position(|stm| stm.binders.contains(&array));
        let Some((at, stm)) = made.map(|at| (at, &body.stms[at])) else {
            return match indices {
                [] => self.read(place, array),
                _ => self.read_at(place, array, indices),
            };
        };
        if indices.is_empty() {
            return self.prefix(place, &body.stms[..=at], once, stm.binders.clone(), array);
        }
        let result = stm.binders.iter().position(|&binder| binder == array).unwrap_or(0);
        match &stm.exp {
            Exp::Screma(inner) if inner.scans.is_empty() && inner.post.is_none() => {
                self.before(place, &body.stms[..at], once, stm)?;
                for (&param, source) in inner.map.params.iter().zip(&inner.sources) {
                    self.bind_source(place, param, source, indices[0])?;
                }
                let value = inner.sink_ranges().find_map(|(sink, results, values)| {
                    (*sink == Sink::Map && results.contains(&result)).then_some(values.start)
                });
                let value = value.ok_or_else(|| self.obstacle(PLAIN_SINKS, array))?;
                self.element(place, &inner.map.body, &[], inner.map.body.result[value], &indices[1..])
            }
            Exp::If { cond, then, otherwise } => {
                self.before(place, &body.stms[..at], once, stm)?;
                let cond = self.read_atom(place, *cond)?;
                let mut sides = Vec::new();
                for side in [then, otherwise] {
                    self.builder.begin();
                    let value = self.element(&mut place.clone(), side, &[], side.result[result], indices)?;
                    sides.push(self.builder.end(vec![value]));
                }
                let [then, otherwise] = <[Body; 2]>::try_from(sides).unwrap_or_default();
                let elem = Type::scalar(self.builder.vars()[array].ty.elem);
                Ok(self.builder.bind(elem, Exp::If { cond, then, otherwise }))
            }
            &Exp::Replicate { value, .. } => {
                self.before(place, &body.stms[..at], once, stm)?;
                match (value, &indices[1..]) {
                    (Atom::Var(row), rest @ [_, ..]) => self.read_at(place, row, rest),
                    _ => self.read_atom(place, value),
                }
            }
            &Exp::Iota { start, stride, .. } => {
                self.before(place, &body.stms[..at], once, stm)?;
                let (start, stride) = (self.read_atom(place, start)?, self.read_atom(place, stride)?);
                Ok(self.progression(start, stride, indices[0]))
            }
            Exp::Scratch => Ok(Atom::Const(PrimValue::zero(self.builder.vars()[array].ty.elem))),
            Exp::Atom(Atom::Var(other)) | Exp::Copy(other) => {
                self.element(place, body, once, Atom::Var(*other), indices)
            }
            exp if is_view(exp) || is_small(&self.builder.vars()[array].ty) => {
                let own = self.prefix(place, &body.stms[..=at], once, stm.binders.clone(), array)?;
                Ok(self.builder.index(own.var().unwrap_or(array), indices.to_vec()))
            }
            _ => Err(self.obstacle(FLAT_ARRAYS, array)),
        }
    }

    /// Adds what a statement needs of those before it.
    fn before(&mut self, place: &mut Place, before: &[Stm], once: &[Var], stm: &Stm) -> Lift<()> {
        let bound = |var: &Var| before.iter().any(|stm| stm.binders.contains(var)) && !once.contains(var);
        let needed: Vec<Var> = free_in_stm(self.builder.vars(), stm).into_iter().filter(bound).collect();
        self.copy_before(place, before, once, needed)
    }

    /// Adds these statements, as far as they are needed. Returns the value of one of their binders.
    fn prefix(
        &mut self,
        place: &mut Place,
        stms: &[Stm],
        once: &[Var],
        needed: Vec<Var>,
        result: Var,
    ) -> Lift<Atom> {
        self.copy_before(place, stms, once, needed)?;
        self.read(place, result)
    }

    /// Adds the statements that compute these variables, and the checks.
    fn copy_before(&mut self, place: &mut Place, stms: &[Stm], once: &[Var], needed: Vec<Var>) -> Lift<()> {
        // What is computed once for each row is read.
        let stms = stms.iter().filter(|stm| !stm.binders.iter().any(|binder| once.contains(binder)));
        let stms: Vec<Stm> = stms.cloned().collect();
        let checks = stms.iter().filter(|stm| matches!(stm.exp, Exp::Assert { .. }));
        let mut results = needed.clone();
        results.extend(checks.flat_map(|stm| &stm.binders));
        let result = results.iter().map(|&var| Atom::Var(var)).collect();
        let mut piece = Body { stms, result };
        dead::slice(self.builder.vars(), &mut piece);
        let vars = self.builder.vars();
        let is_kept =
            |stm: &&Stm| is_view(&stm.exp) || stm.binders.iter().all(|&binder| is_small(&vars[binder].ty));
        if let Some(stm) = piece.stms.iter().find(|stm| !is_kept(stm)) {
            return Err(self.obstacle(FLAT_ARRAYS, stm.binders[0]));
        }
        let values = self.copy(place, &piece)?;
        place.read.extend(results.into_iter().zip(values));
        Ok(())
    }
}

/// Whether the array is a view of another one.
fn is_view(exp: &Exp) -> bool {
    matches!(exp, Exp::Atom(_) | Exp::Slice(..) | Exp::Rearrange(..) | Exp::Assert { .. })
}
