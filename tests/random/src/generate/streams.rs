//! Streams whose results do not depend on the chunk sizes: mapped arrays are computed element by element, and
//! reductions of chunks use the stream's own operator.

use ravel_core::*;

use super::Writer;
use super::operators::Operator;
use super::scope::{Regions, Scope};

impl Writer {
    pub fn stream(&mut self, depth: usize) {
        let width = self.size().atom;
        self.stream_of(depth, width);
    }

    /// Two streams of one width, side by side.
    pub fn streams(&mut self, depth: usize) {
        let width = self.size().atom;
        (0..2).for_each(|_| self.stream_of(depth, width));
    }

    fn stream_of(&mut self, depth: usize, width: Atom) {
        let mut sources = Vec::new();
        for _ in 0..self.choices.below(3) {
            sources.extend(self.array_where(|ty| ty.shape[0] == width && ty.rank() == 1));
        }
        self.stream_over(depth, width, sources);
    }

    /// A stream over these arrays; returns an array that it maps, if any.
    pub fn stream_over(&mut self, depth: usize, width: Atom, sources: Vec<Var>) -> Option<Var> {
        let mapped = self.choices.below(3);
        let mapped: Vec<_> = (0..mapped).map(|_| self.prim()).collect();
        // The operator is written twice: for the elements of a chunk, and for the results of chunks.
        let reduces = mapped.is_empty() || self.choices.below(2) == 1;
        let mark = self.choices.mark();
        let operators: Vec<Operator> = reduces.then(|| self.operator()).into_iter().collect();
        let after = self.choices.mark();
        self.choices.go_to(mark);
        let outer: Vec<Operator> = reduces.then(|| self.operator()).into_iter().collect();
        self.choices.go_to(after);
        let size = self.b.fresh(None, super::long());
        let start = self.b.fresh(None, super::long());
        let slices: Vec<Var> = sources
            .iter()
            .map(|&source| {
                let row = self.b.vars()[source].ty.row();
                self.b.fresh(None, row.array_of(Atom::Var(size)))
            })
            .collect();
        let mut params: Vec<(Type, Regions)> =
            sources.iter().map(|&source| (self.b.vars()[source].ty.row(), self.regions_of(source))).collect();
        params.push((super::long(), Regions::new()));
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let is_loop = operators.is_empty() && self.choices.below(3) == 2;
        let body = self.nested(inside, |writer| match is_loop {
            true => writer.sequential_chunk(size, start, &slices, &mapped),
            false => {
                writer.statements(depth + 1, 2);
                writer.parallel_chunk(depth, size, start, &slices, &params, &mapped, &operators)
            }
        });
        let chunk = Lambda { params: [vec![size, start], slices].concat(), body };
        let stated = self.choices.below(2) == 1;
        let maps = mapped.iter().map(|_| StreamSink::Map);
        let sinks = maps
            .chain(outer.into_iter().map(|Operator { op, neutral, .. }| StreamSink::Reduce {
                op,
                neutral: stated.then_some(neutral),
            }))
            .collect();
        let results = self.b.stream(Stream { width, sources, chunk, sinks });
        for &result in &results {
            self.add_value(result);
        }
        results.first().filter(|_| !mapped.is_empty()).and_then(|result| result.var())
    }

    /// A chunk function that is one parallel construct.
    fn parallel_chunk(
        &mut self,
        depth: usize,
        size: Var,
        start: Var,
        slices: &[Var],
        params: &[(Type, Regions)],
        mapped: &[ravel_prim::PrimType],
        operators: &[Operator],
    ) -> Vec<Atom> {
        let taken: Vec<Type> = operators.iter().flat_map(|operator| operator.types(&self.b)).collect();
        let map = self.lambda(params, |writer, _| {
            writer.statements(depth + 2, 2);
            let mut values: Vec<Atom> = mapped.iter().map(|&ty| writer.arithmetic_of(ty)).collect();
            for ty in &taken {
                values.push(match ty.is_scalar() {
                    true => writer.scalar(ty.elem),
                    false => Atom::Var(writer.array_of(ty)),
                });
            }
            values
        });
        let mut sources: Vec<Source> = slices.iter().map(|&slice| Source::Array(slice)).collect();
        sources.push(Source::Iota { start: Atom::Var(start), stride: Atom::i64(1) });
        let maps = mapped.iter().map(|_| Sink::Map);
        let reductions: Vec<Sink> = operators
            .iter()
            .map(|operator| Sink::Reduce {
                op: operator.op.clone(),
                neutral: operator.neutral.clone(),
                commutative: operator.commutative,
            })
            .collect();
        let sinks = maps.chain(reductions).collect();
        self.b.screma(Atom::Var(size), sources, map, sinks)
    }

    /// A chunk function that is a loop and writes one element per iteration.
    fn sequential_chunk(
        &mut self,
        size: Var,
        start: Var,
        slices: &[Var],
        mapped: &[ravel_prim::PrimType],
    ) -> Vec<Atom> {
        let index = self.b.fresh(None, super::long());
        let mut params = Vec::new();
        for &elem in mapped {
            let ty = Type::scalar(elem).array_of(Atom::Var(size));
            let first = self.b.bind(ty.clone(), Exp::Scratch);
            params.push((self.b.fresh(None, ty), first));
        }
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let body = self.nested(inside, |writer| {
            let at = writer.b.binary(ravel_prim::BinOp::Add, Atom::Var(start), Atom::Var(index));
            writer.scope.scalars.push(at);
            for &slice in slices {
                let element = writer.b.index(slice, vec![Atom::Var(index)]);
                writer.scope.scalars.push(element);
            }
            writer.statements(super::MAX_DEPTH, 2);
            let mut results = Vec::new();
            for (&(param, _), &elem) in params.iter().zip(mapped) {
                let value = writer.arithmetic_of(elem);
                results.push(writer.b.update(param, vec![DimSlice::Fix(Atom::Var(index))], value));
            }
            results
        });
        let types: Vec<Type> = params.iter().map(|&(param, _)| self.b.vars()[param].ty.clone()).collect();
        let form = LoopForm::For { index, bound: Atom::Var(size) };
        self.b.bind_many(types, Exp::Loop(Loop { params, form, body }))
    }
}
