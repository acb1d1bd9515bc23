//! # flatten: decide what runs in parallel
//!
//! Before this pass, constructs do not say where they run. The pass gives each outermost construct of host code
//! a level (grid or workgroup) and an index space, which makes it a *segment*. The translation to kernel IR then gives
//! memory to arrays, and lets threads share the elements of a copy. Two decisions depend on memory and on finished code,
//! so the stage `fit` makes them: how many points run at the same time if each needs memory, and how many neighbouring
//! points a worker runs.
//!
//! ## Rule
//!
//! | rule | what it does | file |
//! | --- | --- | --- |
//! | fill | an array of equal or evenly spaced elements is a map | `fill.rs` |
//! | segment-map, segment-reduce, segment-scan, segment-write | an outermost construct spreads over the grid | `grid.rs` |
//! | block-level | each point of an outermost construct is computed by a workgroup, in which the inner constructs run in parallel | `block_level.rs` |
//! | distribute, interchange-loop, interchange-branch | a map with inner constructs becomes several segments, so that all levels of the nest run in parallel | `distribute.rs` |
//! | choose | the sizes of a nest decide whether its inner constructs run in parallel | `choose.rs` |
//! | nest | perfectly nested maps become one index space | `nest.rs` |
//! | inspect | another segment computes how large the arrays of threads become | `inspect.rs` |
//! | finish-scan | what comes after a scan happens where it ends | `finish.rs` |
//! | scan-total | a segment that scans and reduces the same values only scans them | `scan_total.rs` |
//! | split-scan, split-combine, split-write | a segment that does several things with its points becomes two | `split.rs` |
//! | histogram-in-workgroups | a segment that combines into arrays does so in tables of workgroups | `tables.rs` |
//! | histogram-in-parts, arrays-in-parts | a segment that combines arrays does so in parts of its points | `parts.rs` |
//! | stream-chunks | the chunks of an outermost stream are the points of a segment | `chunks.rs` |
//! | one-chunk | a stream inside a point is the function of its one chunk | `one_chunk.rs` |
//! | sequentialise | a construct inside a point is a loop of its thread | `sequentialise.rs` |
//! | one-thread | host code that touches elements runs on a single thread | `one_thread.rs` |
//!
//! Five files have no rule of their own, since they decide nothing. A program may ask for a version of a nest (`attributes.rs`). A function that both host code and threads call gets a
//! version for each (`versions.rs`). The values of parts are combined in order (`in_order.rs`), which is part of
//! `stream-chunks` and `arrays-in-parts`. A construct is divided after its map (`after_map.rs`), which is part of
//! `block-level` and `distribute`. Sizes are compared with limits (`limits.rs`), for `choose` and the pass `layout`.
//!
//! ## Requires
//!
//! The premises are listed in the files of the rules.
//!
//! ## Ensures
//!
//! Every element is computed as before. A construct that does not become a segment runs on a single thread. No construct
//! is left in host code or in the uniform code of workgroups, and no `iota` or `replicate` anywhere.
//!
//! ## Leaves alone
//!
//! Code without constructs that touches no elements.
//!
//! ## Costs
//!
//! The pass takes time linear in the size of the program.
//!
//! ## Source
//!
//! Henriksen, Thorøe, Elsman and Oancea, "Incremental Flattening for Nested Data Parallelism" (PPoPP 2019).
//! Like that paper, this pass generates versions of a nest and chooses among them at run time: at most two, of which one runs inner
//! constructs sequentially, and the other one over the grid. Workgroups run them only if the program asks for it.
//!
//! ## Before
//!
//! ```text
//! -- for the GPU
//! fun main (n: i64, m: i64, xs: [n][m]i32) -> (out: [n][m]i32, sum: i32) = {
//!   let ys: [n][m]i32 = screma n {
//!     from xs
//!     map \(row: [m]i32) -> {
//!       let zs: [m]i32 = screma m {
//!         from row, iota 0 1
//!         map \(e: i32, j: i64) -> { let k: i32 = convert i32 j let f: i32 = mul e k in f }
//!         to map
//!       }
//!       in zs
//!     }
//!     to map
//!   }
//!   let total: i32 = screma n {
//!     from xs
//!     map \(line: [m]i32) -> {
//!       let last: i32 = screma m {
//!         from line
//!         map \(g: i32) -> g
//!         to reduce \(a: i32, b: i32) -> { let h: i32 = max a b in h } (0i32)
//!       }
//!       in last
//!     }
//!     to reduce \(c: i32, d: i32) -> { let s: i32 = add c d in s } (0i32)
//!   }
//!   in (ys, total)
//! }
//! entry main = main (n, m, xs) -> (out, sum)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0][m_1]i32) -> (out_3: [n_0][m_1]i32, sum_4: i32) = {
//!   let ys_5: [n_0][m_1]i32 = segment grid (v6 < n_0, j_7 < m_1) {
//!     map \() -> {
//!       let e_8: i32 = xs_2[v6, j_7]
//!       let k_9: i32 = convert i32 j_7
//!       let f_10: i32 = mul e_8 k_9
//!       in f_10
//!     }
//!     to map
//!   }
//!   let v11: i64 = param "main.0.points" 16384
//!   let v12: i64 = param "main.0.inner" 512
//!   let v13: i64 = min n_0 v11
//!   let v14: bool = lt v13 v11
//!   let v15: i64 = min m_1 v12
//!   let v16: bool = lt v15 v12
//!   let v17: bool = not v16
//!   let v18: bool = and v14 v17
//!   let total_19: i32 = #[versions(main.0)] if v18 then {
//!     let last_20: [n_0]i32 = segment grid (v21 < n_0, v22 < m_1) {
//!       map \() -> {
//!         let g_23: i32 = xs_2[v21, v22]
//!         in g_23
//!       }
//!       to reduce \(a_24: i32, b_25: i32) -> {
//!         let h_26: i32 = max a_24 b_25
//!         in h_26
//!       } (0i32)
//!     }
//!     let total_27: i32 = segment grid (v28 < n_0) {
//!       map \() -> {
//!         let last_29: i32 = last_20[v28]
//!         in last_29
//!       }
//!       to reduce \(c_30: i32, d_31: i32) -> {
//!         let s_32: i32 = add c_30 d_31
//!         in s_32
//!       } (0i32)
//!     }
//!     in total_27
//!   } else {
//!     let total_33: i32 = segment grid (v34 < n_0) {
//!       map \() -> {
//!         let line_35: [m_1]i32 = slice xs_2[v34, 0i64 : m_1 : 1i64]
//!         let last_36: i32 = screma m_1 {
//!           from line_35
//!           map \(g_37: i32) -> g_37
//!           to reduce \(a_38: i32, b_39: i32) -> {
//!             let h_40: i32 = max a_38 b_39
//!             in h_40
//!           } (0i32)
//!         }
//!         in last_36
//!       }
//!       to reduce \(c_41: i32, d_42: i32) -> {
//!         let s_43: i32 = add c_41 d_42
//!         in s_43
//!       } (0i32)
//!     }
//!     in total_33
//!   }
//!   in (ys_5, total_19)
//! }
//! entry main = main (n_0, m_1, xs_2) -> (out_3, sum_4)
//! ```

mod after_map;
mod attributes;
mod block_level;
mod choose;
mod chunks;
mod distribute;
mod fill;
mod finish;
mod grid;
mod in_order;
mod inspect;
mod limits;
mod nest;
mod one_chunk;
mod one_thread;
mod parts;
mod points;
mod scan_total;
mod sequentialise;
mod sizes;
mod split;
mod tables;
mod versions;

use std::collections::BTreeMap;

use ravel_base::Symbol;
use ravel_core::alias::Summaries;
use ravel_core::visit::VisitMut;
use ravel_core::{Body, Exp, Function, Level, Program, Stm, Var, VarTable, statements};

use crate::{Cx, Pass};
use versions::Callers;

/// The pass `flatten`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "flatten",
    about: "Decides what runs in parallel: gives the constructs of host code an index space, whose points are threads or workgroups.",
    rules: &[
        fill::FILL,
        block_level::BLOCK_LEVEL,
        distribute::DISTRIBUTE,
        distribute::INTERCHANGE_LOOP,
        distribute::INTERCHANGE_BRANCH,
        choose::CHOOSE,
        grid::MAP,
        grid::REDUCE,
        grid::SCAN,
        grid::WRITE,
        nest::NEST,
        finish::FINISH_SCAN,
        scan_total::SCAN_TOTAL,
        split::SPLIT_SCAN,
        split::SPLIT_COMBINE,
        split::SPLIT_WRITE,
        inspect::INSPECT,
        tables::TABLES,
        parts::HISTOGRAM,
        parts::ARRAYS,
        chunks::STREAM_CHUNKS,
        one_chunk::ONE_CHUNK,
        sequentialise::SEQUENTIALISE,
        one_thread::ONE_THREAD,
    ],
    premises: &[
        block_level::PARALLEL_BODY,
        block_level::NO_CALL,
        block_level::SCALAR_OPERATORS,
        block_level::KNOWN_SIZES,
        block_level::SMALL_ARRAYS,
        distribute::PARALLEL_INSIDE,
        distribute::NO_SHARED_CONSUMPTION,
        distribute::FIXED_SHAPES,
        choose::LARGE_INSIDE,
        grid::SCALARS_OR_BINS,
        nest::ONLY_MAPS,
        nest::PERFECT_NEST,
        nest::SAME_RESULTS,
        finish::PLAIN_CODE,
        finish::SHORT_INPUTS,
        finish::FEW_ARRAYS,
        scan_total::EXACT_OPERATOR,
        inspect::SAME_SIZE,
        inspect::NO_OPERATOR,
        inspect::SINGLE_ROW,
        inspect::NO_CYCLE,
        tables::ATOMIC_OPERATOR,
        tables::ONLY_BINS,
        tables::FEW_BINS,
        tables::PRIVATE_ARRAYS,
        one_thread::SEQUENTIAL_BODY,
        one_thread::FIXED_SIZES,
    ],
    run,
};

pub(crate) use after_map::{split_after_map, split_after_scans};
pub(crate) use attributes::asks_for_version;
pub use fill::FILL;
pub(crate) use grid::{carries_arrays, combines};
pub(crate) use limits::{constant_product, is_less, limit};
pub(crate) use nest::progression;
pub use one_chunk::ONE_CHUNK;
pub(crate) use one_thread::is_data;
pub use sequentialise::SEQUENTIALISE;
pub(crate) use tables::atomic_operation;

fn run(program: &mut Program, cx: &mut Cx) {
    let callers = Callers::of(program);
    let summaries = Summaries::of(program);
    let level = |name: &Symbol| if callers.by_host.contains(name) { Level::Grid } else { Level::Thread };
    for Function { name, vars, body, .. } in &mut program.functions {
        one_chunk::in_points(vars, cx, body, level(name));
    }
    let mut threads: BTreeMap<Symbol, Function> = BTreeMap::new();
    for function in program.functions.iter_mut().filter(|function| callers.by_host.contains(&function.name)) {
        cx.count_visits(statements(&function.body));
        let for_threads = callers.by_threads.contains(&function.name).then(|| function.clone());
        let fired = cx.firing_count();
        let Function { name, vars, body, .. } = function;
        Flattener { vars, cx, summaries: &summaries, function: *name, nests: 0 }.body(body);
        one_thread::in_host_code(vars, cx, body);
        if let (true, Some(mut version)) = (cx.firing_count() > fired, for_threads) {
            one_chunk::in_points(&mut version.vars, cx, &mut version.body, Level::Thread);
            threads.insert(version.name, version);
        }
    }
    if !threads.is_empty() {
        versions::add_thread_versions(program, &callers, threads);
    }
    for Function { name, vars, body, .. } in &mut program.functions {
        fill::in_threads(vars, cx, body, level(name));
    }
}

/// Walks host code and the bodies of workgroups. It enters branches and loops, but not the lambdas of constructs.
struct Flattener<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    /// What the functions of the program consume.
    summaries: &'a Summaries,
    /// The name of the function.
    function: Symbol,
    /// The number of its nests that have two versions so far.
    nests: usize,
}

impl VisitMut for Flattener<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for stm in std::mem::take(&mut body.stms) {
            let stms = self.place(stm);
            self.push_all(body, stms);
        }
    }
}

impl Flattener<'_> {
    /// The statement with its construct as a segment, or as several.
    fn place(&mut self, mut stm: Stm) -> Vec<Stm> {
        match stm.exp {
            Exp::Screma(_) if choose::may_choose(&self.cx.target, &stm) => {
                let outer = self.place_construct(stm.clone());
                self.choose(stm, outer)
            }
            Exp::Screma(_) => self.place_construct(stm),
            Exp::Segment(_) => self.segments(stm, false),
            Exp::Iota { .. } | Exp::Replicate { .. } => {
                fill::as_map(self.vars, self.cx, &mut stm, Level::Grid);
                self.place(stm)
            }
            Exp::Stream(_) => match chunks::place(self.vars, self.cx, &stm) {
                Some(stms) => stms,
                None => {
                    let stms = one_chunk::one_chunk(self.vars, self.cx, stm);
                    stms.into_iter().flat_map(|stm| self.place(stm)).collect()
                }
            },
            Exp::If { .. } | Exp::Loop(_) => {
                self.exp(&mut stm.exp);
                vec![stm]
            }
            _ => vec![stm],
        }
    }

    /// The segments of a construct, in the version for which its attributes ask.
    fn place_construct(&mut self, mut stm: Stm) -> Vec<Stm> {
        let is_full = distribute::asks(&stm);
        let consumer = block_level::place(self.vars, self.cx, &mut stm)
            .or_else(|| distribute::split_map(self.vars, &mut stm));
        grid::place(self.vars, self.cx, &mut stm);
        let mut stms = self.segments(stm, is_full);
        stms.extend(consumer.into_iter().flat_map(|consumer| self.place_construct(consumer)));
        stms
    }

    /// The statement, with the segments in it distributed further. It is a segment, or a loop or branch with segments.
    fn distributed(&mut self, mut stm: Stm) -> Vec<Stm> {
        let bodies = match &mut stm.exp {
            Exp::Loop(looped) => vec![&mut looped.body],
            Exp::If { then, otherwise, .. } => vec![then, otherwise],
            _ => return self.segments(stm, true),
        };
        for body in bodies {
            for stm in std::mem::take(&mut body.stms) {
                let stms = self.distributed(stm);
                self.push_all(body, stms);
            }
        }
        vec![stm]
    }

    /// Adds statements whose segments are complete to a body.
    fn push_all(&mut self, body: &mut Body, stms: Vec<Stm>) {
        for mut stm in stms {
            if let Exp::Segment(segment) = &stm.exp {
                sequentialise::record(self.cx, segment.screma.lambdas());
            }
            body.stms.extend(inspect::bound_sizes(self.vars, self.cx, &mut stm));
            let stms = parts::divide(self.vars, self.cx, &mut body.stms, stm);
            body.stms.extend(stms);
        }
    }

    /// Sets the dimensions of a segment, and of its inner segments if workgroups compute its points. Splits it if it does
    /// several things with its points. If `is_full`, the constructs inside become segments too.
    fn segments(&mut self, mut stm: Stm, is_full: bool) -> Vec<Stm> {
        if is_full && let Some(stms) = distribute::distribute(self.vars, self.cx, self.summaries, &stm) {
            return stms.into_iter().flat_map(|stm| self.distributed(stm)).collect();
        }
        let dimensions = |stm: &Stm| match &stm.exp {
            Exp::Segment(segment) => segment.outer.len(),
            _ => 0,
        };
        let mut before = None;
        while before != Some(dimensions(&stm)) {
            before = Some(dimensions(&stm));
            nest::merge(self.vars, self.cx, &mut stm);
        }
        if let Exp::Segment(segment) = &mut stm.exp
            && segment.points == Level::Workgroup
        {
            self.body(&mut segment.screma.map.body);
        }
        if let Some(stms) = finish::finish_scan(self.vars, self.cx, &stm) {
            return stms;
        }
        let mut stms = Vec::new();
        for mut stm in scan_total::scan_total(self.vars, self.cx, stm) {
            let next = split::split(self.vars, self.cx, &mut stm);
            stms.push(stm);
            stms.extend(next.into_iter().flat_map(|next| self.segments(next, is_full)));
        }
        stms
    }
}
