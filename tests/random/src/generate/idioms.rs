//! Idioms: small patterns that are frequent after inlining, but that random choices alone produce too rarely.

use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::arrays::variable;
use super::{Writer, boolean, long, message};

impl Writer {
    pub fn idiom(&mut self, depth: usize) {
        const IDIOMS: &[fn(&mut Writer)] = &[
            Writer::element_of_new_array,
            Writer::view_of_a_view,
            Writer::whole_view,
            Writer::same_on_both_sides,
            Writer::branch_to_a_bool,
            Writer::branch_to_a_bool,
            Writer::repeated_condition,
            Writer::sums_of_constants,
            Writer::bounded_number,
            Writer::repeated_check,
            Writer::one_of_two,
        ];
        let idiom = self.choices.any(IDIOMS);
        if depth <= super::MAX_DEPTH {
            idiom(self);
        }
    }

    /// An element of an iota, a replicated value, a literal or a view.
    fn element_of_new_array(&mut self) {
        let elem = self.prim();
        let array = match self.choices.below(5) {
            0 | 1 => {
                let size = self.size();
                self.make_array(&Type::scalar(elem).array_of(size.atom))
            }
            2 | 3 => {
                let elements = (0..=self.choices.below(3)).map(|_| self.scalar(elem)).collect();
                let array = self.b.array_lit(Type::scalar(elem), elements);
                variable(self.add_value(array))
            }
            _ => self.slice_of_some_array(),
        };
        self.element_of(array);
    }

    fn slice_of_some_array(&mut self) -> Var {
        let array = self.pick_array();
        self.slice_of(array)
    }

    pub fn slice_of(&mut self, array: Var) -> Var {
        let shape = self.b.vars()[array].ty.shape.clone();
        let dims = shape.iter().map(|&size| self.range(size)).collect();
        self.part(array, dims)
    }

    fn view_of_a_view(&mut self) {
        let first = self.slice_of_some_array();
        self.slice_of(first);
    }

    fn whole_view(&mut self) {
        let array = self.pick_array();
        let regions = self.regions_of(array);
        let ty = self.b.vars()[array].ty.clone();
        let view = match self.choices.below(3) {
            0 => {
                let whole =
                    |&size: &Atom| DimSlice::Range { start: Atom::i64(0), count: size, stride: Atom::i64(1) };
                self.b.slice(array, ty.shape.iter().map(whole).collect())
            }
            1 => self.b.rearrange(array, (0..ty.rank()).collect()),
            _ => self.b.reshape(array, ty.shape),
        };
        self.add_array(variable(view), regions);
    }

    /// A branch whose sides return the same value.
    fn same_on_both_sides(&mut self) {
        let (cond, value) = (self.scalar(PrimType::Bool), self.recent_scalar());
        let ty = self.b.type_of(value);
        let same = Body { stms: Vec::new(), result: vec![value] };
        let result = self.b.bind(ty, Exp::If { cond, then: same.clone(), otherwise: same });
        self.scope.scalars.push(result);
    }

    /// A branch that returns bools.
    fn branch_to_a_bool(&mut self) {
        let cond = self.scalar(PrimType::Bool);
        let known = self.scalar(PrimType::Bool);
        let constant = Atom::bool(self.choices.below(2) == 1);
        let [then, otherwise] =
            if self.choices.below(2) == 1 { [known, constant] } else { [constant, known] };
        let side = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
        let result = self.b.bind(boolean(), Exp::If { cond, then: side(then), otherwise: side(otherwise) });
        self.scope.scalars.push(result);
    }

    /// A condition that is tested again where its value is known.
    fn repeated_condition(&mut self) {
        let cond = self.scalar(PrimType::Bool);
        let (a, b, c) = (self.long(), self.long(), self.long());
        let side = |atom: Atom| Body { stms: Vec::new(), result: vec![atom] };
        let then = self.b.body(|b_| {
            let inner = Exp::If { cond, then: side(a), otherwise: side(b) };
            vec![b_.bind(long(), inner)]
        });
        let result = self.b.bind(long(), Exp::If { cond, then, otherwise: side(c) });
        self.scope.scalars.push(result);
    }

    /// A sequence of additions or multiplications of constants.
    fn sums_of_constants(&mut self) {
        let integers: Vec<PrimType> =
            self.scope.palette.iter().copied().filter(|ty| ty.is_integer()).collect();
        let ty = self.choices.any(&integers);
        let mut sum = self.scalar(ty);
        let product = self.choices.once_in(3);
        for _ in 0..2 {
            let constant = self.constant(ty);
            let op = if product { BinOp::Mul } else { self.choices.any(&[BinOp::Add, BinOp::Sub]) };
            sum = self.pure(Type::scalar(ty), Exp::Binary(op, sum, constant));
        }
    }

    /// A number with known bounds, compared and converted.
    fn bounded_number(&mut self) {
        let number = self.long();
        let low = self.i64_operation(BinOp::Max, number, Atom::i64(0));
        let bounded = self.i64_operation(BinOp::Min, low, Atom::i64(7));
        let other = self.constant(PrimType::I64);
        let op = self.choices.any(&[CmpOp::Lt, CmpOp::Le]);
        self.pure(boolean(), Exp::Compare(op, bounded, other));
        let op = self.choices.any(&[BinOp::Mod, BinOp::Min, BinOp::Max, BinOp::And]);
        self.pure(long(), Exp::Binary(op, bounded, Atom::i64(8)));
    }

    /// A check, and a second check of another value with the same or an implied condition.
    fn repeated_check(&mut self) {
        const MOST: i64 = 1 << 20;
        let (number, other) = (self.long(), self.recent_scalar());
        let mut cond = self.b.compare(CmpOp::Le, number, Atom::i64(MOST));
        let checked = self.b.assert(cond, number, message("too large"));
        if self.choices.below(2) == 1 {
            let less = self.long();
            let least = self.b.binary(BinOp::Min, checked, less);
            cond = self.b.compare(CmpOp::Lt, least, Atom::i64(MOST + 1));
        }
        let again = self.b.assert(cond, other, message("too large again"));
        self.scope.scalars.extend([checked, again]);
    }

    /// A mapped array, and a reversed view that may alias it; both are dead afterwards.
    fn one_of_two(&mut self) {
        let size = self.size().atom;
        let ty = Type::scalar(PrimType::I64).array_of(size);
        let other = self.array_of(&ty);
        let iota = Source::Iota { start: self.long(), stride: Atom::i64(3) };
        let map = self.lambda(&[(long(), Default::default())], |_, args| vec![args[0]]);
        let made = variable(self.b.screma(size, vec![iota], map, vec![Sink::Map])[0]);
        let cond = self.scalar(PrimType::Bool);
        let side = |array: Var| Body { stms: Vec::new(), result: vec![Atom::Var(array)] };
        let chosen = Exp::If { cond, then: side(made), otherwise: side(other) };
        let chosen = variable(self.b.bind(ty, chosen));
        let last = self.b.binary(BinOp::Sub, size, Atom::i64(1));
        let turned = DimSlice::Range { start: last, count: size, stride: Atom::i64(-1) };
        let turned = variable(self.b.slice(chosen, vec![turned]));
        let sources = vec![Source::Array(turned), Source::Array(made)];
        let params = [(); 2].map(|()| (long(), Default::default()));
        let map = self.lambda(&params, |writer, args| vec![writer.b.binary(BinOp::Sub, args[0], args[1])]);
        let result = self.b.screma(size, sources, map, vec![Sink::Map])[0];
        self.add_value(result);
        self.scope.chain_ends.extend(result.var());
    }
}
