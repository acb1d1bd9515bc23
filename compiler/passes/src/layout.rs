//! # layout: let neighbouring threads access neighbouring elements
//!
//! The threads of a subgroup access memory together, and all of them wait for every memory sector that one of them touches. The
//! innermost counter of a segment tells neighbouring threads apart. So the accesses of a segment are *coalesced* if the dimension
//! of the array that follows this counter is innermost in memory.
//!
//! ## Rule
//!
//! ```text
//!   segment grid (i < n) { … xs[i, j] … }          -->   let large = bytes of xs ≥ param FUNCTION.transposed_bytes
//!                                                        let ys = manifest (1, 0) xs if large
//!                                                        segment grid (i < n) { … ys[i, j] … }
//!
//!   let zs = segment grid (i < n, j < m) { S }     -->   let ts = segment grid (j < m, i < n) { S }
//!                                                        let zs = rearrange ts (1, 0)
//!
//!   let rs = segment grid (i < n) { … in row }     -->   let large = bytes of rs ≥ param FUNCTION.transposed_bytes
//!                                                        let ts = segment grid (i < n) { … in row }
//!                                                        let rs = manifest (1, 0) ts if large
//! ```
//!
//! * *coalesce-reads*: an array that a segment reads in another order than that of the memory is transposed before the segment, and
//!   before all loops of the host that do not make the array. Segments that want the same order share the array.
//! * *coalesce-points*: the counters of a map get the order in which most of its accesses, and those of the segments that read
//!   its results, are coalesced. The results are in memory in the order of the counters.
//! * *coalesce-results*: the rows that the points of a segment make are interleaved in memory, so that the elements at one
//!   position in all rows are neighbours. The translation to kernel IR lets the segment store them so at once, and transposes
//!   the array where host code needs it row-major.
//!
//! Whether an array is transposed or counters change their order is decided by the number of times that arrays go through the
//! memory: an access that is not coalesced counts as eight, a transposition as two. A transposition also takes a launch. So an
//! array gets another layout only if it has as many bytes as a tuning parameter says. The program decides so when it runs. Where it
//! decides against it, it reads the array as it is, by the same code. The default is the setting `transposed_bytes` of the target.
//!
//! ## Requires
//!
//! * *whole-array*, of coalesce-reads: the points together read all of the array, as far as its indices are known.
//! * *one-order*, of coalesce-reads: most accesses of the segment to the array want this order.
//! * *wide*, of coalesce-reads and coalesce-results: the innermost dimension has more than 3 elements, or an unknown number.
//! * *large*, of coalesce-reads and coalesce-results: the array has as many bytes as the default limit, or an unknown number.
//! * *in-order*, of coalesce-results: no construct of the point writes or combines elements of its row at computed positions.
//! * *consumes-nothing*, of coalesce-reads: the segment does not write to arrays or combine them, and does not consume any.
//! * *only-maps*, of coalesce-points: the segment only maps, and its values are scalars.
//! * *same-failure*, of coalesce-points: a check does not depend on the point, so that no order of the points changes the message
//!   of a failure.
//!
//! ## Ensures
//!
//! Every element is computed as before. The types of arrays do not change: a layout is part of the array's memory alone.
//!
//! ## Leaves alone
//!
//! Segments whose points are computed by workgroups, and code for targets whose threads do not access memory together
//! (`coalesces`). Accesses whose indices are products, quotients or elements of other arrays.
//!
//! ## Costs
//!
//! A transposition reads and writes the array once, and takes as much memory again. The analysis takes time linear in the size
//! of the program.
//!
//! ## Source
//!
//! Henriksen, Serup, Elsman, Henglein and Oancea, "Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place
//! Array Updates" (PLDI 2017), section 5.2, transposes inputs and results in the same cases. The order of the points is fixed there.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, m: i64, xs: [n][m]f32) -> (out: [n]f32) = {
//!   let sums: [n][m]f32 = segment grid (i < n) {
//!     map \() -> {
//!       let start: [m]f32 = scratch
//!       let (last: f32, row: [m]f32) = loop (sum: f32 = 0.0f32, row1: [m]f32 = start) for j: i64 < m do {
//!         let x: f32 = xs[i, j]
//!         let next: f32 = add sum x
//!         let row2: [m]f32 = row1 with [j] = next
//!         in (next, row2)
//!       }
//!       in row
//!     }
//!     to map
//!   }
//!   let twice: [n][m]f32 = segment grid (k < n, l < m) {
//!     map \() -> { let s: f32 = sums[k, l] let t: f32 = add s s in t }
//!     to map
//!   }
//!   let out1: [n]f32 = segment grid (p < n) {
//!     map \() -> {
//!       let most: f32 = loop (most1: f32 = 0.0f32) for q: i64 < m do {
//!         let t1: f32 = twice[p, q]
//!         let most2: f32 = max most1 t1
//!         in most2
//!       }
//!       in most
//!     }
//!     to map
//!   }
//!   in out1
//! }
//! entry main = main (n, m, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]f32) -> (out_3: [n_0]f32) = {
//!   let v4: i64 = param "main.transposed_bytes" 524288
//!   let v5: i64 = min n_0 v4
//!   let v6: i64 = min m_1 v4
//!   let v7: i64 = mul v5 v6
//!   let v8: i64 = min v7 v4
//!   let v9: i64 = min 4i64 v4
//!   let v10: i64 = mul v8 v9
//!   let v11: i64 = min v10 v4
//!   let v12: bool = lt v11 v4
//!   let v13: bool = not v12
//!   let xs_14: [n_0][m_1]f32 = #[versions(main.transposed_bytes)] manifest (1, 0) xs_2 if v13
//!   let sums_15: [n_0][m_1]f32 = segment grid (i_16 < n_0) {
//!     map \() -> {
//!       let start_17: [m_1]f32 = scratch
//!       let (last_18: f32, row_19: [m_1]f32) = loop (sum_20: f32 = 0.0f32, row1_21: [m_1]f32 = start_17) for j_22: i64 < m_1 do {
//!         let x_23: f32 = xs_14[i_16, j_22]
//!         let next_24: f32 = add sum_20 x_23
//!         let row2_25: [m_1]f32 = row1_21 with [j_22] = next_24
//!         in (next_24, row2_25)
//!       }
//!       in row_19
//!     }
//!     to map
//!   }
//!   let sums_26: [n_0][m_1]f32 = #[versions(main.transposed_bytes)] manifest (1, 0) sums_15 if v13
//!   let twice_27: [m_1][n_0]f32 = segment grid (l_28 < m_1, k_29 < n_0) {
//!     map \() -> {
//!       let s_30: f32 = sums_26[k_29, l_28]
//!       let t_31: f32 = add s_30 s_30
//!       in t_31
//!     }
//!     to map
//!   }
//!   let twice_32: [n_0][m_1]f32 = rearrange twice_27 (1, 0)
//!   let out1_33: [n_0]f32 = segment grid (p_34 < n_0) {
//!     map \() -> {
//!       let most_35: f32 = loop (most1_36: f32 = 0.0f32) for q_37: i64 < m_1 do {
//!         let t1_38: f32 = twice_32[p_34, q_37]
//!         let most2_39: f32 = max most1_36 t1_38
//!         in most2_39
//!       }
//!       in most_35
//!     }
//!     to map
//!   }
//!   in out1_33
//! }
//! entry main = main (n_0, m_1, xs_2) -> (out_3)
//! ```

mod access;
mod choice;
mod facts;

use std::collections::BTreeMap;

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::UnOp;

use self::access::{Access, accesses};
use self::choice::{Fit, Orders, best_counter, fit};
use self::facts::Facts;
use crate::flatten::{constant_product, is_less, limit, progression};
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `layout`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "layout",
    about: "Lets neighbouring threads access neighbouring elements, by the order of points and of dimensions in memory.",
    rules: &[READS, POINTS, RESULTS],
    premises: &[WHOLE_ARRAY, ONE_ORDER, WIDE, LARGE, IN_ORDER, CONSUMES_NOTHING, ONLY_MAPS, SAME_FAILURE],
    run,
};

const READS: &str = "coalesce-reads";

const POINTS: &str = "coalesce-points";

const RESULTS: &str = "coalesce-results";

/// The limit of this name decides whether arrays are transposed.
const TRANSPOSED_BYTES: &str = "transposed_bytes";

const WHOLE_ARRAY: Premise = Premise {
    name: "whole-array",
    about: "the points together read all of the array, as far as its indices are known",
    otherwise: "only a part of {} is read, so that transposing it would take longer",
};

const ONE_ORDER: Premise = Premise {
    name: "one-order",
    about: "most accesses of the segment to the array want this order",
    otherwise: "other accesses to {} want another order",
};

const WIDE: Premise = Premise {
    name: "wide",
    about: "the innermost dimension has more than 3 elements, or an unknown number",
    otherwise: "the rows of {} are so short that neighbours share memory sectors",
};

const LARGE: Premise = Premise {
    name: "large",
    about: "the array has as many bytes as the default limit, or an unknown number",
    otherwise: "{} is so small that its transposition takes longer than it saves",
};

const IN_ORDER: Premise = Premise {
    name: "in-order",
    about: "no construct of the point writes or combines elements of its row at computed positions",
    otherwise: "neighbouring threads store elements of {} at different positions",
};

const CONSUMES_NOTHING: Premise = Premise {
    name: "consumes-nothing",
    about: "the segment does not write to arrays or combine them, and does not consume any",
    otherwise: "it overwrites arrays, perhaps {}",
};

const ONLY_MAPS: Premise = Premise {
    name: "only-maps",
    about: "the segment only maps, and its values are scalars",
    otherwise: "it combines values along its innermost dimension, or computes rows",
};

const SAME_FAILURE: Premise = Premise {
    name: "same-failure",
    about: "a check does not depend on the point, so that no order of the points changes the message of a failure",
    otherwise: "a check depends on the point, and another point would fail first",
};

fn run(program: &mut Program, cx: &mut Cx) {
    if !cx.target.coalesces {
        return;
    }
    for Function { name, vars, params, body, .. } in &mut program.functions {
        cx.count_visits(statements(body));
        let facts = Facts::of(vars, body);
        let bound = params.iter().map(|param| (param.var, 0)).collect();
        let mut layout = Layout {
            function: *name,
            vars,
            cx,
            facts,
            orders: Orders::default(),
            bound,
            bodies: Vec::new(),
            copies: Vec::new(),
            comparisons: Vec::new(),
        };
        *body = layout.body(std::mem::take(body), false);
    }
}

struct Layout<'a> {
    /// The name of the function.
    function: Symbol,
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    facts: Facts,
    orders: Orders,
    /// For each variable of the host bound so far, the depth of the body that binds it.
    bound: BTreeMap<Var, usize>,
    /// The bodies around the statement, outermost first.
    bodies: Vec<HostBody>,
    copies: Vec<LaidOut>,
    comparisons: Vec<Comparison>,
}

/// A body of host code under construction.
struct HostBody {
    stms: Vec<Stm>,
    is_iteration: bool,
}

/// An array in another layout.
struct LaidOut {
    array: Var,
    order: Vec<usize>,
    /// The name of the array in this layout.
    copy: Var,
    /// The depth of the body that binds it.
    depth: usize,
}

/// Whether arrays of these sizes are large.
struct Comparison {
    /// The sizes of the dimensions and of an element.
    sizes: Vec<Atom>,
    is_large: Atom,
    /// The depth of the body that binds it.
    depth: usize,
}

impl Layout<'_> {
    fn body(&mut self, body: Body, is_iteration: bool) -> Body {
        self.bodies.push(HostBody { stms: Vec::new(), is_iteration });
        for stm in body.stms {
            self.stm(stm);
        }
        let depth = self.bodies.len() - 1;
        self.copies.retain(|copy| copy.depth < depth);
        self.comparisons.retain(|comparison| comparison.depth < depth);
        let stms = self.bodies.pop().map(|body| body.stms).unwrap_or_default();
        Body { stms, result: body.result }
    }

    /// Adds a statement to the innermost body.
    fn push(&mut self, stm: Stm) {
        self.push_at(self.bodies.len() - 1, stm);
    }

    fn push_at(&mut self, depth: usize, stm: Stm) {
        self.bound.extend(stm.binders.iter().map(|&binder| (binder, depth)));
        self.bodies[depth].stms.push(stm);
    }

    fn stm(&mut self, mut stm: Stm) {
        let depth = self.bodies.len();
        match &mut stm.exp {
            Exp::Segment(segment) if segment.points == Level::Thread && !segment.is_single_point() => {
                self.segment(stm);
                return;
            }
            Exp::If { then, otherwise, .. } => {
                for side in [then, otherwise] {
                    *side = self.body(std::mem::take(side), false);
                }
            }
            Exp::Loop(Loop { params, form, body }) => {
                self.bound.extend(params.iter().map(|&(param, _)| (param, depth)));
                if let LoopForm::For { index, .. } = form {
                    self.bound.insert(*index, depth);
                }
                *body = self.body(std::mem::take(body), true);
            }
            _ => (),
        }
        self.push(stm);
    }

    fn segment(&mut self, mut stm: Stm) {
        let mut after = Vec::new();
        let Exp::Segment(segment) = &mut stm.exp else { unreachable!("a segment") };
        let seen = accesses(self.vars, segment);
        let best = best_counter(self.vars, &self.facts, &self.orders, (segment, &stm.binders), &seen);
        if let Some(place) = best {
            let missing = match () {
                () if !choice::only_maps_scalars(self.vars, segment, &stm.binders) => Some(ONLY_MAPS),
                () if !choice::fails_alike(segment) => Some(SAME_FAILURE),
                () => None,
            };
            match missing {
                Some(premise) => self.cx.refuse(POINTS, Refusal::of(premise), &stm.origin),
                None if self.cx.fire(POINTS, &stm.origin) => {
                    stm.origin.add_rule(POINTS);
                    after = self.reorder(place, segment, &mut stm.binders, &stm.origin);
                }
                None => (),
            }
        }
        let Exp::Segment(segment) = &mut stm.exp else { unreachable!("a segment") };
        self.reads(segment, &seen, &mut stm.origin);
        after.extend(self.results(segment, &mut stm.binders, &mut stm.origin));
        self.push(stm);
        after.into_iter().for_each(|stm| self.push(stm));
    }

    /// Makes a counter the innermost one; returns the statements that give the results their old shapes.
    fn reorder(
        &mut self,
        place: usize,
        segment: &mut Segment,
        binders: &mut [Var],
        origin: &Origin,
    ) -> Vec<Stm> {
        let mut space: Vec<(Var, Atom)> = segment.space().collect();
        let mut order: Vec<usize> = (0..space.len()).collect();
        order.push(place);
        order.remove(place);
        let inside = origin.inside();
        let Lambda { params, body } = &mut segment.screma.map;
        for (param, source) in
            std::mem::take(params).into_iter().zip(std::mem::take(&mut segment.screma.sources))
        {
            let Source::Iota { start, stride } = source else {
                unreachable!("verified: no source is an array")
            };
            let stms = progression(self.vars, param, (start, stride), segment.index, &inside);
            body.stms.splice(0..0, stms);
        }
        space = order.iter().map(|&dim| space[dim]).collect();
        let (index, width) = space.pop().expect("verified: a counter");
        (segment.outer, segment.index, segment.screma.width) = (space, index, width);
        let mut after = Vec::new();
        for binder in binders {
            let info = self.vars[*binder].clone();
            let shape = order.iter().map(|&dim| info.ty.shape[dim]).collect();
            let stored = self.vars.push(VarInfo { ty: Type { shape, ..info.ty }, ..info });
            let perm = (0..order.len()).filter_map(|dim| order.iter().position(|&old| old == dim)).collect();
            let result = std::mem::replace(binder, stored);
            self.orders.set(result, order.clone());
            after.push(Stm {
                binders: vec![result],
                exp: Exp::Rearrange(stored, perm),
                origin: inside.clone(),
            });
        }
        after
    }

    /// Lets the segment read arrays in layouts in which its accesses are coalesced.
    fn reads(&mut self, segment: &mut Segment, seen: &[Access], origin: &mut Origin) {
        let mut replaced = Substitution::new();
        let mut arrays: Vec<Var> = Vec::new();
        for access in seen {
            if !arrays.contains(&access.array) && self.bound.contains_key(&access.array) {
                arrays.push(access.array);
            }
        }
        for array in arrays {
            let order = self.orders.of(self.vars, &self.facts, array);
            let own = seen.iter().filter(|access| access.array == array);
            let fits: Vec<Fit> = own.map(|access| fit(self.vars, access, segment.index, &order)).collect();
            let count = |wanted: &Fit| fits.iter().filter(|fit| *fit == wanted).count();
            let wish = |fit: &Fit| matches!(fit, Fit::Wants(_) | Fit::WantsPart(_) | Fit::Narrow(_));
            let Some(most) = fits.iter().filter(|fit| wish(fit)).max_by_key(|fit| count(fit)) else {
                continue;
            };
            let overwrites =
                segment.screma.sinks.iter().any(|sink| !matches!(sink, Sink::Map | Sink::Reduce { .. }));
            let premise = match most {
                Fit::WantsPart(_) => Some(WHOLE_ARRAY),
                Fit::Narrow(_) => Some(WIDE),
                _ if 2 * count(most) <= fits.iter().filter(|fit| **fit != Fit::Alike).count() => {
                    Some(ONE_ORDER)
                }
                _ if overwrites => Some(CONSUMES_NOTHING),
                _ if self.is_small(array) => Some(LARGE),
                _ => None,
            };
            let hint = self.vars[array].hint;
            match (premise, most) {
                (Some(premise), _) => self.cx.refuse(READS, Refusal::of(premise).blame(hint, None), origin),
                (None, Fit::Wants(dim)) if self.cx.fire(READS, origin) => {
                    origin.add_rule(READS);
                    let mut wanted: Vec<usize> = order.into_iter().filter(|other| other != dim).collect();
                    wanted.push(*dim);
                    let copy = self.laid_out(array, wanted, &origin.inside());
                    replaced.insert(array, Atom::Var(copy));
                }
                _ => (),
            }
        }
        replaced.body(self.vars, &mut segment.screma.map.body);
    }

    /// The array in this layout. It is made in the outermost body possible, or has been made before.
    fn laid_out(&mut self, array: Var, order: Vec<usize>, origin: &Origin) -> Var {
        let known = self.copies.iter().find(|known| known.array == array && known.order == order);
        if let Some(known) = known {
            return known.copy;
        }
        let mut depth = self.bodies.len() - 1;
        while self.bodies[depth].is_iteration && self.bound[&array] < depth {
            depth -= 1;
        }
        let is_large = self.is_large(array, depth, origin);
        let copy = self.vars.push(self.vars[array].clone());
        self.orders.set(copy, order.clone());
        let exp = Exp::Manifest(order.clone(), array, is_large);
        let origin = self.with_versions(origin.clone());
        self.push_at(depth, Stm { binders: vec![copy], exp, origin });
        self.copies.push(LaidOut { array, order, copy, depth });
        copy
    }

    /// Whether an array certainly has fewer bytes than the default limit.
    fn is_small(&self, array: Var) -> bool {
        let bytes = constant_product(&self.bytes(array));
        bytes.is_some_and(|bytes| bytes < self.cx.target.transposed_bytes)
    }

    /// Sizes whose product is the number of bytes of an array.
    fn bytes(&self, array: Var) -> Vec<Atom> {
        let Type { elem, shape } = &self.vars[array].ty;
        // GPUs store smaller elements in 4 bytes.
        shape.iter().copied().chain([Atom::i64(elem.bytes().max(4) as i64)]).collect()
    }

    /// Whether an array has as many bytes as the limit. The body at this depth computes it.
    fn is_large(&mut self, array: Var, depth: usize, origin: &Origin) -> Atom {
        let sizes = self.bytes(array);
        let known = self.comparisons.iter().find(|known| known.sizes == sizes && known.depth <= depth);
        if let Some(known) = known {
            return known.is_large;
        }
        let mut builder = Builder::resume(std::mem::take(self.vars));
        builder.set_origin(origin.clone());
        let default = self.cx.target.transposed_bytes;
        let limit = limit(&mut builder, self.function.as_str(), TRANSPOSED_BYTES, default);
        let is_small = is_less(&mut builder, &sizes, limit);
        let is_large = builder.unary(UnOp::Not, is_small);
        let (vars, stms) = builder.finish();
        *self.vars = vars;
        stms.into_iter().for_each(|stm| self.push_at(depth, stm));
        self.comparisons.push(Comparison { sizes, is_large, depth });
        is_large
    }

    /// The origin of a copy that is in another layout only if the array is large.
    fn with_versions(&self, mut origin: Origin) -> Origin {
        origin.attributes.push(versions_attribute(&format!("{}.{TRANSPOSED_BYTES}", self.function)));
        origin
    }

    /// Interleaves the rows that points make; returns the statements that do so.
    fn results(&mut self, segment: &Segment, binders: &mut [Var], origin: &mut Origin) -> Vec<Stm> {
        let rank = segment.outer.len() + 1;
        let mut after = Vec::new();
        if segment.screma.width == Atom::i64(1) {
            return after;
        }
        for (sink, own, values) in segment.screma.sink_ranges() {
            let binder = &mut binders[own.start];
            let info = self.vars[*binder].clone();
            if *sink != Sink::Map || info.ty.rank() <= rank {
                continue;
            }
            let premise = match () {
                () if choice::is_narrow(*info.ty.shape.last().expect("an array")) => Some(WIDE),
                () if self.is_small(*binder) => Some(LARGE),
                () if choice::is_scattered(&segment.screma.map.body, values.start) => Some(IN_ORDER),
                () => None,
            };
            if let Some(premise) = premise {
                self.cx.refuse(RESULTS, Refusal::of(premise).blame(info.hint, None), origin);
                continue;
            }
            if !self.cx.fire(RESULTS, origin) {
                continue;
            }
            origin.add_rule(RESULTS);
            let mut order: Vec<usize> = (0..info.ty.rank()).filter(|&dim| dim != rank - 1).collect();
            order.push(rank - 1);
            let is_large = self.is_large(*binder, self.bodies.len() - 1, &origin.inside());
            let stored = self.vars.push(info);
            let result = std::mem::replace(binder, stored);
            let exp = Exp::Manifest(order.clone(), stored, is_large);
            let origin = self.with_versions(origin.inside());
            after.push(Stm { binders: vec![result], exp, origin });
            self.orders.set(result, order);
        }
        after
    }
}
