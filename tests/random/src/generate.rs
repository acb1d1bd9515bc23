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

mod arrays;
mod branch_fusion;
mod calls;
mod chains;
mod control;
mod filters;
mod idioms;
mod needed_checks;
mod needed_rows;
mod nested_maps;
mod operators;
mod results;
mod rotating_loops;
mod scalars;
mod scope;
mod screma;
mod streams;
mod time_steps;

use ravel_base::{Origin, Symbol};
use ravel_core::*;
use ravel_prim::PrimType;

use crate::choices::Choices;
use calls::Callable;
use results::ResultKind;
use scope::{Memory, Scope, Size};

/// The maximum nesting depth of bodies.
const MAX_DEPTH: usize = 3;

/// The options of the generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramOptions {
    /// Whether the results must be the same on every machine. Machines round differently, so such programs have no floats.
    pub exact: bool,
    /// Whether every check must be needed. If such a program fails in the interpreter, it must fail after every pass.
    pub needs_checks: bool,
    /// Whether `main` consists of maps whose points compute arrays, as workgroups can.
    pub computes_arrays: bool,
    /// Whether the points of the maps of `main` have arrays of their own width.
    pub own_widths: bool,
}

/// The program that these choices determine.
pub fn program(choices: Vec<u8>, options: ProgramOptions) -> Program {
    let mut writer = Writer::new(Choices::new(choices), options);
    if options.needs_checks {
        let (main, entry) = writer.main_with_needed_checks();
        return Program { functions: vec![main], entries: vec![entry] };
    }
    let most = if options.computes_arrays || options.own_widths { 0 } else { 2 };
    let mut functions: Vec<Function> =
        (0..writer.choices.below(most + 1)).map(|at| writer.callee(at)).collect();
    let (main, entry) = writer.main();
    functions.push(main);
    Program { functions, entries: vec![entry] }
}

/// Writes a statement of one kind, after the statements that it depends on. The argument is the nesting depth of the body.
type StatementWriter = fn(&mut Writer, usize);

/// The statements that are allowed at every depth, with their weights.
const SIMPLE: &[(usize, StatementWriter)] = &[
    (6, Writer::operation),
    (2, Writer::comparison),
    (2, Writer::conversion),
    (2, Writer::division),
    (2, Writer::assertion),
    (1, Writer::size_assertion),
    (1, Writer::parameter),
    (3, Writer::repetition),
    (1, Writer::renaming),
    (4, Writer::element),
    (4, Writer::new_array),
    (6, Writer::view),
    (3, Writer::update),
    (2, Writer::call),
    (5, Writer::idiom),
];

/// The statements with bodies of their own, with their weights. The maximum depth allows none of them.
const NESTED: &[(usize, StatementWriter)] = &[
    (5, Writer::branch),
    (3, Writer::for_loop),
    (1, Writer::while_loop),
    (1, Writer::growing_loop),
    (7, Writer::time_loop),
    (3, Writer::time_loop_per_point),
    (2, Writer::rotating_loop),
    (18, Writer::screma),
    (18, Writer::chain),
    (4, Writer::side_by_side),
    (5, Writer::nested_map),
    (3, Writer::nested_maps_per_point),
    (1, Writer::branch_fusion),
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
    options: ProgramOptions,
    scope: Scope,
    memory: Memory,
    /// The functions so far.
    callables: Vec<Callable>,
}

impl Writer {
    fn new(choices: Choices, options: ProgramOptions) -> Writer {
        Writer {
            b: Builder::new(),
            choices,
            options,
            scope: Scope::default(),
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
        let nested = if depth < MAX_DEPTH { NESTED } else { &[] };
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
        self.scope = Scope { palette: self.palette(), ..Scope::default() };
        let param =
            |name: &&str| Param { var: self.b.fresh(Some(Symbol::new(name)), long()), consumed: false };
        let params: Vec<Param> = sizes.iter().map(param).collect();
        for (index, param) in params.iter().enumerate() {
            let atom = Atom::Var(param.var);
            self.scope.scalars.push(atom);
            self.scope.sizes.insert(0, Size { atom, positive: index == 0 });
        }
        params
    }

    /// A parameter of the function, which it may consume.
    fn param(&mut self, ty: Type) -> Param {
        let var = self.b.fresh(None, ty.clone());
        let consumed = !ty.is_scalar() && self.choices.below(2) == 1;
        if ty.is_scalar() {
            self.scope.scalars.push(Atom::Var(var));
        } else {
            self.add_fresh_array(var);
            if !consumed {
                self.scope.consumable.remove(&var);
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
        if self.options.own_widths {
            (0..=self.choices.below(2)).for_each(|_| self.irregular_nest(0));
        } else if self.options.computes_arrays {
            (0..=self.choices.below(3)).for_each(|_| self.nested_maps_per_point(0));
        } else {
            self.statements(0, 16);
        }
        let mut kinds = Vec::new();
        for _ in 0..=1 + self.choices.below(3) {
            let array = self.pick_chain_end();
            let ty = self.b.vars()[array].ty.clone();
            let is_known =
                |size: &Atom| size.var().is_none_or(|var| sizes.iter().any(|param| param.var == var));
            kinds.push(match ty.shape.iter().all(is_known) {
                true => ResultKind::Array(ty),
                false => ResultKind::Sized(ty.elem),
            });
            let scalar = self.recent_scalar();
            kinds.push(ResultKind::Scalar(self.b.type_of(scalar).elem));
        }
        let result = self.result_values(&kinds);
        let all: Vec<Param> = sizes.into_iter().chain(params.iter().copied()).collect();
        let main = self.finish(Symbol::new("main"), all, &kinds, result, false);
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
            origin: Origin::default(),
        }
    }

    /// Finishes a function with these results.
    fn finish(
        &mut self,
        name: Symbol,
        params: Vec<Param>,
        kinds: &[ResultKind],
        result: Vec<Atom>,
        noinline: bool,
    ) -> Function {
        let results = self.binders(kinds);
        std::mem::take(&mut self.b).function(name, params, results, result, noinline)
    }
}
