//! Random core programs, lawful by construction.
//!
//! Every program is one function over `n` (at least 1), two arrays of that size, the first of
//! them consumed, an i32 and a bool. Indices are in bounds, divisors are checked, operators are
//! associative. A random text of bytes is read as the choices to make, and where it ends the
//! simplest choice is made, so that shorter texts make smaller programs.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

/// The program that these choices make.
pub fn program(choices: Vec<u8>) -> Program {
    let mut b = Builder::new();
    let n = b.fresh(Some(Symbol::new("n")), long());
    let array = int().array_of(Atom::Var(n));
    let xs = b.fresh(Some(Symbol::new("xs")), array.clone());
    let ys = b.fresh(Some(Symbol::new("ys")), array.clone());
    let x = b.fresh(Some(Symbol::new("x")), int());
    let c = b.fresh(Some(Symbol::new("c")), Type::scalar(PrimType::Bool));
    let results: Vec<Var> = [int(), int(), array.clone(), array.clone()].map(|ty| b.fresh(None, ty)).to_vec();
    let known = Known {
        ints: vec![Atom::Var(x)],
        longs: vec![Atom::Var(n)],
        bools: vec![Atom::Var(c)],
        arrays: vec![ys, xs],
        own: BTreeSet::from([xs]),
    };
    let places = [xs, ys].map(|array| (array, BTreeSet::from([array]))).into();
    let mut writer =
        Writer { b, n: Atom::Var(n), array, choices, next: 0, known, places, dead: BTreeSet::new() };
    writer.statements(0, 14);
    let ints = [writer.int(), writer.int()];
    let arrays = [writer.pick_array(), writer.pick_array()].map(Atom::Var);
    let result = [ints, arrays].concat();
    let params = [n, xs, ys, x, c].map(|var| Param { var, consumed: var == xs }).to_vec();
    let function = writer.b.function(Symbol::new("main"), params, results.clone(), result, false);
    let value = |&var: &Var| EntryValue { name: None, var, unique: var == xs };
    let entry = Entry {
        name: function.name,
        function: function.name,
        params: [xs, ys, x, c].iter().map(value).collect(),
        results: results.iter().map(value).collect(),
    };
    Program { functions: vec![function], entries: vec![entry] }
}

fn int() -> Type {
    Type::scalar(PrimType::I32)
}

fn long() -> Type {
    Type::scalar(PrimType::I64)
}

fn constant(value: i32) -> Atom {
    Atom::Const(PrimValue::I32(value))
}

fn message(text: &str) -> ErrorMessage {
    ErrorMessage { parts: vec![ErrorPart::Text(text.to_owned())], span: None }
}

/// What can be used in the body that is being written.
#[derive(Clone, Default)]
struct Known {
    ints: Vec<Atom>,
    longs: Vec<Atom>,
    bools: Vec<Atom>,
    arrays: Vec<Var>,
    /// The places that this body may consume.
    own: BTreeSet<Var>,
}

struct Writer {
    b: Builder,
    n: Atom,
    /// The type of all arrays.
    array: Type,
    choices: Vec<u8>,
    next: usize,
    known: Known,
    /// The pieces of memory that an array may lie in, and those that have been consumed.
    places: BTreeMap<Var, BTreeSet<Var>>,
    dead: BTreeSet<Var>,
}

impl Writer {
    /// A number below `count`, which is at most 256.
    fn below(&mut self, count: usize) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % count
    }

    /// One of these, more often one of the last.
    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        let back = if self.below(3) == 2 { items.len() } else { items.len().min(2) };
        items[items.len() - 1 - self.below(back)]
    }

    fn int(&mut self) -> Atom {
        let constants = [i32::MAX, i32::MIN, -1, 7, 2, 1, 0].map(constant);
        if self.below(4) == 3 { self.of(&constants) } else { self.of(&self.known.ints.clone()) }
    }

    fn long(&mut self) -> Atom {
        let constants = [i64::MIN, -1, 3, 1, 0].map(Atom::i64);
        if self.below(4) == 3 { self.of(&constants) } else { self.of(&self.known.longs.clone()) }
    }

    /// A number from 0 to n-1: a remainder, a number held between the two, or one that was checked.
    fn position(&mut self) -> Atom {
        let long = self.long();
        match self.below(4) {
            1 => {
                let last = self.b.binary(BinOp::Sub, self.n, Atom::i64(1));
                let low = self.b.binary(BinOp::Min, long, last);
                self.b.binary(BinOp::Max, low, Atom::i64(0))
            }
            2 => {
                let low = self.b.compare(CmpOp::Le, Atom::i64(0), long);
                let high = self.b.compare(CmpOp::Lt, long, self.n);
                let cond = self.b.binary(BinOp::And, low, high);
                self.b.assert(cond, long, message("out of bounds"))
            }
            _ => self.b.binary(BinOp::Mod, long, self.n),
        }
    }

    fn is_alive(&self, array: Var) -> bool {
        self.places[&array].is_disjoint(&self.dead)
    }

    fn pick_array(&mut self) -> Var {
        let alive: Vec<Var> =
            self.known.arrays.iter().copied().filter(|&array| self.is_alive(array)).collect();
        self.of(&alive)
    }

    /// An array that this body may consume, if there is one; it is consumed.
    fn consume(&mut self) -> Option<Var> {
        let own = |array: &Var| self.is_alive(*array) && self.places[array].is_subset(&self.known.own);
        let own: Vec<Var> = self.known.arrays.iter().copied().filter(own).collect();
        if own.is_empty() {
            return None;
        }
        let array = self.of(&own);
        self.dead.extend(self.places[&array].clone());
        Some(array)
    }

    /// Makes a new array known.
    fn made(&mut self, atom: Atom) {
        if let Atom::Var(array) = atom {
            self.known.own.insert(array);
            self.shares(array, BTreeSet::from([array]));
        }
    }

    /// Makes an array known that lies in these places.
    fn shares(&mut self, array: Var, places: BTreeSet<Var>) {
        self.places.insert(array, places);
        self.known.arrays.push(array);
    }

    /// Writes a nested body; gives it and the places of its array results. What is known inside
    /// is not known outside; what is consumed inside stays consumed.
    fn nested(&mut self, inside: Known, write: impl FnOnce(&mut Writer) -> Vec<Atom>) -> Body {
        let outside = std::mem::replace(&mut self.known, inside);
        self.b.begin();
        let result = write(self);
        self.known = outside;
        self.b.end(result)
    }

    fn places_of(&self, atom: Atom) -> BTreeSet<Var> {
        atom.var().and_then(|var| self.places.get(&var)).cloned().unwrap_or_default()
    }

    /// A lambda over scalars: i32, or i64 where `is_long`.
    fn lambda(
        &mut self,
        depth: usize,
        is_long: &[bool],
        write: impl FnOnce(&mut Writer) -> Vec<Atom>,
    ) -> Lambda {
        let mut inside = Known { own: BTreeSet::new(), ..self.known.clone() };
        let params: Vec<Var> =
            is_long.iter().map(|&is_long| self.b.fresh(None, if is_long { long() } else { int() })).collect();
        for (&param, &is_long) in params.iter().zip(is_long) {
            if is_long { &mut inside.longs } else { &mut inside.ints }.push(Atom::Var(param));
        }
        let body = self.nested(inside, |writer| {
            writer.statements(depth + 1, 2);
            write(writer)
        });
        Lambda { params, body }
    }

    fn statements(&mut self, depth: usize, most: usize) {
        for _ in 0..self.below(most + 1) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.below(if depth < 3 { 16 } else { 8 }) {
            0 | 1 => drop(self.arithmetic()),
            2 => {
                let op = self.of(&[CmpOp::Eq, CmpOp::Ne, CmpOp::Lt, CmpOp::Le]);
                let (a, b) = (self.int(), self.int());
                let result = self.b.compare(op, a, b);
                self.known.bools.push(result);
            }
            3 => {
                let a = self.int();
                let wide = self.b.convert(PrimType::I64, a);
                self.known.longs.push(wide);
            }
            4 => {
                let (a, b) = (self.int(), self.int());
                let cond = self.b.compare(CmpOp::Ne, b, constant(0));
                let divisor = self.b.assert(cond, b, message("by zero"));
                let result = self.b.binary(BinOp::Div, a, divisor);
                self.known.ints.push(result);
            }
            5 => {
                let (array, at) = (self.pick_array(), self.position());
                let element = self.b.index(array, vec![at]);
                self.known.ints.push(element);
            }
            6 => self.array(),
            7 => {
                let (value, at) = (self.int(), self.position());
                if let Some(array) = self.consume() {
                    let updated = self.b.update(array, vec![DimSlice::Fix(at)], value);
                    self.made(updated);
                }
            }
            8 => self.branch(depth),
            9 => self.looped(depth),
            _ => self.screma(depth),
        }
    }

    fn arithmetic(&mut self) -> Atom {
        let ops = [BinOp::Xor, BinOp::And, BinOp::Min, BinOp::Max, BinOp::Mul, BinOp::Sub, BinOp::Add];
        let op = self.of(&ops);
        let (a, b) = (self.int(), self.int());
        let result = self.b.binary(op, a, b);
        self.known.ints.push(result);
        result
    }

    fn array(&mut self) {
        match self.below(4) {
            0 => {
                let value = self.int();
                let made = self.b.replicate(self.n, value);
                self.made(made);
            }
            1 => {
                let (start, stride) = (self.int(), self.int());
                let made = self.b.iota(self.n, start, stride);
                self.made(made);
            }
            2 => {
                let array = self.pick_array();
                let made = self.b.copy(array);
                self.made(made);
            }
            _ => {
                let array = self.pick_array();
                let places = self.places_of(Atom::Var(array));
                let (start, stride) = match self.below(3) {
                    0 => (self.b.binary(BinOp::Sub, self.n, Atom::i64(1)), -1),
                    1 => (self.position(), 0),
                    _ => (Atom::i64(0), 1),
                };
                let part = DimSlice::Range { start, count: self.n, stride: Atom::i64(stride) };
                if let Atom::Var(view) = self.b.slice(array, vec![part]) {
                    self.shares(view, places);
                }
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let cond = self.of(&self.known.bools.clone());
        let before = self.dead.clone();
        let side = |writer: &mut Writer| {
            writer.dead = before.clone();
            let mut own = BTreeSet::new();
            let mut places = BTreeSet::new();
            let body = writer.nested(writer.known.clone(), |writer| {
                writer.statements(depth + 1, 4);
                let array = Atom::Var(writer.pick_array());
                places = writer.places_of(array);
                own = writer.known.own.clone();
                vec![writer.int(), array]
            });
            (body, places, own, std::mem::take(&mut writer.dead))
        };
        let (then, mut places, own, dead) = side(self);
        let (otherwise, others, other_own, other_dead) = side(self);
        self.dead = &dead | &other_dead;
        self.known.own.extend(own.into_iter().chain(other_own));
        places.extend(others);
        let results = self.b.bind_many(vec![int(), self.array.clone()], Exp::If { cond, then, otherwise });
        self.known.ints.push(results[0]);
        if let Atom::Var(array) = results[1] {
            // What one side consumed and the other hands on belongs to the result.
            let mut places = &places - &self.dead;
            places.insert(array);
            self.known.own.insert(array);
            self.shares(array, places);
        }
    }

    fn looped(&mut self, depth: usize) {
        let first = self.int();
        let Some(array) = self.consume() else { return };
        let (number, param) = (self.b.fresh(None, int()), self.b.fresh(None, self.array.clone()));
        let mut inside = Known { own: BTreeSet::from([param]), ..self.known.clone() };
        inside.ints.push(Atom::Var(number));
        // So many rounds as there are elements, or a few.
        let (index, bound) = if self.below(3) == 2 {
            let index = self.b.fresh(None, long());
            inside.longs.push(Atom::Var(index));
            (index, self.n)
        } else {
            let index = self.b.fresh(None, int());
            inside.ints.push(Atom::Var(index));
            (index, constant(self.below(4) as i32))
        };
        self.places.insert(param, BTreeSet::from([param]));
        inside.arrays.push(param);
        let body = self.nested(inside, |writer| {
            writer.statements(depth + 1, 4);
            let next = if writer.below(5) == 4 { Atom::Var(number) } else { writer.int() };
            // Consumed behind everything else, so that it has one name.
            let array = writer.consume().map(Atom::Var);
            vec![next, array.unwrap_or_else(|| writer.b.replicate(writer.n, next))]
        });
        let params = vec![(number, first), (param, Atom::Var(array))];
        let form = LoopForm::For { index, bound };
        let results =
            self.b.bind_many(vec![int(), self.array.clone()], Exp::Loop(Loop { params, form, body }));
        self.known.ints.push(results[0]);
        self.made(results[1]);
    }

    fn operator(&mut self) -> (Lambda, Vec<Atom>) {
        let operators = [(BinOp::Min, i32::MAX), (BinOp::Max, i32::MIN), (BinOp::Mul, 1), (BinOp::Add, 0)];
        let (op, neutral) = self.of(&operators);
        (self.b.operator(op, PrimType::I32), vec![constant(neutral)])
    }

    fn screma(&mut self, depth: usize) {
        // What the sinks consume is gone for everything else.
        let mut sinks = Vec::new();
        for _ in 0..=self.below(3) {
            sinks.push(match self.below(5) {
                2 => {
                    let (op, neutral) = self.operator();
                    Sink::Reduce { op, neutral, commutative: true }
                }
                3 => match self.consume() {
                    Some(target) => Sink::Write { target, rank: 1 },
                    None => Sink::Map,
                },
                4 => match self.consume() {
                    Some(target) => {
                        let (op, neutral) = self.operator();
                        Sink::Combine { targets: vec![target], op, neutral }
                    }
                    None => Sink::Map,
                },
                _ => Sink::Map,
            });
        }
        let mut sources = Vec::new();
        for _ in 0..=self.below(2) {
            let array = self.pick_array();
            sources.push(Source::Array(array));
            // Often nothing else reads it, but the parameters never run out.
            if self.below(3) < 2 && self.known.arrays.iter().position(|&known| known == array) > Some(1) {
                self.known.arrays.retain(|&known| known != array);
            }
        }
        if self.below(2) == 1 {
            sources.push(Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) });
        }
        let is_long: Vec<bool> = sources.iter().map(|source| matches!(source, Source::Iota { .. })).collect();
        let positions: Vec<bool> =
            sinks.iter().flat_map(|sink| vec![true, false].split_off(2 - sink.arity())).collect();
        let stream = |writer: &mut Writer| {
            let value = |&is_long: &bool| if is_long { writer.long() } else { writer.arithmetic() };
            positions.iter().map(value).collect()
        };
        let (mut scans, mut post) = (Vec::new(), None);
        let map = if self.below(4) == 3 {
            let map = self.lambda(depth, &is_long, |writer| {
                vec![writer.arithmetic(), writer.arithmetic(), writer.long()]
            });
            let (op, neutral) = self.operator();
            scans.push(Scan { op, neutral });
            post = Some(self.lambda(depth, &[false, false, true], stream));
            map
        } else {
            self.lambda(depth, &is_long, stream)
        };
        let screma = Screma { width: self.n, sources, map, scans, post, sinks };
        for result in self.b.screma_of(screma) {
            match self.b.type_of(result).is_scalar() {
                true => self.known.ints.push(result),
                false => self.made(result),
            }
        }
    }
}
