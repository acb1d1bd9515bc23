//! The meaning of the vector form: an evaluator, the oracle of emitters. It is simple, and as slow as that.

use std::collections::BTreeMap;

use ravel_kernel::Var;
use ravel_prim::{CmpOp, PrimValue, compare};

use crate::form::{Body, Exp, Form, Memory, Operand, Place, Position, Stm, Strip, Value};
use crate::vectorise::lane_type;

/// The values of the kernel variables outside, and the blocks that kernel variables hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// Scalars.
    pub scalars: BTreeMap<Var, PrimValue>,
    /// The elements of blocks.
    pub blocks: BTreeMap<Var, Vec<PrimValue>>,
}

/// The end of a strip that does not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A [`Stm::Fail`] ended it.
    Failed,
    /// It is ill-formed, or an active lane accesses an element that does not exist. The text says what is wrong.
    Fault(String),
}

/// Runs a strip of `lanes` points, of which the first has this innermost counter. `state` is what each lane has combined, or
/// takes from the points before the strip, in the types of lanes.
/// Returns the results in each lane.
///
/// # Errors
/// The reason why it stopped. The stores before that have happened.
pub fn evaluate(
    strip: &Strip,
    lanes: usize,
    counter: i64,
    state: &[Vec<PrimValue>],
    outside: &mut Environment,
) -> Result<Vec<Vec<PrimValue>>, Stop> {
    let mut machine = Machine { strip, lanes, outside, values: BTreeMap::new(), private: BTreeMap::new() };
    if let Some(value) = strip.counter {
        machine.values.insert(value, vec![PrimValue::I64(counter); lanes]);
    }
    for &(value, var) in &strip.inputs {
        let input = machine.outside.scalars.get(&var).copied();
        let input = input.ok_or_else(|| Stop::Fault(format!("no value for {var}")))?;
        machine.values.insert(value, vec![input; lanes]);
    }
    for &(value, exp) in &strip.before {
        let lanes = machine.exp(exp)?;
        machine.bind(value, lanes)?;
    }
    for (memory, info) in strip.memories.iter() {
        let count = match info.place {
            Place::Block(_) => continue,
            Place::Private(count) => Some(count),
            Place::Preallocated(count) => machine.uniform(count)?.as_i64(),
        };
        let count = count.and_then(|count| usize::try_from(count).ok());
        let Some(count) = count else { return fault(&format!("{memory} has no number of elements")) };
        machine.private.insert(memory, (count, vec![Vec::new(); lanes]));
    }
    for (number, &value) in strip.state.iter().chain(&strip.carry).enumerate() {
        let combined = state.iter().map(|lane| lane[number]).collect();
        machine.bind(value, combined)?;
    }
    let results = machine.body(&strip.body)?;
    Ok((0..lanes).map(|lane| results.iter().map(|result| result[lane]).collect()).collect())
}

struct Machine<'a> {
    strip: &'a Strip,
    lanes: usize,
    outside: &'a mut Environment,
    /// The value in each lane. A uniform value is the same in all lanes.
    values: BTreeMap<Value, Vec<PrimValue>>,
    /// The number of elements of a lane's array, and for each lane its first elements. The others are zero.
    private: BTreeMap<Memory, (usize, Vec<Vec<PrimValue>>)>,
}

impl Machine<'_> {
    fn body(&mut self, body: &Body) -> Result<Vec<Vec<PrimValue>>, Stop> {
        for stm in &body.stms {
            self.stm(stm)?;
        }
        body.result.iter().map(|&operand| self.operand(operand)).collect()
    }

    fn operand(&self, operand: Operand) -> Result<Vec<PrimValue>, Stop> {
        match operand {
            Operand::Const(constant) => Ok(vec![constant; self.lanes]),
            Operand::Value(value) => {
                let lanes = self.values.get(&value).cloned();
                lanes.ok_or_else(|| Stop::Fault(format!("{value} has no value")))
            }
        }
    }

    /// The scalar that a uniform operand is.
    fn uniform(&self, operand: Operand) -> Result<PrimValue, Stop> {
        let lanes = self.operand(operand)?;
        let first = lanes[0];
        if lanes.iter().all(|&lane| lane == first) { Ok(first) } else { fault("a uniform value varies") }
    }

    fn flag(&self, operand: Operand) -> Result<bool, Stop> {
        self.uniform(operand)?.as_bool().map_or_else(|| fault("no bool"), Ok)
    }

    fn mask(&self, mask: Option<Operand>) -> Result<Vec<bool>, Stop> {
        let Some(mask) = mask else { return Ok(vec![true; self.lanes]) };
        Ok(self.operand(mask)?.into_iter().map(is_true).collect())
    }

    fn bind(&mut self, value: Value, lanes: Vec<PrimValue>) -> Result<(), Stop> {
        let info = &self.strip.values[value];
        let first = lanes[0];
        if !info.varying && lanes.iter().any(|&lane| lane != first) {
            return fault(&format!("{value} is uniform, but its lanes differ"));
        }
        self.values.insert(value, lanes);
        Ok(())
    }

    fn positions(&self, position: Position) -> Result<Vec<i64>, Stop> {
        let numbers = |operand| -> Result<Vec<i64>, Stop> {
            let lanes = self.operand(operand)?;
            lanes.into_iter().map(|lane| lane.as_i64().map_or_else(|| fault("no i64"), Ok)).collect()
        };
        match position {
            Position::Uniform(at) | Position::Varying(at) | Position::Rising(at) => numbers(at),
            Position::Strided { first, step } => {
                let lanes = numbers(first)?.into_iter().zip(numbers(step)?).enumerate();
                Ok(lanes.map(|(lane, (first, step))| ramp(first, step, lane)).collect())
            }
        }
    }

    /// The element at a position in the memory of a lane.
    fn element(&mut self, memory: Memory, lane: usize, position: i64) -> Result<&mut PrimValue, Stop> {
        let elements = match self.strip.memories[memory].place {
            Place::Block(var) => self.outside.blocks.get_mut(&var),
            Place::Private(_) | Place::Preallocated(_) => {
                let zero = PrimValue::zero(self.strip.memories[memory].elem);
                self.private.get_mut(&memory).and_then(|(count, lanes)| {
                    let elements = lanes.get_mut(lane)?;
                    let needed = usize::try_from(position).ok().filter(|position| position < count)? + 1;
                    if elements.len() < needed {
                        elements.resize(needed, zero);
                    }
                    Some(elements)
                })
            }
        };
        let element = elements.and_then(|elements| {
            usize::try_from(position).ok().and_then(|position| elements.get_mut(position))
        });
        element.map_or_else(|| fault(&format!("lane {lane} accesses {memory}[{position}]")), Ok)
    }

    fn stm(&mut self, stm: &Stm) -> Result<(), Stop> {
        match stm {
            Stm::Let { value, exp } => {
                let lanes = self.exp(*exp)?;
                self.bind(*value, lanes)
            }
            Stm::Load { value, memory, position, mask } => {
                let (positions, mask) = (self.positions(*position)?, self.mask(*mask)?);
                let ty = lane_type(self.strip.memories[*memory].elem);
                let mut lanes = vec![PrimValue::zero(ty); self.lanes];
                for (lane, loaded) in lanes.iter_mut().enumerate().filter(|&(lane, _)| mask[lane]) {
                    *loaded = ravel_prim::convert(*self.element(*memory, lane, positions[lane])?, ty);
                }
                self.bind(*value, lanes)
            }
            Stm::LoadRow { values, memory, first, step } => {
                let rows = self.positions(Position::Strided { first: *first, step: *step })?;
                for (&value, column) in values.iter().zip(0..) {
                    let mut lanes = Vec::new();
                    for (lane, &row) in rows.iter().enumerate() {
                        lanes.push(*self.element(*memory, lane, row.wrapping_add(column))?);
                    }
                    self.bind(value, lanes)?;
                }
                Ok(())
            }
            Stm::Store { memory, position, value, mask } => {
                let (positions, mask) = (self.positions(*position)?, self.mask(*mask)?);
                let ty = self.strip.memories[*memory].elem;
                let values = self.operand(*value)?;
                for lane in (0..self.lanes).filter(|&lane| mask[lane]) {
                    *self.element(*memory, lane, positions[lane])? = ravel_prim::convert(values[lane], ty);
                }
                Ok(())
            }
            Stm::If { binders, cond, then, otherwise } => {
                let results = self.body(if self.flag(*cond)? { then } else { otherwise })?;
                self.bind_all(binders, results)
            }
            Stm::Loop { binders, params, form, body } => {
                let values: Vec<Value> = params.iter().map(|&(value, _)| value).collect();
                let first = params.iter().map(|&(_, first)| self.operand(first)).collect::<Result<_, _>>()?;
                self.bind_all(&values, first)?;
                let mut index = 0;
                while self.goes_on(*form, index)? {
                    let next = self.body(body)?;
                    self.bind_all(&values, next)?;
                    index += 1;
                }
                let last = values
                    .iter()
                    .map(|&value| self.operand(Operand::Value(value)))
                    .collect::<Result<_, _>>()?;
                self.bind_all(binders, last)
            }
            Stm::Fail(cond) => {
                if self.operand(*cond)?.into_iter().any(is_true) {
                    Err(Stop::Failed)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Whether a loop runs iteration `index`; binds its counter.
    fn goes_on(&mut self, form: Form, index: i64) -> Result<bool, Stop> {
        match form {
            Form::While(flag) => self.flag(Operand::Value(flag)),
            Form::For { index: counter, bound } => {
                let bound = self.uniform(bound)?;
                let index = ravel_prim::convert(PrimValue::I64(index), bound.ty());
                self.bind(counter, vec![index; self.lanes])?;
                Ok(compare(CmpOp::Lt, index, bound) == Some(true))
            }
        }
    }

    fn bind_all(&mut self, values: &[Value], lanes: Vec<Vec<PrimValue>>) -> Result<(), Stop> {
        values.iter().zip(lanes).try_for_each(|(&value, lanes)| self.bind(value, lanes))
    }

    fn exp(&self, exp: Exp) -> Result<Vec<PrimValue>, Stop> {
        let operands = exp.operands().into_iter().map(|operand| self.operand(operand));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        if let Exp::Any(_) = exp {
            let any = operands[0].iter().copied().any(is_true);
            return Ok(vec![PrimValue::Bool(any); self.lanes]);
        }
        if let Exp::Most(_) = exp {
            let numbers = operands[0].iter().filter_map(|number| number.as_i64());
            let most = numbers.max().map_or_else(|| fault("no i64"), Ok)?;
            return Ok(vec![PrimValue::I64(most); self.lanes]);
        }
        if let Exp::Last(_) = exp {
            return Ok(vec![operands[0][self.lanes - 1]; self.lanes]);
        }
        if let Exp::Prefix(op, _) = exp {
            let mut prefixes = operands[0].clone();
            for lane in 1..self.lanes {
                let both = ravel_prim::binary(op, prefixes[lane - 1], operands[0][lane]);
                prefixes[lane] = both.map_or_else(|| fault("no operator"), Ok)?;
            }
            return Ok(prefixes);
        }
        let lane = |lane: usize| {
            let operand = |place: usize| operands[place][lane];
            match exp {
                Exp::Unary(op, a) => ravel_prim::unary(op, operand(0))
                    .unwrap_or_else(|| PrimValue::zero(op.result(self.strip.ty(a)))),
                // An excluded lane may divide by zero. What it gets is of no account.
                Exp::Binary(op, ..) => ravel_prim::binary(op, operand(0), operand(1))
                    .unwrap_or_else(|| PrimValue::zero(operand(0).ty())),
                Exp::Compare(op, ..) => PrimValue::Bool(compare(op, operand(0), operand(1)) == Some(true)),
                Exp::Convert(to, _) => ravel_prim::convert(operand(0), to),
                Exp::Select(..) => operand(if is_true(operand(0)) { 1 } else { 2 }),
                Exp::Ramp { .. } => {
                    let (first, step) = (operand(0).bits() as i64, operand(1).bits() as i64);
                    PrimValue::I64(ramp(first, step, lane))
                }
                Exp::Param(_, default) => PrimValue::I64(default),
                Exp::Any(_) | Exp::Most(_) | Exp::Prefix(..) | Exp::Last(_) => unreachable!("computed above"),
            }
        };
        Ok((0..self.lanes).map(lane).collect())
    }
}

fn ramp(first: i64, step: i64, lane: usize) -> i64 {
    first.wrapping_add(step.wrapping_mul(lane as i64))
}

fn is_true(value: PrimValue) -> bool {
    value == PrimValue::Bool(true)
}

fn fault<T>(text: &str) -> Result<T, Stop> {
    Err(Stop::Fault(text.to_owned()))
}
