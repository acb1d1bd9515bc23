//! The vector form: structured code over the lanes of a strip.
//!
//! * **Lanes are points.** Lane `l` runs the point whose innermost counter is [`Strip::counter`] + `l`. The outer
//!   counters are the same in all lanes. The form does not say how many lanes there are: an emitter chooses.
//! * **A value is uniform or varying.** A uniform value is one scalar. A varying value has one scalar in each lane.
//!   An expression is varying if one of its operands is, except for [`Exp::Any`], [`Exp::Most`], [`Exp::Last`], [`Exp::Ramp`] and
//!   [`Exp::Prefix`].
//! * **Loop-invariant uniform expressions are hoisted out of the strip.** [`Strip::before`] binds them, once for all
//!   strips of a row, in scalar code.
//! * **Control flow is uniform.** Conditions of branches and loops are uniform. Where lanes take different sides, both
//!   sides run, and masks and selects give each lane only the effects of its own side. Where lanes need different
//!   numbers of iterations, the loop runs until the last lane is done, and a lane that is done keeps its values.
//! * **A mask is a bool**, and says in which lanes an access takes place. Elsewhere a load gives zero, and its
//!   position may be any number.
//! * **A strip may fail.** [`Stm::Fail`] ends it; the points of the strip must then run again as scalar code, which
//!   finds out which point failed, or that none did. So a check in a strip may be stricter than the thread's check.
//! * **Small integers are of 32 bits in lanes.** A load extends an element of 8 or 16 bits, and a store drops the upper
//!   bits. Inputs and results have the types of the thread.
//! * **Lanes may combine.** In a reduction, each lane can combine its point with the points that it has run before
//!   ([`Strip::state`]). In a scan, all lanes take what the points before the strip combine to ([`Strip::carry`]).
//! * **Expressions never trap.** A lane that a mask excludes may divide by zero.

use std::collections::BTreeSet;

use ravel_base::{IdMap, Symbol, define_id};
use ravel_kernel::Var;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

define_id!(
    /// A value of a strip. It is bound once.
    Value, "v"
);

define_id!(
    /// A memory that a strip accesses.
    Memory, "m"
);

/// The vector form of the body of a thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// The values.
    pub values: IdMap<Value, ValueInfo>,
    /// The memories.
    pub memories: IdMap<Memory, MemoryInfo>,
    /// The values that come from outside, with the kernel variables that hold them. They are uniform.
    pub inputs: Vec<(Value, Var)>,
    /// The values that are computed before the strips, from inputs and earlier ones. They are uniform.
    pub before: Vec<(Value, Exp)>,
    /// The innermost counter of the point in lane 0: a uniform i64.
    pub counter: Option<Value>,
    /// What the lanes of a reduction have combined before this strip: varying values. Empty if the strip combines nothing.
    pub state: Vec<Value>,
    /// What the points before this strip combine to: uniform integers. Empty if the strip is not one of a scan.
    pub carry: Vec<Value>,
    /// The code. Its results are those of the thread, or the next values of the state or of the carry.
    pub body: Body,
    /// Whether a point may run again after it has run: it then stores the same. So the last strip of a row may begin with
    /// points of the strip before it.
    pub repeatable: bool,
    /// Whether it fails if its points are not alike: if their inner loops have different lengths, or their arrays do not fit
    /// the memory of the lanes. So its points may often run as scalar code.
    pub alike: bool,
}

/// The properties of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInfo {
    /// The name in the source, if it had one; only a hint for readers.
    pub hint: Option<Symbol>,
    /// The type.
    pub ty: PrimType,
    /// Whether it has one scalar in each lane.
    pub varying: bool,
}

/// The properties of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// The type of its elements.
    pub elem: PrimType,
    /// Where it is.
    pub place: Place,
}

/// Where a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The block that this kernel variable holds. All lanes share it.
    Block(Var),
    /// Each lane has an array of so many elements of its own. It is small.
    Private(i64),
    /// Each lane has an array of its own, in memory that is allocated before the first row. The number of elements is an
    /// i64 constant, or a value that is bound before the strips and does not depend on outer counters.
    Preallocated(Operand),
}

impl Place {
    /// Whether each lane has an array of its own.
    pub fn is_private(self) -> bool {
        !matches!(self, Place::Block(_))
    }
}

/// A value or a constant. A uniform operand of a varying expression is the same in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value.
    Value(Value),
    /// A constant, which is uniform.
    Const(PrimValue),
}

impl Operand {
    /// An i64 constant.
    pub fn i64(value: i64) -> Operand {
        Operand::Const(PrimValue::I64(value))
    }

    /// A bool constant.
    pub fn bool(value: bool) -> Operand {
        Operand::Const(PrimValue::Bool(value))
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<Value> {
        match self {
            Operand::Value(value) => Some(value),
            Operand::Const(_) => None,
        }
    }
}

/// Statements and their results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// The statements, in order.
    pub stms: Vec<Stm>,
    /// The results. A uniform one may stand for a varying one.
    pub result: Vec<Operand>,
}

/// The number of values that [`Stm::LoadRow`] binds.
pub const ROW: usize = 4;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stm {
    /// Binds a value.
    Let {
        /// The value.
        value: Value,
        /// What it is.
        exp: Exp,
    },
    /// Binds a value to an element, or in each lane to one. The element is one of the lane's own in private memory, so
    /// the value is varying then.
    Load {
        /// The value.
        value: Value,
        /// The memory.
        memory: Memory,
        /// Where the element lies.
        position: Position,
        /// The lanes that load; all of them if there is no mask.
        mask: Option<Operand>,
    },
    /// Binds varying values to neighbouring elements: value `k` to the one at `first + l*step + k` in lane `l`. The memory is
    /// shared ([`Place::Block`]), and its elements have 32 or 64 bits.
    LoadRow {
        /// The values.
        values: [Value; ROW],
        /// The memory.
        memory: Memory,
        /// The position of the first element of lane 0: a uniform i64.
        first: Operand,
        /// The distance between neighbouring lanes: a uniform i64.
        step: Operand,
    },
    /// Overwrites an element in each lane. If several lanes store to one, the last of them decides.
    Store {
        /// The memory.
        memory: Memory,
        /// Where the element lies.
        position: Position,
        /// The new element.
        value: Operand,
        /// The lanes that store; all of them if there is no mask.
        mask: Option<Operand>,
    },
    /// A branch.
    If {
        /// The values bound to the results of the side taken.
        binders: Vec<Value>,
        /// A uniform bool.
        cond: Operand,
        /// The side that runs if it is true.
        then: Body,
        /// The side that runs if it is false.
        otherwise: Body,
    },
    /// A loop.
    Loop {
        /// The values bound to the last values of the merge parameters.
        binders: Vec<Value>,
        /// The merge parameters with their first values.
        params: Vec<(Value, Operand)>,
        /// The kind of loop.
        form: Form,
        /// One iteration. Its results are the next values of the merge parameters.
        body: Body,
    },
    /// Ends the strip if this bool is true, in any lane if it is varying.
    Fail(Operand),
}

/// The kind of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One iteration for each `index` = 0, 1, … below `bound`. Both are uniform and have the same integer type.
    For {
        /// The counter, bound in the body.
        index: Value,
        /// The number of iterations, if it is positive.
        bound: Operand,
    },
    /// Iterates while this merge parameter, a uniform bool, is true.
    While(Value),
}

/// Where the elements of an access lie, as i64 numbers of elements from the beginning of the memory (of the lane's own
/// array if it is private).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// At this uniform position, in all lanes.
    Uniform(Operand),
    /// In lane `l` at `first + l*step`; both are uniform. With the constant step 1 the access is contiguous.
    Strided {
        /// The position of lane 0.
        first: Operand,
        /// The distance between neighbouring lanes.
        step: Operand,
    },
    /// In each lane somewhere else: a gather or a scatter.
    Varying(Operand),
    /// In each lane somewhere else, but most often where the lane before it that takes part ends: what a filter keeps.
    Rising(Operand),
}

impl Position {
    /// The operands.
    pub fn operands(self) -> Vec<Operand> {
        match self {
            Position::Uniform(at) | Position::Varying(at) | Position::Rising(at) => vec![at],
            Position::Strided { first, step } => vec![first, step],
        }
    }

    /// The position with other operands.
    #[must_use]
    pub fn map(self, mut other: impl FnMut(Operand) -> Operand) -> Position {
        match self {
            Position::Uniform(at) => Position::Uniform(other(at)),
            Position::Varying(at) => Position::Varying(other(at)),
            Position::Rising(at) => Position::Rising(other(at)),
            Position::Strided { first, step } => Position::Strided { first: other(first), step: other(step) },
        }
    }

    /// Whether the elements of neighbouring lanes are neighbours.
    pub fn is_contiguous(self) -> bool {
        matches!(self, Position::Strided { step, .. } if step == Operand::i64(1))
    }
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exp {
    /// An operator of one operand.
    Unary(UnOp, Operand),
    /// An operator of two operands.
    Binary(BinOp, Operand, Operand),
    /// A comparison.
    Compare(CmpOp, Operand, Operand),
    /// A conversion.
    Convert(PrimType, Operand),
    /// The second operand where the first is true, otherwise the third.
    Select(Operand, Operand, Operand),
    /// The varying i64 that is `first + l*step` in lane `l`. Both operands are uniform.
    Ramp {
        /// The value in lane 0.
        first: Operand,
        /// The difference between neighbouring lanes.
        step: Operand,
    },
    /// Whether a varying bool is true in any lane: a uniform bool.
    Any(Operand),
    /// The greatest of an i64 in all lanes: a uniform i64.
    Most(Operand),
    /// In each lane, what this associative operator combines the operand to in all lanes up to it, also where the operand is
    /// uniform.
    Prefix(BinOp, Operand),
    /// The operand in the last lane: a uniform value.
    Last(Operand),
    /// The value (i64) of the tuning parameter of this name, or this default if the user has not set it.
    Param(Symbol, i64),
}

impl Exp {
    /// The operands, in order.
    pub fn operands(self) -> Vec<Operand> {
        match self {
            Exp::Unary(_, a)
            | Exp::Convert(_, a)
            | Exp::Any(a)
            | Exp::Most(a)
            | Exp::Prefix(_, a)
            | Exp::Last(a) => vec![a],
            Exp::Binary(_, a, b) | Exp::Compare(_, a, b) | Exp::Ramp { first: a, step: b } => vec![a, b],
            Exp::Select(c, a, b) => vec![c, a, b],
            Exp::Param(..) => Vec::new(),
        }
    }

    /// The expression with other operands.
    #[must_use]
    pub fn map(self, mut other: impl FnMut(Operand) -> Operand) -> Exp {
        match self {
            Exp::Unary(op, a) => Exp::Unary(op, other(a)),
            Exp::Binary(op, a, b) => Exp::Binary(op, other(a), other(b)),
            Exp::Compare(op, a, b) => Exp::Compare(op, other(a), other(b)),
            Exp::Convert(to, a) => Exp::Convert(to, other(a)),
            Exp::Select(c, a, b) => Exp::Select(other(c), other(a), other(b)),
            Exp::Ramp { first, step } => Exp::Ramp { first: other(first), step: other(step) },
            Exp::Any(a) => Exp::Any(other(a)),
            Exp::Most(a) => Exp::Most(other(a)),
            Exp::Prefix(op, a) => Exp::Prefix(op, other(a)),
            Exp::Last(a) => Exp::Last(other(a)),
            Exp::Param(..) => self,
        }
    }
}

impl Body {
    /// Adds the values that the statements and results use, also those bound inside.
    fn uses(&self, used: &mut BTreeSet<Value>) {
        used.extend(self.result.iter().filter_map(|operand| operand.value()));
        for stm in &self.stms {
            let mut need = |operands: &[Operand]| {
                used.extend(operands.iter().filter_map(|operand| operand.value()));
            };
            match stm {
                Stm::Let { exp, .. } => need(&exp.operands()),
                Stm::Load { position, mask, .. } => {
                    need(&[&position.operands()[..], mask.as_slice()].concat())
                }
                Stm::LoadRow { first, step, .. } => need(&[*first, *step]),
                Stm::Store { position, value, mask, .. } => {
                    need(&[&position.operands()[..], &[*value], mask.as_slice()].concat());
                }
                Stm::If { cond, then, otherwise, .. } => {
                    need(&[*cond]);
                    then.uses(used);
                    otherwise.uses(used);
                }
                Stm::Loop { params, form, body, .. } => {
                    params.iter().for_each(|&(_, first)| need(&[first]));
                    if let Form::For { bound, .. } = form {
                        need(&[*bound]);
                    }
                    body.uses(used);
                }
                Stm::Fail(cond) => need(&[*cond]),
            }
        }
    }
}

impl Strip {
    /// The inputs, and the values bound before the strips, that the code of a strip uses.
    pub fn used_inputs(&self) -> Vec<Value> {
        let mut used = BTreeSet::new();
        self.body.uses(&mut used);
        let inputs = self.inputs.iter().map(|&(value, _)| value);
        let before = self.before.iter().map(|&(value, _)| value);
        inputs.chain(before).filter(|value| used.contains(value)).collect()
    }

    /// The type of an operand.
    pub fn ty(&self, operand: Operand) -> PrimType {
        match operand {
            Operand::Value(value) => self.values[value].ty,
            Operand::Const(constant) => constant.ty(),
        }
    }

    /// Whether an operand has one scalar in each lane.
    pub fn is_varying(&self, operand: Operand) -> bool {
        operand.value().is_some_and(|value| self.values[value].varying)
    }

    /// The number of elements that each lane has in preallocated memory, for each such memory.
    pub fn preallocated(&self) -> impl Iterator<Item = (Memory, Operand)> {
        self.memories.iter().filter_map(|(memory, info)| match info.place {
            Place::Preallocated(count) => Some((memory, count)),
            Place::Block(_) | Place::Private(_) => None,
        })
    }

    /// The type of an expression, and whether it is varying.
    pub fn kind(&self, exp: Exp) -> (PrimType, bool) {
        let ty = match exp {
            Exp::Unary(op, a) => op.result(self.ty(a)),
            Exp::Binary(_, a, _) | Exp::Select(_, a, _) | Exp::Prefix(_, a) | Exp::Last(a) => self.ty(a),
            Exp::Compare(..) | Exp::Any(_) => PrimType::Bool,
            Exp::Convert(to, _) => to,
            Exp::Ramp { .. } | Exp::Most(_) | Exp::Param(..) => PrimType::I64,
        };
        let varying = match exp {
            Exp::Ramp { .. } | Exp::Prefix(..) => true,
            Exp::Any(_) | Exp::Most(_) | Exp::Last(_) => false,
            _ => exp.operands().into_iter().any(|operand| self.is_varying(operand)),
        };
        (ty, varying)
    }
}
