//! # sine-cosine: compute the sine and the cosine of an angle together
//!
//! ## Rule
//!
//! ```text
//!   let s = sin(a)  …  let c = cos(a)   -->   let s, c = sine_cosine(a)  …
//! ```
//!
//! * *sine-cosine*: a sine and a cosine of one angle are computed by one call.
//!
//! ## Requires
//!
//! * *one-call*: the target computes both by one call, and the angle is an f32 or f64.
//!
//! ## Ensures
//!
//! Both are bound at the place of the first one, with the same values as by two calls.
//!
//! ## Leaves alone
//!
//! A sine and a cosine in different bodies.
//!
//! ## Costs
//!
//! The angle is reduced to the first quadrant only once, which is most of the work. One walk over the program.
//!
//! ## Source
//!
//! Markstein, "Accelerating Sine and Cosine Evaluation with Compiler Assistance" (ARITH 2003). The combined
//! function is in many mathematical libraries, as `sincos` of the GNU C library.
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1i64 {
//!     load x: f64 = xs1[i]
//!     let c: f64 = cos(x)
//!     let d: f64 = mul(c, c)
//!     let s: f64 = sin(x)
//!     let y: f64 = sub(d, s)
//!     store out1[i] = y
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0]) -> ([]f64) {
//!   view xs1_2: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_3: block f64 = n_0
//!   view out1_4: f64 [n_0] = out_3 + 0i64 * [1i64]
//!   segment map (i_5 < n_0) chunk 1i64 {
//!     load x_6: f64 = xs1_2[i_5]
//!     let s_7: f64, c_8: f64 = sine_cosine(x_6)
//!     let d_9: f64 = mul(c_8, c_8)
//!     let y_10: f64 = sub(d_9, s_7)
//!     store out1_4[i_5] = y_10
//!   }
//!   yield n_0, out_3
//! }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ravel_kernel::*;
use ravel_prim::{PrimType, UnOp};

use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `sine-cosine`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "sine-cosine",
    about: "Computes the sine and the cosine of an angle together.",
    rules: &[RULE],
    premises: &[ONE_CALL],
    run,
};

const RULE: &str = "sine-cosine";

const ONE_CALL: Premise = Premise {
    name: "one-call",
    about: "the target computes both by one call, and the angle is an f32 or f64",
    otherwise: "the target computes the sine and the cosine by two calls",
};

fn run(program: &mut Program, cx: &mut Cx) {
    rewrite(program, &mut EachBody(cx));
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        SineCosine { vars, cx: self.0 }.body(body);
    }
}

struct SineCosine<'a> {
    vars: &'a VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for SineCosine<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        body.stms.iter_mut().for_each(|step| self.step(step));
        let mut pairs = self.pairs(body);
        let later: BTreeSet<Var> = pairs.values().map(|&(var, _)| var).collect();
        for step in &mut body.stms {
            if let Some((var, op, angle)) = circular(step)
                && let Some((other, origin)) = pairs.remove(&var)
            {
                let (sine, cosine) = if op == UnOp::Sin { (var, other) } else { (other, var) };
                let stm = Stm::SineCosine { sine, cosine, angle: Atom::Var(angle) };
                *step = Step { origin: Arc::new(origin), stm };
                step.add_rule(RULE);
            }
        }
        body.stms.retain(|step| circular(step).is_none_or(|(var, ..)| !later.contains(&var)));
    }
}

impl SineCosine<'_> {
    /// Maps each sine or cosine that is computed together with a later cosine or sine of the same angle to the variable
    /// of the later one and the union of both origins.
    fn pairs<L: Level>(&mut self, body: &Body<L>) -> BTreeMap<Var, (Var, Origin)> {
        // The sines and cosines without a partner so far. The key is the angle and whether it is a sine.
        let mut unpaired: BTreeMap<_, (Var, &Origin)> = BTreeMap::new();
        let mut pairs = BTreeMap::new();
        for step in &body.stms {
            let Some((var, op, angle)) = circular(step) else { continue };
            let is_sine = op == UnOp::Sin;
            match unpaired.remove(&(angle, !is_sine)) {
                Some((first, earlier)) => {
                    let origin = earlier.union(&step.origin);
                    if self.joins(angle, earlier, &origin) {
                        pairs.insert(first, (var, origin));
                    }
                }
                None => {
                    unpaired.insert((angle, is_sine), (var, &step.origin));
                }
            }
        }
        pairs
    }

    /// Whether the sine and the cosine of an angle are computed together.
    fn joins(&mut self, angle: Var, earlier: &Origin, origin: &Origin) -> bool {
        let in_library = matches!(self.vars[angle].ty, Type::Scalar(PrimType::F32 | PrimType::F64));
        let Some(premise) = missing(&[(ONE_CALL, &|| in_library && self.cx.target.sine_with_cosine)]) else {
            return self.cx.fire_with(RULE, earlier, origin);
        };
        self.cx.refuse(RULE, Refusal::of(premise), origin);
        false
    }
}

/// If the statement computes the sine or cosine of a variable: the binder, the operator, the angle.
fn circular<L: Level>(step: &Step<L>) -> Option<(Var, UnOp, Var)> {
    match step.stm {
        Stm::Let { var, exp: ScalarExp::Unary(op @ (UnOp::Sin | UnOp::Cos), Atom::Var(angle)) } => {
            Some((var, op, angle))
        }
        _ => None,
    }
}
