//! # fill: an array of equal or evenly spaced elements is a map
//!
//! ## Rule
//!
//! ```text
//!   let is = iota n a b           ->   let is = screma n { from iota a b map \i -> i to map }
//!   let xs = replicate n x        ->   let xs = screma n { map \() -> x to map }
//!   let yss = replicate n ys      ->   let yss = screma n { map \() -> { let row = screma m { from ys … } in row } to map }
//!   let zs = scratch              ->   let zs = replicate n 0        if its memory has to be initialised
//! ```
//!
//! * *fill*: an array whose elements are equal or evenly spaced is computed by a map.
//!
//! So the other rules decide where the elements are computed: `segment-map` and `nest` in host code, `block-level` in
//! workgroups. In the code of a thread, where the map is a loop in any case, the rule comes last and records no event. It
//! cannot be switched off, since later stages know no other way to fill an array.
//!
//! ## Requires
//!
//! Nothing.
//!
//! ## Ensures
//!
//! Every element is computed as before. Where the memory of a point outlives it and the point may read only what it has
//! stored, all elements of a `scratch` array are initialised before any is read.
//!
//! ## Leaves alone
//!
//! Copies of arrays, which are a matter of memory. Arrays of listed elements. In host code, and in threads that allocate their
//! own memory, `scratch`.
//!
//! ## Costs
//!
//! Nothing at run time.
//!
//! ## Source
//!
//! Blelloch, "Vector Models for Data-Parallel Computing" (MIT Press, 1990), where `index` and `distribute` are elementwise
//! instructions.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, x: i32, ys: [m]i32) -> (is: [n]i64, xs: [n]i32, yss: [n][m]i32) = {
//!   let numbers: [n]i64 = iota n 1 2
//!   let equal: [n]i32 = replicate n x
//!   let rows: [n][m]i32 = replicate n ys
//!   in (numbers, equal, rows)
//! }
//! entry main = main (n, x, ys) -> (is, xs, yss)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, x_2: i32, ys_3: [m_1]i32) -> (is_4: [n_0]i64, xs_5: [n_0]i32, yss_6: [n_0][m_1]i32) = {
//!   let numbers_7: [n_0]i64 = segment grid (v8 < n_0) {
//!     from iota 1i64 2i64
//!     map \(v9: i64) -> v9
//!     to map
//!   }
//!   let equal_10: [n_0]i32 = segment grid (v11 < n_0) {
//!     map \() -> x_2
//!     to map
//!   }
//!   let rows_12: [n_0][m_1]i32 = segment grid (v13 < n_0, v14 < m_1) {
//!     map \() -> {
//!       let v15: i32 = ys_3[v14]
//!       in v15
//!     }
//!     to map
//!   }
//!   in (numbers_7, equal_10, rows_12)
//! }
//! entry main = main (n_0, x_2, ys_3) -> (is_4, xs_5, yss_6)
//! ```

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Level, Origin, Screma, Sink, Source, Stm, Type, Var, VarTable,
};
use ravel_prim::PrimValue;

use crate::Cx;

/// The rule.
pub const FILL: &str = "fill";

/// Makes the expression of a statement a map, if it fills an array. The statement is code of this level.
pub(super) fn as_map(vars: &mut VarTable, cx: &mut Cx, stm: &mut Stm, level: Level) {
    if !matches!(stm.exp, Exp::Iota { .. } | Exp::Replicate { .. } | Exp::Scratch) {
        return;
    }
    let may_read_unwritten = match level {
        Level::Grid => true,
        Level::Workgroup => false,
        Level::Thread => cx.target.thread_allocation,
    };
    let &[array] = &stm.binders[..] else { return };
    let ty = vars[array].ty.clone();
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.inside());
    let map = match stm.exp {
        Exp::Iota { start, stride, .. } => {
            Some(map(&mut builder, ty.shape[0], Source::Iota { start, stride }, |_, number| number))
        }
        Exp::Replicate { value, .. } => {
            Some(everywhere(&mut builder, &ty, &[], &|builder, at| match value {
                Atom::Var(row) if at.len() > 1 => builder.index(row, at[1..].to_vec()),
                scalar => scalar,
            }))
        }
        Exp::Scratch if !may_read_unwritten => {
            let zero = Atom::Const(PrimValue::zero(ty.elem));
            Some(everywhere(&mut builder, &ty, &[], &|_, _| zero))
        }
        _ => None,
    };
    (*vars, _) = builder.finish();
    if let Some(map) = map {
        if level != Level::Thread {
            cx.record(FILL, &stm.origin);
        }
        stm.exp = map;
        stm.origin.add_rule(FILL);
    }
}

/// A map that copies an array element by element.
pub(super) fn copy(vars: &mut VarTable, array: Var, origin: &Origin) -> Exp {
    let ty = vars[array].ty.clone();
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin.inside());
    let exp = everywhere(&mut builder, &ty, &[], &|builder, at| builder.index(array, at.to_vec()));
    (*vars, _) = builder.finish();
    exp
}

/// A map of an array of this type. `element` computes the element at a position.
fn everywhere(
    builder: &mut Builder,
    ty: &Type,
    outer: &[Atom],
    element: &impl Fn(&mut Builder, &[Atom]) -> Atom,
) -> Exp {
    let numbers = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
    map(builder, ty.shape[0], numbers, |builder, index| {
        let (at, row) = ([outer, &[index]].concat(), ty.row());
        if row.is_scalar() {
            return element(builder, &at);
        }
        let rows = everywhere(builder, &row, &at, element);
        builder.bind(row, rows)
    })
}

/// A map of numbers.
fn map(
    builder: &mut Builder,
    width: Atom,
    numbers: Source,
    code: impl FnOnce(&mut Builder, Atom) -> Atom,
) -> Exp {
    let start = match numbers {
        Source::Iota { start, .. } => start,
        Source::Array(array) => Atom::Var(array),
    };
    let number = builder.fresh(None, builder.type_of(start));
    let body = builder.body(|builder| vec![code(builder, Atom::Var(number))]);
    let (map, sinks) = (Lambda { params: vec![number], body }, vec![Sink::Map]);
    let sources = vec![numbers];
    Exp::Screma(Box::new(Screma { width, sources, map, scans: Vec::new(), post: None, sinks }))
}

/// Makes a map of everything that fills an array in the code of threads: in lambdas, and in a function that only threads
/// call.
pub(super) fn in_threads(vars: &mut VarTable, cx: &mut Cx, body: &mut Body, level: Level) {
    Threads { vars, cx, level }.body(body);
}

struct Threads<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    level: Level,
}

impl VisitMut for Threads<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn stm(&mut self, stm: &mut Stm) {
        if self.level == Level::Thread {
            as_map(self.vars, self.cx, stm, Level::Thread);
        }
        self.exp(&mut stm.exp);
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let outer = std::mem::replace(&mut self.level, Level::Thread);
        self.body(&mut lambda.body);
        self.level = outer;
    }
}
