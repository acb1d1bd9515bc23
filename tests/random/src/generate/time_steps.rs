//! Time-stepping loops: each iteration computes an array from the previous one, at top level and in threads. They are
//! candidates for memory reuse.

use ravel_core::*;
use ravel_prim::{BinOp, PrimType};

use super::arrays::variable;
use super::scope::{Regions, Scope};
use super::{Writer, long};

impl Writer {
    pub fn time_loop(&mut self, depth: usize) {
        self.time_steps(depth, None);
    }

    /// A map, each point of which runs a time-stepping loop.
    pub fn time_loop_per_point(&mut self, depth: usize) {
        let width = self.size().atom;
        let map = self.lambda(&[(long(), Regions::new())], |writer, args| {
            writer.scope.counters.push((args[0], width));
            vec![writer.time_steps(depth + 1, None)]
        });
        let counted = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        let made = self.b.screma(width, vec![counted], map, vec![Sink::Map])[0];
        let made = variable(self.add_value(made));
        self.scope.chain_ends.push(made);
    }

    /// A loop, each iteration of which computes an array from the previous one, into new memory or in place. `restart` is
    /// the initial array, which has other uses, and the number of iterations. Returns an element of the last array, because
    /// scalars have more uses in a thread.
    fn time_steps(&mut self, depth: usize, restart: Option<(Var, Atom)>) -> Atom {
        let over = restart.is_none() && self.choices.once_in(4);
        let is_kept = restart.is_none() && !over && self.choices.once_in(2);
        let kept = if is_kept { self.array_where(|known| known.rank() == 1) } else { None };
        let kept = restart.map(|(array, _)| array).or(kept);
        let ty = match kept {
            Some(kept) => self.b.vars()[kept].ty.clone(),
            None => Type::array(self.prim(), vec![self.size().atom]),
        };
        let consumed = if over || kept.is_some() { None } else { self.consume(|known| *known == ty) };
        let first = kept.or(consumed).unwrap_or_else(|| self.own_array(&ty));
        let (param, index) = (self.b.fresh(None, ty.clone()), self.b.fresh(None, long()));
        let number = restart.map_or_else(|| self.long(), |(_, number)| number);
        let bound = self.i64_operation(BinOp::And, number, Atom::i64(3));
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let body = self.nested(inside, |writer| {
            writer.scope.scalars.push(Atom::Var(index));
            writer.add_array(param, Regions::from([param]));
            writer.statements(depth + 1, 2);
            let again = restart.is_none() && ty.elem.is_number() && writer.choices.once_in(2);
            let again = again.then(|| writer.restarted_loop(depth + 1, param));
            let mut next = writer.step(depth, &ty, param, index);
            if let Some(again) = again {
                next = writer.add_number(next, again);
            }
            let whole = DimSlice::Range { start: Atom::i64(0), count: ty.shape[0], stride: Atom::i64(1) };
            vec![if over { writer.b.update(param, vec![whole], next) } else { next }]
        });
        let form = LoopForm::For { index, bound };
        let looped = Exp::Loop(Loop { params: vec![(param, Atom::Var(first))], form, body });
        let last = variable(self.b.bind(ty, looped));
        match kept {
            // The result if the loop has no iteration.
            Some(kept) => {
                let regions = self.regions_of(kept);
                self.add_array(last, regions);
                self.scope.chain_ends.push(kept);
            }
            None => self.add_fresh_array(last),
        }
        self.scope.chain_ends.push(last);
        self.element_of(last)
    }

    /// An element of the result of a loop that begins with `array`, in one side of a branch or in each iteration of
    /// another loop. Each time the loop begins with the unchanged array.
    fn restarted_loop(&mut self, depth: usize, array: Var) -> Atom {
        let elem = self.b.vars()[array].ty.elem;
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let first = self.scalar(elem);
        let exp = if self.choices.once_in(3) {
            let cond = self.scalar(PrimType::Bool);
            let then =
                self.nested(inside, |writer| vec![writer.time_steps(depth, Some((array, Atom::i64(2))))]);
            Exp::If { cond, then, otherwise: Body { stms: Vec::new(), result: vec![first] } }
        } else {
            let (last, index) = (self.b.fresh(None, Type::scalar(elem)), self.b.fresh(None, long()));
            let body = self.nested(inside, |writer| {
                let rounds = writer.i64_operation(BinOp::Add, Atom::Var(index), Atom::i64(1));
                vec![writer.time_steps(depth, Some((array, rounds)))]
            });
            let form = LoopForm::For { index, bound: Atom::i64(2) };
            Exp::Loop(Loop { params: vec![(last, first)], form, body })
        };
        self.b.bind(Type::scalar(elem), exp)
    }

    /// Adds a number to each element of an array.
    fn add_number(&mut self, array: Atom, number: Atom) -> Atom {
        let array = variable(array);
        let ty = self.b.vars()[array].ty.clone();
        let map = self.lambda(&[(ty.row(), Regions::new())], |writer, args| {
            vec![writer.b.binary(BinOp::Add, args[0], number)]
        });
        self.b.screma(ty.shape[0], vec![Source::Array(array)], map, vec![Sink::Map])[0]
    }

    /// A map of an array, usually reversed, to one of the same type; it may also read the iteration counter.
    fn step(&mut self, depth: usize, ty: &Type, array: Var, round: Var) -> Atom {
        let width = ty.shape[0];
        let source = match self.choices.below(3) {
            0 => array,
            _ => {
                let start = self.b.binary(BinOp::Sub, width, Atom::i64(1));
                self.part(array, vec![DimSlice::Range { start, count: width, stride: Atom::i64(-1) }])
            }
        };
        let counted = Source::Iota { start: Atom::Var(round), stride: Atom::i64(1) };
        let counted = self.choices.once_in(4).then_some(counted);
        self.map_with(depth, source, counted, ty.elem)
    }

    /// A map of an array to this element type. Its result is not in scope yet.
    pub fn map_of(&mut self, depth: usize, array: Var, elem: PrimType) -> Atom {
        self.map_with(depth, array, None, elem)
    }

    fn map_with(&mut self, depth: usize, array: Var, counted: Option<Source>, elem: PrimType) -> Atom {
        let ty = self.b.vars()[array].ty.clone();
        let mut params = vec![(ty.row(), self.regions_of(array))];
        params.extend(counted.iter().map(|_| (long(), Regions::new())));
        let map = self.lambda(&params, |writer, _| {
            writer.statements(depth.max(1) + 1, 1);
            vec![writer.arithmetic_of(elem)]
        });
        let sources = std::iter::once(Source::Array(array)).chain(counted).collect();
        self.b.screma(ty.shape[0], sources, map, vec![Sink::Map])[0]
    }
}
