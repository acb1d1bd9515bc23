//! # index-iota, index-replicate, index-literal: elements of arrays whose definition is known
//!
//! ## Rule
//!
//! ```text
//!   let xs = iota n a s    in … let x = xs[i]   -->   let x = a + s * i
//!   let xs = replicate n a in … let x = xs[i]   -->   let x = a
//!   let xs = [a, b]        in … let x = xs[1]   -->   let x = b
//! ```
//!
//! * *index-iota*: an element of an iota is computed from its index.
//! * *index-replicate*: an element of a replicated scalar is the scalar.
//! * *index-literal*: an element of a literal at a constant index is the operand of the literal.
//!
//! ## Requires
//!
//! The elements are scalars. In index-replicate, and for an iota with stride 0, the element does not mention the index.
//! So the index may depend on no check but that of its own bounds. In index-literal, the other elements depend on no check: the
//! literal uses them.
//!
//! ## Ensures
//!
//! The new value depends on the same checks as the index did, though it may not mention the index (`guard.rs`).
//!
//! ## Leaves alone
//!
//! Elements that are arrays: such an array may have been consumed in between.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Delayed arrays: Keller, Chakravarty, Leshchinskiy, Peyton Jones and Lippmeier, "Regular, Shape-polymorphic,
//! Parallel Arrays in Haskell" (ICFP 2010), where an element is computed from its index.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, i: i64, x: i32, y: i32) -> (out: i32) = {
//!   let as: [n]i32 = iota n 5i32 2i32
//!   let bs: [n]i32 = replicate n x
//!   let cs: [2]i32 = [x, y]
//!   let a: i32 = as[i]
//!   let b: i32 = bs[i]
//!   let c: i32 = cs[1]
//!   let d: i32 = mul a b
//!   let e: i32 = add d c
//!   in e
//! }
//! entry main = main (n, i, x, y) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, i_1: i64, x_2: i32, y_3: i32) -> (out_4: i32) = {
//!   let v5: i32 = convert i32 i_1
//!   let v6: i32 = mul v5 2i32
//!   let a_7: i32 = add 5i32 v6
//!   let d_8: i32 = mul a_7 x_2
//!   let e_9: i32 = add d_8 y_3
//!   in e_9
//! }
//! entry main = main (n_0, i_1, x_2, y_3) -> (out_4)
//! ```

use ravel_core::{Atom, Exp, Stm};
use ravel_prim::{BinOp, PrimValue};

use super::guard::Guards;
use super::{Facts, Rewrite, Rule};

/// An element of an iota, as arithmetic.
pub const IOTA: Rule = Rule {
    name: "index-iota",
    rewrite: |known, stm| {
        let (Exp::Iota { start, stride, .. }, [index]) = definition_and_indices(known, stm)? else {
            return None;
        };
        let (start, stride, index) = (*start, *stride, *index);
        let ty = known.type_of(start).elem;
        let guards = Guards::of(known, [index]);
        if stride == Atom::Const(PrimValue::zero(ty)) {
            return element_of_replicate(known, start, index);
        }
        Some(Rewrite::Emit(Box::new(move |b| {
            let number = b.convert(ty, index);
            let steps = b.binary(BinOp::Mul, number, stride);
            let element = b.binary(BinOp::Add, start, steps);
            guards.apply(b, &[index], element)
        })))
    },
};

/// An element of a replicated scalar.
pub const REPLICATE: Rule = Rule {
    name: "index-replicate",
    rewrite: |known, stm| match definition_and_indices(known, stm)? {
        (Exp::Replicate { value, .. }, [index]) => element_of_replicate(known, *value, *index),
        _ => None,
    },
};

/// The element of an array of equal elements at this index.
fn element_of_replicate(known: &Facts, value: Atom, index: Atom) -> Option<Rewrite> {
    if known.is_dependent(known.ranges.before_checks(index)) {
        return None;
    }
    let guards = Guards::of(known, [index]);
    Some(match guards.is_empty() {
        true => Rewrite::Atoms(vec![value]),
        false => Rewrite::Emit(Box::new(move |b| guards.apply(b, &[index], value))),
    })
}

/// An element of a literal at a constant position.
pub const LITERAL: Rule = Rule {
    name: "index-literal",
    rewrite: |known, stm| match definition_and_indices(known, stm)? {
        (Exp::ArrayLit(elements), [Atom::Const(index)]) => {
            let element = elements.get(usize::try_from(index.as_i64()?).ok()?)?;
            let drops_check = elements.iter().any(|other| other != element && known.is_dependent(*other));
            (!drops_check).then(|| Rewrite::Atoms(vec![*element]))
        }
        _ => None,
    },
};

/// The definition of the indexed array, and the indices.
fn definition_and_indices<'a>(known: &'a Facts, stm: &'a Stm) -> Option<(&'a Exp, &'a [Atom])> {
    match &stm.exp {
        Exp::Index(array, indices) => Some((known.definition(*array)?, indices)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str) -> String {
        statements(&trace(&PASS, &within(stms, "r2", "r: i32")).0)
    }

    #[test]
    fn elements_of_simple_arrays_need_no_array() {
        assert_eq!(
            simplified("let a: [n]i32 = iota n 5i32 2i32 let r2: i32 = a[m]"),
            "let v9: i32 = convert i32 m_1\nlet v10: i32 = mul v9 2i32\nlet r2_11: i32 = add 5i32 v10\nin r2_11"
        );
        assert_eq!(simplified("let a: [n]i32 = replicate n x let r2: i32 = a[m]"), "in x_3");
        assert_eq!(simplified("let a: [2]i32 = [x, y] let r2: i32 = a[1]"), "in y_4");
    }

    /// The new value may not mention the index, which may be out of bounds.
    #[test]
    fn elements_depend_on_the_checks_of_their_index() {
        let of = |array: &str, index: &str| {
            let text = format!("let a: {array} let i: i64 = assert c ({index}) \"place\" let r2: i32 = a[i]");
            simplified(&text)
        };
        let element = "let r2_9: i32 = assert c_2 (x_3) \"place\"\nin r2_9";
        assert_eq!(of("[n]i32 = replicate n x", "m"), element);
        assert_eq!(of("[n]i32 = iota n x 0i32", "m"), element);
        // A value computed from the index depends on its check already.
        assert_eq!(of("[n]i32 = iota n 0i32 1i32", "m").matches("assert").count(), 2);
        let same = "let a: [n]i64 = iota n 0i64 1i64 let i: i64 = assert c (m) \"place\" let j: i64 = a[i] let r2: i32 = ys[j]";
        assert_eq!(simplified(same).matches("assert").count(), 1);
        let view = "let s: i64 = assert c (m) \"part\" let a: [n]i32 = replicate n x let v: [m]i32 = slice a[s : m : 1] let r2: i32 = v[0]";
        assert_eq!(simplified(view), element.replace("place", "part"));
    }

    #[test]
    fn unknown_elements_stay() {
        for stms in [
            "let a: [2]i32 = [x, y] let r2: i32 = a[m]",
            "let a: [2]i32 = [x, y] let r2: i32 = a[2]",
            "let a: [m][n]i32 = replicate m ys let r2: i32 = a[0, 0]",
        ] {
            assert!(simplified(stms).contains("let r2_10: i32 = a_9["), "{stms}");
        }
    }
}
