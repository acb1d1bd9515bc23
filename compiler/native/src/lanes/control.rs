//! Emits statements. Control flow is uniform: all lanes take the same branches and iterations.

use cranelift_codegen::ir::{Block, Type as ClifType, Value as Clif};
use ravel_vector::{Body, Form, Operand, Position, Stm, Value};

use super::{Binding, Lanes};
use crate::emitter::Emitter;
use crate::stop;

impl Lanes<'_> {
    /// Emits a body. Returns its results.
    pub(super) fn body(&mut self, emitter: &mut Emitter<'_, '_>, body: &Body) -> Vec<Binding> {
        for stm in &body.stms {
            self.stm(emitter, stm);
        }
        body.result.iter().map(|&operand| self.binding(emitter, operand)).collect()
    }

    fn stm(&mut self, emitter: &mut Emitter<'_, '_>, stm: &Stm) {
        match stm {
            Stm::Let { value, exp } => {
                let binding = self.exp(emitter, *exp);
                self.bind(*value, binding);
            }
            Stm::Load { value, memory, position, mask } => {
                self.load(emitter, *value, *memory, *position, *mask);
            }
            Stm::LoadRow { values, memory, first, step } => {
                let position = Position::Strided { first: *first, step: *step };
                self.load_row(emitter, values, *memory, position);
            }
            Stm::Store { memory, position, value, mask } => {
                self.store(emitter, *memory, *position, *value, *mask);
            }
            Stm::If { binders, cond, then, otherwise } => {
                let (join, joined) = emitter.block(&self.all_types(binders));
                self.sides(emitter, join, binders, (*cond, then, otherwise));
                emitter.builder.switch_to_block(join);
                self.bind_all(binders, &joined);
            }
            Stm::Loop { binders, params, form, body } => {
                let (values, first): (Vec<Value>, Vec<Operand>) = params.iter().copied().unzip();
                let first = self.incoming(emitter, &first, &values);
                let last = match *form {
                    Form::For { index, bound } => {
                        self.counted_loop(emitter, index, bound, &values, &first, body)
                    }
                    Form::While(flag) => self.conditional(emitter, flag, &values, &first, body),
                };
                self.bind_all(binders, &last);
            }
            Stm::Fail(cond) => {
                let cond = match self.binding(emitter, *cond) {
                    Binding::Uniform(cond) => cond,
                    Binding::Varying(mask) => self.any(emitter, &mask),
                };
                let (on, _) = emitter.block(&[]);
                emitter.branch(
                    cond,
                    (self.restart.expect("set before the code of the strip"), &[]),
                    (on, &[]),
                );
                emitter.builder.switch_to_block(on);
            }
        }
    }

    /// Emits a branch whose sides jump to `join` with results that flow into `into`. A branch at the end of a side, whose
    /// results are those of the side, shares the join, as in scalar code.
    fn sides(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        join: Block,
        into: &[Value],
        (cond, then, otherwise): (Operand, &Body, &Body),
    ) {
        let cond = self.scalar(emitter, cond);
        let ((yes, _), (no, _)) = (emitter.block(&[]), emitter.block(&[]));
        emitter.branch(cond, (yes, &[]), (no, &[]));
        for (side, body) in [(yes, then), (no, otherwise)] {
            emitter.builder.switch_to_block(side);
            match body.stms.split_last() {
                Some((Stm::If { binders, cond, then, otherwise }, before))
                    if body.result.iter().copied().eq(binders.iter().map(|&value| Operand::Value(value))) =>
                {
                    before.iter().for_each(|stm| self.stm(emitter, stm));
                    self.sides(emitter, join, into, (*cond, then, otherwise));
                }
                _ => {
                    let results = self.nested(emitter, body, into);
                    emitter.jump(join, &results);
                }
            }
        }
    }

    fn counted_loop(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        index: Value,
        bound: Operand,
        values: &[Value],
        first: &[Clif],
        body: &Body,
    ) -> Vec<Clif> {
        let ty = self.strip.ty(bound);
        let most = match bound {
            Operand::Const(constant) => Some(constant.bits()),
            Operand::Value(_) => None,
        };
        let end = self.scalar(emitter, bound);
        let interval = stop::interval_of(statements(body));
        emitter.count_to(end, ty.is_signed(), most, interval, first, |emitter, counter, state| {
            self.bind(index, Binding::Uniform(counter));
            self.bind_all(values, state);
            self.nested(emitter, body, values)
        })
    }

    fn conditional(
        &mut self,
        emitter: &mut Emitter<'_, '_>,
        flag: Value,
        values: &[Value],
        first: &[Clif],
        body: &Body,
    ) -> Vec<Clif> {
        let types = self.all_types(values);
        let before = values.iter().take_while(|&&value| value != flag);
        let flag = before.map(|&value| self.types(value).len()).sum::<usize>();
        let (exit, last) = emitter.block(&types);
        let (round, given) = emitter.block(&types);
        emitter.branch(first[flag], (round, first), (exit, first));
        emitter.builder.switch_to_block(round);
        self.bind_all(values, &given);
        emitter.poll_stop();
        let next = self.nested(emitter, body, values);
        emitter.branch(next[flag], (round, &next), (exit, &next));
        emitter.builder.switch_to_block(exit);
        last
    }

    /// Emits a body whose results flow into these values.
    fn nested(&mut self, emitter: &mut Emitter<'_, '_>, body: &Body, into: &[Value]) -> Vec<Clif> {
        for stm in &body.stms {
            self.stm(emitter, stm);
        }
        self.incoming(emitter, &body.result, into)
    }

    /// The registers of operands that flow into values. A uniform operand may flow into a varying value.
    fn incoming(&self, emitter: &mut Emitter<'_, '_>, operands: &[Operand], into: &[Value]) -> Vec<Clif> {
        let mut all = Vec::new();
        for (&operand, &value) in operands.iter().zip(into) {
            if self.strip.values[value].varying {
                all.extend(self.registers(emitter, operand));
            } else {
                all.push(self.scalar(emitter, operand));
            }
        }
        all
    }

    fn bind_all(&mut self, values: &[Value], mut registers: &[Clif]) {
        for &value in values {
            let (own, rest) = registers.split_at(self.types(value).len());
            let varying = self.strip.values[value].varying;
            self.bind(value, if varying { Binding::Varying(own.to_vec()) } else { Binding::Uniform(own[0]) });
            registers = rest;
        }
    }

    fn all_types(&self, values: &[Value]) -> Vec<ClifType> {
        values.iter().flat_map(|&value| self.types(value)).collect()
    }
}

/// An estimate of the statements executed by one run of a body; `None` if it contains a loop.
pub(super) fn statements(body: &Body) -> Option<u64> {
    let statement = |stm: &Stm| match stm {
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)?.max(statements(otherwise)?)),
        Stm::Loop { .. } => None,
        _ => Some(1),
    };
    body.stms.iter().map(statement).sum()
}
