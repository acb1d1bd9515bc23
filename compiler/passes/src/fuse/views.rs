//! # fuse-views: what is mapped and then seen in part is mapped in part
//!
//! ## Rule (map-slice)
//!
//! ```text
//!   let xs = screma n { from as, iota a b map f to map }
//!   stms
//!   let v = slice xs[s : m : k]
//!   ------------------------------------------------------------------
//!   stms
//!   let as' = slice as[s : m : k]
//!   let v = screma m { from as', iota (a + s * b) (k * b) map f to map }
//! ```
//!
//! ## Requires
//!
//! * *one-map*: the producer does nothing but map one array.
//! * *used-once*: nobody but the slice uses `xs`.
//! * *no-repeat*: the stride is a constant and not 0, so that nothing is computed twice.
//! * *whole-rows*: the inner dimensions are taken whole.
//! * *no-consumption-between*: `stms` consume nothing that the producer reads.
//!
//! ## Ensures, leaves alone, costs
//!
//! Fusion, which looks for producers by name, sees through the slice: the sum of a reversed map is
//! one traversal. What is not seen is not computed. Linear in the statements between, once more for
//! every firing.
//!
//! ## Source
//!
//! The index functions of views as in Henriksen et al. (PLDI 2017), where fusion pulls
//! transformations of the input through the operator in the same way.

use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Function, Program, Screma, Sink, Source, Stm, Uses, VarTable,
};
use ravel_prim::BinOp;

use super::NO_CONSUMPTION_BETWEEN;
use super::graph::{Facts, Node};
use crate::{Cx, Pass, Premise, Refusal};

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-views",
    about: "Maps only the part of an array that is seen.",
    rules: &[SLICE],
    premises: &[ONE_MAP, USED_ONCE, NO_REPEAT, WHOLE_ROWS, NO_CONSUMPTION_BETWEEN],
    run,
};

const SLICE: &str = "map-slice";

const ONE_MAP: Premise = Premise {
    name: "one-map",
    about: "what is seen in part comes of a construct that does nothing but map one array",
    otherwise: "{} is seen in part here",
};

const USED_ONCE: Premise = Premise {
    name: "used-once",
    about: "nobody else uses what is seen in part",
    otherwise: "{} is seen in part here, and used elsewhere too",
};

const NO_REPEAT: Premise = Premise {
    name: "no-repeat",
    about: "the stride is a constant and not 0, so that nothing is computed twice",
    otherwise: "{} is seen in part here",
};

const WHOLE_ROWS: Premise = Premise {
    name: "whole-rows",
    about: "the inner dimensions are taken whole",
    otherwise: "{} is seen in part here",
};

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        loop {
            let facts = Facts { aliases: Aliases::of(function, &summaries), summaries: &summaries };
            let uses = Uses::of(function);
            let Function { vars, body, .. } = function;
            let mut mover = Mover { vars, facts: &facts, uses: &uses, cx, fired: false };
            mover.body(body);
            if !mover.fired {
                break;
            }
        }
    }
}

struct Mover<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    uses: &'a Uses,
    cx: &'a mut Cx,
    fired: bool,
}

impl VisitMut for Mover<'_> {
    fn var(&mut self, _: &mut ravel_core::Var) {}
    fn binder(&mut self, _: &mut ravel_core::Var) {}

    fn body(&mut self, body: &mut Body) {
        for at in 0..body.stms.len() {
            // What was moved has views that the analyses do not know: the next round goes on.
            if let Some((producer, stms)) = self.moved(&body.stms, at) {
                body.stms.splice(at..=at, stms);
                body.stms.remove(producer);
                self.fired = true;
                return;
            }
        }
        for stm in &mut body.stms {
            self.stm(stm);
        }
    }
}

impl Mover<'_> {
    /// The producer of what the statement slices, and what stands in the place of the slice.
    fn moved(&mut self, stms: &[Stm], at: usize) -> Option<(usize, Vec<Stm>)> {
        let Exp::Slice(array, dims) = &stms[at].exp else { return None };
        let producer = stms[..at].iter().rposition(|stm| stm.binders.contains(array))?;
        let Exp::Screma(screma) = &stms[producer].exp else { return None };
        let DimSlice::Range { start, count, stride } = *dims.first()? else { return None };
        let is_whole = |(dim, &size): (&DimSlice, &Atom)| {
            *dim == DimSlice::Range { start: Atom::i64(0), count: size, stride: Atom::i64(1) }
        };
        let shape = &self.vars[*array].ty.shape;
        let reads = Node::of(self.vars, self.facts, stms[producer].clone()).reads;
        let mut between = stms[producer + 1..at].iter();
        let consumes =
            |stm: &&Stm| !Node::of(self.vars, self.facts, (*stm).clone()).consumes.is_disjoint(&reads);
        let consuming = between.find(consumes);
        let premises = [
            (ONE_MAP, screma.scans.is_empty() && screma.sinks == [Sink::Map]),
            (USED_ONCE, self.uses.count(*array) == 1),
            (NO_REPEAT, matches!(stride, Atom::Const(_)) && stride != Atom::i64(0)),
            (WHOLE_ROWS, dims.iter().zip(shape).skip(1).all(is_whole)),
            (NO_CONSUMPTION_BETWEEN, consuming.is_none()),
        ];
        self.cx.look(at - producer);
        if let Some((premise, _)) = premises.into_iter().find(|(_, holds)| !holds) {
            let place = |stm: &Stm| stm.origin.spans.first().copied();
            let at_fault = consuming.filter(|_| premise == NO_CONSUMPTION_BETWEEN).unwrap_or(&stms[at]);
            let refusal = Refusal::of(premise).blame(self.vars[*array].hint, place(at_fault));
            let other = place(&stms[producer]);
            self.cx.refuse(SLICE, Refusal { other, ..refusal }, &stms[at].origin);
            return None;
        }
        let mut origin = stms[at].origin.union(&stms[producer].origin);
        if !self.cx.fire(SLICE, &origin) {
            return None;
        }
        origin.rules.push(SLICE);
        let mut builder = Builder::resume(std::mem::take(self.vars));
        builder.set_origin(origin);
        let sources = screma.sources.iter().map(|source| part(&mut builder, source, (start, count, stride)));
        let moved = Screma { width: count, sources: sources.collect(), ..(**screma).clone() };
        builder.emit(stms[at].binders.clone(), Exp::Screma(Box::new(moved)));
        let (vars, written) = builder.finish();
        *self.vars = vars;
        Some((producer, written))
    }
}

/// The part of a source that begins at a position, with so many elements so far apart.
fn part(b: &mut Builder, source: &Source, (start, count, stride): (Atom, Atom, Atom)) -> Source {
    match *source {
        Source::Array(array) => {
            let mut dims = vec![DimSlice::Range { start, count, stride }];
            let inner = b.vars()[array].ty.shape[1..].to_vec();
            let whole = |size| DimSlice::Range { start: Atom::i64(0), count: size, stride: Atom::i64(1) };
            dims.extend(inner.into_iter().map(whole));
            match b.slice(array, dims) {
                Atom::Var(part) => Source::Array(part),
                Atom::Const(_) => Source::Array(array),
            }
        }
        Source::Iota { start: first, stride: step } => {
            let ty = b.type_of(first).elem;
            let (start, stride) = (b.convert(ty, start), b.convert(ty, stride));
            let distance = b.binary(BinOp::Mul, start, step);
            let first = b.binary(BinOp::Add, first, distance);
            Source::Iota { start: first, stride: b.binary(BinOp::Mul, stride, step) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::testing::{statements, trace, within};

    fn moved(stms: &str, ty: &str) -> (String, Vec<String>) {
        let (after, events) = trace(&PASS, &within(stms, "v", &format!("r: {ty}")));
        (statements(&after), events)
    }

    const MAP: &str = "let as: [n]i64 = screma n {
        from ys, iota 5i64 3i64
        map \\(e: i32, i: i64) -> { let f: i64 = convert i64 e let g: i64 = add f i in g } to map
    }";

    #[test]
    fn what_is_seen_backwards_is_mapped_backwards() {
        let (after, events) = moved(&format!("{MAP} let v: [m]i64 = slice as[9 : m : -2]"), "[m]i64");
        let expected = "\
let v9: [m_1]i32 = slice ys_7[9i64 : m_1 : -2i64]
let v10: i64 = convert i64 9i64
let v11: i64 = convert i64 -2i64
let v12: i64 = mul v10 3i64
let v13: i64 = add 5i64 v12
let v14: i64 = mul v11 3i64
let v_15: [m_1]i64 = screma m_1 {
  from v9, iota v13 v14
  map \\(e_16: i32, i_17: i64) -> {
    let f_18: i64 = convert i64 e_16
    let g_19: i64 = add f_18 i_17
    in g_19
  }
  to map
}
in v_15";
        assert_eq!(after, expected);
        assert_eq!(events, ["map-slice"]);
    }

    #[test]
    fn chains_move_to_their_beginning() {
        let second =
            "let bs: [n]i64 = screma n { from as map \\(h: i64) -> { let j: i64 = mul h m in j } to map }";
        let (_, events) = moved(&format!("{MAP} {second} let v: [m]i64 = slice bs[0 : m : 1]"), "[m]i64");
        assert_eq!(events, ["map-slice", "map-slice"]);
    }

    #[test]
    fn every_premise_alone() {
        let slice = "let v: [m]i64 = slice as[9 : m : 2]";
        for (stms, premise) in [
            (
                format!("{} {slice}", MAP.replace("to map", "scan \\(s: i64, t: i64) -> s (0) to map")),
                "one-map",
            ),
            (format!("{MAP} {slice} let w: i64 = as[0]"), "used-once"),
            (format!("{MAP} {}", slice.replace(": 2]", ": 0]")), "no-repeat"),
            (format!("{MAP} {}", slice.replace(": 2]", ": m]")), "no-repeat"),
            (
                format!("{} let zs: [n]i32 = xs with [0] = y {slice}", MAP.replace("from ys", "from xs")),
                "no-consumption-between",
            ),
        ] {
            assert_eq!(moved(&stms, "[m]i64").1, [format!("map-slice refused: {premise}")], "{stms}");
        }
        let rows = "let as: [n][n]i32 = screma n { from iota 0 1 map \\(i: i64) -> ys to map }";
        for (dims, event) in [("0 : n : 1", "map-slice"), ("1 : m : 1", "map-slice refused: whole-rows")] {
            let size = dims.split(' ').nth(2).unwrap_or_default();
            let slice = format!("let v: [m][{size}]i32 = slice as[2 : m : 1, {dims}]");
            assert_eq!(moved(&format!("{rows} {slice}"), &format!("[m][{size}]i32")).1, [event]);
        }
    }
}
