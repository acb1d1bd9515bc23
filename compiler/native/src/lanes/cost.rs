//! The cost model of strips: whether W points in lanes take less time than W points one by one.
//!
//! Both are estimated from the strip, in units of about one simple instruction:
//!
//! | statement | W points | strip |
//! | --- | --- | --- |
//! | varying arithmetic, comparison, selection | W | one for each register |
//! | conversion | W | two for each register |
//! | product of i64 | W | six for each register |
//! | division, square root of floats | 4 W | four for each register |
//! | division of integers | 8 W | 10 W; 24 for each register of 256 bits or more, 60 if they have 64 bits |
//! | operator without a vector instruction | W | 3 W |
//! | uniform load | W | 1 |
//! | contiguous access | W | one for each register, 2 more under a mask |
//! | contiguous access to bools or integers of 8 or 16 bits in 256 bits or more | W | 1, two for each register, 3 more under a mask |
//! | row of four elements of each lane | 4 W | two for each lane of 32 bits, three for one of 64 bits |
//! | other access | W | 3 W, 5 W under a mask |
//! | uniform expression | W | 1 |
//! | greatest of all lanes | 0 | 3 W |
//! | prefixes | 0 | six for each register of 256 bits or more, otherwise 3 W |
//! | last of all lanes | 0 | 2 |
//! | store of what a filter keeps | 5 W | 5 W |
//! | branch of which lanes take both sides | W, and half of both sides | three quarters of both, and 2 for each test |
//! | branch with one side that is cheap | W, and seven eighths of the other side | all of it, and 2 for the test |
//! | branch between the general code and that of the interior | the interior | the interior, and 2 for the test |
//! | result combined with a total | W | 2 W |
//! | result stored in a batch, to be combined later | W | 3 W |
//! | loop | ten times its body | ten times its body, a quarter more if lanes leave it one by one |
//! | iteration of a search (`search`) | 8 W more | |
//!
//! A strip must save a fifth of the time, because its code is compiled in addition to the scalar code. Code with more
//! than [`MAX_STATEMENTS`] statements runs point by point: its compilation takes longer than most programs run.

use ravel_prim::{BinOp, PrimType, UnOp};
use ravel_vector::{Body, Exp, Form, Operand, Place, Position, ROW, Refusal, Stm, Strip};

use ravel_x86::Results;

use super::masks::Masks;
use super::operator::{has_vector_binary, has_vector_unary};
use super::search::is_search;
use super::{convert::has_vector_conversion, is_wide, live};

/// The most statements of a strip.
const MAX_STATEMENTS: usize = 2500;

/// The iterations of a loop, as far as this model is concerned.
const ITERATIONS: u64 = 10;

/// The time that an iteration of a search waits.
const WAIT: u64 = 8;

/// The cost from which on more iterations no longer count, so that no nest of loops overflows.
const MAX_COST: u64 = 1 << 40;

/// Whether vectors hold all varying values of a strip.
///
/// # Errors
/// The first type that has no vectors.
pub(super) fn has_vectors(strip: &Strip) -> Result<(), Refusal> {
    for value in live(strip) {
        let info = &strip.values[value];
        if info.varying && !holds(info.ty) {
            return Err(Refusal::Type(info.ty));
        }
    }
    Ok(())
}

/// Whether registers hold lanes of a type.
pub(super) fn holds(ty: PrimType) -> bool {
    ty.bits() >= 32 || ty == PrimType::Bool
}

/// Whether a strip of so many lanes pays in vectors of so many bits.
///
/// # Errors
/// The reason why the points run one by one.
pub(super) fn pays(strip: &Strip, results: Results<'_>, lanes: usize, bits: u32) -> Result<(), Refusal> {
    if live(strip).len() > MAX_STATEMENTS {
        return Err(Refusal::Size);
    }
    let model = Model {
        strip,
        lanes: lanes as u64,
        bits: u64::from(bits),
        wide: is_wide(strip),
        masks: Masks::of(strip),
    };
    let combined = model.combined(results);
    let cost = model.body(&strip.body)?.plus(combined);
    if 5 * cost.strip <= 4 * cost.points { Ok(()) } else { Err(Refusal::Cost) }
}

/// The time of a strip, and of its points one by one.
#[derive(Clone, Copy, Default)]
struct Cost {
    points: u64,
    strip: u64,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost { points: self.points + other.points, strip: self.strip + other.strip }
    }
}

struct Model<'s> {
    strip: &'s Strip,
    lanes: u64,
    /// The bits of a register.
    bits: u64,
    /// Whether masks have lanes of 64 bits.
    wide: bool,
    masks: Masks,
}

impl Model<'_> {
    /// The time in which the results of all points are combined one by one.
    fn combined(&self, results: Results<'_>) -> Cost {
        let (count, each) = match results {
            Results::Folded(operators) => (operators.len(), 2),
            Results::Stored => (self.strip.body.result.len(), 3),
            Results::Strands(_) | Results::Carried => (0, 0),
        };
        let all = self.lanes * count as u64;
        Cost { points: all, strip: each * all }
    }

    fn body(&self, body: &Body) -> Result<Cost, Refusal> {
        body.stms.iter().try_fold(Cost::default(), |sum, stm| Ok(sum.plus(self.stm(stm)?)))
    }

    fn stm(&self, stm: &Stm) -> Result<Cost, Refusal> {
        let strip = self.strip;
        Ok(match stm {
            Stm::Let { exp, .. } => self.exp(*exp)?,
            Stm::Load { value, memory, position, mask } => {
                let varying = strip.values[*value].varying;
                let place = strip.memories[*memory].place;
                let cost =
                    if varying { self.access(strip.values[*value].ty, place, *position, *mask) } else { 1 };
                Cost { points: self.lanes, strip: cost }
            }
            Stm::LoadRow { memory, .. } => {
                let each = if strip.memories[*memory].elem.bytes() == 8 { 3 } else { 2 };
                Cost { points: ROW as u64 * self.lanes, strip: each * self.lanes }
            }
            Stm::Store { memory, position, mask, .. } => {
                let info = strip.memories[*memory];
                let each = if let Position::Rising(_) = position { 5 } else { 1 };
                let strip = self.access(info.elem, info.place, *position, *mask);
                Cost { points: each * self.lanes, strip }
            }
            Stm::If { cond, then, otherwise, .. } => {
                let (yes, no) = (self.body(then)?, self.body(otherwise)?);
                match self.masks.tested_by(*cond) {
                    // Few strips contain a cut.
                    Some(_) if !otherwise.stms.is_empty() => Cost { strip: no.strip + 2, ..no },
                    // The other side is a statement of its own.
                    Some(mask) if self.masks.has_other_side(mask) => {
                        Cost { points: (yes.points + self.lanes) / 2, strip: yes.strip * 3 / 4 + 2 }
                    }
                    Some(_) => Cost { points: self.lanes + yes.points * 7 / 8, strip: yes.strip + 2 },
                    None => Cost {
                        points: self.lanes + yes.points.max(no.points),
                        strip: 1 + yes.strip.max(no.strip),
                    },
                }
            }
            Stm::Loop { form, params, body, .. } => {
                let round = self.body(body)?;
                let leaves_one_by_one = match form {
                    Form::For { .. } => false,
                    Form::While(flag) => params
                        .iter()
                        .any(|&(value, first)| value == *flag && self.masks.tested_by(first).is_some()),
                };
                let strip = if leaves_one_by_one { round.strip * 5 / 4 } else { round.strip };
                let waits = if leaves_one_by_one && is_search(params, body) { WAIT * self.lanes } else { 0 };
                let round = Cost { points: round.points + waits, strip };
                let iterations = if round.points.max(round.strip) < MAX_COST { ITERATIONS } else { 1 };
                Cost {
                    points: iterations * (round.points + self.lanes),
                    strip: iterations * (round.strip + 1),
                }
            }
            Stm::Fail(_) => Cost { points: self.lanes, strip: 2 },
        })
    }

    fn exp(&self, exp: Exp) -> Result<Cost, Refusal> {
        let (ty, varying) = self.strip.kind(exp);
        let heavy = self.weight(exp)?;
        if !varying {
            // Tests of masks and greatest numbers have no counterpart.
            return Ok(match exp {
                Exp::Any(_) => Cost { points: 0, strip: heavy },
                Exp::Most(_) => Cost { points: 0, strip: 3 * self.lanes },
                Exp::Last(_) => Cost { points: 0, strip: 2 },
                _ => Cost { points: heavy * self.lanes, strip: heavy },
            });
        }
        let registers = self.registers(ty);
        let first = exp.operands().first().map_or(ty, |&operand| self.strip.ty(operand));
        let (points, strip) = match exp {
            Exp::Ramp { .. } => (0, 2 + registers),
            Exp::Prefix(..) if self.bits > u64::from(super::BITS) => (0, 6 * registers),
            Exp::Prefix(..) => (0, 3 * self.lanes),
            Exp::Select(..) => (1, registers),
            Exp::Compare(..) => (1, registers.max(self.registers(first))),
            Exp::Convert(to, _) if has_vector_conversion(first, to) => (1, 2 * registers),
            Exp::Unary(op, _) if has_vector_unary(op, first) => (heavy, heavy * registers),
            Exp::Binary(BinOp::Mul, ..) if first.bits() == 64 && !first.is_float() => (1, 6 * registers),
            Exp::Binary(BinOp::Shl | BinOp::Shr | BinOp::Lshr, _, Operand::Const(_)) => (1, registers),
            Exp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, ..)
                if !first.is_float() && self.bits > u64::from(super::BITS) =>
            {
                (heavy, if first.bits() == 64 { 60 } else { 24 } * registers)
            }
            // The operators on masks join conditions, which scalar code tests one by one.
            Exp::Binary(op, ..) if has_vector_binary(op, first) => (heavy, heavy * registers),
            _ => (heavy, (heavy + 2) * self.lanes),
        };
        Ok(Cost { points: points * self.lanes, strip })
    }

    /// The time of the scalar operator.
    fn weight(&self, exp: Exp) -> Result<u64, Refusal> {
        let ty = exp.operands().first().map(|&operand| self.strip.ty(operand));
        let is_float = ty.is_some_and(PrimType::is_float);
        match exp {
            Exp::Binary(BinOp::Div, ..) if is_float => Ok(4),
            Exp::Unary(UnOp::Sqrt, _) => Ok(4),
            Exp::Binary(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, ..) if !is_float => Ok(8),
            Exp::Binary(op @ (BinOp::Mod | BinOp::Pow), ..) => Err(Refusal::Operator(op.name())),
            _ => Ok(1),
        }
    }

    fn access(&self, elem: PrimType, place: Place, position: Position, mask: Option<Operand>) -> u64 {
        let whole = match place {
            Place::Private(_) | Place::Preallocated(_) => matches!(position, Position::Uniform(_)),
            Place::Block(_) => position.is_contiguous(),
        };
        // Only vectors of 256 bits or more have instructions for packed elements.
        if whole && elem.bytes() < 4 && self.bits > u64::from(super::BITS) {
            return 1 + 2 * self.registers(PrimType::U32) + if mask.is_some() { 3 } else { 0 };
        }
        match (whole && elem.bytes() >= 4, mask) {
            (true, None) => self.registers(elem),
            (true, Some(_)) => self.registers(elem) + 2,
            (false, None) => 3 * self.lanes,
            (false, Some(_)) => 5 * self.lanes,
        }
    }

    fn registers(&self, ty: PrimType) -> u64 {
        let bits = match ty {
            PrimType::Bool if self.wide => 64,
            PrimType::Bool => 32,
            _ => u64::from(ty.bits()),
        };
        self.lanes * bits / self.bits
    }
}
