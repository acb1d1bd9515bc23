//! Copies where the language tells arrays apart and core's law cannot.
//!
//! The checker follows names, the law of core ([`ravel_core::verify`]) follows memory, and where several
//! results of a loop or a branch may be one array, some of them only by way of others, it joins them all.
//! Consuming one of them is then unlawful unless it is consumed as a copy, which means the same.

use ravel_core::alias::Summaries;
use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, Call, Conflict, Exp, Function, Program, Sink, Stm, Var, VarTable, conflict};

/// Copies what is consumed and, for all that the law knows, still seen by others.
pub(crate) fn copy_apart(program: &mut Program) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        while let Some(conflict) = conflict(&summaries, function) {
            if !mend(function, conflict) {
                break;
            }
        }
    }
}

/// Puts a copy where it sets apart what is in conflict. Was there a place for it?
fn mend(function: &mut Function, conflict: Conflict) -> bool {
    let mut mender = Mender { vars: &mut function.vars, conflict, done: false };
    mender.body(&mut function.body);
    mender.done
}

struct Mender<'a> {
    vars: &'a mut VarTable,
    conflict: Conflict,
    done: bool,
}

impl VisitMut for Mender<'_> {
    fn var(&mut self, _: &mut Var) {}

    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let (Conflict::Consumed { by: stm, .. } | Conflict::Next { of: stm, .. }) = self.conflict;
        match body.stms.iter().position(|at| at.binders.first() == Some(&stm)) {
            Some(at) => self.mend(body, at),
            None => body.stms.iter_mut().for_each(|stm| self.stm(stm)),
        }
    }
}

impl Mender<'_> {
    fn mend(&mut self, body: &mut Body, at: usize) {
        let stm = &mut body.stms[at];
        let origin = stm.origin.clone();
        let copy_of = |array: Var| {
            let copy = self.vars.push(self.vars[array].clone());
            (copy, Stm { binders: vec![copy], exp: Exp::Copy(array), origin })
        };
        match (self.conflict, &mut stm.exp) {
            (Conflict::Consumed { array, .. }, exp) => {
                let Some(operand) = consumed(exp, array) else { return };
                let (copy, stm) = copy_of(array);
                *operand = copy;
                body.stms.insert(at, stm);
            }
            (Conflict::Next { param, .. }, Exp::Loop(looped)) => {
                let Some(Atom::Var(next)) = looped.body.result.get_mut(param) else { return };
                let (copy, stm) = copy_of(*next);
                *next = copy;
                looped.body.stms.push(stm);
            }
            _ => return,
        }
        self.done = true;
    }
}

/// Where an expression takes this array such that it may consume it.
fn consumed(exp: &mut Exp, array: Var) -> Option<&mut Var> {
    fn var(atom: &mut Atom) -> Option<&mut Var> {
        match atom {
            Atom::Var(var) => Some(var),
            Atom::Const(_) => None,
        }
    }
    let taken: Vec<&mut Var> = match exp {
        Exp::Update { array, .. } => vec![array],
        Exp::Call(Call { args, .. }) => args.iter_mut().filter_map(var).collect(),
        Exp::Loop(looped) => looped.params.iter_mut().filter_map(|(_, init)| var(init)).collect(),
        Exp::Screma(screma) => screma
            .sinks
            .iter_mut()
            .flat_map(|sink| match sink {
                Sink::Write { target, .. } => vec![target],
                Sink::Combine { targets, .. } => targets.iter_mut().collect(),
                Sink::Map | Sink::Reduce { .. } => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    };
    taken.into_iter().find(|taken| **taken == array)
}
