//! Segments over numbered points, each of which runs a part of the points of a construct.

use ravel_core::{Atom, Builder, Exp, Lambda, Level, Origin, Screma, Segment, Sink, Type, Var};
use ravel_prim::{BinOp, PrimType};

/// Binds the results of a segment over this many points. `code` is the code of the point with this counter.
pub(super) fn over_points(
    builder: &mut Builder,
    binders: Vec<Var>,
    width: Atom,
    sinks: Vec<Sink>,
    code: impl FnOnce(&mut Builder, Atom) -> Vec<Atom>,
) {
    over_points_at(builder, Level::Grid, binders, width, sinks, code);
}

/// [`over_points`] for a segment at this level, whose points are threads.
pub(super) fn over_points_at(
    builder: &mut Builder,
    level: Level,
    binders: Vec<Var>,
    width: Atom,
    sinks: Vec<Sink>,
    code: impl FnOnce(&mut Builder, Atom) -> Vec<Atom>,
) {
    let index = builder.fresh(None, Type::scalar(PrimType::I64));
    let origin = builder.set_origin(Origin::default());
    builder.set_origin(origin.inside());
    let body = builder.body(|builder| code(builder, Atom::Var(index)));
    builder.set_origin(origin);
    let map = Lambda { params: Vec::new(), body };
    let screma = Screma { width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks };
    let (points, outer) = (Level::Thread, Vec::new());
    builder.emit(binders, Exp::Segment(Box::new(Segment { level, points, outer, index, screma })));
}

/// A number of points that is divided, rounding up: `any` point, which begins a part, and the others. The sum of the
/// number and a divisor might overflow.
pub(super) struct Dividend {
    any: Atom,
    others: Atom,
}

impl Dividend {
    /// This number of points.
    pub(super) fn of(builder: &mut Builder, points: Atom) -> Dividend {
        let any = builder.binary(BinOp::Min, points, Atom::i64(1));
        Dividend { any, others: builder.binary(BinOp::Sub, points, any) }
    }

    /// The number of parts of `most` points, of which the last may be smaller.
    pub(super) fn by(&self, builder: &mut Builder, most: Atom) -> Atom {
        let full = builder.binary(BinOp::Quot, self.others, most);
        builder.binary(BinOp::Add, full, self.any)
    }
}

/// Fresh variables with the names of these, and with types made from theirs.
pub(super) fn fresh_like(builder: &mut Builder, vars: &[Var], ty: impl Fn(Type) -> Type) -> Vec<Var> {
    let fresh = |&var: &Var| {
        let info = builder.vars()[var].clone();
        builder.fresh(info.hint, ty(info.ty))
    };
    vars.iter().map(fresh).collect()
}
