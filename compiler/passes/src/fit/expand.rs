//! Expansion: arrays of threads in memory that the host allocates.
//!
//! If a thread cannot allocate memory, an array of a thread becomes a part of one large block allocated before the
//! segment, with `count` elements for each point that runs at the same time ([`super::batch`]). The parts are
//! **interleaved**: the first elements of all points, then the second ones, so that threads in lockstep access
//! neighbouring words.
//!
//! ```text
//! segment i < n { alloc b = w; view a: [s][t] = b + 0 * [t, 1]; … b + o * [d] … }
//!     =>
//! block = alloc batch * w      -- s * t elements for each point
//! segment i < n { view a: [s][t] = block + i * [t * batch, batch]; … block + (i + o * batch) * [d * batch] … }
//! ```
//!
//! The count must be known before the segment. So it is recomputed there from its operands, or from their upper bounds
//! if they differ between points ([`super::bounds`]). The arrays that one statement allocates in the iterations of a
//! loop share their part, since none outlives its iteration except by a copy.
//!
//! ## Source
//! Array expansion: Jepsen, "Toward an Automatic GPU Parallelization of the Crank-Nicolson Method". The interleaved layout
//! is that of Oancea et al., "Financial Software on GPUs: Between Haskell and Fortran" (FHPC 2012).

use ravel_base::{Diagnostic, Limitation, Symbol};
use ravel_kernel::visit::{Visit, VisitMut};
use ravel_kernel::*;
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use super::allocations::{Allocation, Finder, allocations};
use super::batch::BatchIndex;
use super::bounds::Bounds;
use super::{Fit, Memory, Result, Threads};
use crate::arithmetic::{Arithmetic, Known};
use crate::steps::Steps;

impl Fit<'_> {
    /// Adds a segment of threads.
    pub(super) fn threads(&mut self, code: &mut Steps<'_, Host>, mut segment: Threads) -> Result {
        if self.target.thread_allocation {
            self.grid(code, segment);
            return Ok(());
        }
        let operators = segment.kind.combiners().iter().map(|combiner| &combiner.body);
        for body in operators.chain(segment.kind.finish().map(|finish| &finish.body)) {
            refuse_allocations(code.vars, |finder| finder.body(body))?;
        }
        let mut memory = self.memory(code, &segment)?;
        let blocks: Vec<Var> = memory.iter().map(|memory| memory.block).collect();
        let batch_index = (!segment.is_single()).then(|| BatchIndex::new(code));
        Interleave::new(code.vars, &blocks, batch_index).body(&mut segment.body);
        let uses = Uses::of_thread(&segment.body, code.vars);
        memory.retain(|memory| {
            uses.blocks.iter().any(|used| used.block == memory.block && (used.read || used.written))
        });
        match batch_index {
            _ if memory.is_empty() => self.grid(code, segment),
            Some(batch_index) => self.batches(code, segment, batch_index, &memory),
            None => {
                self.assert_limit(code, &memory, "thread");
                for &Memory { block, count, .. } in &memory {
                    code.push(Stm::Alloc { block, count });
                }
                self.grid(code, segment);
            }
        }
        Ok(())
    }

    /// The memory for the arrays of one point. Its sizes are computed before the segment.
    fn memory(&self, code: &mut Steps<'_, Host>, segment: &Threads) -> Result<Vec<Memory>> {
        let found = allocations(code.vars, Space::Device, |finder| finder.body(&segment.body))?;
        let mut bounds = Bounds::new(code, |definitions| {
            definitions.space(&segment.space);
            definitions.body(&segment.body);
        });
        let mut memory = Vec::new();
        for Allocation { origin, block, elem, sizes } in found {
            let count = bounds.count_at_most(&sizes);
            let count =
                count.ok_or_else(|| Diagnostic::limitation(Limitation::ThreadArray, origin.place()))?;
            memory.push(Memory { block, elem, count });
        }
        Ok(memory)
    }

    /// Adds the statement that runs a segment.
    pub(super) fn grid(&self, code: &mut Steps<'_, Host>, segment: Threads) {
        let chunk = self.chunk(code, &segment);
        let Threads { hint, space, kind, body } = segment;
        let lanes = code.origin().attributes.iter().find_map(lane_choice);
        let points = Points::Threads { kind, body };
        code.push(Stm::Segment(GridSegment { hint, space, chunk, lanes, points }));
    }
}

/// Refuses code of threads that allocates memory. `visit` visits the code.
pub(super) fn refuse_allocations(vars: &VarTable, visit: impl FnOnce(&mut Finder<'_>)) -> Result {
    match allocations(vars, Space::Device, visit)?.first() {
        Some(found) => Err(Diagnostic::limitation(Limitation::ThreadArray, found.origin.place())),
        None => Ok(()),
    }
}

/// Removes the allocations of blocks, and moves the arrays in them to the part of the point.
struct Interleave<'a> {
    vars: &'a mut VarTable,
    blocks: &'a [Var],
    /// The points that run at the same time, if there may be more than one.
    batch_index: Option<BatchIndex>,
    /// The results in scope.
    known: Known,
    /// Sums and products that the segment computes: positions in blocks among them.
    definitions: FxHashMap<Var, ScalarExp>,
}

impl VisitMut for Interleave<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        let known = self.known.len();
        for mut step in std::mem::take(&mut body.stms) {
            match step.stm {
                Stm::Alloc { block, .. } if self.blocks.contains(&block) => continue,
                Stm::View(array) => body.stms.extend(self.view(&step, array)),
                Stm::Let { var, exp: ref exp @ ScalarExp::Binary(BinOp::Add | BinOp::Mul, ..) } => {
                    self.definitions.insert(var, exp.clone());
                }
                _ => self.step(&mut step),
            }
            body.stms.push(step);
        }
        self.known.truncate(known);
    }
}

impl<'a> Interleave<'a> {
    fn new(vars: &'a mut VarTable, blocks: &'a [Var], batch_index: Option<BatchIndex>) -> Interleave<'a> {
        Interleave { vars, blocks, batch_index, known: Known::default(), definitions: FxHashMap::default() }
    }

    /// Moves an array to the part of the point, if it is in one of the blocks. Returns the code for its index function.
    fn view<L: Level>(&mut self, step: &Step<L>, array: Var) -> Vec<Step<L>> {
        let (Some(BatchIndex { place, count }), Type::Array(view)) = (self.batch_index, &self.vars[array].ty)
        else {
            return Vec::new();
        };
        if !self.blocks.contains(&view.block) {
            return Vec::new();
        }
        let (place, count) = (Atom::Var(place), Atom::Var(count));
        let mut view = view.clone();
        let mut code = Steps::new(&step.origin, self.vars).with_known(std::mem::take(&mut self.known));
        for stride in &mut view.strides {
            *stride = code.mul(*stride, count);
        }
        let distance = scaled(&mut code, &self.definitions, view.offset, count);
        view.offset = code.add(place, distance);
        let (steps, known) = code.finish_with_known();
        self.known = known;
        self.vars[array].ty = Type::Array(view);
        steps
    }
}

/// The product of a position and a scale. The factors of a position are indices and strides, and the products of strides
/// and the scale are in scope already.
fn scaled<L: Level>(
    code: &mut Steps<'_, L>,
    definitions: &FxHashMap<Var, ScalarExp>,
    position: Atom,
    scale: Atom,
) -> Atom {
    match position.var().and_then(|var| definitions.get(&var)) {
        Some(&ScalarExp::Binary(BinOp::Add, a, b)) => {
            let (a, b) = (scaled(code, definitions, a, scale), scaled(code, definitions, b, scale));
            code.add(a, b)
        }
        Some(&ScalarExp::Binary(BinOp::Mul, index, stride)) => {
            let stride = code.mul(stride, scale);
            code.mul(index, stride)
        }
        _ => code.mul(position, scale),
    }
}

/// The choice that an attribute is: `lanes(outer)`.
fn lane_choice(attribute: &Symbol) -> Option<LaneChoice> {
    let word = attribute.as_str().strip_prefix("lanes(")?.strip_suffix(')')?;
    LaneChoice::ALL.into_iter().find(|choice| choice.word() == word)
}
