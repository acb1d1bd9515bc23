//! Products of sizes. Equal products show that a view is row-major without gaps, or that two arrays have equally many
//! elements.
//!
//! A product is stored as a constant and the power of each variable, so that repeated squaring keeps it small. If the
//! product that a scalar stands for has more than [`MAX_FACTORS`] variables, or a power that exceeds a u32, the scalar
//! itself counts as a variable. So the analysis takes linear time even if a program multiplies thousands of scalars.

use std::collections::BTreeMap;

use ravel_prim::BinOp;

use crate::syntax::*;

/// The maximum number of different variables in a recorded product. No array has this many dimensions.
const MAX_FACTORS: usize = 32;

/// A constant, and variables with their powers.
#[derive(Clone, Debug, PartialEq)]
struct Product {
    constant: i64,
    powers: BTreeMap<Var, u32>,
}

/// The scalars that the program computes as products of others.
#[derive(Debug, Default)]
pub struct Products {
    known: BTreeMap<Var, Product>,
}

impl Products {
    /// Records the definition of a scalar, if it is a product.
    pub fn record(&mut self, var: Var, exp: &ScalarExp) {
        match *exp {
            ScalarExp::Atom(a) => self.record_product(var, &[a]),
            ScalarExp::Binary(BinOp::Mul, a, b) => self.record_product(var, &[a, b]),
            _ => (),
        }
    }

    /// Records that a scalar is the product of these factors, unless the product has too many variables.
    pub fn record_product(&mut self, var: Var, factors: &[Atom]) {
        let product = self.of(factors).filter(|product| product.powers.len() <= MAX_FACTORS);
        self.known.extend(product.map(|product| (var, product)));
    }

    /// Whether the two products are known to be equal.
    pub fn same(&self, a: &[Atom], b: &[Atom]) -> bool {
        let product = self.of(a);
        product.is_some() && product == self.of(b)
    }

    /// Whether each stride is known to equal the product of the sizes of the inner dimensions.
    pub fn contiguous(&self, view: &View) -> bool {
        let mut strides = view.strides.iter().enumerate();
        strides.all(|(dimension, &stride)| self.same(&[stride], &view.shape[dimension + 1..]))
    }

    /// Whether different indices in a view are known to be different elements of its block. This holds if the view is
    /// a row-major array with its dimensions in any order, or has one dimension with a constant stride other than 0.
    pub fn injective(&self, view: &View) -> bool {
        let dimensions = view.shape.iter().copied().zip(view.strides.iter().copied());
        let mut open: Vec<_> = dimensions.filter(|&(size, _)| size != Atom::i64(1)).collect();
        if let [(_, Atom::Const(stride))] = open[..] {
            return stride.as_i64().is_some_and(|stride| stride != 0);
        }
        let mut inner = Vec::new();
        while let Some(next) = open.iter().position(|&(_, stride)| self.same(&[stride], &inner)) {
            inner.push(open.swap_remove(next).0);
        }
        open.is_empty()
    }

    /// The product of the atoms. `None` if a constant or a power overflows, or if an atom is not an i64.
    fn of(&self, atoms: &[Atom]) -> Option<Product> {
        let mut product = Product { constant: 1, powers: BTreeMap::new() };
        let mut times = |var: Var, power: u32| {
            let own = product.powers.entry(var).or_default();
            *own = own.checked_add(power)?;
            Some(())
        };
        for &atom in atoms {
            let constant = match atom {
                Atom::Const(value) => value.as_i64()?,
                Atom::Var(var) => match self.known.get(&var) {
                    Some(inner) => {
                        inner.powers.iter().try_for_each(|(&var, &power)| times(var, power))?;
                        inner.constant
                    }
                    None => {
                        times(var, 1)?;
                        1
                    }
                },
            };
            product.constant = product.constant.checked_mul(constant)?;
        }
        Some(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records `count` scalars, each as the product of the two scalars that `factors` returns.
    fn recorded(count: u32, factors: impl Fn(u32) -> [u32; 2]) -> Products {
        let mut products = Products::default();
        for var in 1..count {
            let [a, b] = factors(var).map(|var| Atom::Var(Var(var)));
            products.record(Var(var), &ScalarExp::Binary(BinOp::Mul, a, b));
        }
        products
    }

    #[test]
    fn repeated_squares_are_powers_until_the_power_overflows() {
        let squares = recorded(100, |var| [var - 1; 2]);
        let [x, third, last] = [0, 3, 99].map(|var| Atom::Var(Var(var)));
        assert!(squares.same(&[third], &[x; 8]) && !squares.same(&[third], &[x; 7]));
        assert!(squares.same(&[last], &[last]) && !squares.same(&[last], &[third]));
    }

    #[test]
    fn a_product_of_too_many_variables_is_opaque() {
        // Each scalar is the product of the previous one and a new variable.
        let chain = recorded(10_000, |var| [var - 1, 100_000 + var]);
        assert!(chain.known.values().all(|product| product.powers.len() <= MAX_FACTORS));
        let [first, second, factor, last] = [0, 1, 100_001, 9_999].map(|var| Atom::Var(Var(var)));
        assert!(chain.same(&[second], &[factor, first]) && chain.same(&[last, factor], &[factor, last]));
        assert!(!chain.same(&[last], &[second]));
    }
}
