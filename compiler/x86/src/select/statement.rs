//! Emits statements. Control flow is uniform: all lanes take the same branches and iterations.

use ravel_vector::{Body, Form, Operand, Refusal, Stm, Value};
use regalloc2::{RegClass, VReg};

use super::{Binding, Selector, general_size, uniform_class};
use crate::Word;
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{Address, Condition, Memory, Source};

/// A loop with at most so many iterations, without a loop inside, does not poll the stop flag.
const SHORT: i64 = 1 << 16;

impl Selector<'_> {
    pub(super) fn statements(&mut self, stms: &[Stm]) -> Result<(), Refusal> {
        let known = self.known_loads.len();
        stms.iter().try_for_each(|stm| self.statement(stm))?;
        self.known_loads.truncate(known);
        Ok(())
    }

    fn statement(&mut self, stm: &Stm) -> Result<(), Refusal> {
        match stm {
            Stm::Let { value, exp } => {
                let binding = self.expression(*exp)?;
                self.values.insert(*value, binding);
                self.note_half(*value, *exp);
                self.compute_row_addresses(*value);
            }
            Stm::Load { value, memory, position, mask } => {
                let binding = self.load(*memory, *position, *mask)?;
                self.values.insert(*value, binding);
                self.compute_row_addresses(*value);
            }
            Stm::LoadRow { values, memory, first, step } => {
                for (&value, registers) in values.iter().zip(self.load_row(*memory, *first, *step)) {
                    self.values.insert(value, Binding::Lanes(registers));
                }
            }
            Stm::Store { memory, position, value, mask } => {
                self.store(*memory, *position, *value, *mask)?;
            }
            Stm::If { binders, cond, then, otherwise } => self.branch(binders, *cond, then, otherwise)?,
            Stm::Loop { binders, params, form, body } => self.iterate(binders, params, *form, body)?,
            Stm::Fail(cond) => {
                if self.strip.is_varying(*cond) {
                    let mask = self.mask_of(*cond);
                    self.test_any(&mask);
                } else {
                    self.test(*cond);
                }
                self.fail_if(Condition::NOT_EQUAL);
            }
        }
        Ok(())
    }

    fn branch(
        &mut self,
        binders: &[Value],
        cond: Operand,
        then: &Body,
        otherwise: &Body,
    ) -> Result<(), Refusal> {
        let [yes, no, join] = [(); 3].map(|()| self.function.label());
        self.test(cond);
        self.function.branch(Condition::NOT_EQUAL, yes, no);
        for (label, body) in [(yes, then), (no, otherwise)] {
            self.function.begin(label, Vec::new());
            self.statements(&body.stms)?;
            let results = self.incoming(&body.result, binders);
            self.function.jump(join, results);
        }
        let params = self.bind_fresh(binders);
        self.function.begin(join, params);
        binders.iter().for_each(|&value| self.compute_row_addresses(value));
        Ok(())
    }

    fn iterate(
        &mut self,
        binders: &[Value],
        params: &[(Value, Operand)],
        form: Form,
        body: &Body,
    ) -> Result<(), Refusal> {
        let (values, first): (Vec<Value>, Vec<Operand>) = params.iter().copied().unzip();
        let [begin, round, again, skip, leave, exit] = [(); 6].map(|()| self.function.label());
        let first = self.incoming(&first, &values);
        match form {
            Form::For { bound, .. } => {
                let (ty, bound) = (self.strip.ty(bound), self.general_of(bound));
                if ty.bytes() < 4 || ty.is_unsigned() {
                    return Err(Refusal::Type(ty));
                }
                self.function.perform(Op::Test, general_size(ty), &[bound, bound], None, 0);
                self.function.branch(Condition::GREATER, begin, skip);
            }
            Form::While(flag) => {
                let place = values.iter().position(|&value| value == flag).expect("a merge parameter");
                self.test(params[place].1);
                self.function.branch(Condition::NOT_EQUAL, begin, skip);
            }
        }
        self.function.begin(skip, Vec::new());
        self.function.jump(exit, first.clone());
        self.function.begin(begin, Vec::new());
        let counter = match form {
            Form::For { index, bound } => {
                let zero = self.function.produce(Op::MovImm, Size::G32, 0);
                let counter = self.function.general();
                self.values.insert(index, Binding::General(counter));
                Some((zero, counter, bound))
            }
            Form::While(_) => None,
        };
        let start = counter.map(|(zero, ..)| zero);
        self.function.jump(round, start.into_iter().chain(first).collect());

        let state = self.bind_fresh(&values);
        let own = counter.map(|(_, counter, _)| counter);
        self.function.begin(round, own.into_iter().chain(state).collect());
        if let Form::For { index, .. } = form {
            self.compute_row_addresses(index);
        }
        values.iter().for_each(|&value| self.compute_row_addresses(value));
        if !is_short(form, body) {
            self.poll();
        }
        self.statements(&body.stms)?;
        let next = self.incoming(&body.result, &values);
        let raised = match (form, counter) {
            (Form::For { .. }, Some((_, counter, bound))) => {
                let size = general_size(self.strip.ty(bound));
                let bound = self.general_of(bound);
                let raised = self.function.update(Op::AddImm, size, counter, None, 1);
                self.function.perform(Op::Cmp, size, &[raised], Some(bound.into()), 0);
                self.function.branch(Condition::LESS, again, leave);
                Some(raised)
            }
            (Form::While(flag), _) => {
                let place = values.iter().position(|&value| value == flag).expect("a merge parameter");
                self.test(body.result[place]);
                self.function.branch(Condition::NOT_EQUAL, again, leave);
                None
            }
            _ => unreachable!("a `for` loop has a counter"),
        };
        self.function.begin(again, Vec::new());
        self.function.jump(round, raised.into_iter().chain(next.iter().copied()).collect());
        self.function.begin(leave, Vec::new());
        self.function.jump(exit, next);
        let last = self.bind_fresh(binders);
        self.function.begin(exit, last);
        binders.iter().for_each(|&value| self.compute_row_addresses(value));
        Ok(())
    }

    /// Leaves the strip if the stop flag is set. The caller then runs its points one by one; the code of a point polls the
    /// flag too.
    pub(super) fn poll(&mut self) {
        let word = match self.stop {
            Some(word) => word,
            None => self.word(Word::Stop),
        };
        self.stop = Some(word);
        let address = Address::Register { scale: None, displacement: 0 };
        let memory = Source::Memory(Memory { address, registers: vec![word] });
        self.function.perform(Op::CmpImm, Size::G32, &[], Some(memory), 0);
        self.fail_if(Condition::NOT_EQUAL);
    }

    /// Leaves the strip if the condition holds.
    fn fail_if(&mut self, condition: Condition) {
        let [cold, on] = [(); 2].map(|()| self.function.label());
        self.cold.push(cold);
        self.function.branch(condition, cold, on);
        self.function.begin(on, Vec::new());
    }

    /// Sets the flags to `not equal` if a uniform bool is true.
    fn test(&mut self, cond: Operand) {
        let cond = self.general_of(cond);
        self.function.perform(Op::Test, Size::G32, &[cond, cond], None, 0);
    }

    /// The registers of operands that flow into values.
    fn incoming(&mut self, operands: &[Operand], into: &[Value]) -> Vec<VReg> {
        let mut all = Vec::new();
        for (&operand, &value) in operands.iter().zip(into) {
            let info = &self.strip.values[value];
            if info.varying {
                all.extend(self.values_of(operand));
            } else if uniform_class(info.ty) == RegClass::Float {
                all.push(self.splat_of(operand));
            } else {
                all.push(self.general_of(operand));
            }
        }
        all
    }

    /// Binds values to new registers.
    fn bind_fresh(&mut self, values: &[Value]) -> Vec<VReg> {
        let mut all = Vec::new();
        for &value in values {
            let info = &self.strip.values[value];
            let binding = match (info.varying, uniform_class(info.ty)) {
                (true, _) => {
                    let registers = self.fresh(info.ty);
                    all.extend(&registers);
                    Binding::Lanes(registers)
                }
                (false, RegClass::Float) => {
                    all.push(self.function.vector(self.largest()));
                    Binding::Splat(all[all.len() - 1])
                }
                (false, _) => {
                    all.push(self.function.general());
                    Binding::General(all[all.len() - 1])
                }
            };
            self.values.insert(value, binding);
        }
        all
    }
}

/// Whether a loop ends after a short time.
fn is_short(form: Form, body: &Body) -> bool {
    match form {
        Form::For { bound: Operand::Const(bound), .. } => {
            bound.as_i64().is_some_and(|bound| bound <= SHORT) && statements(body).is_some()
        }
        _ => false,
    }
}

/// The number of statements of a body; `None` if it has a loop.
pub(super) fn statements(body: &Body) -> Option<usize> {
    let statement = |stm: &Stm| match stm {
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)? + statements(otherwise)?),
        Stm::Loop { .. } => None,
        _ => Some(1),
    };
    body.stms.iter().map(statement).sum()
}
