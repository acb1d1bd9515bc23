//! The state of the translation ([`Cx`]), and bodies under construction ([`Scope`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use ravel_base::{Diagnostic, IdMap, Limitation, Symbol};
use ravel_core as core;
use ravel_core::alias::{Aliases, Summaries};
use ravel_kernel::*;
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use super::level::CodeLevel;
use crate::arithmetic::{Arithmetic, Known, ZERO};
use crate::steps::scalar_type;

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
    pub order: Order,
    /// The body that allocated the memory for this array alone, if known.
    pub owner: Option<u32>,
    /// If there is a condition, the array is row-major from position 0 of its block where the condition is false.
    pub laid_out_if: Option<Atom>,
}

/// The order of the elements of an array in memory.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Whether the elements are row-major without gaps.
    pub is_contiguous: bool,
    /// For each dimension but the last, whether the distance of its neighbours is that of a whole row of the next dimension. So
    /// the two dimensions could be one.
    pub joins: Vec<bool>,
}

impl Order {
    /// Row-major without gaps.
    pub fn row_major(rank: usize) -> Order {
        Order { is_contiguous: true, joins: vec![true; rank.saturating_sub(1)] }
    }

    /// Whether the elements are row-major, with gaps of one size between them.
    pub fn is_even(&self) -> bool {
        self.joins.iter().all(|&joined| joined)
    }
}

impl Array {
    /// Whether it is row-major from position 0 of its block.
    pub fn is_whole(&self) -> bool {
        self.order.is_contiguous && self.view.offset == ZERO
    }

    /// Whether two arrays of one shape have the same elements in the same order.
    pub fn is_same(&self, other: &Array) -> bool {
        let (a, b) = (&self.view, &other.view);
        let same_strides = a.strides == b.strides || (self.order.is_contiguous && other.order.is_contiguous);
        a.block == b.block && a.offset == b.offset && same_strides
    }
}

/// The messages and functions that the code generated so far needs.
#[derive(Default)]
pub(super) struct Demands {
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
    pub demands: &'p mut Demands,
    /// The variables created so far.
    pub vars: VarTable,
    /// The translations of the core variables.
    pub values: FxHashMap<core::Var, Value>,
    /// The values of tuning parameters, by name and default.
    pub parameters: FxHashMap<(Symbol, i64), Atom>,
    /// The destinations of arrays ([`super::destinations`]).
    pub dests: FxHashMap<core::Var, Array>,
    /// The results of segments that lie in memory as a later statement requests.
    pub laid_out: FxHashSet<core::Var>,
    /// For each block of host level, the allocations and parameters that it may be.
    pub roots: FxHashMap<Var, BTreeSet<Var>>,
    /// The definitions of the scalars of threads and workgroups.
    pub definitions: FxHashMap<Var, ScalarExp>,
    /// The constant blocks that the workgroup under construction reads.
    pub constants: Vec<(Var, Vec<PrimValue>)>,
    /// The origin of the core statement under translation.
    pub origin: Arc<Origin>,
    /// The results of arithmetic in scope.
    pub known: Known,
    bodies: u32,
}

impl<'p> Cx<'p> {
    pub fn new(
        target: &'p Target,
        function: &'p core::Function,
        uses: &'p core::Uses,
        aliases: &'p Aliases,
        summaries: &'p Summaries,
        demands: &'p mut Demands,
    ) -> Cx<'p> {
        Cx {
            target,
            function,
            uses,
            aliases,
            summaries,
            demands,
            vars: IdMap::new(),
            values: FxHashMap::default(),
            parameters: FxHashMap::default(),
            dests: FxHashMap::default(),
            laid_out: FxHashSet::default(),
            roots: FxHashMap::default(),
            definitions: FxHashMap::default(),
            constants: Vec::new(),
            origin: Arc::default(),
            known: Known::default(),
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
        scalar_type(atom, &self.vars)
    }

    /// The allocations and parameters that a block may be.
    pub fn roots_of(&self, block: Var) -> BTreeSet<Var> {
        self.roots.get(&block).cloned().unwrap_or_else(|| BTreeSet::from([block]))
    }

    /// The number of a message.
    pub fn message(&mut self, message: Message) -> MessageId {
        let Demands { messages, known, .. } = &mut *self.demands;
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
        self.cx.vars.push(VarInfo { hint, ty: Type::Scalar(ty) })
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

    /// A new block variable, not yet bound.
    pub fn fresh_block(&mut self, hint: Option<Symbol>, elem: PrimType, space: Space) -> Var {
        let block = BlockType { elem, space };
        self.cx.vars.push(VarInfo { hint, ty: Type::Block(block) })
    }

    /// Binds a scalar.
    pub fn scalar(&mut self, hint: Option<Symbol>, ty: PrimType, exp: ScalarExp) -> Atom {
        let var = self.fresh(hint, ty);
        if L::NAME != LevelName::Host {
            self.cx.definitions.insert(var, exp.clone());
        }
        self.push(Stm::Let { var, exp });
        Atom::Var(var)
    }

    /// Names a view.
    pub fn name(&mut self, hint: Option<Symbol>, view: View, order: Order) -> Array {
        let name = self.cx.vars.push(VarInfo { hint, ty: Type::Array(view.clone()) });
        self.push(Stm::View(name));
        Array { name, view, order, owner: None, laid_out_if: None }
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

impl<L: CodeLevel> Arithmetic for Scope<'_, '_, L> {
    fn bind_scalar(&mut self, hint: Option<Symbol>, ty: PrimType, exp: ScalarExp) -> Atom {
        self.scalar(hint, ty, exp)
    }

    fn known(&mut self) -> &mut Known {
        &mut self.cx.known
    }
}
