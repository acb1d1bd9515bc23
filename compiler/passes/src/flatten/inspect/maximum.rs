//! Code that computes the maximum of a size, at the place where the construct bounds it: `size1 = min size most` becomes
//! `size1 = size`, followed by `maximum1 = max maximum size`.
//!
//! For a product, the construct bounds `size2` by `most / divisor`. Here this quotient becomes the greatest i64 divided by
//! `divisor`, so that the product does not overflow, and the maximum of `size2 * divisor` is computed.
//!
//! The maximum so far passes through branches and loops. A construct gets one more result and a reduction for each size
//! that is bounded in it.

use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Loop, Screma, Sink, Stm, Type, Var, VarInfo, VarTable, free_in_lambda,
    free_in_stm,
};
use ravel_prim::{BinOp, PrimType};

const ZERO: Atom = Atom::Const(ravel_prim::PrimValue::I64(0));

/// The rewrite, for sizes with these bounds.
pub(super) struct Maxima<'a> {
    pub vars: &'a mut VarTable,
    /// The bounds whose maxima are computed.
    pub wanted: &'a [Var],
    /// All bounds that are not known yet.
    pub missing: &'a [Var],
    /// The quotients of bounds of products, each with its bound and the divisor.
    pub quotients: Vec<(Var, Var, Atom)>,
}

impl Maxima<'_> {
    /// Adds results to a construct: one for each wanted bound, in order.
    pub(super) fn construct(&mut self, stm: &mut Stm) {
        self.stm(stm, &mut vec![ZERO; self.wanted.len()]);
    }

    /// Rewrites the statements of a body. `maxima` are the maxima before it; returns the maxima after it.
    fn body(&mut self, body: &mut Body, mut maxima: Vec<Atom>) -> Vec<Atom> {
        for mut stm in std::mem::take(&mut body.stms) {
            let after = self.stm(&mut stm, &mut maxima);
            body.stms.push(stm);
            body.stms.extend(after);
        }
        maxima
    }

    /// Rewrites a statement, and updates the maxima. Returns statements that must follow it.
    fn stm(&mut self, stm: &mut Stm, maxima: &mut [Atom]) -> Vec<Stm> {
        match stm.exp {
            Exp::Binary(BinOp::Min, size, Atom::Var(most)) if self.missing.contains(&most) => {
                stm.exp = Exp::Atom(size);
                return self.update_if_wanted(most, size, maxima, stm);
            }
            Exp::Binary(BinOp::Quot, Atom::Var(most), divisor) if self.missing.contains(&most) => {
                stm.exp = Exp::Binary(BinOp::Quot, Atom::i64(i64::MAX), divisor);
                self.quotients.extend(stm.binders.iter().map(|&quotient| (quotient, most, divisor)));
                return Vec::new();
            }
            Exp::Binary(BinOp::Min, _, Atom::Var(quotient)) => {
                let known = self.quotients.iter().find(|(known, ..)| *known == quotient);
                let (Some(&(_, most, divisor)), Some(&size)) = (known, stm.binders.first()) else {
                    return Vec::new();
                };
                let binder = self.fresh_i64();
                let exp = Exp::Binary(BinOp::Mul, Atom::Var(size), divisor);
                let mut after = vec![Stm { binders: vec![binder], exp, origin: stm.origin.clone() }];
                after.extend(self.update_if_wanted(most, Atom::Var(binder), maxima, stm));
                return after;
            }
            _ => {}
        }
        let used = free_in_stm(self.vars, stm);
        let own: Vec<usize> =
            (0..self.wanted.len()).filter(|&own| used.contains(&self.wanted[own])).collect();
        // A branch or a loop continues from the maxima before it, a construct begins anew.
        let begins_anew = matches!(stm.exp, Exp::Screma(_) | Exp::Segment(_));
        match &mut stm.exp {
            Exp::If { then, otherwise, .. } => {
                for side in [then, otherwise] {
                    let after = self.body(side, maxima.to_vec());
                    side.result.extend(own.iter().map(|&own| after[own]));
                }
            }
            Exp::Loop(looped) => self.loop_exp(looped, &own, maxima),
            Exp::Screma(screma) => self.screma(screma, &own),
            Exp::Segment(segment) => self.screma(&mut segment.screma, &own),
            Exp::Stream(_) => unreachable!("the streams of a construct are replaced before it is inspected"),
            // Statements without nested code.
            Exp::Atom(_)
            | Exp::Unary(..)
            | Exp::Binary(..)
            | Exp::Compare(..)
            | Exp::Convert(..)
            | Exp::Trust(_)
            | Exp::Param(..)
            | Exp::ArrayLit(_)
            | Exp::Index(..)
            | Exp::Slice(..)
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch
            | Exp::Copy(_)
            | Exp::Rearrange(..)
            | Exp::Reshape(_)
            | Exp::Manifest(..)
            | Exp::Concat(_)
            | Exp::Assert { .. }
            | Exp::Call(_) => return Vec::new(),
        }
        let mut after = Vec::new();
        for own in own {
            let binder = self.fresh_i64();
            stm.binders.push(binder);
            if begins_anew && maxima[own] != ZERO {
                after.push(self.update(&mut maxima[own], Atom::Var(binder), stm));
            } else {
                maxima[own] = Atom::Var(binder);
            }
        }
        after
    }

    /// The statement that updates the maximum for a bound, if it is wanted.
    fn update_if_wanted(&mut self, most: Var, number: Atom, maxima: &mut [Atom], stm: &Stm) -> Vec<Stm> {
        let own = self.wanted.iter().position(|&wanted| wanted == most);
        own.into_iter().map(|own| self.update(&mut maxima[own], number, stm)).collect()
    }

    /// The statement that updates a maximum.
    fn update(&mut self, maximum: &mut Atom, size: Atom, stm: &Stm) -> Stm {
        let binder = self.fresh_i64();
        let exp = Exp::Binary(BinOp::Max, std::mem::replace(maximum, Atom::Var(binder)), size);
        Stm { binders: vec![binder], exp, origin: stm.origin.clone() }
    }

    fn loop_exp(&mut self, looped: &mut Loop, own: &[usize], maxima: &[Atom]) {
        let mut before = maxima.to_vec();
        for &own in own {
            let param = self.fresh_i64();
            looped.params.push((param, maxima[own]));
            before[own] = Atom::Var(param);
        }
        let after = self.body(&mut looped.body, before);
        looped.body.result.extend(own.iter().map(|&own| after[own]));
    }

    fn screma(&mut self, screma: &mut Screma, own: &[usize]) {
        let mut values = self.body(&mut screma.map.body, vec![ZERO; self.wanted.len()]);
        let mut last = &mut screma.map;
        if let Some(post) = &mut screma.post {
            for value in values.iter_mut().filter(|value| **value != ZERO) {
                let param = self.fresh_i64();
                post.params.push(param);
                last.body.result.push(std::mem::replace(value, Atom::Var(param)));
            }
            values = self.body(&mut post.body, values);
            last = post;
        }
        last.body.result.extend(own.iter().map(|&own| values[own]));
        for _ in own {
            let (op, neutral) = (self.maximum(), vec![ZERO]);
            screma.sinks.push(Sink::Reduce { op, neutral, commutative: true });
        }
    }

    fn maximum(&mut self) -> Lambda {
        let mut builder = Builder::resume(std::mem::take(self.vars));
        let op = builder.operator(BinOp::Max, PrimType::I64);
        (*self.vars, _) = builder.finish();
        op
    }

    fn fresh_i64(&mut self) -> Var {
        self.vars.push(VarInfo { hint: None, ty: Type::scalar(PrimType::I64) })
    }
}

/// Whether one of these bounds is used in an operator of a reduction, scan or combination, whose results are fixed.
pub(super) fn in_operator(vars: &VarTable, stm: &Stm, bounds: &[Var]) -> bool {
    let mut search = Operators { vars, bounds, found: false };
    search.stm(stm);
    search.found
}

struct Operators<'a> {
    vars: &'a VarTable,
    bounds: &'a [Var],
    found: bool,
}

impl Operators<'_> {
    fn operator(&mut self, op: &Lambda) {
        let used = free_in_lambda(self.vars, op);
        self.found |= self.bounds.iter().any(|bound| used.contains(bound));
    }
}

impl Visit for Operators<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn screma(&mut self, screma: &Screma) {
        screma.scans.iter().for_each(|scan| self.operator(&scan.op));
        for sink in &screma.sinks {
            if let Sink::Reduce { op, .. } | Sink::Combine { op, .. } = sink {
                self.operator(op);
            }
        }
        self.lambda(&screma.map);
        screma.post.iter().for_each(|post| self.lambda(post));
    }
}
