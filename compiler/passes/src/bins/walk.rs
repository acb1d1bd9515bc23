//! The nests that get bins: those with the attribute, and those for which the choice between versions is made when the program
//! runs.

use ravel_base::Symbol;
use ravel_core::visit::VisitMut;
use ravel_core::{Body, Exp, Function, Lambda, Program, Stm, Var, VarTable};

use super::BINS;
use super::nest::{Request, in_bins};
use super::order::Order;
use super::premises::Obstacle;
use crate::flatten::asks_for_version;
use crate::{Cx, Refusal};

pub(super) fn run(program: &mut Program, cx: &mut Cx) {
    let entries: Vec<Symbol> = program.entries.iter().map(|entry| entry.function).collect();
    for Function { name, vars, body, .. } in &mut program.functions {
        let may_choose = cx.target.outer_points > 0 && entries.contains(name);
        Binner { vars, cx, function: *name, nests: 0, may_choose }.body(body);
    }
}

/// Walks code outside of constructs.
struct Binner<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    /// The name of the function.
    function: Symbol,
    /// The number of its nests in bins so far.
    nests: usize,
    /// Whether a nest without an attribute may get a version with bins. In a loop it does not: an inspector in each iteration could
    /// cost more than it saves.
    may_choose: bool,
}

impl VisitMut for Binner<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}
    fn lambda(&mut self, _: &mut Lambda) {}

    fn body(&mut self, body: &mut Body) {
        self.cx.count_visits(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            let may_choose = self.may_choose;
            self.may_choose &= !matches!(stm.exp, Exp::Loop(_));
            self.exp(&mut stm.exp);
            self.may_choose = may_choose;
            body.stms.extend(self.place(stm));
        }
    }
}

impl Binner<'_> {
    /// The statement, in bins if it asks for them and the premises hold.
    fn place(&mut self, mut stm: Stm) -> Vec<Stm> {
        let Some(order) = stm.origin.attributes.iter().copied().find_map(Order::of) else {
            return if self.may_choose { self.choose(stm) } else { vec![stm] };
        };
        stm.origin.attributes.retain(|&attribute| Order::of(attribute).is_none());
        match self.attempt(&stm, Request::Bins(order)) {
            Ok(stms) => stms,
            Err(obstacle) => {
                if let Obstacle::Missing(premise, name) = obstacle {
                    let refusal = Refusal::of(premise).blame(name, stm.origin.place());
                    self.cx.refuse(BINS, refusal, &stm.origin);
                }
                vec![stm]
            }
        }
    }

    /// The statement, in two versions if it is a nest for which bins may pay.
    fn choose(&mut self, stm: Stm) -> Vec<Stm> {
        if !matches!(stm.exp, Exp::Screma(_)) || asks_for_version(&stm) {
            return vec![stm];
        }
        self.attempt(&stm, Request::IfTheyPay).unwrap_or_else(|_| vec![stm])
    }

    /// The statements of a construct in bins.
    fn attempt(&mut self, stm: &Stm, request: Request) -> Result<Vec<Stm>, Obstacle> {
        let name = format!("{}.bins{}", self.function, self.nests);
        let mut trial = self.cx.trial();
        let mut vars = self.vars.clone();
        let stms = in_bins(&mut vars, &mut trial, stm, &name, request)?;
        if !trial.fire(BINS, &stm.origin) || !self.cx.adopt(trial) {
            return Err(Obstacle::RuleIsOff);
        }
        *self.vars = vars;
        self.nests += 1;
        Ok(stms)
    }
}
