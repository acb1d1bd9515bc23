//! Filters, which are constructs of a certain form, and writes to filtered positions.

use ravel_core::*;
use ravel_prim::{BinOp, PrimType};

use super::arrays::variable;
use super::operators::Operator;
use super::scope::{Regions, Size};
use super::{Writer, boolean, long};

impl Writer {
    /// A filter: a scan that counts the kept elements, a write of them, and a slice of the written prefix.
    pub fn filter(&mut self, _: usize) {
        if let Some(array) = self.array_where(|ty| ty.rank() == 1) {
            let changed = self.choices.below(2) == 1;
            self.filter_of(array, changed);
        }
    }

    /// The filtered elements of this array, unchanged or mapped.
    pub fn filter_of(&mut self, array: Var, changed: bool) -> Var {
        let ty = self.b.vars()[array].ty.clone();
        let width = ty.shape[0];
        let regions = self.regions_of(array);
        let target = variable(self.b.bind(ty.clone(), Exp::Scratch));
        let map = self.lambda(&[(ty.row(), regions)], |writer, args| {
            writer.statements(super::MAX_DEPTH, 2);
            let keep = writer.predicate(args[0]);
            let one = writer.b.convert(PrimType::I64, keep);
            let value = if changed { writer.arithmetic_of(ty.elem) } else { args[0] };
            vec![one, keep, value, one]
        });
        let types = [long(), boolean(), ty.row(), long()].map(|ty| (ty, Regions::new()));
        let post = self.lambda(&types, |writer, args| {
            let then = writer.b.body(|b| vec![b.binary(BinOp::Sub, args[0], Atom::i64(1))]);
            let otherwise = Body { stms: Vec::new(), result: vec![Atom::i64(-1)] };
            let at = Exp::If { cond: args[1], then, otherwise };
            vec![writer.b.bind(long(), at), args[2], args[3]]
        });
        let add = |writer: &mut Writer| writer.b.operator(BinOp::Add, PrimType::I64);
        let scans = vec![Scan { op: add(self), neutral: vec![Atom::i64(0)], path: None }];
        let counted = Sink::Reduce { op: add(self), neutral: vec![Atom::i64(0)], commutative: true };
        let sinks = vec![Sink::Write { target, rank: 1 }, counted];
        let sources = vec![Source::Array(array)];
        let results = self.b.screma_of(Screma { width, sources, map, scans, post: Some(post), sinks });
        let kept = results[1];
        let range = DimSlice::Range { start: Atom::i64(0), count: kept, stride: Atom::i64(1) };
        let filtered = self.b.slice(variable(results[0]), vec![range]);
        self.scope.scalars.push(kept);
        self.scope.sizes.push(Size { atom: kept, positive: false });
        variable(self.add_value(filtered))
    }
    /// Filters some distinct positions, and writes or combines values there.
    pub fn kept_positions(&mut self, _: usize) {
        let size = self.size().atom;
        let positions = self.b.iota(size, Atom::i64(0), Atom::i64(1));
        let kept = self.filter_of(variable(positions), false);
        self.scope.arrays.retain(|&known| known != kept);
        let Some(target) = self.consume(|ty| ty.rank() == 1 && !ty.elem.is_float()) else { return };
        let ty = self.b.vars()[target].ty.clone();
        let map = self.lambda(&[(long(), Regions::new())], |writer, args| {
            writer.statements(super::MAX_DEPTH, 2);
            let at = if writer.choices.below(2) == 1 {
                writer.b.binary(BinOp::Sub, size, args[0])
            } else {
                args[0]
            };
            vec![at, writer.arithmetic_of(ty.elem)]
        });
        let width = self.b.vars()[kept].ty.shape[0];
        let Operator { op, neutral, .. } = self.simple_operator(ty.elem);
        let sink = match self.choices.below(2) {
            0 => Sink::Write { target, rank: 1 },
            _ => Sink::Combine { targets: vec![target], op, neutral },
        };
        let written = self.b.screma(width, vec![Source::Array(kept)], map, vec![sink])[0];
        self.add_value(written);
    }
}
