//! The segments that take the place of a plane: the copies to panels, the tiles, and the last columns.

use std::sync::Arc;

use ravel_base::Origin;
use ravel_kernel::*;
use ravel_prim::{BinOp, PrimType};

use super::jam::jam;
use super::plane::{Plane, Shared};
use crate::arithmetic::Arithmetic;
use crate::machine::copy::Copy;
use crate::machine::substitution::Substitution;
use crate::steps::Steps;

/// About the statements that copy an element to a panel.
const COPIED: i64 = 4;

/// The statements that compute a segment in tiles and panels.
pub fn in_tiles(
    origin: &Arc<Origin>,
    segment: &GridSegment,
    plane: &Plane,
    target: &Target,
    vars: &mut VarTable,
) -> Vec<Step<Host>> {
    let Some((_, body)) = segment.threads() else { unreachable!("a segment of threads") };
    let mut host = Steps::<Host>::new(origin, vars);
    let columns = Atom::i64(target.tile_columns);
    let panels = host.binary(BinOp::Quot, plane.column.1, columns);
    let wide = host.binary(BinOp::Mul, panels, columns);
    let narrow = host.binary(BinOp::Sub, plane.column.1, wide);
    let depth = host.binary(BinOp::Max, plane.iteration.1, Atom::i64(0));
    let stride = host.binary(BinOp::Mul, depth, columns);
    let sizes = Panels { count: panels, depth, columns, stride };

    let elements = host.binary(BinOp::Mul, panels, stride);
    let chunk = host.ceil_div(elements, Atom::i64(target.max_chunks));
    let chunk = host.binary(BinOp::Max, chunk, Atom::i64((target.min_chunk / COPIED).max(1)));
    let mut steps = host.finish();
    let mut blocks = Vec::new();
    for shared in &plane.shared {
        let Type::Scalar(elem) = vars[shared.var].ty else { unreachable!("verified: a scalar") };
        let ty = Type::Block(BlockType { elem, space: Space::Device });
        let block = vars.push(VarInfo { hint: vars[shared.var].hint, ty });
        steps.push(Step::new(origin, Stm::Alloc { block, count: elements }));
        let (space, body) = copy_of(origin, plane, shared, (block, elem), &sizes, vars);
        steps.push(map(origin, segment, space, chunk, body));
        blocks.push((block, elem));
    }

    let mut host = Steps::<Host>::new(origin, vars);
    let tiles = host.binary(BinOp::Quot, plane.row.1, Atom::i64(plane.rows));
    let tiled = host.binary(BinOp::Mul, tiles, Atom::i64(plane.rows));
    let untiled = host.binary(BinOp::Sub, plane.row.1, tiled);
    let strips = host.binary(BinOp::Mul, panels, tiles);
    let chunk = host.ceil_div(strips, Atom::i64(target.max_chunks));
    let chunk = host.binary(BinOp::Mul, chunk, columns);
    steps.extend(host.finish());
    let (space, tile) = tile_of(origin, plane, body, (&blocks, tiles), &sizes, vars);
    steps.push(map(origin, segment, space, chunk, tile));

    let zero = Atom::i64(0);
    for (rows, columns) in [((tiled, untiled), (zero, wide)), ((zero, plane.row.1), (wide, narrow))] {
        let (space, last) = last(origin, plane, body, rows, columns, vars);
        steps.push(map(origin, segment, space, segment.chunk, last));
    }
    steps
}

/// The sizes of panels.
struct Panels {
    /// Their number.
    count: Atom,
    /// The number of iterations.
    depth: Atom,
    /// The columns of a panel.
    columns: Atom,
    /// The elements of a panel.
    stride: Atom,
}

/// A map in the place of a segment.
fn map(
    origin: &Arc<Origin>,
    segment: &GridSegment,
    space: Vec<(Var, Atom)>,
    chunk: Atom,
    body: Body<Thread>,
) -> Step<Host> {
    let points = Points::Threads { kind: SegmentKind::Map, body };
    Step::new(
        origin,
        Stm::Segment(GridSegment { hint: segment.hint, space, chunk, lanes: segment.lanes, points }),
    )
}

/// The space and the points that copy shared elements to panels, in this block of this element type.
fn copy_of(
    origin: &Arc<Origin>,
    plane: &Plane,
    shared: &Shared,
    (block, elem): (Var, PrimType),
    sizes: &Panels,
    vars: &mut VarTable,
) -> (Vec<(Var, Atom)>, Body<Thread>) {
    let mut point = Steps::<Thread>::new(origin, vars);
    let [panel, iteration, lane] =
        ["panel", "iteration", "lane"].map(|hint| point.scalar(hint, PrimType::I64));
    let column = column(&mut point, panel, lane, sizes);
    let var = point.scalar("shared", elem);
    let strides = vec![sizes.stride, sizes.columns, Atom::i64(1)];
    let shape = vec![sizes.count, sizes.depth, sizes.columns];
    let view = View { elem, shape, block, offset: Atom::i64(0), strides };
    let panels = point.view(None, view);
    let mut stms = point.finish();
    let mut body = Body { stms: plane.positions.clone(), result: Vec::new() };
    let indices = shared.indices.clone();
    body.stms.push(Step::new(origin, Stm::Load { var, array: shared.array, indices }));
    let mut copy = Copy::new(vars);
    copy.replace(plane.column.0, column);
    copy.replace(plane.iteration.0, Atom::Var(iteration));
    copy.body(&mut body);
    stms.extend(body.stms);
    let indices = [panel, iteration, lane].map(Atom::Var).to_vec();
    let value = copy.of(Atom::Var(var));
    stms.push(Step::new(origin, Stm::Store { array: panels, indices, value }));
    let space = vec![(panel, sizes.count), (iteration, sizes.depth), (lane, sizes.columns)];
    (space, Body { stms, result: Vec::new() })
}

/// The column at this place of a panel.
fn column(point: &mut Steps<'_, Thread>, panel: Var, lane: Var, sizes: &Panels) -> Atom {
    let first = point.binary(BinOp::Mul, Atom::Var(panel), sizes.columns);
    point.binary(BinOp::Add, first, Atom::Var(lane))
}

/// The space and the points that compute tiles. `blocks` hold the panels of the shared elements, each with its type.
fn tile_of(
    origin: &Arc<Origin>,
    plane: &Plane,
    body: &Body<Thread>,
    (blocks, tiles): (&[(Var, PrimType)], Atom),
    sizes: &Panels,
    vars: &mut VarTable,
) -> (Vec<(Var, Atom)>, Body<Thread>) {
    let mut point = Steps::<Thread>::new(origin, vars);
    let [panel, tile, lane] = ["panel", "tile", "lane"].map(|hint| point.scalar(hint, PrimType::I64));
    let column = column(&mut point, panel, lane, sizes);
    let offset = point.binary(BinOp::Mul, Atom::Var(panel), sizes.stride);
    let (shape, strides) = (vec![sizes.depth, sizes.columns], vec![sizes.columns, Atom::i64(1)]);
    let panels: Vec<Var> = blocks
        .iter()
        .map(|&(block, elem)| {
            let (shape, strides) = (shape.clone(), strides.clone());
            point.view(None, View { elem, shape, block, offset, strides })
        })
        .collect();
    let first = point.binary(BinOp::Mul, Atom::Var(tile), Atom::i64(plane.rows));
    let rows: Vec<Atom> = (0..plane.rows)
        .map(|row| if row == 0 { first } else { point.binary(BinOp::Add, first, Atom::i64(row)) })
        .collect();
    let mut stms = point.finish();

    let mut body = body.clone();
    let indices = [plane.iteration.0, lane].map(Atom::Var).to_vec();
    FromPanels { shared: &plane.shared, panels: &panels, indices }.body(&mut body);
    let replaced = |row: Atom| {
        let mut row_of = Substitution::default();
        row_of.insert(plane.row.0, row);
        row_of.insert(plane.column.0, column);
        row_of
    };
    stms.extend(jam(&body, rows.into_iter().map(replaced).collect(), vars).stms);
    let space = vec![(panel, sizes.count), (tile, tiles), (lane, sizes.columns)];
    (space, Body { stms, result: Vec::new() })
}

/// Loads shared elements from panels.
struct FromPanels<'a> {
    shared: &'a [Shared],
    /// For each shared element, its panel.
    panels: &'a [Var],
    /// The place of the element in the panel.
    indices: Vec<Atom>,
}

impl VisitMut for FromPanels<'_> {
    fn stm<L: Level>(&mut self, stm: &mut Stm<L>) {
        if let Stm::Load { var, array, indices } = stm
            && let Some(number) = self.shared.iter().position(|shared| shared.var == *var)
        {
            *array = self.panels[number];
            indices.clone_from(&self.indices);
        }
        self.children(stm);
    }
}

/// The space and the points of some rows and columns, as they were: for each dimension, the first and their number.
fn last(
    origin: &Arc<Origin>,
    plane: &Plane,
    body: &Body<Thread>,
    (first_row, rows): (Atom, Atom),
    (first_column, columns): (Atom, Atom),
    vars: &mut VarTable,
) -> (Vec<(Var, Atom)>, Body<Thread>) {
    let mut point = Steps::<Thread>::new(origin, vars);
    let [down, across] = ["row", "column"].map(|hint| point.scalar(hint, PrimType::I64));
    let row = point.binary(BinOp::Add, first_row, Atom::Var(down));
    let column = point.binary(BinOp::Add, first_column, Atom::Var(across));
    let mut stms = point.finish();
    let mut copy = Copy::new(vars);
    copy.replace(plane.row.0, row);
    copy.replace(plane.column.0, column);
    let mut body = body.clone();
    copy.body(&mut body);
    stms.extend(body.stms);
    (vec![(down, rows), (across, columns)], Body { stms, result: Vec::new() })
}
