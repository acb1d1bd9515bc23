//! What is known of the sizes in the code of a point before its segment runs.

use ravel_core::{Atom, Exp, Stm, Var};
use ravel_prim::BinOp;
use rustc_hash::FxHashSet;

/// The scalars of a point's code that can be computed before the segment: arithmetic that cannot fail, on scalars from
/// outside of the segment.
#[derive(Clone, Default)]
pub(super) struct KnownScalars {
    /// All other variables of the code.
    varying: FxHashSet<Var>,
}

impl KnownScalars {
    /// Records variables that cannot be computed before the segment.
    pub(super) fn record_varying(&mut self, vars: impl IntoIterator<Item = Var>) {
        self.varying.extend(vars);
    }

    /// Records the binders of a statement.
    pub(super) fn record(&mut self, stm: &Stm) {
        if let Exp::Assert { values, .. } = &stm.exp {
            let bound = stm.binders.iter().zip(values);
            let varying = bound.filter(|(_, value)| !self.is_known(**value)).map(|(&binder, _)| binder);
            let varying: Vec<Var> = varying.collect();
            self.record_varying(varying);
        } else if !self.is_total(stm) {
            self.record_varying(stm.binders.iter().copied());
        }
    }

    /// Whether the statement itself can run before the segment: also a division by a constant, which cannot fail. The
    /// translation to kernel IR, which computes sizes again, takes no divisions.
    pub(super) fn can_move(&self, stm: &Stm) -> bool {
        match stm.exp {
            Exp::Binary(
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem,
                dividend,
                Atom::Const(divisor),
            ) => divisor.as_i64().is_some_and(|divisor| divisor != 0) && self.is_known(dividend),
            _ => self.is_total(stm),
        }
    }

    /// Whether the statement is arithmetic that cannot fail, on scalars that can be computed before the segment.
    fn is_total(&self, stm: &Stm) -> bool {
        total(&stm.exp).is_some_and(|operands| operands.into_iter().all(|atom| self.is_known(atom)))
    }

    /// Whether the atom can be computed before the segment.
    pub(super) fn is_known(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.varying.contains(&var))
    }
}

/// The operands of a scalar expression that can be computed speculatively.
fn total(exp: &Exp) -> Option<Vec<Atom>> {
    Some(match *exp {
        Exp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow, ..) => return None,
        Exp::Atom(a) | Exp::Unary(_, a) | Exp::Convert(_, a) => vec![a],
        Exp::Binary(_, a, b) | Exp::Compare(_, a, b) => vec![a, b],
        Exp::Param(..) => Vec::new(),
        _ => return None,
    })
}

/// Whether the expression is a view or the like, which needs no memory.
pub(super) fn is_view(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Atom(_)
            | Exp::Assert { .. }
            | Exp::Index(..)
            | Exp::Slice(..)
            | Exp::Rearrange(..)
            | Exp::Update { .. }
    )
}
