//! The state of the translation ([`Cx`]), and bodies under construction ([`Scope`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use ravel_base::{Diagnostic, IdMap, Limitation, Symbol};
use ravel_core as core;
use ravel_core::alias::{Aliases, Summaries};
use ravel_kernel::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use rustc_hash::FxHashMap;

use super::level::CodeLevel;
use super::segment::Inside;

/// The result of a translation step.
pub(super) type Result<T = (), E = Diagnostic> = std::result::Result<T, E>;

/// The translation of a core variable.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Atom),
    Array(Array),
}

/// An array: a view that has a name.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub name: Var,
    pub view: View,
    /// The distance of neighbouring elements, if they are row-major at equal distances: 1 without gaps.
    pub step: Option<Atom>,
    /// The body that allocated the memory for this array alone, if known.
    pub owner: Option<u32>,
}

impl Array {
    /// Whether it is row-major from position 0 of its block.
    pub fn is_whole(&self) -> bool {
        self.is_contiguous() && self.view.offset == Atom::i64(0)
    }

    /// Whether its elements are row-major without gaps.
    pub fn is_contiguous(&self) -> bool {
        self.step == Some(ONE)
    }

    /// Whether two arrays of one shape have the same elements in the same order.
    pub fn is_same(&self, other: &Array) -> bool {
        let (a, b) = (&self.view, &other.view);
        let same_strides = a.strides == b.strides || (self.step.is_some() && self.step == other.step);
        a.block == b.block && a.offset == b.offset && same_strides
    }
}

/// A piece of i64 arithmetic: operator (none for the saturating product), operands, result.
pub(super) type Arithmetic = (Option<BinOp>, Atom, Atom, Atom);

/// The messages and functions that the code generated so far needs.
#[derive(Default)]
pub(super) struct Needs {
    pub messages: IdMap<MessageId, Message>,
    /// The numbers of these.
    known: FxHashMap<Message, MessageId>,
    /// The functions that the host calls.
    pub host_functions: Vec<Symbol>,
    /// The functions that threads call.
    pub thread_functions: Vec<Symbol>,
}

/// The state of the translation of one entry point or function.
pub(super) struct Cx<'p> {
    pub target: &'p Target,
    pub function: &'p core::Function,
    pub uses: &'p core::Uses,
    pub aliases: &'p Aliases,
    pub summaries: &'p Summaries,
    pub needs: &'p mut Needs,
    /// The variables created so far.
    pub vars: VarTable,
    /// The translations of the core variables.
    pub values: FxHashMap<core::Var, Value>,
    /// The values of tuning parameters, by name and default.
    pub parameters: FxHashMap<(Symbol, i64), Atom>,
    /// The destinations of arrays ([`super::destinations`]).
    pub dests: FxHashMap<core::Var, Array>,
    /// For each block of host level, the allocations and parameters that it may be.
    pub roots: FxHashMap<Var, BTreeSet<Var>>,
    /// The segment under construction.
    pub inside: Option<Inside>,
    /// The origin of the core statement under translation.
    pub origin: Arc<Origin>,
    /// Index arithmetic in scope, innermost last.
    pub known: Vec<Arithmetic>,
    bodies: u32,
}

impl<'p> Cx<'p> {
    pub fn new(
        target: &'p Target,
        function: &'p core::Function,
        uses: &'p core::Uses,
        aliases: &'p Aliases,
        summaries: &'p Summaries,
        needs: &'p mut Needs,
    ) -> Cx<'p> {
        Cx {
            target,
            function,
            uses,
            aliases,
            summaries,
            needs,
            vars: IdMap::new(),
            values: FxHashMap::default(),
            parameters: FxHashMap::default(),
            dests: FxHashMap::default(),
            roots: FxHashMap::default(),
            inside: None,
            origin: Arc::default(),
            known: Vec::new(),
            bodies: 0,
        }
    }

    /// Builds a body; returns its statements and the result of `write`.
    pub fn body<L: CodeLevel, T>(
        &mut self,
        write: impl FnOnce(&mut Scope<'_, 'p, L>) -> Result<T>,
    ) -> Result<(Vec<Step<L>>, T)> {
        let known = self.known.len();
        self.bodies += 1;
        let mut scope = Scope { body: self.bodies, cx: self, stms: Vec::new() };
        let made = write(&mut scope)?;
        let stms = scope.stms;
        self.known.truncate(known);
        Ok((stms, made))
    }

    /// The hint of a core variable.
    pub fn hint(&self, var: core::Var) -> Option<Symbol> {
        self.function.vars[var].hint
    }

    /// The type of a core variable.
    pub fn ty(&self, var: core::Var) -> &'p core::Type {
        &self.function.vars[var].ty
    }

    /// The translation of an atom.
    pub fn value(&self, atom: core::Atom) -> Result<Value> {
        match atom {
            core::Atom::Const(value) => Ok(Value::Scalar(Atom::Const(value))),
            core::Atom::Var(var) => match self.values.get(&var) {
                Some(value) => Ok(value.clone()),
                None => Err(Diagnostic::bug(format!("kernelise: {var} has no value"))),
            },
        }
    }

    /// The translation of a scalar.
    pub fn atom(&self, atom: core::Atom) -> Result<Atom> {
        scalar(self.value(atom)?)
    }

    pub fn atoms(&self, atoms: &[core::Atom]) -> Result<Vec<Atom>> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    /// The translation of an array.
    pub fn array(&self, var: core::Var) -> Result<Array> {
        array(self.value(core::Atom::Var(var))?)
    }

    /// The sizes of a type.
    pub fn shape(&self, ty: &core::Type) -> Result<Vec<Atom>> {
        self.atoms(&ty.shape)
    }

    /// The type of a scalar.
    pub fn prim(&self, atom: Atom) -> PrimType {
        match atom {
            Atom::Const(value) => value.ty(),
            Atom::Var(var) => match &self.vars[var].ty {
                Type::Scalar(ty) => *ty,
                Type::Block(block) => block.elem,
                Type::Array(view) => view.elem,
            },
        }
    }

    /// The allocations and parameters that a block may be.
    pub fn roots_of(&self, block: Var) -> BTreeSet<Var> {
        self.roots.get(&block).cloned().unwrap_or_else(|| BTreeSet::from([block]))
    }

    /// The number of a message.
    pub fn message(&mut self, message: Message) -> MessageId {
        let Needs { messages, known, .. } = &mut *self.needs;
        *known.entry(message).or_insert_with_key(|message| messages.push(message.clone()))
    }

    /// A limitation, at the current statement.
    pub fn limitation<T>(&self, limitation: Limitation) -> Result<T> {
        Err(Diagnostic::limitation(limitation, self.origin.place()))
    }
}

/// The scalar, if it is one.
pub(super) fn scalar(value: Value) -> Result<Atom> {
    match value {
        Value::Scalar(atom) => Ok(atom),
        Value::Array(_) => Err(Diagnostic::bug("kernelise: an array where a scalar is needed")),
    }
}

/// The array, if it is one.
pub(super) fn array(value: Value) -> Result<Array> {
    match value {
        Value::Array(array) => Ok(array),
        Value::Scalar(_) => Err(Diagnostic::bug("kernelise: a scalar where an array is needed")),
    }
}

/// A body under construction.
pub(super) struct Scope<'c, 'p, L: Level> {
    pub cx: &'c mut Cx<'p>,
    pub stms: Vec<Step<L>>,
    /// The number of the body.
    pub body: u32,
}

impl<'p, L: CodeLevel> Scope<'_, 'p, L> {
    /// A new scalar variable, not yet bound.
    pub fn fresh(&mut self, hint: Option<Symbol>, ty: PrimType) -> Var {
        let var = self.cx.vars.push(VarInfo { hint, ty: Type::Scalar(ty) });
        self.record_definition(var, None);
        var
    }

    /// A kernel statement of the core statement under translation.
    pub fn step<M: Level>(&self, stm: Stm<M>) -> Step<M> {
        Step::new(&self.cx.origin, stm)
    }

    /// Adds a kernel statement of the core statement under translation.
    pub fn push(&mut self, stm: Stm<L>) {
        let step = self.step(stm);
        self.stms.push(step);
    }

    /// Records the definition of a variable of a segment.
    fn record_definition(&mut self, var: Var, exp: Option<ScalarExp>) {
        if let (true, Some(inside)) = (L::NAME != LevelName::Host, &mut self.cx.inside) {
            inside.defs.insert(var, exp);
        }
    }

    /// A new block variable, not yet bound.
    pub fn fresh_block(&mut self, hint: Option<Symbol>, elem: PrimType, space: Space) -> Var {
        let block = BlockType { elem, space };
        let var = self.cx.vars.push(VarInfo { hint, ty: Type::Block(block) });
        self.record_definition(var, None);
        var
    }

    /// Binds a scalar.
    pub fn scalar(&mut self, hint: Option<Symbol>, ty: PrimType, exp: ScalarExp) -> Atom {
        let var = self.fresh(hint, ty);
        self.record_definition(var, Some(exp.clone()));
        self.push(Stm::Let { var, exp });
        Atom::Var(var)
    }

    /// i64 arithmetic: constants are folded, and results in scope are reused.
    fn arithmetic(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        if let (Atom::Const(a), Atom::Const(b)) = (a, b)
            && let Some(value) = ravel_prim::binary(op, a, b)
        {
            return Atom::Const(value);
        }
        self.reuse_or(Some(op), a, b, |scope| scope.scalar(None, PrimType::I64, ScalarExp::Binary(op, a, b)))
    }

    /// The result of earlier arithmetic in scope.
    pub fn known(&self, op: Option<BinOp>, a: Atom, b: Atom) -> Option<Atom> {
        let known = self.cx.known.iter().rev().find(|known| (known.0, known.1, known.2) == (op, a, b));
        known.map(|&(.., result)| result)
    }

    /// The result of earlier arithmetic in scope, or of `make`.
    fn reuse_or(
        &mut self,
        op: Option<BinOp>,
        a: Atom,
        b: Atom,
        make: impl FnOnce(&mut Self) -> Atom,
    ) -> Atom {
        if let Some(result) = self.known(op, a, b) {
            return result;
        }
        let result = make(self);
        self.cx.known.push((op, a, b, result));
        result
    }

    pub fn add(&mut self, a: Atom, b: Atom) -> Atom {
        match () {
            () if a == ZERO => b,
            () if b == ZERO => a,
            () => self.arithmetic(BinOp::Add, a, b),
        }
    }

    pub fn sub(&mut self, a: Atom, b: Atom) -> Atom {
        if b == ZERO { a } else { self.arithmetic(BinOp::Sub, a, b) }
    }

    pub fn mul(&mut self, a: Atom, b: Atom) -> Atom {
        match () {
            () if a == ONE || b == ZERO => b,
            () if b == ONE || a == ZERO => a,
            () => self.arithmetic(BinOp::Mul, a, b),
        }
    }

    /// The product of two numbers that are not negative, or the greatest i64 if that is less.
    pub fn saturating(&mut self, a: Atom, b: Atom) -> Atom {
        if let (Atom::Const(PrimValue::I64(a)), Atom::Const(PrimValue::I64(b))) = (a, b) {
            return Atom::i64(a.saturating_mul(b));
        }
        let product = self.mul(a, b);
        if [ZERO, a, b].contains(&product) {
            return product;
        }
        // The limit of a constant is a constant.
        let (a, b) = if b.var().is_none() { (b, a) } else { (a, b) };
        self.reuse_or(None, a, b, |scope| {
            let divisor = scope.max(a, ONE);
            let limit = scope.quot(Atom::i64(i64::MAX), divisor);
            let over = scope.scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Lt, limit, b));
            scope.scalar(None, PrimType::I64, ScalarExp::Select(over, Atom::i64(i64::MAX), product))
        })
    }

    pub fn quot(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Quot, a, b)
    }

    /// `a / b`, rounded up: the number of parts of at most `b` points. Not `(a + b - 1) / b`, whose sum overflows for
    /// the largest numbers of points.
    pub fn ceil_div(&mut self, a: Atom, b: Atom) -> Atom {
        let any = self.min(a, ONE);
        let others = self.sub(a, any);
        let full = self.quot(others, b);
        self.add(full, any)
    }

    /// The start of the part with this number, and its number of points. Each part except the last has `most` points.
    pub fn part_range(&mut self, points: Atom, most: Atom, number: Atom) -> (Atom, Atom) {
        let start = self.mul(number, most);
        let rest = self.sub(points, start);
        (start, self.min(rest, most))
    }

    pub fn max(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Max, a, b)
    }

    pub fn min(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Min, a, b)
    }

    /// Whether `0 <= index < size`.
    pub fn in_bounds(&mut self, index: Atom, size: Atom) -> Atom {
        let lower = self.scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, ZERO, index));
        let upper = self.is_less(index, size);
        self.and(lower, upper)
    }

    pub fn is_less(&mut self, a: Atom, b: Atom) -> Atom {
        self.scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Lt, a, b))
    }

    pub fn and(&mut self, a: Atom, b: Atom) -> Atom {
        self.scalar(None, PrimType::Bool, ScalarExp::Binary(BinOp::And, a, b))
    }

    /// Names a view.
    pub fn name(&mut self, hint: Option<Symbol>, view: View, step: Option<Atom>) -> Array {
        let name = self.cx.vars.push(VarInfo { hint, ty: Type::Array(view.clone()) });
        self.record_definition(name, None);
        self.push(Stm::View(name));
        Array { name, view, step, owner: None }
    }

    pub fn load(&mut self, hint: Option<Symbol>, array: &Array, indices: Vec<Atom>) -> Atom {
        let var = self.fresh(hint, array.view.elem);
        self.push(Stm::Load { var, array: array.name, indices });
        Atom::Var(var)
    }

    /// Builds a body at this level.
    pub fn nested<T>(
        &mut self,
        write: impl FnOnce(&mut Scope<'_, 'p, L>) -> Result<T>,
    ) -> Result<(Vec<Step<L>>, T)> {
        self.cx.body(write)
    }

    /// Binds a core variable to its value, in the shape that its type states.
    pub fn bind(&mut self, var: core::Var, value: Value) -> Result {
        let value = match value {
            Value::Scalar(_) => value,
            Value::Array(array) => {
                let shape = self.cx.shape(self.cx.ty(var))?;
                Value::Array(self.with_shape(self.cx.hint(var), array, shape))
            }
        };
        self.cx.values.insert(var, value);
        Ok(())
    }
}

pub(super) const ZERO: Atom = Atom::Const(PrimValue::I64(0));
pub(super) const ONE: Atom = Atom::Const(PrimValue::I64(1));
