//! # commutative-reduction: a reduction by operations that commute may combine its values in any order
//!
//! ## Rule
//!
//! ```text
//!   reduce op (e)   -->   reduce commutative op (e)
//! ```
//!
//! * *commutative-reduction*: a reduction by an operator that applies to each pair of values an operation that commutes is
//!   marked.
//!
//! ## Requires
//!
//! For each result, the body of the operator binds the sum, product, conjunction, disjunction, exclusive or, minimum or
//! maximum of the left and the right value of this result, and it binds nothing else. A minimum or maximum of floats does
//! not commute: of 0 and -0 it is the first one.
//!
//! ## Ensures
//!
//! The language lets a reduction group its values in any way, since operators are associative. If they commute as
//! well, a CPU combines the values in the lanes of vectors, and a GPU reads neighbouring values at the same time. So `reduce (+) 0`
//! takes as long as `sum`, and gives the same bits.
//!
//! ## Leaves alone
//!
//! Other operators. Where such an operator commutes, the program can say so by `reduce_comm`. The translation to kernel
//! IR asks for the operators of scans ([`commutes`]), since a scan in core IR says nothing about them.
//!
//! ## Costs
//!
//! Linear in the values of the operator.
//!
//! ## Source
//!
//! Futhark's compiler recognises such operators too (Henriksen, "Design and Implementation of the Futhark Programming
//! Language", PhD thesis, University of Copenhagen, 2017).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32, ys: [n]f32) -> (out: i32, most: f32) = {
//!   let (a: i32, b: f32) = screma n {
//!     from xs, ys
//!     map \(x: i32, y: f32) -> (x, y)
//!     to reduce \(p: i32, q: i32) -> { let o: i32 = max p q in o } (0i32)
//!     to reduce \(l: f32, k: f32) -> { let j: f32 = add k l in j } (0.0f32)
//!   }
//!   in (a, b)
//! }
//! entry main = main (n, xs, ys) -> (out, most)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32, ys_2: [n_0]f32) -> (out_3: i32, most_4: f32) = {
//!   let (a_5: i32, b_6: f32) = screma n_0 {
//!     from xs_1, ys_2
//!     map \(x_7: i32, y_8: f32) -> (x_7, y_8)
//!     to reduce commutative \(p_9: i32, q_10: i32) -> {
//!       let o_11: i32 = max p_9 q_10
//!       in o_11
//!     } (0i32)
//!     to reduce commutative \(l_12: f32, k_13: f32) -> {
//!       let j_14: f32 = add k_13 l_12
//!       in j_14
//!     } (0.0f32)
//!   }
//!   in (a_5, b_6)
//! }
//! entry main = main (n_0, xs_1, ys_2) -> (out_3, most_4)
//! ```

use ravel_core::{Atom, Exp, Lambda, Screma, Sink, Var, VarTable};

use super::{Rewrite, Rule};

/// A reduction by operations that commute is commutative.
pub const REDUCTION: Rule = Rule {
    name: "commutative-reduction",
    rewrite: |known, stm| match &stm.exp {
        Exp::Screma(screma) => {
            marked(screma, known.vars).map(|screma| Rewrite::Exp(Exp::Screma(Box::new(screma))))
        }
        _ => None,
    },
};

/// The construct with a mark at each reduction whose operator commutes; `None` if it has all of them.
fn marked(screma: &Screma, vars: &VarTable) -> Option<Screma> {
    let is_settled = |sink: &Sink| match sink {
        Sink::Reduce { op, commutative, .. } => *commutative || !commutes(op, vars),
        _ => true,
    };
    if screma.sinks.iter().all(is_settled) {
        return None;
    }
    let mut screma = screma.clone();
    for sink in &mut screma.sinks {
        if let Sink::Reduce { op, commutative, .. } = sink {
            *commutative |= commutes(op, vars);
        }
    }
    Some(screma)
}

/// Whether an operator applies to each pair of values an operation that commutes, and does nothing else.
pub fn commutes(op: &Lambda, vars: &VarTable) -> bool {
    let Lambda { params, body } = op;
    let (lefts, rights) = params.split_at(params.len() / 2);
    let is_operation = |(&result, (&left, &right)): (&Atom, (&Var, &Var))| {
        let (ty, left, right) = (vars[left].ty.elem, Atom::Var(left), Atom::Var(right));
        body.stms.iter().any(|stm| match (&stm.exp, &stm.binders[..]) {
            (&Exp::Binary(op, a, b), &[binder]) => {
                Atom::Var(binder) == result
                    && op.commutes(ty)
                    && ((a, b) == (left, right) || (b, a) == (left, right))
            }
            _ => false,
        })
    };
    body.stms.len() == lefts.len() && body.result.iter().zip(lefts.iter().zip(rights)).all(is_operation)
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    /// Whether the rule fires on the reduction of two arrays by this operator.
    fn fires(op: &str, ty: &str) -> bool {
        let reduction = format!(
            "let (a: {ty}, b: {ty}) = screma n {{
               from vs, vs map \\(e: {ty}, f: {ty}) -> (e, f)
               to reduce \\(p: {ty}, s: {ty}, q: {ty}, t: {ty}) -> {{ {op} }} (zero, zero)
             }}"
        );
        let text = format!(
            "fun main (n: i64, zero: {ty}, vs: [n]{ty}) -> (r: {ty}, z: {ty}) = {{ {reduction} in (a, b) }}
             entry main = main (n, zero, vs) -> (r, z)"
        );
        let (after, events) = trace(&PASS, &text);
        let fired = events == ["commutative-reduction"];
        assert_eq!(after.contains("reduce commutative"), fired, "{after} {events:?}");
        fired
    }

    #[test]
    fn operators_of_operations_that_commute_are_marked() {
        for ty in ["i32", "u8", "i64"] {
            for op in ["add", "mul", "and", "or", "xor", "min", "max"] {
                let op = format!("let o: {ty} = {op} p q let w: {ty} = add t s in (o, w)");
                assert!(fires(&op, ty), "{op}");
            }
        }
        assert!(fires("let o: f32 = add p q let w: f32 = mul s t in (o, w)", "f32"));
        // The operations may be in any order.
        assert!(fires("let w: i32 = mul s t let o: i32 = add p q in (o, w)", "i32"));
    }

    #[test]
    fn other_operators_are_not() {
        let not = [
            // An operation that does not commute.
            "let o: i32 = sub p q let w: i32 = add s t in (o, w)",
            // The results are exchanged.
            "let o: i32 = add p q let w: i32 = add s t in (w, o)",
            // A result that is no operation, or another one.
            "let w: i32 = add s t in (p, w)",
            "let o: i32 = add p q let w: i32 = add p q in (o, w)",
            "let o: i32 = add p p let w: i32 = add s t in (o, w)",
            // An operation of values of different pairs.
            "let o: i32 = add p t let w: i32 = add s q in (o, w)",
            // More than the operations.
            "let o: i32 = add p q let d: i32 = add s t let w: i32 = mul d zero in (o, w)",
        ];
        for op in not {
            assert!(!fires(op, "i32"), "{op}");
        }
        // Of 0 and -0, the minimum is the first one.
        assert!(!fires("let o: f32 = min p q let w: f32 = add s t in (o, w)", "f32"));
    }

    /// The type of each pair decides, not that of the first one: the minimum of floats does not commute.
    #[test]
    fn pairs_of_different_types_are_judged_one_by_one() {
        let text = |second: &str| {
            format!(
                "fun main (n: i64, is: [n]i32, xs: [n]f32) -> (r: i32, z: f32) = {{
                   let (a: i32, b: f32) = screma n {{
                     from is, xs map \\(e: i32, f: f32) -> (e, f)
                     to reduce \\(p: i32, s: f32, q: i32, t: f32) -> {{
                       let o: i32 = min p q let w: f32 = {second} s t in (o, w)
                     }} (0i32, 0.0f32)
                   }}
                   in (a, b)
                 }}
                 entry main = main (n, is, xs) -> (r, z)"
            )
        };
        assert_eq!(trace(&PASS, &text("add")).1, ["commutative-reduction"]);
        assert_eq!(trace(&PASS, &text("min")).1, [""; 0]);
    }

    #[test]
    fn only_reductions_are_marked() {
        let scan = "let a: [n]i32 = screma n {
            from xs map \\(e: i32) -> e scan \\(p: i32, q: i32) -> { let o: i32 = add p q in o } (0i32) to map
        }";
        assert_eq!(trace(&PASS, &within(scan, "a", "r: [n]i32")).1, [""; 0]);
        let stms = statements(&trace(&PASS, &within(scan, "a", "r: [n]i32")).0);
        assert!(!stms.contains("commutative"), "{stms}");
    }
}
