//! Lineage: the array whose memory a result uses, as far as the statements of its body show.
//!
//! The result of an update is in the memory of the updated array. Likewise, another name, an assertion, a write or a
//! combination is in the memory of its operand. So is a loop that consumes its initial value, and a branch whose sides
//! both use one array.

use ravel_core as core;

use super::scope::{Array, Cx, Value};

impl Cx<'_> {
    /// The atom whose memory a result of the body uses. It may be bound inside or outside the body.
    pub fn ancestor(&self, body: &core::Body, result: core::Atom) -> core::Atom {
        let mut atom = result;
        for stm in body.stms.iter().rev() {
            if let Some(position) = atom.var().and_then(|var| stm.binders.iter().position(|&b| b == var)) {
                match self.parent(&stm.exp, position) {
                    Some(parent) => atom = parent,
                    None => break,
                }
            }
        }
        atom
    }

    /// The array from outside that the body consumes to make this result, if there is one.
    pub fn consumed_ancestor(&self, body: &core::Body, result: core::Atom) -> Option<Array> {
        let ancestor = self.ancestor(body, result);
        let is_consumed = self.aliases.of_atom(result).is_disjoint(self.aliases.of_atom(ancestor));
        match self.value(ancestor) {
            Ok(Value::Array(array)) if is_consumed => Some(array),
            _ => None,
        }
    }

    /// The array whose memory the result with this number uses, if it has no memory of its own.
    pub fn parent(&self, exp: &core::Exp, position: usize) -> Option<core::Atom> {
        match exp {
            core::Exp::Atom(atom) => Some(*atom),
            core::Exp::Update { array, .. } => Some(core::Atom::Var(*array)),
            core::Exp::Assert { values, .. } => values.get(position).copied(),
            core::Exp::Loop(looped) => {
                let &(param, init) = looped.params.get(position)?;
                self.aliases.is_consumed(param).then_some(init)
            }
            core::Exp::If { then, otherwise, .. } => {
                let a = self.ancestor(then, *then.result.get(position)?);
                let b = self.ancestor(otherwise, *otherwise.result.get(position)?);
                let both_outside = a == b && !then.stms.iter().any(|stm| binds(stm, a));
                both_outside.then_some(a)
            }
            core::Exp::Screma(_) | core::Exp::Segment(_) => {
                let screma = exp.screma()?;
                let mut position = position;
                for sink in &screma.sinks {
                    if position < sink.results() {
                        return match sink {
                            core::Sink::Map | core::Sink::Concat { .. } | core::Sink::Reduce { .. } => None,
                            core::Sink::Write { target, .. } => Some(core::Atom::Var(*target)),
                            core::Sink::Combine { targets, .. } => {
                                targets.get(position).map(|&target| core::Atom::Var(target))
                            }
                        };
                    }
                    position -= sink.results();
                }
                None
            }
            _ => None,
        }
    }
}

fn binds(stm: &core::Stm, atom: core::Atom) -> bool {
    atom.var().is_some_and(|var| stm.binders.contains(&var))
}
