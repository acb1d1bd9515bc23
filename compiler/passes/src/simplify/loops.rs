//! # loop-zero-trip, loop-single-trip, loop-invariant: loops of no or one iteration, and invariant parameters
//!
//! ## Rule
//!
//! ```text
//!   let xs = loop (ps = as) for i < 0 do … in E        -->   E[as/xs]             while false likewise
//!   let xs = loop (ps = as) for i < 1 do { B in bs }   -->   B[as/ps, 0/i] in E[bs/xs]
//!   let (x, ys) = loop (p = a, qs = cs) … do { B in (p, ds) }
//!                                                      -->   let ys = loop (qs = cs) … do { B[a/p] in ds } in E[a/x]
//! ```
//!
//! * *loop-zero-trip*: a loop without iterations becomes its initial values.
//! * *loop-single-trip*: a loop of one iteration becomes its body.
//! * *loop-invariant*: a parameter that every iteration returns unchanged, or resets to its initial value, becomes this value.
//!
//! ## Requires
//!
//! * *scalar*, of loop-invariant: a parameter that every iteration resets to its initial value is a scalar,
//!   since an array may have been consumed. If the body returns `p` itself, an array is allowed, since `p` then
//!   is never consumed.
//!
//! In loop-zero-trip, the number of iterations depends on no check (`dependence`). In loop-invariant, the parameter
//! has the type of its initial value, whose sizes may be other parameters, and is not the condition of the
//! loop.
//!
//! ## Ensures
//!
//! The same iterations run.
//!
//! ## Leaves alone
//!
//! Loops of a few iterations, which `unroll` handles.
//!
//! ## Costs
//!
//! Linear in the parameters of the loop.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 18.4, on loops of no or one
//! iteration, and section 13.2, on loop-invariant code.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, x: i32, y: i32) -> (out: i32) = {
//!   let a: i32 = loop (b: i32 = x) for i: i64 < 0 do { let d: i32 = add b y in d }
//!   let e: i32 = loop (f: i32 = a) for j: i64 < 1 do { let g: i32 = add f y in g }
//!   let (h: i32, k: i32) = loop (l: i32 = x, m: i32 = e) for o: i64 < n do {
//!     let p: i32 = mul m l
//!     let q: i32 = add p y
//!     in (l, q)
//!   }
//!   let r: i32 = sub k h
//!   in r
//! }
//! entry main = main (n, x, y) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, x_1: i32, y_2: i32) -> (out_3: i32) = {
//!   let g_4: i32 = add x_1 y_2
//!   let k_5: i32 = loop (m_6: i32 = g_4) for o_7: i64 < n_0 do {
//!     let p_8: i32 = mul m_6 x_1
//!     let q_9: i32 = add p_8 y_2
//!     in q_9
//!   }
//!   let r_10: i32 = sub k_5 x_1
//!   in r_10
//! }
//! entry main = main (n_0, x_1, y_2) -> (out_3)
//! ```

use ravel_core::{Atom, Body, Exp, Loop, LoopForm, Stm, Var};
use ravel_prim::PrimValue;

use super::{Facts, Rewrite, Rule};
use crate::Premise;

/// A loop without iterations becomes its initial values.
pub const NONE: Rule = Rule {
    name: "loop-zero-trip",
    rewrite: |known, stm| {
        let Exp::Loop(looped) = &stm.exp else { return None };
        let over = match looped.form {
            LoopForm::For { bound, .. } => {
                let zero = Atom::Const(PrimValue::zero(known.type_of(bound).elem));
                !known.is_dependent(bound) && known.ranges.at_most(known.vars, bound, zero, 0)
            }
            LoopForm::While(cond) => {
                looped.params.iter().any(|&(param, init)| param == cond && init == Atom::bool(false))
            }
        };
        over.then(|| Rewrite::Atoms(looped.params.iter().map(|&(_, init)| init).collect()))
    },
};

/// A loop of one iteration becomes its body.
pub const ONCE: Rule = Rule {
    name: "loop-single-trip",
    rewrite: |known, stm| {
        let Exp::Loop(Loop { params, form: LoopForm::For { index, bound }, body }) = &stm.exp else {
            return None;
        };
        let zero = PrimValue::zero(known.type_of(*bound).elem);
        let Atom::Const(rounds) = *bound else { return None };
        if rounds != ravel_prim::convert(PrimValue::I8(1), rounds.ty()) {
            return None;
        }
        let names = params.iter().copied().chain([(*index, Atom::Const(zero))]).collect();
        Some(Rewrite::Body(names, body.clone()))
    },
};

/// What [`INVARIANT`] requires.
pub const SCALAR: Premise = Premise {
    name: "scalar",
    about: "a parameter that every iteration resets to its initial value is a scalar, since an array may have been consumed",
    otherwise: "{} returns to its initial value in every iteration",
};

/// A parameter that never changes is replaced by its initial value.
pub const INVARIANT: Rule = Rule { name: "loop-invariant", rewrite: invariant };

fn invariant(known: &Facts, stm: &Stm) -> Option<Rewrite> {
    let Exp::Loop(looped) = &stm.exp else { return None };
    let is_invariant = |&(&(param, init), &next): &(&(Var, Atom), &Atom)| {
        let ty = &known.vars[param].ty;
        let same = next == Atom::Var(param) || next == init && ty.is_scalar();
        same && looped.form != LoopForm::While(param) && *ty == known.type_of(init)
    };
    let fixed: Vec<bool> =
        looped.params.iter().zip(&looped.body.result).map(|pair| is_invariant(&pair)).collect();
    if !fixed.contains(&true) {
        let begins_again = |(&(param, init), &next): (&(Var, Atom), &Atom)| {
            next == init && !known.vars[param].ty.is_scalar()
        };
        let mut params = looped.params.iter().zip(&looped.body.result);
        return params.any(begins_again).then_some(Rewrite::Refused(SCALAR));
    }
    let mut result: Vec<Atom> = stm.binders.iter().map(|&binder| Atom::Var(binder)).collect();
    let mut rest = stm.clone();
    let Exp::Loop(kept) = &mut rest.exp else { return None };
    (rest.binders, kept.params, kept.body.result) = (Vec::new(), Vec::new(), Vec::new());
    let mut names = Vec::new();
    for (at, &fixed) in fixed.iter().enumerate() {
        let (param, init) = looped.params[at];
        if fixed {
            names.push((param, init));
            result[at] = init;
        } else {
            rest.binders.push(stm.binders[at]);
            kept.params.push((param, init));
            kept.body.result.push(looped.body.result[at]);
        }
    }
    let stms = if rest.binders.is_empty() { Vec::new() } else { vec![rest] };
    Some(Rewrite::Body(names, Body { stms, result }))
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
        let (after, events) = trace(&PASS, &within(stms, result, types));
        (statements(&after), events)
    }

    const BODY: &str = "do { let b: i32 = mul a x in b }";

    #[test]
    fn a_loop_without_iterations_returns_its_initial_values() {
        for form in ["for i: i64 < 0", "for i: i32 < -3i32"] {
            let (after, events) =
                simplified(&format!("let r2: i32 = loop (a: i32 = y) {form} {BODY}"), "r2", "r: i32");
            assert_eq!((after.as_str(), &events[..]), ("in y_4", &["loop-zero-trip".to_owned()][..]));
        }
        let while_loop = "let (s: bool, r2: i32) = loop (go: bool = false, a: i32 = y) while go do { let b: i32 = mul a x in (c, b) }";
        assert_eq!(simplified(while_loop, "r2", "r: i32").0, "in y_4");
        let (after, _) =
            simplified(&format!("let r2: i32 = loop (a: i32 = y) for i: i64 < m {BODY}"), "r2", "r: i32");
        assert!(after.contains("loop"), "{after}");
    }

    #[test]
    fn a_loop_of_one_iteration_is_its_body() {
        let stms = "let r2: [n]i32 = loop (a: [n]i32 = xs) for i: i64 < 1 do { let b: [n]i32 = a with [i] = x in b }";
        let (after, events) = simplified(stms, "r2", "r: [n]i32");
        assert_eq!(after, "let b_9: [n_0]i32 = xs_6 with [0i64] = x_3\nin b_9");
        assert_eq!(events, ["loop-single-trip"]);
        assert!(simplified(&stms.replace("< 1", "< 2"), "r2", "r: [n]i32").0.contains("loop"));
    }

    #[test]
    fn sizes_of_parameters_are_named_at_once() {
        let stms = "let (k: i64, r2: [k]i32) = loop (l: i64 = n, a: [l]i32 = ys) for i: i64 < 1 do {
              let b: [l]i32 = copy a
              in (l, b)
            }";
        let mut program = ravel_core::parse(&within(stms, "r2", "r: [n]i32")).expect("a program");
        let mut cx = crate::Cx::new(&ravel_kernel::Target::CPU, 1);
        (PASS.run)(&mut program, &mut cx);
        assert_eq!(cx.firing_count(), 1);
        assert_eq!(ravel_core::verify(&program), Ok(()), "{}", ravel_core::print(&program));
    }

    #[test]
    fn invariant_parameters_are_removed() {
        let stms = "
            let (k: i64, zs: [k]i32, e: i32, r2: i32) = loop (l: i64 = n, a: [l]i32 = ys, d: i32 = x, s: i32 = y) for i: i64 < m do {
              let f: i32 = a[0]
              let g: i32 = mul d f
              let h: i32 = add s g
              in (l, a, x, h)
            }
            let t: [k]i32 = copy zs";
        let (after, events) = simplified(stms, "(k, t, e, r2)", "q: i64, r: [q]i32, v: i32, w: i32");
        let expected = "\
let r2_12: i32 = loop (s_13: i32 = y_4) for i_14: i64 < m_1 do {
  let f_15: i32 = ys_7[0i64]
  let g_16: i32 = mul x_3 f_15
  let h_17: i32 = add s_13 g_16
  in h_17
}
let t_18: [n_0]i32 = copy ys_7
in (n_0, t_18, x_3, r2_12)";
        assert_eq!(after, expected);
        assert_eq!(events.iter().filter(|event| *event == "loop-invariant").count(), 2);
    }

    #[test]
    fn changing_parameters_and_conditions_stay() {
        let swapped = "let (a: i32, b: i32) = loop (d: i32 = x, e: i32 = y) for i: i64 < n do { in (e, d) }";
        assert!(
            simplified(&swapped.replace("{ in (e, d) }", "(e, d)"), "(a, b)", "r: i32, s: i32").1.is_empty()
        );
        let steering = "let (a: bool, b: i32) = loop (go: bool = c, s: i32 = x) while go do { let t: i32 = add s 1i32 in (go, t) }";
        assert_eq!(simplified(steering, "b", "r: i32").1, [""; 0]);
        let fresh =
            "let a: [n]i32 = loop (b: [n]i32 = xs) for i: i64 < n do { let d: [n]i32 = b with [i] = x in d }";
        assert_eq!(simplified(fresh, "a", "r: [n]i32").1, [""; 0]);
    }
}
