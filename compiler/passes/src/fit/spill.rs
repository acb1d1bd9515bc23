//! Arrays of workgroups in device memory.
//!
//! If the arrays of a workgroup do not all fit workgroup memory, those that the code uses least, for their size, lie in device
//! memory: each workgroup that runs at the same time has a part of one large block ([`super::batch`]). The part is
//! contiguous, since neighbouring threads of a workgroup use neighbouring elements.
//!
//! ```text
//! segment i < n workgroups { alloc b = w; view a: [s] = b + 0; … b + o … }
//!     =>
//! block = alloc batch * w
//! segment i < n workgroups { start = i * w; view a: [s] = block + start; … block + (start + o) … }
//! ```
//!
//! An array of constant size may spill. If one does, so do all arrays of other sizes: their share of the memory would
//! be small. These also spill if the segment has the attribute [`SPILL`], which the pass `bins` adds.

use ravel_base::Symbol;
use ravel_kernel::visit::{Visit, VisitMut};
use ravel_kernel::*;
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use super::batch::{BatchIndex, single_counter};
use super::workgroups::{constant, width};
use super::{Fit, Memory};
use crate::arithmetic::Arithmetic;
use crate::steps::Steps;

/// The attribute of a segment whose arrays lie in device memory if their sizes are not constant.
pub const SPILL: &str = "spill";

/// A loop is assumed to run so many times.
const ROUNDS: u64 = 16;

/// Takes the arrays out that do not fit `most` bytes; if `spills_others`, also all whose sizes are not constant.
pub(super) fn choose(
    vars: &VarTable,
    body: &Body<Workgroup>,
    arrays: &mut Vec<Memory>,
    most: i64,
    spills_others: bool,
) -> Vec<Memory> {
    let bytes = |array: &Memory| constant(array).map(|count| count.saturating_mul(width(array)));
    let all = arrays.iter().filter_map(bytes).fold(0i64, i64::saturating_add);
    if all <= most && !spills_others {
        return Vec::new();
    }
    let mut uses = Uses { vars, weight: 1, counts: FxHashMap::default() };
    uses.body(body);
    let count = |array: &Memory| uses.counts.get(&array.block).copied().unwrap_or(0);
    // Most used for its size first; of equals, the first one.
    let mut order: Vec<usize> = (0..arrays.len()).filter(|&at| constant(&arrays[at]).is_some()).collect();
    let score = |at: &usize| {
        let bytes = bytes(&arrays[*at]).unwrap_or(i64::MAX).max(1);
        std::cmp::Reverse(count(&arrays[*at]).saturating_mul(1 << 16) / bytes.unsigned_abs())
    };
    order.sort_by_key(score);
    let mut left = most;
    order.retain(|&at| {
        let bytes = bytes(&arrays[at]).unwrap_or(i64::MAX);
        let fits = bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits
    });
    let (mut inside, mut spilled) = (Vec::new(), Vec::new());
    for (at, array) in std::mem::take(arrays).into_iter().enumerate() {
        if order.contains(&at) { inside.push(array) } else { spilled.push(array) }
    }
    *arrays = inside;
    spilled
}

impl Fit<'_> {
    /// Adds a segment of workgroups with these arrays in device memory.
    pub(super) fn spill(
        &mut self,
        code: &mut Steps<'_, Host>,
        hint: Option<Symbol>,
        space: Vec<(Var, Atom)>,
        mut body: Body<Workgroup>,
        spilled: &[Memory],
    ) {
        let flat = single_counter(code, &space, &mut body);
        let batch_index = BatchIndex::new(code);
        let mut starts = FxHashMap::default();
        let mut before = Vec::new();
        for array in spilled {
            let block = BlockType { elem: array.elem, space: Space::Device };
            code.vars[array.block].ty = Type::Block(block);
            let start = code.counter();
            let exp = ScalarExp::Binary(BinOp::Mul, Atom::Var(batch_index.place), array.count);
            before.push(Step::new(code.origin(), Stm::Let { var: start, exp }));
            starts.insert(array.block, Atom::Var(start));
        }
        Parts { vars: code.vars, starts }.body(&mut body);
        body.stms.splice(0..0, before);
        self.loop_over_batches(
            code,
            batch_index,
            flat,
            body,
            spilled,
            "workgroup",
            |fit, code, space, body| {
                fit.grid_of_workgroups(code, hint, space, body);
            },
        );
    }
}

/// Removes the allocations of blocks, and moves the arrays in them to the part of the workgroup.
struct Parts<'a> {
    vars: &'a mut VarTable,
    /// The position of the part in each block.
    starts: FxHashMap<Var, Atom>,
}

impl VisitMut for Parts<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            match step.stm {
                Stm::Alloc { block, .. } if self.starts.contains_key(&block) => continue,
                Stm::View(array) => {
                    if let Type::Array(view) = &self.vars[array].ty
                        && let Some(&start) = self.starts.get(&view.block)
                    {
                        let mut view = view.clone();
                        let mut code = Steps::new(&step.origin, self.vars);
                        view.offset = code.add(start, view.offset);
                        body.stms.extend(code.finish());
                        self.vars[array].ty = Type::Array(view);
                    }
                }
                _ => self.step(&mut step),
            }
            body.stms.push(step);
        }
    }
}

/// How often code uses arrays in each block.
struct Uses<'a> {
    vars: &'a VarTable,
    /// How often the code under visit runs.
    weight: u64,
    counts: FxHashMap<Var, u64>,
}

impl Visit for Uses<'_> {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        let outer = self.weight;
        if let Stm::Loop { .. } = stm {
            self.weight = outer.saturating_mul(ROUNDS);
        }
        self.children(stm);
        self.weight = outer;
    }

    fn var(&mut self, var: &Var) {
        if let Type::Array(view) = &self.vars[*var].ty {
            let count = self.counts.entry(view.block).or_default();
            *count = count.saturating_add(self.weight);
        }
    }
}
