//! Dead-code elimination. If a scalar is only used as a position, its value in lane 0 is enough, and its values in all
//! lanes are dead.
//!
//! One walk from the end to the beginning: a use comes after its definition, so a binding that has not been used so far
//! is dead. Branches and loops stay, and so do their merge parameters.

use std::collections::BTreeSet;

use crate::form::{Body, Form, Operand, Stm, Strip, Value};

/// Removes expressions, loads and inputs that are not used.
pub(crate) fn remove(strip: &mut Strip) {
    let mut used = BTreeSet::new();
    body(&mut strip.body, &mut used);
    mark_used(&strip.preallocated().map(|(_, count)| count).collect::<Vec<_>>(), &mut used);
    let mut before = std::mem::take(&mut strip.before);
    before.reverse();
    before.retain(|(value, exp)| {
        let is_used = used.contains(value);
        if is_used {
            mark_used(&exp.operands(), &mut used);
        }
        is_used
    });
    before.reverse();
    strip.before = before;
    strip.inputs.retain(|(value, _)| used.contains(value));
}

fn body(body: &mut Body, used: &mut BTreeSet<Value>) {
    mark_used(&body.result, used);
    let mut live = Vec::with_capacity(body.stms.len());
    while let Some(mut stm) = body.stms.pop() {
        if is_live(&mut stm, used) {
            live.push(stm);
        }
    }
    live.reverse();
    body.stms = live;
}

/// Whether a statement is needed. If so, notes what it uses.
fn is_live(stm: &mut Stm, used: &mut BTreeSet<Value>) -> bool {
    match stm {
        Stm::Let { value, exp } => {
            if !used.contains(value) {
                return false;
            }
            mark_used(&exp.operands(), used);
        }
        Stm::Load { value, position, mask, .. } => {
            if !used.contains(value) {
                return false;
            }
            mark_used(&position.operands(), used);
            mark_used(mask.as_slice(), used);
        }
        Stm::LoadRow { values, first, step, .. } => {
            if !values.iter().any(|value| used.contains(value)) {
                return false;
            }
            mark_used(&[*first, *step], used);
        }
        Stm::Store { position, value, mask, .. } => {
            mark_used(&position.operands(), used);
            mark_used(&[*value], used);
            mark_used(mask.as_slice(), used);
        }
        Stm::If { cond, then, otherwise, .. } => {
            body(then, used);
            body(otherwise, used);
            mark_used(&[*cond], used);
        }
        Stm::Loop { params, form, body: round, .. } => {
            body(round, used);
            params.iter().for_each(|(_, first)| mark_used(&[*first], used));
            if let Form::For { bound, .. } = form {
                mark_used(&[*bound], used);
            }
        }
        Stm::Fail(cond) => mark_used(&[*cond], used),
    }
    true
}

fn mark_used(operands: &[Operand], used: &mut BTreeSet<Value>) {
    used.extend(operands.iter().filter_map(|operand| operand.value()));
}
