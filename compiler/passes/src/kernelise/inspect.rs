//! # Inspectors: the maximum sizes of the arrays of threads
//!
//! Expanded memory ([`super::segment`]) is allocated before a segment, with the same size for each point. If threads
//! compute the number of elements that they need, from loads or in loops, the host first runs an inspector: a reduction
//! over the same points that computes only these numbers and their maximum.
//!
//! ```text
//! segment i < n { S; w = count; S2, with w elements }
//!     =>
//! most = reduce max i < n { slice of S; w = count }
//! segment i < n { S; w = count; S2, with w of most elements }
//! ```
//!
//! If a number is computed in a loop or a branch, all its values count. The slice ([`super::slice`]) has these loops
//! and branches, and passes the maximum so far through them. If a number depends on an array of the thread, a first
//! inspector finds the size of that array. The slice of a second inspector then fills the array, in memory of the
//! inspector.
//!
//! ## Requires
//! The slice stores only to memory of the inspector. So no number may depend on an element of any other memory that the
//! segment writes. Otherwise the compiler reports the array as a limitation.
//!
//! ## Ensures
//! No point needs more memory than the host has allocated. A failure of the slice would also occur in the segment at
//! the same point, since the slice has the same branches. So it may end the program.
//!
//! ## Cost
//! The slice runs twice, and the host waits for the numbers. All points have as much memory as the largest needs.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::{Diagnostic, Limitation, Span};
use ravel_kernel::visit::Written;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::batch::{Expanded, Points};
use super::scope::{Result, Scope, ZERO};
use super::segment::Inside;
use super::site::Site;
use super::slice::{Availability, binds_any};

/// A number of elements that a segment computes and that the host must know before it.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// Its variable in the segment, which is bound by a `Let`. The number is not negative.
    pub var: Var,
    /// The variable of the maximum at host level.
    pub most: Var,
    /// The statement that needs it.
    pub span: Option<Span>,
}

impl Scope<'_, '_, Host> {
    /// Emits the code that must run before a segment, including inspectors; returns the memory for the arrays of its
    /// points.
    pub fn prepare(
        &mut self,
        stms: &[Step<Thread>],
        points: &Points,
        Inside { mut before, memory, mut wanted, .. }: Inside,
    ) -> Result<Vec<Expanded>> {
        if wanted.is_empty() {
            self.stms.extend(before);
            return Ok(memory);
        }
        let written = self.written(stms);
        let own: BTreeSet<Var> = memory.iter().map(|memory| memory.block).collect();
        while let Some(first) = wanted.first() {
            let late = self.emit_available(&mut before, &memory, &wanted);
            let available = Availability::of(&self.cx.vars, stms, late, written.clone(), own.clone());
            let (found, others): (Vec<Wanted>, _) =
                wanted.iter().copied().partition(|wanted| available.is_available(wanted.var));
            if found.is_empty() {
                return Err(Diagnostic::limitation(Limitation::ThreadArray, first.span));
            }
            let numbers: Vec<Var> = found.iter().map(|wanted| wanted.var).collect();
            let slice = available.slice(&numbers);
            self.inspect(&slice, points, &memory, &found, &numbers)?;
            wanted = others;
        }
        self.stms.extend(before);
        Ok(memory)
    }

    /// Emits the code that does not depend on the wanted numbers; returns the variables that are bound `late` because
    /// they do.
    fn emit_available(
        &mut self,
        before: &mut Vec<Step<Host>>,
        memory: &[Expanded],
        wanted: &[Wanted],
    ) -> BTreeSet<Var> {
        let mut late: BTreeSet<Var> = wanted.iter().map(|wanted| wanted.most).collect();
        for step in std::mem::take(before) {
            let (var, operands) = match &step.stm {
                Stm::Let { var, exp } => (Some(*var), exp.operands()),
                _ => (None, Vec::new()),
            };
            if operands.iter().filter_map(|operand| operand.var()).any(|operand| late.contains(&operand)) {
                late.extend(var);
                before.push(step);
            } else {
                self.stms.push(step);
            }
        }
        let is_late = |count: Atom| count.var().is_some_and(|count| late.contains(&count));
        let blocks: Vec<Var> =
            memory.iter().filter(|memory| is_late(memory.count)).map(|memory| memory.block).collect();
        late.extend(blocks);
        late
    }

    /// Emits the inspector with this slice of the segment's code.
    fn inspect(
        &mut self,
        slice: &[Step<Thread>],
        points: &Points,
        memory: &[Expanded],
        wanted: &[Wanted],
        numbers: &[Var],
    ) -> Result {
        let counter = |&(_, size): &(Var, Atom)| (self.fresh(None, PrimType::I64), size);
        let space = points.space.iter().map(counter).collect();
        let own = self.points(space);
        let counters = points.space.iter().zip(&own.space).map(|(&(counter, _), &(own, _))| (counter, own));
        let mut names: BTreeMap<Var, Var> = counters.collect();
        names.extend([(points.place, own.place), (points.together, own.together)]);
        let mut arrays = Vec::new();
        for &Expanded { block, elem, count } in memory {
            let copy = self.fresh_block(self.cx.vars[block].hint, elem, Space::Device);
            names.insert(block, copy);
            arrays.push(Expanded { block: copy, elem, count });
        }
        let mut body = Body { stms: slice.to_vec(), result: Vec::new() };
        let mut copied = Copied { vars: &mut self.cx.vars, names };
        copied.body(&mut body);
        let mut numbers = numbers.to_vec();
        numbers.iter_mut().for_each(|number| copied.var(number));
        let mut greatest = Greatest { vars: &mut self.cx.vars, wanted: &numbers };
        greatest.body(&mut body, vec![ZERO; wanted.len()]);
        let cells = wanted.iter().map(|_| Host::alloc(self, None, PrimType::I64, &[]));
        let cells = cells.collect::<Result<Vec<_>>>()?;
        let kind = SegmentKind::Reduce(cells.iter().map(|cell| self.greatest(cell.name)).collect());
        // One maximum over all points, not one for each row.
        let line = self.in_line(&own.space, &mut body);
        self.launch("inspect", Points { space: vec![line], ..own }, kind, body, &arrays)?;
        for (wanted, cell) in wanted.iter().zip(cells) {
            self.push(Stm::Load { var: wanted.most, array: cell.name, indices: Vec::new() });
        }
        Ok(())
    }

    /// The blocks that the code writes, under all names that may refer to them.
    fn written(&self, stms: &[Step<Thread>]) -> BTreeSet<Var> {
        let mut written = BTreeSet::new();
        let mut add = |array: Var| {
            if let Type::Array(view) = &self.cx.vars[array].ty {
                written.extend(self.cx.roots_of(view.block));
            }
        };
        stms.iter().for_each(|step| Written(&mut add).step(step));
        let may_be = |block: &Var| !self.cx.roots_of(*block).is_disjoint(&written);
        let names: Vec<Var> = self.cx.roots.keys().copied().filter(may_be).collect();
        written.extend(names);
        written
    }

    /// The combiner that computes the maximum of numbers that are not negative.
    fn greatest(&mut self, out: Var) -> Combiner {
        let [left, right, greater] = [(); 3].map(|()| self.fresh(None, PrimType::I64));
        let exp = ScalarExp::Binary(BinOp::Max, Atom::Var(left), Atom::Var(right));
        let stms = vec![self.step(Stm::Let { var: greater, exp })];
        let body = Body { stms, result: vec![Atom::Var(greater)] };
        let (left, right) = (vec![left], vec![right]);
        Combiner { left, right, body, neutral: vec![ZERO], commutative: true, outs: vec![out] }
    }
}

/// Renames the binders of code.
struct Copied<'a> {
    vars: &'a mut VarTable,
    names: BTreeMap<Var, Var>,
}

impl VisitMut for Copied<'_> {
    fn var(&mut self, var: &mut Var) {
        *var = self.names.get(var).copied().unwrap_or(*var);
    }

    fn binder(&mut self, var: &mut Var) {
        let mut info = self.vars[*var].clone();
        if let Type::Array(view) = &mut info.ty {
            self.var(&mut view.block);
            let atoms = view.shape.iter_mut().chain(&mut view.strides).chain([&mut view.offset]);
            atoms.for_each(|atom| self.atom(atom));
        }
        let new = self.vars.push(info);
        self.names.insert(*var, new);
        *var = new;
    }
}

/// Adds code that keeps the greatest value of each wanted number.
struct Greatest<'a> {
    vars: &'a mut VarTable,
    wanted: &'a [Var],
}

impl Greatest<'_> {
    fn numbers(&mut self, count: usize) -> Vec<Var> {
        let info = VarInfo { hint: None, ty: Type::Scalar(PrimType::I64) };
        (0..count).map(|_| self.vars.push(info.clone())).collect()
    }

    /// Adds the code to these statements. `most` are the greatest numbers before them; returns those after them.
    fn stms(&mut self, stms: &mut Vec<Step<Thread>>, mut most: Vec<Atom>) -> Vec<Atom> {
        for mut step in std::mem::take(stms) {
            let counts = binds_any(std::slice::from_ref(&step), self.wanted);
            let mut after = Vec::new();
            match &mut step.stm {
                Stm::Let { var, .. } if counts => {
                    for (most, _) in most.iter_mut().zip(self.wanted).filter(|(_, wanted)| *wanted == var) {
                        let greater = self.numbers(1)[0];
                        let exp = ScalarExp::Binary(BinOp::Max, *most, Atom::Var(*var));
                        after.push(Stm::Let { var: greater, exp });
                        *most = Atom::Var(greater);
                    }
                }
                Stm::If { binders, then, otherwise, .. } if counts => {
                    self.body(then, most.clone());
                    self.body(otherwise, most.clone());
                    most = self.bind_greatest(binders, most.len());
                }
                Stm::Loop { binders, params, body, .. } if counts => {
                    let carried = self.numbers(most.len());
                    params.extend(carried.iter().copied().zip(most.iter().copied()));
                    self.body(body, carried.into_iter().map(Atom::Var).collect());
                    most = self.bind_greatest(binders, most.len());
                }
                _ => (),
            }
            let origin = step.origin.clone();
            stms.push(step);
            stms.extend(Step::all(&origin, after));
        }
        most
    }

    fn body(&mut self, body: &mut Body<Thread>, most: Vec<Atom>) {
        let most = self.stms(&mut body.stms, most);
        body.result.extend(most);
    }

    /// Adds binders for the greatest numbers after a branch or a loop.
    fn bind_greatest(&mut self, binders: &mut Vec<Var>, count: usize) -> Vec<Atom> {
        let numbers = self.numbers(count);
        binders.extend(&numbers);
        numbers.into_iter().map(Atom::Var).collect()
    }
}
