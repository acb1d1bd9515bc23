//! One round of `simplify`, without the removal of dead code.

use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Lambda, LoopForm, Origin, Screma, Source, Stm, Stream, Substitution,
    Var, VarTable,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::common::{self, Available};
use super::dependence::Dependences;
use super::{Check, Facts, RULES, Rewrite, is_negative};
use crate::{Cx, Refusal};

/// A rule, its premise that fails, and the origin of the statement.
type Refused = (&'static str, Refusal, Origin);

/// Applies the rules to the statements of a function, from the first to the last. Returns the refusals.
pub fn forward(function: &mut Function, ranges: Ranges, cx: &mut Cx) -> Vec<Refused> {
    let shapes = function.vars.iter().flat_map(|(_, info)| &info.ty.shape);
    let mut simplifier = Simplifier {
        sizes: shapes.filter_map(|size| size.var()).collect(),
        vars: std::mem::take(&mut function.vars),
        substitution: Substitution::new(),
        definitions: FxHashMap::default(),
        checks: FxHashMap::default(),
        available: Available::default(),
        dependences: Dependences::default(),
        ranges,
        conditions: Vec::new(),
        refusals: Vec::new(),
        cx,
    };
    simplifier.body(&mut function.body);
    function.vars = simplifier.vars;
    simplifier.refusals
}

struct Simplifier<'a> {
    vars: VarTable,
    /// The variables that occur in types.
    sizes: FxHashSet<Var>,
    substitution: Substitution,
    definitions: FxHashMap<Var, Exp>,
    checks: FxHashMap<Var, Check>,
    available: Available,
    dependences: Dependences,
    ranges: Ranges,
    conditions: Vec<(Atom, bool)>,
    refusals: Vec<Refused>,
    cx: &'a mut Cx,
}

impl VisitMut for Simplifier<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.resolve(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.resolve(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        for at in 0..self.vars[*var].ty.rank() {
            self.vars[*var].ty.shape[at] = self.resolve(self.vars[*var].ty.shape[at]);
        }
    }

    fn body(&mut self, body: &mut Body) {
        let (mark, ranges) = (self.available.enter(), self.ranges.enter());
        // The statements still to visit, the next one last.
        let mut waiting = std::mem::take(&mut body.stms);
        waiting.reverse();
        while let Some(mut stm) = waiting.pop() {
            self.cx.count_visits(1);
            self.operands(&mut stm);
            if self.rewrite(&mut stm, &mut waiting) {
                continue;
            }
            let before = self.dependences.count();
            self.dependences.enter(&stm.exp);
            self.nested(&mut stm.exp);
            self.dependences.define(&stm, before);
            self.record(&stm);
            body.stms.push(stm);
        }
        for atom in &mut body.result {
            self.atom(atom);
        }
        self.available.leave(mark);
        self.ranges.leave(ranges);
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        for param in &mut lambda.params {
            self.binder(param);
        }
        self.body(&mut lambda.body);
    }
}

impl VisitWithFacts for Simplifier<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, &self.vars)
    }

    fn before_operators(&mut self, screma: &Screma) {
        self.dependences.enter_operators(screma);
    }

    fn before_stream_operators(&mut self, stream: &Stream) {
        self.dependences.enter_stream_operators(stream);
    }

    fn side(&mut self, cond: Atom, truth: bool, body: &mut Body) {
        let mark = self.ranges.enter();
        self.ranges.assume(&self.vars, cond, truth);
        self.conditions.push((cond, truth));
        self.body(body);
        self.conditions.pop();
        self.ranges.leave(mark);
    }
}

impl Simplifier<'_> {
    /// Follows substitutions to the end: the replacement of a variable may have been replaced itself.
    fn resolve(&self, mut atom: Atom) -> Atom {
        loop {
            let name = self.substitution.atom(atom);
            if name == atom {
                return atom;
            }
            atom = name;
        }
    }

    /// Applies the substitution to operands. Nested bodies follow once the statement is known to stay.
    fn operands(&mut self, stm: &mut Stm) {
        for binder in &mut stm.binders {
            self.binder(binder);
        }
        match &mut stm.exp {
            Exp::If { cond, .. } => *cond = self.resolve(*cond),
            Exp::Loop(looped) => {
                for (param, init) in &mut looped.params {
                    self.binder(param);
                    *init = self.resolve(*init);
                }
                if let LoopForm::For { bound, .. } = &mut looped.form {
                    *bound = self.resolve(*bound);
                }
                looped.body.result.iter_mut().for_each(|atom| *atom = self.resolve(*atom));
            }
            Exp::Screma(screma) => self.screma_operands(screma),
            Exp::Segment(segment) => {
                for (_, size) in &mut segment.outer {
                    *size = self.resolve(*size);
                }
                self.screma_operands(&mut segment.screma);
            }
            Exp::Stream(stream) => {
                stream.width = self.resolve(stream.width);
                stream.chunk.params.iter_mut().for_each(|param| self.binder(param));
            }
            exp => self.exp(exp),
        }
    }

    fn screma_operands(&mut self, screma: &mut Screma) {
        screma.width = self.resolve(screma.width);
        screma.map.params.iter_mut().for_each(|param| self.binder(param));
        for source in &mut screma.sources {
            if let Source::Iota { start, stride } = source {
                (*start, *stride) = (self.resolve(*start), self.resolve(*stride));
            }
        }
    }

    /// Applies the first rule that matches; false if none does. The replacement goes back to `waiting`, to be visited
    /// next.
    fn rewrite(&mut self, stm: &mut Stm, waiting: &mut Vec<Stm>) -> bool {
        let known = Facts {
            vars: &self.vars,
            ranges: &self.ranges,
            conditions: &self.conditions,
            definitions: &self.definitions,
            checks: &self.checks,
            available: &self.available,
            dependences: &self.dependences,
            sizes: &self.sizes,
        };
        let mut refused = Vec::new();
        let rewrites = RULES.iter().find_map(|rule| match (rule.rewrite)(&known, stm)? {
            Rewrite::Refused(premise) => {
                refused.push((rule.name, premise));
                None
            }
            rewrite => Some((rule.name, rewrite)),
        });
        let shared = || {
            let atoms = self.available.find(&self.vars, stm)?;
            Some((common::NAME, Rewrite::Atoms(atoms)))
        };
        let Some((name, rewrite)) = rewrites.or_else(shared) else {
            let place = stm.origin.place();
            self.refusals.extend(refused.into_iter().map(|(rule, premise)| {
                let name = stm.binders.first().and_then(|&binder| self.vars[binder].hint);
                (rule, Refusal::of(premise).blame(name, place), stm.origin.clone())
            }));
            return false;
        };
        if !self.cx.fire(name, &stm.origin) {
            return false;
        }
        stm.origin.add_rule(name);
        match rewrite {
            Rewrite::Refused(_) => unreachable!("refusals are filtered out above"),
            Rewrite::Atoms(atoms) => self.replace_all(stm, &stm.binders, &atoms, waiting),
            Rewrite::Exp(exp) => {
                stm.exp = exp;
                waiting.push(stm.clone());
            }
            Rewrite::Body(inner, body) => {
                // Substitute now: types of other binders may name these sizes.
                let (inner, atoms): (Vec<Var>, Vec<Atom>) = inner.into_iter().unzip();
                let mut copies = Vec::new();
                self.replace_all(stm, &inner, &atoms, &mut copies);
                self.splice(stm, body, waiting);
                waiting.extend(copies);
            }
            Rewrite::Emit(emit) => {
                let mut builder = Builder::resume(std::mem::take(&mut self.vars));
                builder.set_origin(stm.origin.clone());
                let atom = emit(&mut builder);
                let (vars, stms) = builder.finish();
                self.vars = vars;
                self.splice(stm, Body { stms, result: vec![atom] }, waiting);
            }
        }
        true
    }

    /// Replaces a statement by a body: its statements are visited next, and its results replace the binders.
    fn splice(&mut self, stm: &Stm, mut body: Body, waiting: &mut Vec<Stm>) {
        for inner in &mut body.stms {
            inner.origin = inner.origin.union(&stm.origin);
        }
        self.replace_all(stm, &stm.binders, &body.result, waiting);
        waiting.extend(body.stms.into_iter().rev());
    }

    /// Replaces binders of a statement by atoms. A negative constant that would replace a size becomes a copy
    /// statement.
    fn replace_all(&mut self, stm: &Stm, binders: &[Var], atoms: &[Atom], waiting: &mut Vec<Stm>) {
        for (&binder, &atom) in binders.iter().zip(atoms) {
            if is_negative(atom) && self.sizes.contains(&binder) {
                let origin = stm.origin.clone();
                waiting.push(Stm { binders: vec![binder], exp: Exp::Atom(atom), origin });
                continue;
            }
            self.substitution.insert(binder, atom);
            if let Atom::Var(var) = atom
                && self.vars[var].hint.is_none()
            {
                self.vars[var].hint = self.vars[binder].hint;
            }
        }
    }

    /// Records the facts of a statement that stays.
    fn record(&mut self, stm: &Stm) {
        self.available.add(stm);
        self.ranges.define(&self.vars, stm);
        if let Exp::Assert { cond, error, .. } = &stm.exp {
            self.checks.insert(stm.binders[0], (*cond, error.clone()));
        }
        if let [binder] = stm.binders[..]
            && matches!(
                stm.exp,
                Exp::Unary(..)
                    | Exp::Binary(..)
                    | Exp::Compare(..)
                    | Exp::Convert(..)
                    | Exp::ArrayLit(_)
                    | Exp::Iota { .. }
                    | Exp::Replicate { .. }
                    | Exp::Slice(..)
                    | Exp::Rearrange(..)
                    | Exp::Reshape(_)
                    | Exp::Manifest(..)
            )
        {
            self.definitions.insert(binder, stm.exp.clone());
        }
    }
}
