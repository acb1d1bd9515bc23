//! Nested maps whose result is transposed, sliced, flattened or checked before it is read, at top level and in the points
//! of another map. If a workgroup computes such a point, the maps in it are one segment of several dimensions.

use ravel_core::*;
use ravel_prim::{BinOp, PrimType};

use super::arrays::variable;
use super::chains::Consumer;
use super::scope::{Regions, Size};
use super::{Writer, long};

impl Writer {
    pub fn nested_map(&mut self, depth: usize) {
        let (sizes, elem) = ([(); 3].map(|()| self.size().atom), self.prim());
        let rank = self.choices.any(&[1, 2, 2, 3]);
        let mut array = self.array_of_maps(&sizes[..rank], elem);
        for _ in 0..=self.choices.below(2) {
            array = self.random_view(array);
        }
        self.read(depth, array);
    }

    /// A map whose points compute arrays of two dimensions and read them.
    pub fn nested_maps_per_point(&mut self, depth: usize) {
        let (width, elem) = (self.size().atom, self.prim());
        let sizes = [(); 2].map(|()| self.size().atom);
        let map = self.lambda(&[(long(), Regions::new())], |writer, args| {
            writer.scope.counters.push((args[0], width));
            let mut array = writer.array_of_maps(&sizes, elem);
            if writer.choices.once_in(3) {
                array = writer.random_view(array);
            }
            writer.read(depth + 1, array);
            let read = writer.recent_scalar();
            match writer.choices.below(3) {
                0 => vec![read],
                1 => vec![Atom::Var(writer.array_of_maps(&sizes, elem))],
                _ => vec![Atom::Var(writer.array_of_maps(&sizes, elem)), read],
            }
        });
        let sinks = vec![Sink::Map; map.body.result.len()];
        let counted = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        for made in self.at_some_level(|b| b.screma(width, vec![counted], map, sinks)) {
            let made = variable(self.add_value(made));
            self.scope.chain_ends.push(made);
        }
    }

    /// A map whose points have arrays with two sizes of their own, between 0 and 7.
    pub fn irregular_nest(&mut self, depth: usize) {
        let (points, elem) = (self.size().atom, self.prim());
        let numbers = [(); 2].map(|()| {
            let factor = Atom::i64(1 + 2 * self.choices.below(4) as i64);
            (factor, Atom::i64(self.choices.below(8) as i64))
        });
        let map = self.lambda(&[(long(), Regions::new())], |writer, args| {
            writer.scope.counters.push((args[0], points));
            let [width, other] = numbers.map(|(factor, added)| {
                let product = writer.b.binary(BinOp::Mul, args[0], factor);
                let sum = writer.b.binary(BinOp::Add, product, added);
                writer.b.binary(BinOp::And, sum, Atom::i64(7))
            });
            writer.scope.sizes.extend([Size { atom: width, positive: false }; 3]);
            writer.scope.sizes.extend([Size { atom: other, positive: false }; 2]);
            let shapes = [vec![width], vec![width], vec![other], vec![width, other], vec![other, width]];
            let mut shape = || writer.choices.any(&[0, 1, 2, 3, 4]);
            let (first, second) = (&shapes[shape()], &shapes[shape()]);
            let array = writer.array_of_maps(first, elem);
            writer.statements(depth + 1, 5);
            writer.read(depth + 1, array);
            let read = writer.recent_scalar();
            let other = writer.array_of_maps(second, elem);
            writer.read(depth + 1, other);
            vec![read, writer.recent_scalar()]
        });
        let sinks = vec![Sink::Map; map.body.result.len()];
        let counted = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        for made in self.at_some_level(|b| b.screma(points, vec![counted], map, sinks)) {
            let made = variable(self.add_value(made));
            self.scope.chain_ends.push(made);
        }
    }

    /// An array of these sizes, produced by a perfect nest of maps.
    fn array_of_maps(&mut self, sizes: &[Atom], elem: PrimType) -> Var {
        let made = self.maps(sizes, elem);
        self.add_fresh_array(variable(made));
        variable(made)
    }

    fn maps(&mut self, sizes: &[Atom], elem: PrimType) -> Atom {
        let Some((&width, inner)) = sizes.split_first() else { return self.arithmetic_of(elem) };
        let mut sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        let mut params = vec![(long(), Regions::new())];
        if let Some(array) = self.array_where(|ty| ty.shape[0] == width) {
            sources.push(Source::Array(array));
            params.push((self.b.vars()[array].ty.row(), self.regions_of(array)));
        }
        let map = self.lambda(&params, |writer, args| {
            writer.scope.counters.push((args[0], width));
            vec![writer.maps(inner, elem)]
        });
        self.at_some_level(|b| b.screma(width, sources, map, vec![Sink::Map])[0])
    }

    /// Writes a view of an array, and takes both out of scope, so that nothing but the caller uses them.
    fn random_view(&mut self, array: Var) -> Var {
        let (rank, regions) = (self.b.vars()[array].ty.rank(), self.regions_of(array));
        let view = match self.choices.below(6) {
            0 | 1 if rank > 1 => variable(self.b.rearrange(array, (0..rank).rev().collect())),
            0..=2 => variable(self.reshape(array)),
            3 | 4 => self.check_size(array),
            _ => self.slice_of(array),
        };
        self.add_array(view, regions);
        self.scope.arrays.retain(|&known| known != array && known != view);
        view
    }

    /// A construct that reads the elements of an array, or of its rows.
    fn read(&mut self, depth: usize, array: Var) {
        let ty = self.b.vars()[array].ty.clone();
        if ty.rank() == 1 {
            let kind = self.choices.any(&[Consumer::Reduce, Consumer::Map, Consumer::Scan]);
            self.construct(kind, depth, ty.shape[0], vec![array]);
            return;
        }
        let map = self.lambda(&[(ty.row(), self.regions_of(array))], |writer, args| {
            writer.read(depth + 1, variable(args[0]));
            vec![writer.recent_scalar()]
        });
        let (width, sources) = (ty.shape[0], vec![Source::Array(array)]);
        let made = self.at_some_level(|b| b.screma(width, sources, map, vec![Sink::Map])[0]);
        self.add_value(made);
    }
}
