//! Chains: a construct, and one or two that read its result or have the same width. They are candidates for fusion.

use ravel_core::*;
use ravel_prim::PrimType;

use super::Writer;
use super::arrays::variable;
use super::operators::Operator;
use super::scope::Regions;

/// The construct that consumes an array.
#[derive(Clone, Copy)]
pub enum Consumer {
    Map,
    Reduce,
    Scan,
    Write,
    Combine,
    /// A reduction of a slice.
    Part,
    /// A stream.
    Stream,
    /// A filter.
    Filter,
    /// A copy.
    Copy,
}

impl Writer {
    pub fn chain(&mut self, depth: usize) {
        let array = self.pick_array();
        let width = self.b.vars()[array].ty.shape[0];
        let kinds = [
            Consumer::Map,
            Consumer::Map,
            Consumer::Filter,
            Consumer::Stream,
            Consumer::Scan,
            Consumer::Write,
            Consumer::Stream,
            Consumer::Filter,
            Consumer::Stream,
        ];
        let kind = self.choices.any(&kinds);
        let Some(mut made) = self.construct(kind, depth, width, vec![array]) else { return };
        for _ in 0..=self.choices.below(2) {
            let kinds = [
                Consumer::Reduce,
                Consumer::Map,
                Consumer::Write,
                Consumer::Combine,
                Consumer::Scan,
                Consumer::Part,
                Consumer::Filter,
                Consumer::Stream,
                Consumer::Copy,
                Consumer::Write,
                Consumer::Combine,
                Consumer::Map,
                Consumer::Write,
                Consumer::Stream,
                Consumer::Filter,
                Consumer::Copy,
                Consumer::Scan,
                Consumer::Reduce,
                Consumer::Combine,
                Consumer::Stream,
                Consumer::Copy,
                Consumer::Write,
                Consumer::Scan,
                Consumer::Combine,
                Consumer::Map,
            ];
            let kind = self.choices.any(&kinds);
            // The next construct reads the last array, which may have another width.
            let width = self.b.vars()[made].ty.shape[0];
            let made_now = self.construct(kind, depth, width, vec![made]);
            if let Some(next) = made_now {
                made = next;
            }
        }
        self.scope.chain_ends.push(made);
    }

    /// Two constructs of one width, side by side.
    pub fn side_by_side(&mut self, depth: usize) {
        let array = self.pick_array();
        let width = self.b.vars()[array].ty.shape[0];
        for _ in 0..2 {
            let kinds = [Consumer::Write, Consumer::Write, Consumer::Write, Consumer::Map, Consumer::Reduce];
            let kind = self.choices.any(&kinds);
            self.construct(kind, depth, width, Vec::new());
        }
    }

    /// A scan, and a second scan of an array that passes through the first construct unchanged.
    pub fn scans(&mut self, depth: usize) {
        let array = self.pick_array();
        let ty = self.b.vars()[array].ty.clone();
        let (width, elems) = (ty.shape[0], [self.prim(), self.prim()]);
        let Operator { op, neutral, .. } = self.simple_operator(elems[0]);
        let map = self.lambda(&[(ty.row(), self.regions_of(array))], |writer, _| {
            writer.statements(depth.max(1) + 1, 1);
            elems.map(|elem| writer.arithmetic_of(elem)).to_vec()
        });
        let made = self.b.screma_of(Screma {
            width,
            sources: vec![Source::Array(array)],
            map,
            scans: vec![Scan { op, neutral, path: None }],
            post: None,
            sinks: vec![Sink::Map; 2],
        });
        let passed = variable(self.add_value(made[1]));
        self.construct(Consumer::Scan, depth, width, vec![passed]);
        self.add_value(made[0]);
    }

    /// A construct over these arrays, which usually have no other use; returns the array that it produces.
    pub fn construct(
        &mut self,
        kind: Consumer,
        depth: usize,
        width: Atom,
        mut arrays: Vec<Var>,
    ) -> Option<Var> {
        if matches!(kind, Consumer::Part) {
            let whole = arrays[0];
            let shape = self.b.vars()[whole].ty.shape.clone();
            let outer = self.range(shape[0]);
            let inner = shape[1..].iter().map(|&count| DimSlice::Range {
                start: Atom::i64(0),
                count,
                stride: Atom::i64(1),
            });
            let dims = std::iter::once(outer).chain(inner).collect();
            let part = self.part(whole, dims);
            let width = self.b.vars()[part].ty.shape[0];
            return self.construct(Consumer::Reduce, depth, width, vec![part]);
        }
        if matches!(kind, Consumer::Copy) {
            self.scope.arrays.retain(|known| !arrays.contains(known));
            let copy = self.b.copy(arrays.pop()?);
            return self.add_value(copy).var();
        }
        if matches!(kind, Consumer::Filter | Consumer::Stream) {
            let array = arrays.pop().filter(|&array| self.b.vars()[array].ty.rank() == 1)?;
            self.scope.arrays.retain(|&known| known != array);
            return match kind {
                Consumer::Filter => {
                    let changed = self.choices.below(2) == 1;
                    Some(self.filter_of(array, changed))
                }
                _ => self.stream_over(depth, width, vec![array]),
            };
        }
        let elem = self.prim();
        let target = match kind {
            Consumer::Write => {
                let size = self.size();
                let old = self.consume(|ty| ty.rank() == 1);
                Some(old.unwrap_or_else(|| self.own_array(&Type::array(elem, vec![size.atom]))))
            }
            Consumer::Combine => {
                let old = self.consume(|ty| ty.rank() == 1 && !ty.elem.is_float());
                Some(old.unwrap_or_else(|| self.own_array(&Type::array(PrimType::I32, vec![width]))))
            }
            _ => None,
        };
        arrays.retain(|&array| self.is_alive(array));
        let mut sources: Vec<Source> = arrays.iter().map(|&array| Source::Array(array)).collect();
        let mut params: Vec<(Type, Regions)> =
            arrays.iter().map(|&array| (self.b.vars()[array].ty.row(), self.regions_of(array))).collect();
        if !self.choices.once_in(4) {
            self.scope.arrays.retain(|known| !arrays.contains(known));
        }
        let counted = matches!(kind, Consumer::Write) || arrays.is_empty() || self.choices.once_in(3);
        if counted {
            sources.push(Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) });
            params.push((super::long(), Regions::new()));
        }
        let (mut scans, mut sinks) = (Vec::new(), Vec::new());
        let value = match (kind, target) {
            (Consumer::Write, Some(target)) => {
                sinks.push(Sink::Write { target, rank: 1 });
                self.b.vars()[target].ty.row()
            }
            (Consumer::Combine, Some(target)) => {
                let row = self.b.vars()[target].ty.row();
                let Operator { op, neutral, .. } = self.simple_operator(row.elem);
                sinks.push(Sink::Combine { targets: vec![target], op, neutral });
                row
            }
            (Consumer::Reduce, _) => {
                let Operator { op, neutral, commutative } = self.simple_operator(elem);
                sinks.push(Sink::Reduce { op, neutral, commutative });
                Type::scalar(elem)
            }
            (Consumer::Scan, _) => {
                let Operator { op, neutral, .. } = self.simple_operator(elem);
                scans.push(Scan { op, neutral, path: None });
                sinks.push(Sink::Map);
                Type::scalar(elem)
            }
            _ => {
                sinks.push(Sink::Map);
                Type::scalar(elem)
            }
        };
        let positioned = target.is_some();
        let map = self.lambda(&params, |writer, args| {
            let index = if counted { args[args.len() - 1] } else { Atom::i64(0) };
            writer.scope.counters.extend(counted.then_some((index, width)));
            writer.statements(depth.max(1) + 1, 1);
            let value = writer.arithmetic_of(value.elem);
            // Writes go to distinct positions; combined values may go anywhere.
            let position = match kind {
                Consumer::Combine => writer.long(),
                _ => index,
            };
            if positioned { vec![position, value] } else { vec![value] }
        });
        let screma = Screma { width, sources, map, scans, post: None, sinks };
        let made = self.at_some_level(|b| b.screma_of(screma)[0]);
        self.add_value(made);
        made.var().filter(|_| !self.b.type_of(made).is_scalar())
    }
}
