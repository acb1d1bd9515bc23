//! Random core programs, lawful by construction.
//!
//! Sizes fit, indices are in bounds, divisors are not zero, operators are associative, chunks may be
//! cut anywhere, nothing is used after it was consumed, every loop ends; only what an `assert` checks
//! may be otherwise, and then the program fails. A program is a few functions that call each other
//! and `main`, which has scalars and arrays of several types, of a size `n` that is at least 1 and a
//! size `z` that may be 0.
//!
//! Each family of statements has its file; this one is the table of what there is. The numbers in it
//! are weights, tuned until every rule of the optimiser fires often enough.

mod across;
mod arrays;
mod calls;
mod chains;
mod control;
mod filters;
mod idioms;
mod known;
mod nests;
mod operators;
mod reads;
mod scalars;
mod screma;
mod slots;
mod steps;
mod streams;
mod turns;

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::PrimType;

use crate::choices::Choices;
use calls::Callable;
use known::{Known, Memory, Size};
use slots::Slot;

/// How deeply bodies nest.
const MOST_DEPTH: usize = 3;

/// Which programs are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Whether results must not hang on how some machine rounds: then there are no floats.
    pub exact: bool,
    /// Whether every check must be needed: then a program fails wherever the interpreter does.
    pub reads: bool,
}

/// The program that these choices make.
pub fn program(choices: Vec<u8>, wishes: Wishes) -> Program {
    let mut writer = Writer::new(Choices::new(choices), wishes);
    if wishes.reads {
        let (main, entry) = writer.reading_main();
        return Program { functions: vec![main], entries: vec![entry] };
    }
    let mut functions: Vec<Function> = (0..writer.choices.below(3)).map(|at| writer.callee(at)).collect();
    let (main, entry) = writer.main();
    functions.push(main);
    Program { functions, entries: vec![entry] }
}

/// Writes a statement of one kind, and what it needs before it. The depth is that of the body.
type Kind = fn(&mut Writer, usize);

/// What can stand anywhere, with its weight.
const SIMPLE: &[(usize, Kind)] = &[
    (6, Writer::operation),
    (2, Writer::comparison),
    (2, Writer::conversion),
    (2, Writer::division),
    (2, Writer::checked),
    (1, Writer::checked_size),
    (1, Writer::parameter),
    (3, Writer::repeated),
    (1, Writer::renamed),
    (4, Writer::element),
    (4, Writer::new_array),
    (6, Writer::view),
    (3, Writer::updated),
    (2, Writer::call),
    (5, Writer::idiom),
];

/// What has bodies of its own.
const NESTED: &[(usize, Kind)] = &[
    (5, Writer::branch),
    (3, Writer::for_loop),
    (1, Writer::while_loop),
    (1, Writer::growing_loop),
    (7, Writer::stepping_loop),
    (3, Writer::stepping_points),
    (2, Writer::turning_loop),
    (18, Writer::screma),
    (18, Writer::chain),
    (4, Writer::beside),
    (5, Writer::nest),
    (1, Writer::across),
    (1, Writer::scans),
    (3, Writer::filter),
    (2, Writer::kept_positions),
    (3, Writer::stream),
    (2, Writer::streams),
];

fn long() -> Type {
    Type::scalar(PrimType::I64)
}

fn boolean() -> Type {
    Type::scalar(PrimType::Bool)
}

fn message(text: &str) -> ErrorMessage {
    ErrorMessage { parts: vec![ErrorPart::Text(text.to_owned())], path: None }
}

/// Writes one function after the other.
struct Writer {
    b: Builder,
    choices: Choices,
    wishes: Wishes,
    known: Known,
    memory: Memory,
    /// The functions so far.
    callables: Vec<Callable>,
}

impl Writer {
    fn new(choices: Choices, wishes: Wishes) -> Writer {
        Writer {
            b: Builder::new(),
            choices,
            wishes,
            known: Known::default(),
            memory: Memory::default(),
            callables: Vec::new(),
        }
    }

    /// Writes up to so many statements.
    fn statements(&mut self, depth: usize, most: usize) {
        for _ in 0..self.choices.below(most + 1) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let nested = if depth < MOST_DEPTH { NESTED } else { &[] };
        let kinds = SIMPLE.iter().chain(nested);
        let mut left = self.choices.below(kinds.clone().map(|(weight, _)| weight).sum());
        for &(weight, kind) in kinds {
            if left < weight {
                return kind(self, depth);
            }
            left -= weight;
        }
    }

    /// Begins a function with sizes of these names, of which the first is at least 1.
    fn begin(&mut self, sizes: &[&str]) -> Vec<Param> {
        self.b = Builder::new();
        self.memory = Memory::default();
        self.known = Known { palette: self.palette(), ..Known::default() };
        let param =
            |name: &&str| Param { var: self.b.fresh(Some(Symbol::new(name)), long()), consumed: false };
        let params: Vec<Param> = sizes.iter().map(param).collect();
        for (index, param) in params.iter().enumerate() {
            let atom = Atom::Var(param.var);
            self.known.scalars.push(atom);
            self.known.sizes.insert(0, Size { atom, positive: index == 0 });
        }
        params
    }

    /// A parameter of the function, which it may consume.
    fn param(&mut self, ty: Type) -> Param {
        let var = self.b.fresh(None, ty.clone());
        let consumed = !ty.is_scalar() && self.choices.below(2) == 1;
        if ty.is_scalar() {
            self.known.scalars.push(Atom::Var(var));
        } else {
            self.lies_alone(var);
            if !consumed {
                self.known.own.remove(&var);
            }
        }
        Param { var, consumed }
    }

    /// The function `main`, and how it is called from outside.
    fn main(&mut self) -> (Function, Entry) {
        let sizes = self.begin(&["n", "z"]);
        let [n, z] = [0, 1].map(|at: usize| Atom::Var(sizes[at].var));
        let three = Atom::i64(3);
        let mut shapes = vec![vec![], vec![], vec![z], vec![n]];
        let further = [vec![n], vec![n, n], vec![n, three], vec![z, n], vec![three], vec![]];
        for _ in 0..self.choices.below(5) {
            shapes.push(further[self.choices.below(further.len())].clone());
        }
        let mut params: Vec<Param> = Vec::new();
        for shape in shapes {
            let ty = Type::array(self.prim(), shape);
            params.push(self.param(ty));
        }
        params.push(self.param(boolean()));
        self.statements(0, 16);
        let mut slots = Vec::new();
        for _ in 0..=1 + self.choices.below(3) {
            let array = self.pick_end();
            let ty = self.b.vars()[array].ty.clone();
            let is_known =
                |size: &Atom| size.var().is_none_or(|var| sizes.iter().any(|param| param.var == var));
            slots.push(match ty.shape.iter().all(is_known) {
                true => Slot::Array(ty),
                false => Slot::Sized(ty.elem),
            });
            let scalar = self.near_scalar();
            slots.push(Slot::Scalar(self.b.type_of(scalar).elem));
        }
        let result = self.fill(&slots);
        let all: Vec<Param> = sizes.into_iter().chain(params.iter().copied()).collect();
        let main = self.finish(Symbol::new("main"), all, &slots, result, false);
        let entry = self.entry(&main, &params);
        (main, entry)
    }

    /// How a function with these parameters is called from outside.
    fn entry(&self, main: &Function, params: &[Param]) -> Entry {
        let value = |var: Var, unique: bool| EntryValue { name: None, var, unique, constructors: None };
        Entry {
            name: main.name,
            function: main.name,
            params: params.iter().map(|param| value(param.var, param.consumed)).collect(),
            results: main.results.iter().map(|&var| value(var, false)).collect(),
        }
    }

    /// Ends a function whose results are these.
    fn finish(
        &mut self,
        name: Symbol,
        params: Vec<Param>,
        slots: &[Slot],
        result: Vec<Atom>,
        noinline: bool,
    ) -> Function {
        let results = self.binders(slots);
        std::mem::take(&mut self.b).function(name, params, results, result, noinline)
    }
}
