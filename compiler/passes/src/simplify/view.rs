//! # index-view, whole-view, view-of-view: read an array directly instead of through a view
//!
//! ## Rule
//!
//! ```text
//!   let v = slice xs[s : n : k]     in … let x = v[i]                 -->   let x = xs[s + i * k]
//!   let v = rearrange xs (1, 0)     in … let x = v[i, j]              -->   let x = xs[j, i]
//!   let v = slice xs[s : n : k]     in … let w = slice v[t : m : l]   -->   let w = slice xs[s + t * k : m : k * l]
//!   let v = rearrange xs (1, 2, 0)  in … let w = rearrange v (1, 0, 2)  -->   let w = rearrange xs (2, 1, 0)
//!   let v = reshape xs              in … let w = reshape v            -->   let w = reshape xs
//!   let v = manifest (2, 0, 1) xs   in … let w = manifest (0, 2, 1) v  -->   let w = manifest (0, 2, 1) xs
//!   let v = slice xs[0 : n : 1]                                       -->   let v = xs          if n is the size of xs
//! ```
//!
//! * *index-view*: an element of a view is read from the array.
//! * *whole-view*: a view of a whole array in its own layout becomes the array.
//! * *view-of-view*: a view of a view becomes a view of the array.
//!
//! whole-view also applies to an identity permutation, to a manifest in row-major order and to a reshape to the
//! same shape.
//!
//! ## Requires
//!
//! Nothing: a view may be used as long as its array, since consuming one consumes both.
//!
//! ## Ensures
//!
//! A position in bounds of the view is in bounds of the array if its sums and products do not overflow. The
//! position in the array depends on the checks of the slice and of the position in it, as both did.
//!
//! ## Leaves alone
//!
//! A read through a manifest, since the manifest is there for its readers.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Index functions as in Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional
//! GPU-Programming with Nested Parallelism and In-Place Array Updates" (PLDI 2017).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n]i32) -> (out1: i32, out2: [n]i32) = {
//!   let v: [n]i32 = slice xs[0 : n : 1]
//!   let w: [m]i32 = slice v[9 : m : -1]
//!   let u: [n]i32 = slice w[3 : n : 2]
//!   let a: i32 = w[2]
//!   in (a, u)
//! }
//! entry main = main (m, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0]i32) -> (out1_3: i32, out2_4: [n_0]i32) = {
//!   let u_5: [n_0]i32 = slice xs_2[6i64 : n_0 : -2i64]
//!   let a_6: i32 = xs_2[7i64]
//!   in (a_6, u_5)
//! }
//! entry main = main (m_1, xs_2) -> (out1_3, out2_4)
//! ```

use ravel_core::{Atom, Builder, DimSlice, Exp, Stm, Var};
use ravel_prim::BinOp;

use super::guard::Guards;
use super::{Facts, Rewrite, Rule};

/// Indexes the array instead of its view.
pub const INDEX: Rule = Rule { name: "index-view", rewrite: index };

/// A view of a view becomes a view of the array.
pub const COMPOSED: Rule = Rule { name: "view-of-view", rewrite: view_of_view };

/// A view of the whole array becomes the array.
pub const WHOLE: Rule = Rule {
    name: "whole-view",
    rewrite: |known, stm| {
        let ty = &known.vars[*stm.binders.first()?].ty;
        let array = match &stm.exp {
            Exp::Slice(array, dims) if dims.len() == ty.rank() && dims.iter().all(is_prefix) => *array,
            Exp::Rearrange(array, perm) | Exp::Manifest(perm, array, _)
                if perm.iter().copied().eq(0..perm.len()) =>
            {
                *array
            }
            Exp::Reshape(array) => *array,
            _ => return None,
        };
        (known.vars[array].ty == *ty).then(|| Rewrite::Atoms(vec![Atom::Var(array)]))
    },
};

/// Whether a slice starts at 0 with stride 1.
fn is_prefix(dim: &DimSlice) -> bool {
    matches!(*dim, DimSlice::Range { start, stride, .. } if start == Atom::i64(0) && stride == Atom::i64(1))
}

fn index(known: &Facts, stm: &Stm) -> Option<Rewrite> {
    let Exp::Index(view, indices) = &stm.exp else { return None };
    match known.definition(*view)? {
        Exp::Slice(array, dims) => {
            let (array, dims, indices) = (*array, dims.clone(), indices.clone());
            let guards = Guards::of(known, operands(&dims).chain(indices.iter().copied()));
            Some(Rewrite::Emit(Box::new(move |b| {
                let mut indices = indices.into_iter();
                let mut position = |dim: &DimSlice| match *dim {
                    DimSlice::Fix(at) => Some(at),
                    DimSlice::Range { start, stride, .. } => {
                        Some(offset(b, &guards, start, indices.next()?, stride))
                    }
                };
                let positions = dims.iter().filter_map(&mut position).collect();
                b.index(array, positions)
            })))
        }
        Exp::Rearrange(array, perm) => {
            let mut positions = indices.clone();
            for (&dim, &index) in perm.iter().zip(indices) {
                positions[dim] = index;
            }
            Some(Rewrite::Exp(Exp::Index(*array, positions)))
        }
        _ => None,
    }
}

fn view_of_view(known: &Facts, stm: &Stm) -> Option<Rewrite> {
    let viewed = |view: &Var| known.definition(*view);
    match &stm.exp {
        Exp::Reshape(view) => match viewed(view)? {
            Exp::Reshape(array) => Some(Rewrite::Exp(Exp::Reshape(*array))),
            _ => None,
        },
        Exp::Rearrange(view, outer) => match viewed(view)? {
            Exp::Rearrange(array, inner) => {
                let perm = outer.iter().map(|&dim| inner[dim]).collect();
                Some(Rewrite::Exp(Exp::Rearrange(*array, perm)))
            }
            _ => None,
        },
        Exp::Manifest(perm, view, cond) => match viewed(view)? {
            Exp::Manifest(_, array, _) => Some(Rewrite::Exp(Exp::Manifest(perm.clone(), *array, *cond))),
            _ => None,
        },
        Exp::Slice(view, outer) => match viewed(view)? {
            Exp::Slice(array, inner) => {
                let (array, inner, outer) = (*array, inner.clone(), outer.clone());
                let guards = Guards::of(known, operands(&inner).chain(operands(&outer)));
                Some(Rewrite::Emit(Box::new(move |b| {
                    let mut outer = outer.into_iter();
                    let dims =
                        inner.into_iter().filter_map(|dim| compose(b, &guards, dim, &mut outer)).collect();
                    b.slice(array, dims)
                })))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Composes one dimension of the inner slice with the next dimension of the outer one.
fn compose(
    b: &mut Builder,
    guards: &Guards,
    inner: DimSlice,
    outer: &mut impl Iterator<Item = DimSlice>,
) -> Option<DimSlice> {
    let DimSlice::Range { start, stride, .. } = inner else { return Some(inner) };
    Some(match outer.next()? {
        DimSlice::Fix(at) => DimSlice::Fix(offset(b, guards, start, at, stride)),
        DimSlice::Range { start: from, count, stride: by } => DimSlice::Range {
            start: offset(b, guards, start, from, stride),
            count,
            stride: b.binary(BinOp::Mul, stride, by),
        },
    })
}

/// The positions and starts of the dimensions of a slice.
fn operands(dims: &[DimSlice]) -> impl Iterator<Item = Atom> {
    dims.iter().map(|dim| match *dim {
        DimSlice::Fix(at) => at,
        DimSlice::Range { start, .. } => start,
    })
}

/// `start + count * stride`. Simplification may remove `start` and `count` from it, so the result passes through their
/// checks.
fn offset(b: &mut Builder, guards: &Guards, start: Atom, count: Atom, stride: Atom) -> Atom {
    let distance = b.binary(BinOp::Mul, count, stride);
    let position = b.binary(BinOp::Add, start, distance);
    guards.apply(b, &[start, count], position)
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, ty: &str) -> String {
        statements(&trace(&PASS, &within(stms, "w", &format!("r: {ty}"))).0)
    }

    #[test]
    fn elements_of_views_are_elements() {
        assert_eq!(
            simplified("let v: [m]i32 = slice ys[3 : m : -1] let w: i32 = v[2]", "i32"),
            "let w_9: i32 = ys_7[1i64]\nin w_9"
        );
        let matrix = "let a: [n][m]i32 = scratch";
        let row = format!("{matrix} let v: [m]i32 = slice a[n, 0 : m : 1] let w: i32 = v[m]");
        assert!(simplified(&row, "i32").contains("= a_9[n_0, m_1]"));
        let turned = format!("{matrix} let v: [m][n]i32 = rearrange a (1, 0) let w: i32 = v[2, 5]");
        assert!(simplified(&turned, "i32").contains("= a_9[5i64, 2i64]"));
    }

    /// The sum may mention neither the start of the slice nor the position in it.
    #[test]
    fn elements_of_views_depend_on_the_checks_of_both() {
        let checks =
            "let s: i64 = assert c (m) \"part\" let e: bool = lt x y let i: i64 = assert e (3i64) \"place\"";
        let view = "let v: [m]i32 = slice ys[s : m : 1] let w: i32 = v[i]";
        insta::assert_snapshot!(simplified(&format!("{checks} {view}"), "i32"), @r#"
        let s_9: i64 = assert c_2 (m_1) "part"
        let e_10: bool = lt x_3 y_4
        let i_11: i64 = assert e_10 (3i64) "place"
        let v12: i64 = add s_9 i_11
        let v13: i64 = assert c_2 (v12) "part"
        let v14: i64 = assert e_10 (v13) "place"
        let w_15: i32 = ys_7[v14]
        in w_15
        "#);
    }

    #[test]
    fn views_of_views_are_views() {
        let slices = "let v: [m]i32 = slice ys[5 : m : 2] let w: [n]i32 = slice v[3 : n : -4]";
        assert_eq!(
            simplified(slices, "[n]i32"),
            "let w_9: [n_0]i32 = slice ys_7[11i64 : n_0 : -8i64]\nin w_9"
        );
        let cube = "let a: [n][m][2]i32 = scratch
            let v: [m][2][n]i32 = rearrange a (1, 2, 0) let w: [2][m][n]i32 = rearrange v (1, 0, 2)";
        assert!(simplified(cube, "[2][m][n]i32").contains("= rearrange a_9 (2, 1, 0)"));
        let shapes = "let a: [n][m]i32 = scratch let k: i64 = mul n m
            let v: [k]i32 = reshape a let w: [m][n]i32 = reshape v";
        assert!(simplified(shapes, "[m][n]i32").contains("= reshape a_9\n"));
        let layouts = "let a: [n][m][2]i32 = scratch
            let v: [n][m][2]i32 = manifest (2, 0, 1) a let w: [n][m][2]i32 = manifest (0, 2, 1) v";
        assert!(simplified(layouts, "[n][m][2]i32").contains("= manifest (0, 2, 1) a_9\n"));
    }

    #[test]
    fn views_of_everything_are_the_array() {
        for stms in [
            "let w: [n]i32 = slice ys[0 : n : 1]",
            "let v: [n][1]i32 = reshape ys let w: [n]i32 = reshape v",
            "let w: [n]i32 = rearrange ys (0)",
            "let w: [n]i32 = manifest (0) ys",
        ] {
            assert_eq!(simplified(stms, "[n]i32"), "in ys_7", "{stms}");
        }
        let turned = "let a: [n][n]i32 = scratch let v: [n][n]i32 = rearrange a (1, 0) let w: [n][n]i32 = rearrange v (1, 0)";
        assert_eq!(simplified(turned, "[n][n]i32"), "let a_9: [n_0][n_0]i32 = scratch\nin a_9");
    }

    #[test]
    fn views_of_parts_stay() {
        for stms in [
            "let w: [m]i32 = slice ys[0 : m : 1]",
            "let w: [n]i32 = slice ys[0 : n : 0]",
            "let w: [n]i32 = slice ys[m : n : 1]",
        ] {
            let ty = if stms.contains("[m]i32") { "[m]i32" } else { "[n]i32" };
            assert!(simplified(stms, ty).contains("slice"), "{stms}");
        }
    }
}
