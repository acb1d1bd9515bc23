//! The points of a workgroup in a reduction or scan.
//!
//! A workgroup takes consecutive points: its *stretch*. Its threads take them in stripes, so that neighbouring threads
//! access neighbouring elements: thread `t` of `w` takes the points at the positions `t`, `t + w`, `t + 2w`, … of the
//! stretch. If the operators do not commute, the threads put the values of a *tile*, a part of the stretch, into workgroup
//! memory, and then each thread takes neighbouring ones from there. So they are combined in order.
//!
//! Positions have 32 bits. If a stretch has more points than 32 bits can count, the workgroup runs parts of it one after
//! the other. A failing thread reports the position of its point.

use ravel_abi::plan::Operand;
use ravel_kernel::Tile;
use ravel_prim::{BinOp, PrimType, PrimValue};

use crate::exchange::{Exchange, barrier_or_leave, leave_if_failed};
use crate::function::Callee;
use crate::host::{HostBuilder, i64_operand};
use crate::kernel::Kernel;
use crate::segment::{groups, threads};
use crate::shader::{Block, Exp};
use crate::statement::current_point;
use crate::values::{ExchangeMemory, Values, stop_if_failed};

/// The most points of a part of a stretch. Positions past its end fit into 32 bits too.
const PART: i64 = 1 << 30;

/// The division of points into stretches, as scalars of the host.
#[derive(Clone, Copy)]
pub(crate) struct Division {
    /// The number of points.
    n: Operand,
    /// The number of points of a thread.
    chunk: Operand,
    /// The number of workgroups.
    pub groups: Operand,
}

impl Division {
    /// The division of `n` points, of which each thread of `width` takes `chunk`.
    pub(crate) fn of(host: &mut HostBuilder, n: Operand, chunk: Operand, width: u32) -> Division {
        // The number of points of a workgroup must not overflow.
        let some = host.binary(BinOp::Max, n, i64_operand(1));
        let chunk = host.binary(BinOp::Min, chunk, some);
        let threads = threads(host, n, chunk);
        Division { n, chunk, groups: groups(host, threads, width) }
    }

    /// The division of `n` points for one workgroup.
    pub(crate) fn single(host: &mut HostBuilder, n: Operand, width: u32) -> Division {
        let chunk = groups(host, n, width);
        Division { n, chunk, groups: i64_operand(1) }
    }
}

/// The code that combines the points of a stretch.
pub(crate) struct Stretches<'v> {
    values: &'v Values,
    /// The values of a point at an index.
    point: Callee,
    exchange: Exchange<'v>,
    /// The number of all points, and of the points of a workgroup, as i64.
    n: Exp,
    span: Exp,
    /// The number of threads of a workgroup.
    width: Exp,
    /// Whether a thread can fail.
    fallible: bool,
}

/// The workgroup memory for tiles.
pub(crate) struct Tiles {
    memory: ExchangeMemory,
    /// The number of values that a thread takes from a tile.
    items: Exp,
}

/// The stretch of a workgroup, in its entry point.
pub(crate) struct Stretch<'s, 'v> {
    code: &'s Stretches<'v>,
    /// The index of its first point, and the number of its points, as i64.
    begin: Exp,
    all: Exp,
    lane: Exp,
}

/// A part of a stretch.
pub(crate) struct Part {
    /// The index of its first point, an i64, and the number of its points.
    first: Exp,
    size: Exp,
}

/// A tile whose values are in workgroup memory.
struct LoadedTile {
    /// The position of its first point, and the one after its last.
    start: Exp,
    end: Exp,
    /// The number of its points.
    count: Exp,
    /// The thread's own values: the number of the first, and the one after the last; 0 if it has none.
    own: Exp,
    own_end: Exp,
    /// The number of threads with own values.
    members: Exp,
}

impl<'v> Stretches<'v> {
    /// Adds the functions and the memory to the module. The code of the threads must have been built before.
    pub(crate) fn declare(
        kernel: &mut Kernel,
        host: &mut HostBuilder,
        values: &'v Values,
        point: Callee,
        Division { n, chunk, groups: _ }: Division,
    ) -> Stretches<'v> {
        let width = i64_operand(kernel.workgroup().into());
        let span = host.binary(BinOp::Mul, chunk, width);
        Stretches {
            values,
            point,
            exchange: Exchange::declare(kernel, values),
            n: kernel.param("n", PrimType::I64, n),
            span: kernel.param("span", PrimType::I64, span),
            width: kernel.workgroup().into(),
            fallible: kernel.is_fallible(),
        }
    }

    /// Adds the memory for tiles to the module.
    pub(crate) fn tiles(
        &self,
        kernel: &mut Kernel,
        host: &mut HostBuilder,
        Division { chunk, .. }: Division,
        Tile { threads, items }: Tile,
    ) -> Tiles {
        let memory = self.values.tile_memory(kernel, threads * items);
        let items = host.binary(BinOp::Min, chunk, i64_operand(items.into()));
        let items = host.convert(PrimType::U32, items);
        Tiles { memory, items: kernel.param("items", PrimType::U32, items) }
    }

    /// The stretch of a workgroup.
    pub(crate) fn of_group(&self, body: &mut Block, [group, lane]: [&Exp; 2]) -> Stretch<'_, 'v> {
        let begin = body.bind("begin", group.clone().convert(PrimType::I64) * &self.span);
        let rest = body.bind("rest", &self.n - &begin);
        let all = body.bind("all", Exp::select(self.span.lt(&rest), &self.span, rest));
        Stretch { code: self, begin, all, lane: lane.clone() }
    }
}

impl Part {
    /// The index of the point at a position.
    pub(crate) fn index(&self, at: &Exp) -> Exp {
        &self.first + at.clone().convert(PrimType::I64)
    }
}

impl Stretch<'_, '_> {
    /// Combines all points: in tiles, or in stripes, which requires operators that commute. Afterwards the returned
    /// variable of the first thread has the result.
    pub(crate) fn total(&self, body: &mut Block, tiles: Option<&Tiles>) -> Exp {
        let Stretches { values, exchange, width, fallible, .. } = self.code;
        let total = body.var("total", values.neutral.call([]));
        if let Some(tiles) = tiles {
            self.each_tile(body, tiles, |body, _, tile| {
                let sum = self.own_sum(body, tiles, tile);
                exchange.tree(body, &self.lane, &sum, &tile.members);
                body.when(self.lane.equals(0), |body| {
                    body.assign(&total, values.combine.call([total.clone(), sum]));
                });
                leave_if_failed(body, values.combine.fails);
            });
        } else {
            self.each_part(body, |body, part| {
                self.points(body, part, [0.into(), part.size.clone()], |body, _, next| {
                    self.absorb(body, &total, next);
                });
                leave_if_failed(body, *fallible);
            });
            let width_long = width.clone().convert(PrimType::I64);
            let members = Exp::select(self.all.lt(&width_long), &self.all, &width_long);
            let members = body.bind("members", members.convert(PrimType::U32));
            exchange.tree(body, &self.lane, &total, &members);
        }
        total
    }

    /// Scans the points in tiles; the first one is combined with `before`. Neighbouring threads run `finish` for
    /// neighbouring positions, each with the combined value of the points up to it.
    pub(crate) fn scan(
        &self,
        body: &mut Block,
        tiles: &Tiles,
        before: Exp,
        finish: impl FnOnce(&mut Block, Exp, Exp),
    ) {
        let Stretches { values, exchange, .. } = self.code;
        let memory = &tiles.memory;
        let carry = body.var("carry", before);
        self.each_tile(body, tiles, |body, part, tile| {
            let sum = self.own_sum(body, tiles, tile);
            exchange.scan(body, &self.lane, &sum, &tile.members);
            body.assign(&sum, carry.clone());
            body.when(self.lane.gt(0).and(self.lane.lt(&tile.members)), |body| {
                let before = exchange.up_to(&self.lane - 1);
                body.assign(&sum, values.combine.call([carry.clone(), before]));
            });
            leave_if_failed(body, values.combine.fails);
            self.own_values(body, tile, &tile.own, |body, own| {
                self.absorb(body, &sum, memory.get.call([own.clone()]));
                body.run(memory.put.call([own.clone(), sum.clone()]));
            });
            barrier_or_leave(body, values.combine.fails);
            body.assign(&carry, memory.get.call([&tile.count - 1]));
            self.stripes(body, [tile.start.clone(), tile.end.clone()], |body, at| {
                finish(body, part.index(at), memory.get.call([at - &tile.start]));
            });
            body.barrier();
        });
    }

    /// Adds a loop over the parts of the stretch.
    fn each_part(&self, body: &mut Block, visit: impl FnOnce(&mut Block, &Part)) {
        let most = Exp::literal(PrimValue::I64(PART));
        let first = body.var("first", self.begin.clone());
        let rest = body.var("rest_of_all", self.all.clone());
        body.repeat(rest.gt(Exp::bit(PrimType::I64, false)), |body| {
            let size = Exp::select(most.lt(&rest), &most, &rest);
            let size = body.bind("size", size.convert(PrimType::U32));
            visit(body, &Part { first: first.clone(), size });
            body.assign(&first, &first + &most);
            body.assign(&rest, &rest - &most);
        });
    }

    /// Adds loops over the parts and their tiles, whose values are in workgroup memory.
    fn each_tile(&self, body: &mut Block, tiles: &Tiles, visit: impl FnOnce(&mut Block, &Part, &LoadedTile)) {
        let Stretches { point, width, .. } = self.code;
        let Tiles { memory, items } = tiles;
        let most = body.bind("tile", width * items);
        self.each_part(body, |body, part| {
            body.count(
                "start",
                0.into(),
                |start| start.lt(&part.size),
                |start| start + &most,
                |body, start| {
                    let rest = &part.size - start;
                    let count = body.bind("count", Exp::select(most.lt(&rest), &most, rest));
                    let end = body.bind("end", start + &count);
                    self.points(body, part, [start.clone(), end.clone()], |body, at, next| {
                        body.run(memory.put.call([at - start, next]));
                    });
                    barrier_or_leave(body, point.fails);
                    let own = body.bind("own", &self.lane * items);
                    let rest = &count - &own;
                    let own_end = &own + Exp::select(items.lt(&rest), items, rest);
                    let own_end = body.bind("own_end", Exp::select(own.lt(&count), own_end, 0));
                    let members = body.bind("members", (&count + items - 1) / items);
                    let start = start.clone();
                    visit(body, part, &LoadedTile { start, end, count, own, own_end, members });
                },
            );
        });
    }

    /// The combined value of the thread's own values of a tile, as a variable.
    fn own_sum(&self, body: &mut Block, tiles: &Tiles, tile: &LoadedTile) -> Exp {
        let Stretches { values, .. } = self.code;
        let sum = body.declare("sum", values.ty);
        body.when(self.lane.lt(&tile.members), |body| {
            body.assign(&sum, tiles.memory.get.call([tile.own.clone()]));
            self.own_values(body, tile, &(&tile.own + 1), |body, own| {
                self.absorb(body, &sum, tiles.memory.get.call([own.clone()]));
            });
        });
        leave_if_failed(body, values.combine.fails);
        sum
    }

    /// Adds a loop over the thread's own values of a tile, from one of them on.
    fn own_values(
        &self,
        body: &mut Block,
        tile: &LoadedTile,
        first: &Exp,
        visit: impl FnOnce(&mut Block, &Exp),
    ) {
        body.count(
            "at",
            first.clone(),
            |at| at.lt(&tile.own_end),
            |at| at + 1,
            |body, at| {
                if self.code.fallible {
                    body.assign(&current_point(), &tile.start + at);
                }
                visit(body, at);
            },
        );
    }

    /// Adds a loop over the thread's points between two positions, with the values of each.
    fn points(
        &self,
        body: &mut Block,
        part: &Part,
        between: [Exp; 2],
        visit: impl FnOnce(&mut Block, &Exp, Exp),
    ) {
        let Stretches { point, fallible, .. } = self.code;
        self.stripes(body, between, |body, at| {
            if *fallible {
                body.assign(&current_point(), at);
            }
            let next = body.bind("next", point.call([part.index(at)]));
            stop_if_failed(body, point.fails);
            visit(body, at, next);
        });
    }

    /// Adds a loop over the thread's positions between two positions.
    fn stripes(&self, body: &mut Block, [start, end]: [Exp; 2], visit: impl FnOnce(&mut Block, &Exp)) {
        body.count("at", start + &self.lane, |at| at.lt(end), |at| at + &self.code.width, visit);
    }

    /// Combines the variable `sum` with the values of a later point.
    fn absorb(&self, body: &mut Block, sum: &Exp, next: Exp) {
        let combine = &self.code.values.combine;
        body.assign(sum, combine.call([sum.clone(), next]));
        stop_if_failed(body, combine.fails);
    }
}
