//! Copies of consumed arrays, where the language allows a consumption that core IR does not.
//!
//! The type checker computes aliases from the source, and the verifier of core IR ([`ravel_core::verify`]) from core
//! IR. If some results of a loop or a branch may alias, directly or through others, the verifier may assume that they
//! all do. It then rejects the consumption of one of them while another is used. The program that consumes a copy
//! instead is valid and has the same results.

use ravel_core::alias::Summaries;
use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, Call, Conflict, Exp, Function, Program, Sink, Stm, Var, VarTable, conflict};

/// Copies each array whose consumption the verifier would reject. If a copy cannot resolve a conflict, the compiler has
/// a bug, which the verifier reports.
pub(crate) fn resolve_conflicts(program: &mut Program) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        while let Some(conflict) = conflict(&summaries, function) {
            if !resolve(function, conflict) {
                break;
            }
        }
    }
}

/// Inserts the copy that resolves the conflict; false if no copy can resolve it.
fn resolve(function: &mut Function, conflict: Conflict) -> bool {
    let mut inserter = CopyInserter { vars: &mut function.vars, conflict, done: false };
    inserter.body(&mut function.body);
    inserter.done
}

struct CopyInserter<'a> {
    vars: &'a mut VarTable,
    conflict: Conflict,
    done: bool,
}

impl VisitMut for CopyInserter<'_> {
    fn var(&mut self, _: &mut Var) {}

    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let (Conflict::Consumed { by: stm, .. } | Conflict::Next { of: stm, .. }) = self.conflict;
        match body.stms.iter().position(|at| at.binders.first() == Some(&stm)) {
            Some(at) => self.insert_copy(body, at),
            None => body.stms.iter_mut().for_each(|stm| self.stm(stm)),
        }
    }
}

impl CopyInserter<'_> {
    fn insert_copy(&mut self, body: &mut Body, at: usize) {
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
            (Conflict::Next { param, .. }, exp) => {
                let Exp::Loop(looped) = exp else { return };
                let Some(Atom::Var(next)) = looped.body.result.get_mut(param) else { return };
                let (copy, stm) = copy_of(*next);
                *next = copy;
                looped.body.stms.push(stm);
            }
        }
        self.done = true;
    }
}

/// The operand through which an expression may consume this array.
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
                Sink::Map | Sink::Concat { .. } | Sink::Reduce { .. } => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    };
    taken.into_iter().find(|taken| **taken == array)
}
