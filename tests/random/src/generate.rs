//! Random core programs, valid by construction.
//!
//! Sizes match, indices are in bounds, divisors are not zero, operators are associative, streams may be
//! cut into chunks anywhere, no value is used after it is consumed, and every loop ends. Only a condition that an
//! `assert` checks may be false, and then the program fails. A program consists of `main` and a few functions that call
//! each other. The parameters of `main` are scalars and arrays of several types. The sizes of arrays are `n`, which is
//! at least 1, `z`, which may be 0, and constants.
//!
//! Each family of statements has its own file. The tables in this file list all statements with their
//! weights, which were tuned until every rule of the optimiser fires often enough.

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

/// The maximum nesting depth of bodies.
const MOST_DEPTH: usize = 3;

/// The kind of programs to generate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Whether the results must be the same on every machine. Machines round differently, so such programs have no floats.
    pub exact: bool,
    /// Whether every check must be needed (`reads`). Such a program must fail after every pass if it fails in the
    /// interpreter.
    pub reads: bool,
}

/// The program that these choices determine.
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

/// Writes a statement of one kind, after the statements that it depends on. The argument is the nesting depth of the body.
type Kind = fn(&mut Writer, usize);

/// The statements that are allowed at every depth, with their weights.
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

/// The statements with bodies of their own, with their weights. The maximum depth allows none of them.
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

/// Writes the functions of a program, one after the other.
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

    /// Writes at most `most` statements.
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

    /// Begins a function whose first parameters are sizes with these names. The first size is at least 1.
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

    /// The function `main` and its entry point.
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

    /// The entry point of `main`, which has these parameters after the sizes.
    fn entry(&self, main: &Function, params: &[Param]) -> Entry {
        let value = |var: Var, unique: bool| EntryValue { name: None, var, unique, constructors: None };
        Entry {
            name: main.name,
            function: main.name,
            params: params.iter().map(|param| value(param.var, param.consumed)).collect(),
            results: main.results.iter().map(|&var| value(var, false)).collect(),
        }
    }

    /// Finishes a function with these results.
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
