//! Lifetimes of arrays: the last use of an array may take it and update it in place.
//!
//! A variable is *owned* by the body that binds it; a parameter of a loop or a lambda, by the body of the loop or
//! lambda. A variable *dies* at the last statement of its owner that uses it. If the statement uses it exactly once, as
//! its own operand, the array *moves* into the operation. Otherwise the variable's slot is cleared after the statement.
//! If a variable dies at a branch, both bodies of the branch become its owners, since only one of them runs. If it dies
//! at a segment of one point without operators, the code of the point becomes its owner. The results of a nested body
//! are read by copying the reference, so their slots too are cleared: after the statement, and after every iteration of
//! a loop.
//!
//! A mistake here costs time but never changes a result, because an array with other references is copied before a
//! write.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::id::Id;
use ravel_core::visit::Visit;
use ravel_core::{Body, Exp, Function, Lambda, Stm, Var, VarTable};

/// The variables that die at one statement.
#[derive(Debug, Default)]
pub struct Deaths {
    /// Variables whose array moves into the operation.
    pub moved: Vec<Var>,
    /// Variables to clear after the statement.
    pub dead: Vec<Var>,
    /// Variables to clear after each iteration of a loop.
    pub round: Vec<Var>,
}

/// The variables that die at each statement of a function. A statement is identified by its first binder.
#[derive(Debug)]
pub struct Lifetimes {
    deaths: Vec<Deaths>,
}

impl Lifetimes {
    pub fn new(function: &Function) -> Lifetimes {
        let deaths = function.vars.keys().map(|_| Deaths::default()).collect();
        let mut analysis = Analysis { vars: &function.vars, deaths, deep: BTreeMap::new() };
        analysis.count(&function.body);
        analysis.body(&function.body, function.params.iter().map(|param| param.var).collect());
        Lifetimes { deaths: analysis.deaths }
    }

    pub fn at(&self, stm: &Stm) -> Option<&Deaths> {
        self.deaths.get(stm.binders.first()?.index())
    }
}

struct Analysis<'a> {
    vars: &'a VarTable,
    deaths: Vec<Deaths>,
    /// For each statement with bodies, by its first binder: the uses in it and in its bodies.
    deep: BTreeMap<Var, Counts>,
}

/// The number of uses of each array.
type Counts = BTreeMap<Var, usize>;

impl Analysis<'_> {
    /// Counts the uses of arrays in the body, and in each statement with bodies.
    fn count(&mut self, body: &Body) -> Counts {
        let mut total = Counts::new();
        for stm in &body.stms {
            let counts = self.count_in(stm);
            add(&mut total, &counts);
            if let Some(&first) = stm.binders.first()
                && !nested(&stm.exp).is_empty()
            {
                self.deep.insert(first, counts);
            }
        }
        for var in self.arrays(body.result.iter().filter_map(|atom| atom.var())) {
            *total.entry(var).or_default() += 1;
        }
        total
    }

    /// Counts the uses of arrays in the statement.
    fn count_in(&mut self, stm: &Stm) -> Counts {
        let mut counts = self.operands(&stm.exp);
        for (_, nested) in nested(&stm.exp) {
            add(&mut counts, &self.count(nested));
        }
        counts
    }

    /// The uses of arrays as operands of the expression.
    fn operands(&self, exp: &Exp) -> Counts {
        let mut operands = Operands(Vec::new());
        operands.exp(exp);
        let mut counts = Counts::new();
        for var in self.arrays(operands.0) {
            *counts.entry(var).or_default() += 1;
        }
        counts
    }

    fn is_array(&self, var: Var) -> bool {
        self.vars.get(var).is_some_and(|info| !info.ty.is_scalar())
    }

    fn arrays(&self, vars: impl IntoIterator<Item = Var>) -> Vec<Var> {
        vars.into_iter().filter(|&var| self.is_array(var)).collect()
    }

    fn body(&mut self, body: &Body, mut owned: BTreeSet<Var>) {
        owned.extend(body.stms.iter().flat_map(|stm| &stm.binders));
        let mut live: BTreeSet<Var> = body.result.iter().filter_map(|atom| atom.var()).collect();
        for stm in body.stms.iter().rev() {
            let own = self.operands(&stm.exp);
            let known = stm.binders.first().and_then(|first| self.deep.remove(first));
            let all = known.unwrap_or_else(|| self.count_in(stm));
            let ending = all.keys().chain(&stm.binders).copied();
            let ending = self.arrays(ending.filter(|var| owned.contains(var) && !live.contains(var)));
            let once = |var: &Var| own.get(var) == Some(&1) && all.get(var) == Some(&1);
            let (moved, mut dead): (Vec<Var>, Vec<Var>) = ending.into_iter().partition(once);
            let handed_over = match &stm.exp {
                Exp::If { .. } => dead.clone(),
                Exp::Segment(segment)
                    if segment.is_single_point() && segment.screma.lambdas().count() == 1 =>
                {
                    dead.clone()
                }
                _ => Vec::new(),
            };
            let mut round = Vec::new();
            for (params, nested) in nested(&stm.exp) {
                let results = nested.result.iter().filter_map(|atom| atom.var());
                let bound: BTreeSet<Var> = nested.stms.iter().flat_map(|stm| &stm.binders).copied().collect();
                round.extend(self.arrays(results.filter(|var| bound.contains(var))));
                self.body(nested, params.into_iter().chain(handed_over.iter().copied()).collect());
            }
            dead.extend(&round);
            if let Some(deaths) = stm.binders.first().and_then(|first| self.deaths.get_mut(first.index())) {
                *deaths = Deaths { moved, dead, round };
            }
            live.extend(all.into_keys());
        }
    }
}

/// The bodies inside an expression, each with the parameters it owns.
fn nested<'e>(exp: &'e Exp) -> Vec<(Vec<Var>, &'e Body)> {
    let lambda = |lambda: &'e Lambda| (lambda.params.clone(), &lambda.body);
    match exp {
        Exp::If { then, otherwise, .. } => vec![(Vec::new(), then), (Vec::new(), otherwise)],
        Exp::Loop(looped) => vec![(looped.params.iter().map(|&(param, _)| param).collect(), &looped.body)],
        Exp::Screma(screma) => screma.lambdas().map(lambda).collect(),
        Exp::Segment(segment) => segment.screma.lambdas().map(lambda).collect(),
        Exp::Stream(stream) => stream.lambdas().map(lambda).collect(),
        _ => Vec::new(),
    }
}

fn add(total: &mut Counts, counts: &Counts) {
    for (&var, &count) in counts {
        *total.entry(var).or_default() += count;
    }
}

/// The operands of an expression, without those inside its bodies.
struct Operands(Vec<Var>);

impl Visit for Operands {
    fn var(&mut self, var: &Var) {
        self.0.push(*var);
    }

    fn binder(&mut self, _: &Var) {}

    fn body(&mut self, _: &Body) {}
}
