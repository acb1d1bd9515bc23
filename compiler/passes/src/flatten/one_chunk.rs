//! # one-chunk: a stream in the code of a point is the function of its one chunk
//!
//! ## Rule
//!
//! ```text
//!   let (ys, r) = stream n { from xs chunk \(m, at, x) -> { S in (y, p) } to map to reduce op (e) }
//!   -----------------------------------------------------------------------------------------------
//!   let (ys, r) = if 0 < n then { S[n/m, 0/at, xs/x] in (y, p) } else { scratch, e }
//! ```
//!
//! * *one-chunk*: a stream that is not spread over the grid has a single chunk, so the function of the chunk takes its place.
//!
//! These are the streams in the code of points, and in host code if `stream-chunks` is switched off. The constructs of the
//! function are then placed like any others: as loops of a thread (`sequentialise`) or as segments of a workgroup
//! (`block-level`). The rule cannot be switched off, since later stages know no streams.
//!
//! If a sink reduces without a neutral element, the function also takes an empty chunk, and there is no branch. An array
//! that may be in the memory of another one is copied, since the results of a stream have memory of their own.
//!
//! ## Requires
//!
//! Nothing: a stream promises that its result does not depend on the cuts.
//!
//! ## Ensures
//!
//! No stream is left in the code of a point.
//!
//! ## Leaves alone
//!
//! Streams of host code, which `stream-chunks` spreads over the grid.
//!
//! ## Costs
//!
//! A copy of each result that is not a new array. Linear in the size of the program.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), section 4.2, where a sequential stream has one chunk if memory
//! permits.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n][m]i32) -> (out: [n]i32) = {
//!   let sums: [n]i32 = screma n {
//!     from xs
//!     map \(row: [m]i32) -> {
//!       let total: i32 = stream m {
//!         from row
//!         chunk \(k: i64, at: i64, x: [k]i32) -> {
//!           let s: i32 = screma k {
//!             from x
//!             map \(a: i32) -> a
//!             to reduce \(b: i32, c: i32) -> { let d: i32 = add b c in d } (0i32)
//!           }
//!           in s
//!         }
//!         to reduce \(e: i32, f: i32) -> { let g: i32 = add e f in g } (0i32)
//!       }
//!       in total
//!     }
//!     to map
//!   }
//!   in sums
//! }
//! entry main = main (n, m, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]i32) -> (out_3: [n_0]i32) = {
//!   let sums_4: [n_0]i32 = segment grid (v5 < n_0) {
//!     map \() -> {
//!       let row_6: [m_1]i32 = slice xs_2[v5, 0i64 : m_1 : 1i64]
//!       let v7: bool = lt 0i64 m_1
//!       let total_8: i32 = if v7 then {
//!         let s_9: i32 = screma m_1 {
//!           from row_6
//!           map \(a_10: i32) -> a_10
//!           to reduce \(b_11: i32, c_12: i32) -> {
//!             let d_13: i32 = add b_11 c_12
//!             in d_13
//!           } (0i32)
//!         }
//!         in s_9
//!       } else 0i32
//!       in total_8
//!     }
//!     to map
//!   }
//!   in sums_4
//! }
//! entry main = main (n_0, m_1, xs_2) -> (out_3)
//! ```

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Level, Stm, Stream, StreamSink, Substitution, Type, Var, VarTable,
};
use ravel_prim::CmpOp;

use crate::Cx;

/// The rule.
pub const ONE_CHUNK: &str = "one-chunk";

/// Replaces the streams in the code of points: in lambdas, and in a function that only threads call.
pub(super) fn in_points(vars: &mut VarTable, cx: &mut Cx, body: &mut Body, level: Level) {
    Points { vars, cx, level }.body(body);
}

struct Points<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    level: Level,
}

impl VisitMut for Points<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            self.exp(&mut stm.exp);
            match self.level {
                Level::Thread => body.stms.extend(one_chunk(self.vars, self.cx, stm)),
                Level::Grid | Level::Workgroup => body.stms.push(stm),
            }
        }
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let outer = std::mem::replace(&mut self.level, Level::Thread);
        self.body(&mut lambda.body);
        self.level = outer;
    }
}

/// The statements that replace a stream. Any other statement stays.
pub(super) fn one_chunk(vars: &mut VarTable, cx: &mut Cx, stm: Stm) -> Vec<Stm> {
    let Stm { binders, exp: Exp::Stream(stream), mut origin } = stm else { return vec![stm] };
    cx.record(ONE_CHUNK, &origin);
    origin.add_rule(ONE_CHUNK);
    let has_empty_chunk = stream.has_empty_chunk();
    let Stream { width, sources, chunk, sinks } = *stream;
    let mut body = chunk.body;
    let args = [width, Atom::i64(0)].into_iter().chain(sources.into_iter().map(Atom::Var));
    chunk.params.into_iter().zip(args).collect::<Substitution>().body(vars, &mut body);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin);
    let then = with_own_results(&mut builder, body);
    if has_empty_chunk {
        then.stms.into_iter().for_each(|stm| builder.push(stm));
        for (&binder, result) in binders.iter().zip(then.result) {
            builder.emit(vec![binder], Exp::Atom(result));
        }
    } else {
        let cond = builder.compare(CmpOp::Lt, Atom::i64(0), width);
        let otherwise = without_elements(&mut builder, &binders, &sinks);
        builder.emit(binders, Exp::If { cond, then, otherwise });
    }
    let stms;
    (*vars, stms) = builder.finish();
    stms
}

/// The body, each of whose array results has memory of its own.
fn with_own_results(builder: &mut Builder, Body { stms, result }: Body) -> Body {
    builder.begin();
    let mut results: Vec<Atom> = Vec::new();
    for &value in &result {
        let is_new = |stm: &Stm| makes(&stm.exp) && stm.binders.iter().any(|&var| Atom::Var(var) == value);
        let own = builder.type_of(value).is_scalar()
            || stms.iter().any(is_new) && result.iter().filter(|&&other| other == value).count() == 1;
        results.push(match value {
            Atom::Var(array) if !own => builder.copy(array),
            _ => value,
        });
    }
    let mut body = builder.end(results);
    body.stms.splice(0..0, stms);
    body
}

/// Whether no array of another statement is in the memory of the expression's results.
fn makes(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch
            | Exp::Copy(_)
            | Exp::Concat(_)
            | Exp::ArrayLit(_)
            | Exp::Update { .. }
            | Exp::Screma(_)
    )
}

/// The results of a stream without elements.
fn without_elements(builder: &mut Builder, binders: &[Var], sinks: &[StreamSink]) -> Body {
    builder.begin();
    let mut results = Vec::new();
    let mut types = binders.iter().map(|&binder| builder.vars()[binder].ty.clone()).collect::<Vec<Type>>();
    for sink in sinks {
        let own: Vec<Type> = types.drain(..sink.arity()).collect();
        match sink {
            StreamSink::Reduce { neutral: Some(neutral), .. } => {
                let of_own = |&atom: &Atom| match atom.var() {
                    Some(array) if !builder.type_of(atom).is_scalar() => builder.copy(array),
                    _ => atom,
                };
                results.extend(neutral.iter().map(of_own).collect::<Vec<Atom>>());
            }
            _ => results.extend(own.into_iter().map(|ty| builder.bind(ty, Exp::Scratch))),
        }
    }
    builder.end(results)
}
