//! Positions of elements as polynomials, and proofs that two sets of positions have no position in common.
//!
//! A position is a polynomial of the scalars of a function: sums, differences and products of i64 are expanded. Some
//! variables of these polynomials have a known range: a counter of a loop or of an index space, and a *place*, which
//! stands for the index of any element along one dimension of a view.
//!
//! Two sets are disjoint if all positions of one are less than all of the other. Otherwise, positions are divided by a
//! stride: if both remainders lie between 0 and the stride, two positions are equal only if their quotients and their
//! remainders are. So it is enough that the quotients or the remainders are disjoint. Elements in different columns of a
//! matrix are disjoint for this reason.
//!
//! Positions lie in a block, so their arithmetic does not overflow.

use std::collections::BTreeMap;

use ravel_kernel::*;
use ravel_prim::BinOp;

/// The maximum number of terms of a polynomial. A scalar with more counts as a variable.
const MAX_TERMS: usize = 16;

/// A variable of a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// A scalar.
    Scalar(Var),
    /// The index of any element along a dimension. Two views have different numbers.
    Place(usize),
}

/// A polynomial: for each product of variables, which are sorted, its factor. No factor is 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial(BTreeMap<Vec<Unknown>, i64>);

impl Polynomial {
    pub fn constant(number: i64) -> Polynomial {
        Polynomial(
            BTreeMap::from([(Vec::new(), number)]).into_iter().filter(|&(_, factor)| factor != 0).collect(),
        )
    }

    pub fn variable(unknown: Unknown) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![unknown], 1)]))
    }

    /// `None` if a factor overflows, or if there are too many terms.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (product, factor) in &other.0 {
            let own = sum.0.entry(product.clone()).or_default();
            *own = own.checked_add(*factor)?;
        }
        sum.0.retain(|_, factor| *factor != 0);
        (sum.0.len() <= MAX_TERMS).then_some(sum)
    }

    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.times(&Polynomial::constant(-1))?)
    }

    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (product, factor) in &self.0 {
            for (other_product, other_factor) in &other.0 {
                let mut both = [&product[..], &other_product[..]].concat();
                both.sort();
                let term = Polynomial(BTreeMap::from([(both, factor.checked_mul(*other_factor)?)]));
                all = all.plus(&term)?;
            }
        }
        Some(all)
    }

    /// The constant or variable that it is.
    pub fn atom(&self) -> Option<Atom> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(Atom::i64(0)),
            (Some((product, &factor)), None) => match product[..] {
                [] => Some(Atom::i64(factor)),
                [Unknown::Scalar(var)] if factor == 1 => Some(Atom::Var(var)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Quotient and remainder by a stride. No term of the remainder is a multiple of the leading term of the stride.
    ///
    /// Source: Cox, Little and O'Shea, Ideals, Varieties, and Algorithms, section 2.3: the division algorithm.
    pub fn divide(&self, stride: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let (divisor, number) = stride.leading()?;
        let (mut quotient, mut remainder) = (Polynomial::default(), Polynomial::default());
        let mut left = self.clone();
        while let Some((product, factor)) = left.leading() {
            let term = match divide_products(&product, &divisor) {
                Some(rest) if factor % number == 0 => (rest, factor / number),
                _ => {
                    left.0.remove(&product);
                    remainder.0.insert(product, factor);
                    continue;
                }
            };
            let term = Polynomial(BTreeMap::from([term]));
            left = left.minus(&term.times(stride)?)?;
            quotient = quotient.plus(&term)?;
        }
        Some((quotient, remainder))
    }

    /// The largest term: by the number of variables, then by the variables. This order is the same after both sides are
    /// multiplied by a product.
    fn leading(&self) -> Option<(Vec<Unknown>, i64)> {
        let terms = self.0.iter().max_by_key(|(product, _)| (product.len(), *product));
        terms.map(|(product, &factor)| (product.clone(), factor))
    }

    /// The factor of a variable, and the rest. `None` if the variable is multiplied by others.
    fn extract(&self, unknown: Unknown) -> Option<(i64, Polynomial)> {
        let mut rest = self.clone();
        let factor = rest.0.remove(&vec![unknown]).unwrap_or(0);
        rest.0.keys().all(|product| !product.contains(&unknown)).then_some((factor, rest))
    }

    /// The variables in products of several, and the constants by which variables are multiplied.
    fn multipliers(&self) -> Vec<Polynomial> {
        let variables = self.0.keys().filter(|product| product.len() > 1).flatten();
        let constants =
            self.0.iter().filter(|(product, factor)| !product.is_empty() && factor.unsigned_abs() > 1);
        let variables = variables.map(|&unknown| Polynomial::variable(unknown));
        variables.chain(constants.map(|(_, &factor)| Polynomial::constant(factor))).collect()
    }
}

/// The product of the variables that are left if those of the divisor are taken away; `None` if one is missing.
fn divide_products(product: &[Unknown], divisor: &[Unknown]) -> Option<Vec<Unknown>> {
    let mut rest = product.to_vec();
    for unknown in divisor {
        rest.remove(rest.iter().position(|own| own == unknown)?);
    }
    Some(rest)
}

/// The scalars of a function.
#[derive(Default)]
pub struct Scalars {
    /// The polynomials of scalars that sums, differences and products define.
    known: BTreeMap<Var, Polynomial>,
    /// The counters and their bounds, the outer ones first.
    counters: Vec<(Var, Atom)>,
    /// The sizes of an entry point, which are not negative.
    sizes: Vec<Var>,
}

impl Scalars {
    /// The scalars of a body, in which these sizes are not negative.
    pub fn of<L: Level>(body: &Body<L>, sizes: &[Var]) -> Scalars {
        let mut scalars = Scalars { sizes: sizes.to_vec(), ..Scalars::default() };
        scalars.body(body);
        scalars
    }

    /// The polynomial of an i64.
    pub fn polynomial(&self, atom: Atom) -> Option<Polynomial> {
        match atom {
            Atom::Const(constant) => constant.as_i64().map(Polynomial::constant),
            Atom::Var(var) => {
                let known = self.known.get(&var).cloned();
                Some(known.unwrap_or_else(|| Polynomial::variable(Unknown::Scalar(var))))
            }
        }
    }

    /// Records that a scalar has this value.
    pub fn record(&mut self, var: Var, exp: &ScalarExp) {
        let polynomial = match *exp {
            ScalarExp::Atom(a) => self.polynomial(a),
            ScalarExp::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                let both = self.polynomial(a).zip(self.polynomial(b));
                both.and_then(|(a, b)| match op {
                    BinOp::Add => a.plus(&b),
                    BinOp::Sub => a.minus(&b),
                    _ => a.times(&b),
                })
            }
            _ => None,
        };
        self.known.extend(polynomial.map(|polynomial| (var, polynomial)));
    }

    /// The position of an element of a view. `index` returns the index along a dimension.
    pub fn position(
        &self,
        view: &View,
        mut index: impl FnMut(usize) -> Option<Polynomial>,
    ) -> Option<Polynomial> {
        let mut position = self.polynomial(view.offset)?;
        for (dimension, &stride) in view.strides.iter().enumerate() {
            position = position.plus(&index(dimension)?.times(&self.polynomial(stride)?)?)?;
        }
        Some(position)
    }

    /// Whether an index is known to be at least 0 and less than a size.
    pub fn is_index(&self, index: &Polynomial, size: &Polynomial) -> bool {
        let places = &BTreeMap::new();
        self.in_range(index, size, places).unwrap_or(false)
    }

    /// Whether no position of one set is in the other one. `sizes` are the bounds of places.
    pub fn disjoint(&self, a: &Polynomial, b: &Polynomial, sizes: &BTreeMap<usize, Polynomial>) -> bool {
        self.are_disjoint(a, b, sizes).unwrap_or(false)
    }

    fn are_disjoint(
        &self,
        a: &Polynomial,
        b: &Polynomial,
        sizes: &BTreeMap<usize, Polynomial>,
    ) -> Option<bool> {
        let one = Polynomial::constant(1);
        let between = a.minus(b)?;
        let reverse = b.minus(a)?;
        if self.not_negative(between.minus(&one)?, sizes) || self.not_negative(reverse.minus(&one)?, sizes) {
            return Some(true);
        }
        for stride in a.multipliers().into_iter().chain(b.multipliers()) {
            let ((a_row, a_column), (b_row, b_column)) = (a.divide(&stride)?, b.divide(&stride)?);
            if self.in_range(&a_column, &stride, sizes)?
                && self.in_range(&b_column, &stride, sizes)?
                && (self.are_disjoint(&a_row, &b_row, sizes)?
                    || self.are_disjoint(&a_column, &b_column, sizes)?)
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a number is at least 0 and less than a size.
    fn in_range(
        &self,
        number: &Polynomial,
        size: &Polynomial,
        sizes: &BTreeMap<usize, Polynomial>,
    ) -> Option<bool> {
        let left = size.minus(number)?.minus(&Polynomial::constant(1))?;
        Some(self.not_negative(number.clone(), sizes) && self.not_negative(left, sizes))
    }

    /// Whether a number is known not to be negative. Replaces each variable with a range, the inner ones first, by the end
    /// of its range at which the number is least.
    fn not_negative(&self, number: Polynomial, sizes: &BTreeMap<usize, Polynomial>) -> bool {
        let places = sizes.iter().map(|(&place, size)| (Unknown::Place(place), Some(size.clone())));
        let counters = self.counters.iter().rev();
        let counters = counters.map(|&(counter, bound)| (Unknown::Scalar(counter), self.polynomial(bound)));
        let least = places.chain(counters).try_fold(number, |number, (unknown, size)| {
            let (factor, rest) = number.extract(unknown)?;
            if factor >= 0 {
                return Some(rest);
            }
            let last = size?.minus(&Polynomial::constant(1))?;
            rest.plus(&last.times(&Polynomial::constant(factor))?)
        });
        least.is_some_and(|least| {
            least.0.iter().all(|(product, &factor)| {
                let is_size =
                    |unknown: &Unknown| matches!(unknown, Unknown::Scalar(var) if self.sizes.contains(var));
                factor >= 0 && product.len() <= 1 && product.iter().all(is_size)
            })
        })
    }
}

impl Visit for Scalars {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Let { var, exp } => self.record(*var, exp),
            Stm::Loop { form: LoopForm::For { index, bound, .. }, .. } => {
                self.counters.push((*index, *bound))
            }
            _ => (),
        }
        self.children(stm);
    }

    fn space(&mut self, space: &[(Var, Atom)]) {
        self.counters.extend(space);
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::{Entry, Type, Var, parse};

    use super::*;

    /// The variable of this name in the entry point of the program.
    fn named(entry: &Entry, name: &str) -> Var {
        let is_named = |hint: Option<ravel_base::Symbol>| hint.is_some_and(|hint| hint.as_str() == name);
        entry.vars.iter().find(|(_, info)| is_named(info.hint)).expect("a variable").0
    }

    /// Whether the two views `a` and `b` of a matrix with rows of `m` elements are known to have no element in common.
    fn disjoint(code: &str) -> bool {
        let text = format!(
            "entry \"main\" [n, m] (xs: block i64 [n, m], k: i64) -> () {{
               loop () for i: i64 < m {{ {code} }}
             }}"
        );
        let program = parse(&text).expect("well-formed");
        let entry = &program.entries[0];
        let scalars = Scalars::of(&entry.body, &entry.sizes);
        let mut sizes = BTreeMap::new();
        let [a, b] = ["a", "b"].map(|name| {
            let Type::Array(view) = &entry.vars[named(entry, name)].ty else { panic!("an array") };
            let first = sizes.len();
            for (dimension, &size) in view.shape.iter().enumerate() {
                sizes.insert(first + dimension, scalars.polynomial(size).expect("small"));
            }
            let place = |dimension| Some(Polynomial::variable(Unknown::Place(first + dimension)));
            scalars.position(view, place).expect("small")
        });
        let found = scalars.disjoint(&a, &b, &sizes);
        assert_eq!(scalars.disjoint(&b, &a, &sizes), found);
        found
    }

    #[test]
    fn columns_are_disjoint_if_their_numbers_differ() {
        let rest = "let j: i64 = add(i, 1i64) let others: i64 = sub(m, j)";
        assert!(disjoint(&format!(
            "{rest} view a: i64 [n] = xs + i * [m] view b: i64 [n, others] = xs + j * [m, 1i64]"
        )));
        // One column more would be the first column of the next row.
        assert!(!disjoint(&format!(
            "{rest} let more: i64 = add(others, 1i64)
             view a: i64 [n] = xs + i * [m] view b: i64 [n, more] = xs + j * [m, 1i64]"
        )));
        assert!(!disjoint("view a: i64 [n] = xs + i * [m] view b: i64 [n] = xs + k * [m]"));
        assert!(!disjoint("view a: i64 [n] = xs + i * [m] view b: i64 [n] = xs + i * [m]"));
    }

    #[test]
    fn columns_of_rows_of_constant_size_are_disjoint() {
        assert!(disjoint("view a: i64 [n] = xs + 2i64 * [4i64] view b: i64 [n] = xs + 3i64 * [4i64]"));
        assert!(!disjoint("view a: i64 [n] = xs + 2i64 * [4i64] view b: i64 [n] = xs + 6i64 * [4i64]"));
    }

    #[test]
    fn parts_of_an_array_are_disjoint() {
        assert!(disjoint("view a: i64 [k] = xs + 0i64 * [1i64] view b: i64 [n] = xs + k * [1i64]"));
        assert!(!disjoint("view a: i64 [m] = xs + 0i64 * [1i64] view b: i64 [n] = xs + k * [1i64]"));
    }

    #[test]
    fn a_product_of_sums_is_divided_by_a_sum() {
        let of = |var: usize| Polynomial::variable(Unknown::Place(var));
        let size = of(0).minus(&of(1)).and_then(|size| size.minus(&Polynomial::constant(1))).expect("small");
        let product = of(2).times(&size).and_then(|product| product.plus(&of(3))).expect("small");
        assert_eq!(product.divide(&size), Some((of(2), of(3))));
    }
}
