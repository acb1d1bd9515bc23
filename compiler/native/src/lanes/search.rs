//! Searches: loops that only load, and in which what an iteration loads decides where the next one loads.
//!
//! One point at a time waits in each iteration until its load has arrived. The lanes of a strip wait together. The steps of
//! a binary search are such loops. A loop that walks through an array until it finds something is none: the
//! processor predicts that it goes on, and loads ahead. So what leaves the loop does not count.

use std::collections::BTreeSet;

use ravel_vector::{Body, Operand, Stm, Value};

/// Whether a loop with these merge parameters is a search.
pub(super) fn is_search(params: &[(Value, Operand)], body: &Body) -> bool {
    let mut reached = BTreeSet::new();
    if !loads(body, &mut reached) {
        return false;
    }
    reach(body, &mut reached);
    let decided = params.iter().zip(&body.result).filter(|(_, next)| is_in(&reached, **next));
    let mut places = decided.map(|(&(param, _), _)| param).collect();
    reach(body, &mut places);
    loads_at(body, &places)
}

/// Collects what a body loads. Returns false if it stores or has loops of its own.
fn loads(body: &Body, loaded: &mut BTreeSet<Value>) -> bool {
    body.stms.iter().all(|stm| match stm {
        Stm::Load { value, .. } => {
            loaded.insert(*value);
            true
        }
        Stm::LoadRow { values, .. } => {
            loaded.extend(values);
            true
        }
        Stm::If { then, otherwise, .. } => loads(then, loaded) && loads(otherwise, loaded),
        Stm::Let { .. } | Stm::Fail(_) => true,
        Stm::Store { .. } | Stm::Loop { .. } => false,
    })
}

/// Adds the values of an iteration that are computed from values of the set.
fn reach(body: &Body, set: &mut BTreeSet<Value>) {
    for stm in &body.stms {
        match stm {
            Stm::Let { value, exp } => {
                if exp.operands().into_iter().any(|operand| is_in(set, operand)) {
                    set.insert(*value);
                }
            }
            Stm::If { cond, binders, then, otherwise } => {
                reach(then, set);
                reach(otherwise, set);
                for (&binder, (&yes, &no)) in binders.iter().zip(then.result.iter().zip(&otherwise.result)) {
                    if [*cond, yes, no].into_iter().any(|operand| is_in(set, operand)) {
                        set.insert(binder);
                    }
                }
            }
            Stm::Load { .. } | Stm::LoadRow { .. } | Stm::Store { .. } | Stm::Fail(_) | Stm::Loop { .. } => {}
        }
    }
}

/// Whether a body loads at a position of the set.
fn loads_at(body: &Body, set: &BTreeSet<Value>) -> bool {
    body.stms.iter().any(|stm| match stm {
        Stm::Load { position, .. } => position.operands().into_iter().any(|operand| is_in(set, operand)),
        Stm::LoadRow { first, .. } => is_in(set, *first),
        Stm::If { then, otherwise, .. } => loads_at(then, set) || loads_at(otherwise, set),
        _ => false,
    })
}

fn is_in(set: &BTreeSet<Value>, operand: Operand) -> bool {
    operand.value().is_some_and(|value| set.contains(&value))
}
