//! The state of lowering one function.

use ravel_base::{CallPath, Diagnostic, Limitation, Span, Symbol};
use ravel_core::{Atom, Body, Builder, Lambda, Origin, Stm, Type, Var};
use ravel_prim::{BinOp, PrimType};
use ravel_types::tast::ValueId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::dependence::{Checks, Dependences};
use crate::errors::limitation;
use crate::program::Program;
use crate::value::Value;

/// The result of lowering. A diagnostic ends the lowering of the current entry point.
pub(crate) type Lowered<T> = Result<T, Box<Diagnostic>>;

/// The maximum nesting depth of calls. Recursion stays far below it, since a recursive call usually has a known form.
const DEPTH_LIMIT: usize = 1000;

/// The greatest number of inlined calls in one core function.
const CALL_LIMIT: usize = 100_000;

/// A computation of an i64 whose result a scope reuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Computation {
    /// `a op b`.
    Binary(BinOp, Atom, Atom),
    /// A tuning parameter with its default.
    Param(Symbol, i64),
    /// A call of the definition that computes a size.
    Size(ValueId, Vec<Atom>),
    /// A copy that depends on these checks.
    Dependent(Atom, Checks),
}

/// The state of lowering one function of core IR: an entry point, or a function shared by calls.
pub(crate) struct Lowering<'p, 'a> {
    /// The state of the whole program.
    pub program: &'p Program<'p, 'a>,
    /// The code generated so far.
    pub builder: Builder,
    /// The innermost place of the user's program that is being lowered.
    pub span: Span,
    /// The innermost inlined call of a user's function that contains this place, with the calls that lead there.
    caller: Option<CallPath>,
    /// The path for failures and calls if it is not that of the current place: the definition that computes a size was
    /// generated for an equal size at another place.
    path_of_size: Option<CallPath>,
    /// The attributes of the expression that is being lowered.
    attributes: Vec<Symbol>,
    /// The attributes of the next expression.
    pub pending: Vec<Symbol>,
    /// Whether this is inside `#[unsafe]`: compiled code assumes that the checks of bounds and sizes hold, and
    /// assertions are omitted.
    pub unsafely: bool,
    /// Whether this is inside `#[warn(safety_checks)]`.
    pub shows_checks: bool,
    /// The constants evaluated so far.
    pub constants: FxHashMap<ValueId, Value<'a>>,
    /// The statements that compute the constants.
    prologue: Vec<Stm>,
    /// The variables bound in the prologue.
    prologue_vars: FxHashSet<Var>,
    /// The scopes of the statement lists that contain the current place, outermost first.
    scopes: Vec<Scope>,
    /// Sizes of existing arrays, which are not negative.
    naturals: FxHashSet<Var>,
    /// For each size that is the result of a check: the number that was checked.
    unchecked: FxHashMap<Var, Atom>,
    /// The checks on which the values so far depend.
    pub dependences: Dependences,
    /// The results of assertions that were inserted as preconditions.
    pub preceded: FxHashSet<Var>,
    /// The number of calls that contain the current place.
    depth: usize,
    /// The number of calls so far.
    calls: usize,
}

/// The computations of one statement list that later statements reuse.
#[derive(Default)]
struct Scope {
    /// The i64 arithmetic done so far.
    computed: FxHashMap<Computation, Atom>,
    /// For each number that was checked to be a size: the result of the check.
    checked: FxHashMap<Atom, Atom>,
}

impl<'p, 'a> Lowering<'p, 'a> {
    pub fn new(program: &'p Program<'p, 'a>, span: Span) -> Self {
        Lowering {
            program,
            builder: Builder::new(),
            span,
            caller: None,
            path_of_size: None,
            attributes: Vec::new(),
            pending: Vec::new(),
            unsafely: false,
            shows_checks: false,
            constants: FxHashMap::default(),
            prologue: Vec::new(),
            prologue_vars: FxHashSet::default(),
            scopes: vec![Scope::default()],
            naturals: FxHashSet::default(),
            unchecked: FxHashMap::default(),
            dependences: Dependences::default(),
            preceded: FxHashSet::default(),
            depth: 0,
            calls: 0,
        }
    }

    /// The state for lowering a function at `span` that is called here.
    pub fn inside(&self, span: Span) -> Self {
        let mut inside =
            Lowering { depth: self.depth, unsafely: self.unsafely, ..Lowering::new(self.program, span) };
        inside.set_span(span);
        inside
    }

    /// Sets the place of the following statements to `span`, with the pending attributes, if `span` is
    /// in the user's program.
    pub fn enter_span(&mut self, span: Span) {
        if self.program.is_user(span) {
            let attributes = std::mem::take(&mut self.pending);
            self.set_place((span, attributes));
        }
    }

    /// The current place, with the attributes that hold there.
    pub fn place(&self) -> (Span, Vec<Symbol>) {
        (self.span, self.attributes.clone())
    }

    /// Sets the place of the following statements.
    pub fn set_place(&mut self, (span, attributes): (Span, Vec<Symbol>)) {
        self.span = span;
        self.attributes = attributes;
        self.update_origin();
    }

    /// The innermost inlined call that contains the following statements.
    pub fn caller(&self) -> Option<CallPath> {
        self.caller
    }

    /// Sets the innermost inlined call that contains the following statements. Returns the one before.
    pub fn set_caller(&mut self, caller: Option<CallPath>) -> Option<CallPath> {
        let before = std::mem::replace(&mut self.caller, caller);
        self.update_origin();
        before
    }

    fn update_origin(&mut self) {
        self.builder
            .set_origin(Origin { attributes: self.attributes.clone(), ..Origin::on(self.own_path()) });
    }

    fn own_path(&self) -> CallPath {
        CallPath::new(self.span, self.caller)
    }

    /// The current place and the calls that lead there; for the code of a size that was first written elsewhere, the
    /// place where the size is used.
    pub fn path(&self) -> CallPath {
        self.path_of_size.unwrap_or_else(|| self.own_path())
    }

    /// Whether the code of a size is being lowered that was first written elsewhere.
    pub fn is_in_distant_size(&self) -> bool {
        self.path_of_size.is_some()
    }

    /// Sets the path for failures and calls; `None` for that of the current place. Returns the one before.
    pub fn set_path_of_size(&mut self, path: Option<CallPath>) -> Option<CallPath> {
        std::mem::replace(&mut self.path_of_size, path)
    }

    /// Sets the place of the following statements, without attributes.
    pub fn set_span(&mut self, span: Span) {
        self.set_place((span, Vec::new()));
    }

    /// Enters a call; fails beyond the limits.
    pub fn enter_call(&mut self) -> Lowered<()> {
        self.depth += 1;
        self.calls += 1;
        if self.depth > DEPTH_LIMIT || self.calls > CALL_LIMIT {
            return Err(limitation(Limitation::CodeSize, self.span));
        }
        Ok(())
    }

    /// Leaves a call.
    pub fn leave_call(&mut self) {
        self.depth -= 1;
    }

    /// Opens a nested list of statements.
    pub fn open(&mut self) {
        self.builder.begin();
        self.scopes.push(Scope::default());
    }

    /// Reopens a closed list.
    pub fn reopen(&mut self, body: Body) {
        self.open();
        for stm in body.stms {
            self.builder.push(stm);
        }
    }

    /// Closes the innermost list.
    pub fn close(&mut self, result: Vec<Atom>) -> Body {
        self.scopes.pop();
        self.builder.end(result)
    }

    /// Closes the innermost list into a lambda.
    pub fn close_lambda(&mut self, params: Vec<Var>, result: Vec<Atom>) -> Lambda {
        Lambda { params, body: self.close(result) }
    }

    /// Adds statements before the function's code.
    pub fn in_prologue<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let scopes = std::mem::take(&mut self.scopes);
        self.open();
        let value = write(self);
        let body = self.close(Vec::new());
        self.scopes = scopes;
        self.prologue_vars.extend(body.stms.iter().flat_map(|stm| stm.binders.iter().copied()));
        self.prologue.extend(body.stms);
        value
    }

    /// Removes and returns the statements before the function's code.
    pub fn take_prologue(&mut self) -> Vec<Stm> {
        std::mem::take(&mut self.prologue)
    }

    /// A variable for the size of some array.
    pub fn fresh_size(&mut self) -> Var {
        let size = self.builder.fresh(None, Type::scalar(PrimType::I64));
        self.naturals.insert(size);
        size
    }

    /// Records that the atom cannot be negative.
    pub fn note_natural(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.naturals.insert(var);
        }
    }

    /// Whether the atom is known not to be negative.
    pub fn is_natural(&self, atom: Atom) -> bool {
        match atom {
            Atom::Var(var) => self.naturals.contains(&var),
            Atom::Const(value) => value.as_i64().is_some_and(|value| value >= 0),
        }
    }

    /// A mark by which [`Lowering::defined_before`] recognises the variables that exist now.
    pub fn mark(&self) -> usize {
        self.builder.vars().len()
    }

    /// Whether the atom existed at the mark, or is a constant of the program.
    pub fn defined_before(&self, atom: Atom, mark: usize) -> bool {
        match atom {
            Atom::Var(var) => (var.0 as usize) < mark || self.prologue_vars.contains(&var),
            Atom::Const(_) => true,
        }
    }

    /// The variable in scope that holds the result of this computation, if any.
    pub fn computed(&self, computation: &Computation) -> Option<Atom> {
        self.scopes.iter().rev().find_map(|scope| scope.computed.get(computation).copied())
    }

    /// Records the result of a computation.
    pub fn remember(&mut self, computation: Computation, result: Atom) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.computed.insert(computation, result);
        }
    }

    /// Records that the number is known not to be negative, such as a count.
    pub fn trust(&mut self, number: Atom) {
        self.naturals.extend(number.var());
    }

    /// The result of a check in scope that the number is a size, or the number if there is none.
    pub fn checked(&self, number: Atom) -> Atom {
        self.scopes.iter().rev().find_map(|scope| scope.checked.get(&number).copied()).unwrap_or(number)
    }

    /// Records that `size` is the result of a check that `number` is a size.
    pub fn remember_checked(&mut self, number: Atom, size: Atom) {
        if let Atom::Var(var) = size {
            self.naturals.insert(var);
            self.unchecked.insert(var, number);
        }
        let original = self.original(number);
        if let Some(scope) = self.scopes.last_mut() {
            scope.checked.insert(number, size);
            scope.checked.insert(original, size);
        }
    }

    /// Records that this size equals the number, which is therefore a size.
    pub fn equate(&mut self, number: Atom, size: Var) {
        let number = self.checked(number);
        if self.is_natural(number) {
            self.unchecked.insert(size, number);
        } else {
            self.remember_checked(number, Atom::Var(size));
        }
    }

    /// Visits the statements that were added since the last time.
    pub fn update_dependences(&mut self) {
        let lists = [self.prologue.as_slice()].into_iter().chain(self.builder.lists());
        lists.for_each(|list| self.dependences.update(list));
    }

    /// The dependences of the complete function.
    pub fn finish_dependences(&mut self) -> Dependences {
        if !self.dependences.copies.is_empty() {
            self.update_dependences();
        }
        std::mem::take(&mut self.dependences)
    }

    /// Records that the copy is this number. If the number is a size, the copy is one too, and a check of the copy counts
    /// for the number.
    pub fn equate_copy(&mut self, number: Atom, copy: Atom) {
        let Atom::Var(copy) = copy else { return };
        self.unchecked.insert(copy, number);
        if self.is_natural(number) {
            self.naturals.insert(copy);
        }
    }

    /// The number of which the atom is a copy that depends on further checks, or the atom.
    pub fn original(&self, atom: Atom) -> Atom {
        let copied = atom.var().filter(|var| self.dependences.copies.contains_key(var));
        copied.and_then(|copy| self.unchecked.get(&copy).copied()).unwrap_or(atom)
    }

    /// Whether these are the same number, apart from checks that either has passed.
    pub fn is_same(&self, a: Atom, b: Atom) -> bool {
        self.before_checks(a) == self.before_checks(b)
    }

    fn before_checks(&self, mut atom: Atom) -> Atom {
        while let Some(&before) = atom.var().and_then(|var| self.unchecked.get(&var))
            && before != atom
        {
            atom = before;
        }
        atom
    }
}
