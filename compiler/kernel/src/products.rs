//! Is a view row-major and without gaps, and a number of elements that of a block? Known products of sizes tell.
//!
//! A product is kept as powers of the variables that it is made of, so that the product of a number with itself is
//! no longer than that number. What has more than [`MOST_FACTORS`] of them, or a power that no u32 holds, is a variable like
//! others: a program that multiplies its way through thousands of scalars costs no more than their number.

use std::collections::BTreeMap;

use ravel_prim::BinOp;

use crate::syntax::*;

/// How many different variables a product that is kept is made of at most; no array has so many dimensions.
const MOST_FACTORS: usize = 32;

/// A constant, and variables with their powers.
#[derive(Clone, Debug, PartialEq)]
struct Product {
    constant: i64,
    powers: BTreeMap<Var, u32>,
}

/// Scalars that the program computes as products of others.
#[derive(Debug, Default)]
pub struct Products {
    known: BTreeMap<Var, Product>,
}

impl Products {
    /// Takes note of a scalar.
    pub fn note(&mut self, var: Var, exp: &ScalarExp) {
        match *exp {
            ScalarExp::Atom(a) => self.note_product(var, &[a]),
            ScalarExp::Binary(BinOp::Mul, a, b) => self.note_product(var, &[a, b]),
            _ => (),
        }
    }

    /// Takes note of a scalar that is the product of these, as far as anybody asks.
    pub fn note_product(&mut self, var: Var, factors: &[Atom]) {
        let product = self.of(factors).filter(|product| product.powers.len() <= MOST_FACTORS);
        self.known.extend(product.map(|product| (var, product)));
    }

    /// Is the product of the one atoms that of the others, factor by factor?
    pub fn same(&self, a: &[Atom], b: &[Atom]) -> bool {
        let product = self.of(a);
        product.is_some() && product == self.of(b)
    }

    /// Does each stride equal the product of the sizes further in?
    pub fn contiguous(&self, view: &View) -> bool {
        let mut strides = view.strides.iter().enumerate();
        strides.all(|(dimension, &stride)| self.same(&[stride], &view.shape[dimension + 1..]))
    }

    /// The product of the atoms; `None` if a constant or a power overflows or something is no i64.
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

    /// The products that these scalars are, each of the two before it or of itself.
    fn noted(count: u32, factors: impl Fn(u32) -> [u32; 2]) -> Products {
        let mut products = Products::default();
        for var in 1..count {
            let [a, b] = factors(var).map(|var| Atom::Var(Var(var)));
            products.note(Var(var), &ScalarExp::Binary(BinOp::Mul, a, b));
        }
        products
    }

    #[test]
    fn squares_of_squares_are_powers_as_far_as_powers_are_numbers() {
        let squares = noted(100, |var| [var - 1; 2]);
        let [x, third, last] = [0, 3, 99].map(|var| Atom::Var(Var(var)));
        assert!(squares.same(&[third], &[x; 8]) && !squares.same(&[third], &[x; 7]));
        assert!(squares.same(&[last], &[last]) && !squares.same(&[last], &[third]));
    }

    #[test]
    fn a_product_of_too_many_is_a_variable_like_others() {
        // Each is the last one times a new one.
        let chain = noted(10_000, |var| [var - 1, 100_000 + var]);
        assert!(chain.known.values().all(|product| product.powers.len() <= MOST_FACTORS));
        let [first, second, factor, last] = [0, 1, 100_001, 9_999].map(|var| Atom::Var(Var(var)));
        assert!(chain.same(&[second], &[factor, first]) && chain.same(&[last, factor], &[factor, last]));
        assert!(!chain.same(&[last], &[second]));
    }
}
