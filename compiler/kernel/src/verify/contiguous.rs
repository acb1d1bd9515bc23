//! Is a view row-major and without gaps? Known products of sizes tell.

use std::collections::BTreeMap;

use ravel_prim::BinOp;

use crate::syntax::*;

/// A product: a constant, and variables in order.
type Product = (i64, Vec<Var>);

/// Scalars that the program computes as products of others.
#[derive(Debug, Default)]
pub(super) struct Products {
    known: BTreeMap<Var, Product>,
}

impl Products {
    /// Takes note of a scalar.
    pub(super) fn note(&mut self, var: Var, exp: &ScalarExp) {
        let product = match *exp {
            ScalarExp::Atom(a) => self.of(&[a]),
            ScalarExp::Binary(BinOp::Mul, a, b) => self.of(&[a, b]),
            _ => None,
        };
        if let Some(product) = product {
            self.known.insert(var, product);
        }
    }

    /// The product of the atoms; `None` if a constant overflows or is no i64.
    fn of(&self, atoms: &[Atom]) -> Option<Product> {
        let mut constant = 1i64;
        let mut factors = Vec::new();
        for &atom in atoms {
            match atom {
                Atom::Const(value) => constant = constant.checked_mul(value.as_i64()?)?,
                Atom::Var(var) => match self.known.get(&var) {
                    Some((inner, vars)) => {
                        constant = constant.checked_mul(*inner)?;
                        factors.extend(vars);
                    }
                    None => factors.push(var),
                },
            }
        }
        factors.sort_unstable();
        Some((constant, factors))
    }

    /// Does each stride equal the product of the sizes further in?
    pub(super) fn contiguous(&self, view: &View) -> bool {
        view.strides.iter().enumerate().all(|(dimension, &stride)| {
            let expected = self.of(&view.shape[dimension + 1..]);
            expected.is_some() && self.of(&[stride]) == expected
        })
    }
}
