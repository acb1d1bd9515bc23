//! The code of a workgroup that computes a tile: the copies of the elements that its points share, and the loops of its points.

use std::sync::Arc;

use ravel_base::Origin;
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::{DEPTH, POINTS, SIDE, THREADS};
use crate::arithmetic::{Arithmetic, ONE, ZERO};
use crate::machine::copy::Copy;
use crate::machine::substitution::Substitution;
use crate::machine::tile::jam::jam;
use crate::machine::tile::plane::{Plane, Shared};
use crate::steps::Steps;

/// The parts of the code of a point.
pub struct Point<'a> {
    /// The statements before the loop.
    pub before: &'a [Step<Thread>],
    /// What the loop carries, with the first values.
    pub params: &'a [(Var, Atom)],
    /// The last values.
    binders: &'a [Var],
    /// The counter of the loop.
    index: Var,
    iteration: &'a Body<Thread>,
    after: &'a [Step<Thread>],
}

impl Point<'_> {
    /// The parts of a point whose loop [`Plane::of`] has found.
    pub fn of(segment: &GridSegment) -> Point<'_> {
        let Some((_, body)) = segment.threads() else { unreachable!("a segment of threads") };
        let at = body.stms.iter().position(|step| matches!(step.stm, Stm::Loop { .. }));
        let Some((before, [counted, after @ ..])) = at.map(|at| body.stms.split_at(at)) else {
            unreachable!("a point with a loop")
        };
        let Stm::Loop { binders, params, form: LoopForm::For { index, .. }, body, .. } = &counted.stm else {
            unreachable!("a counted loop")
        };
        Point { before, params, binders, index: *index, iteration: body, after }
    }
}

/// The steps that compute a segment in tiles of workgroups.
pub fn in_workgroups(
    origin: &Arc<Origin>,
    segment: &GridSegment,
    plane: &Plane,
    vars: &mut VarTable,
) -> Vec<Step<Host>> {
    let mut host = Steps::<Host>::new(origin, vars);
    let outer: Vec<(Var, Atom)> = segment.space[..segment.space.len() - 2].to_vec();
    let mut space: Vec<(Var, Atom)> = outer.iter().map(|&(_, size)| (host.counter(), size)).collect();
    let outer = outer.iter().zip(&space).map(|(&(old, _), &(new, _))| (old, Atom::Var(new))).collect();
    for (_, size) in [plane.row, plane.column] {
        let count = host.ceil_div(size, Atom::i64(SIDE));
        space.push((host.scalar("tile", PrimType::I64), count));
    }
    let rounds = host.ceil_div(plane.iteration.1, Atom::i64(DEPTH));
    let mut steps = host.finish();
    let tiles = [space[space.len() - 2].0, space[space.len() - 1].0];
    let mut group = Steps::<Workgroup>::new(origin, vars);
    let corner = tiles.map(|tile| group.binary(BinOp::Mul, Atom::Var(tile), Atom::i64(SIDE)));
    let mut tile = Tile { segment, plane, point: Point::of(segment), outer, corner, sums: Vec::new() };
    tile.alloc_sums(&mut group);
    let rows: Vec<Var> =
        plane.shared_by_columns.iter().map(|shared| alloc(&mut group, shared.var, [SIDE, DEPTH])).collect();
    let columns: Vec<Var> =
        plane.shared.iter().map(|shared| alloc(&mut group, shared.var, [DEPTH, SIDE])).collect();
    tile.begin(&mut group);
    let round = group.scalar("round", PrimType::I64);
    let body = group.body(|group| {
        let first = group.binary(BinOp::Mul, Atom::Var(round), Atom::i64(DEPTH));
        for (shared, &to) in plane.shared_by_columns.iter().zip(&rows) {
            tile.stage(group, shared, to, first, false);
        }
        for (shared, &to) in plane.shared.iter().zip(&columns) {
            tile.stage(group, shared, to, first, true);
        }
        tile.go_on(group, [&rows, &columns], first);
    });
    let form = LoopForm::For { index: round, bound: rounds, reduces: false };
    group.push(Stm::Loop { binders: Vec::new(), params: Vec::new(), form, body });
    tile.finish(&mut group);
    let points = Points::Workgroups(Body { stms: group.finish(), result: Vec::new() });
    let segment = GridSegment { hint: segment.hint, space, chunk: ONE, lanes: None, points };
    steps.push(Step::new(origin, Stm::Segment(segment)));
    steps
}

/// Allocates an array of workgroup memory for elements like this scalar. Its rows are one element longer, so that threads that
/// access a column use different banks.
fn alloc(group: &mut Steps<'_, Workgroup>, like: Var, sides: [i64; 2]) -> Var {
    let Type::Scalar(elem) = group.vars[like].ty else { unreachable!("verified: a scalar") };
    let ty = Type::Block(BlockType { elem, space: Space::Workgroup });
    let block = group.vars.push(VarInfo { hint: group.vars[like].hint, ty });
    let stride = sides[1] + 1;
    group.push(Stm::Alloc { block, count: Atom::i64(sides[0] * stride) });
    let strides = vec![Atom::i64(stride), ONE];
    group.view(None, View { elem, shape: sides.map(Atom::i64).to_vec(), block, offset: ZERO, strides })
}

/// The tile of a workgroup.
struct Tile<'a> {
    segment: &'a GridSegment,
    plane: &'a Plane,
    point: Point<'a>,
    /// The counters of the outer dimensions, and the ones that replace them.
    outer: Vec<(Var, Atom)>,
    /// The first row and the first column.
    corner: [Atom; 2],
    /// For each number that the loop carries, an array with the numbers of all points.
    sums: Vec<Var>,
}

impl Tile<'_> {
    fn alloc_sums(&mut self, group: &mut Steps<'_, Workgroup>) {
        for &(param, _) in self.point.params {
            let Type::Scalar(elem) = group.vars[param].ty else { unreachable!("premise: fits") };
            let ty = Type::Block(BlockType { elem, space: Space::Workgroup });
            let block = group.vars.push(VarInfo { hint: group.vars[param].hint, ty });
            group.push(Stm::Alloc { block, count: Atom::i64(SIDE * SIDE) });
            // Neighbouring threads access neighbouring elements.
            let shape = [THREADS, THREADS, POINTS * POINTS].map(Atom::i64).to_vec();
            let strides = [THREADS, 1, THREADS * THREADS].map(Atom::i64).to_vec();
            let view = View { elem, shape, block, offset: ZERO, strides };
            self.sums.push(group.view(None, view));
        }
    }

    /// Adds a segment of threads.
    fn threads(
        &self,
        group: &mut Steps<'_, Workgroup>,
        sizes: [i64; 2],
        code: impl FnOnce(&mut Vec<Step<Thread>>, &mut VarTable, &Arc<Origin>, [Atom; 2]),
    ) {
        let counters = [0, 1].map(|_| group.counter());
        let origin = Arc::clone(group.origin());
        let mut stms = Vec::new();
        code(&mut stms, group.vars, &origin, counters.map(Atom::Var));
        let space = vec![(counters[0], Atom::i64(sizes[0])), (counters[1], Atom::i64(sizes[1]))];
        let body = Body { stms, result: Vec::new() };
        let hint = self.segment.hint;
        group.push(Stm::Segment(InnerSegment { hint, space, kind: SegmentKind::Map, body }));
    }

    /// For each point of a thread, its row and column in the tile.
    fn places(thread: &mut Steps<'_, Thread>, counters: [Atom; 2]) -> Vec<[Atom; 2]> {
        let mut along =
            |counter| (0..POINTS).map(|at| thread.add(counter, Atom::i64(at * THREADS))).collect::<Vec<_>>();
        let [rows, columns] = counters.map(&mut along);
        rows.iter().flat_map(|&row| columns.iter().map(move |&column| [row, column])).collect()
    }

    /// The row and the column of a place in the tile, or the last ones if there are fewer.
    fn nearest(&self, thread: &mut Steps<'_, Thread>, place: [Atom; 2]) -> [Atom; 2] {
        let sizes = [self.plane.row.1, self.plane.column.1];
        [0, 1].map(|side| {
            let index = thread.add(self.corner[side], place[side]);
            let last = thread.sub(sizes[side], ONE);
            thread.min(index, last)
        })
    }

    /// Stores the first numbers of all points.
    fn begin(&self, group: &mut Steps<'_, Workgroup>) {
        self.threads(group, [THREADS; 2], |stms, vars, origin, counters| {
            let mut thread = Steps::<Thread>::new(origin, vars);
            let places = Self::places(&mut thread, counters);
            let indices: Vec<_> = places.iter().map(|&place| self.nearest(&mut thread, place)).collect();
            stms.extend(thread.finish());
            for (slot, index) in indices.into_iter().enumerate() {
                let mut body = Body { stms: self.point.before.to_vec(), result: Vec::new() };
                for (&sums, &(_, value)) in self.sums.iter().zip(self.point.params) {
                    let indices = vec![counters[0], counters[1], Atom::i64(slot as i64)];
                    body.stms.push(Step::new(origin, Stm::Store { array: sums, indices, value }));
                }
                stms.extend(self.copy(body, index, vars).stms);
            }
        });
    }

    /// The code for a row and a column.
    fn copy(&self, mut body: Body<Thread>, [row, column]: [Atom; 2], vars: &mut VarTable) -> Body<Thread> {
        let mut copy = Copy::new(vars);
        copy.replace(self.plane.row.0, row);
        copy.replace(self.plane.column.0, column);
        self.outer.iter().for_each(|&(old, new)| copy.replace(old, new));
        copy.body(&mut body);
        body
    }

    /// Copies a shared element for each column (`across`) or row of the tile, and each of the iterations from `first` on.
    fn stage(&self, group: &mut Steps<'_, Workgroup>, shared: &Shared, to: Var, first: Atom, across: bool) {
        let Plane { row, column, iteration, positions, positions_in_rows, .. } = self.plane;
        let (counter, positions) = if across { (column, positions) } else { (row, positions_in_rows) };
        // Neighbouring threads load neighbouring elements.
        let (_, View { strides, .. }) = group.array(shared.array);
        let iterations_are_near = strides
            .iter()
            .zip(&shared.indices)
            .any(|(&stride, &index)| stride == ONE && index == Atom::Var(iteration.0));
        let sizes = if iterations_are_near { [SIDE, DEPTH] } else { [DEPTH, SIDE] };
        self.threads(group, sizes, |stms, vars, origin, [outer, inner]| {
            let [at, depth] = if iterations_are_near { [outer, inner] } else { [inner, outer] };
            let mut thread = Steps::<Thread>::new(origin, vars);
            let mut nearest = |corner, at, size| {
                let index = thread.add(corner, at);
                let last = thread.sub(size, ONE);
                thread.min(index, last)
            };
            let index = nearest(self.corner[usize::from(across)], at, counter.1);
            let of_loop = nearest(first, depth, iteration.1);
            stms.extend(thread.finish());
            let mut body = Body { stms: positions.clone(), result: Vec::new() };
            let load = Stm::Load { var: shared.var, array: shared.array, indices: shared.indices.clone() };
            body.stms.push(Step::new(origin, load));
            let indices = if across { vec![depth, at] } else { vec![at, depth] };
            let value = Atom::Var(shared.var);
            body.stms.push(Step::new(origin, Stm::Store { array: to, indices, value }));
            let mut copy = Copy::new(vars);
            copy.replace(counter.0, index);
            copy.replace(iteration.0, of_loop);
            self.outer.iter().for_each(|&(old, new)| copy.replace(old, new));
            copy.body(&mut body);
            stms.extend(body.stms);
        });
    }

    /// Runs the iterations from `first` on whose elements are in workgroup memory.
    fn go_on(&self, group: &mut Steps<'_, Workgroup>, [rows, columns]: [&[Var]; 2], first: Atom) {
        let rest = group.sub(self.plane.iteration.1, first);
        let bound = group.min(rest, Atom::i64(DEPTH));
        self.threads(group, [THREADS; 2], |stms, vars, origin, counters| {
            let mut thread = Steps::<Thread>::new(origin, vars);
            let places = Self::places(&mut thread, counters);
            let indices: Vec<_> = places.iter().map(|&place| self.nearest(&mut thread, place)).collect();
            // They stand for the row, the column and the number of a point of the thread.
            let [down, across, slot] = [0, 1, 2].map(|_| thread.counter());
            let depth = thread.scalar("k", PrimType::I64);
            stms.extend(thread.finish());

            let mut iteration = self.point.iteration.clone();
            let tiles = |shared: &[Shared], tiles: &[Var], indices: [Var; 2]| {
                let numbered = shared.iter().zip(tiles);
                numbered.map(|(shared, &tile)| (shared.var, tile, indices)).collect::<Vec<_>>()
            };
            let mut of_tiles = tiles(&self.plane.shared_by_columns, rows, [down, depth]);
            of_tiles.extend(tiles(&self.plane.shared, columns, [depth, across]));
            for step in &mut iteration.stms {
                if let Stm::Load { var, array, indices } = &mut step.stm
                    && let Some((_, tile, places)) = of_tiles.iter().find(|(shared, ..)| shared == var)
                {
                    *array = *tile;
                    *indices = places.map(Atom::Var).to_vec();
                }
            }
            let exp = ScalarExp::Binary(BinOp::Add, first, Atom::Var(depth));
            iteration.stms.insert(0, Step::new(origin, Stm::Let { var: self.point.index, exp }));

            let mut body = Body { stms: self.point.before.to_vec(), result: Vec::new() };
            let sum = || vec![counters[0], counters[1], Atom::Var(slot)];
            let mut params = Vec::new();
            for (&array, &(param, _)) in self.sums.iter().zip(self.point.params) {
                let info = vars[param].clone();
                let var = vars.push(info);
                body.stms.push(Step::new(origin, Stm::Load { var, array, indices: sum() }));
                params.push((param, Atom::Var(var)));
            }
            let binders = self.point.binders.to_vec();
            let form = LoopForm::For { index: depth, bound, reduces: false };
            body.stms.push(Step::new(origin, Stm::Loop { binders, params, form, body: iteration }));
            for (&array, &binder) in self.sums.iter().zip(self.point.binders) {
                let value = Atom::Var(binder);
                body.stms.push(Step::new(origin, Stm::Store { array, indices: sum(), value }));
            }
            let replaced = |(number, (place, [row, column])): (usize, (&[Atom; 2], &[Atom; 2]))| {
                let mut point = Substitution::default();
                point.insert(self.plane.row.0, *row);
                point.insert(self.plane.column.0, *column);
                point.insert(down, place[0]);
                point.insert(across, place[1]);
                point.insert(slot, Atom::i64(number as i64));
                self.outer.iter().for_each(|&(old, new)| point.insert(old, new));
                point
            };
            let points = places.iter().zip(&indices).enumerate().map(replaced).collect();
            stms.extend(jam(&body, points, vars).stms);
        });
    }

    /// Runs the code after the loop of all points.
    fn finish(&self, group: &mut Steps<'_, Workgroup>) {
        self.threads(group, [THREADS; 2], |stms, vars, origin, counters| {
            let mut thread = Steps::<Thread>::new(origin, vars);
            let places = Self::places(&mut thread, counters);
            stms.extend(thread.finish());
            for (slot, place) in places.into_iter().enumerate() {
                let mut thread = Steps::<Thread>::new(origin, vars);
                let row = thread.add(self.corner[0], place[0]);
                let column = thread.add(self.corner[1], place[1]);
                let inside = [(row, self.plane.row.1), (column, self.plane.column.1)]
                    .map(|(index, size)| thread.compare(CmpOp::Lt, index, size));
                let cond = thread.and(inside[0], inside[1]);
                stms.extend(thread.finish());
                let mut body = Body { stms: self.point.before.to_vec(), result: Vec::new() };
                for (&array, &var) in self.sums.iter().zip(self.point.binders) {
                    let indices = vec![counters[0], counters[1], Atom::i64(slot as i64)];
                    body.stms.push(Step::new(origin, Stm::Load { var, array, indices }));
                }
                body.stms.extend(self.point.after.iter().cloned());
                let then = self.copy(body, [row, column], vars);
                let otherwise = Body { stms: Vec::new(), result: Vec::new() };
                stms.push(Step::new(origin, Stm::If { binders: Vec::new(), cond, then, otherwise }));
            }
        });
    }
}
