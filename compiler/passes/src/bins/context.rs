//! The contexts of a bin: what all arrays of one shape share, in all rounds of a loop.
//!
//! The paper's Σ has five parts. There is one for each shape of arrays whose elements are computed side by side: for the width,
//! and for other sizes. A lane is an element of an array of the shape, in row-major order. Point `o` of a bin has the lanes
//! `offsets[o] .. offsets[o] + shape[o]`.
//!
//! | part | paper | here |
//! | --- | --- | --- |
//! | `shape` | `shp` | the number of elements of each point |
//! | `offsets` | exclusive scan of `shp` | the first lane of each point |
//! | `flags` | 1 where a point begins | `inner[lane] == 0`, not stored |
//! | `outer` | `outinds` | the point of each lane |
//! | `inner` | `inninds` | the index of each lane in its point |

use ravel_core::{Atom, Body, Builder, Exp, Scan, Screma, Sink, Source, Stm, Type, Var};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

/// The most lanes of a bin, and of a point, in the context of the width.
pub(super) const LANES: i64 = 512;
/// The most lanes of a bin, and of a point, in every other context.
pub(super) const ELEMENTS: i64 = 2048;
/// The most points of a bin.
pub(super) const POINTS: i64 = 64;

/// The points of a bin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members {
    /// The first point of the bin (i64).
    pub first: Atom,
    /// The number of points of the bin (i64), at least 1.
    pub points: Atom,
    /// How many of them are computed here (i64): all, or none if its only point does not fit.
    pub fitting: Atom,
    /// If the points are sorted, their indices in the source: `[POINTS]i64`.
    pub indices: Option<Var>,
}

impl Members {
    /// Adds the points of the bin that begins with this point and has so many. `widths` has the widths of all points.
    pub fn new(builder: &mut Builder, widths: Var, (first, points): (Atom, Atom)) -> Members {
        let widest = builder.index(widths, vec![first]);
        let fits = builder.compare(CmpOp::Le, widest, Atom::i64(LANES));
        let [then, otherwise] =
            [points, Atom::i64(0)].map(|count| Body { stms: Vec::new(), result: vec![count] });
        let fitting = builder.bind(Type::scalar(PrimType::I64), Exp::If { cond: fits, then, otherwise });
        Members { first, points, fitting, indices: None }
    }
}

/// The number of a context. That of the width is the first one.
pub(super) type ContextId = usize;

/// The context of a bin for arrays of one shape.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The sizes of the arrays, in terms of the source.
    pub sizes: Vec<Atom>,
    /// The number of lanes for which a bin has room.
    pub room: i64,
    /// The number of lanes of the bin that belong to points (i64).
    pub lanes: Atom,
    /// The lanes of the points: `[POINTS]i64`, 0 after the last one.
    pub shape: Var,
    /// The first lanes of the points: `[POINTS]i64`.
    pub offsets: Var,
    /// The points of the lanes: `[room]i32`.
    pub outer: Var,
    /// The indices of the lanes in their points: `[room]i32`.
    pub inner: Var,
}

impl Context {
    /// Adds the context for arrays of this shape. `counts` has the number of elements of each point. If `order` has the indices of
    /// the points in the source, those of the bin come with it.
    pub fn new(
        builder: &mut Builder,
        sizes: Vec<Atom>,
        room: i64,
        counts: Var,
        order: Option<Var>,
        &Members { first, fitting, .. }: &Members,
    ) -> (Context, Option<Var>) {
        let counter = || Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        let i64 = Type::scalar(PrimType::I64);
        let array = |atom: Atom| atom.var().unwrap_or_else(|| unreachable!("a construct makes an array"));
        // The shape, and the offsets by a scan of it.
        let arrays: Vec<Var> = std::iter::once(counts).chain(order).collect();
        let own = |builder: &mut Builder, point: Atom| {
            let cond = builder.compare(CmpOp::Lt, point, fitting);
            let then = builder.body(|builder| {
                let at = builder.binary(BinOp::Add, first, point);
                arrays.iter().map(|&array| builder.index(array, vec![at])).collect()
            });
            let otherwise = Body { stms: Vec::new(), result: vec![Atom::i64(0); arrays.len()] };
            builder.bind_many(vec![i64.clone(); arrays.len()], Exp::If { cond, then, otherwise })
        };
        let map = builder.lambda(std::slice::from_ref(&i64), |builder, params| {
            let mut own = own(builder, params[0]);
            own.insert(0, own[0]);
            own
        });
        let op = builder.operator(BinOp::Add, PrimType::I64);
        let scans = vec![Scan { op, neutral: vec![Atom::i64(0)], path: None }];
        let post = builder.lambda(&vec![i64.clone(); 1 + arrays.len()], |builder, params| {
            let offset = builder.binary(BinOp::Sub, params[0], params[1]);
            let mut values = params.to_vec();
            values.insert(1, offset);
            values
        });
        let sinks = vec![Sink::Map; 2 + arrays.len()];
        let both = builder.screma_of(Screma {
            width: Atom::i64(POINTS),
            sources: vec![counter()],
            map,
            scans,
            post: Some(post),
            sinks,
        });
        let (ends, offsets, shape) = (array(both[0]), array(both[1]), array(both[2]));
        let indices = both.get(3).copied().map(array);
        let lanes = builder.index(ends, vec![Atom::i64(POINTS - 1)]);
        // The point of a lane is the last one that begins at this lane or before it.
        let i32 = PrimType::I32;
        let zeros = builder.replicate(Atom::i64(room), Atom::Const(PrimValue::I32(0)));
        let map = builder.lambda(std::slice::from_ref(&i64), |builder, params| {
            let width = builder.index(shape, vec![params[0]]);
            let cond = builder.compare(CmpOp::Lt, Atom::i64(0), width);
            let then = builder.body(|builder| vec![builder.index(offsets, vec![params[0]])]);
            let otherwise = Body { stms: Vec::new(), result: vec![Atom::i64(-1)] };
            let position = builder.bind(i64.clone(), Exp::If { cond, then, otherwise });
            vec![position, builder.convert(i32, params[0])]
        });
        let write = Sink::Write { target: array(zeros), rank: 1 };
        let starts = builder.screma(Atom::i64(POINTS), vec![counter()], map, vec![write]);
        let types = [Type::scalar(i32), i64.clone()];
        let map = builder.lambda(&types, |_, params| params.to_vec());
        let op = builder.operator(BinOp::Max, i32);
        let scans = vec![Scan { op, neutral: vec![Atom::Const(PrimValue::I32(0))], path: None }];
        let post = builder.lambda(&types, |builder, params| {
            let point = builder.convert(PrimType::I64, params[0]);
            let offset = builder.index(offsets, vec![point]);
            let inner = builder.binary(BinOp::Sub, params[1], offset);
            vec![params[0], builder.convert(i32, inner)]
        });
        let both = builder.screma_of(Screma {
            width: Atom::i64(room),
            sources: vec![Source::Array(array(starts[0])), counter()],
            map,
            scans,
            post: Some(post),
            sinks: vec![Sink::Map; 2],
        });
        let (outer, inner) = (array(both[0]), array(both[1]));
        (Context { sizes, room, lanes, shape, offsets, outer, inner }, indices)
    }
}

/// What stands for a variable of the source in the code of a bin.
#[derive(Clone, Debug)]
pub(super) enum Lifted {
    /// A value that all points share.
    Shared(Atom),
    /// An element of a source of the outer construct.
    Input(Source),
    /// An array with a value for each point.
    Points(Var),
    /// A value that is computed again where it is used.
    Again(Stm),
    /// The last value in the lanes of a point, or the neutral element of a point without lanes.
    Last {
        /// An array with a value for each lane.
        scanned: Var,
        /// The neutral element, in terms of the source.
        neutral: Atom,
        /// The context of the lanes.
        context: ContextId,
    },
    /// An array whose shape has a context: an array with an element for each lane.
    Lanes {
        /// The array with the elements of all points.
        data: Var,
        /// The context.
        context: ContextId,
    },
    /// An array of another size. The first elements of all points are side by side in `data`, then the second ones.
    Rows {
        /// The array with the elements of all points.
        data: Var,
        /// The size, in terms of the source.
        size: Atom,
    },
}

impl Lifted {
    /// The array with the elements of all points, if it stands for an array that constructs or updates may change.
    pub fn elements(&self) -> Option<Var> {
        match self {
            Lifted::Lanes { data, .. } | Lifted::Rows { data, .. } => Some(*data),
            _ => None,
        }
    }
}

/// A condition under which a point takes part in the code at hand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mask {
    /// The counter of a loop is below the point's number of rounds (a variable of the source).
    Below {
        /// The counter.
        counter: Atom,
        /// The number of rounds, in terms of the source.
        rounds: Atom,
    },
    /// The variable of the source, a bool, has this value.
    Is(Var, bool),
}
