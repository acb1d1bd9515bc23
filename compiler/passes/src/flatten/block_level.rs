//! # block-level: each point of an outer construct is computed by a workgroup
//!
//! ## Rule
//!
//! ```text
//!   let ys = #[flattening(block)] screma n { from xss map \xs -> { … let zs = screma m { … } … } … }
//!   ----------------------------------------------------------------------------------------------------
//!   let ys = segment grid (i < n) block { map \() -> { … let zs = segment block (k < m) { … } … } … }
//! ```
//!
//! * *block-level*: a workgroup computes each point of an outermost construct with the attribute
//!   `flattening(block)`, and runs the inner constructs in parallel.
//!
//! A *workgroup* (a thread block in CUDA, hence the names in the code) is a group of threads of a GPU that
//! share memory. On a CPU, one worker runs its threads one after the other. The constructs of the body become
//! inner segments, also those in branches and loops. The rest of the body is uniform: all threads of the
//! workgroup compute the same scalars and views, and take the same branches and loops. A stream of the body is one
//! chunk, so the constructs of its function are inner segments too (`one-chunk`), and so are the maps that `fill` makes
//! of `iota`, `replicate` and `scratch`. Updates and copies stay as they are: the threads share the elements of a copy,
//! and one thread stores an element.
//!
//! If the outer construct does more than map, the workgroups only map. A second construct scans, reduces,
//! writes or combines what they computed.
//!
//! ## Requires
//!
//! * *parallel-body*: the body of the outer construct has a parallel construct.
//! * *no-call*: outside its constructs, the body calls no function. Functions have versions for the host and
//!   for threads, but not for workgroups.
//! * *scalar-operators*: the constructs of the body reduce and scan scalars, and combine into no arrays.
//! * *known-sizes*: the sizes of the arrays made in the body are known before the segment. A size may be
//!   computed in the body if it depends only on variables bound outside: it is computed again before the
//!   segment, to allocate memory. A view may have any size.
//! * *small-arrays*: the arrays of a single thread have constant sizes and fit its private memory. This is not
//!   required if threads of the target can allocate memory.
//!
//! ## Ensures
//!
//! Every element is computed as before. Of several failures in a workgroup, the first one in program order is
//! reported.
//!
//! ## Leaves alone
//!
//! Constructs without the attribute.
//!
//! ## Costs
//!
//! The arrays of a body lie in the memory of the workgroup, which is fast and small. Arrays of constant size that do not
//! fit lie in device memory. If others do not fit, the program fails.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019),
//! where it is called intra-group parallelism.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n][m]i32) -> (out: [n][m]i32) = {
//!   let ys: [n][m]i32 = #[flattening(block)] screma n {
//!     from xs
//!     map \(row: [m]i32) -> {
//!       let sums: [m]i32 = screma m {
//!         from row
//!         map \(x: i32) -> x
//!         scan \(a: i32, b: i32) -> { let c: i32 = add a b in c } (0i32)
//!         to map
//!       }
//!       let most: i32 = screma m {
//!         from sums
//!         map \(s: i32) -> s
//!         to reduce \(d: i32, e: i32) -> { let f: i32 = max d e in f } (0i32)
//!       }
//!       let zs: [m]i32 = screma m { from sums map \(t: i32) -> { let u: i32 = sub most t in u } to map }
//!       in zs
//!     }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (n, m, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]i32) -> (out_3: [n_0][m_1]i32) = {
//!   let ys_4: [n_0][m_1]i32 = #[flattening(block)] segment grid (v5 < n_0) block {
//!     map \() -> {
//!       let row_6: [m_1]i32 = slice xs_2[v5, 0i64 : m_1 : 1i64]
//!       let sums_7: [m_1]i32 = segment block (v8 < m_1) {
//!         map \() -> {
//!           let x_9: i32 = row_6[v8]
//!           in x_9
//!         }
//!         scan \(a_10: i32, b_11: i32) -> {
//!           let c_12: i32 = add a_10 b_11
//!           in c_12
//!         } (0i32)
//!         to map
//!       }
//!       let most_13: i32 = segment block (v14 < m_1) {
//!         map \() -> {
//!           let s_15: i32 = sums_7[v14]
//!           in s_15
//!         }
//!         to reduce \(d_16: i32, e_17: i32) -> {
//!           let f_18: i32 = max d_16 e_17
//!           in f_18
//!         } (0i32)
//!       }
//!       let zs_19: [m_1]i32 = segment block (v20 < m_1) {
//!         map \() -> {
//!           let t_21: i32 = sums_7[v20]
//!           let u_22: i32 = sub most_13 t_21
//!           in u_22
//!         }
//!         to map
//!       }
//!       in zs_19
//!     }
//!     to map
//!   }
//!   in ys_4
//! }
//! entry main = main (n_0, m_1, xs_2) -> (out_3)
//! ```

pub(super) mod body;

use ravel_core::visit::VisitMut;
use ravel_core::{Exp, Level, Screma, Segment, Stm, Var, VarTable};

use super::after_map::split_after_map;
use super::attributes::{self, Version};
use super::fill;
use super::grid::point_code;
use crate::{Cx, Premise, Refusal};

/// The rule.
pub(super) const BLOCK_LEVEL: &str = "block-level";

pub(super) const PARALLEL_BODY: Premise = Premise {
    name: "parallel-body",
    about: "the body of the outer construct has a parallel construct",
    otherwise: "nothing inside is parallel, so a workgroup would have work for one thread",
};

pub(super) const NO_CALL: Premise = Premise {
    name: "no-call",
    about: "outside its constructs, the body calls no function",
    otherwise: "{} is the result of a call",
};

pub(super) const SCALAR_OPERATORS: Premise = Premise {
    name: "scalar-operators",
    about: "the constructs of the body reduce and scan scalars, and combine into no arrays",
    otherwise: "{} is made by a construct that reduces or scans arrays, or combines into arrays",
};

pub(super) const KNOWN_SIZES: Premise = Premise {
    name: "known-sizes",
    about: "the sizes of the arrays made in the body are known before the segment",
    otherwise: "the size of {} is not known before the workgroups start",
};

pub(super) const SMALL_ARRAYS: Premise = Premise {
    name: "small-arrays",
    about: "the arrays of a single thread have constant sizes and fit its private memory",
    otherwise: "{} is an array of a single thread; its size is not constant, or too large",
};

/// If the attribute of a construct asks for it, makes the construct a segment whose points are workgroups. If the construct
/// does more than map, returns a second statement, which reads the arrays that the workgroups compute.
pub(super) fn place(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm) -> Option<Stm> {
    let (Some(Version::Block), Exp::Screma(screma)) = (attributes::version(stm), &stm.exp) else {
        return None;
    };
    if let Some((premise, blamed)) = body::obstacle(vars, &cx.target, screma) {
        let blamed = blamed.unwrap_or(stm);
        let name = blamed.binders.iter().find_map(|&binder| vars[binder].hint);
        let refusal = Refusal::of(premise).blame(name, blamed.origin.place());
        cx.refuse(BLOCK_LEVEL, refusal, &stm.origin);
        return None;
    }
    if !cx.fire(BLOCK_LEVEL, &stm.origin) {
        return None;
    }
    let mut screma = Screma::clone(screma);
    let mut consumer = split_after_map(vars, &mut screma, stm);
    if let Some(consumer) = &mut consumer {
        attributes::remove(consumer);
    }
    let point = stm.origin.inside();
    let index = point_code(vars, &mut screma, &[], &point);
    InnerSegments { vars, cx }.body(&mut screma.map.body);
    let (level, points, outer) = (Level::Grid, Level::Workgroup, Vec::new());
    let segment = Segment { level, points, outer, index, screma };
    stm.exp = Exp::Segment(Box::new(segment));
    stm.origin.add_rule(BLOCK_LEVEL);
    consumer
}

/// Turns the constructs in the body of a workgroup into inner segments.
struct InnerSegments<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for InnerSegments<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn stm(&mut self, stm: &mut Stm) {
        fill::as_map(self.vars, self.cx, stm, Level::Workgroup);
        match &mut stm.exp {
            Exp::Screma(screma) => {
                let mut screma = screma.as_ref().clone();
                let point = stm.origin.inside();
                let index = point_code(self.vars, &mut screma, &[], &point);
                let (level, points, outer) = (Level::Workgroup, Level::Thread, Vec::new());
                let segment = Segment { level, points, outer, index, screma };
                stm.exp = Exp::Segment(Box::new(segment));
                stm.origin.add_rule(BLOCK_LEVEL);
            }
            exp => self.exp(exp),
        }
    }
}
